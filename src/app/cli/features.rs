//! A position as a net is given it, for those who write an encoder of their own.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::games::encode::{Encode, Feature, Features, Inputs, Shape};

/// The features of a position and the policy indices of its moves; the keys of the JSON object.
#[derive(Debug, Serialize)]
pub struct Encoded {
    encoding_version: u32,
    shape: Shape,
    /// By plane, then square.
    active: Vec<Active>,
    scalars: Vec<f32>,
    /// The policy index of each legal move.
    moves: BTreeMap<String, usize>,
}

/// One active feature, with the status that a net has whose features tell of attacks.
#[derive(Debug, Serialize)]
struct Active {
    plane: u8,
    status: u8,
    square: u8,
}

impl Encoded {
    /// `game` as a net is given it; `None` once it is over.
    pub fn of<G: Encode>(game: &G) -> Option<Self> {
        if game.outcome().is_some() {
            return None;
        }
        let mut features = Features::default();
        game.features(Inputs::Attacks, &mut features);
        features.active.sort_unstable();
        let active = |&Feature { plane, square, status }: &Feature| Active { plane, status, square };
        let (mut moves, index) = (Vec::new(), game.indexer());
        game.legal_moves(&mut moves);
        Some(Encoded {
            encoding_version: G::ENCODING_VERSION,
            shape: G::SHAPE,
            active: features.active.iter().map(active).collect(),
            scalars: features.scalars,
            moves: moves.iter().map(|&mv| (mv.to_string(), index(mv))).collect(),
        })
    }
}
