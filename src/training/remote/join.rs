//! Which run a worker joins.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use anyhow::{Result, bail};
use async_nats::jetstream::stream::Stream;
use tokio_stream::StreamExt;

use super::{
    names::RUNS,
    options::WorkOptions,
    run_manifest::{LearnerHeartbeat, RunManifest},
    server::Link,
    streams::{learners, runs},
};
use crate::base::store::printable;

/// How often a server is asked that has no run.
const PAUSE: Duration = Duration::from_millis(500);
/// Runs of a server that are looked at.
const MOST_RUNS: usize = 1000;

/// A run on a server.
#[derive(Debug)]
pub struct FoundRun {
    /// What it is called.
    pub run: String,
    /// What it says of itself, or why that cannot be read.
    pub entry: Result<RunManifest>,
    /// What its learner says of itself, if it is there.
    pub sign: Option<LearnerHeartbeat>,
}

impl FoundRun {
    /// Whether the learner that wrote the entry is there. One of another version writes another kind of entry, and
    /// other signs.
    pub fn is_alive(&self) -> bool {
        let session = self.sign.as_ref().map(|sign| &sign.session);
        session.is_some() && self.entry.as_ref().ok().is_none_or(|entry| Some(&entry.session) == session)
    }
}

/// All runs of a server.
///
/// # Errors
/// Those of the server.
pub async fn list(link: &Link) -> Result<Vec<FoundRun>> {
    let (runs, learners) = (runs(&link.js).await?, learners(&link.js).await?);
    let mut found = Vec::new();
    for run in keys(link, RUNS, "*", MOST_RUNS).await? {
        let Some(bytes) = runs.get(&run).await? else { continue };
        let sign = learners.get(&run).await?;
        let sign = sign.and_then(|bytes| serde_json::from_slice::<LearnerHeartbeat>(&bytes).ok());
        found.push(FoundRun { entry: RunManifest::read(&bytes), sign, run });
    }
    Ok(found)
}

/// The keys of a bucket that match `pattern`, up to a number, by the server's list of subjects: to watch the bucket
/// takes a consumer, which workers may not make.
///
/// # Errors
/// Those of the server.
pub async fn keys(link: &Link, bucket: &str, pattern: &str, most: usize) -> Result<Vec<String>> {
    let stream: Stream<()> = link.js.get_stream_no_info(format!("KV_{bucket}")).await?;
    let prefix = format!("$KV.{bucket}.");
    let mut subjects = stream.info_with_subjects(format!("{prefix}{pattern}")).await?;
    let mut keys = Vec::new();
    while keys.len() < most
        && let Some(subject) = subjects.next().await
    {
        let (subject, _) = subject?;
        keys.extend(subject.strip_prefix(&prefix).map(str::to_owned));
    }
    Ok(keys)
}

/// Waits for a run that takes us, the one with the fewest threads; `None` when `stop` is set.
///
/// # Errors
/// Names a run that is there and does not take us, if there is no other.
pub async fn find(
    link: &Link,
    options: &WorkOptions,
    stop: &AtomicBool,
    tell: &dyn Fn(&str),
) -> Result<Option<String>> {
    let (mut is_told, worker) = (false, options.worker(link));
    while !stop.load(Ordering::Relaxed) {
        // A server that does not answer now may do so later.
        let mut found = list(link).await.unwrap_or_default();
        found.retain(|found| found.is_alive() && options.wants(&found.run));
        let (mut open, mut refusals) = (Vec::new(), Vec::new());
        for FoundRun { run, entry, .. } in found {
            let taken = |entry: RunManifest| {
                let config = entry.admits(&worker)?;
                options.limits.check_run(&config, options.threads)?;
                Ok(entry.threads)
            };
            match entry.and_then(taken) {
                Ok(threads) => open.push((threads, rand::random::<u32>(), run)),
                Err(error) => refusals.push(format!("run {run} does not take this worker: {error:#}")),
            }
        }
        if let Some((_, _, run)) = open.into_iter().min() {
            return Ok(Some(run));
        }
        if let Some(refusal) = refusals.into_iter().next() {
            bail!("{}", printable(&refusal));
        }
        if !is_told {
            tell("no run is there; waiting for one");
            is_told = true;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(None)
}
