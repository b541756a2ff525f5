//! The encoding of janggi, seen by the side to move; left and right are swapped if
//! [`view::mirrored`](super::view::mirrored) says so.
//!
//! # Planes
//!
//! | plane | a feature on a square means |
//! | --- | --- |
//! | 0-6 | an own king, guard, bishop, knight, rook, cannon, pawn stands there |
//! | 7-13 | the same of the opponent |
//!
//! # Scalars
//!
//! | scalar | is |
//! | --- | --- |
//! | 0-2 | the position occurred before: once or more, twice or more, three times or more |
//! | 3 | the side to move is in check |
//! | 4 | the side to move is the first player, Cho |
//! | 5 | plies without a capture, as a share of the limit |
//! | 6 | the kings face each other |
//! | 7 | the last ply was a pass |
//! | 8-9 | the side has bared the kings, where the rule set remembers: own, the opponent's |
//! | 10-11 | points / 73.5, where the rule set counts them: own, the opponent's |
//! | 12 | the side to move has more of them |
//! | 13-17 | the rule set: `points`, `traditional`, `kakao`, `casual`, `martin1995` |
//!
//! # Moves
//!
//! The planes of the directions are those of [`palace`].
//!
//! | move plane | the piece goes |
//! | --- | --- |
//! | 0-15 | in that direction; the jumps are a knight's |
//! | 16-23 | a bishop's jump |
//! | 24-31 | straight or diagonally, as a cannon |
//! | 32 | nowhere: a pass |

use super::{
    Encode, Features, Inputs, palace,
    view::{View, flag, mirrored, status},
};
use crate::games::rules::{
    Game, GameId, Point, Side,
    janggi::{Janggi, PalaceKind},
    palace::{PalaceMove, Set},
};

/// All pieces of Han and what the second player is given.
const MOST_POINTS: f32 = 73.5;
const BISHOP_JUMPS: usize = palace::DIRECTIONS;
const CANNON_LINES: usize = BISHOP_JUMPS + palace::DIRECTIONS - palace::JUMPS;
const PASS: usize = CANNON_LINES + palace::LINES;

fn kings(game: &Janggi) -> [Point; 2] {
    game.kings().map(palace::place)
}

impl Encode for Janggi {
    const ENCODING_VERSION: u32 = 2;
    /// Nets of version 1, which did not mirror the board, saw all positions both ways in training.
    const OLDEST_USABLE: u32 = 1;
    const PLANES: usize = 2 * PalaceKind::ALL.len();
    const SCALARS: usize = 18;
    const MOVE_PLANES: usize = PASS + 1;
    const MIRROR: bool = true;

    fn features(&self, inputs: Inputs, out: &mut Features) {
        let view = View::of(self, PalaceKind::ALL.len(), kings(self));
        let attacks = match inputs {
            Inputs::Pieces => [Set::EMPTY; 2],
            Inputs::Attacks => self.attacks(),
        };
        out.active.clear();
        self.for_each_marked(attacks, |side, kind, square, by| {
            view.push(out, side, kind.index(), palace::place(square), status(side, Some(by)));
        });
        let [mover, opponent] = view.sides().map(Side::index);
        out.scalars.clear();
        out.scalars.extend((1..=3).map(|times| flag(self.repetitions() >= times)));
        out.scalars.extend([flag(self.is_check()), flag(self.side_to_move() == Side::First)]);
        out.scalars.push(palace::spent(self.clock(), Some(self.move_limit())));
        out.scalars.extend([flag(self.kings_face()), flag(self.passed())]);
        let bared = self.bared();
        out.scalars.extend([flag(bared[mover]), flag(bared[opponent])]);
        let points = if self.counts_points() { self.points() } else { [0.0; 2] };
        out.scalars.extend([mover, opponent].map(|side| (points[side] / MOST_POINTS).min(1.0)));
        out.scalars.push(flag(points[mover] > points[opponent]));
        out.scalars.extend(GameId::Janggi.rule_sets().iter().map(|&rules| flag(rules == self.rules())));
    }

    fn indexer(&self) -> impl Fn(PalaceMove) -> usize {
        let view = View::of(self, PalaceKind::ALL.len(), kings(self));
        let [bishops, cannons] = [PalaceKind::Bishop, PalaceKind::Cannon].map(|kind| self.all(kind));
        move |mv| {
            let [from, to] = [mv.from(), mv.to()].map(palace::place);
            if from == to {
                return view.policy_index(PASS, to);
            }
            let direction = palace::direction(view.step(from, to));
            let plane = if bishops.contains(mv.from()) {
                BISHOP_JUMPS + direction - palace::JUMPS
            } else if cannons.contains(mv.from()) {
                CANNON_LINES + direction
            } else {
                direction
            };
            view.policy_index(plane, to)
        }
    }

    fn is_mirrored(&self) -> Option<bool> {
        mirrored(self, kings(self))
    }

    fn mirror_move_plane(plane: usize) -> usize {
        match plane {
            PASS => PASS,
            CANNON_LINES.. => CANNON_LINES + palace::mirror(plane - CANNON_LINES),
            BISHOP_JUMPS.. => {
                BISHOP_JUMPS + palace::mirror(plane - BISHOP_JUMPS + palace::JUMPS) - palace::JUMPS
            }
            _ => palace::mirror(plane),
        }
    }
}
