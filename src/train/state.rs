//! Where a run stands.

use serde::{Deserialize, Serialize};

use super::{config::Spent, settings::PastSettings};
use crate::selfplay::Calibration;

/// What a run has done, beside its weights. Nothing here depends on the clock: a run that was killed and
/// resumed has the same state as one left alone. Random numbers need no state: each stream starts from the
/// run's seed and the generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Generations done.
    pub generation: u32,
    /// Positions played, quick searches counted.
    pub positions: u64,
    /// Games played.
    pub games: u64,
    /// Samples learnt.
    pub samples: u64,
    /// Positions that a game had in the last generation, on average; 0 before the first.
    pub mean_game_length: f64,
    /// Positions that teach, of each generation.
    pub taught: Vec<u64>,
    /// What the games say of resigning in the next generation.
    pub resign: Option<Calibration>,
    /// Every evaluation so far.
    pub elo: Vec<EloPoint>,
    /// Where records are kept for the window alone: the oldest generation that the window had games of at the newest
    /// checkpoint. Older games do not come back, also where the window is made larger.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub window_from: u32,
    /// Settings of self-play, replay and learning from before they were changed, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub past: Vec<PastSettings>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// One point of the Elo curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EloPoint {
    /// The generation evaluated.
    pub generation: u32,
    /// Positions played by then.
    pub positions: u64,
    /// Score against `uniform` at the same simulations, in `0.0..=1.0`.
    pub score_uniform: f64,
    /// Elo above the untrained net, summed over matches against the point before.
    pub elo: f64,
}

/// Time that a run has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// Wall time, evaluation apart.
    pub seconds: f64,
    /// Processor time over all cores, evaluation apart.
    pub cpu_seconds: f64,
    /// Wall time of the evaluations.
    #[serde(default)]
    pub evaluation_seconds: f64,
}

impl State {
    /// The generation evaluated last by the time `generation` was done; 0, the untrained net, before the first.
    pub fn evaluated_by(&self, generation: u32) -> u32 {
        let mut evaluated = self.elo.iter().rev().map(|point| point.generation);
        evaluated.find(|&evaluated| evaluated <= generation).unwrap_or(0)
    }

    /// What counts against the budget.
    pub fn spent(&self, clock: &Clock) -> Spent {
        Spent {
            positions: self.positions,
            generations: self.generation,
            seconds: clock.seconds,
            cpu_seconds: clock.cpu_seconds,
        }
    }
}
