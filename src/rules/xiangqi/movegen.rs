//! Legal moves. What threatens the king is known before, so no move has to be tried.
//!
//! One generator hands the moves over in sets to a [`Sink`], which lists them, counts them or stops at the
//! first: nothing is allocated, and counting makes no moves at all.

use std::{marker::PhantomData, ops::ControlFlow};

use super::{
    PieceKind::{self, *},
    Set, Square, XiangqiMove,
    boards::{Black, Board, Mover, Red},
    position::{FILE, Position},
};
use crate::rules::{Side, palace::lines};

/// Whether the sink wants more moves.
type Flow = ControlFlow<()>;

/// Takes legal moves, a set of target squares at a time. Sets may be empty.
trait Sink {
    /// The piece on `from` may go to each of `to`.
    fn piece(&mut self, from: Square, to: Set) -> Flow;

    /// To each of `to` a piece may go from the square `step` before it.
    fn steps(&mut self, step: i8, to: Set) -> Flow;
}

/// Appends the legal moves to a list.
struct List<'a>(&'a mut Vec<XiangqiMove>);

impl Sink for List<'_> {
    #[inline(always)]
    fn piece(&mut self, from: Square, to: Set) -> Flow {
        self.0.extend(to.squares().map(|to| XiangqiMove::new(from, to)));
        Flow::Continue(())
    }

    #[inline(always)]
    fn steps(&mut self, step: i8, to: Set) -> Flow {
        let from = |to: Square| Square::from_index(to.index().wrapping_add_signed(-isize::from(step)));
        self.0.extend(to.squares().map(|to| XiangqiMove::new(from(to), to)));
        Flow::Continue(())
    }
}

/// Counts the legal moves.
struct Count(u64);

impl Sink for Count {
    #[inline(always)]
    fn piece(&mut self, _: Square, to: Set) -> Flow {
        self.0 += u64::from(to.count());
        Flow::Continue(())
    }

    #[inline(always)]
    fn steps(&mut self, _: i8, to: Set) -> Flow {
        self.0 += u64::from(to.count());
        Flow::Continue(())
    }
}

/// Stops at the first legal move.
struct Any;

impl Any {
    #[inline(always)]
    fn stop_unless_empty(to: Set) -> Flow {
        if to.is_empty() { Flow::Continue(()) } else { Flow::Break(()) }
    }
}

impl Sink for Any {
    #[inline(always)]
    fn piece(&mut self, _: Square, to: Set) -> Flow {
        Any::stop_unless_empty(to)
    }

    #[inline(always)]
    fn steps(&mut self, _: i8, to: Set) -> Flow {
        Any::stop_unless_empty(to)
    }
}

impl<B: Board> Position<B> {
    /// Appends the legal moves.
    pub(super) fn list_moves(&self, moves: &mut Vec<XiangqiMove>) {
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
