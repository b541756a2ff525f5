//! Which games are still missing, and when they are given out, once or again.
//!
//! The learner alone knows what is missing: what a server or a worker loses is given out again.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

/// A game is on its way for so long at least before it is given out again.
const LEAST: Duration = Duration::from_millis(500);
/// A game is late when it is out for this many times the average time of a game.
const LATE: f64 = 2.0;

/// What the server says of the items of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// Items that no worker has fetched.
    pub waiting: u64,
    /// Items that workers hold.
    pub held: u64,
    /// Requests of workers that want more.
    pub idle: u64,
    /// Games that have come and that the learner has not looked at.
    pub unseen: u64,
}

/// When a game was given out last.
#[derive(Clone, Copy, Debug, Default)]
struct Given {
    at: Option<Instant>,
    times: u32,
}

/// The missing games of a generation.
#[derive(Debug)]
pub struct Dispatcher {
    missing: BTreeMap<u32, Given>,
    /// Games of an item at most.
    item: usize,
    /// The longest that a game may be out before it is late.
    lease: Duration,
    /// Sum and number of the times that games took.
    took: (f64, u32),
    again: u64,
}

impl Dispatcher {
    /// All of `numbers` are missing. Items have up to `item` games; a worker that dies is noticed after `lease`.
    pub fn new(numbers: impl Iterator<Item = u32>, item: usize, lease: Duration) -> Self {
        let missing = numbers.map(|number| (number, Given::default())).collect();
        Dispatcher { missing, item, lease, took: (0.0, 0), again: 0 }
    }

    /// Whether nothing is missing.
    pub fn is_done(&self) -> bool {
        self.missing.is_empty()
    }

    /// How many are missing.
    pub fn missing(&self) -> usize {
        self.missing.len()
    }

    /// Whether this game is missing.
    pub fn wants(&self, number: u32) -> bool {
        self.missing.contains_key(&number)
    }

    /// Games that were given out again so far.
    pub fn again(&self) -> u64 {
        self.again
    }

    /// A game has come and is kept.
    pub fn arrived(&mut self, number: u32, now: Instant) {
        if let Some(Given { at: Some(at), .. }) = self.missing.remove(&number) {
            self.took.0 += now.duration_since(at).as_secs_f64();
            self.took.1 += 1;
        }
    }

    /// What came for this game was worth nothing.
    pub fn refused(&mut self, number: u32) {
        if let Some(given) = self.missing.get_mut(&number) {
            given.at = None;
        }
    }

    /// These were given out.
    pub fn given(&mut self, numbers: &[u32], now: Instant) {
        for number in numbers {
            if let Some(given) = self.missing.get_mut(number) {
                self.again += u64::from(given.times > 0);
                *given = Given { at: Some(now), times: given.times + 1 };
            }
        }
    }

    /// Items to give out now: games that never were; games that no worker can still have; and, where workers wait and nothing
    /// else is left, games that are late, the oldest first and one an item.
    pub fn due(&self, now: Instant, queue: Queue) -> Vec<Vec<u32>> {
        let fresh: Vec<u32> = self.out_for(|at| at.is_none());
        if !fresh.is_empty() {
            return fresh.chunks(self.item).map(<[u32]>::to_vec).collect();
        }
        if queue.waiting > 0 || queue.unseen > 0 {
            return Vec::new();
        }
        let age = |at: Option<Instant>| at.map_or(Duration::MAX, |at| now.duration_since(at));
        if queue.held == 0 {
            // Games that were handed in may be on the way.
            let lost = self.out_for(|at| age(at) > LEAST);
            return lost.chunks(self.item).map(<[u32]>::to_vec).collect();
        }
        let mean = if self.took.1 > 0 { self.took.0 / f64::from(self.took.1) } else { f64::INFINITY };
        let patience =
            Duration::try_from_secs_f64(LATE * mean).map_or(self.lease, |time| time.min(self.lease));
        let late: BTreeSet<(u32, Option<Instant>, u32)> = self
            .missing
            .iter()
            .filter(|(_, given)| age(given.at) > patience.max(LEAST) * given.times.max(1))
            .map(|(&number, given)| (given.times, given.at, number))
            .collect();
        late.into_iter().take(queue.idle as usize).map(|(_, _, number)| vec![number]).collect()
    }

    fn out_for(&self, is_meant: impl Fn(Option<Instant>) -> bool) -> Vec<u32> {
        self.missing.iter().filter(|(_, given)| is_meant(given.at)).map(|(&number, _)| number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_secs(30);

    fn busy() -> Queue {
        Queue { held: 3, ..Queue::default() }
    }

    #[test]
    fn every_game_is_given_out_once_at_first() {
        let now = Instant::now();
        let mut dispatcher = Dispatcher::new((0..10).filter(|number| *number != 4), 4, LEASE);
        let items = dispatcher.due(now, Queue::default());
        assert_eq!(items, [vec![0, 1, 2, 3], vec![5, 6, 7, 8], vec![9]]);
        items.iter().for_each(|item| dispatcher.given(item, now));
        assert!(dispatcher.due(now, busy()).is_empty());
        (0..10).for_each(|number| dispatcher.arrived(number, now));
        assert!(dispatcher.is_done() && dispatcher.again() == 0);
    }

    #[test]
    fn what_nobody_can_have_is_given_out_again() {
        let now = Instant::now();
        let mut dispatcher = Dispatcher::new(0..3, 8, LEASE);
        dispatcher.given(&[0, 1, 2], now);
        dispatcher.arrived(1, now);
        assert!(dispatcher.due(now, Queue::default()).is_empty(), "they may be on the way");
        assert_eq!(dispatcher.due(now + LEASE, Queue::default()), [vec![0, 2]]);
        for queue in [Queue { waiting: 1, ..Queue::default() }, Queue { unseen: 1, ..Queue::default() }] {
            assert!(dispatcher.due(now + LEASE, queue).is_empty());
        }
        dispatcher.refused(2);
        assert_eq!(dispatcher.due(now, busy()), [vec![2]]);
        dispatcher.given(&[2], now);
        assert_eq!(dispatcher.again(), 1);
    }

    #[test]
    fn late_games_go_to_those_who_wait() {
        let now = Instant::now();
        let mut dispatcher = Dispatcher::new(0..4, 8, LEASE);
        dispatcher.given(&[0, 1, 2, 3], now);
        dispatcher.arrived(0, now + Duration::from_secs(2));
        let idle = Queue { idle: 2, ..busy() };
        let at = |seconds: f64| now + Duration::from_secs_f64(seconds);
        assert!(dispatcher.due(at(3.9), idle).is_empty(), "twice the mean has not passed");
        assert!(dispatcher.due(at(4.1), busy()).is_empty(), "nobody has time");
        assert_eq!(dispatcher.due(at(4.1), idle), [vec![1], vec![2]]);
        dispatcher.given(&[1], at(4.1));
        dispatcher.given(&[2], at(4.1));
        // The others come first, and who was given out twice is waited for twice as long.
        assert_eq!(dispatcher.due(at(8.2), idle), [vec![3]]);
        dispatcher.given(&[3], at(8.2));
        assert!(dispatcher.due(at(12.0), idle).is_empty());
        assert_eq!(dispatcher.due(at(12.2), idle), [vec![1], vec![2]]);
    }
}
