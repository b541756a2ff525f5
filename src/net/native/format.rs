//! The numbers that are multiplied; their sums are fp32 in any case.

use std::fmt::Debug;

use super::{
    arch::Arch,
    bf16::{Pair, Pairs},
    lanes::{Lanes, floats, pack},
};

/// What is multiplied at once.
pub trait NumberFormat: Copy + Debug + Send + Sync + 'static {
    /// One number, or two.
    type Input: Copy + Debug + Send + Sync;
    /// What that is multiplied with, for sixteen outputs.
    type Weights: Copy + Debug + Send + Sync;
    /// The inputs in one of [`Lanes`], if they are not its numbers as they are.
    type Rounded: Copy + Debug + Default + Send + Sync;

    /// Outputs from which on a 3x3 convolution is faster by Winograd's way.
    const WINOGRAD_FROM: usize;

    /// Packs `[inputs, outputs]`: a row for each [`NumberFormat::Input`].
    ///
    /// # Panics
    /// When two inputs or sixteen outputs are taken at once and there are some that are not.
    fn pack(weights: &[f32], outputs: usize) -> Vec<Vec<Self::Weights>>;

    /// The inputs in `values`, where they have to be rounded.
    fn round<A: Arch>(arch: A, values: &Lanes) -> Self::Rounded;

    /// The inputs in `values`, of which `rounded` has what [`NumberFormat::round`] made of them.
    fn inputs<'a>(values: &'a [Lanes], rounded: &'a [Self::Rounded]) -> &'a [Self::Input];

    /// `sum += x * w`.
    fn add_product<A: Arch>(arch: A, sum: &mut Lanes, x: Self::Input, w: &Self::Weights);
}

/// Single precision.
#[derive(Clone, Copy, Debug)]
pub struct Fp32;

impl NumberFormat for Fp32 {
    type Input = f32;
    type Weights = Lanes;
    type Rounded = ();

    const WINOGRAD_FROM: usize = 16;

    fn pack(weights: &[f32], outputs: usize) -> Vec<Vec<Lanes>> {
        weights.chunks(outputs).map(pack).collect()
    }

    #[inline(always)]
    fn round<A: Arch>(_: A, _: &Lanes) {}

    #[inline(always)]
    fn inputs<'a>(values: &'a [Lanes], _: &'a [()]) -> &'a [f32] {
        floats(values)
    }

    #[inline(always)]
    fn add_product<A: Arch>(arch: A, sum: &mut Lanes, x: f32, w: &Lanes) {
        sum.add_product(arch, x, w);
    }
}

/// Half of it: two inputs at once.
#[derive(Clone, Copy, Debug)]
pub struct Bf16;

impl NumberFormat for Bf16 {
    type Input = Pair;
    type Weights = Pairs;
    type Rounded = [Pair; Lanes::COUNT / 2];

    // With fewer, the transforms take longer than they save.
    const WINOGRAD_FROM: usize = 64;

    fn pack(weights: &[f32], outputs: usize) -> Vec<Vec<Pairs>> {
        assert!(outputs.is_multiple_of(Lanes::COUNT) && weights.len().is_multiple_of(2 * outputs));
        let row = |inputs: &[f32]| {
            let (low, high) = inputs.split_at(outputs);
            let lanes = low.chunks_exact(Lanes::COUNT).zip(high.chunks_exact(Lanes::COUNT));
            lanes.map(|(low, high)| Pairs(std::array::from_fn(|i| Pair::round(low[i], high[i])))).collect()
        };
        weights.chunks_exact(2 * outputs).map(row).collect()
    }

    #[inline(always)]
    fn round<A: Arch>(arch: A, values: &Lanes) -> Self::Rounded {
        arch.round(arch.load(values))
    }

    #[inline(always)]
    fn inputs<'a>(_: &'a [Lanes], rounded: &'a [Self::Rounded]) -> &'a [Pair] {
        rounded.as_flattened()
    }

    #[inline(always)]
    fn add_product<A: Arch>(arch: A, sum: &mut Lanes, x: Pair, w: &Pairs) {
        sum.add_pair_product(arch, x, w);
    }
}
