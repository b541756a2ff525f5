//! Which workers may play now: generations and learning share the cores of a machine, so that no thread waits for a core.

use std::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// How soon a worker that waits hears of a stop.
const HEARD: Duration = Duration::from_millis(10);

/// The cores that a run plays and learns on.
#[derive(Debug)]
pub struct Cores {
    count: usize,
    /// What learning or an evaluation uses.
    elsewhere: AtomicUsize,
    state: Mutex<()>,
    changed: Condvar,
}

impl Cores {
    /// So many cores, at least one.
    pub fn new(count: usize) -> Self {
        Cores {
            count: count.max(1),
            elsewhere: AtomicUsize::new(0),
            state: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    /// Something else uses `cores` of them from now on, and so many workers fewer play.
    pub fn use_elsewhere(&self, cores: usize) {
        self.change(|| self.elsewhere.store(cores, Ordering::Relaxed));
    }

    /// Makes a `change`, and tells the workers that wait.
    fn change(&self, change: impl FnOnce()) {
        let _state = self.lock();
        change();
        self.changed.notify_all();
    }

    fn wait_unless(&self, is_over: impl Fn() -> bool) {
        let state = self.lock();
        if !is_over() {
            drop(self.changed.wait_timeout(state, HEARD));
        }
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The workers of one generation, one for each core. Which games they play does not depend on who of them may play.
#[derive(Clone, Debug)]
pub struct Workers {
    cores: Arc<Cores>,
    /// How many of them play.
    active: Arc<AtomicUsize>,
    /// How many of the generation before play: they come first.
    before: Option<Arc<AtomicUsize>>,
}

impl Workers {
    /// All of `count` play, at least one.
    pub fn all(count: usize) -> Self {
        Workers::on(&Arc::new(Cores::new(count)))
    }

    /// One for each of these cores.
    pub fn on(cores: &Arc<Cores>) -> Self {
        Workers { cores: Arc::clone(cores), active: Arc::default(), before: None }
    }

    /// Those of the next generation, which play on the cores that these do not need.
    #[must_use]
    pub fn next(&self) -> Self {
        Workers { before: Some(Arc::clone(&self.active)), ..Workers::on(&self.cores) }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.cores.count
    }

    /// Whether the worker with this number, which is below [`Workers::count`], may play.
    pub(super) fn allows(&self, worker: usize) -> bool {
        let before = self.before.as_ref().map_or(0, |before| before.load(Ordering::Relaxed));
        worker + self.cores.elsewhere.load(Ordering::Relaxed) + before < self.cores.count
    }

    /// Waits until [`Workers::allows`] may have changed.
    pub(super) fn wait(&self, worker: usize) {
        self.cores.wait_unless(|| self.allows(worker));
    }

    /// A worker plays from now on.
    pub(super) fn begin(&self) -> Active<'_> {
        self.active.fetch_add(1, Ordering::Relaxed);
        Active(self)
    }
}

/// A worker that plays, until this is dropped.
pub(super) struct Active<'a>(&'a Workers);

impl Drop for Active<'_> {
    fn drop(&mut self) {
        self.0.cores.change(|| {
            self.0.active.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(workers: &Workers) -> Vec<usize> {
        (0..workers.count()).filter(|&worker| workers.allows(worker)).collect()
    }

    #[test]
    fn a_generation_plays_on_what_learning_and_the_one_before_leave() {
        let cores = Arc::new(Cores::new(4));
        let first = Workers::on(&cores);
        let second = first.next();
        assert_eq!((allowed(&first).len(), allowed(&second).len()), (4, 4));
        cores.use_elsewhere(1);
        let mut playing: Vec<Active> = (0..3).map(|_| first.begin()).collect();
        assert_eq!((allowed(&first), allowed(&second)), (vec![0, 1, 2], vec![]));
        playing.pop();
        assert_eq!(allowed(&second), [0]);
        cores.use_elsewhere(0);
        assert_eq!(allowed(&second), [0, 1]);
        playing.clear();
        assert_eq!(allowed(&second).len(), 4);
        cores.use_elsewhere(4);
        assert_eq!((allowed(&first), allowed(&second)), (vec![], vec![]));
        assert_eq!(Workers::all(0).count(), 1);
    }
}
