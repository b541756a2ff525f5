//! A sparse net's rows as they are read: what rows have in common added in, and packed.

use std::{fmt::Debug, iter};

use super::{
    super::{
        arch::Portable,
        format::{Bf16, Fp32},
        isa::Isa,
        lanes::{Lanes, floats, pack},
        words::Words,
    },
    format::RowFormat,
    kernels::Accumulate,
};
use crate::{
    encode::Features,
    net::{Sizes, weights::Named},
};

/// The rows of the accumulators.
pub trait Accumulators: Clone + Debug + Send + Sync + 'static {
    /// What is multiplied behind them.
    type Heads: RowFormat;

    /// Of the tensors below `accumulators.`.
    fn new(weights: &Named, sizes: Sizes) -> Self;

    /// Lanes of both accumulators.
    fn width(&self) -> usize;

    /// Finds the rows of a position in a net of `sizes`.
    ///
    /// # Panics
    /// When a feature does not fit the sizes.
    fn find(&self, features: &Features, sizes: Sizes, rows: &mut Rows);

    /// Adds up the bias and `rows`.
    fn accumulate(&self, isa: Isa, rows: &Rows, sums: &mut [Lanes]);
}

/// A position's rows.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Where those begin that are added as they are.
    pub plain: Vec<usize>,
    /// Where those of scalars begin, and what they are multiplied with.
    pub scaled: Vec<(usize, f32)>,
}

/// Rows of the accumulators.
#[derive(Clone, Debug)]
pub struct FeatureTable {
    /// `[statuses * planes * squares, lanes of both accumulators]`.
    pub(super) features: Vec<Lanes>,
    /// `[scalars, lanes of both accumulators]`.
    pub(super) scalars: Vec<Lanes>,
    /// Lanes of both accumulators.
    pub(super) bias: Vec<Lanes>,
}

impl Accumulators for FeatureTable {
    type Heads = Fp32;

    fn new(weights: &Named, sizes: Sizes) -> Self {
        let mut features = pack(weights.get("accumulators.features"));
        let bias = pack(weights.get("accumulators.bias"));
        let planes = pack(weights.get("accumulators.planes"));
        let squares = weights.find("accumulators.squares").map(pack);
        for (row, features) in features.chunks_exact_mut(bias.len()).enumerate() {
            add(features, &planes[row / sizes.squares * bias.len()..]);
            if let Some(squares) = &squares {
                add(features, &squares[row % (sizes.planes * sizes.squares) * bias.len()..]);
            }
        }
        FeatureTable { features, scalars: pack(weights.get("accumulators.scalars")), bias }
    }

    fn width(&self) -> usize {
        self.bias.len()
    }

    fn find(&self, features: &Features, sizes: Sizes, rows: &mut Rows) {
        let width = self.width();
        rows.plain.clear();
        rows.plain.extend(features.active.iter().map(|feature| sizes.row(feature) * width));
        rows.scaled.clear();
        rows.scaled.extend(scalars(features).map(|(index, scalar)| (index * width, scalar)));
    }

    fn accumulate(&self, isa: Isa, rows: &Rows, sums: &mut [Lanes]) {
        isa.run(Accumulate { table: self, rows, sums });
    }
}

/// The scalars that are not zero, with their index. Most are flags that are not set.
fn scalars(features: &Features) -> impl Iterator<Item = (usize, f32)> {
    features.scalars.iter().copied().enumerate().filter(|(_, scalar)| *scalar != 0.0)
}

impl FeatureTable {
    /// `[statuses * planes * squares, 2 * hidden]`.
    pub fn features(&self) -> &[f32] {
        floats(&self.features)
    }

    /// `[scalars, 2 * hidden]`.
    pub fn scalars(&self) -> &[f32] {
        floats(&self.scalars)
    }

    /// `[2 * hidden]`.
    pub fn bias(&self) -> &[f32] {
        floats(&self.bias)
    }
}

/// Rows of the accumulators as integers.
#[derive(Clone, Debug)]
pub struct WordTable {
    /// `[statuses * planes * squares + scalars, words of both accumulators]`.
    pub(super) rows: Vec<Words>,
    /// Words of both accumulators.
    pub(super) bias: Vec<Words>,
    /// What one stands for.
    pub(super) unit: f32,
    /// `[scalars, lanes of both accumulators]`, for those that are neither 0 nor 1.
    pub(super) scalars: Vec<Lanes>,
}

impl Accumulators for WordTable {
    type Heads = Bf16;

    /// Rounds to the nearest.
    fn new(weights: &Named, sizes: Sizes) -> Self {
        let table = FeatureTable::new(weights, sizes);
        let unit = unit(&table, sizes);
        let rows = table.features().iter().chain(table.scalars());
        WordTable {
            rows: words(rows, unit),
            bias: words(table.bias().iter(), unit),
            unit,
            scalars: table.scalars,
        }
    }

    fn width(&self) -> usize {
        2 * self.bias.len()
    }

    fn find(&self, features: &Features, sizes: Sizes, rows: &mut Rows) {
        let width = self.bias.len();
        rows.plain.clear();
        rows.plain.extend(features.active.iter().map(|feature| sizes.row(feature) * width));
        rows.scaled.clear();
        for (index, scalar) in scalars(features) {
            if scalar == 1.0 {
                rows.plain.push((sizes.rows() + index) * width);
            } else {
                rows.scaled.push((index * self.width(), scalar));
            }
        }
    }

    fn accumulate(&self, isa: Isa, rows: &Rows, sums: &mut [Lanes]) {
        isa.run(Accumulate { table: self, rows, sums });
    }
}

/// The nearest integers in units of `unit`.
fn words<'a>(mut values: impl Iterator<Item = &'a f32>, unit: f32) -> Vec<Words> {
    iter::from_fn(|| {
        let first = values.next()?;
        let mut words = Words::ZERO;
        for (word, value) in words.0.iter_mut().zip(iter::once(first).chain(&mut values)) {
            *word = (value / unit).round() as i16;
        }
        Some(words)
    })
    .collect()
}

/// The smallest unit in which no sum passes the largest integer on either side, where every square has one active
/// feature at most and every scalar is 1 at most.
fn unit(table: &FeatureTable, sizes: Sizes) -> f32 {
    let width = table.bias().len();
    // The most that each square, scalar, and the bias can add to the sums, on the side of `sign`.
    let most = |sign: f32| {
        let mut squares = vec![0.0f32; sizes.squares * width];
        for (row, values) in table.features().chunks_exact(width).enumerate() {
            let most = &mut squares[row % sizes.squares * width..][..width];
            most.iter_mut().zip(values).for_each(|(most, value)| *most = most.max(sign * value));
        }
        let others = table.scalars().iter().chain(table.bias());
        squares.extend(others.map(|value| (sign * value).max(0.0)));
        squares
    };
    let sums = |rows: Vec<f32>| (0..width).map(move |at| rows[at..].iter().step_by(width).sum::<f32>());
    let bound = sums(most(1.0)).chain(sums(most(-1.0))).fold(f32::MIN_POSITIVE, f32::max);
    // Rounding may add half a unit to every row; the other half is for that of the bound.
    let rows = (sizes.squares + sizes.scalars + 1) as f32;
    bound / (f32::from(i16::MAX) - rows)
}

/// A row for each policy index.
#[derive(Clone, Debug)]
pub struct MoveTable<F: RowFormat> {
    /// `[move planes * squares, width of a gate]`.
    pub(super) rows: Vec<F::Weights>,
    /// `[move planes * squares]`.
    pub bias: Vec<f32>,
}

impl MoveTable<Fp32> {
    /// Of the tensors below `head.`.
    pub fn new(weights: &Named, head: &str, sizes: Sizes) -> Self {
        let tensor = |name: &str| weights.get(&format!("{head}.{name}"));
        let bias = tensor("bias").to_vec();
        let (mut rows, planes, squares) =
            (pack(tensor("moves")), pack(tensor("planes")), pack(tensor("squares")));
        let width = rows.len() / bias.len();
        for (index, row) in rows.chunks_exact_mut(width).enumerate() {
            add(row, &planes[index / sizes.squares * width..]);
            add(row, &squares[index % sizes.squares * width..]);
        }
        MoveTable { rows, bias }
    }

    /// `[move planes * squares, hidden / 2]`.
    pub fn rows(&self) -> &[f32] {
        floats(&self.rows)
    }

    /// The same in other numbers.
    pub(super) fn packed<F: RowFormat>(self) -> MoveTable<F> {
        let rows = self.rows.chunks_exact(self.width()).flat_map(|row| F::pack_row(floats(row)));
        MoveTable { rows: rows.collect(), bias: self.bias }
    }
}

impl<F: RowFormat> MoveTable<F> {
    /// [`Format::Weights`](crate::net::native::format::Format) of a row.
    pub(super) fn width(&self) -> usize {
        self.rows.len() / self.bias.len()
    }
}

fn add(row: &mut [Lanes], other: &[Lanes]) {
    row.iter_mut().zip(other).for_each(|(sum, lanes)| sum.add::<Portable>(lanes));
}
