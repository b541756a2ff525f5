//! Who handed in what: games that were kept and games that were refused, by worker.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    time::{Duration, Instant},
};

use super::{names::user_of, run_manifest::Heartbeat, streams::FORGET};

/// Bad games after which a worker is shut out, and bad games of all workers of a user after which the user is, since a
/// worker can take another name.
const MOST_BAD: u32 = 3;
const MOST_BAD_OF_USER: u32 = 30;
/// Names that are remembered at most.
const MOST_NAMES: usize = 10_000;
/// Workers of a user that are counted at most.
const MOST_OF_USER: usize = 1024;

/// What the learner knows of the workers.
#[derive(Debug, Default)]
pub struct Ledger {
    /// Bad games, by worker and by user.
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
        let bad = self.count(worker);
        tracing::warn!("worker {worker}: a game is refused ({bad} of {MOST_BAD}): {why}");
        if bad >= MOST_BAD && self.shut(worker) {
            tracing::warn!("worker {worker} is shut out: {MOST_BAD} of its games were bad");
        }
        let user = user_of(worker);
        if user != worker && self.count(user) >= MOST_BAD_OF_USER && self.shut(user) {
            tracing::warn!("user {user} is shut out: {MOST_BAD_OF_USER} games of its workers were bad");
        }
    }

    /// Counts a bad game of a worker or a user.
    fn count(&mut self, name: &str) -> u32 {
        if self.bad.len() >= MOST_NAMES && !self.bad.contains_key(name) {
            self.bad.clear();
        }
        let bad = self.bad.entry(name.to_owned()).or_default();
        *bad += 1;
        *bad
    }

    /// Shuts a worker or a user out; whether it was not.
    fn shut(&mut self, name: &str) -> bool {
        self.out.len() < MOST_NAMES && self.out.insert(name.to_owned())
    }

    /// Whether the games of `worker` count no more.
    pub fn is_out(&self, worker: &str) -> bool {
        self.out.contains(worker) || self.out.contains(user_of(worker))
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
pub struct Roster(HashMap<String, (Heartbeat, Instant)>);

impl Roster {
    /// A sign of the worker `USER.NAME` came.
    pub fn add(&mut self, name: &str, sign: Heartbeat) {
        self.forget();
        let of_user = || self.0.keys().filter(|other| user_of(other) == user_of(name)).count();
        let has_room = || self.0.len() < MOST_NAMES && of_user() < MOST_OF_USER;
        if self.0.contains_key(name) || has_room() {
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

    /// Seconds from when a worker has heard of a net until it has loaded it, of the slowest worker; 0 without any.
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
    fn who_calls_itself_anew_is_shut_out_as_a_user() {
        let mut ledger = Ledger::default();
        let mut bad = 0;
        while !ledger.is_out("eve.another") {
            ledger.refuse(&format!("eve.{bad}"), "why");
            bad += 1;
        }
        assert_eq!(bad, MOST_BAD_OF_USER);
        assert!(!ledger.is_out("bob.one"));
        assert_eq!(ledger.shut_out().iter().collect::<Vec<_>>(), ["eve"]);
    }

    #[test]
    fn nobody_fills_the_census() {
        let mut roster = Roster::default();
        for number in 0..2 * MOST_OF_USER {
            roster.add(&format!("eve.{number}"), Heartbeat { threads: 1, ..Heartbeat::default() });
        }
        roster.add("bob.one", Heartbeat { threads: 2, ..Heartbeat::default() });
        assert_eq!(roster.count(), (MOST_OF_USER as u32 + 1, MOST_OF_USER as u32 + 2));
    }

    #[test]
    fn those_who_are_there_are_counted() {
        let mut roster = Roster::default();
        for (name, threads) in [("a", 2), ("b", 3), ("a", 4)] {
            roster
                .add(name, Heartbeat { threads, net_seconds: Some(threads.into()), ..Heartbeat::default() });
        }
        assert_eq!((roster.count(), roster.net_seconds()), ((2, 7), 4.0));
        roster.remove("b");
        assert_eq!(roster.count(), (1, 4));
    }
}
