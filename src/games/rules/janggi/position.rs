//! A position without its history: the pieces, whose turn it is, and whether the last ply passed.

use super::{
    PalaceKind::{self, *},
    PalaceMove, PalaceSquare, Set, attacks,
    piece::POINTS,
    ruleset::{Facing, Rules},
    tables::{TABLES, place},
};
use crate::games::rules::{
    Side,
    mover::{First, Mover, Second},
    palace::Pieces,
};

/// Pieces and side to move, and what the position alone tells of the last plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) pieces: Pieces,
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

impl Position {
    /// A position after no pass.
    pub(super) fn new(pieces: Pieces, rules: &'static Rules) -> Self {
        Position { pieces, rules, passed: false, pass_ended: None }
    }

    /// Plays a legal move of `M`, the side to move.
    #[inline(always)]
    pub(super) fn make<M: Mover>(&mut self, mv: PalaceMove) {
        if mv.is_pass() {
            self.pass();
        } else {
            self.pieces.play::<M>(mv);
            self.passed = false;
        }
    }

    /// What the pieces of `side` count.
    pub(super) fn points(&self, side: Side) -> u32 {
        PalaceKind::ALL
            .into_iter()
            .map(|kind| POINTS[kind.index()] * self.pieces.of(side, kind).count())
            .sum()
    }

    /// Whether the kings stand on a file with nothing between them.
    #[inline(always)]
    pub(super) fn kings_face(&self) -> bool {
        self.pieces.kings[0].file() == self.pieces.kings[1].file() && self.between_kings().is_empty()
    }

    /// The pieces between kings on one file.
    #[inline(always)]
    pub(super) fn between_kings(&self) -> Set {
        TABLES.paths[place(self.pieces.kings[0])][self.pieces.kings[1].index()] & self.pieces.occupied()
    }

    /// Whether the side to move is in check, by facing kings too where they are one.
    pub(super) fn is_check(&self) -> bool {
        let attacked = match self.pieces.side {
            Side::First => self.is_attacked::<Second>(self.pieces.kings[0], self.pieces.occupied()),
            Side::Second => self.is_attacked::<First>(self.pieces.kings[1], self.pieces.occupied()),
        };
        attacked || self.rules.facing == Facing::Check && self.kings_face()
    }

    /// Whether a piece of `A` attacks `square`, a point of the other side's palace, if `occupied` are the
    /// occupied points.
    #[inline(always)]
    pub(super) fn is_attacked<A: Mover>(&self, square: PalaceSquare, occupied: Set) -> bool {
        let row = place(square);
        let paths = &TABLES.paths[row];
        let cannons = TABLES.lines[row] & self.pieces.of(A::SIDE, Cannon);
        self.straight_attackers::<A>(row)
            .squares()
            .any(|source| (paths[source.index()] & occupied).is_empty())
            || cannons.squares().any(|source| self.is_screen(paths[source.index()] & occupied))
    }

    /// The pieces of `A` that would attack the palace point of the row if nothing stood in their way.
    #[inline(always)]
    pub(super) fn straight_attackers<A: Mover>(&self, row: usize) -> Set {
        let pieces = (TABLES.knights[row] & self.pieces.all(Knight))
            | (TABLES.bishops[row] & self.pieces.all(Bishop))
            | (TABLES.lines[row] & self.pieces.all(Rook))
            | (TABLES.pawns[row] & self.pieces.all(Pawn));
        pieces & self.pieces.sides[A::INDEX]
    }

    /// Whether a cannon may jump what stands between: one piece that is no cannon.
    #[inline(always)]
    pub(super) fn is_screen(&self, between: Set) -> bool {
        !between.is_empty() && !between.is_several() && (between & self.pieces.all(Cannon)).is_empty()
    }

    /// Where a piece of `M` of this kind could go from `from`, own pieces not excluded.
    #[inline(always)]
    pub(super) fn reach<M: Mover>(&self, kind: PalaceKind, from: PalaceSquare, occupied: Set) -> Set {
        let cannons = self.pieces.all(Cannon);
        match kind {
            King | Guard => TABLES.steps[place(from)],
            Bishop => attacks::bishop(from, occupied),
            Knight => attacks::knight(from, occupied),
            Rook => attacks::rook(from, occupied),
            Cannon => attacks::cannon(from, occupied, cannons) & !cannons,
            Pawn => TABLES.pawn[M::INDEX][from.index()],
        }
    }

    /// The points that the pieces of `M` reach, own pieces not excluded.
    pub(super) fn attacks<M: Mover>(&self) -> Set {
        let occupied = self.pieces.occupied();
        self.pieces.reached(M::SIDE, |kind, from| self.reach::<M>(kind, from, occupied))
    }

    fn pass(&mut self) {
        self.pass_ended = if self.offers_bikjang() {
            Some(PassEnd::Bikjang)
        } else {
            self.passed.then_some(PassEnd::DoublePass)
        };
        self.passed = true;
        self.pieces.pass();
    }

    /// Whether the kings face and a pass would accept that: the only ply that may leave a king in check.
    pub(super) fn offers_bikjang(&self) -> bool {
        self.rules.facing == Facing::Offer && self.kings_face()
    }
}
