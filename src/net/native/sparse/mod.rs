//! The forward pass of a sparse net.
//!
//! An evaluation reads a few rows of large tables: one for each active feature, about thirty, which are added up,
//! and one for each legal move, which is multiplied with the policy's gate. All sums of a block of an accumulator
//! stay in registers while the features pass by. There is no update from the parent's sums: on these boards a
//! move changes three features of thirty at most, but the whole refresh costs less than keeping the sums of every
//! node, or of a path, would save.

mod kernels;
mod learn;
mod tables;

use std::sync::Arc;

use kernels::{Accumulate, Gate, Logits};
pub use learn::SparseStep;
pub use tables::{FeatureTable, MoveTable};

use super::{
    dense::{Dense, relu, softmax3},
    isa::Isa,
    lanes::{Lanes, floats},
};
use crate::{
    encode::{Features, Inputs, Shape},
    net::{Encoded, FeatureEvaluator, Model, Sizes, weights::Named},
    search::{Evaluation, Wdl},
};

/// A sparse net's weights, folded and packed. Shared by all workers.
#[derive(Clone, Debug)]
pub struct SparseWeights {
    isa: Isa,
    sizes: Sizes,
    features: FeatureTable,
    moves: MoveTable,
    hidden: Dense,
    wdl: Dense,
}

impl SparseWeights {
    /// Packs a sparse `model` for `isa`, which this processor must have.
    pub fn new(model: &Model, isa: Isa) -> Self {
        let (weights, sizes) = (Named::new(model.layout(), model.weights()), model.sizes());
        let dense = |weight: &str, bias: &str| Dense::new(weights.get(weight), weights.get(bias), isa);
        SparseWeights {
            isa,
            sizes,
            features: FeatureTable::new(&weights, sizes),
            moves: MoveTable::new(&weights, "policy", sizes),
            hidden: dense("value.hidden", "value.hidden_bias"),
            wdl: dense("value.wdl", "value.wdl_bias"),
        }
    }
}

/// Judges positions on one kind of board with [`SparseWeights`].
#[derive(Clone, Debug)]
pub struct SparseEvaluator {
    net: Arc<SparseWeights>,
    /// Where the rows of the active features begin.
    active: Vec<usize>,
    /// Lanes of both accumulators.
    sums: Vec<Lanes>,
    /// Lanes of a gate.
    gate: Vec<Lanes>,
    /// Lanes of the value's hidden layer.
    hidden: Vec<Lanes>,
    /// One lane.
    wdl: Vec<Lanes>,
}

impl SparseEvaluator {
    /// An evaluator for boards of `shape`.
    ///
    /// # Panics
    /// When the net does not fit `shape`.
    pub fn new(net: Arc<SparseWeights>, shape: &Shape) -> Self {
        assert!(net.sizes.fit(shape), "the net fits the game");
        let lanes = |count| vec![Lanes::ZERO; count];
        SparseEvaluator {
            active: Vec::with_capacity(shape.squares()),
            sums: lanes(net.features.width()),
            gate: lanes(net.moves.width()),
            hidden: lanes(net.hidden.lanes()),
            wdl: lanes(1),
            net,
        }
    }

    /// Judges one position: its value, and one logit for each of the policy indices in `moves`.
    ///
    /// # Panics
    /// When `features` or `moves` do not fit the shape.
    pub fn evaluate_features(&mut self, features: &Features, moves: &[u16], out: &mut Evaluation) {
        let Self { net, active, sums, gate, hidden, wdl } = self;
        let scalars = &features.scalars;
        assert_eq!(scalars.len(), net.sizes.scalars, "the features fit the game");
        rows(features, net.sizes, sums.len(), active);
        net.isa.run(Accumulate { table: &net.features, active, scalars, sums });

        let (policy, value) = sums.split_at(sums.len() / 2);
        net.isa.run(Gate { sums: policy, gate });
        out.logits.clear();
        out.logits.resize(moves.len(), 0.0);
        net.isa.run(Logits { table: &net.moves, gate, moves, logits: &mut out.logits });

        net.isa.run(Gate { sums: value, gate });
        net.hidden.run(floats(gate), hidden);
        relu(hidden);
        net.wdl.run(floats(hidden), wdl);
        let [win, draw, loss] = softmax3(wdl);
        out.wdl = Wdl { win, draw, loss };
    }
}

impl FeatureEvaluator for SparseEvaluator {
    fn inputs(&self) -> Inputs {
        self.net.sizes.inputs
    }

    fn evaluate_encoded(&mut self, encoded: &[Encoded], out: &mut [Evaluation]) {
        for (Encoded { features, moves }, out) in encoded.iter().zip(out) {
            self.evaluate_features(features, moves, out);
        }
    }
}

/// Where the rows of the active features begin, in a table whose rows are `width` lanes wide.
fn rows(features: &Features, sizes: Sizes, width: usize, out: &mut Vec<usize>) {
    let rows = sizes.rows();
    out.clear();
    out.extend(features.active.iter().map(|feature| {
        let row = sizes.row(feature);
        assert!(row < rows, "the features fit the game");
        row * width
    }));
}
