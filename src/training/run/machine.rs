//! What a run runs on.

use anyhow::{Context, Result};

use crate::{
    net::{Backend, LoadedNet, Model, NetConfig, NoPrecision, Precision},
    training::learner::LearnerConfig,
};

/// What a run runs on. On one processor the number of workers does not change what it computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Threads.
    pub workers: usize,
    /// What computes the network's answers, unless [`Machine::plays`] or [`Machine::learns`] names another.
    pub backend: Backend,
}

impl Machine {
    /// What plays the games of such a net ([`Backend::for_play`]).
    pub fn plays(&self, net: &NetConfig) -> Backend {
        self.backend.for_play(net)
    }

    /// What learns: the backend that `settings` name (`learner.backend`), else the machine's.
    ///
    /// # Errors
    /// When the program was built without it, or its device is missing.
    pub fn learns(&self, settings: &LearnerConfig) -> Result<Backend> {
        let backend = settings.backend.unwrap_or(self.backend);
        backend.check().context("learner.backend")?;
        Ok(backend)
    }

    /// Makes `model` ready to play in `precision`.
    ///
    /// # Errors
    /// When what plays, or this kind of net, does not have the precision.
    pub fn load(&self, model: &Model, precision: Precision) -> Result<LoadedNet, NoPrecision> {
        self.plays(model.net()).load_in(model, precision)
    }
}
