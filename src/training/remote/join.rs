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
    /// What the learner that wrote the entry says of itself, if it is there.
    pub sign: Option<LearnerHeartbeat>,
}

impl FoundRun {
    /// A run with this entry on the server, and with this sign of a learner.
    fn new(run: String, entry: &[u8], sign: Option<&[u8]>) -> Self {
        let sign = sign.and_then(|sign| LearnerHeartbeat::read_for(entry, sign));
        FoundRun { run, entry: RunManifest::read(entry), sign }
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
        let Some(entry) = runs.get(&run).await? else { continue };
        let sign = learners.get(&run).await?;
        found.push(FoundRun::new(run, &entry, sign.as_deref()));
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

/// Waits for a run that takes us, the one with the fewest threads; `None` when `stop` is set. `away` is a run that we have
/// left because its learner was away: it may come back.
///
/// # Errors
/// Names a run that is there and does not take us, if there is no other to wait for.
pub async fn find(
    link: &Link,
    options: &WorkOptions,
    away: Option<&str>,
    stop: &AtomicBool,
    tell: &dyn Fn(&str),
) -> Result<Option<String>> {
    let (mut is_told, worker) = (false, options.worker(link));
    while !stop.load(Ordering::Relaxed) {
        // A server that does not answer now may do so later.
        let found = list(link).await.unwrap_or_default();
        if let Some(run) = choose(found, options, &worker, away)? {
            return Ok(Some(run));
        }
        if !is_told {
            tell("no run is there; waiting for one");
            is_told = true;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(None)
}

/// Of the runs that were found the one that takes `worker` and has the fewest threads.
fn choose(
    found: Vec<FoundRun>,
    options: &WorkOptions,
    worker: &str,
    away: Option<&str>,
) -> Result<Option<String>> {
    let (mut open, mut refusal) = (Vec::new(), None);
    for FoundRun { run, entry, sign } in found {
        if sign.is_none() || !options.wants(&run) {
            continue;
        }
        let taken = |entry: RunManifest| {
            let config = entry.admits(worker)?;
            options.limits.check_run(&config, options.threads)?;
            Ok(entry.threads)
        };
        match entry.and_then(taken) {
            Ok(threads) => open.push((threads, rand::random::<u32>(), run)),
            // While a run is waited for, another may refuse us.
            Err(_) if away.is_some_and(|away| away != run) => {}
            Err(error) => refusal = Some(format!("run {run} does not take this worker: {error:#}")),
        }
    }
    match (open.into_iter().min(), refusal) {
        (Some((_, _, run)), _) => Ok(Some(run)),
        (None, Some(refusal)) => bail!("{}", printable(&refusal)),
        (None, None) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::remote::{RunLimits, run_manifest::tests::entry};

    /// A run whose entry the learner `s` wrote, while the learner `session` is there.
    fn found(run: &str, change: impl Fn(&mut RunManifest), session: &str) -> FoundRun {
        let mut entry = entry();
        change(&mut entry);
        let sign = LearnerHeartbeat { session: session.into(), ..LearnerHeartbeat::default() };
        let [entry, sign] = [serde_json::to_vec(&entry).unwrap(), serde_json::to_vec(&sign).unwrap()];
        FoundRun::new(run.into(), &entry, Some(&sign))
    }

    fn chosen(found: Vec<FoundRun>, away: Option<&str>) -> Result<Option<String>> {
        let options =
            WorkOptions { name: "one".into(), threads: 1, runs: Vec::new(), limits: RunLimits::NONE };
        choose(found, &options, "good.one", away)
    }

    #[test]
    fn an_entry_that_another_learner_has_left_refuses_nobody() {
        let old = |entry: &mut RunManifest| entry.protocol += 1;
        assert_eq!(chosen(vec![found("a", old, "t")], None).unwrap(), None);
        let error = chosen(vec![found("a", old, "s")], None).unwrap_err().to_string();
        assert!(error.contains("run a does not take this worker"), "{error}");
    }

    #[test]
    fn who_waits_for_a_run_is_not_ended_by_another() {
        let foreign = |entry: &mut RunManifest| entry.program = "sanki 9.9".into();
        let threads = |entry: &mut RunManifest| entry.threads = 5;
        let refused = || vec![found("b", foreign, "s")];
        assert!(chosen(refused(), None).is_err());
        assert_eq!(chosen(refused(), Some("a")).unwrap(), None);
        assert!(chosen(refused(), Some("b")).is_err(), "it came back and is another");
        let open = || vec![found("c", threads, "s"), found("b", foreign, "s"), found("a", |_| {}, "s")];
        assert_eq!(chosen(open(), None).unwrap().as_deref(), Some("a"));
        assert_eq!(chosen(open(), Some("a")).unwrap().as_deref(), Some("a"));
    }
}
