//! Where a run stands.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::{budget::Spent, settings::PastSettings};
use crate::training::selfplay::Calibration;

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
    /// What was planned for the next generation before this one had results: with a lag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned: Option<PlannedGames>,
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

/// What was planned for a generation before the one before it had results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedGames {
    /// How many games. `None` where the budget was likely to be spent by then: then it is known later.
    pub games: Option<u32>,
    /// The threshold below which sides resign, if that is allowed yet.
    pub resign_below: Option<f32>,
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
pub struct RunClock {
    /// Wall time, evaluation apart.
    pub seconds: f64,
    /// Processor time over all cores, evaluation apart.
    pub cpu_seconds: f64,
    /// Wall time of the evaluations.
    #[serde(default)]
    pub evaluation_seconds: f64,
    /// What the threads did not use of the time of generations. Generations from before it was counted are left out.
    #[serde(default)]
    pub idle: Idle,
}

/// How much of their time threads wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Idle {
    /// The time in which they waited, in seconds over all threads. What other programs took of the processors is in it.
    seconds: f64,
    /// All their time, likewise.
    of: f64,
}

impl Idle {
    /// Of `threads` threads that used so much processor time, in seconds of wall time.
    pub fn of(seconds: f64, cpu_seconds: f64, threads: usize) -> Self {
        let of = seconds * threads as f64;
        // Threads beside these, such as one that writes games, may work while none of these waits.
        Idle { seconds: (of - cpu_seconds).max(0.0), of }
    }

    /// The share of the threads' time, in `0.0..=1.0`; `None` where no time has passed.
    pub fn share(self) -> Option<f64> {
        (self.of > 0.0).then(|| self.seconds / self.of)
    }
}

impl AddAssign for Idle {
    fn add_assign(&mut self, other: Idle) {
        self.seconds += other.seconds;
        self.of += other.of;
    }
}

impl State {
    /// The generation evaluated last by the time `generation` was done; 0, the untrained net, before the first.
    pub fn evaluated_by(&self, generation: u32) -> u32 {
        let mut evaluated = self.elo.iter().rev().map(|point| point.generation);
        evaluated.find(|&evaluated| evaluated <= generation).unwrap_or(0)
    }

    /// What counts against the budget.
    pub fn spent(&self, clock: &RunClock) -> Spent {
        Spent {
            positions: self.positions,
            generations: self.generation,
            seconds: clock.seconds,
            cpu_seconds: clock.cpu_seconds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_idle_share_is_that_of_all_time() {
        assert_eq!(Idle::default().share(), None);
        let mut idle = Idle::of(10.0, 15.0, 2);
        assert_eq!(idle.share(), Some(0.25));
        // Busier than the threads could be alone.
        idle += Idle::of(10.0, 21.0, 2);
        assert_eq!(idle.share(), Some(0.125));
    }

    #[test]
    fn clocks_of_older_checkpoints_read() {
        let clock: RunClock = serde_json::from_str(r#"{"seconds":3.0,"cpu_seconds":5.0}"#).unwrap();
        assert_eq!(clock.idle.share(), None);
    }
}
