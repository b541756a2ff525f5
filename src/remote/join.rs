//! Which run a worker joins.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use anyhow::{Result, bail};
use tokio_stream::StreamExt;

use super::{
    entry::{Entry, LearnerSign},
    names::{LEARNER, Names},
    options::WorkOptions,
    server::Link,
    streams::{alive, runs},
};
use crate::store::printable;

/// How often a server is asked that has no run.
const PAUSE: Duration = Duration::from_millis(500);
/// Runs of a server that are looked at.
const MOST_RUNS: usize = 1000;

/// A run on a server.
#[derive(Debug)]
pub struct Found {
    /// What it is called.
    pub run: String,
    /// What it says of itself, or why that cannot be read.
    pub entry: Result<Entry>,
    /// What its learner says of itself, if it is there.
    pub sign: Option<LearnerSign>,
}

impl Found {
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
pub async fn list(link: &Link) -> Result<Vec<Found>> {
    let (runs, alive) = (runs(&link.js).await?, alive(&link.js).await?);
    let mut keys = runs.keys().await?;
    let mut found = Vec::new();
    while let Some(run) = keys.next().await {
        let run = run?;
        let Some(bytes) = runs.get(&run).await? else { continue };
        let sign = alive.get(Names::of(&run).sign(LEARNER)).await?;
        let sign = sign.and_then(|bytes| serde_json::from_slice::<LearnerSign>(&bytes).ok());
        found.push(Found { entry: Entry::read(&bytes), sign, run });
        if found.len() >= MOST_RUNS {
            break;
        }
    }
    Ok(found)
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
    let mut is_told = false;
    while !stop.load(Ordering::Relaxed) {
        // A server that does not answer now may do so later.
        let mut found = list(link).await.unwrap_or_default();
        found.retain(|found| found.is_alive() && options.only.as_ref().is_none_or(|only| *only == found.run));
        let (mut open, mut refusals) = (Vec::new(), Vec::new());
        for Found { run, entry, .. } in found {
            match entry.and_then(|entry| entry.admits(&options.name).map(|_| entry.threads)) {
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
