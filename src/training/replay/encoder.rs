//! From a record to the positions that teach, as the network sees them.

use super::encoded::{EncodedGame, Positions, Share};
use crate::{
    games::{
        encode::{Encode, Features, Inputs},
        rules::Move,
    },
    training::selfplay::{Candidate, GameRecord, SearchDepth},
};

/// Encodes games. Its buffers serve one game after another.
#[derive(Debug)]
pub struct Encoder<G: Encode> {
    inputs: Inputs,
    /// Of the position in hand: its features, its legal moves and their shares.
    features: Features,
    moves: Vec<G::Move>,
    shares: Vec<Share>,
    /// By the bits of a move its place among those; of other moves it may say anything.
    places: Vec<u16>,
}

impl<G: Encode> Encoder<G> {
    /// Encodes positions with `inputs`.
    pub fn new(inputs: Inputs) -> Self {
        Encoder {
            inputs,
            features: Features::default(),
            moves: Vec::new(),
            shares: Vec::new(),
            places: vec![0; 1 << u16::BITS],
        }
    }

    /// Every position of `record` whose search was a full one.
    ///
    /// # Panics
    /// When the record fails [`check_record`](super::check_record).
    pub fn encode(&mut self, record: GameRecord) -> EncodedGame {
        let mut game = G::from_fen(record.rules, &record.start).expect("a record starts from a position");
        let mut positions = Positions::default();
        for (number, (ply, candidates)) in record.plies().enumerate() {
            if ply.search == SearchDepth::Full {
                game.features(self.inputs, &mut self.features);
                self.share_out(&game, candidates);
                positions.push(number, &game, &self.features, &self.shares);
            }
            game.play(G::Move::from_bits(ply.mv));
        }
        EncodedGame::new(record, positions)
    }

    /// Every legal move with its share of the search's policy.
    fn share_out(&mut self, game: &G, candidates: &[Candidate]) {
        let Encoder { moves, shares, places, .. } = self;
        moves.clear();
        game.legal_moves(moves);
        let index = game.indexer();
        shares.clear();
        shares.extend(moves.iter().map(|&mv| Share { index: index(mv) as u16, units: 0 }));
        (0..).zip(&*moves).for_each(|(place, mv)| places[usize::from(mv.bits())] = place);
        for candidate in candidates {
            shares[usize::from(places[usize::from(candidate.mv)])].units = candidate.share;
        }
    }
}
