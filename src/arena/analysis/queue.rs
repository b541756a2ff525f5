//! Work for many threads: what is more urgent first, and what came first among equals.

use std::{
    any::Any,
    cmp::Reverse,
    collections::BTreeMap,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

use super::{AnalysisNet, Analyst};
use crate::games::encode::Encode;

/// What a thread keeps from one position to the next: the search that it used last.
#[derive(Default)]
pub struct AnalysisDesk {
    last: Option<Box<dyn Any>>,
}

/// A search and the net that it asks.
struct Seated<G: Encode> {
    net: Arc<AnalysisNet<G>>,
    analyst: Analyst<G>,
}

impl AnalysisDesk {
    /// The thread's own search with `net`, by one thread. It is made anew where another net was asked last: only one
    /// tree's memory is held.
    pub fn analyst<G: Encode>(&mut self, net: &Arc<AnalysisNet<G>>) -> &mut Analyst<G> {
        let is_same = |last: &Box<dyn Any>| {
            last.downcast_ref::<Seated<G>>().is_some_and(|seated| Arc::ptr_eq(&seated.net, net))
        };
        if !self.last.as_ref().is_some_and(is_same) {
            // Gives its memory back before the next one takes some.
            self.last = None;
            self.last = Some(Box::new(Seated { net: Arc::clone(net), analyst: Analyst::new(net, 1) }));
        }
        let seated = self.last.as_mut().and_then(|last| last.downcast_mut::<Seated<G>>());
        &mut seated.expect("it was seated just now").analyst
    }
}

/// A piece of work: mostly a position to be judged.
pub type AnalysisJob<'a> = Box<dyn FnOnce(&mut AnalysisDesk) + Send + 'a>;

/// A job's place in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueuePlace {
    priority: Reverse<i64>,
    /// In the order of arrival.
    number: u64,
}

/// The jobs that wait for a thread.
#[derive(Default)]
pub struct AnalysisQueue<'a> {
    state: Mutex<QueueState<'a>>,
    changed: Condvar,
}

#[derive(Default)]
struct QueueState<'a> {
    waiting: BTreeMap<QueuePlace, AnalysisJob<'a>>,
    arrived: u64,
    is_closed: bool,
}

impl<'a> AnalysisQueue<'a> {
    /// Adds a job: it is done after those of a higher `priority`, and after those of the same that came before.
    pub fn push(&self, priority: i64, job: AnalysisJob<'a>) -> QueuePlace {
        let mut state = self.lock();
        let place = QueuePlace { priority: Reverse(priority), number: state.arrived };
        state.arrived += 1;
        state.waiting.insert(place, job);
        drop(state);
        self.changed.notify_one();
        place
    }

    /// Takes jobs back that no thread has begun.
    pub fn withdraw(&self, places: &[QueuePlace]) {
        let mut state = self.lock();
        let jobs: Vec<_> = places.iter().filter_map(|place| state.waiting.remove(place)).collect();
        drop(state);
        // What they hold may be large.
        drop(jobs);
    }

    /// Nothing more will come: threads end when nothing waits.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Does jobs, one after another, until the queue is closed and empty. Call it on as many threads as are to work.
    pub fn work(&self) {
        let mut desk = AnalysisDesk::default();
        while let Some(job) = self.next() {
            job(&mut desk);
        }
    }

    fn next(&self) -> Option<AnalysisJob<'a>> {
        let mut state = self.lock();
        loop {
            if let Some((_, job)) = state.waiting.pop_first() {
                return Some(job);
            }
            if state.is_closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_urgent_come_first_and_equals_in_their_order() {
        let done = Mutex::new(Vec::new());
        let queue = AnalysisQueue::default();
        let done = &done;
        let push = |priority, name: u32| {
            queue.push(priority, Box::new(move |_: &mut AnalysisDesk| done.lock().unwrap().push(name)))
        };
        push(0, 1);
        let taken_back = push(0, 2);
        push(0, 3);
        push(-1, 4);
        push(7, 5);
        push(i64::MAX, 6);
        push(i64::MIN, 7);
        queue.withdraw(&[taken_back, taken_back]);
        queue.close();
        queue.work();
        assert_eq!(*done.lock().unwrap(), [6, 5, 1, 3, 4, 7]);
    }
}
