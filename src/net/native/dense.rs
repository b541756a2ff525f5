//! Small matrices, and what follows them.

use super::lanes::{Arch, Isa, Kernel, Lanes, floats, pack};

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
        for (at, output) in output.iter_mut().enumerate() {
            // Four sums: one would wait for itself.
            let mut sums = [dense.bias[at], Lanes::ZERO, Lanes::ZERO, Lanes::ZERO];
            let rows = dense.weights.chunks_exact(lanes).map(|row| &row[at]);
            for (i, (&x, row)) in input.iter().zip(rows).enumerate() {
                sums[i % 4].add_product::<A>(x, row);
            }
            let [mut a, b, mut c, d] = sums;
            a.add(&b);
            c.add(&d);
            a.add(&c);
            *output = a;
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
