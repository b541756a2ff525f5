//! Legal moves. What threatens the king is known before, so no move has to be tried.
//!
//! One generator hands the moves over in sets to a sink, which lists them, counts them or stops at the
//! first: nothing is allocated, and counting makes no moves at all.

use std::marker::PhantomData;

use super::{
    PalaceKind::{self, *},
    PalaceMove, Set,
    boards::XiangqiBoard,
    position::Position,
};
use crate::games::rules::{
    Side,
    mover::{BySide, Flow, MoveSink, Mover},
    palace::{FILE, lines, sink::Targets},
};

impl<B: XiangqiBoard> BySide for Position<B> {
    type Move = PalaceMove;

    #[inline(always)]
    fn side(&self) -> Side {
        self.pieces.side
    }

    #[inline(always)]
    fn generate_as<M: Mover>(&self, sink: &mut impl MoveSink<PalaceMove>) -> Flow {
        Generator::<B, M>::new(self).run(sink)
    }

    #[inline(always)]
    fn play_as<M: Mover>(&mut self, mv: PalaceMove) {
        self.make::<M>(mv);
    }
}

/// What the moves of one position have in common.
pub(super) struct Generator<'a, B: XiangqiBoard, M> {
    position: &'a Position<B>,
    own: Set,
    occupied: Set,
    /// Where pieces may go that neither are the king nor shield it.
    to: Set,
    /// Those pieces.
    free: Set,
    mover: PhantomData<M>,
}

impl<'a, B: XiangqiBoard, M: Mover> Generator<'a, B, M> {
    #[inline(always)]
    pub(super) fn new(position: &'a Position<B>) -> Self {
        let own = position.pieces.sides[M::INDEX];
        let to = position.threats.answers & !own;
        let free = own & !position.threats.shields;
        Generator { position, own, occupied: position.pieces.occupied(), to, free, mover: PhantomData }
    }

    #[inline(always)]
    pub(super) fn run(&self, sink: &mut impl Targets) -> Flow {
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
    fn pawns(&self, sink: &mut impl Targets) -> Flow {
        let pawns = self.free & self.position.pieces.all(Pawn);
        let across = pawns & B::TABLES.crossed(M::SIDE);
        sink.steps(M::AHEAD, M::ahead(pawns) & self.to & B::TABLES.ahead(M::SIDE))?;
        sink.steps(FILE as isize, (across << FILE) & self.to)?;
        sink.steps(-(FILE as isize), (across >> FILE) & self.to)
    }

    #[inline(always)]
    fn pieces(&self, sink: &mut impl Targets) -> Flow {
        let tables = B::TABLES;
        let free = |kind: PalaceKind| (self.free & self.position.pieces.all(kind)).squares();
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
    fn shields(&self, sink: &mut impl Targets) -> Flow {
        for from in self.position.threats.shields.squares() {
            let kind = self.position.pieces.kind_on(from);
            let threats = self.position.threats_to::<M>(self.occupied ^ Set::of(from));
            sink.piece(from, self.position.targets::<M>(kind, from) & threats.answers)?;
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn king(&self, sink: &mut impl Targets) -> Flow {
        let (position, tables) = (self.position, B::TABLES);
        let king = position.pieces.kings[M::INDEX];
        let enemy = position.pieces.sides[M::Enemy::INDEX];
        let close = position.pieces.all(Knight) | position.pieces.all(Pawn);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::{
        perft::assert_both_count_alike,
        xiangqi::{
            boards::{NineByTen, SevenBySeven},
            fen,
            ruleset::Rules,
        },
    };

    fn compare<B: XiangqiBoard>(text: &str, depth: u32) {
        let position = fen::parse::<B>(Rules::of(B::ID.rule_sets()[0]), text).expect(text).position;
        assert_both_count_alike(&position, depth);
    }

    #[test]
    fn both_compilations_count_alike() {
        compare::<NineByTen>("1nbakabn1/8r/r3c4/p1p1p3p/6pR1/1C7/P1P3P1c/1C4N2/9/RNBAKAB2 w - - 0 1", 3);
        compare::<NineByTen>("3a2b2/P2kr4/9/9/9/2B6/9/3C5/4An1p1/N2K2c2 b - - 0 1", 3);
        compare::<SevenBySeven>(SevenBySeven::START, 4);
    }
}
