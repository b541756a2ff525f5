//! How fast this processor multiplies and adds, to measure the forward pass against.

use std::hint::black_box;

use super::lanes::{Arch, Isa, Kernel, Lanes};

/// Multiplies and adds in registers alone for about a millisecond; returns the floating point operations.
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
        // Enough sums that none waits for itself, and few enough to stay in registers.
        *self.flop = match A::SUMS {
            12.. => spin::<A, 12>(),
            6.. => spin::<A, 6>(),
            _ => spin::<A, 2>(),
        };
    }
}

#[inline(always)]
fn spin<A: Arch, const N: usize>() -> usize {
    const ROUNDS: usize = 200_000;
    let (x, w) = (black_box(0.5), black_box(Lanes([0.5; Lanes::COUNT])));
    let mut sums = [Lanes::ZERO; N];
    for _ in 0..ROUNDS {
        for sum in &mut sums {
            sum.add_product::<A>(x, &w);
        }
    }
    black_box(sums);
    2 * ROUNDS * N * Lanes::COUNT
}
