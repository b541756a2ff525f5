//! Workers behind a slow connection.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    thread::{self, sleep},
    time::{Duration, Instant},
};

use nix::sys::signal::Signal;

use super::{Process, alone, learn, server::NatsServer, worker_at};

/// Bytes that come from the server at once, and how often.
const PIECE: usize = 4096;
const PAUSE: Duration = Duration::from_millis(50);

/// Passes on to `server` what one client says, and its answers slowly; the address for the client.
fn slow_way(server: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for client in listener.incoming().map_while(Result::ok) {
            let Ok(answers) = TcpStream::connect(&server) else { return };
            let (mut from, mut to) = (client.try_clone().unwrap(), answers.try_clone().unwrap());
            thread::spawn(move || {
                let _ = io::copy(&mut from, &mut to);
                let _ = to.shutdown(Shutdown::Both);
            });
            thread::spawn(move || trickle(answers, client));
        }
    });
    address
}

fn trickle(mut from: TcpStream, mut to: TcpStream) {
    let mut bytes = [0; PIECE];
    while let Ok(count @ 1..) = from.read(&mut bytes)
        && to.write_all(&bytes[..count]).is_ok()
    {
        sleep(PAUSE * count as u32 / PIECE as u32);
    }
    let _ = to.shutdown(Shutdown::Both);
}

/// It takes half a minute and more.
#[test]
fn a_worker_that_gets_a_net_slowly_hears_ctrl_c() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let settings = ["budget.generations=1000", "net.hidden=8192"];
    let _learner = Process::start(
        learn(&server, "dobutsu", &folder.path().join("run"), &settings),
        &folder.path().join("learner"),
    );
    let way = server.worker_url().replace(&server.host(), &slow_way(server.host()));
    let mut slow = Process::start(worker_at(&way), &folder.path().join("worker"));
    // Its game, and then the net.
    slow.wait_for("a sparse-8192");
    sleep(Duration::from_secs(1));
    let begin = Instant::now();
    slow.signal(Signal::SIGINT);
    assert_eq!(slow.end().code(), Some(130), "{}", slow.said());
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}
