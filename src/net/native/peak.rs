//! How fast this processor multiplies and adds, to measure the forward pass against.

use std::hint::black_box;

use super::{
    lanes::{Arch, Isa, Kernel, Lanes},
    tower::accumulate,
};

/// Multiplies and adds for about a millisecond, with all that it needs in registers and the first cache: the
/// largest tile of a convolution, over and over. Returns the floating point operations.
pub fn multiply_add() -> usize {
    let mut flop = 0;
    Isa::detect().run(Peak { flop: &mut flop });
    flop
}

struct Peak<'a> {
    flop: &'a mut usize,
}

impl Kernel for Peak<'_> {
    #[inline(always)]
    fn run<A: Arch>(self) {
        *self.flop = match A::SUMS {
            24.. => spin::<A, 12, 2>(),
            6.. => spin::<A, 6, 1>(),
            _ => spin::<A, 2, 1>(),
        };
    }
}

#[inline(always)]
fn spin<A: Arch, const L: usize, const B: usize>() -> usize {
    const ROUNDS: usize = 1000;
    const CHANNELS: usize = 128;
    let input = black_box([0.5; 12 * CHANNELS]);
    let tap = black_box([[Lanes([0.5; Lanes::COUNT]); B]; CHANNELS]);
    for _ in 0..ROUNDS {
        let mut sums = [[Lanes::ZERO; B]; L];
        accumulate::<A, L, B, 0, 0>(&mut sums, &input, &tap);
        black_box(sums);
    }
    2 * ROUNDS * CHANNELS * L * B * Lanes::COUNT
}
