//! A board seen by the side to move.

use super::{Feature, Features};
use crate::rules::{Game, Side};

/// A board, seen by one side: turned by 180 degrees for the second player.
#[derive(Clone, Copy, Debug)]
pub struct View {
    files: usize,
    squares: usize,
    kinds: usize,
    mover: Side,
}

/// How a piece goes, as the mover sees it: positive is to the right and forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Files to the right.
    pub right: isize,
    /// Ranks forward.
    pub forward: isize,
}

impl View {
    /// The board of `game`, whose pieces are of `kinds` kinds, seen by its side to move.
    pub fn of<G: Game>(game: &G, kinds: usize) -> View {
        View { files: G::FILES, squares: G::SQUARES, kinds, mover: game.side_to_move() }
    }

    /// Who looks, and then the opponent.
    pub fn sides(&self) -> [Side; 2] {
        [self.mover, !self.mover]
    }

    /// The mover's number for the square that is `rank * files + file` to the first player; and back.
    pub fn square(&self, square: usize) -> usize {
        match self.mover {
            Side::First => square,
            Side::Second => self.squares - 1 - square,
        }
    }

    /// Appends a piece of `owner`, `kind` in `0..kinds`, on the first player's `square`: the mover's own kinds
    /// are the first planes, the opponent's the next.
    pub fn push(&self, out: &mut Features, owner: Side, kind: usize, square: usize, status: u8) {
        let first_plane = if owner == self.mover { 0 } else { self.kinds };
        let (plane, square) = ((first_plane + kind) as u8, self.square(square) as u8);
        out.active.push(Feature { plane, square, status });
    }

    /// How a piece goes between two of the first player's squares.
    pub fn step(&self, from: usize, to: usize) -> Step {
        let (from, to) = (self.square(from), self.square(to));
        Step {
            right: (to % self.files) as isize - (from % self.files) as isize,
            forward: (to / self.files) as isize - (from / self.files) as isize,
        }
    }

    /// The policy index of move plane `plane` to the first player's `square`.
    pub fn policy_index(&self, plane: usize, square: usize) -> usize {
        plane * self.squares + self.square(square)
    }
}

/// [`Feature::status`] of a piece of `owner`, where `attacks` says by side whether that side reaches its square;
/// without them none.
pub(super) fn status(owner: Side, attacks: Option<[bool; 2]>) -> u8 {
    attacks.map_or(0, |by| u8::from(by[(!owner).index()]) + 2 * u8::from(by[owner.index()]))
}

/// 1 for yes, 0 for no.
pub(super) fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}
