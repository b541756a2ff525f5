//! Clients over a port of this machine.

use std::{
    io::{self, BufReader, Write},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use anyhow::Result;
use serde_json::Value;

use super::{
    answer::{Remark, line},
    client::Client,
    service::Service,
};
use crate::app::cli::{CliError, stdout};

/// Connections at once.
const MOST_CONNECTIONS: usize = 16;
/// The pause after a connection that could not be had, mostly because too many files are open.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers everybody who connects to `port` of this machine, for ever; 0 chooses a free one. Says first where that is.
pub(super) fn serve(service: &Arc<Service>, port: u16) -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        CliError::failed(format!("cannot listen on port {port}: {error}")).help("--port 0 chooses a free one")
    })?;
    let mut out = stdout();
    writeln!(out, "listening on {}", listener.local_addr()?)?;
    out.flush()?;
    let connected = Arc::new(AtomicUsize::new(0));
    loop {
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(PAUSE);
            continue;
        };
        if connected.load(Relaxed) >= MOST_CONNECTIONS {
            refuse(stream);
            continue;
        }
        connected.fetch_add(1, Relaxed);
        let (service, count) = (service.clone(), connected.clone());
        let answer = move || {
            if let Err(error) = converse(&service, &stream) {
                tracing::debug!("a connection broke: {error}");
            }
            count.fetch_sub(1, Relaxed);
        };
        if thread::Builder::new().name("connection".to_owned()).spawn(answer).is_err() {
            connected.fetch_sub(1, Relaxed);
        }
    }
}

/// Tells whoever is one too many.
fn refuse(mut stream: TcpStream) {
    let error = CliError::failed(format!("{MOST_CONNECTIONS} connections are open already"));
    // Whether it hears that is its own affair.
    let _ = stream.write_all(line(&Remark::error(Value::Null, None, &error)).as_bytes());
}

/// Answers one connection until its end: when it asks no more and has all answers, or when it is gone.
fn converse(service: &Arc<Service>, stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let client = Arc::new(Client::new(Some(stream.try_clone()?)));
    let input = BufReader::new(stream.try_clone()?);
    thread::scope(|scope| {
        let reader = thread::Builder::new().name("reader".to_owned());
        reader.spawn_scoped(scope, || service.converse(&client, input))?;
        let written = client.write_to(stream, &service.queue);
        // Ends the reader, too.
        let _ = stream.shutdown(Shutdown::Both);
        written
    })
}
