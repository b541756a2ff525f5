//! Legal moves. What threatens the king is known before, so no move has to be tried.
//!
//! One generator hands the moves over in sets to a [`Sink`], which lists them, counts them or stops at the
//! first: nothing is allocated, and counting makes no moves at all.

use std::marker::PhantomData;

use super::{
    PalaceMove,
    PieceKind::{self, *},
    Set,
    boards::{Black, Board, Mover, Red},
    position::{FILE, Position},
};
use crate::rules::{
    Side,
    palace::{
        lines,
        sink::{Any, Count, Flow, List, Sink},
    },
};

impl<B: Board> Position<B> {
    /// Appends the legal moves.
    pub(super) fn list_moves(&self, moves: &mut Vec<PalaceMove>) {
        let _ = match self.side {
            Side::First => Generator::<B, Red>::new(self).run(&mut List(moves)),
            Side::Second => Generator::<B, Black>::new(self).run(&mut List(moves)),
        };
    }

    /// Whether there is a legal move.
    pub(super) fn has_move(&self) -> bool {
        let flow = match self.side {
            Side::First => Generator::<B, Red>::new(self).run(&mut Any),
            Side::Second => Generator::<B, Black>::new(self).run(&mut Any),
        };
        flow.is_break()
    }

    /// How many legal moves there are for `M`, the side to move.
    #[inline(always)]
    pub(super) fn count_moves<M: Mover>(&self) -> u64 {
        let mut count = Count(0);
        let _ = Generator::<B, M>::new(self).run(&mut count);
        count.0
    }
}

/// What the moves of one position have in common.
struct Generator<'a, B: Board, M> {
    position: &'a Position<B>,
    own: Set,
    occupied: Set,
    /// Where pieces may go that neither are the king nor shield it.
    to: Set,
    /// Those pieces.
    free: Set,
    mover: PhantomData<M>,
}

impl<'a, B: Board, M: Mover> Generator<'a, B, M> {
    #[inline(always)]
    fn new(position: &'a Position<B>) -> Self {
        let own = position.sides[M::INDEX];
        let to = position.threats.answers & !own;
        let free = own & !position.threats.shields;
        Generator { position, own, occupied: position.occupied(), to, free, mover: PhantomData }
    }

    #[inline(always)]
    fn run(&self, sink: &mut impl Sink) -> Flow {
        if self.position.is_bare() {
            return Flow::Continue(());
        }
        if !self.to.is_empty() {
            self.pawns(sink)?;
            self.pieces(sink)?;
        }
        self.shields(sink)?;
        self.king(sink)
    }

    #[inline(always)]
    fn pawns(&self, sink: &mut impl Sink) -> Flow {
        let pawns = self.free & self.position.kinds[Pawn.index()];
        let across = pawns & B::TABLES.crossed(M::SIDE);
        sink.steps(M::AHEAD, M::ahead(pawns) & self.to & B::TABLES.ahead(M::SIDE))?;
        sink.steps(FILE as i8, (across << FILE) & self.to)?;
        sink.steps(-(FILE as i8), (across >> FILE) & self.to)
    }

    #[inline(always)]
    fn pieces(&self, sink: &mut impl Sink) -> Flow {
        let tables = B::TABLES;
        let free = |kind: PieceKind| (self.free & self.position.kinds[kind.index()]).squares();
        for from in free(Rook) {
            sink.piece(from, lines::rook(from, self.occupied) & self.to)?;
        }
        for from in free(Cannon) {
            sink.piece(from, lines::cannon(from, self.occupied) & self.to)?;
        }
        for from in free(Knight) {
            sink.piece(from, tables.knight(from, self.occupied) & self.to)?;
        }
        for from in free(Bishop) {
            sink.piece(from, tables.bishop(from, self.occupied) & self.to)?;
        }
        for from in free(Guard) {
            sink.piece(from, tables.guard(from) & self.to)?;
        }
        Flow::Continue(())
    }

    /// The moves of the pieces that shield the king: each asks the attackers what they allow without it.
    #[inline(always)]
    fn shields(&self, sink: &mut impl Sink) -> Flow {
        for from in self.position.threats.shields.squares() {
            let kind = self.position.kind_on(from);
            let threats = self.position.threats_to::<M>(self.occupied ^ Set::of(from));
            sink.piece(from, self.position.targets::<M>(kind, from) & threats.answers)?;
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn king(&self, sink: &mut impl Sink) -> Flow {
        let (position, tables) = (self.position, B::TABLES);
        let king = position.kings[M::INDEX];
        let enemy = position.sides[M::Enemy::INDEX];
        let close = position.kinds[Knight.index()] | position.kinds[Pawn.index()];
        // The king does not shield the squares behind it.
        let occupied = self.occupied ^ Set::of(king);
        let mut to = tables.king(king) & !self.own;
        if !(tables.near_king(M::SIDE, king) & enemy & close).is_empty() {
            for square in to.squares() {
                if position.is_attacked_closely::<M::Enemy>(square, occupied) {
                    to ^= Set::of(square);
                }
            }
        }
        for square in to.squares() {
            if position.is_attacked_from_afar::<M::Enemy>(square, occupied) {
                to ^= Set::of(square);
            }
        }
        sink.piece(king, to)
    }
}
