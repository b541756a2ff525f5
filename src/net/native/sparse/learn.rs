//! The gradient of a sparse net on a processor: its rows by hand, what lies between them in burn.
//!
//! As matrices, [`SparseNet::forward`] multiplies thousands of zeros for each row that counts. Here the rows of the
//! active features and of the moves asked for are added and multiplied as in play, and their gradients added to the
//! rows they belong to; burn carries the gradient through the gates and the value's head. What rows have in common
//! gets the sum of their gradients, once a shard.

use burn::{
    module::Module,
    tensor::{Device, Tensor, TensorData},
};

use super::{
    super::{
        arch::{Arch, Portable},
        format::Fp32,
        isa::{Isa, Kernel},
        lanes::{Lanes, floats, pack},
    },
    kernels::Logits,
    tables::{AccumulatorTable, FeatureTable, MoveTable, Rows},
};
use crate::{
    encode::Inputs,
    net::{
        Batch, Outputs, Sizes, SparseNet,
        sparse::{Gates, ValueHead},
        trainee::dot,
        weights::{self, Layout, Named},
    },
};

/// A sparse net at the weights of one step. Shared by all workers.
pub struct SparseStep<'a> {
    isa: Isa,
    sizes: Sizes,
    weights: &'a [f32],
    template: &'a SparseNet,
    features: FeatureTable,
    policy: MoveTable<Fp32>,
    replies: MoveTable<Fp32>,
}

impl<'a> SparseStep<'a> {
    /// The net of `template`, which is on an autodiff device, with `weights` in the order of its `layout`.
    ///
    /// # Panics
    /// When [`Isa::from_env`] is an error.
    pub fn new(template: &'a SparseNet, layout: &'a Layout, weights: &'a [f32], sizes: Sizes) -> Self {
        let named = Named::new(layout, weights);
        SparseStep {
            isa: Isa::from_env().expect("the choice was checked at the start"),
            sizes,
            features: FeatureTable::new(&named, sizes),
            policy: MoveTable::new(&named, "policy", sizes),
            replies: MoveTable::new(&named, "replies", sizes),
            weights,
            template,
        }
    }

    /// The gradient in the weights, in the order of the layout, where `loss` gives the gradient in the outputs.
    pub fn gradient(
        &self,
        batch: &Batch,
        device: &Device,
        loss: impl FnOnce(&Outputs) -> Outputs,
    ) -> Vec<f32> {
        let sums = self.sums(batch);
        let middle = Middle::new(self, &sums, batch.positions.len(), device);
        let gate = pack(&weights::values_of(middle.gates.policy.clone()));
        let outputs = Outputs {
            policy: self.logits(&self.policy, &gate, &batch.moves),
            reply: self.logits(&self.replies, &gate, &batch.replies),
            wdl: weights::values_of(middle.wdl.clone()),
            moves_left: weights::values_of(middle.moves_left.clone()),
        };
        let gradient = loss(&outputs);

        let mut in_gate = vec![Lanes::ZERO; gate.len()];
        let policy = self.in_moves(&self.policy, &gate, &batch.moves, &gradient.policy, &mut in_gate);
        let replies = self.in_moves(&self.replies, &gate, &batch.replies, &gradient.reply, &mut in_gate);
        let (in_sums, value) = middle.backward(in_gate, gradient, device);
        let features = self.in_features(batch, &in_sums);
        self.assemble(&features, &policy, &replies, value)
    }

    /// Lanes of both accumulators for each position.
    fn sums(&self, batch: &Batch) -> Vec<Lanes> {
        let (table, width) = (&self.features, self.features.width());
        let mut sums = vec![Lanes::ZERO; batch.positions.len() * width];
        let mut rows = Rows::default();
        for (features, sums) in batch.positions.iter().zip(sums.chunks_exact_mut(width)) {
            table.find(features, self.sizes, &mut rows);
            table.accumulate(self.isa, &rows, sums);
        }
        sums
    }

    /// One logit for each of `moves`.
    fn logits(&self, table: &MoveTable<Fp32>, gate: &[Lanes], moves: &[(usize, u16)]) -> Vec<f32> {
        let mut logits = vec![0.0; moves.len()];
        let mut rest = &mut logits[..];
        let mut indices = Vec::new();
        for moves in moves.chunk_by(|a, b| a.0 == b.0) {
            indices.clear();
            indices.extend(moves.iter().map(|&(_, index)| index));
            let gate = &gate[moves[0].0 * table.width()..][..table.width()];
            let logits = rest.split_off_mut(..moves.len()).expect("a logit for each move");
            self.isa.run(Logits { table, gate, moves: &indices, logits });
        }
        logits
    }

    /// The gradient in the rows of `table`, from that in the logits of `moves`; that in the gates is added to
    /// `in_gate`.
    fn in_moves(
        &self,
        table: &MoveTable<Fp32>,
        gate: &[Lanes],
        moves: &[(usize, u16)],
        gradient: &[f32],
        in_gate: &mut [Lanes],
    ) -> MoveTable<Fp32> {
        let mut rows = vec![Lanes::ZERO; table.rows.len()];
        let mut bias = vec![0.0; table.bias.len()];
        self.isa.run(MovesBackward { table, gate, moves, gradient, in_gate, in_rows: &mut rows });
        moves.iter().zip(gradient).for_each(|(&(_, index), g)| bias[usize::from(index)] += g);
        MoveTable { rows, bias }
    }

    /// The gradient in the rows of the features, from that in the sums.
    fn in_features(&self, batch: &Batch, in_sums: &[Lanes]) -> FeatureTable {
        let FeatureTable { features, scalars, bias } = &self.features;
        let zeros = |like: &[Lanes]| vec![Lanes::ZERO; like.len()];
        let mut table =
            FeatureTable { features: zeros(features), scalars: zeros(scalars), bias: zeros(bias) };
        let mut rows = Rows::default();
        for (features, gradient) in batch.positions.iter().zip(in_sums.chunks_exact(bias.len())) {
            self.features.find(features, self.sizes, &mut rows);
            self.isa.run(FeaturesBackward { rows: &rows, gradient, table: &mut table });
        }
        table
    }

    /// All gradients in the order of the layout, which is that of the fields of [`SparseNet`].
    fn assemble(
        &self,
        features: &FeatureTable,
        policy: &MoveTable<Fp32>,
        replies: &MoveTable<Fp32>,
        value: Vec<f32>,
    ) -> Vec<f32> {
        let Sizes { planes, move_planes, squares, inputs, .. } = self.sizes;
        let (features_of, width) = (&features.features, features.width());
        let by_plane = |row: usize| row / squares;
        let by_square = |row: usize| row % squares;
        let mut gradient = Vec::with_capacity(self.weights.len());
        gradient.extend_from_slice(floats(features_of));
        gradient.extend(summed(features_of, width, inputs.statuses() * planes, by_plane));
        if inputs == Inputs::Attacks {
            let pieces = planes * squares;
            gradient.extend(summed(features_of, width, pieces, |row| row % pieces));
        }
        gradient.extend_from_slice(floats(&features.scalars));
        gradient.extend_from_slice(floats(&features.bias));
        for MoveTable { rows, bias } in [policy, replies] {
            let width = rows.len() / bias.len();
            gradient.extend_from_slice(floats(rows));
            gradient.extend(summed(rows, width, move_planes, by_plane));
            gradient.extend(summed(rows, width, squares, by_square));
            gradient.extend_from_slice(bias);
        }
        gradient.extend(value);
        assert_eq!(gradient.len(), self.weights.len(), "a gradient for each weight");
        gradient
    }
}

/// The sums of the rows of each of `groups`, one after the other.
fn summed(rows: &[Lanes], width: usize, groups: usize, group: impl Fn(usize) -> usize) -> Vec<f32> {
    let mut sums = vec![Lanes::ZERO; groups * width];
    for (row, lanes) in rows.chunks_exact(width).enumerate() {
        let sums = &mut sums[group(row) * width..][..width];
        sums.iter_mut().zip(lanes).for_each(|(sum, lanes)| sum.add::<Portable>(lanes));
    }
    floats(&sums).to_vec()
}

/// Gates and the value's head, in burn.
struct Middle {
    sums: Tensor<2>,
    gates: Gates,
    head: ValueHead,
    wdl: Tensor<2>,
    moves_left: Tensor<2>,
}

impl Middle {
    fn new(step: &SparseStep, sums: &[Lanes], rows: usize, device: &Device) -> Self {
        let sums = TensorData::new(floats(sums).to_vec(), [rows, sums.len() / rows * Lanes::COUNT]);
        let sums = Tensor::from_data(sums, device).require_grad();
        let gates = Gates::of(sums.clone());
        // The last of the net.
        let values = &step.weights[step.weights.len() - step.template.value.num_params()..];
        let head = weights::unflatten(step.template.value.clone(), values);
        let (wdl, moves_left) = head.forward(gates.value.clone());
        Middle { sums, gates, head, wdl, moves_left }
    }

    /// The gradients in the accumulators, in lanes, and in the value's head.
    fn backward(self, in_gate: Vec<Lanes>, gradient: Outputs, device: &Device) -> (Vec<Lanes>, Vec<f32>) {
        let total = dot(self.gates.policy, floats(&in_gate).to_vec(), device)
            + dot(self.wdl, gradient.wdl, device)
            + dot(self.moves_left, gradient.moves_left, device);
        let mut gradients = total.backward();
        let in_sums = self.sums.grad_remove(&mut gradients).expect("the outputs hang on the sums");
        (pack(&weights::values_of(in_sums)), weights::gradients(&self.head, &mut gradients))
    }
}

/// Adds the gradient of logits to that of the gates and of the moves' rows.
struct MovesBackward<'a> {
    table: &'a MoveTable<Fp32>,
    /// Lanes of a gate for each position.
    gate: &'a [Lanes],
    moves: &'a [(usize, u16)],
    /// One for each move.
    gradient: &'a [f32],
    /// As many as of `gate`.
    in_gate: &'a mut [Lanes],
    /// As many as the table has.
    in_rows: &'a mut [Lanes],
}

impl Kernel for MovesBackward<'_> {
    #[inline(always)]
    fn run<A: Arch>(self) {
        let MovesBackward { table, gate, moves, gradient, in_gate, in_rows } = self;
        let width = table.width();
        for (&(position, index), &gradient) in moves.iter().zip(gradient) {
            let (position, index) = (position * width, usize::from(index) * width);
            let (gate, in_gate) = (&gate[position..][..width], &mut in_gate[position..][..width]);
            let (row, in_row) = (&table.rows[index..][..width], &mut in_rows[index..][..width]);
            let gradient = A::splat(gradient);
            for i in 0..width {
                let sum = A::mul_add(gradient, A::load(&row[i]), A::load(&in_gate[i]));
                A::store(sum, &mut in_gate[i]);
                let sum = A::mul_add(gradient, A::load(&gate[i]), A::load(&in_row[i]));
                A::store(sum, &mut in_row[i]);
            }
        }
    }
}

/// Adds the gradient of one position's sums to that of the rows that they are sums of.
struct FeaturesBackward<'a> {
    rows: &'a Rows,
    /// Lanes of both accumulators.
    gradient: &'a [Lanes],
    table: &'a mut FeatureTable,
}

impl Kernel for FeaturesBackward<'_> {
    #[inline(always)]
    fn run<A: Arch>(self) {
        let FeaturesBackward { rows, gradient, table } = self;
        let width = gradient.len();
        for &at in &rows.plain {
            add_times::<A>(1.0, gradient, &mut table.features[at..][..width]);
        }
        for &(at, scalar) in &rows.scaled {
            add_times::<A>(scalar, gradient, &mut table.scalars[at..][..width]);
        }
        add_times::<A>(1.0, gradient, &mut table.bias);
    }
}

/// `sums += x * lanes`.
#[inline(always)]
fn add_times<A: Arch>(x: f32, lanes: &[Lanes], sums: &mut [Lanes]) {
    let x = A::splat(x);
    for (sum, lanes) in sums.iter_mut().zip(lanes) {
        A::store(A::mul_add(x, A::load(lanes), A::load(sum)), sum);
    }
}
