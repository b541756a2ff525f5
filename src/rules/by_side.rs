//! Code that is compiled for each side, with its direction known, and called for the one whose turn it is.

use std::ops::{Shl, Shr};

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

/// A position with its legal moves: a game gives the code for a side, `M` being the one to move, and has the rest
/// by whose turn it is.
pub trait BySide: Copy {
    /// Its moves.
    type Move: Copy;

    /// Whose turn it is.
    fn side(&self) -> Side;

    /// [`BySide::list_moves`] of `M`.
    fn list_moves_as<M: Mover>(&self, moves: &mut Vec<Self::Move>);

    /// [`BySide::has_move`] of `M`.
    fn has_move_as<M: Mover>(&self) -> bool;

    /// [`BySide::count_moves`] of `M`.
    fn count_moves_as<M: Mover>(&self) -> u64;

    /// [`BySide::play`] of `M`.
    fn play_as<M: Mover>(&mut self, mv: Self::Move);

    /// Appends the legal moves.
    fn list_moves(&self, moves: &mut Vec<Self::Move>) {
        match self.side() {
            Side::First => self.list_moves_as::<First>(moves),
            Side::Second => self.list_moves_as::<Second>(moves),
        }
    }

    /// Whether there is a legal move.
    fn has_move(&self) -> bool {
        match self.side() {
            Side::First => self.has_move_as::<First>(),
            Side::Second => self.has_move_as::<Second>(),
        }
    }

    /// How many legal moves there are.
    #[inline(always)]
    fn count_moves(&self) -> u64 {
        match self.side() {
            Side::First => self.count_moves_as::<First>(),
            Side::Second => self.count_moves_as::<Second>(),
        }
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
