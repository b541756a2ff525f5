//! What the convolutions multiply, and the activations of a board that hold it.

use std::fmt::Debug;

use crate::net::native::{
    arch::Arch,
    bf16::{Pair, Pairs},
    lanes::{Lanes, floats, pack},
};

/// What a convolution multiplies at once; its sums are fp32 in any case.
pub trait Format: Clone + Debug + Send + Sync + 'static {
    /// Of a square: one channel, or two.
    type Input: Copy + Debug + Send + Sync;
    /// What that is multiplied with, for sixteen outputs.
    type Weights: Copy + Debug + Send + Sync;
    /// The inputs in one of [`Lanes`], if they are not its numbers as they are.
    type Rounded: Copy + Debug + Default + Send + Sync;

    /// Packs `[channels, outputs]`: a row for each input.
    fn pack(weights: &[f32], outputs: usize) -> Vec<Vec<Self::Weights>>;

    /// Rounds some of a board's activations.
    fn round<A: Arch>(values: &Lanes) -> Self::Rounded;

    /// `[squares, inputs]`.
    fn inputs(activations: &Activations<Self>) -> &[Self::Input];

    /// `sum += x * w`.
    fn add_product<A: Arch>(sum: &mut Lanes, x: Self::Input, w: &Self::Weights);
}

/// Single precision.
#[derive(Clone, Copy, Debug)]
pub struct Fp32;

impl Format for Fp32 {
    type Input = f32;
    type Weights = Lanes;
    type Rounded = ();

    fn pack(weights: &[f32], outputs: usize) -> Vec<Vec<Lanes>> {
        weights.chunks(outputs).map(pack).collect()
    }

    #[inline(always)]
    fn round<A: Arch>(_: &Lanes) {}

    fn inputs(activations: &Activations<Self>) -> &[f32] {
        floats(&activations.values)
    }

    #[inline(always)]
    fn add_product<A: Arch>(sum: &mut Lanes, x: f32, w: &Lanes) {
        sum.add_product::<A>(x, w);
    }
}

/// Half of it: two channels at once.
#[derive(Clone, Copy, Debug)]
pub struct Bf16;

impl Format for Bf16 {
    type Input = Pair;
    type Weights = Pairs;
    type Rounded = [Pair; Lanes::COUNT / 2];

    fn pack(weights: &[f32], outputs: usize) -> Vec<Vec<Pairs>> {
        let row = |channels: &[f32]| {
            let (low, high) = channels.split_at(outputs);
            let lanes = low.chunks_exact(Lanes::COUNT).zip(high.chunks_exact(Lanes::COUNT));
            lanes.map(|(low, high)| Pairs(std::array::from_fn(|i| Pair::round(low[i], high[i])))).collect()
        };
        weights.chunks_exact(2 * outputs).map(row).collect()
    }

    #[inline(always)]
    fn round<A: Arch>(values: &Lanes) -> Self::Rounded {
        A::round(A::load(values))
    }

    fn inputs(activations: &Activations<Self>) -> &[Pair] {
        activations.rounded.as_flattened()
    }

    #[inline(always)]
    fn add_product<A: Arch>(sum: &mut Lanes, x: Pair, w: &Pairs) {
        sum.add_pair_product::<A>(x, w);
    }
}

/// What a layer has made of a board.
#[derive(Clone, Debug)]
pub struct Activations<F: Format> {
    /// `[squares, lanes of channels]`.
    values: Vec<Lanes>,
    /// The same, rounded to what is multiplied.
    rounded: Vec<F::Rounded>,
}

impl<F: Format> Activations<F> {
    /// All zero, `lanes` on all squares together.
    pub fn new(lanes: usize) -> Self {
        Activations { values: vec![Lanes::ZERO; lanes], rounded: vec![F::Rounded::default(); lanes] }
    }

    /// `[squares, lanes of channels]`.
    pub fn values(&self) -> &[Lanes] {
        &self.values
    }

    /// Sets the lanes from `at` on.
    #[inline(always)]
    pub fn set<A: Arch, const B: usize>(&mut self, at: usize, values: &[Lanes; B]) {
        self.values[at..][..B].copy_from_slice(values);
        let rounded = &mut self.rounded[at..][..B];
        rounded.iter_mut().zip(values).for_each(|(rounded, values)| *rounded = F::round::<A>(values));
    }

    /// The same, to be written; [`Activations::update`] has to follow.
    pub fn values_mut(&mut self) -> &mut [Lanes] {
        &mut self.values
    }

    /// Applies `change` to all lanes.
    #[inline(always)]
    pub fn update<A: Arch>(&mut self, change: impl Fn(&mut Lanes)) {
        for (values, rounded) in self.values.iter_mut().zip(&mut self.rounded) {
            change(values);
            *rounded = F::round::<A>(values);
        }
    }
}
