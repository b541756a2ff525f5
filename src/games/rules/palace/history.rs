//! What a game remembers of its past: the positions, and what was played.

use super::PalaceMove;
use crate::games::rules::history::{self, Remembered};

/// Every position since the start of the game, the current one last.
pub type PalaceHistory = history::History<PastPly>;

/// A position of the past, and the ply that led to it.
#[derive(Clone, Copy, Debug)]
pub struct PastPly {
    /// Names the position.
    pub key: u64,
    /// What was played; `None` at the start of the game and where a turn was skipped.
    pub mv: Option<PalaceMove>,
    /// Whether the side then to move was in check.
    pub check: bool,
}

impl Remembered for PastPly {
    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }
}
