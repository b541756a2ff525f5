//! Sums of rows, and products with rows.

use super::{
    super::{arch::Arch, isa::Kernel, lanes::Lanes, words::Words},
    tables::{FeatureTable, MoveTable, WordTable},
};

/// The bias, the rows of the active features, and the scalars times theirs.
pub struct Accumulate<'a, T> {
    /// The rows: a [`FeatureTable`] or a [`WordTable`].
    pub table: &'a T,
    /// Where the rows of the active features begin.
    pub active: &'a [usize],
    /// The scalars.
    pub scalars: &'a [f32],
    /// Lanes of both accumulators.
    pub sums: &'a mut [Lanes],
}

impl Kernel for Accumulate<'_, FeatureTable> {
    #[inline(always)]
    fn run<A: Arch>(self) {
        // As many sums as fit into the registers; widths come in multiples of four lanes.
        if A::SUMS >= 24 && self.sums.len().is_multiple_of(8) {
            self.in_blocks::<A, 8>();
        } else {
            self.in_blocks::<A, 4>();
        }
    }
}

impl Accumulate<'_, FeatureTable> {
    #[inline(always)]
    fn in_blocks<A: Arch, const N: usize>(self) {
        let Accumulate { table, active, scalars, sums } = self;
        for first in (0..sums.len()).step_by(N) {
            let mut block = [A::splat(0.0); N];
            let row = block_at::<_, N>(&table.bias, first);
            for i in 0..N {
                block[i] = A::load(&row[i]);
            }
            for &at in active {
                let row = block_at::<_, N>(&table.features, at + first);
                for i in 0..N {
                    block[i] = A::add(block[i], A::load(&row[i]));
                }
            }
            add_scalars::<A, N>(&mut block, scalars, &table.scalars, sums.len(), first);
            for i in 0..N {
                A::store(block[i], &mut sums[first + i]);
            }
        }
    }
}

impl Kernel for Accumulate<'_, WordTable> {
    #[inline(always)]
    fn run<A: Arch>(self) {
        if self.sums.len().is_multiple_of(8) {
            self.in_blocks::<A, 4, 8>();
        } else {
            self.in_blocks::<A, 2, 4>();
        }
    }
}

impl Accumulate<'_, WordTable> {
    /// In blocks of `W` words, which are `N` lanes.
    #[inline(always)]
    fn in_blocks<A: Arch, const W: usize, const N: usize>(self) {
        const { assert!(N == 2 * W) };
        let Accumulate { table, active, scalars, sums } = self;
        let unit = A::splat(table.unit);
        for first in (0..sums.len()).step_by(N) {
            let mut words = [A::load_words(&Words::ZERO); W];
            for &at in active {
                let row = block_at::<_, W>(&table.features, at + first / 2);
                for i in 0..W {
                    words[i] = A::add_words(words[i], A::load_words(&row[i]));
                }
            }
            let mut block = [A::splat(0.0); N];
            let bias = block_at::<_, N>(&table.bias, first);
            for i in 0..W {
                let [low, high] = A::widen(words[i]);
                block[2 * i] = A::mul_add(low, unit, A::load(&bias[2 * i]));
                block[2 * i + 1] = A::mul_add(high, unit, A::load(&bias[2 * i + 1]));
            }
            add_scalars::<A, N>(&mut block, scalars, &table.scalars, sums.len(), first);
            for i in 0..N {
                A::store(block[i], &mut sums[first + i]);
            }
        }
    }
}

/// Adds the scalars times their rows, which are `width` lanes wide, from lane `first` on.
#[inline(always)]
fn add_scalars<A: Arch, const N: usize>(
    block: &mut [A::Register; N],
    scalars: &[f32],
    rows: &[Lanes],
    width: usize,
    first: usize,
) {
    for (scalar, &value) in scalars.iter().enumerate() {
        // Most are flags that are not set.
        if value != 0.0 {
            let row = block_at::<_, N>(rows, scalar * width + first);
            for i in 0..N {
                block[i] = A::mul_add(A::splat(value), A::load(&row[i]), block[i]);
            }
        }
    }
}

/// The `N` items of `rows` that begin at `first`.
#[inline(always)]
fn block_at<T, const N: usize>(rows: &[T], first: usize) -> &[T; N] {
    rows[first..].first_chunk().expect("blocks divide the width of a row")
}

/// `relu(a) * b`, for the halves `a` and `b` of an accumulator.
pub struct Gate<'a> {
    /// Lanes of an accumulator.
    pub sums: &'a [Lanes],
    /// Half as many.
    pub gate: &'a mut [Lanes],
}

impl Kernel for Gate<'_> {
    #[inline(always)]
    fn run<A: Arch>(self) {
        let (rectified, gated) = self.sums.split_at(self.gate.len());
        for ((gate, a), b) in self.gate.iter_mut().zip(rectified).zip(gated) {
            let rectified = A::max(A::load(a), A::splat(0.0));
            A::store(A::mul_add(rectified, A::load(b), A::splat(0.0)), gate);
        }
    }
}

/// One logit for each move: the product of its row with the gate, and its bias.
pub struct Logits<'a> {
    /// The rows.
    pub table: &'a MoveTable,
    /// Lanes of a gate.
    pub gate: &'a [Lanes],
    /// Policy indices.
    pub moves: &'a [u16],
    /// As many.
    pub logits: &'a mut [f32],
}

impl Kernel for Logits<'_> {
    #[inline(always)]
    fn run<A: Arch>(self) {
        let Logits { table, gate, moves, logits } = self;
        // By fours: their sums wait for each other less, and are summed up together.
        for (moves, logits) in moves.chunks(4).zip(logits.chunks_mut(4)) {
            let mut indices = [0; 4];
            for (index, &mv) in indices.iter_mut().zip(moves) {
                *index = usize::from(mv);
            }
            let [a, b, c, d] = indices;
            let row = |index: usize| &table.rows[index * gate.len()..][..gate.len()];
            let rows = [row(a), row(b), row(c), row(d)];
            let mut sums = [A::splat(0.0); 4];
            for (i, x) in gate.iter().enumerate() {
                let x = A::load(x);
                for k in 0..4 {
                    sums[k] = A::mul_add(x, A::load(&rows[k][i]), sums[k]);
                }
            }
            let sums = A::sums(sums);
            for ((logit, sum), index) in logits.iter_mut().zip(sums).zip(indices) {
                *logit = sum + table.bias[index];
            }
        }
    }
}
