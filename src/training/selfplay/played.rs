//! A game as it comes from its searches.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::{record::GameRecord, stats::SearchStats};

/// A finished game, and what its searches did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// The game.
    pub record: GameRecord,
    /// Sums over its searches.
    pub stats: SearchStats,
}

/// What threads did that played games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// What the searches did.
    pub stats: SearchStats,
    /// Seconds of processor time, over all these threads.
    pub cpu_seconds: f64,
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        self.stats += other.stats;
        self.cpu_seconds += other.cpu_seconds;
    }
}
