//! A worker's queue: items come in, threads take numbers, finished games go out.
//!
//! Knows no server: items come with a handle of type `A`, which is given back when the item is to be acknowledged.

use std::{
    collections::{HashSet, VecDeque},
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::sync::Notify;

use super::run_manifest::RunManifest;
use crate::training::selfplay::GameQueue;

/// How long a thread waits at most before it looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(50);
/// Items for an order to come, of which no more are kept.
const MOST_EARLY: usize = 1000;

/// An item that this worker holds.
#[derive(Debug)]
struct Held<A> {
    order: String,
    numbers: Vec<u32>,
    /// Numbers that are not handed in yet.
    left: HashSet<u32>,
    handle: A,
}

/// The run's entry, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Known {
    /// Not yet.
    #[default]
    Nothing,
    /// The newest.
    RunManifest(Box<RunManifest>),
    /// Nothing is left to play, and the learner is not there.
    Away,
    /// The run is done, or it cannot be read.
    Gone(String),
}

/// How an item has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// For the first time: the learner lacks all of its games.
    First,
    /// Again, since it was not acknowledged in time.
    Repeated,
}

#[derive(Debug)]
struct State<A> {
    known: Known,
    /// What is played now.
    order: Option<String>,
    /// Games in flight at most.
    limit: usize,
    in_flight: usize,
    waiting: VecDeque<u32>,
    /// All numbers of the order that were ever waiting here.
    seen: HashSet<u32>,
    handed_in: HashSet<u32>,
    items: Vec<Held<A>>,
}

/// A worker's queue.
#[derive(Debug)]
pub struct WorkerQueue<A> {
    state: Mutex<State<A>>,
    changed: Condvar,
    /// Whether what is played now is wanted no more.
    over: AtomicBool,
    /// Rung when there may be room for another item.
    pub wants_work: Notify,
}

impl<A: Clone> WorkerQueue<A> {
    /// An empty one.
    pub fn new() -> Self {
        let state = State {
            known: Known::Nothing,
            order: None,
            limit: 1,
            in_flight: 0,
            waiting: VecDeque::new(),
            seen: HashSet::new(),
            handed_in: HashSet::new(),
            items: Vec::new(),
        };
        let (state, changed) = (Mutex::new(state), Condvar::new());
        WorkerQueue { state, changed, over: AtomicBool::new(false), wants_work: Notify::new() }
    }

    fn state(&self) -> MutexGuard<'_, State<A>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The run's entry has changed.
    pub fn learn(&self, known: Known) {
        let mut state = self.state();
        let wanted = match &known {
            Known::RunManifest(entry) => entry.order.as_ref().map(|order| order.id.clone()),
            _ => None,
        };
        let is_over = state.order.is_some() && state.order != wanted;
        state.known = known;
        if is_over {
            self.over.store(true, Ordering::Relaxed);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// What is known of the run now.
    pub fn known(&self) -> Known {
        self.state().known.clone()
    }

    /// Whether no game is played, and none waits.
    pub fn is_idle(&self) -> bool {
        let state = self.state();
        state.in_flight == 0 && state.waiting.is_empty()
    }

    /// The run's learner is away. Where games are left, they are played first: it may want them when it is back.
    pub fn learner_is_away(&self) {
        if self.is_idle() && matches!(self.known(), Known::RunManifest(_)) {
            self.learn(Known::Away);
        }
    }

    /// Waits a moment for a change.
    pub fn wait_for_change(&self) {
        let _ = self.changed.wait_timeout(self.state(), LOOK).unwrap_or_else(PoisonError::into_inner);
    }

    /// Begins with an order, with up to `limit` games at once. Returns items of other orders, to be given back.
    pub fn begin(&self, order: &str, limit: usize) -> Vec<A> {
        let mut state = self.state();
        self.over.store(false, Ordering::Relaxed);
        state.order = Some(order.to_owned());
        (state.limit, state.in_flight) = (limit, 0);
        state.waiting.clear();
        state.seen.clear();
        state.handed_in.clear();
        let (own, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut state.items).into_iter().partition(|item| item.order == order);
        own.iter().for_each(|item| state.queue(&item.numbers));
        state.items = own;
        // The order may have changed since it was read.
        if let Known::RunManifest(entry) = &state.known
            && entry.order.as_ref().is_none_or(|now| now.id != order)
        {
            self.over.store(true, Ordering::Relaxed);
        }
        drop(state);
        self.changed.notify_all();
        self.wants_work.notify_one();
        others.into_iter().map(|item| item.handle).collect()
    }

    /// The number of games at once has changed.
    pub fn set_limit(&self, limit: usize) {
        self.state().limit = limit;
    }

    /// No order is played any more.
    pub fn end(&self) {
        let mut state = self.state();
        (state.order, state.in_flight) = (None, 0);
        state.waiting.clear();
    }

    /// Whether what is played now is wanted no more.
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Whether `order` is played and wanted.
    pub fn wants(&self, order: &str) -> bool {
        !self.is_over() && self.state().order.as_deref() == Some(order)
    }

    /// How many games there is room for before the next item comes.
    pub fn room(&self) -> usize {
        let state = self.state();
        match state.order {
            // Those that are waiting are begun first.
            Some(_) if !state.waiting.is_empty() => 0,
            Some(_) => state.limit.saturating_sub(state.in_flight),
            None if state.items.is_empty() => 1,
            None => 0,
        }
    }

    /// An item has come. Returns its handle if it is done already, or too early to be kept.
    pub fn add(
        &self,
        order: String,
        numbers: Vec<u32>,
        delivery: Delivery,
        handle: A,
    ) -> Result<(), Unwanted<A>> {
        let mut state = self.state();
        let is_ours = state.order.as_deref() == Some(&order);
        if !is_ours && state.items.len() >= MOST_EARLY {
            return Err(Unwanted::Early(handle));
        }
        let mut left: HashSet<u32> = numbers.iter().copied().collect();
        if is_ours {
            if delivery == Delivery::First {
                state.play_again(&numbers);
            }
            left.retain(|number| !state.handed_in.contains(number));
            if left.is_empty() {
                return Err(Unwanted::Done(handle));
            }
            state.queue(&numbers);
        }
        state.items.push(Held { order, numbers, left, handle });
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// A game has ended and is on its way.
    pub fn finished(&self) {
        let mut state = self.state();
        state.in_flight = state.in_flight.saturating_sub(1);
        let has_room = state.waiting.is_empty();
        drop(state);
        if has_room {
            self.wants_work.notify_one();
        }
    }

    /// A game of `order` has arrived. Returns the items that are done with it.
    pub fn handed_in(&self, order: &str, number: u32) -> Vec<A> {
        let mut state = self.state();
        if state.order.as_deref() != Some(order) {
            return Vec::new();
        }
        state.handed_in.insert(number);
        let (done, items): (Vec<_>, Vec<_>) =
            std::mem::take(&mut state.items).into_iter().partition(|item| {
                item.order == order && item.left.iter().all(|left| state.handed_in.contains(left))
            });
        state.items = items;
        done.into_iter().map(|item| item.handle).collect()
    }

    /// The handles of all items that are held.
    pub fn held(&self) -> Vec<A> {
        self.state().items.iter().map(|item| item.handle.clone()).collect()
    }

    /// Gives all items back.
    pub fn clear(&self) -> Vec<A> {
        let mut state = self.state();
        state.waiting.clear();
        std::mem::take(&mut state.items).into_iter().map(|item| item.handle).collect()
    }
}

/// Why an item is not kept.
#[derive(Debug, PartialEq, Eq)]
pub enum Unwanted<A> {
    /// All of its games are handed in.
    Done(A),
    /// Too many wait for another order.
    Early(A),
}

impl<A> State<A> {
    /// Queues numbers that were not here before.
    fn queue(&mut self, numbers: &[u32]) {
        for &number in numbers {
            if self.seen.insert(number) {
                self.waiting.push_back(number);
            }
        }
    }

    /// Games that were handed in and that the learner lacks: the server has lost them.
    fn play_again(&mut self, numbers: &[u32]) {
        for number in numbers {
            if self.handed_in.remove(number) {
                self.seen.remove(number);
            }
        }
    }
}

impl<A: Clone + Send> GameQueue for WorkerQueue<A> {
    fn next(&self) -> Option<u32> {
        let mut state = self.state();
        if state.in_flight >= state.limit {
            return None;
        }
        let number = state.waiting.pop_front();
        state.in_flight += usize::from(number.is_some());
        let is_empty = state.waiting.is_empty();
        drop(state);
        if is_empty {
            self.wants_work.notify_one();
        }
        number
    }

    fn wait(&self) -> bool {
        self.wait_for_change();
        // Whether to stop is asked elsewhere.
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::remote::run_manifest::tests::{entry, order};

    #[test]
    fn numbers_are_played_once_and_items_acknowledged_when_all_is_in() {
        let queue: WorkerQueue<&str> = WorkerQueue::new();
        assert_eq!(queue.room(), 1, "the first item may come before its order");
        queue.add("a".into(), vec![1, 2], Delivery::First, "first").unwrap();
        queue.add("b".into(), vec![9], Delivery::First, "other").unwrap();
        assert_eq!((queue.room(), queue.next()), (0, None));
        assert_eq!(queue.begin("a", 3), ["other"]);
        queue.add("a".into(), vec![2, 3, 4, 5], Delivery::First, "second").unwrap();
        assert_eq!([(); 4].map(|()| queue.next()), [Some(1), Some(2), Some(3), None], "three at once");
        queue.finished();
        assert_eq!(queue.next(), Some(4));
        assert_eq!(queue.handed_in("a", 2), [""; 0]);
        assert_eq!(queue.handed_in("a", 1), ["first"]);
        assert_eq!(queue.handed_in("b", 3), [""; 0], "a game of another order");
        let repeated = |numbers, handle| queue.add("a".into(), numbers, Delivery::Repeated, handle);
        assert_eq!(repeated(vec![1, 2], "again"), Err(Unwanted::Done("again")));
        repeated(vec![1, 3], "late").unwrap();
        assert_eq!(queue.handed_in("a", 3), ["late"]);
        assert_eq!(queue.held(), ["second"]);
        assert_eq!(queue.clear(), ["second"]);
        assert!(queue.held().is_empty());
    }

    #[test]
    fn games_that_are_asked_for_anew_are_played_again() {
        let queue: WorkerQueue<&str> = WorkerQueue::new();
        queue.begin("a", 9);
        queue.add("a".into(), vec![1, 2, 3], Delivery::First, "first").unwrap();
        assert_eq!([(); 4].map(|()| queue.next()), [Some(1), Some(2), Some(3), None]);
        assert_eq!([1, 2].map(|number| queue.handed_in("a", number).len()), [0, 0]);
        // The third is played still: that one comes in any case.
        queue.add("a".into(), vec![1, 2, 3], Delivery::First, "lost").unwrap();
        assert_eq!([(); 3].map(|()| queue.next()), [Some(1), Some(2), None]);
        assert_eq!([1, 2].map(|number| queue.handed_in("a", number).len()), [0, 0]);
        assert_eq!(queue.handed_in("a", 3), ["first", "lost"]);
    }

    #[test]
    fn a_run_is_left_when_its_learner_is_away_and_nothing_is_left_to_play() {
        let queue: WorkerQueue<u8> = WorkerQueue::new();
        queue.learner_is_away();
        assert_eq!(queue.known(), Known::Nothing, "it was never there");
        let order = order();
        queue.learn(Known::RunManifest(Box::new(RunManifest { order: Some(order.clone()), ..entry() })));
        queue.begin(&order.id, 3);
        queue.add(order.id, vec![1], Delivery::First, 0).unwrap();
        let stays = || {
            queue.learner_is_away();
            matches!(queue.known(), Known::RunManifest(_))
        };
        assert!(stays(), "a game waits");
        queue.next();
        assert!(stays() && !queue.is_over(), "it is played");
        queue.finished();
        assert!(!stays() && queue.is_over());
        assert_eq!(queue.known(), Known::Away);
        queue.learn(Known::Gone("done".into()));
        queue.learner_is_away();
        assert_eq!(queue.known(), Known::Gone("done".into()));
    }

    #[test]
    fn room_is_what_the_limit_leaves() {
        let queue: WorkerQueue<u8> = WorkerQueue::new();
        queue.begin("a", 3);
        assert_eq!(queue.room(), 3);
        queue.add("a".into(), vec![1], Delivery::First, 0).unwrap();
        assert_eq!(queue.room(), 0, "it is begun first");
        queue.next();
        assert_eq!(queue.room(), 2);
        queue.set_limit(1);
        assert_eq!(queue.room(), 0);
        assert!(queue.wants("a") && !queue.wants("b"));
        queue.learn(Known::Gone("done".into()));
        assert!(queue.is_over() && !queue.wants("a"));
        queue.end();
        assert_eq!(queue.known(), Known::Gone("done".into()));
    }
}
