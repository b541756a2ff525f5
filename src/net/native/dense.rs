//! Small matrices, and what follows them.

use super::{
    arch::{Arch, Kernel},
    format::NumberFormat,
    isa::Isa,
    lanes::{Lanes, floats, pack},
};
use crate::base::maths::exp;

/// A matrix and a bias.
#[derive(Clone, Debug)]
pub struct Dense<F: NumberFormat> {
    /// `[inputs, lanes of outputs]`.
    weights: Vec<F::Weights>,
    bias: Vec<Lanes>,
    isa: Isa,
}

impl<F: NumberFormat> Dense<F> {
    /// Packs `weights`, `[numbers, outputs]`, and `bias`, `[outputs]`.
    pub fn new(weights: &[f32], bias: &[f32], isa: Isa) -> Self {
        Dense { weights: F::pack(weights, bias.len()).concat(), bias: pack(bias), isa }
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.weights.len() / self.lanes()
    }

    /// Lanes of outputs.
    pub fn lanes(&self) -> usize {
        self.bias.len()
    }

    /// `input * weights + bias`.
    pub fn run(&self, input: &[F::Input], output: &mut [Lanes]) {
        self.isa.run(DensePass { dense: self, input, output });
    }
}

struct DensePass<'a, F: NumberFormat> {
    dense: &'a Dense<F>,
    input: &'a [F::Input],
    output: &'a mut [Lanes],
}

impl<F: NumberFormat> Kernel for DensePass<'_, F> {
    #[inline(always)]
    fn run<A: Arch>(self, arch: A) {
        let DensePass { dense, input, output } = self;
        let lanes = dense.lanes();
        assert_eq!(dense.weights.len(), input.len() * lanes);
        let (fours, rest) = input.as_chunks::<4>();
        for (at, output) in output.iter_mut().enumerate() {
            // Four sums: one would wait for itself.
            let mut sums = [dense.bias[at], Lanes::ZERO, Lanes::ZERO, Lanes::ZERO];
            let mut rows = dense.weights.chunks_exact(4 * lanes);
            for (four, rows) in fours.iter().zip(&mut rows) {
                for k in 0..4 {
                    F::add_product(arch, &mut sums[k], four[k], &rows[k * lanes + at]);
                }
            }
            for (&x, row) in rest.iter().zip(rows.remainder().chunks_exact(lanes)) {
                F::add_product(arch, &mut sums[0], x, &row[at]);
            }
            let [mut a, b, mut c, d] = sums;
            a.add(arch, &b);
            c.add(arch, &d);
            a.add(arch, &c);
            *output = a;
        }
    }
}

/// Sets what is negative to zero.
pub fn relu(lanes: &mut [Lanes]) {
    lanes.iter_mut().flat_map(|lanes| &mut lanes.0).for_each(|value| *value = value.max(0.0));
}

/// The three probabilities of a softmax.
pub fn softmax3(logits: &[Lanes]) -> [f32; 3] {
    let [a, b, c, ..] = floats(logits) else { unreachable!("a lane has sixteen") };
    let max = a.max(*b).max(*c);
    let exp = [a, b, c].map(|logit| exp(logit - max));
    let total: f32 = exp.iter().sum();
    exp.map(|e| e / total)
}
