//! A board seen by the side to move.

use std::cmp::Ordering;

use super::{Feature, Features};
use crate::games::rules::{Game, Point, Side};

/// A board, seen by one side: turned by 180 degrees for the second player, and with left and right swapped if
/// [`mirrored`] says so.
#[derive(Clone, Copy, Debug)]
pub struct View {
    files: usize,
    squares: usize,
    kinds: usize,
    mover: Side,
    mirrored: bool,
}

/// How a piece goes, as the mover sees it: positive is to the right and forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset {
    /// Files to the right.
    pub right: isize,
    /// Ranks forward.
    pub forward: isize,
}

impl View {
    /// The board of `game`, whose pieces are of `kinds` kinds, seen by its side to move. `kings` are, by side, the places
    /// of the kings.
    pub fn of<G: Game>(game: &G, kinds: usize, kings: [Point; 2]) -> View {
        let mirrored = mirrored(game, kings).unwrap_or(false);
        View { files: G::FILES, squares: G::SQUARES, kinds, mover: game.side_to_move(), mirrored }
    }

    /// Who looks, and then the opponent.
    pub fn sides(&self) -> [Side; 2] {
        [self.mover, !self.mover]
    }

    /// The mover's number for a square.
    fn square(&self, Point { file, rank }: Point) -> usize {
        let file = if self.mirrored { self.files - 1 - usize::from(file) } else { usize::from(file) };
        let square = usize::from(rank) * self.files + file;
        match self.mover {
            Side::First => square,
            Side::Second => self.squares - 1 - square,
        }
    }

    /// Appends a piece of `owner`, `kind` in `0..kinds`: the mover's own kinds are the first planes, the
    /// opponent's the next.
    pub fn push(&self, out: &mut Features, owner: Side, kind: usize, place: Point, status: u8) {
        let first_plane = if owner == self.mover { 0 } else { self.kinds };
        let (plane, square) = ((first_plane + kind) as u8, self.square(place) as u8);
        out.active.push(Feature { plane, square, status });
    }

    /// How a piece goes between two squares.
    pub fn step(&self, from: Point, to: Point) -> Offset {
        let sign = match self.mover {
            Side::First => 1,
            Side::Second => -1,
        };
        Offset {
            right: if self.mirrored { -1 } else { 1 }
                * sign
                * (isize::from(to.file) - isize::from(from.file)),
            forward: sign * (isize::from(to.rank) - isize::from(from.rank)),
        }
    }

    /// The policy index of move plane `plane` to `place`.
    pub fn policy_index(&self, plane: usize, place: Point) -> usize {
        plane * self.squares + self.square(place)
    }
}

/// Whether left and right are swapped: so that the mover's king stands at the mover's left or, if that king is on the
/// middle file, the opponent's king. `None` if both are in the middle. `kings` are, by side, the places of the kings.
///
/// The rules of all our games are the same in the mirror. A net that sees only one of the two has half as much to learn.
pub fn mirrored<G: Game>(game: &G, kings: [Point; 2]) -> Option<bool> {
    let mover = game.side_to_move();
    [mover, !mover].into_iter().find_map(|side| {
        let from_left = 2 * usize::from(kings[side.index()].file);
        match (from_left.cmp(&(G::FILES - 1)), mover) {
            (Ordering::Equal, _) => None,
            (Ordering::Greater, Side::First) | (Ordering::Less, Side::Second) => Some(true),
            _ => Some(false),
        }
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        base::rng::{Purpose, stream},
        games::rules::{RuleSet, Setup, shogi::Shogi},
    };

    /// Whether the start of shogi, with the turn and the kings as told, is mirrored.
    fn with_kings(mover: Side, first: u8, second: u8) -> Option<bool> {
        let mut game = Shogi::start(RuleSet::Csa27, Setup::Standard, &mut stream(1, Purpose::SelfPlay, &[]));
        if mover == Side::Second {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            game.play(moves[0]);
        }
        mirrored(&game, [first, second].map(|file| Point { file, rank: 0 }))
    }

    #[test]
    fn the_movers_king_stands_at_the_left_or_else_the_opponents() {
        use Side::{First, Second};
        assert_eq!(with_kings(First, 4, 4), None);
        assert_eq!((with_kings(First, 3, 8), with_kings(First, 5, 0)), (Some(false), Some(true)));
        assert_eq!((with_kings(First, 4, 3), with_kings(First, 4, 5)), (Some(false), Some(true)));
        // The second player sees the board turned round.
        assert_eq!((with_kings(Second, 8, 3), with_kings(Second, 0, 5)), (Some(true), Some(false)));
        assert_eq!((with_kings(Second, 3, 4), with_kings(Second, 5, 4)), (Some(true), Some(false)));
    }
}
