//! Dobutsu shogi in the family's encoding.

use super::{
    Encode, Features, Inputs,
    shogi_family::{self, Situation},
    view::{View, mirrored, status},
};
use crate::games::rules::{
    Game, Point, Side,
    dobutsu::{Dobutsu, DobutsuMove, Kind, MoveOrigin, squares},
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

fn place(square: usize) -> Point {
    Point { file: (square % Dobutsu::FILES) as u8, rank: (square / Dobutsu::FILES) as u8 }
}

/// By side, the place of its lion; one that was caught counts as on the middle file.
fn lions(game: &Dobutsu) -> [Point; 2] {
    let lion = |side| squares(game.position().pieces(side, Kind::Lion)).next().unwrap_or(Dobutsu::FILES / 2);
    [Side::First, Side::Second].map(|side| place(lion(side)))
}

impl Encode for Dobutsu {
    const ENCODING_VERSION: u32 = shogi_family::VERSION;
    const OLDEST_USABLE: u32 = shogi_family::OLDEST_USABLE;
    const PLANES: usize = shogi_family::PLANES;
    const SCALARS: usize = shogi_family::SCALARS;
    const MOVE_PLANES: usize = shogi_family::MOVE_PLANES;
    const MIRROR: bool = true;

    fn features(&self, inputs: Inputs, out: &mut Features) {
        let (view, position) = (View::of(self, shogi_family::KINDS, lions(self)), self.position());
        let [mover, opponent] = view.sides();
        let both = [Side::First, Side::Second];
        let attacks = (inputs == Inputs::Attacks).then(|| both.map(|side| position.attacks(side)));
        out.active.clear();
        for side in both {
            for kind in Kind::ALL {
                for square in squares(position.pieces(side, kind)) {
                    let status = status(side, attacks.map(|by| by.map(|set| set >> square & 1 != 0)));
                    view.push(out, side, piece(kind), place(square), status);
                }
            }
        }
        let hands = [mover, opponent].map(|side| {
            let mut hand = [0; shogi_family::HAND_KINDS];
            Kind::DROPPABLE.into_iter().for_each(|kind| hand[piece(kind)] = position.hand(side, kind));
            hand
        });
        out.scalars.clear();
        Situation {
            rules: (Self::ID, self.rules()),
            mover,
            hands,
            occurrences: self.occurrences() as u8,
            check: false,
            quiet_plies: 0,
            points: [0; 2],
            entered: [false; 2],
        }
        .write(&mut out.scalars);
    }

    fn indexer(&self) -> impl Fn(DobutsuMove) -> usize {
        let view = View::of(self, shogi_family::KINDS, lions(self));
        move |mv| match mv.from() {
            MoveOrigin::Square(from) => {
                shogi_family::board_move(&view, place(from), place(mv.to()), mv.is_promotion())
            }
            MoveOrigin::Hand(kind) => shogi_family::drop(&view, piece(kind), place(mv.to())),
        }
    }

    fn is_mirrored(&self) -> Option<bool> {
        mirrored(self, lions(self))
    }

    fn mirror_move_plane(plane: usize) -> usize {
        shogi_family::mirror_move_plane(plane)
    }
}
