//! The forward pass of a sparse net on a processor.
//!
//! [`SparseWeights`] owns the tables, folded and packed once a checkpoint and shared by all workers;
//! [`SparseEvaluator`] owns the buffers of one worker and allocates nothing more.
//!
//! # What is read
//! The tables are megabytes, an evaluation reads some tens of kilobytes of them: one row for each active feature,
//! about thirty, which are added up, and one for each legal move, which is multiplied with the policy's gate. So the
//! time goes into fetching rows from the second and third cache. The positions of one search read much the same rows:
//! a worker with one game at a time is a fifth faster than one with eight. What rows have in common
//! ([`SparseNet`](crate::net::SparseNet)) is added in beforehand.
//!
//! # Sums
//! All sums of a block of both accumulators stay in registers while the features pass by; then the scalars, most of
//! which are zero. There is no update from the parent's sums: a move changes three features of thirty, but the whole
//! refresh is half a microsecond, and keeping the sums of every node, or of a path, would cost memory that the
//! rows want.
//!
//! In [`Precision::Int16`] the features' rows are integers, and twice as many are added at once. The unit is the
//! smallest power of two for which no position can overflow, so that the sums are exact and only the rows are rounded.
//!
//! # Heads
//! Logits are computed by fours, and summed up together: the sum of one register's numbers takes as long as its
//! multiplications. The value's hidden layer is a small matrix.

mod kernels;
mod learn;
mod tables;

use std::sync::Arc;

use kernels::{Accumulate, Gate, Logits};
pub use learn::SparseStep;
use tables::WordTable;
pub use tables::{FeatureTable, MoveTable};

use super::{
    dense::{Dense, relu, softmax3},
    isa::Isa,
    lanes::{Lanes, floats},
};
use crate::{
    encode::{Features, Inputs, Shape},
    net::{Encoded, FeatureEvaluator, Model, Precision, Sizes, weights::Named},
    search::{Evaluation, Wdl},
};

/// A sparse net's weights, folded and packed. Shared by all workers.
#[derive(Clone, Debug)]
pub struct SparseWeights {
    isa: Isa,
    sizes: Sizes,
    features: FeatureRows,
    moves: MoveTable,
    hidden: Dense,
    wdl: Dense,
}

/// The rows of the accumulators, in the numbers in which they are added up.
#[derive(Clone, Debug)]
enum FeatureRows {
    Fp32(FeatureTable),
    Int16(WordTable),
}

impl SparseWeights {
    /// Packs a sparse `model` for `isa`, which this processor must have; in fp32 unless `precision` is
    /// [`Precision::Int16`].
    pub fn new(model: &Model, precision: Precision, isa: Isa) -> Self {
        let (weights, sizes) = (Named::new(model.layout(), model.weights()), model.sizes());
        let dense = |weight: &str, bias: &str| Dense::new(weights.get(weight), weights.get(bias), isa);
        SparseWeights {
            isa,
            sizes,
            features: match precision {
                Precision::Int16 => {
                    FeatureRows::Int16(WordTable::new(FeatureTable::new(&weights, sizes), sizes))
                }
                _ => FeatureRows::Fp32(FeatureTable::new(&weights, sizes)),
            },
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
            sums: lanes(4 * net.moves.width()),
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
        match &net.features {
            FeatureRows::Fp32(table) => {
                rows(features, net.sizes, sums.len(), active);
                net.isa.run(Accumulate { table, active, scalars, sums });
            }
            FeatureRows::Int16(table) => {
                rows(features, net.sizes, sums.len() / 2, active);
                net.isa.run(Accumulate { table, active, scalars, sums });
            }
        }

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

/// Where the rows of the active features begin, in a table whose rows have `width` items.
fn rows(features: &Features, sizes: Sizes, width: usize, out: &mut Vec<usize>) {
    out.clear();
    out.extend(features.active.iter().map(|feature| sizes.row(feature) * width));
}
