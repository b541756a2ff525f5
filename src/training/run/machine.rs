//! What a run runs on.

use crate::net::{Backend, LoadedNet, Model, NetConfig, NoPrecision, Precision};

/// What a run runs on. On one processor the number of workers does not change what it computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Threads.
    pub workers: usize,
    /// What computes the network's answers, and where it learns, unless the settings name another (`learner.backend`).
    /// [`Machine::plays`] is what plays.
    pub backend: Backend,
}

impl Machine {
    /// What plays the games of such a net ([`Backend::for_play`]).
    pub fn plays(&self, net: &NetConfig) -> Backend {
        self.backend.for_play(net)
    }

    /// Makes `model` ready to play in `precision`.
    ///
    /// # Errors
    /// When what plays, or this kind of net, does not have the precision.
    pub fn load(&self, model: &Model, precision: Precision) -> Result<LoadedNet, NoPrecision> {
        self.plays(model.net()).load_in(model, precision)
    }
}
