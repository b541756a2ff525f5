//! Small matrices, and what follows them.

use super::{
    arch::Arch,
    isa::{Isa, Kernel},
    lanes::{Lanes, floats, pack},
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
        assert_eq!(dense.weights.len(), input.len() * lanes);
        let (fours, rest) = input.as_chunks::<4>();
        for (at, output) in output.iter_mut().enumerate() {
            // Four sums: one would wait for itself.
            let mut sums = [dense.bias[at], Lanes::ZERO, Lanes::ZERO, Lanes::ZERO];
            let mut rows = dense.weights[at..].iter().step_by(lanes);
            for four in fours {
                for (sum, &x) in sums.iter_mut().zip(four) {
                    sum.add_product::<A>(x, rows.next().expect("a row for each input"));
                }
            }
            for (&x, row) in rest.iter().zip(rows) {
                sums[0].add_product::<A>(x, row);
            }
            let [mut a, b, mut c, d] = sums;
            a.add::<A>(&b);
            c.add::<A>(&d);
            a.add::<A>(&c);
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
    let exp = [a, b, c].map(|logit| (logit - max).exp());
    let total: f32 = exp.iter().sum();
    exp.map(|e| e / total)
}
