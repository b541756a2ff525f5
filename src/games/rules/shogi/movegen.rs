//! Legal moves. Pins and checks are known before, so no move has to be tried.
//!
//! One generator hands the moves over in sets to a sink, which lists them, counts them or stops at the
//! first: nothing is allocated, and counting makes no moves at all.

use std::marker::PhantomData;

use super::{ShogiKind, ShogiMove, ShogiSquare, boards::ShogiBoard, mate, position::Position, square::Bits};
use crate::games::rules::{
    Side,
    mover::{BySide, Flow, MoveSink, Mover},
};

use ShogiKind::*;

/// A sink that takes moves as sets of targets, which may be empty.
pub(super) trait Targets: MoveSink<ShogiMove> {
    /// The piece on `from` may go to `plain` without promotion and to `promoting` with it.
    #[inline(always)]
    fn piece<T: Bits>(&mut self, from: ShogiSquare, plain: T, promoting: T) -> Flow {
        self.put(promoting.count(), promoting.squares().map(|to| ShogiMove::promoting(from, to)))?;
        self.put(plain.count(), plain.squares().map(|to| ShogiMove::plain(from, to)))
    }

    /// The same for all pawns of `M` at once, each coming from the square behind its target.
    #[inline(always)]
    fn pawns<M: Mover, T: Bits>(&mut self, plain: T, promoting: T) -> Flow {
        self.put(promoting.count(), promoting.squares().map(|to| ShogiMove::promoting(behind::<M>(to), to)))?;
        self.put(plain.count(), plain.squares().map(|to| ShogiMove::plain(behind::<M>(to), to)))
    }

    /// `kind` may be dropped on each of `to`.
    #[inline(always)]
    fn drops<T: Bits>(&mut self, kind: ShogiKind, to: T) -> Flow {
        self.put(to.count(), to.squares().map(|to| ShogiMove::drop(kind, to)))
    }
}

impl<S: MoveSink<ShogiMove>> Targets for S {}

/// The square behind `square`, as `M` sees it.
#[inline(always)]
fn behind<M: Mover>(square: ShogiSquare) -> ShogiSquare {
    ShogiSquare::from_index(square.index().wrapping_add_signed(-M::AHEAD))
}

impl<B: ShogiBoard> BySide for Position<B> {
    type Move = ShogiMove;

    #[inline(always)]
    fn side(&self) -> Side {
        self.side
    }

    #[inline(always)]
    fn generate_as<M: Mover>(&self, sink: &mut impl MoveSink<ShogiMove>) -> Flow {
        Generator::<B, M>::new(self).run(sink)
    }

    #[inline(always)]
    fn play_as<M: Mover>(&mut self, mv: ShogiMove) {
        self.make::<M>(mv);
    }
}

/// What the moves of one position have in common.
pub(super) struct Generator<'a, B: ShogiBoard, M> {
    position: &'a Position<B>,
    own: B::Bits,
    occupied: B::Bits,
    /// Where a piece other than the king may go, as far as a check allows, own pieces included.
    answers: B::Bits,
    mover: PhantomData<M>,
}

impl<'a, B: ShogiBoard, M: Mover> Generator<'a, B, M> {
    #[inline(always)]
    pub(super) fn new(position: &'a Position<B>) -> Self {
        let checkers = position.checkers;
        let answers = if checkers.is_empty() {
            B::TABLES.board
        } else if checkers.is_several() {
            B::Bits::EMPTY
        } else {
            let king = position.kings[M::INDEX].index();
            checkers | B::TABLES.between[king][checkers.first().index()]
        };
        let own = position.sides[M::INDEX];
        Generator { position, own, occupied: position.occupied(), answers, mover: PhantomData }
    }

    #[inline(always)]
    pub(super) fn run(&self, sink: &mut impl Targets) -> Flow {
        if !self.answers.is_empty() {
            self.pawns(sink)?;
            self.pieces(sink)?;
            self.pinned(sink)?;
            self.drops(sink)?;
        }
        self.king(sink)
    }

    /// Hands over moves of the piece on `from`, which promotes in the zone and must where it would be `dead`.
    #[inline(always)]
    fn promotable(&self, from: ShogiSquare, to: B::Bits, dead: B::Bits, sink: &mut impl Targets) -> Flow {
        let zone = B::TABLES.zone[M::INDEX];
        let promoting = if (zone & B::Bits::of(from)).is_empty() { to & zone } else { to };
        sink.piece(from, to & !dead, promoting)
    }

    #[inline(always)]
    fn pawns(&self, sink: &mut impl Targets) -> Flow {
        // On the last rank, where only composed positions have one, a pawn has no square ahead.
        let free = self.own & !self.position.pinned & !B::TABLES.last_rank[M::INDEX];
        let to = M::ahead(self.position.unpromoted(Pawn) & free) & self.answers & !self.own;
        sink.pawns::<M, _>(to & !B::TABLES.last_rank[M::INDEX], to & B::TABLES.zone[M::INDEX])
    }

    /// The moves of pieces that are not pinned, pawns and king apart.
    #[inline(always)]
    fn pieces(&self, sink: &mut impl Targets) -> Flow {
        let (position, tables) = (self.position, B::TABLES);
        let to = self.answers & !self.own;
        let free = self.own & !position.pinned;
        let attacks = |kind, from| Position::<B>::attacks::<M>(kind, from, self.occupied) & to;

        for from in (position.unpromoted(Lance) & free).squares() {
            self.promotable(from, attacks(Lance, from), tables.last_rank[M::INDEX], sink)?;
        }
        for from in (position.unpromoted(Knight) & free).squares() {
            self.promotable(from, attacks(Knight, from), tables.last_ranks[M::INDEX], sink)?;
        }
        for from in (position.unpromoted(Silver) & free).squares() {
            self.promotable(from, attacks(Silver, from), B::Bits::EMPTY, sink)?;
        }
        for from in (position.unpromoted(Bishop) & free).squares() {
            self.promotable(from, attacks(Bishop, from), B::Bits::EMPTY, sink)?;
        }
        for from in (position.unpromoted(Rook) & free).squares() {
            self.promotable(from, attacks(Rook, from), B::Bits::EMPTY, sink)?;
        }
        for from in (position.golds() & free).squares() {
            sink.piece(from, attacks(Gold, from), B::Bits::EMPTY)?;
        }
        let promoted = position.promoted & free;
        for from in (position.kinds[Bishop.index()] & promoted).squares() {
            sink.piece(from, attacks(Horse, from), B::Bits::EMPTY)?;
        }
        for from in (position.kinds[Rook.index()] & promoted).squares() {
            sink.piece(from, attacks(Dragon, from), B::Bits::EMPTY)?;
        }
        Flow::Continue(())
    }

    /// The moves of pinned pieces: along their pin. None answers a check.
    #[inline(always)]
    fn pinned(&self, sink: &mut impl Targets) -> Flow {
        let position = self.position;
        if position.pinned.is_empty() || !position.checkers.is_empty() {
            return Flow::Continue(());
        }
        let king = position.kings[M::INDEX];
        for slider in position.sliders_on_line::<M::Enemy>(king).squares() {
            let line = B::TABLES.between[king.index()][slider.index()];
            let shield = line & self.occupied;
            if !(shield & position.pinned).is_empty() && !shield.is_several() {
                let from = shield.first();
                let kind = position.kind_on(from);
                let to = Position::<B>::attacks::<M>(kind, from, self.occupied) & !self.own;
                let to = to & (line | B::Bits::of(slider));
                match kind.promoted() {
                    Some(_) => self.promotable(from, to, self.dead(kind), sink)?,
                    None => sink.piece(from, to, B::Bits::EMPTY)?,
                }
            }
        }
        Flow::Continue(())
    }

    /// Where an unpromoted piece could never move again.
    #[inline(always)]
    fn dead(&self, kind: ShogiKind) -> B::Bits {
        match kind {
            Pawn | Lance => B::TABLES.last_rank[M::INDEX],
            Knight => B::TABLES.last_ranks[M::INDEX],
            _ => B::Bits::EMPTY,
        }
    }

    #[inline(always)]
    fn drops(&self, sink: &mut impl Targets) -> Flow {
        let hand = &self.position.hands[M::INDEX];
        if hand.is_empty() {
            return Flow::Continue(());
        }
        let empty = self.answers & !self.occupied;
        for kind in ShogiKind::HAND {
            if hand.count(kind) == 0 {
                continue;
            }
            let mut to = empty & !self.dead(kind);
            if kind == Pawn {
                to = self.without_pawn_drop_mate(to & self.files_without_pawn());
            }
            sink.drops(kind, to)?;
        }
        Flow::Continue(())
    }

    /// The files on which the mover has no unpromoted pawn.
    #[inline(always)]
    fn files_without_pawn(&self) -> B::Bits {
        let top = B::TABLES.top;
        // Pawns below the top are together less than the top bit of their file. So in every file the subtraction keeps
        // that bit only where there are none, and borrows nothing from the next file.
        let pawns = self.position.unpromoted(Pawn) & self.own;
        let free = top.minus(pawns & !top) & top & !pawns;
        free | free.minus(free >> (u32::from(B::RANKS) - 1))
    }

    /// Takes away the square on which a pawn would mate (uchifuzume).
    #[inline(always)]
    fn without_pawn_drop_mate(&self, to: B::Bits) -> B::Bits {
        let enemy_king = self.position.kings[M::Enemy::INDEX];
        let check = B::TABLES.pawn[M::Enemy::INDEX][enemy_king.index()] & to;
        if !check.is_empty() && mate::pawn_drop_mates::<B, M>(self.position, check.first()) {
            return to & !check;
        }
        to
    }

    #[inline(always)]
    fn king(&self, sink: &mut impl Targets) -> Flow {
        let king = self.position.kings[M::INDEX];
        let mut to = B::TABLES.king[king.index()] & !self.own;
        if self.position.is_enemy_near::<M>(king) {
            for square in to.squares() {
                if self.position.is_step_attacked::<M::Enemy>(square) {
                    to &= !B::Bits::of(square);
                }
            }
        }
        if self.position.is_slider_near::<M>(king) {
            // A slider that gives check also attacks the squares behind the king.
            let occupied = self.occupied & !B::Bits::of(king);
            for square in to.squares() {
                if self.position.slider_attacks::<M::Enemy>(square, occupied) {
                    to &= !B::Bits::of(square);
                }
            }
        }
        sink.piece(king, to, B::Bits::EMPTY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::{
        perft::assert_both_count_alike,
        shogi::{
            boards::{FiveByFive, NineByNine},
            fen,
        },
    };

    fn compare<B: ShogiBoard>(text: &str, depth: u32) {
        assert_both_count_alike(&fen::parse::<B>(text).expect(text).position, depth);
    }

    #[test]
    fn both_compilations_count_alike() {
        compare::<NineByNine>("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 3);
        compare::<NineByNine>(
            "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L b Sbgn3p 1",
            2,
        );
        compare::<FiveByFive>(FiveByFive::START, 4);
    }
}
