//! Games that change threads at the end of a generation, when there are fewer games left than threads have slots.

use std::{
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// How soon a thread that waits hears of a stop.
const HEARD: Duration = Duration::from_millis(10);

/// Where threads that have several things leave some for threads that have none.
pub(super) struct Passing<T> {
    threads: usize,
    state: Mutex<State<T>>,
    changed: Condvar,
    /// Threads that wait for something and will not find it.
    wanted: AtomicUsize,
    /// Things that were left and that nobody waits for.
    spare: AtomicUsize,
}

struct State<T> {
    left: Vec<T>,
    /// Threads that have nothing: those that wait and those that have ended.
    without: usize,
    waiting: usize,
}

impl<T> Passing<T> {
    /// For `threads` threads.
    pub fn new(threads: usize) -> Self {
        let state = State { left: Vec::new(), without: 0, waiting: 0 };
        Passing {
            threads,
            state: Mutex::new(state),
            changed: Condvar::new(),
            wanted: AtomicUsize::new(0),
            spare: AtomicUsize::new(0),
        }
    }

    /// Says, when it is dropped, that this thread ends.
    pub fn leave_on_drop(&self) -> LeaveOnDrop<'_, T> {
        LeaveOnDrop(self)
    }

    /// Leaves all but one of `things`, as far as other threads have none. Costs nothing as long as those have some.
    pub fn share(&self, things: &mut Vec<T>) {
        if things.len() < 2 || self.wanted.load(Ordering::Relaxed) == 0 {
            return;
        }
        let mut state = self.state();
        while things.len() > 1 && state.left.len() < state.waiting {
            state.left.extend(things.pop());
            self.changed.notify_one();
        }
        self.count(&state);
    }

    /// What another thread left, for a thread that has nothing. Waits for it; `None` when no thread has anything any more, or
    /// when `halt` says so.
    pub fn take(&self, halt: &impl Fn() -> bool) -> Option<T> {
        let mut state = self.state();
        state.without += 1;
        state.waiting += 1;
        let taken = loop {
            let thing = state.left.pop();
            if thing.is_some() || halt() || state.without == self.threads {
                break thing;
            }
            self.count(&state);
            let waited = self.changed.wait_timeout(state, HEARD);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        };
        state.without -= 1;
        state.waiting -= 1;
        self.count(&state);
        taken
    }

    /// Leaves all of `things`, for a thread that is to do nothing for a while.
    pub fn leave(&self, things: &mut Vec<T>) {
        let mut state = self.state();
        state.left.append(things);
        self.changed.notify_all();
        self.count(&state);
    }

    /// One of the things that were left and that nobody waits for. Costs nothing as long as there is none.
    pub fn spare(&self) -> Option<T> {
        if self.spare.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let mut state = self.state();
        let spare = if state.left.len() > state.waiting { state.left.pop() } else { None };
        self.count(&state);
        spare
    }

    /// This thread has nothing until the answer is dropped, and is left nothing.
    pub fn without(&self) -> Without<'_, T> {
        self.state().without += 1;
        Without(self)
    }

    /// Whether no thread has anything, and nothing is left.
    pub fn is_over(&self) -> bool {
        let state = self.state();
        state.without == self.threads && state.left.is_empty()
    }

    /// What is left when all threads have ended.
    pub fn rest(self) -> Vec<T> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).left
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, state: &State<T>) {
        self.wanted.store(state.waiting.saturating_sub(state.left.len()), Ordering::Relaxed);
        self.spare.store(state.left.len().saturating_sub(state.waiting), Ordering::Relaxed);
    }
}

/// See [`Passing::leave_on_drop`].
pub(super) struct LeaveOnDrop<'a, T>(&'a Passing<T>);

impl<T> Drop for LeaveOnDrop<'_, T> {
    /// Also after a panic, so that the others do not wait for this thread.
    fn drop(&mut self) {
        self.0.state().without += 1;
        self.0.changed.notify_all();
    }
}

/// See [`Passing::without`].
pub(super) struct Without<'a, T>(&'a Passing<T>);

impl<T> Drop for Without<'_, T> {
    fn drop(&mut self) {
        self.0.state().without -= 1;
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn threads_without_anything_get_what_others_have() {
        let (passing, mut things) = (Passing::new(4), (0..200).collect::<Vec<u32>>());
        let done = Mutex::new(Vec::new());
        thread::scope(|scope| {
            let work = |mut things: Vec<u32>| {
                let _leave = passing.leave_on_drop();
                let mut count = 0;
                while let Some(thing) = things.pop().or_else(|| passing.take(&|| false)) {
                    // Long enough for others to come.
                    thread::sleep(Duration::from_millis(1));
                    done.lock().unwrap().push(thing);
                    passing.share(&mut things);
                    count += 1;
                }
                count
            };
            let mut threads: Vec<_> = (0..3).map(|_| scope.spawn(move || work(Vec::new()))).collect();
            threads.push(scope.spawn(move || work(std::mem::take(&mut things))));
            let counts: Vec<u32> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
            assert!(counts[..3].iter().sum::<u32>() > 0, "{counts:?}");
        });
        let mut done = done.into_inner().unwrap();
        done.sort_unstable();
        assert_eq!(done, (0..200).collect::<Vec<u32>>());
        assert!(passing.rest().is_empty());
    }

    #[test]
    fn nobody_waits_after_a_stop_or_for_a_thread_that_failed() {
        let passing = Passing::<u32>::new(2);
        assert_eq!(passing.take(&|| true), None);
        drop(passing.leave_on_drop());
        assert_eq!(passing.take(&|| false), None);
    }
}
