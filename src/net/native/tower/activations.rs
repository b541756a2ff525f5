//! The activations of a board.

use crate::net::native::{arch::Arch, format::NumberFormat, lanes::Lanes};

/// What a layer has made of a board.
#[derive(Clone, Debug)]
pub struct Activations<F: NumberFormat> {
    /// `[squares, lanes of channels]`.
    values: Vec<Lanes>,
    /// The same, rounded to what is multiplied.
    rounded: Vec<F::Rounded>,
}

impl<F: NumberFormat> Activations<F> {
    /// All zero, `lanes` on all squares together.
    pub fn new(lanes: usize) -> Self {
        Activations { values: vec![Lanes::ZERO; lanes], rounded: vec![F::Rounded::default(); lanes] }
    }

    /// `[squares, lanes of channels]`.
    pub fn values(&self) -> &[Lanes] {
        &self.values
    }

    /// What is multiplied, square by square.
    pub fn inputs(&self) -> &[F::Input] {
        F::inputs(&self.values, &self.rounded)
    }

    /// Sets the lanes from `at` on.
    #[inline(always)]
    pub fn set<A: Arch, const B: usize>(&mut self, arch: A, at: usize, values: &[Lanes; B]) {
        self.values[at..][..B].copy_from_slice(values);
        let rounded = &mut self.rounded[at..][..B];
        // Not in a closure, which would be a function of its own, without the instructions.
        for (rounded, values) in rounded.iter_mut().zip(values) {
            *rounded = F::round(arch, values);
        }
    }

    /// The same, to be written; [`Activations::update`] has to follow.
    pub fn values_mut(&mut self) -> &mut [Lanes] {
        &mut self.values
    }

    /// Applies `change` to all lanes.
    #[inline(always)]
    pub fn update<A: Arch>(&mut self, arch: A, change: impl Fn(&mut Lanes)) {
        for (values, rounded) in self.values.iter_mut().zip(&mut self.rounded) {
            change(values);
            *rounded = F::round(arch, values);
        }
    }
}
