//! Signs of life: the learner hears those of the workers, and gives its own.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::{runtime::Runtime, task::JoinSet, time::sleep};
use tokio_stream::StreamExt;

use super::{
    ledger::Roster,
    names::{RunSubjects, worker_of},
    run_manifest::{Heartbeat, LearnerHeartbeat},
    server::Link,
    streams::{SIGN, learners, make_buckets},
};

/// The tasks that hear and say; they end with their owner.
pub(super) struct Heartbeats {
    roster: Arc<Mutex<Roster>>,
    ours: Arc<Mutex<LearnerHeartbeat>>,
    _tasks: JoinSet<()>,
}

impl Heartbeats {
    /// Begins to hear the workers of a run, and to say that the learner is there.
    pub fn start(runtime: &Runtime, link: &Link, names: &RunSubjects, ours: LearnerHeartbeat) -> Self {
        let (roster, ours) = (Arc::default(), Arc::new(Mutex::new(ours)));
        let mut tasks = JoinSet::new();
        tasks.spawn_on(hear(link.clone(), names.clone(), Arc::clone(&roster)), runtime.handle());
        tasks.spawn_on(say(link.clone(), names.clone(), Arc::clone(&ours)), runtime.handle());
        Heartbeats { roster, ours, _tasks: tasks }
    }

    /// Workers who are there, and their threads.
    pub fn count(&self) -> (u32, u32) {
        self.roster.lock().unwrap_or_else(PoisonError::into_inner).count()
    }

    /// Seconds from when a worker has heard of a net until it has loaded it, of the slowest worker.
    pub fn net_seconds(&self) -> f64 {
        self.roster.lock().unwrap_or_else(PoisonError::into_inner).net_seconds()
    }

    /// What the learner says of itself from now on.
    pub fn set(&self, ours: LearnerHeartbeat) {
        *self.ours.lock().unwrap_or_else(PoisonError::into_inner) = ours;
    }
}

/// Listens to the workers.
async fn hear(link: Link, names: RunSubjects, roster: Arc<Mutex<Roster>>) {
    let subject = names.sign_subject("*.*");
    loop {
        let Ok(mut heartbeats) = link.client.subscribe(subject.clone()).await else {
            sleep(SIGN).await;
            continue;
        };
        while let Some(message) = heartbeats.next().await {
            let Some(name) = worker_of(&message.subject) else { continue };
            let mut roster = roster.lock().unwrap_or_else(PoisonError::into_inner);
            match Heartbeat::read(&message.payload) {
                Ok(sign) => roster.add(name, sign),
                // It leaves, or says what cannot be.
                Err(_) => roster.remove(name),
            }
        }
    }
}

/// Says every few seconds that the learner is there.
async fn say(link: Link, names: RunSubjects, ours: Arc<Mutex<LearnerHeartbeat>>) {
    loop {
        let bytes = {
            let sign = ours.lock().unwrap_or_else(PoisonError::into_inner);
            serde_json::to_vec(&*sign).expect("a sign is plain JSON")
        };
        match learners(&link.js).await {
            // The next one follows soon.
            Ok(learners) => drop(learners.put(names.run(), bytes.into()).await),
            Err(_) => drop(make_buckets(&link.js).await),
        }
        sleep(SIGN).await;
    }
}
