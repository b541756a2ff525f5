//! Sums of rows, and products with rows.

use std::ops::Range;

use super::{
    super::{
        arch::{Arch, Kernel},
        int16_lanes::Int16Lanes,
        isa::Isa,
        lanes::Lanes,
    },
    format::RowFormat,
    tables::{AccumulatorTable, ActiveRows, FeatureTable, Int16Table, MoveTable},
};

/// A table whose rows can be added up.
pub trait AddRows: AccumulatorTable {
    /// Adds up the bias and `rows`, for these lanes of the sums.
    fn add_rows(&self, isa: Isa, rows: &ActiveRows, sums: &mut [Lanes], wanted: Range<usize>);
}

impl AddRows for FeatureTable {
    fn add_rows(&self, isa: Isa, rows: &ActiveRows, sums: &mut [Lanes], wanted: Range<usize>) {
        isa.run(Accumulate { table: self, rows, sums, wanted });
    }
}

impl AddRows for Int16Table {
    fn add_rows(&self, isa: Isa, rows: &ActiveRows, sums: &mut [Lanes], wanted: Range<usize>) {
        isa.run(Accumulate { table: self, rows, sums, wanted });
    }
}

/// The bias and a position's rows.
struct Accumulate<'a, T> {
    /// The rows: a [`FeatureTable`] or a [`Int16Table`].
    table: &'a T,
    /// Which of them.
    rows: &'a ActiveRows,
    /// Lanes of both accumulators.
    sums: &'a mut [Lanes],
    /// Those that are wanted: others may keep what they have.
    wanted: Range<usize>,
}

impl Kernel for Accumulate<'_, FeatureTable> {
    #[inline(always)]
    fn run<A: Arch>(self, arch: A) {
        // As many sums as fit into the registers; widths come in multiples of four lanes.
        if A::SUMS >= 24 && self.sums.len().is_multiple_of(8) {
            self.in_blocks::<A, 8>(arch);
        } else {
            self.in_blocks::<A, 4>(arch);
        }
    }
}

impl Accumulate<'_, FeatureTable> {
    #[inline(always)]
    fn in_blocks<A: Arch, const N: usize>(self, arch: A) {
        let Accumulate { table, rows, sums, wanted } = self;
        for first in (wanted.start / N * N..wanted.end).step_by(N) {
            let mut block = [arch.splat(0.0); N];
            let row = block_at::<_, N>(&table.bias, first);
            for i in 0..N {
                block[i] = arch.load(&row[i]);
            }
            for &at in &rows.plain {
                let row = block_at::<_, N>(&table.features, at + first);
                for i in 0..N {
                    block[i] = arch.add(block[i], arch.load(&row[i]));
                }
            }
            add_scaled::<A, N>(arch, &mut block, rows, &table.scalars, first);
            for i in 0..N {
                arch.store(block[i], &mut sums[first + i]);
            }
        }
    }
}

impl Kernel for Accumulate<'_, Int16Table> {
    #[inline(always)]
    fn run<A: Arch>(self, arch: A) {
        if self.sums.len().is_multiple_of(8) {
            self.in_blocks::<A, 4, 8>(arch);
        } else {
            self.in_blocks::<A, 2, 4>(arch);
        }
    }
}

impl Accumulate<'_, Int16Table> {
    /// In blocks of `W` words, which are `N` lanes.
    #[inline(always)]
    fn in_blocks<A: Arch, const W: usize, const N: usize>(self, arch: A) {
        const { assert!(N == 2 * W) };
        let Accumulate { table, rows, sums, wanted } = self;
        let unit = arch.splat(table.unit);
        for first in (wanted.start / N * N..wanted.end).step_by(N) {
            let mut words = [arch.load_int16(&Int16Lanes::ZERO); W];
            let bias = block_at::<_, W>(&table.bias, first / 2);
            for i in 0..W {
                words[i] = arch.load_int16(&bias[i]);
            }
            for &at in &rows.plain {
                let row = block_at::<_, W>(&table.rows, at + first / 2);
                for i in 0..W {
                    words[i] = arch.add_int16(words[i], arch.load_int16(&row[i]));
                }
            }
            let zero = arch.splat(0.0);
            let mut block = [zero; N];
            for i in 0..W {
                let [low, high] = arch.widen(words[i]);
                block[2 * i] = arch.mul_add(low, unit, zero);
                block[2 * i + 1] = arch.mul_add(high, unit, zero);
            }
            add_scaled::<A, N>(arch, &mut block, rows, &table.scalars, first);
            for i in 0..N {
                arch.store(block[i], &mut sums[first + i]);
            }
        }
    }
}

/// Adds what is scaled of `rows`, of which `table` has the rows, from lane `first` on.
#[inline(always)]
fn add_scaled<A: Arch, const N: usize>(
    arch: A,
    block: &mut [A::Register; N],
    rows: &ActiveRows,
    table: &[Lanes],
    first: usize,
) {
    for &(at, scalar) in &rows.scaled {
        let row = block_at::<_, N>(table, at + first);
        for i in 0..N {
            block[i] = arch.mul_add(arch.splat(scalar), arch.load(&row[i]), block[i]);
        }
    }
}

/// The `N` items of `rows` that begin at `first`.
#[inline(always)]
fn block_at<T, const N: usize>(rows: &[T], first: usize) -> &[T; N] {
    rows[first..].first_chunk().expect("blocks divide the width of a row")
}

/// `relu(a) * b`, for the halves `a` and `b` of an accumulator.
pub struct Gate<'a, F: RowFormat> {
    /// Lanes of an accumulator.
    pub sums: &'a [Lanes],
    /// A row of half as many numbers.
    pub gate: &'a mut [F::Weights],
}

impl<F: RowFormat> Kernel for Gate<'_, F> {
    #[inline(always)]
    fn run<A: Arch>(self, arch: A) {
        let (rectified, gated) = self.sums.split_at(self.sums.len() / 2);
        for (lane, (a, b)) in rectified.iter().zip(gated).enumerate() {
            let rectified = arch.max(arch.load(a), arch.splat(0.0));
            F::set(arch, self.gate, lane, arch.mul_add(rectified, arch.load(b), arch.splat(0.0)));
        }
    }
}

/// One logit for each move: the product of its row with the gate, and its bias.
pub struct SparseLogits<'a, F: RowFormat> {
    /// The rows.
    pub table: &'a MoveTable<F>,
    /// A gate.
    pub gate: &'a [F::Weights],
    /// Policy indices.
    pub moves: &'a [u16],
    /// As many.
    pub logits: &'a mut [f32],
}

impl<F: RowFormat> Kernel for SparseLogits<'_, F> {
    #[inline(always)]
    fn run<A: Arch>(self, arch: A) {
        let SparseLogits { table, gate, moves, logits } = self;
        // By fours: their sums wait for each other less, and are summed up together.
        for (moves, logits) in moves.chunks(4).zip(logits.chunks_mut(4)) {
            let mut indices = [0; 4];
            for (index, &mv) in indices.iter_mut().zip(moves) {
                *index = usize::from(mv);
            }
            let [a, b, c, d] = indices;
            let row = |index: usize| &table.rows[index * gate.len()..][..gate.len()];
            let rows = [row(a), row(b), row(c), row(d)];
            let mut sums = [arch.splat(0.0); 4];
            for (i, x) in gate.iter().enumerate() {
                for k in 0..4 {
                    sums[k] = F::add_products(arch, sums[k], x, &rows[k][i]);
                }
            }
            let sums = arch.sums(sums);
            for ((logit, sum), index) in logits.iter_mut().zip(sums).zip(indices) {
                *logit = sum + table.bias[index];
            }
        }
    }
}
