//! What a run runs on.

use crate::net::Backend;

/// What a run runs on. On one processor the number of workers does not change what it computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Threads.
    pub workers: usize,
    /// What computes the network's answers, and where it learns, unless the settings name another (`learner.backend`).
    pub backend: Backend,
}
