//! Shogi and minishogi in the family's encoding.

use super::{
    Encode, Features, Inputs,
    shogi_family::{self, Situation},
    view::{View, mirrored, status},
};
use crate::games::rules::{
    Game, Point, RuleSet,
    shogi::{Bits, ShogiBoard, ShogiGame, ShogiKind, ShogiMove, ShogiSquare},
};

// The family counts kinds as the rules do.
const _: () =
    assert!(ShogiKind::ALL.len() == shogi_family::KINDS && ShogiKind::HAND.len() == shogi_family::HAND_KINDS);

fn place(square: ShogiSquare) -> Point {
    Point { file: square.file(), rank: square.rank() }
}

/// By side, the place of its king as far as it tells left from right: a missing one stands in the middle, which tells
/// nothing.
fn kings<B: ShogiBoard>(game: &ShogiGame<B>) -> [Point; 2] {
    const { assert!(B::FILES % 2 == 1, "there is a middle") };
    game.kings().map(|king| king.map_or(Point { file: B::FILES / 2, rank: 0 }, place))
}

impl<B: ShogiBoard> Encode for ShogiGame<B> {
    const ENCODING_VERSION: u32 = shogi_family::VERSION;
    const OLDEST_USABLE: u32 = shogi_family::OLDEST_USABLE;
    const PLANES: usize = shogi_family::PLANES;
    const SCALARS: usize = shogi_family::SCALARS;
    const MOVE_PLANES: usize = shogi_family::MOVE_PLANES;
    const MIRROR: bool = true;

    fn features(&self, inputs: Inputs, out: &mut Features) {
        let view = View::of(self, shogi_family::KINDS, kings(self));
        let sides = view.sides();
        let attacks = (inputs == Inputs::Attacks).then(|| self.attacks());
        out.active.clear();
        self.for_each_piece(|side, kind, square| {
            let reaches = |set: B::Bits| !(set & B::Bits::of(square)).is_empty();
            let status = status(side, attacks.map(|by| by.map(reaches)));
            view.push(out, side, kind.index(), place(square), status);
        });
        // Only rule sets with declarations count what has entered.
        let entering = B::ID.facts().has_declarations.then(|| sides.map(|side| self.entering(side)));
        out.scalars.clear();
        Situation {
            rules: (B::ID, self.rules()),
            mover: self.side_to_move(),
            hands: sides.map(|side| ShogiKind::HAND.map(|kind| self.hand(side, kind) as u8)),
            occurrences: self.repetitions() as u8 + 1,
            check: self.is_check(),
            quiet_plies: if self.rules() == RuleSet::Stouten1990 { self.quiet_plies() } else { 0 },
            points: entering.map_or([0; 2], |sides| sides.map(|side| side.points)),
            entered: entering.map_or([false; 2], |sides| sides.map(|side| side.king)),
        }
        .write(&mut out.scalars);
    }

    fn indexer(&self) -> impl Fn(ShogiMove) -> usize {
        let view = View::of(self, shogi_family::KINDS, kings(self));
        move |mv| {
            let to = place(mv.to());
            match (mv.from(), mv.dropped()) {
                (Some(from), _) => shogi_family::board_move(&view, place(from), to, mv.promotes()),
                (None, Some(kind)) => shogi_family::drop(&view, kind.index(), to),
                (None, None) => unreachable!("a move starts on a square or in the hand"),
            }
        }
    }

    fn is_mirrored(&self) -> Option<bool> {
        mirrored(self, kings(self))
    }

    fn mirror_move_plane(plane: usize) -> usize {
        shogi_family::mirror_move_plane(plane)
    }
}
