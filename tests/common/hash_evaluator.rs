//! An evaluator for tests that need one and no network.

use sanki::{
    encode::{Encode, Features},
    search::{Evaluation, Evaluator, Query, Wdl},
};

/// Judges by a hash of what a network would see: arbitrary, but the same for the same position.
#[derive(Clone, Copy, Debug, Default)]
pub struct HashEvaluator;

impl<G: Encode> Evaluator<G> for HashEvaluator {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        let mut features = Features::default();
        for (query, out) in queries.iter().zip(out) {
            query.game.features(&mut features);
            let hash = features.hash();
            let part = |shift: u32| ((hash >> shift) & 0xff) as f32 + 1.0;
            let total = part(0) + part(8) + part(16);
            out.wdl = Wdl { win: part(0) / total, draw: part(8) / total, loss: part(16) / total };
            out.logits.clear();
            let logit = |i: usize| (hash.rotate_left(i as u32 * 7) & 0xff) as f32 / 128.0;
            out.logits.extend((0..query.moves.len()).map(logit));
        }
    }
}
