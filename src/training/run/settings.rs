//! The settings of a run by generation: some may change when it is gone on with.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::config::RunConfig;

/// Settings that were in force once. A checkpoint carries them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PastSettings {
    /// The last generation that was made with them.
    pub until: u32,
    /// The resolved config, as TOML.
    pub config: String,
}

/// A run's settings from its first generation to the ones to come.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// The oldest first.
    past: Vec<(u32, RunConfig)>,
    now: RunConfig,
}

impl RunSettings {
    /// The settings of a run that had `past` and has `now`.
    ///
    /// # Errors
    /// When past settings do not read.
    pub fn new(past: &[PastSettings], now: RunConfig) -> Result<Self> {
        let parse = |settings: &PastSettings| {
            let config = RunConfig::parse(&settings.config, &[]);
            let place = || format!("the settings until generation {}", settings.until);
            Ok((settings.until, config.with_context(place)?))
        };
        Ok(RunSettings { past: past.iter().map(parse).collect::<Result<_>>()?, now })
    }

    /// Those that `generation` was made with, or will be.
    pub fn of(&self, generation: u32) -> &RunConfig {
        let then = self.past.iter().find(|(until, _)| generation <= *until);
        then.map_or(&self.now, |(_, config)| config)
    }

    /// Of the generations made with past settings: their positions that teach, and how many samples were to be
    /// learnt for those. `taught` has the positions of each generation.
    pub fn due_before(&self, taught: &[u64]) -> (u64, f64) {
        let last = self.past.last().map_or(0, |(until, _)| *until);
        (1..=last).zip(taught).fold((0, 0.0), |(positions, samples), (generation, &taught)| {
            (positions + taught, samples + taught as f64 * self.of(generation).replay.reuse)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(reuse: f64) -> RunConfig {
        let set = [format!("replay.reuse={reuse}")];
        RunConfig::parse(include_str!("../../../configs/dobutsu.toml"), &set).unwrap()
    }

    fn past(until: u32, reuse: f64) -> PastSettings {
        PastSettings { until, config: config(reuse).to_toml() }
    }

    #[test]
    fn each_generation_has_the_settings_of_its_time() {
        let settings = RunSettings::new(&[past(2, 1.0), past(3, 3.0)], config(8.0)).unwrap();
        let reuse: Vec<f64> = (1..=5).map(|generation| settings.of(generation).replay.reuse).collect();
        assert_eq!(reuse, [1.0, 1.0, 3.0, 8.0, 8.0]);
    }

    #[test]
    fn what_is_due_of_the_past_is_due_by_the_settings_of_the_past() {
        let settings = RunSettings::new(&[past(2, 1.0), past(3, 3.0)], config(8.0)).unwrap();
        assert_eq!(settings.due_before(&[10, 20, 30, 40]), (60, 120.0));
        assert_eq!(RunSettings::new(&[], config(8.0)).unwrap().due_before(&[10]), (0, 0.0));
    }
}
