//! Code that is compiled for each side, with its direction known, and called for the one whose turn it is.

use std::ops::{ControlFlow, Shl, Shr};

use super::Side;

/// A side as a type.
pub trait Mover: 'static {
    /// The other side.
    type Enemy: Mover<Enemy = Self>;

    /// The side.
    const SIDE: Side;
    /// [`Side::index`].
    const INDEX: usize = Self::SIDE.index();

    /// From the index of a square to that of the one ahead.
    const AHEAD: isize;

    /// The set one rank ahead. Squares that leave the board at its top or bottom land elsewhere: mask them.
    fn ahead<T: Shl<u32, Output = T> + Shr<u32, Output = T>>(set: T) -> T;
}

/// The first player, who moves towards higher ranks.
pub enum First {}

/// The second player.
pub enum Second {}

impl Mover for First {
    type Enemy = Second;

    const SIDE: Side = Side::First;
    const AHEAD: isize = 1;

    #[inline(always)]
    fn ahead<T: Shl<u32, Output = T> + Shr<u32, Output = T>>(set: T) -> T {
        set << 1
    }
}

impl Mover for Second {
    type Enemy = First;

    const SIDE: Side = Side::Second;
    const AHEAD: isize = -1;

    #[inline(always)]
    fn ahead<T: Shl<u32, Output = T> + Shr<u32, Output = T>>(set: T) -> T {
        set >> 1
    }
}

/// Whether a sink wants more moves.
pub type Flow = ControlFlow<()>;

/// What becomes of generated moves.
pub trait MoveSink<Move> {
    /// Takes legal moves, `count` of them or none.
    fn put(&mut self, count: u32, moves: impl Iterator<Item = Move>) -> Flow;
}

/// Appends them to a list.
struct List<'a, Move>(&'a mut Vec<Move>);

impl<Move> MoveSink<Move> for List<'_, Move> {
    #[inline(always)]
    fn put(&mut self, _: u32, moves: impl Iterator<Item = Move>) -> Flow {
        self.0.extend(moves);
        Flow::Continue(())
    }
}

/// Counts them.
struct Count(u64);

impl<Move> MoveSink<Move> for Count {
    #[inline(always)]
    fn put(&mut self, count: u32, _: impl Iterator<Item = Move>) -> Flow {
        self.0 += u64::from(count);
        Flow::Continue(())
    }
}

/// Stops at the first.
pub struct Any;

impl<Move> MoveSink<Move> for Any {
    #[inline(always)]
    fn put(&mut self, count: u32, _: impl Iterator<Item = Move>) -> Flow {
        if count == 0 { Flow::Continue(()) } else { Flow::Break(()) }
    }
}

/// A position with its legal moves: a game gives the code for a side, and has the rest by whose turn it is.
pub trait BySide: Copy {
    /// Its moves.
    type Move: Copy;

    /// Whose turn it is.
    fn side(&self) -> Side;

    /// Hands over the legal moves of `M`, the side to move, as long as the sink wants them.
    fn generate_as<M: Mover>(&self, sink: &mut impl MoveSink<Self::Move>) -> Flow;

    /// Plays a legal move of `M`.
    fn play_as<M: Mover>(&mut self, mv: Self::Move);

    /// Hands over the legal moves, as long as the sink wants them.
    #[inline(always)]
    fn generate(&self, sink: &mut impl MoveSink<Self::Move>) -> Flow {
        match self.side() {
            Side::First => self.generate_as::<First>(sink),
            Side::Second => self.generate_as::<Second>(sink),
        }
    }

    /// Appends the legal moves.
    fn list_moves(&self, moves: &mut Vec<Self::Move>) {
        let _ = self.generate(&mut List(moves));
    }

    /// Whether there is a legal move.
    fn has_move(&self) -> bool {
        self.generate(&mut Any).is_break()
    }

    /// How many legal moves there are.
    #[inline(always)]
    fn count_moves(&self) -> u64 {
        let mut count = Count(0);
        let _ = self.generate(&mut count);
        count.0
    }

    /// Plays a legal move.
    #[inline(always)]
    fn play(&mut self, mv: Self::Move) {
        match self.side() {
            Side::First => self.play_as::<First>(mv),
            Side::Second => self.play_as::<Second>(mv),
        }
    }
}
