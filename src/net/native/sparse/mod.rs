//! The forward pass of a sparse net on a processor.
//!
//! [`SparseWeights`] owns the tables, folded and packed once a checkpoint and shared by all workers;
//! [`SparseEvaluator`] owns the buffers of one worker and allocates nothing more.
//!
//! # What is read
//! The tables are megabytes, an evaluation reads some tens of kilobytes of them: one row for each active feature,
//! about thirty, which are added up, and one for each legal move, which is multiplied with the policy's gate. So the
//! time goes into fetching rows from the second and third cache, nearly 32 bytes a cycle, and what counts is how many
//! bytes they are. Fetching them before they are wanted, or in another order, gains nothing. The positions of one
//! search read much the same rows: a worker with one game at a time is a fifth faster than one with eight. What rows
//! have in common ([`SparseNet`](crate::net::SparseNet)) is added in beforehand.
//!
//! # Sums
//! All sums of a block of both accumulators stay in registers while the features pass by; then the scalars, most of
//! which are zero. There is no update from the parent's sums: a move changes three features of thirty, but the whole
//! refresh is half a microsecond, and keeping the sums of every node, or of a path, would cost memory that the
//! rows want.
//!
//! # Half the bytes
//! In [`Precision::Int16`](crate::net::Precision::Int16) the bias and the rows of the features are integers, and so are
//! those of the scalars that are one, as flags are that are set; other scalars have fp32 rows. The unit is one in which
//! no position can overflow, so that the sums are exact and only the rows are rounded. Behind them the gates, the
//! moves' rows and the value's hidden layer are bf16, two to a sum.
//!
//! # Heads
//! Logits are computed by fours, and summed up together: the sum of one register's numbers takes as long as its
//! multiplications. The value's hidden layer is a small matrix.

mod format;
mod kernels;
#[cfg(feature = "program")]
mod learn;
mod tables;

use std::sync::Arc;

use format::RowFormat;
use kernels::{AddRows, Gate, SparseLogits};
#[cfg(feature = "program")]
pub use learn::{SparseBatch, SparseGradient};
use tables::ActiveRows;
pub use tables::{AccumulatorTable, FeatureTable, Int16Table, MoveTable};

use super::{
    dense::{Dense, relu, softmax3},
    format::{Fp32, NumberFormat},
    isa::Isa,
    lanes::{Lanes, floats},
};
use crate::{
    games::encode::{Inputs, Shape},
    net::{EncodedQuery, FeatureEvaluator, Model, Sizes, weights::Named},
    search::{Evaluation, PolicyAsked, Wdl},
};

/// A sparse net's weights, folded and packed. Shared by all workers.
#[derive(Clone, Debug)]
pub struct SparseWeights<T: AccumulatorTable> {
    isa: Isa,
    sizes: Sizes,
    accumulators: T,
    moves: MoveTable<T::Heads>,
    hidden: Dense<T::Heads>,
    wdl: Dense<Fp32>,
}

impl<T: AccumulatorTable> SparseWeights<T> {
    /// Packs a sparse `model` for `isa`, which this processor must have.
    pub fn new(model: &Model, isa: Isa) -> Self {
        let (weights, sizes) = (Named::new(model.layout(), model.weights()), model.sizes());
        let tensor = |name: &str| weights.get(name);
        SparseWeights {
            isa,
            sizes,
            accumulators: T::new(&weights, sizes),
            moves: MoveTable::new(&weights, "policy", sizes).packed(),
            hidden: Dense::new(tensor("value.hidden"), tensor("value.hidden_bias"), isa),
            wdl: Dense::new(tensor("value.wdl"), tensor("value.wdl_bias"), isa),
        }
    }
}

/// Evaluates positions on one kind of board with [`SparseWeights`].
#[derive(Clone, Debug)]
pub struct SparseEvaluator<T: AccumulatorTable> {
    net: Arc<SparseWeights<T>>,
    rows: ActiveRows,
    /// Lanes of both accumulators.
    sums: Vec<Lanes>,
    /// A row of a gate's numbers.
    gate: Vec<Weights<T>>,
    /// Lanes of the value's hidden layer.
    hidden: Vec<Lanes>,
    /// One lane.
    wdl: Vec<Lanes>,
}

type Weights<T> = <<T as AccumulatorTable>::Heads as NumberFormat>::Weights;

impl<T: AddRows> SparseEvaluator<T> {
    /// An evaluator for boards of `shape`.
    ///
    /// # Panics
    /// When the net does not fit `shape`.
    pub fn new(net: Arc<SparseWeights<T>>, shape: &Shape) -> Self {
        assert!(net.sizes.fit(shape), "the net fits the game");
        let lanes = |count| vec![Lanes::ZERO; count];
        SparseEvaluator {
            rows: ActiveRows::default(),
            sums: lanes(net.accumulators.width()),
            gate: vec![T::Heads::ZERO; net.moves.width()],
            hidden: lanes(net.hidden.lanes()),
            wdl: lanes(1),
            net,
        }
    }

    /// Evaluates one position: its value, and one logit for each of its policy indices, or one of the two.
    ///
    /// # Panics
    /// When the position does not fit the shape.
    fn evaluate_one(&mut self, position: &EncodedQuery, out: &mut Evaluation) {
        let Self { net, rows, sums, gate, hidden, wdl } = self;
        let EncodedQuery { features, moves, policy_only } = position;
        assert_eq!(features.scalars.len(), net.sizes.scalars, "the features fit the game");
        net.accumulators.find(features, net.sizes, rows);
        // The first half of the sums is the policy's. Without moves it is not computed.
        let (half, all) = (sums.len() / 2, sums.len());
        let wanted = if moves.is_empty() { half } else { 0 }..if *policy_only { half } else { all };
        net.accumulators.add_rows(net.isa, rows, sums, wanted);

        let (policy, value) = sums.split_at(half);
        out.logits.clear();
        out.logits.resize(moves.len(), 0.0);
        if !moves.is_empty() {
            net.isa.run(Gate::<T::Heads> { sums: policy, gate });
            net.isa.run(SparseLogits { table: &net.moves, gate, moves, logits: &mut out.logits });
        }
        if *policy_only {
            return;
        }

        net.isa.run(Gate::<T::Heads> { sums: value, gate });
        net.hidden.run(&T::Heads::row_inputs(gate)[..net.hidden.inputs()], hidden);
        relu(hidden);
        net.wdl.run(floats(hidden), wdl);
        let [win, draw, loss] = softmax3(wdl);
        out.wdl = Wdl { win, draw, loss };
    }
}

impl<T: AddRows> FeatureEvaluator for SparseEvaluator<T> {
    fn inputs(&self) -> Inputs {
        self.net.sizes.inputs
    }

    fn policy_asked(&self) -> PolicyAsked {
        PolicyAsked::OnReturn
    }

    fn evaluate_encoded(&mut self, encoded: &[EncodedQuery], out: &mut [Evaluation]) {
        encoded.iter().zip(out).for_each(|(position, out)| self.evaluate_one(position, out));
    }
}
