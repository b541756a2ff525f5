//! Connections: how many, and for how long they may say nothing.

use std::{sync::Arc, time::Duration};

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time,
};

/// How long a connection may take for the head of a request, the wait for the next one included.
const PATIENCE: Duration = Duration::from_secs(10);
/// Connections at once: the streams of events, and others. More wait until one of these ends. Each is an open file, of
/// which many systems allow 1024.
const MOST_CONNECTIONS: usize = 512;
/// The pause after a connection that could not be had, mostly because too many files are open.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers everybody with `app`, for ever.
pub(super) async fn serve(listener: TcpListener, app: Router) {
    let free = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(permit) = Arc::clone(&free).acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::debug!("no connection: {error}");
                time::sleep(PAUSE).await;
                continue;
            }
        };
        let app = app.clone();
        tokio::spawn(async move {
            answer(stream, app).await;
            drop(permit);
        });
    }
}

/// Answers the other end of `stream`, until it says nothing more.
async fn answer(stream: TcpStream, app: Router) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(app));
    if let Err(error) = connection.await {
        tracing::trace!("a connection broke: {error}");
    }
}
