//! The one encoding of xiangqi and minixiangqi, seen by the side to move; left and right are swapped if
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
//! | 4 | the side to move is the first player |
//! | 5 | plies without a capture, as a share of the limit; 0 where the rule set has none |
//! | 6-8 | the rule set: xiangqi `axf`, `wang1994`, minixiangqi |
//!
//! # Moves
//!
//! The planes of the directions are those of [`palace`].
//!
//! | move plane | the piece goes |
//! | --- | --- |
//! | 0-15 | in that direction |
//! | 16-19 | straight, as a cannon that takes over a screen |

use super::{
    Encode, Features, Inputs, palace,
    view::{View, flag, mirrored, status},
};
use crate::games::rules::{
    Game, GameId, Point, RuleSet, Side,
    palace::{PalaceMove, Set},
    xiangqi::{PalaceKind, XiangqiBoard, XiangqiGame},
};

/// Every rule set, in the order of their flags.
const RULE_SETS: [(GameId, RuleSet); 3] = [
    (GameId::Xiangqi, RuleSet::Axf),
    (GameId::Xiangqi, RuleSet::Wang1994),
    (GameId::Minixiangqi, RuleSet::Standard),
];

fn kings<B: XiangqiBoard>(game: &XiangqiGame<B>) -> [Point; 2] {
    game.kings().map(palace::place)
}

impl<B: XiangqiBoard> Encode for XiangqiGame<B> {
    const ENCODING_VERSION: u32 = 2;
    /// Nets of version 1, which did not mirror the board, saw all positions both ways in training.
    const OLDEST_USABLE: u32 = 1;
    const PLANES: usize = 2 * PalaceKind::ALL.len();
    const SCALARS: usize = 6 + RULE_SETS.len();
    const MOVE_PLANES: usize = palace::DIRECTIONS + palace::STRAIGHT;
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
        out.scalars.clear();
        out.scalars.extend((1..=3).map(|times| flag(self.repetitions() >= times)));
        out.scalars.extend([flag(self.is_check()), flag(self.side_to_move() == Side::First)]);
        out.scalars.push(palace::spent(self.clock(), self.move_limit()));
        out.scalars.extend(RULE_SETS.map(|rules| flag(rules == (Self::ID, self.rules()))));
    }

    fn indexer(&self) -> impl Fn(PalaceMove) -> usize {
        let view = View::of(self, PalaceKind::ALL.len(), kings(self));
        let (cannons, occupied) = (self.all(PalaceKind::Cannon), self.occupied());
        move |mv| {
            let [from, to] = [mv.from(), mv.to()].map(palace::place);
            let takes_as_cannon = cannons.contains(mv.from()) && occupied.contains(mv.to());
            let first = if takes_as_cannon { palace::DIRECTIONS } else { 0 };
            view.policy_index(first + palace::direction(view.step(from, to)), to)
        }
    }

    fn is_mirrored(&self) -> Option<bool> {
        mirrored(self, kings(self))
    }

    fn mirror_move_plane(plane: usize) -> usize {
        match plane.checked_sub(palace::DIRECTIONS) {
            None => palace::mirror(plane),
            Some(straight) => palace::DIRECTIONS + palace::mirror(straight),
        }
    }
}
