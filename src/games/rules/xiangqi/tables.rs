//! Lookup tables: where pieces stand and step, and what blocks them.

use super::{PalaceKind, PalaceSquare, Set};
use crate::games::rules::{
    Side,
    palace::{KINDS, SQUARES, lines::orthogonal_blockers},
};

/// A set of squares for every square.
pub(super) type Row = [u128; SQUARES];

/// A set of squares for every square and every way in which its neighbours can be occupied.
pub(super) type Blocked = [[u128; 16]; SQUARES];

/// The tables of one board. Arrays of two are by side.
pub struct XiangqiTables {
    pub(super) board: u128,
    pub(super) homes: [[u128; KINDS]; 2],
    pub(super) areas: [[u128; KINDS]; 2],
    pub(super) crossed: [u128; 2],
    pub(super) ahead: [u128; 2],
    pub(super) pawn_from: [Row; 2],
    pub(super) king: Row,
    pub(super) guard: Row,
    pub(super) bishop: Blocked,
    pub(super) knight: Blocked,
    pub(super) knight_from: Blocked,
    pub(super) near_king: [Row; 2],
}

impl XiangqiTables {
    /// Every square of the board.
    #[inline(always)]
    pub(super) fn board(&self) -> Set {
        Set(self.board)
    }

    /// Where a side's pieces of this kind may move about, games from the start or not.
    pub(super) fn area(&self, side: Side, kind: PalaceKind) -> Set {
        Set(self.areas[side.index()][kind.index()])
    }

    /// Where a side's pieces of this kind can get in a game from the start.
    pub(super) fn home(&self, side: Side, kind: PalaceKind) -> Set {
        Set(self.homes[side.index()][kind.index()])
    }

    /// Where pawns may go sideways.
    #[inline(always)]
    pub(super) fn crossed(&self, side: Side) -> Set {
        Set(self.crossed[side.index()])
    }

    /// Where pawns may come to by a step ahead.
    #[inline(always)]
    pub(super) fn ahead(&self, side: Side) -> Set {
        Set(self.ahead[side.index()])
    }

    /// From where a pawn of `side` attacks the square.
    #[inline(always)]
    pub(super) fn pawn_from(&self, side: Side, to: PalaceSquare) -> Set {
        Set(self.pawn_from[side.index()][to.index()])
    }

    /// Steps of a king.
    #[inline(always)]
    pub(super) fn king(&self, from: PalaceSquare) -> Set {
        Set(self.king[from.index()])
    }

    /// Steps of a guard.
    #[inline(always)]
    pub(super) fn guard(&self, from: PalaceSquare) -> Set {
        Set(self.guard[from.index()])
    }

    /// Where a bishop goes over empty squares.
    #[inline(always)]
    pub(super) fn bishop(&self, from: PalaceSquare, occupied: Set) -> Set {
        Set(self.bishop[from.index()][diagonal_blockers(from.index(), occupied.0)])
    }

    /// Where a knight jumps past empty squares.
    #[inline(always)]
    pub(super) fn knight(&self, from: PalaceSquare, occupied: Set) -> Set {
        Set(self.knight[from.index()][orthogonal_blockers(from.index(), occupied.0)])
    }

    /// From where a knight jumps onto the square past empty squares.
    #[inline(always)]
    pub(super) fn knight_from(&self, to: PalaceSquare, occupied: Set) -> Set {
        Set(self.knight_from[to.index()][diagonal_blockers(to.index(), occupied.0)])
    }

    /// From where a knight or a pawn could attack a square to which the king of `side` may go from `king`.
    #[inline(always)]
    pub(super) fn near_king(&self, side: Side, king: PalaceSquare) -> Set {
        Set(self.near_king[side.index()][king.index()])
    }
}

/// Which of the four squares diagonally next to `square` are occupied, as an index below 16.
#[inline(always)]
pub(super) const fn diagonal_blockers(square: usize, occupied: u128) -> usize {
    // Those to the left become bits 0 and 2, those to the right 20 and 22.
    let window = ((occupied << 11) >> square) as u32 & (1 | 1 << 2 | 1 << 20 | 1 << 22);
    (window | window >> 19) as usize & 0b1111
}

/// The squares diagonally next to `square`, and squares next to its file's neighbours where the board ends.
#[inline(always)]
pub(super) const fn diagonals(square: PalaceSquare) -> Set {
    Set(((1 | 1 << 2 | 1 << 20 | 1 << 22) << square.index()) >> 11)
}
