//! A network for tests that need none.

use sanki::{
    games::encode::Inputs,
    net::{EncodedQuery, FeatureEvaluator},
    search::{Evaluation, Wdl},
};

/// Judges by a hash of what a network would see: arbitrary, but the same for the same position.
#[derive(Clone, Copy, Debug, Default)]
pub struct HashNet;

impl FeatureEvaluator for HashNet {
    fn inputs(&self) -> Inputs {
        Inputs::Pieces
    }

    fn evaluate_encoded(&mut self, encoded: &[EncodedQuery], out: &mut [Evaluation]) {
        for (position, out) in encoded.iter().zip(out) {
            let hash = position.features.hash();
            let part = |shift: u32| ((hash >> shift) & 0xff) as f32 + 1.0;
            let total = part(0) + part(8) + part(16);
            out.wdl = Wdl { win: part(0) / total, draw: part(8) / total, loss: part(16) / total };
            out.logits.clear();
            let logit = |&index: &u16| (hash.rotate_left(u32::from(index)) & 0xff) as f32 / 128.0;
            out.logits.extend(position.moves.iter().map(logit));
        }
    }
}
