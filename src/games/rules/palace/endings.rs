//! Which moves may give check, and which repeat a position.

use super::{KINDS, PalaceMove, Pieces, Set, history::PalaceHistory};
use crate::games::rules::mover::Mover;

/// Where a move has to come to, or to set out from, if it is to attack the enemy's king. Some moves in it do not.
pub struct Checks {
    /// By kind, the squares on which such a piece attacks the king.
    pub direct: [Set; KINDS],
    /// The squares on which any piece lets another one attack it.
    pub arrivals: Set,
    /// The squares whose piece, by leaving, may let another one attack it, or that need a closer look.
    pub departures: Set,
    /// All squares of [`Checks::direct`] and [`Checks::arrivals`].
    targets: Set,
}

impl Checks {
    /// The checks of these squares.
    #[inline(always)]
    pub fn new(direct: [Set; KINDS], arrivals: Set, departures: Set) -> Self {
        let targets = direct.into_iter().fold(arrivals, |all, squares| all | squares);
        Checks { direct, arrivals, departures, targets }
    }

    /// Whether the origin or the target of a move lets it give check, by any piece.
    #[inline(always)]
    pub fn touches(&self, mv: PalaceMove) -> bool {
        self.departures.contains(mv.from()) | self.targets.contains(mv.to())
    }

    /// Whether a move of the piece that stands on its square in `pieces` may give check.
    #[inline(always)]
    pub fn may_give(&self, pieces: &Pieces, mv: PalaceMove) -> bool {
        let (from, to) = (mv.from(), mv.to());
        self.departures.contains(from)
            || self.targets.contains(to)
                && (self.arrivals.contains(to) || self.direct[pieces.kind_on(from).index()].contains(to))
    }
}

/// Whether a move of `M`, the side to move, leads to a position that has stood `times` times, from 2 to 4.
#[inline(always)]
pub fn repeats<M: Mover>(pieces: &Pieces, history: &PalaceHistory, mv: PalaceMove, times: u32) -> bool {
    !pieces.is_capture(mv) && history.has_stood(pieces.key_after_quiet::<M>(mv), times)
}
