//! What the tasks of a worker share.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, AtomicUsize},
    },
    time::Duration,
};

use async_nats::jetstream::{AckKind, message::Acker};

use super::{
    limits::RunLimits,
    names::{RunSubjects, is_listed},
    options::WorkOptions,
    run_manifest::{GenerationOrder, RunManifest, machine},
    server::Link,
    worker_queue::{Known, WorkerQueue},
};
use crate::training::run::RunConfig;

/// After a fault of the server.
pub(super) const PAUSE: Duration = Duration::from_millis(200);

/// An item's handle at the server.
pub(super) type Handle = Arc<Acker>;

/// What the tasks of a worker share.
pub(super) struct Shared {
    pub link: Link,
    pub names: RunSubjects,
    /// What this worker is called: `USER.NAME`.
    pub name: String,
    /// A secret of this worker: with it the server cannot take a game of ours for one that another worker sent before.
    pub secret: u128,
    pub threads: usize,
    pub limits: RunLimits,
    pub queue: WorkerQueue<Handle>,
    /// Games that the server has, and those on their way.
    pub games: AtomicU64,
    pub under_way: AtomicUsize,
    /// From a net's entry to its first game, in milliseconds; 0 before the first.
    pub net_millis: AtomicU64,
    /// This machine as far as the run's results depend on it, once the run's entry is known.
    pub machine: OnceLock<String>,
}

impl Shared {
    /// Those of a worker that joins `run`.
    pub fn new(link: &Link, run: &str, options: &WorkOptions) -> Self {
        Shared {
            link: link.clone(),
            names: RunSubjects::of(run),
            name: options.worker(link),
            secret: rand::random(),
            threads: options.threads,
            limits: options.limits,
            queue: WorkerQueue::new(),
            games: AtomicU64::new(0),
            under_way: AtomicUsize::new(0),
            net_millis: AtomicU64::new(0),
            machine: OnceLock::new(),
        }
    }

    /// Takes note of the entry's bytes; there are none when the run is done.
    pub fn learn(&self, bytes: Option<&[u8]>) {
        let known = match bytes.map(RunManifest::read) {
            None => Known::Gone("it is done".to_owned()),
            Some(Err(error)) => Known::Gone(format!("{error:#}")),
            Some(Ok(entry)) if is_listed(&entry.shut_out, &self.name) => {
                Known::Gone("it has shut this worker out: games of it were bad".to_owned())
            }
            Some(Ok(entry)) => {
                self.machine.get_or_init(|| machine(entry.backend));
                Known::RunManifest(Box::new(entry))
            }
        };
        self.queue.learn(known);
    }

    /// Games at once: as many as fill the batches, and no more than our share, but at least one a thread.
    pub fn limit(&self, entry: &RunManifest, order: &GenerationOrder, config: &RunConfig) -> usize {
        let all = (entry.threads as usize).max(self.threads);
        let share = (order.games as usize * self.threads).div_ceil(all);
        share.clamp(self.threads, self.threads * config.selfplay.games_per_worker)
    }
}

/// Gives items back to the server, to be given out again after `pause`.
pub(super) async fn give_back(items: Vec<Handle>, pause: Option<Duration>) {
    for item in items {
        // What is not given back comes back by itself.
        let _ = item.ack_with(AckKind::Nak(pause)).await;
    }
}
