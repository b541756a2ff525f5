//! Dobutsu shogi in the family's encoding.

use super::{
    Encode, Features,
    family::{self, Situation},
    view::View,
};
use crate::rules::{
    Game, Side,
    dobutsu::{Dobutsu, DobutsuMove, Kind, Origin, squares},
};

/// The family's piece that `kind` is, by its place in P, L, N, S, G, B, R, K, +P…
fn piece(kind: Kind) -> usize {
    match kind {
        Kind::Chick => 0,
        Kind::Elephant => 5,
        Kind::Giraffe => 6,
        Kind::Lion => 7,
        Kind::Hen => 8,
    }
}

impl Encode for Dobutsu {
    const ENCODING_VERSION: u32 = family::VERSION;
    const PLANES: usize = family::PLANES;
    const SCALARS: usize = family::SCALARS;
    const MOVE_PLANES: usize = family::MOVE_PLANES;
    const MIRROR: bool = true;

    fn features(&self, out: &mut Features) {
        let (view, position) = (View::of(self, family::KINDS), self.position());
        let [mover, opponent] = view.sides();
        out.active.clear();
        for side in [Side::First, Side::Second] {
            for kind in Kind::ALL {
                squares(position.pieces(side, kind))
                    .for_each(|square| view.push(out, side, piece(kind), square));
            }
        }
        let hands = [mover, opponent].map(|side| {
            let mut hand = [0; family::HAND_KINDS];
            Kind::DROPPABLE.into_iter().for_each(|kind| hand[piece(kind)] = position.hand(side, kind));
            hand
        });
        out.scalars.clear();
        Situation {
            rules: (Self::ID, self.rules()),
            mover,
            hands,
            occurrences: self.occurrences(),
            check: false,
            quiet_plies: 0,
            points: [0; 2],
            entered: [false; 2],
        }
        .write(&mut out.scalars);
    }

    fn policy_index(&self, mv: DobutsuMove) -> usize {
        let view = View::of(self, family::KINDS);
        match mv.from() {
            Origin::Square(from) => family::board_move(&view, from, mv.to(), mv.is_promotion()),
            Origin::Hand(kind) => family::drop(&view, piece(kind), mv.to()),
        }
    }

    fn mirror_move_plane(plane: usize) -> usize {
        family::mirror_move_plane(plane)
    }
}
