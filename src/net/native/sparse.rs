//! The forward pass of a sparse net.
//!
//! An evaluation reads a few rows of large tables: one for each active feature, about thirty, which are added up,
//! and one for each legal move, which is multiplied with the policy's gate. All sums of a block of an accumulator
//! stay in registers while the features pass by. There is no update from the parent's sums: on these boards a
//! move changes three features of thirty at most, but the whole refresh costs less than keeping the sums of every
//! node, or of a path, would save.

use std::sync::Arc;

use super::{
    dense::{Dense, relu, softmax3},
    lanes::{Arch, Isa, Kernel, Lanes, floats, pack},
    vector::Vector,
};
use crate::{
    encode::{Features, Shape},
    net::{
        Encoded, FeatureEvaluator, Sizes, SparseNet,
        weights::{param_values, values_of},
    },
    search::{Evaluation, Wdl},
};

/// A sparse net's weights, folded and packed. Shared by all workers.
#[derive(Clone, Debug)]
pub struct SparseRows {
    isa: Isa,
    sizes: Sizes,
    /// `[planes * squares, lanes of both accumulators]`.
    features: Vec<Lanes>,
    /// `[scalars, lanes of both accumulators]`.
    scalars: Vec<Lanes>,
    /// Lanes of both accumulators.
    bias: Vec<Lanes>,
    /// `[move planes * squares, lanes of a gate]`.
    moves: Vec<Lanes>,
    /// `[move planes * squares]`.
    moves_bias: Vec<f32>,
    hidden: Dense,
    wdl: Dense,
}

impl SparseRows {
    /// Packs `net`, which has `sizes`, for `isa`, which this processor must have.
    pub fn new(net: &SparseNet, sizes: Sizes, isa: Isa) -> Self {
        let value = &net.value;
        SparseRows {
            isa,
            sizes,
            features: pack(&values_of(net.accumulators.rows())),
            scalars: pack(&param_values(&net.accumulators.scalars)),
            bias: pack(&param_values(&net.accumulators.bias)),
            moves: pack(&values_of(net.policy.rows())),
            moves_bias: param_values(&net.policy.bias),
            hidden: Dense::new(&param_values(&value.hidden), &param_values(&value.hidden_bias), isa),
            wdl: Dense::new(&param_values(&value.wdl), &param_values(&value.wdl_bias), isa),
        }
    }
}

/// Judges positions on one kind of board with [`SparseRows`].
#[derive(Clone, Debug)]
pub struct SparseEvaluator {
    net: Arc<SparseRows>,
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
    pub fn new(net: Arc<SparseRows>, shape: &Shape) -> Self {
        let Shape { planes, scalars, move_planes, .. } = *shape;
        let sizes = Sizes { planes, scalars, move_planes, squares: shape.squares() };
        assert_eq!(net.sizes, sizes, "the net fits the game");
        let lanes = |count| vec![Lanes::ZERO; count];
        SparseEvaluator {
            active: Vec::with_capacity(shape.squares()),
            sums: lanes(net.bias.len()),
            gate: lanes(net.bias.len() / 4),
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
        let Sizes { planes, scalars, squares, .. } = net.sizes;
        assert_eq!(features.scalars.len(), scalars, "the features fit the game");
        active.clear();
        active.extend(features.active.iter().map(|feature| {
            let (plane, square) = (usize::from(feature.plane), usize::from(feature.square));
            assert!(plane < planes && square < squares, "the features fit the game");
            (plane * squares + square) * sums.len()
        }));
        net.isa.run(Accumulate { net, active, scalars: &features.scalars, sums });

        let (policy, value) = sums.split_at(sums.len() / 2);
        net.isa.run(Gate { sums: policy, gate });
        out.logits.clear();
        out.logits.resize(moves.len(), 0.0);
        net.isa.run(Logits { net, gate, moves, logits: &mut out.logits });

        net.isa.run(Gate { sums: value, gate });
        net.hidden.run(floats(gate), hidden);
        relu(hidden);
        net.wdl.run(floats(hidden), wdl);
        let [win, draw, loss] = softmax3(wdl);
        out.wdl = Wdl { win, draw, loss };
    }
}

impl FeatureEvaluator for SparseEvaluator {
    fn evaluate_encoded(&mut self, encoded: &[Encoded], out: &mut [Evaluation]) {
        for (Encoded { features, moves }, out) in encoded.iter().zip(out) {
            self.evaluate_features(features, moves, out);
        }
    }
}

/// The bias, the rows of the active features, and the scalars times theirs.
struct Accumulate<'a> {
    net: &'a SparseRows,
    /// Where the rows of the active features begin.
    active: &'a [usize],
    scalars: &'a [f32],
    sums: &'a mut [Lanes],
}

impl Kernel for Accumulate<'_> {
    #[inline(always)]
    fn run<A: Arch>(self) {
        // As many sums as fit into the registers; widths come in multiples of four lanes.
        if A::SUMS >= 24 && self.sums.len().is_multiple_of(8) {
            self.in_blocks::<A, 8>();
        } else {
            self.in_blocks::<A, 4>();
        }
    }
}

impl Accumulate<'_> {
    #[inline(always)]
    fn in_blocks<A: Arch, const N: usize>(self) {
        let Accumulate { net, active, scalars, sums } = self;
        let width = sums.len();
        for first in (0..width).step_by(N) {
            let mut block = [A::Vector::zero(); N];
            let row = block_at::<N>(&net.bias, first);
            for i in 0..N {
                block[i] = A::Vector::load(&row[i]);
            }
            for &at in active {
                let row = block_at::<N>(&net.features, at + first);
                for i in 0..N {
                    block[i] = block[i].add(A::Vector::load(&row[i]));
                }
            }
            for (scalar, &value) in scalars.iter().enumerate() {
                // Most are flags that are not set.
                if value != 0.0 {
                    let row = block_at::<N>(&net.scalars, scalar * width + first);
                    for i in 0..N {
                        block[i] = A::Vector::splat(value).mul_add(A::Vector::load(&row[i]), block[i]);
                    }
                }
            }
            for i in 0..N {
                block[i].store(&mut sums[first + i]);
            }
        }
    }
}

/// The `N` lanes of `rows` that begin at `first`.
#[inline(always)]
fn block_at<const N: usize>(rows: &[Lanes], first: usize) -> &[Lanes; N] {
    rows[first..].first_chunk().expect("blocks divide the width of a row")
}

/// `relu(a) * b`, for the halves `a` and `b` of an accumulator.
struct Gate<'a> {
    sums: &'a [Lanes],
    gate: &'a mut [Lanes],
}

impl Kernel for Gate<'_> {
    #[inline(always)]
    fn run<A: Arch>(self) {
        let (rectified, gated) = self.sums.split_at(self.gate.len());
        for ((gate, a), b) in self.gate.iter_mut().zip(rectified).zip(gated) {
            A::Vector::load(a).relu().mul(A::Vector::load(b)).store(gate);
        }
    }
}

/// One logit for each move: the product of its row with the gate, and its bias.
struct Logits<'a> {
    net: &'a SparseRows,
    gate: &'a [Lanes],
    moves: &'a [u16],
    logits: &'a mut [f32],
}

impl Kernel for Logits<'_> {
    #[inline(always)]
    fn run<A: Arch>(self) {
        let Logits { net, gate, moves, logits } = self;
        // By fours: their sums wait for each other less, and are summed up together.
        for (moves, logits) in moves.chunks(4).zip(logits.chunks_mut(4)) {
            let mut indices = [0; 4];
            for (index, &mv) in indices.iter_mut().zip(moves) {
                *index = usize::from(mv);
            }
            let [a, b, c, d] = indices;
            let row = |index: usize| &net.moves[index * gate.len()..][..gate.len()];
            let rows = [row(a), row(b), row(c), row(d)];
            let mut sums = [A::Vector::zero(); 4];
            for (i, x) in gate.iter().enumerate() {
                let x = A::Vector::load(x);
                for k in 0..4 {
                    sums[k] = x.mul_add(A::Vector::load(&rows[k][i]), sums[k]);
                }
            }
            let sums = A::Vector::sums(sums);
            for ((logit, sum), index) in logits.iter_mut().zip(sums).zip(indices) {
                *logit = sum + net.moves_bias[index];
            }
        }
    }
}
