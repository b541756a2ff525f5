//! What threatens a king, and so which moves leave it safe.
//!
//! A move of another piece takes that piece from its square and puts it on another, so whether an attacker
//! gets at the king depends on two things alone: which pieces stand between without the mover, and whether
//! the mover lands between them or on the attacker. Each attacker thus allows a set of targets; the moves of
//! most pieces are those that all attackers allow, and only for a piece that stands between has this to be
//! asked again without it. No move has to be tried.

use super::{PalaceSquare, Set, boards::XiangqiBoard};

/// The threats to a king.
#[derive(Clone, Copy, Debug)]
pub(super) struct Threats {
    /// Whether it is attacked.
    pub(super) check: bool,
    /// Where a piece may go that is neither the king nor shields it; the own pieces are not taken out.
    pub(super) answers: Set,
    /// The own pieces that stand where it matters to some attacker, for which the answers do not hold.
    pub(super) shields: Set,
}

impl Threats {
    /// A king that is not threatened.
    pub(super) fn none<B: XiangqiBoard>() -> Threats {
        Threats { check: false, answers: B::TABLES.board(), shields: Set::EMPTY }
    }

    /// An attacker that `blockers`, on `line` to the king, keep from it. A rook, or a king that faces it.
    #[inline(always)]
    pub(super) fn add_rook(&mut self, rook: PalaceSquare, line: Set, blockers: Set) {
        if blockers.is_empty() {
            self.check = true;
            self.answers &= line | Set::of(rook);
        } else if !blockers.is_several() {
            self.shields |= blockers;
        }
    }

    /// A cannon, which needs exactly one blocker, its screen.
    #[inline(always)]
    pub(super) fn add_cannon(&mut self, cannon: PalaceSquare, line: Set, blockers: Set) {
        if blockers.is_empty() {
            self.answers &= !line;
        } else if !blockers.is_several() {
            self.check = true;
            self.answers &= line & !blockers | Set::of(cannon);
            self.shields |= blockers;
        } else if !blockers.without_first().is_several() {
            self.shields |= blockers;
        }
    }

    /// A knight with its leg.
    #[inline(always)]
    pub(super) fn add_knight(&mut self, knight: PalaceSquare, leg: Set, blockers: Set) {
        if blockers.is_empty() {
            self.check = true;
            self.answers &= leg | Set::of(knight);
        } else {
            self.shields |= blockers;
        }
    }

    #[inline(always)]
    pub(super) fn add_pawn(&mut self, pawn: PalaceSquare) {
        self.check = true;
        self.answers &= Set::of(pawn);
    }
}

/// The square on which a piece keeps `knight` from `king`, a jump away: diagonally next to the king.
#[inline(always)]
pub(super) fn leg(king: PalaceSquare, knight: PalaceSquare) -> PalaceSquare {
    let towards = |from: u8, to: u8| if to > from { from + 1 } else { from - 1 };
    PalaceSquare::new(towards(king.file(), knight.file()), towards(king.rank(), knight.rank()))
}
