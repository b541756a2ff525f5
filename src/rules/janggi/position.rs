//! A position without its history: the pieces, whose turn it is, and whether the last ply passed.

use super::{
    PalaceMove, PieceKind, Set, Square,
    mover::{Cho, Han, Mover},
    ruleset::{Facing, Rules},
    tables::{TABLES, place},
};
use crate::rules::{Side, palace::zobrist};

/// Pieces and side to move, and what the position alone tells of the last plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// The points of each side's pieces.
    pub(super) sides: [Set; 2],
    /// The points of each kind, of both sides.
    pub(super) kinds: [Set; PieceKind::ALL.len()],
    pub(super) kings: [Square; 2],
    pub(super) side: Side,
    pub(super) key: u64,
    pub(super) rules: &'static Rules,
    /// Whether the last ply was a pass.
    pub(super) passed: bool,
    /// Whether that pass ended the game.
    pub(super) pass_ended: Option<PassEnd>,
}

/// How a pass can end the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PassEnd {
    /// It left the kings facing.
    Bikjang,
    /// The ply before was a pass too.
    DoublePass,
}

use PieceKind::*;

impl Position {
    /// A board without pieces, on which the kings still have to be put.
    pub(super) fn empty(rules: &'static Rules) -> Self {
        Position {
            sides: [Set::EMPTY; 2],
            kinds: [Set::EMPTY; PieceKind::ALL.len()],
            kings: [Square::new(4, 1), Square::new(4, 8)],
            side: Side::First,
            key: 0,
            rules,
            passed: false,
            pass_ended: None,
        }
    }

    /// Puts a piece on an empty point.
    pub(super) fn put(&mut self, side: Side, kind: PieceKind, square: Square) {
        let point = Set::of(square);
        self.sides[side.index()] |= point;
        self.kinds[kind.index()] |= point;
        if kind == King {
            self.kings[side.index()] = square;
        }
        self.key ^= zobrist::piece(side, kind.index(), square);
    }

    /// Gives the turn to `side`.
    pub(super) fn set_side_to_move(&mut self, side: Side) {
        if side != self.side {
            self.key ^= zobrist::second_to_move();
            self.side = side;
        }
    }

    /// Every occupied point.
    #[inline(always)]
    pub(super) fn occupied(&self) -> Set {
        self.sides[0] | self.sides[1]
    }

    /// The pieces of `kind` that `M` has.
    #[inline(always)]
    pub(super) fn of<M: Mover>(&self, kind: PieceKind) -> Set {
        self.kinds[kind.index()] & self.sides[M::INDEX]
    }

    /// The pieces of `kind` that `side` has.
    pub(super) fn pieces_of(&self, side: Side, kind: PieceKind) -> Set {
        self.kinds[kind.index()] & self.sides[side.index()]
    }

    /// The kind of the piece on an occupied point.
    #[inline(always)]
    pub(super) fn kind_on(&self, square: Square) -> PieceKind {
        let point = Set::of(square);
        for kind in [Pawn, Rook, Cannon, Knight, Bishop, Guard] {
            if !(self.kinds[kind.index()] & point).is_empty() {
                return kind;
            }
        }
        King
    }

    /// The piece on `square`, if there is one.
    pub(super) fn piece_on(&self, square: Square) -> Option<(Side, PieceKind)> {
        let point = Set::of(square);
        let side =
            [Side::First, Side::Second].into_iter().find(|s| !(self.sides[s.index()] & point).is_empty())?;
        Some((side, self.kind_on(square)))
    }

    /// What the pieces of `side` count.
    pub(super) fn points(&self, side: Side) -> u32 {
        PieceKind::ALL.into_iter().map(|kind| kind.points() * self.pieces_of(side, kind).count()).sum()
    }

    /// Whether the kings stand on a file with nothing between them.
    #[inline(always)]
    pub(super) fn kings_face(&self) -> bool {
        self.kings[0].file() == self.kings[1].file() && self.between_kings().is_empty()
    }

    /// The pieces between kings on one file.
    #[inline(always)]
    fn between_kings(&self) -> Set {
        TABLES.paths[place(self.kings[0])][self.kings[1].index()] & self.occupied()
    }

    /// Whether the side to move is in check, by facing kings too where they are one.
    pub(super) fn is_check(&self) -> bool {
        let attacked = match self.side {
            Side::First => self.is_attacked::<Han>(self.kings[0], self.occupied()),
            Side::Second => self.is_attacked::<Cho>(self.kings[1], self.occupied()),
        };
        attacked || self.rules.facing == Facing::Check && self.kings_face()
    }

    /// Whether a piece of `A` attacks `square`, a point of the other side's palace, if `occupied` are the
    /// occupied points.
    #[inline(always)]
    pub(super) fn is_attacked<A: Mover>(&self, square: Square, occupied: Set) -> bool {
        let row = place(square);
        let paths = &TABLES.paths[row];
        let cannons = TABLES.lines[row] & self.of::<A>(Cannon);
        self.straight_attackers::<A>(row)
            .squares()
            .any(|source| (paths[source.index()] & occupied).is_empty())
            || cannons.squares().any(|source| self.is_screen(paths[source.index()] & occupied))
    }

    /// The pieces of `A` that would attack the palace point of the row if nothing stood in their way.
    #[inline(always)]
    pub(super) fn straight_attackers<A: Mover>(&self, row: usize) -> Set {
        let pieces = (TABLES.knights[row] & self.kinds[Knight.index()])
            | (TABLES.bishops[row] & self.kinds[Bishop.index()])
            | (TABLES.lines[row] & self.kinds[Rook.index()])
            | (TABLES.pawns[row] & self.kinds[Pawn.index()]);
        pieces & self.sides[A::INDEX]
    }

    /// Whether a cannon may jump what stands between: one piece that is no cannon.
    #[inline(always)]
    pub(super) fn is_screen(&self, between: Set) -> bool {
        !between.is_empty() && !between.is_several() && (between & self.kinds[Cannon.index()]).is_empty()
    }

    /// Whether a move takes a piece.
    pub(super) fn is_capture(&self, mv: PalaceMove) -> bool {
        !mv.is_pass() && !(self.occupied() & Set::of(mv.to())).is_empty()
    }

    /// Plays a legal move.
    pub(super) fn play(&mut self, mv: PalaceMove) {
        match self.side {
            Side::First => self.play_as::<Cho>(mv),
            Side::Second => self.play_as::<Han>(mv),
        }
    }

    /// Plays a legal move of `M`, the side to move.
    #[inline(always)]
    pub(super) fn play_as<M: Mover>(&mut self, mv: PalaceMove) {
        if mv.is_pass() {
            self.pass();
        } else {
            let target = Set::of(mv.to());
            if !(self.sides[M::Enemy::INDEX] & target).is_empty() {
                let kind = self.kind_on(mv.to());
                self.kinds[kind.index()] ^= target;
                self.sides[M::Enemy::INDEX] ^= target;
                self.key ^= zobrist::piece(M::Enemy::SIDE, kind.index(), mv.to());
            }
            self.shift::<M>(mv.from(), mv.to());
            self.passed = false;
        }
        self.key ^= zobrist::second_to_move();
        self.side = M::Enemy::SIDE;
    }

    fn pass(&mut self) {
        if !self.accept_facing() {
            self.pass_ended = self.passed.then_some(PassEnd::DoublePass);
            self.passed = true;
        }
    }

    /// Ends the game as by a pass, if the kings face and that is an offer; else tells that it does not.
    ///
    /// Such a pass is the only ply that may leave a king in check.
    pub(super) fn accept_facing(&mut self) -> bool {
        let accepts = self.rules.facing == Facing::Offer && self.kings_face();
        if accepts {
            self.passed = true;
            self.pass_ended = Some(PassEnd::Bikjang);
        }
        accepts
    }

    /// Moves a piece of `M` to an empty point.
    #[inline(always)]
    fn shift<M: Mover>(&mut self, from: Square, to: Square) {
        let both = Set::of(from) | Set::of(to);
        let kind = self.kind_on(from);
        self.kinds[kind.index()] ^= both;
        self.sides[M::INDEX] ^= both;
        if kind == King {
            self.kings[M::INDEX] = to;
        }
        self.key ^= zobrist::piece(M::SIDE, kind.index(), from) ^ zobrist::piece(M::SIDE, kind.index(), to);
    }
}
