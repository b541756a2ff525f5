//! A game as it comes from its searches.

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
