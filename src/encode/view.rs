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

/// A square as the first player counts: files from their left, ranks from their side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// From 0.
    pub file: u8,
    /// From 0.
    pub rank: u8,
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

    /// The mover's number for a square.
    fn square(&self, Place { file, rank }: Place) -> usize {
        let square = usize::from(rank) * self.files + usize::from(file);
        match self.mover {
            Side::First => square,
            Side::Second => self.squares - 1 - square,
        }
    }

    /// Appends a piece of `owner`, `kind` in `0..kinds`: the mover's own kinds are the first planes, the
    /// opponent's the next.
    pub fn push(&self, out: &mut Features, owner: Side, kind: usize, place: Place, status: u8) {
        let first_plane = if owner == self.mover { 0 } else { self.kinds };
        let (plane, square) = ((first_plane + kind) as u8, self.square(place) as u8);
        out.active.push(Feature { plane, square, status });
    }

    /// How a piece goes between two squares.
    pub fn step(&self, from: Place, to: Place) -> Step {
        let sign = match self.mover {
            Side::First => 1,
            Side::Second => -1,
        };
        Step {
            right: sign * (isize::from(to.file) - isize::from(from.file)),
            forward: sign * (isize::from(to.rank) - isize::from(from.rank)),
        }
    }

    /// The policy index of move plane `plane` to `place`.
    pub fn policy_index(&self, plane: usize, place: Place) -> usize {
        plane * self.squares + self.square(place)
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
