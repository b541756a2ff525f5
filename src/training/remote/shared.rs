//! What the tasks of a worker share.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize},
    },
    time::Duration,
};

use async_nats::jetstream::{AckKind, message::Acker};
use tokio::time::timeout;

use super::{
    limits::RunLimits,
    names::{RunSubjects, is_listed},
    options::WorkOptions,
    run_manifest::{GenerationOrder, RunManifest},
    server::Link,
    worker_queue::{Known, WorkerQueue},
};
use crate::training::run::RunConfig;

/// After a fault of the server.
pub(super) const PAUSE: Duration = Duration::from_millis(200);
/// Whether an answer is still wanted is looked at this often.
const LOOK: Duration = Duration::from_millis(50);

/// An item's handle at the server.
pub(super) type Handle = Arc<Acker>;

/// What the tasks of a worker share.
pub(super) struct Shared {
    pub link: Link,
    pub names: RunSubjects,
    /// What this worker is called: `USER.NAME`.
    pub name: String,
    pub threads: usize,
    pub limits: RunLimits,
    pub queue: WorkerQueue<Handle>,
    /// Games that the server has, and those on their way.
    pub games: AtomicU64,
    pub under_way: AtomicUsize,
    /// Milliseconds from when it has heard of a net until it has loaded it; 0 before the first.
    pub net_millis: AtomicU64,
}

impl Shared {
    /// Those of a worker that joins `run`.
    pub fn new(link: &Link, run: &str, options: &WorkOptions) -> Self {
        Shared {
            link: link.clone(),
            names: RunSubjects::of(run),
            name: options.worker(link),
            threads: options.threads,
            limits: options.limits,
            queue: WorkerQueue::new(),
            games: AtomicU64::new(0),
            under_way: AtomicUsize::new(0),
            net_millis: AtomicU64::new(0),
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
            Some(Ok(entry)) => Known::RunManifest(Box::new(entry)),
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

/// What `answer` gives; `None` as soon as it is not wanted any more.
pub(super) async fn while_wanted<T>(
    is_wanted: impl Fn() -> bool,
    answer: impl Future<Output = T>,
) -> Option<T> {
    let mut answer = pin!(answer);
    loop {
        match timeout(LOOK, answer.as_mut()).await {
            Ok(answer) => return Some(answer),
            Err(_) if is_wanted() => {}
            Err(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        cell::Cell,
        future::{pending, ready},
    };

    use super::*;
    use crate::training::remote::runtime;

    #[test]
    fn an_answer_is_waited_for_while_it_is_wanted() {
        let (runtime, asked) = (runtime().unwrap(), Cell::new(0));
        let twice = || asked.replace(asked.get() + 1) < 2;
        assert_eq!(runtime.block_on(while_wanted(twice, pending::<()>())), None);
        assert_eq!(asked.get(), 3);
        assert_eq!(runtime.block_on(while_wanted(|| false, ready(7))), Some(7), "it is there");
    }
}
