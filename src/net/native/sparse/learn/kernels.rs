//! The kernels that add up rows, forward and backward.

use rayon::prelude::*;

use super::{
    super::super::{
        arch::{Arch, Kernel},
        isa::Isa,
        lanes::{Lanes, floats, floats_mut},
    },
    row_table::RowTable,
    sums::{Sums, Term},
};

impl RowTable {
    /// Makes row `i` the `i`-th of `sums`, of rows of `source` times `factors`, on all threads of the pool.
    pub fn add_up(&mut self, isa: Isa, sums: &Sums, factors: &[f32], source: &RowTable) {
        self.resize(sums.len());
        let (width, stride) = (self.width, self.stride());
        assert_eq!(width, source.width);
        let mut rest = &mut self.lanes[..];
        let mut tasks = Vec::new();
        let ranges = sums.cut(tasks_of_a_pass());
        let even = sums.all().div_ceil(ranges.len().max(1));
        for range in ranges {
            let out = rest.split_off_mut(..range.len() * stride).expect("a row for each sum");
            let (first, terms) = (range.start, sums.span(range.clone()).len());
            let task = |begin: usize, width: usize, stride: usize, out| {
                let columns = Columns { begin, width, stride };
                AddUp { sums, first, factors, before: 0, source, columns, out }
            };
            if range.len() > 1 || terms <= even {
                tasks.push(task(0, width, stride, out));
                continue;
            }
            // Much by itself, such as the bias, which is a term of all sums: some of its columns to each.
            let piece = width.div_ceil(terms.div_ceil(even.max(1))).next_multiple_of(COLUMNS_TOGETHER);
            let (out, _) = out.split_at_mut(width);
            for (at, out) in out.chunks_mut(piece).enumerate() {
                tasks.push(task(at * piece, out.len(), out.len(), out));
            }
        }
        tasks.into_par_iter().with_max_len(1).for_each(|task| isa.run(task));
    }
}

/// Tasks of a pass over all rows: few, since the rows of a task read the same source and keep parts of it in the cache;
/// but some for each thread, since they take unlike times.
fn tasks_of_a_pass() -> usize {
    match rayon::current_num_threads() {
        1 => 1,
        threads => 4 * threads,
    }
}

/// Columns that a thread takes of a sum at least: as many as the registers hold sums of.
const COLUMNS_TOGETHER: usize = 8;

/// How many terms ahead rows are fetched: they are too many for the nearest cache.
const FETCHED_AHEAD: usize = 12;

/// Sums of rows times factors, in the order of their terms.
pub struct AddUp<'a> {
    /// Which rows.
    pub sums: &'a Sums,
    /// The first of the sums.
    pub first: usize,
    /// Of the terms.
    pub factors: &'a [f32],
    /// How many of the list of factors come before those.
    pub before: usize,
    /// The rows.
    pub source: &'a RowTable,
    /// Which of their columns.
    pub columns: Columns,
    /// The sums.
    pub out: &'a mut [Lanes],
}

/// Some columns of sums, in lanes.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// The first one.
    pub begin: usize,
    /// How many.
    pub width: usize,
    /// From one sum to the next.
    pub stride: usize,
}

impl Kernel for AddUp<'_> {
    #[inline(always)]
    fn run<A: Arch>(mut self, arch: A) {
        // As many columns as fit into the registers, of all sums, so that the same columns of the source stay in the
        // cache.
        let mut column = 0;
        let width = self.columns.width;
        while A::SUMS >= 24 && column + 8 <= width {
            self.add_up::<A, 8>(arch, column);
            column += 8;
        }
        while column + 4 <= width {
            self.add_up::<A, 4>(arch, column);
            column += 4;
        }
        while column < width {
            self.add_up::<A, 1>(arch, column);
            column += 1;
        }
    }
}

impl AddUp<'_> {
    #[inline(always)]
    fn add_up<A: Arch, const N: usize>(&mut self, arch: A, column: usize) {
        let (rows, stride) = (&self.source.lanes, self.source.stride());
        let from = self.columns.begin + column;
        for (i, out) in self.out.chunks_mut(self.columns.stride).enumerate() {
            let mut block = [arch.splat(0.0); N];
            let terms = self.sums.terms_from(self.first + i);
            for (place, term) in self.sums.terms(self.first + i).iter().enumerate() {
                // Cannot panic, so that the compiler drops it where `prefetch` does nothing.
                if let Some(later) = terms.get(place + FETCHED_AHEAD) {
                    let first = later.row as usize * stride + from;
                    let lanes = rows.get(first..first + N).unwrap_or_default();
                    lanes.iter().for_each(|lanes| arch.prefetch(lanes));
                }
                let x = arch.splat(self.factors[term.factor as usize - self.before]);
                let row: &[Lanes; N] =
                    rows[term.row as usize * stride + from..].first_chunk().expect("a row");
                for k in 0..N {
                    block[k] = arch.mul_add(x, arch.load(&row[k]), block[k]);
                }
            }
            let out: &mut [Lanes; N] = out[column..].first_chunk_mut().expect("a row");
            for k in 0..N {
                arch.store(block[k], &mut out[k]);
            }
        }
    }
}

/// Products of some rows with one, and a number for each of them added.
pub struct Products<'a> {
    /// Which rows.
    pub terms: &'a [Term],
    /// The rows.
    pub source: &'a RowTable,
    /// What they are multiplied with.
    pub with: &'a [Lanes],
    /// One for each row.
    pub bias: &'a [f32],
    /// One for each term.
    pub out: &'a mut [f32],
}

impl Kernel for Products<'_> {
    #[inline(always)]
    fn run<A: Arch>(self, arch: A) {
        let Products { terms, source, with, bias, out } = self;
        // By fours: their sums wait for each other less, and are summed up together.
        for (terms, out) in terms.chunks(4).zip(out.chunks_mut(4)) {
            let mut rows = [0; 4];
            for (row, term) in rows.iter_mut().zip(terms) {
                *row = term.row as usize;
            }
            let four = [source.row(rows[0]), source.row(rows[1]), source.row(rows[2]), source.row(rows[3])];
            let mut products = [arch.splat(0.0); 4];
            for (i, lanes) in with.iter().enumerate() {
                for k in 0..4 {
                    products[k] = arch.mul_add(arch.load(&four[k][i]), arch.load(lanes), products[k]);
                }
            }
            let products = arch.sums(products);
            for ((out, product), row) in out.iter_mut().zip(products).zip(rows) {
                *out = product + bias[row];
            }
        }
    }
}

/// The gradient of a matrix: for each of some inputs, the sum over all rows of the input times the row of `gradient`.
pub struct Outer<'a> {
    /// `[rows, inputs]`.
    pub inputs: &'a RowTable,
    /// The first of the inputs; a multiple of four.
    pub first: usize,
    /// `[rows, outputs]`.
    pub gradient: &'a RowTable,
    /// `[some inputs, outputs]`, rows of one width and stride; a multiple of four of them.
    pub out: &'a mut [Lanes],
    /// Lanes from one row of `out` to the next.
    pub stride: usize,
}

impl Kernel for Outer<'_> {
    #[inline(always)]
    fn run<A: Arch>(self, arch: A) {
        let Outer { inputs, first, gradient, out, stride } = self;
        let apart = inputs.numbers_apart();
        for (four, out) in out.chunks_exact_mut(4 * stride).enumerate() {
            let first = first + 4 * four;
            for lane in 0..gradient.width {
                let mut sums = [arch.splat(0.0); 4];
                let numbers = floats(&inputs.lanes).chunks_exact(apart);
                for (numbers, row) in numbers.zip(gradient.lanes.chunks_exact(gradient.stride())) {
                    let numbers: &[f32; 4] = numbers[first..].first_chunk().expect("inputs in fours");
                    let row = arch.load(&row[lane]);
                    for k in 0..4 {
                        sums[k] = arch.mul_add(arch.splat(numbers[k]), row, sums[k]);
                    }
                }
                for k in 0..4 {
                    arch.store(sums[k], &mut out[k * stride + lane]);
                }
            }
        }
    }
}

/// Replaces sums by the gradient in them, given that in their gates.
pub struct GateBackward<'a> {
    /// Two halves.
    pub sums: &'a mut [Lanes],
    /// The gradient in the gates: half as many.
    pub gradient: &'a [Lanes],
}

impl Kernel for GateBackward<'_> {
    #[inline(always)]
    fn run<A: Arch>(self, _: A) {
        let (rectified, gated) = self.sums.split_at_mut(self.gradient.len());
        let (rectified, gated) = (floats_mut(rectified), floats_mut(gated));
        for ((a, b), &gradient) in rectified.iter_mut().zip(gated).zip(floats(self.gradient)) {
            let (passes, rectified) = if *a > 0.0 { (*b, *a) } else { (0.0, 0.0) };
            *a = gradient * passes;
            *b = gradient * rectified;
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::net::testing;

    fn table(width: usize, rows: usize, seed: u64) -> RowTable {
        let mut table = RowTable::new(width);
        table.resize(rows);
        let mut rng = testing::rng(seed);
        table
            .lanes_mut()
            .iter_mut()
            .flat_map(|lanes| &mut lanes.0)
            .for_each(|x| *x = rng.random_range(-1.0..1.0));
        table
    }

    fn numbers(table: &RowTable, row: usize) -> &[f32] {
        floats(table.row(row))
    }

    fn assert_close(found: f32, expected: f32) {
        assert!((found - expected).abs() < 1e-5 * expected.abs().max(1.0), "{found} {expected}");
    }

    fn isas() -> impl Iterator<Item = Isa> {
        Isa::ALL.into_iter().filter(|isa| isa.is_available())
    }

    #[test]
    fn rows_are_added_up_as_one_by_one() {
        let mut rng = testing::rng(1);
        for (isa, width) in isas().flat_map(|isa| [1, 3, 4, 8, 13, 16].map(|width| (isa, width))) {
            let source = table(width, 9, 2);
            let mut sums = Sums::default();
            for count in [0, 1, 7, 2, 30] {
                (0..count).for_each(|_| sums.add(rng.random_range(0..source.len())));
                sums.end();
            }
            let factors: Vec<f32> = (0..sums.all()).map(|_| rng.random_range(-1.0..1.0)).collect();
            let mut found = RowTable::new(width);
            found.add_up(isa, &sums, &factors, &source);
            assert_eq!(found.len(), 5);
            let bias: Vec<f32> = (0..source.len()).map(|row| row as f32).collect();
            for sum in 0..sums.len() {
                let terms = sums.terms(sum);
                for (column, &found) in numbers(&found, sum).iter().enumerate() {
                    let addend = |term: &Term| {
                        factors[term.factor as usize] * numbers(&source, term.row as usize)[column]
                    };
                    assert_close(found, terms.iter().map(addend).sum());
                }
                let (with, mut out) = (source.row(sum), vec![0.0; terms.len()]);
                isa.run(Products { terms, source: &source, with, bias: &bias, out: &mut out });
                for (term, found) in terms.iter().zip(out) {
                    let row = numbers(&source, term.row as usize).iter();
                    let product: f32 = row.zip(numbers(&source, sum)).map(|(a, b)| a * b).sum();
                    assert_close(found, product + bias[term.row as usize]);
                }
            }
        }
    }

    #[test]
    fn a_matrix_has_the_gradient_of_all_rows() {
        for isa in isas() {
            let (inputs, gradient, mut out) = (table(2, 11, 1), table(3, 11, 2), table(3, 8, 3));
            let (first, stride) = (16, out.stride());
            isa.run(Outer { inputs: &inputs, first, gradient: &gradient, out: out.lanes_mut(), stride });
            for (input, column) in (0..8).flat_map(|input| (0..48).map(move |column| (input, column))) {
                let rows =
                    (0..11).map(|row| numbers(&inputs, row)[first + input] * numbers(&gradient, row)[column]);
                assert_close(numbers(&out, input)[column], rows.sum());
            }
        }
    }

    #[test]
    fn gates_let_the_gradient_through_where_they_are_open() {
        for isa in isas() {
            let (mut sums, gradient) = (table(4, 1, 4), table(2, 1, 5));
            let before = numbers(&sums, 0).to_vec();
            isa.run(GateBackward { sums: &mut sums.lanes_mut()[..4], gradient: gradient.row(0) });
            for i in 0..32 {
                let (a, b, g) = (before[i], before[32 + i], numbers(&gradient, 0)[i]);
                let expected = if a > 0.0 { [g * b, g * a] } else { [0.0, 0.0] };
                assert_eq!([numbers(&sums, 0)[i], numbers(&sums, 0)[32 + i]], expected);
            }
        }
    }
}
