//! Which run a worker joins.

use std::{
    collections::HashMap,
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

/// What a worker remembers of the runs that it has left.
#[derive(Debug, Default)]
pub struct Visited {
    /// The run whose learner was away: it may come back.
    pub away: Option<String>,
    /// Runs that it could not play for, and why: it joins them no more.
    pub left_out: HashMap<String, String>,
}

impl Visited {
    /// Whether it waits for the learner of another run than `run`.
    pub fn waits_for_another(&self, run: &str) -> bool {
        self.away.as_deref().is_some_and(|away| away != run)
    }
}

/// What is to be done about the runs of a server.
#[derive(Debug, PartialEq, Eq)]
enum Choice {
    /// This run is joined.
    Join(String),
    /// One is waited for; there may be one that refuses us.
    Wait(Option<Refusal>),
}

/// A run that does not take this worker.
#[derive(Debug, PartialEq, Eq)]
struct Refusal {
    run: String,
    why: String,
}

impl Refusal {
    fn words(&self) -> String {
        printable(&format!("run {} does not take this worker: {}", self.run, self.why)).into_owned()
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

/// Waits for a run that takes us, the one with the fewest threads; `None` when `stop` is set.
///
/// # Errors
/// Names a run that is there and does not take us, if there is no other to wait for.
pub async fn find(
    link: &Link,
    options: &WorkOptions,
    visited: &Visited,
    stop: &AtomicBool,
    tell: &dyn Fn(&str),
) -> Result<Option<String>> {
    let (mut told, worker) = (Vec::new(), options.worker(link));
    while !stop.load(Ordering::Relaxed) {
        // A server that does not answer now may do so later.
        let found = list(link).await.unwrap_or_default();
        let refusal = match choose(found, options, &worker, visited)? {
            Choice::Join(run) => return Ok(Some(run)),
            Choice::Wait(refusal) => refusal,
        };
        // Why a run refuses us may change with each of its orders: each run is told of once.
        let about = refusal.as_ref().map(|refusal| refusal.run.clone());
        if !told.contains(&about) {
            tell(&waiting(refusal.as_ref(), visited.away.as_deref()));
            told.push(about);
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(None)
}

/// What a person is told while a run is waited for.
fn waiting(refusal: Option<&Refusal>, away: Option<&str>) -> String {
    match (refusal, away) {
        (None, None) => "no run is there; waiting for one".to_owned(),
        (None, Some(away)) => format!("no run is there; waiting for one, or for the learner of run {away}"),
        (Some(refusal), None) => format!("{}; waiting for another", refusal.words()),
        (Some(refusal), Some(away)) => {
            format!("{}; waiting for another, or for the learner of run {away}", refusal.words())
        }
    }
}

/// Of the runs that were found the one that takes `worker` and has the fewest threads.
fn choose(found: Vec<FoundRun>, options: &WorkOptions, worker: &str, visited: &Visited) -> Result<Choice> {
    let (mut open, mut refusal, mut of_another) = (Vec::new(), None, None);
    for FoundRun { run, entry, sign } in found {
        if sign.is_none() || !options.wants(&run) {
            continue;
        }
        let taken = |entry: RunManifest| {
            let config = entry.admits(worker)?;
            options.limits.check_run(&config, options.threads)?;
            if let Some(order) = &entry.order {
                order.check(&config)?;
                options.limits.check_net(order)?;
            }
            if let Some(why) = visited.left_out.get(&run) {
                bail!("{why}");
            }
            Ok(entry.threads)
        };
        match entry.and_then(taken) {
            Ok(threads) => open.push((threads, rand::random::<u32>(), run)),
            Err(error) => {
                let why = format!("{error:#}");
                // While a run is waited for, another may refuse us.
                let place = if visited.waits_for_another(&run) { &mut of_another } else { &mut refusal };
                *place = Some(Refusal { run, why });
            }
        }
    }
    match (open.into_iter().min(), refusal) {
        (Some((_, _, run)), _) => Ok(Choice::Join(run)),
        (None, Some(refusal)) => bail!("{}", refusal.words()),
        (None, None) => Ok(Choice::Wait(of_another)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::{
        remote::{
            GenerationOrder, RunLimits,
            run_manifest::tests::{entry, order},
        },
        run::RunConfig,
        selfplay::RecordMeta,
    };

    /// A run whose entry the learner `s` wrote, while the learner `session` is there.
    fn found(run: &str, change: impl Fn(&mut RunManifest), session: &str) -> FoundRun {
        let mut entry = entry();
        change(&mut entry);
        let sign = LearnerHeartbeat { session: session.into(), ..LearnerHeartbeat::default() };
        let [entry, sign] = [serde_json::to_vec(&entry).unwrap(), serde_json::to_vec(&sign).unwrap()];
        FoundRun::new(run.into(), &entry, Some(&sign))
    }

    fn choice(found: Vec<FoundRun>, visited: &Visited) -> Result<Choice> {
        let options =
            WorkOptions { name: "one".into(), threads: 1, runs: Vec::new(), limits: RunLimits::NONE };
        choose(found, &options, "good.one", visited)
    }

    fn waits_for(away: Option<&str>) -> Visited {
        Visited { away: away.map(str::to_owned), ..Visited::default() }
    }

    /// The run that is joined.
    fn chosen(found: Vec<FoundRun>, away: Option<&str>) -> Result<Option<String>> {
        choice(found, &waits_for(away)).map(|choice| match choice {
            Choice::Join(run) => Some(run),
            Choice::Wait(_) => None,
        })
    }

    /// Gives the run an order of its own.
    fn give_order(entry: &mut RunManifest) {
        let config = RunConfig::parse(&entry.config, &[]).unwrap();
        let meta = RecordMeta::new(config.game, config.rules, 3, config.seed, config.fingerprint());
        entry.order = Some(GenerationOrder { meta, ..order() });
    }

    /// Gives it one whose net is too large for everybody.
    fn give_large_order(entry: &mut RunManifest) {
        give_order(entry);
        entry.order = entry.order.take().map(|order| GenerationOrder { net_bytes: u64::MAX, ..order });
    }

    #[test]
    fn a_run_whose_order_cannot_be_played_is_not_joined() {
        assert_eq!(chosen(vec![found("b", give_order, "s")], None).unwrap().as_deref(), Some("b"));
        let foreign = |entry: &mut RunManifest| entry.order = Some(order());
        for (run, why) in [
            (found("b", give_large_order, "s"), "the limit is"),
            (found("b", foreign, "s"), "is not of the run"),
        ] {
            let choice = choice(vec![run], &waits_for(Some("a"))).unwrap();
            let Choice::Wait(Some(refusal)) = choice else { panic!("{choice:?}") };
            let told = waiting(Some(&refusal), Some("a"));
            assert!(told.contains("run b does not take this worker") && told.contains(why), "{told}");
            assert!(told.ends_with("waiting for another, or for the learner of run a"), "{told}");
        }
        assert!(chosen(vec![found("b", give_large_order, "s")], None).is_err());
    }

    #[test]
    fn a_run_that_failed_while_another_was_waited_for_is_left_out() {
        let mut visited = waits_for(Some("a"));
        visited.left_out.insert("b".to_owned(), "it is damaged".to_owned());
        let both = || vec![found("b", |_| {}, "s"), found("a", |entry| entry.threads = 5, "s")];
        assert_eq!(choice(both(), &visited).unwrap(), Choice::Join("a".to_owned()));
        let refusal = Refusal { run: "b".to_owned(), why: "it is damaged".to_owned() };
        let only = || vec![found("b", |_| {}, "s")];
        assert_eq!(choice(only(), &visited).unwrap(), Choice::Wait(Some(refusal)));
        visited.away = None;
        assert!(choice(only(), &visited).unwrap_err().to_string().contains("it is damaged"));
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
