//! When a run ends.

use serde::{Deserialize, Serialize};

/// When a run ends: as soon as one of the limits given is reached.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Positions of self-play, quick searches counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// Generations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generations: Option<u32>,
    /// Wall time in minutes, evaluation apart, counted by whole generations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minutes: Option<f64>,
    /// Processor time in minutes, over all cores, counted likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_minutes: Option<f64>,
}

/// What a run has spent of its budget.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Positions of self-play.
    pub positions: u64,
    /// Generations.
    pub generations: u32,
    /// Seconds of wall time, evaluation apart.
    pub seconds: f64,
    /// Seconds of processor time, evaluation apart.
    pub cpu_seconds: f64,
}

impl Budget {
    /// The processor time in minutes that the limits of time let a run on `threads` threads take; `None` without such a
    /// limit.
    pub fn cpu_minutes_on(&self, threads: usize) -> Option<f64> {
        let wall = self.minutes.map(|minutes| minutes * threads as f64);
        self.cpu_minutes.into_iter().chain(wall).reduce(f64::min)
    }

    /// The part of the budget that is spent, in `0.0..`; the run ends at 1.
    pub fn progress(&self, spent: &Spent) -> f64 {
        self.parts(spent).map(|(_, part)| part).fold(0.0, f64::max)
    }

    /// The keys of the limits that are reached.
    pub fn reached(&self, spent: &Spent) -> Vec<&'static str> {
        self.parts(spent).filter(|(_, part)| *part >= 1.0).map(|(key, _)| key).collect()
    }

    /// The limits there are by their keys, each with the part of it that is spent.
    fn parts(&self, spent: &Spent) -> impl Iterator<Item = (&'static str, f64)> {
        let parts = [
            ("budget.positions", self.positions.map(|limit| spent.positions as f64 / limit as f64)),
            (
                "budget.generations",
                self.generations.map(|limit| f64::from(spent.generations) / f64::from(limit)),
            ),
            ("budget.minutes", self.minutes.map(|limit| spent.seconds / (60.0 * limit))),
            ("budget.cpu_minutes", self.cpu_minutes.map(|limit| spent.cpu_seconds / (60.0 * limit))),
        ];
        parts.into_iter().filter_map(|(key, part)| Some((key, part?)))
    }

    pub(super) fn validate(&self) -> Result<(), String> {
        let Budget { positions, generations, minutes, cpu_minutes } = self;
        if positions.is_none() && generations.is_none() && minutes.is_none() && cpu_minutes.is_none() {
            return Err("budget: give positions, generations, minutes or cpu_minutes".into());
        }
        for (key, minutes) in [("minutes", minutes), ("cpu_minutes", cpu_minutes)] {
            if let Some(minutes) = minutes
                && (minutes.is_nan() || *minutes <= 0.0)
            {
                return Err(format!("budget.{key} = {minutes}: must be above 0"));
            }
        }
        if *positions == Some(0) {
            return Err("budget.positions = 0: must be at least 1".into());
        }
        if *generations == Some(0) {
            return Err("budget.generations = 0: must be at least 1".into());
        }
        Ok(())
    }
}
