//! The evaluator in burn: the reference on a processor, and the way to a GPU.

use std::sync::Arc;

use burn::tensor::{DType, Device, activation::softmax};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{EncodedQuery, FeatureEvaluator, Network, input::Batch, output::Logits, parameters::values_of};
use crate::{
    games::encode::{Inputs, Shape},
    search::{Evaluation, Wdl},
};

/// Evaluates batches of positions on one kind of board with a [`Network`].
pub struct BurnEvaluator {
    net: Arc<Network>,
    device: Device,
    shape: Shape,
    /// Of one thread: flex's inner parallelism loses on small nets, and workers are parallel already.
    pool: ThreadPool,
}

impl BurnEvaluator {
    /// An evaluator for boards of `shape`; `net` must be on `device`.
    pub fn new(net: Arc<Network>, device: Device, shape: Shape) -> Self {
        let pool = ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be started");
        BurnEvaluator { net, device, shape, pool }
    }

    /// Probabilities of win, draw and loss, `[batch, 3]`, and the logits of all moves, one after the other.
    fn forward(&self, encoded: &[EncodedQuery]) -> (Vec<f32>, Vec<f32>) {
        let moves = encoded.iter().enumerate();
        let batch = Batch {
            shape: &self.shape,
            positions: encoded.iter().map(|encoded| &encoded.features).collect(),
            moves: moves.flat_map(|(i, encoded)| encoded.moves.iter().map(move |&mv| (i, mv))).collect(),
            replies: Vec::new(),
        };
        let output = self.net.forward(&batch, &self.device);
        let logits = output.policy.as_ref().map(Logits::values);
        (values_of(softmax(output.wdl.cast(DType::F32), 1)), logits.unwrap_or_default())
    }
}

impl FeatureEvaluator for BurnEvaluator {
    fn inputs(&self) -> Inputs {
        self.net.inputs()
    }

    fn evaluate_encoded(&mut self, encoded: &[EncodedQuery], out: &mut [Evaluation]) {
        if encoded.is_empty() {
            return;
        }
        let (wdl, logits) = self.pool.install(|| self.forward(encoded));
        let (wdl, _) = wdl.as_chunks::<3>();
        let mut logits = &logits[..];
        for ((encoded, out), &[win, draw, loss]) in encoded.iter().zip(out).zip(wdl) {
            out.wdl = Wdl { win, draw, loss };
            let own = logits.split_off(..encoded.moves.len()).expect("a logit for each move");
            out.logits.clear();
            out.logits.extend_from_slice(own);
        }
    }
}
