//! What a server's runs do.

use anyhow::{Context, Result};
use async_nats::jetstream::{
    ErrorCode,
    consumer::PullConsumer,
    context::{GetStreamError, GetStreamErrorKind},
};
use serde::Serialize;

use super::{
    join::{self, FoundRun},
    names::{ALIVE, RUNS, RunSubjects, WORKERS, is_listed, worker_of},
    run_manifest::{Heartbeat, LearnerHeartbeat},
    server::{Link, NatsServer},
    streams::alive,
};

/// Workers of a run that are listed.
const MOST_WORKERS: usize = 10_000;

/// A run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RunStatus {
    /// What it is called.
    pub run: String,
    /// The game; `None` where the entry does not read.
    pub game: Option<String>,
    /// What is wrong with its entry, if something is.
    pub problem: Option<String>,
    /// What its learner says, if it is there.
    pub learner: Option<LearnerHeartbeat>,
    /// Items that no worker has fetched.
    pub items_waiting: u64,
    /// Items that workers hold.
    pub items_held: u64,
    /// Games that the learner has not kept yet.
    pub games_waiting: u64,
    /// The workers that are there, by name.
    pub workers: Vec<WorkerStatus>,
}

/// A worker.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// What it says of itself.
    #[serde(flatten)]
    pub sign: Heartbeat,
    /// Whether the run has shut it out.
    pub is_shut_out: bool,
}

/// Asks `server` for its runs and workers.
///
/// # Errors
/// When it does not answer.
pub fn status(server: &NatsServer) -> Result<Vec<RunStatus>> {
    let runtime = super::runtime()?;
    runtime.block_on(async {
        let link = server.connect("sanki work --status").await?;
        super::check_streams(&link, server).await?;
        let mut runs = Vec::new();
        if is_new(&link).await {
            return Ok(runs);
        }
        for found in join::list(&link).await.with_context(|| format!("{server} does not answer"))? {
            runs.push(run(&link, found).await?);
        }
        runs.sort_by(|a, b| a.run.cmp(&b.run));
        Ok(runs)
    })
}

/// Whether no learner was ever there.
async fn is_new(link: &Link) -> bool {
    let bucket = link.js.get_stream(format!("KV_{RUNS}")).await;
    let is_missing = |error: GetStreamError| match error.kind() {
        GetStreamErrorKind::JetStream(error) => error.error_code() == ErrorCode::STREAM_NOT_FOUND,
        _ => false,
    };
    bucket.err().is_some_and(is_missing)
}

async fn run(link: &Link, found: FoundRun) -> Result<RunStatus> {
    let FoundRun { run, entry, sign: learner } = found;
    let names = RunSubjects::of(&run);
    let mut status = RunStatus { run, learner, ..RunStatus::default() };
    let shut_out = match entry {
        Ok(entry) => {
            status.game = Some(entry.game.to_string());
            entry.shut_out
        }
        Err(error) => {
            status.problem = Some(format!("{error:#}"));
            Vec::new()
        }
    };
    // A run that is about to begin or to end may lack its streams.
    let work: Result<PullConsumer, _> = link.js.get_consumer_from_stream(WORKERS, names.work()).await;
    if let Ok(work) = work {
        let info = work.cached_info();
        (status.items_waiting, status.items_held) = (info.num_pending, info.num_ack_pending as u64);
    }
    if let Ok(games) = link.js.get_stream(names.games()).await {
        status.games_waiting = games.cached_info().state.messages;
    }
    status.workers = workers(link, &names, &shut_out).await?;
    Ok(status)
}

async fn workers(link: &Link, names: &RunSubjects, shut_out: &[String]) -> Result<Vec<WorkerStatus>> {
    let (alive, mut workers) = (alive(&link.js).await?, Vec::new());
    for key in join::keys(link, ALIVE, &names.sign("*.*"), MOST_WORKERS).await? {
        let Some(name) = worker_of(&key) else { continue };
        let Some(bytes) = alive.get(&key).await? else { continue };
        let Ok(sign) = Heartbeat::read(&bytes) else { continue };
        let is_shut_out = is_listed(shut_out, name);
        workers.push(WorkerStatus { name: name.to_owned(), sign, is_shut_out });
    }
    workers.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(workers)
}
