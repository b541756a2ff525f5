//! The pieces on the board and whose turn it is.

use super::{KINDS, PalaceKind, PalaceMove, PalaceSquare, Set, zobrist};
use crate::games::rules::{Side, mover::Mover};

use PalaceKind::*;

/// What every position of the palace has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// The squares of each side's pieces.
    pub sides: [Set; 2],
    /// The squares of each kind, of both sides.
    kinds: [Set; KINDS],
    /// The squares of the kings.
    pub kings: [PalaceSquare; 2],
    /// Whose turn it is.
    pub side: Side,
    /// What names pieces and side to move.
    pub key: u64,
}

impl Pieces {
    /// A board without pieces, on which the kings still have to be put; the turn is the first player's.
    pub fn none() -> Self {
        Pieces {
            sides: [Set::EMPTY; 2],
            kinds: [Set::EMPTY; KINDS],
            kings: [PalaceSquare::new(0, 0); 2],
            side: Side::First,
            key: 0,
        }
    }

    /// Puts a piece on an empty square.
    pub fn put(&mut self, side: Side, kind: PalaceKind, square: PalaceSquare) {
        self.sides[side.index()] |= Set::of(square);
        self.kinds[kind.index()] |= Set::of(square);
        if kind == King {
            self.kings[side.index()] = square;
        }
        self.key ^= zobrist::piece(side, kind.index(), square);
    }

    /// Gives the turn to the other side.
    #[inline(always)]
    pub fn pass(&mut self) {
        self.key ^= zobrist::second_to_move();
        self.side = !self.side;
    }

    /// Every occupied square.
    #[inline(always)]
    pub fn occupied(&self) -> Set {
        self.sides[0] | self.sides[1]
    }

    /// The pieces of `kind`, of both sides.
    #[inline(always)]
    pub fn all(&self, kind: PalaceKind) -> Set {
        self.kinds[kind.index()]
    }

    /// The pieces of `kind` that `side` has.
    #[inline(always)]
    pub fn of(&self, side: Side, kind: PalaceKind) -> Set {
        self.all(kind) & self.sides[side.index()]
    }

    /// The kind of the piece on an occupied square.
    #[inline(always)]
    pub fn kind_on(&self, square: PalaceSquare) -> PalaceKind {
        for kind in [Pawn, Rook, Cannon, Knight, Bishop, Guard] {
            if self.all(kind).contains(square) {
                return kind;
            }
        }
        King
    }

    /// The piece on `square`, if there is one.
    pub fn on(&self, square: PalaceSquare) -> Option<(Side, PalaceKind)> {
        let mut sides = [Side::First, Side::Second].into_iter();
        let side = sides.find(|side| self.sides[side.index()].contains(square))?;
        Some((side, self.kind_on(square)))
    }

    /// The pieces in the order of their squares.
    pub fn iter(&self) -> impl Iterator<Item = (Side, PalaceKind, PalaceSquare)> {
        self.occupied().squares().filter_map(|square| {
            let (side, kind) = self.on(square)?;
            Some((side, kind, square))
        })
    }

    /// All squares that the pieces of `side` reach, where `reach` says what one does.
    #[inline(always)]
    pub fn reached(&self, side: Side, reach: impl Fn(PalaceKind, PalaceSquare) -> Set) -> Set {
        let of_kind = |kind| self.of(side, kind).squares().map(move |from| (kind, from));
        let mut reached = Set::EMPTY;
        for kind in PalaceKind::ALL {
            of_kind(kind).for_each(|(kind, from)| reached |= reach(kind, from));
        }
        reached
    }

    /// Tells every piece, kind by kind, and in which of two sets its square lies.
    #[inline(always)]
    pub fn for_each_marked(
        &self,
        marks: [Set; 2],
        mut tell: impl FnMut(Side, PalaceKind, PalaceSquare, [bool; 2]),
    ) {
        for side in [Side::First, Side::Second] {
            for kind in PalaceKind::ALL {
                self.of(side, kind).for_each_marked(marks, |square, marked| tell(side, kind, square, marked));
            }
        }
    }

    /// Whether a move takes a piece.
    pub fn is_capture(&self, mv: PalaceMove) -> bool {
        !mv.is_pass() && self.occupied().contains(mv.to())
    }

    /// The key after a move of `M`, the side to move, that takes nothing.
    #[inline(always)]
    pub fn key_after_quiet<M: Mover>(&self, mv: PalaceMove) -> u64 {
        let kind = self.kind_on(mv.from()).index();
        let moved = zobrist::piece(M::SIDE, kind, mv.from()) ^ zobrist::piece(M::SIDE, kind, mv.to());
        self.key ^ moved ^ zobrist::second_to_move()
    }

    /// Moves a piece of `M`, the side to move, takes what stands there, and gives the turn to the other side.
    #[inline(always)]
    pub fn play<M: Mover>(&mut self, mv: PalaceMove) {
        let (from, to) = (mv.from(), mv.to());
        let kind = self.kind_on(from);
        if self.sides[M::Enemy::INDEX].contains(to) {
            let taken = self.kind_on(to);
            self.sides[M::Enemy::INDEX] ^= Set::of(to);
            self.kinds[taken.index()] ^= Set::of(to);
            self.key ^= zobrist::piece(M::Enemy::SIDE, taken.index(), to);
        }
        let both = Set::of(from) | Set::of(to);
        self.sides[M::INDEX] ^= both;
        self.kinds[kind.index()] ^= both;
        if kind == King {
            self.kings[M::INDEX] = to;
        }
        self.key ^= zobrist::piece(M::SIDE, kind.index(), from) ^ zobrist::piece(M::SIDE, kind.index(), to);
        self.key ^= zobrist::second_to_move();
        self.side = M::Enemy::SIDE;
    }
}
