//! How fast this processor multiplies and adds, to measure the forward pass against.

use std::hint::black_box;

use super::{
    arch::{Arch, Kernel},
    bf16::{Pair, Pairs},
    format::{Bf16, Fp32, NumberFormat},
    isa::Isa,
    lanes::Lanes,
    tower::accumulate,
};
use crate::net::Precision;

/// Multiplies and adds for about a millisecond, with all data in registers and the first cache: the
/// largest tile of a convolution, over and over. Returns the floating point operations.
///
/// # Panics
/// When this processor does not have `isa`.
pub fn multiply_add(isa: Isa, precision: Precision) -> usize {
    let mut flop = 0;
    match precision {
        Precision::Auto | Precision::Fp32 | Precision::Fp16 | Precision::Int16 => {
            isa.run(Peak::<Fp32> { input: 0.5, weights: Lanes([0.5; _]), channels: 1, flop: &mut flop })
        }
        Precision::Bf16 => {
            let pair = Pair::round(0.5, 0.5);
            isa.run(Peak::<Bf16> { input: pair, weights: Pairs([pair; _]), channels: 2, flop: &mut flop });
        }
    }
    flop
}

struct Peak<'a, F: NumberFormat> {
    input: F::Input,
    weights: F::Weights,
    /// In an input.
    channels: usize,
    flop: &'a mut usize,
}

impl<F: NumberFormat> Kernel for Peak<'_, F> {
    #[inline(always)]
    fn run<A: Arch>(self, arch: A) {
        *self.flop = match A::SUMS {
            24.. => self.spin::<A, 12, 2>(arch),
            6.. => self.spin::<A, 6, 1>(arch),
            _ => self.spin::<A, 2, 1>(arch),
        };
    }
}

impl<F: NumberFormat> Peak<'_, F> {
    #[inline(always)]
    fn spin<A: Arch, const L: usize, const B: usize>(&self, arch: A) -> usize {
        const ROUNDS: usize = 1000;
        const INPUTS: usize = 128;
        let input = black_box([self.input; 12 * INPUTS]);
        let tap = black_box([[self.weights; B]; INPUTS]);
        for _ in 0..ROUNDS {
            let mut sums = [[Lanes::ZERO; B]; L];
            accumulate::<A, F, L, B, 0, 0>(arch, &mut sums, &input, &tap);
            black_box(sums);
        }
        2 * ROUNDS * INPUTS * self.channels * L * B * Lanes::COUNT
    }
}
