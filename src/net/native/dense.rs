//! Small matrices, and what follows them.

use super::{
    lanes::{Arch, Isa, Kernel, Lanes, floats, pack},
    vector::Vector,
};

/// A matrix and a bias.
#[derive(Clone, Debug)]
pub struct Dense {
    /// `[inputs, lanes of outputs]`.
    weights: Vec<Lanes>,
    bias: Vec<Lanes>,
    isa: Isa,
}

impl Dense {
    /// Packs `weights`, `[inputs, outputs]`, and `bias`, `[outputs]`.
    pub fn new(weights: &[f32], bias: &[f32], isa: Isa) -> Self {
        let weights = weights.chunks(bias.len()).flat_map(pack).collect();
        Dense { weights, bias: pack(bias), isa }
    }

    /// Lanes of outputs.
    pub fn lanes(&self) -> usize {
        self.bias.len()
    }

    /// `input * weights + bias`.
    pub fn run(&self, input: &[f32], output: &mut [Lanes]) {
        self.isa.run(DensePass { dense: self, input, output });
    }
}

struct DensePass<'a> {
    dense: &'a Dense,
    input: &'a [f32],
    output: &'a mut [Lanes],
}

impl Kernel for DensePass<'_> {
    #[inline(always)]
    fn run<A: Arch>(self) {
        let DensePass { dense, input, output } = self;
        let lanes = dense.lanes();
        let (fours, rest) = input.as_chunks::<4>();
        for (at, output) in output.iter_mut().enumerate() {
            let row = |i: usize| A::Vector::load(&dense.weights[i * lanes + at]);
            // Four sums: one would wait for itself.
            let zero = A::Vector::zero();
            let mut sums = [A::Vector::load(&dense.bias[at]), zero, zero, zero];
            for (i, x) in fours.iter().enumerate() {
                for k in 0..4 {
                    sums[k] = A::Vector::splat(x[k]).mul_add(row(4 * i + k), sums[k]);
                }
            }
            for (k, &x) in rest.iter().enumerate() {
                sums[k] = A::Vector::splat(x).mul_add(row(4 * fours.len() + k), sums[k]);
            }
            let [a, b, c, d] = sums;
            a.add(b).add(c.add(d)).store(output);
        }
    }
}

/// Sets what is negative to zero.
pub fn relu(lanes: &mut [Lanes]) {
    lanes.iter_mut().for_each(|lanes| lanes.max(&Lanes::ZERO));
}

/// The three probabilities of a softmax.
pub fn softmax3(logits: &[Lanes]) -> [f32; 3] {
    let [a, b, c, ..] = floats(logits) else { unreachable!("a lane has sixteen") };
    let max = a.max(*b).max(*c);
    let exp = [a, b, c].map(|logit| (logit - max).exp());
    let total: f32 = exp.iter().sum();
    exp.map(|e| e / total)
}
