//! Who handed in what: games that were kept and games that were refused, by worker.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    time::{Duration, Instant},
};

use super::{entry::Sign, streams::FORGET};

/// After so many bad games a worker is shut out.
const MOST_BAD: u32 = 3;
/// Names that are remembered at most.
const MOST_NAMES: usize = 10_000;

/// What the learner knows of the workers.
#[derive(Debug, Default)]
pub struct Ledger {
    bad: HashMap<String, u32>,
    out: BTreeSet<String>,
    /// Games kept in this generation.
    kept: BTreeMap<String, u64>,
    /// Games refused so far.
    refused: u64,
}

impl Ledger {
    /// Another generation begins.
    pub fn begin(&mut self) {
        self.kept.clear();
    }

    /// A game of `worker` was kept.
    pub fn keep(&mut self, worker: &str) {
        if self.kept.len() < MOST_NAMES || self.kept.contains_key(worker) {
            *self.kept.entry(worker.to_owned()).or_default() += 1;
        }
    }

    /// A game of `worker` is bad; the third shuts the worker out.
    pub fn refuse(&mut self, worker: &str, why: &str) {
        self.refused += 1;
        if self.bad.len() >= MOST_NAMES && !self.bad.contains_key(worker) {
            self.bad.clear();
        }
        let bad = self.bad.entry(worker.to_owned()).or_default();
        *bad += 1;
        tracing::warn!("worker {worker}: a game is refused ({bad} of {MOST_BAD}): {why}");
        if *bad >= MOST_BAD && self.out.len() < MOST_NAMES && self.out.insert(worker.to_owned()) {
            tracing::warn!("worker {worker} is shut out: {MOST_BAD} of its games were bad");
        }
    }

    /// Whether the games of `worker` count no more.
    pub fn is_out(&self, worker: &str) -> bool {
        self.out.contains(worker)
    }

    /// Those who are shut out.
    pub fn shut_out(&self) -> &BTreeSet<String> {
        &self.out
    }

    /// Games refused so far.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// Games kept in this generation, by worker.
    pub fn kept(&self) -> &BTreeMap<String, u64> {
        &self.kept
    }
}

/// Who is there, by the signs of life.
#[derive(Debug, Default)]
pub struct Census(HashMap<String, (Sign, Instant)>);

impl Census {
    /// A sign came.
    pub fn add(&mut self, name: &str, sign: Sign) {
        self.forget();
        if self.0.len() < MOST_NAMES || self.0.contains_key(name) {
            self.0.insert(name.to_owned(), (sign, Instant::now()));
        }
    }

    /// A worker has left.
    pub fn remove(&mut self, name: &str) {
        self.0.remove(name);
    }

    fn forget(&mut self) {
        self.0.retain(|_, (_, at)| at.elapsed() < FORGET);
    }

    /// Workers, and their threads.
    pub fn count(&mut self) -> (u32, u32) {
        self.forget();
        let threads = self.0.values().map(|(sign, _)| sign.threads).fold(0, u32::saturating_add);
        (self.0.len() as u32, threads)
    }

    /// Seconds from a net's announcement to its first game, of the slowest worker; 0 without any.
    pub fn net_seconds(&self) -> f64 {
        self.0.values().filter_map(|(sign, _)| sign.net_seconds).fold(0.0, f64::max)
    }
}

/// Something that is done every so often.
#[derive(Debug)]
pub struct Every {
    pause: Duration,
    last: Option<Instant>,
}

impl Every {
    /// Due at once, and then every `pause`.
    pub fn new(pause: Duration) -> Self {
        Every { pause, last: None }
    }

    /// Whether it is due; then it is not for a while.
    pub fn is_due(&mut self) -> bool {
        let is_due = self.last.is_none_or(|last| last.elapsed() >= self.pause);
        if is_due {
            self.last = Some(Instant::now());
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_bad_game_shuts_a_worker_out() {
        let mut ledger = Ledger::default();
        let refuse_again = |_| {
            ledger.refuse("bad", "why");
            ledger.is_out("bad")
        };
        assert_eq!([1, 2, 3, 4].map(refuse_again), [false, false, true, true]);
        ledger.refuse("other", "why");
        assert!(ledger.is_out("bad") && !ledger.is_out("other"));
        assert_eq!(ledger.refused(), 5);
        ledger.keep("other");
        assert_eq!(ledger.kept()["other"], 1);
        ledger.begin();
        assert!(ledger.kept().is_empty() && ledger.is_out("bad"));
    }

    #[test]
    fn those_who_are_there_are_counted() {
        let mut census = Census::default();
        for (name, threads) in [("a", 2), ("b", 3), ("a", 4)] {
            census.add(name, Sign { threads, net_seconds: Some(threads.into()), ..Sign::default() });
        }
        assert_eq!((census.count(), census.net_seconds()), ((2, 7), 4.0));
        census.remove("b");
        assert_eq!(census.count(), (1, 4));
    }
}
