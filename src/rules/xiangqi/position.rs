//! A position without its history: pieces, whose turn it is, and what threatens the king.

use std::marker::PhantomData;

use super::{
    PalaceMove, PieceKind, Set, Square,
    boards::{Black, Board, Mover, Red},
    piece::KINDS,
    ruleset::Rules,
    threats::Threats,
};
use crate::rules::{
    Side,
    palace::{STRIDE, lines, zobrist},
};

use PieceKind::*;

/// Pieces and side to move, with what follows from them and is needed at every turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position<B: Board> {
    /// The squares of each side's pieces.
    pub(super) sides: [Set; 2],
    /// The squares of each kind, of both sides.
    pub(super) kinds: [Set; KINDS],
    /// What the enemy threatens the king of the side to move with.
    pub(super) threats: Threats,
    pub(super) kings: [Square; 2],
    pub(super) side: Side,
    pub(super) key: u64,
    pub(super) rules: &'static Rules,
    board: PhantomData<B>,
}

impl<B: Board> Position<B> {
    /// A position of these pieces, one king of each side among them.
    pub(super) fn new(pieces: &[(Side, PieceKind, Square)], side: Side, rules: &'static Rules) -> Self {
        let mut position = Position {
            sides: [Set::EMPTY; 2],
            kinds: [Set::EMPTY; KINDS],
            threats: Threats::none::<B>(),
            kings: [Square::new(0, 0); 2],
            side,
            key: if side == Side::Second { zobrist::second_to_move() } else { 0 },
            rules,
            board: PhantomData,
        };
        for &(side, kind, square) in pieces {
            position.sides[side.index()] |= Set::of(square);
            position.kinds[kind.index()] |= Set::of(square);
            position.key ^= zobrist::piece(side, kind.index(), square);
            if kind == King {
                position.kings[side.index()] = square;
            }
        }
        position.threats = match side {
            Side::First => position.threats_to::<Red>(position.occupied()),
            Side::Second => position.threats_to::<Black>(position.occupied()),
        };
        position
    }

    /// Every occupied square.
    #[inline(always)]
    pub(super) fn occupied(&self) -> Set {
        self.sides[0] | self.sides[1]
    }

    /// The piece on an occupied square.
    #[inline(always)]
    pub(super) fn kind_on(&self, square: Square) -> PieceKind {
        for kind in [Pawn, Rook, Cannon, Knight, Bishop, Guard] {
            if self.kinds[kind.index()].contains(square) {
                return kind;
            }
        }
        King
    }

    /// The piece on `square`, if there is one.
    pub(super) fn piece_on(&self, square: Square) -> Option<(Side, PieceKind)> {
        let side = [Side::First, Side::Second].into_iter();
        let side = side.into_iter().find(|side| self.sides[side.index()].contains(square))?;
        Some((side, self.kind_on(square)))
    }

    /// Whether a move takes a piece.
    pub(super) fn is_capture(&self, mv: PalaceMove) -> bool {
        self.occupied().contains(mv.to())
    }

    /// Whether the game is over because no rook, knight, cannon or pawn is left (X11).
    #[inline(always)]
    pub(super) fn is_bare(&self) -> bool {
        let attackers = [Rook, Knight, Cannon, Pawn];
        self.rules.bare_attackers_draw && attackers.iter().all(|kind| self.kinds[kind.index()].is_empty())
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, mv: PalaceMove) {
        match self.side {
            Side::First => self.play_as::<Red>(mv),
            Side::Second => self.play_as::<Black>(mv),
        }
    }

    /// Plays a legal move of `M`, the side to move.
    #[inline(always)]
    pub(super) fn play_as<M: Mover>(&mut self, mv: PalaceMove) {
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
        self.threats = self.threats_to::<M::Enemy>(self.occupied());
    }

    /// Where a piece of `M` of this kind may go from `from`, if its king were safe.
    #[inline(always)]
    pub(super) fn targets<M: Mover>(&self, kind: PieceKind, from: Square) -> Set {
        let (tables, occupied) = (B::TABLES, self.occupied());
        let reached = match kind {
            King => tables.king(from),
            Guard => tables.guard(from),
            Bishop => tables.bishop(from, occupied),
            Knight => tables.knight(from, occupied),
            Rook => lines::rook(from, occupied),
            Cannon => lines::cannon(from, occupied),
            Pawn => {
                let pawn = Set::of(from);
                let across = pawn & tables.crossed(M::SIDE);
                M::ahead(pawn) & tables.ahead(M::SIDE) | across << FILE | across >> FILE
            }
        };
        reached & tables.board() & !self.sides[M::INDEX]
    }
}

/// From a square to the one to its right.
pub(super) const FILE: u32 = STRIDE as u32;
