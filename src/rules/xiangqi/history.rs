//! What a game remembers of its past, and what it makes of it.

use super::XiangqiMove;
use crate::rules::{Outcome, Reason, palace::history::History};

/// The occurrence of a position that ends the game.
const OCCURRENCES: u32 = 3;

/// A ply of the past, with the position that it led to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ply {
    /// What was played; `None` before the start of the game.
    pub(super) mv: Option<XiangqiMove>,
    /// Whether the side then to move was in check.
    pub(super) check: bool,
}

/// The verdict on the current position.
pub(super) fn verdict(history: &History<Ply>) -> Option<Outcome> {
    (history.earlier() + 1 >= OCCURRENCES).then(|| Outcome::draw(Reason::Repetition))
}
