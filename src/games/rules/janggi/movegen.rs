//! Legal moves: listed, counted, or asked for, by one generator.

use std::marker::PhantomData;

use super::{
    PalaceKind::{self, *},
    PalaceMove, PalaceSquare, Set,
    position::Position,
    ruleset::{Facing, Passing},
    tables::{BOARD, LAST_RANKS, PAWN_DIAGONALS, TABLES, place},
    threats::{Moved, Safety},
};
use crate::games::rules::{
    Side,
    mover::{Any, BySide, Flow, MoveSink, Mover},
    palace::{FILE, sink::Targets},
};

impl BySide for Position {
    type Move = PalaceMove;

    #[inline(always)]
    fn side(&self) -> Side {
        self.pieces.side
    }

    #[inline(always)]
    fn generate_as<M: Mover>(&self, sink: &mut impl MoveSink<PalaceMove>) -> Flow {
        Generator::<M>::new(self).run(sink)
    }

    #[inline(always)]
    fn play_as<M: Mover>(&mut self, mv: PalaceMove) {
        self.make::<M>(mv);
    }
}

/// What the moves of one position have in common.
pub(super) struct Generator<'a, M> {
    position: &'a Position,
    own: Set,
    occupied: Set,
    safety: Safety,
    mover: PhantomData<M>,
}

impl<'a, M: Mover> Generator<'a, M> {
    #[inline(always)]
    pub(super) fn new(position: &'a Position) -> Self {
        let (own, occupied) = (position.pieces.sides[M::INDEX], position.pieces.occupied());
        Generator { position, own, occupied, safety: Safety::of::<M>(position), mover: PhantomData }
    }

    #[inline(always)]
    pub(super) fn run(&self, sink: &mut impl Targets) -> Flow {
        if self.position.pass_ended.is_some() {
            return Flow::Continue(());
        }
        self.moves(sink)?;
        let has_to_move = match self.position.rules.passing {
            Passing::UnlessInCheck => false,
            Passing::LastResort => self.moves(&mut Any).is_break(),
        };
        if self.may_pass() && !has_to_move { self.pass(sink) } else { Flow::Continue(()) }
    }

    /// Whether a pass would leave no king in check, or accept that the kings face.
    #[inline(always)]
    fn may_pass(&self) -> bool {
        match self.position.rules.facing {
            Facing::Offer => self.safety.must_hide || !self.safety.check,
            Facing::Check => !self.safety.must_hide,
            Facing::Ignored => !self.safety.check,
        }
    }

    #[inline(always)]
    fn pass(&self, sink: &mut impl Targets) -> Flow {
        let king = self.position.pieces.kings[M::INDEX];
        sink.piece(king, Set::of(king))
    }

    /// Every move but the pass.
    #[inline(always)]
    fn moves(&self, sink: &mut impl Targets) -> Flow {
        self.pieces(sink)?;
        self.pawns(sink)?;
        self.bound(sink)?;
        self.king(sink)
    }

    /// Where a piece of this kind on `from` may go but for threats to the king.
    #[inline(always)]
    fn targets(&self, kind: PalaceKind, from: PalaceSquare) -> Set {
        self.position.reach::<M>(kind, from, self.occupied) & !self.own
    }

    /// The moves of pieces that are not bound, pawns and king apart.
    #[inline(always)]
    fn pieces(&self, sink: &mut impl Targets) -> Flow {
        let free = self.own & !self.safety.bound;
        for kind in [Rook, Cannon, Knight, Bishop, Guard] {
            let safe = if kind == Cannon { self.safety.cannons } else { self.safety.others };
            for from in (self.position.pieces.all(kind) & free).squares() {
                sink.piece(from, self.targets(kind, from) & safe)?;
            }
        }
        Flow::Continue(())
    }

    /// The moves of pawns that are not bound: all pawns at once along the files and ranks.
    #[inline(always)]
    fn pawns(&self, sink: &mut impl Targets) -> Flow {
        let pawns = self.position.pieces.all(Pawn) & self.own & !self.safety.bound;
        let to = self.safety.others & !self.own;
        sink.steps(M::AHEAD, M::ahead(pawns & !LAST_RANKS[M::INDEX]) & to)?;
        sink.steps(FILE as isize, (pawns << FILE) & BOARD & to)?;
        sink.steps(-(FILE as isize), (pawns >> FILE) & to)?;
        for from in (pawns & PAWN_DIAGONALS[M::INDEX]).squares() {
            let ahead = TABLES.diagonal[from.index()] & TABLES.pawn[M::INDEX][from.index()];
            sink.piece(from, ahead & to)?;
        }
        Flow::Continue(())
    }

    /// The moves of pieces whose departure can open an attack on the king.
    #[inline(always)]
    fn bound(&self, sink: &mut impl Targets) -> Flow {
        for from in self.safety.bound.squares() {
            let kind = self.position.pieces.kind_on(from);
            let safe = self.safety.bound_targets::<M>(self.position, from, Moved::of(kind));
            sink.piece(from, self.targets(kind, from) & safe)?;
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn king(&self, sink: &mut impl Targets) -> Flow {
        let king = self.position.pieces.kings[M::INDEX];
        let mut to = self.targets(King, king);
        let without_king = self.occupied & !Set::of(king);
        for square in to.squares() {
            if self.position.is_attacked::<M::Enemy>(square, without_king) || self.shows_king(square) {
                to &= !Set::of(square);
            }
        }
        sink.piece(king, to)
    }

    /// Whether the king may not go to `square` because it would face the enemy's there.
    #[inline(always)]
    fn shows_king(&self, square: PalaceSquare) -> bool {
        let enemy = self.position.pieces.kings[M::Enemy::INDEX];
        self.safety.must_hide
            && square.file() == enemy.file()
            && (TABLES.paths[place(square)][enemy.index()]
                & self.occupied
                & !Set::of(self.position.pieces.kings[M::INDEX]))
            .is_empty()
    }
}

#[cfg(test)]
mod tests {
    use crate::games::rules::{
        GameId,
        janggi::{fen, ruleset::Rules},
        perft::assert_both_count_alike,
    };

    #[test]
    fn both_compilations_count_alike() {
        let middle_game = "r2a3r1/4k1n2/1c1b1a3/bpp1nC3/4pp3/2P1N4/P3BP1PP/3KA2C1/c8/3RANB1R w - - 29 41";
        for &rules in GameId::Janggi.rule_sets() {
            let position = fen::parse(Rules::of(rules), middle_game).expect(middle_game).position;
            assert_both_count_alike(&position, 3);
        }
    }
}
