//! Many machines, one run: games are played by workers that find their work on a NATS server.
//!
//! Owns what travels: orders, items of work, nets and finished games, on JetStream's streams and buckets. A game is a
//! function of the net, the run's seed, its generation and its number, so a run ends with the same net, whichever machine plays a game.
//! The learner's side is a [`GameSource`](crate::training::run::GameSource); it trusts no worker and no server with anything
//! that it cannot check or ask for again. Nothing of this runs unless a server is named.

mod check;
mod collection;
mod dispatcher;
mod heartbeats;
mod incoming;
mod join;
mod learner;
mod ledger;
mod limits;
mod local;
mod message;
mod names;
mod nets;
mod options;
mod run_manifest;
mod server;
mod shared;
mod status;
mod streams;
mod tasks;
mod validate;
mod worker;
mod worker_queue;

use anyhow::{Context, Result, bail, ensure};
use async_nats::RequestErrorKind;
use tokio::runtime::{Builder, Runtime};

pub use check::{check_game, check_stats};
pub use learner::{RemoteGames, RemoteOptions};
pub use limits::RunLimits;
pub use message::{Item, ORDER, PLAYED_BY, pack, unpack_game};
pub use names::{ALIVE, LEARNERS, RUNS, RunSubjects, draw_name, is_name};
pub use options::WorkOptions;
pub use run_manifest::{GenerationOrder, Heartbeat, LearnerHeartbeat, PROTOCOL, RunManifest, machine};
pub use server::{Link, NatsServer};
pub use status::{RunStatus, WorkerStatus, status};
pub use worker::{Worked, work};

/// What connections and timers run on.
fn runtime() -> Result<Runtime> {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().context("cannot start a thread")
}

/// # Errors
/// When the server has no JetStream, or not for us, or has gone.
async fn check_streams(link: &Link, server: &NatsServer) -> Result<()> {
    let answer = match link.client.request("$JS.API.INFO", Vec::new().into()).await {
        Ok(message) => serde_json::from_slice::<serde_json::Value>(&message.payload).ok(),
        Err(error) if error.kind() == RequestErrorKind::NoResponders => None,
        Err(error) => bail!("{server} does not answer for JetStream, or not to us: {error}"),
    };
    let has_it = answer.is_some_and(|answer| answer.get("error").is_none());
    ensure!(has_it, "{server} has no JetStream for us (nats-server -js turns it on)");
    Ok(())
}
