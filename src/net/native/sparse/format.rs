//! What a gate, the moves' rows, and the value's hidden layer are multiplied in.

use crate::net::native::{
    arch::Arch,
    bf16::{Pair, Pairs},
    format::{Bf16, Fp32, NumberFormat},
    lanes::{Lanes, floats, pack},
};

/// Rows of numbers, of which one is multiplied with another: [`NumberFormat::Weights`] that follow one another.
pub trait RowFormat: NumberFormat {
    /// All zero.
    const ZERO: Self::Weights;

    /// Packs a row of an even length, zeros at the end.
    fn pack_row(numbers: &[f32]) -> Vec<Self::Weights>;

    /// Sets the sixteen numbers of a row that `lane` counts.
    fn set<A: Arch>(arch: A, row: &mut [Self::Weights], lane: usize, numbers: A::Register);

    /// The numbers of a row as inputs.
    fn row_inputs(row: &[Self::Weights]) -> &[Self::Input];

    /// `sum + x * w`, number by number; where there are two to a sum, both.
    fn add_products<A: Arch>(arch: A, sum: A::Register, x: &Self::Weights, w: &Self::Weights) -> A::Register;
}

impl RowFormat for Fp32 {
    const ZERO: Lanes = Lanes::ZERO;

    fn pack_row(numbers: &[f32]) -> Vec<Lanes> {
        pack(numbers)
    }

    #[inline(always)]
    fn set<A: Arch>(arch: A, row: &mut [Lanes], lane: usize, numbers: A::Register) {
        arch.store(numbers, &mut row[lane]);
    }

    #[inline(always)]
    fn row_inputs(row: &[Lanes]) -> &[f32] {
        floats(row)
    }

    #[inline(always)]
    fn add_products<A: Arch>(arch: A, sum: A::Register, x: &Lanes, w: &Lanes) -> A::Register {
        arch.mul_add(arch.load(x), arch.load(w), sum)
    }
}

impl RowFormat for Bf16 {
    const ZERO: Pairs = Pairs([Pair::ZERO; Lanes::COUNT]);

    fn pack_row(numbers: &[f32]) -> Vec<Pairs> {
        let pairs = |numbers: &[f32]| {
            let mut pairs = Self::ZERO;
            for (pair, two) in pairs.0.iter_mut().zip(numbers.as_chunks().0) {
                let [first, second] = *two;
                *pair = Pair::round(first, second);
            }
            pairs
        };
        assert!(numbers.len().is_multiple_of(2), "numbers come in pairs");
        numbers.chunks(2 * Lanes::COUNT).map(pairs).collect()
    }

    #[inline(always)]
    fn set<A: Arch>(arch: A, row: &mut [Pairs], lane: usize, numbers: A::Register) {
        const HALF: usize = Lanes::COUNT / 2;
        row[lane / 2].0[lane % 2 * HALF..][..HALF].copy_from_slice(&arch.round(numbers));
    }

    #[inline(always)]
    fn row_inputs(row: &[Pairs]) -> &[Pair] {
        Pairs::flat(row)
    }

    #[inline(always)]
    fn add_products<A: Arch>(arch: A, sum: A::Register, x: &Pairs, w: &Pairs) -> A::Register {
        arch.add_pair_products(sum, x, w)
    }
}
