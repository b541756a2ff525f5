//! A sparse net's rows as they are read: what rows have in common added in, and packed.

use std::{fmt::Debug, iter};

use super::{
    super::{
        arch::Portable,
        format::{Bf16, Fp32},
        int16_lanes::Int16Lanes,
        lanes::{Lanes, floats, pack},
        parallel::collect,
    },
    format::RowFormat,
};
use crate::{
    games::encode::Features,
    net::{Sizes, weights::Named},
};

/// The rows of the accumulators.
pub trait AccumulatorTable: Clone + Debug + Send + Sync + 'static {
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
    fn find(&self, features: &Features, sizes: Sizes, rows: &mut ActiveRows);
}

/// Lanes that a thread packs at least.
const TOGETHER: usize = 1 << 12;

/// A position's rows in one kind of table.
#[derive(Clone, Debug, Default)]
pub struct ActiveRows {
    /// Where those begin that are added as they are, in [`Lanes`] or [`Int16Lanes`].
    pub plain: Vec<usize>,
    /// Where those of scalars begin, in [`Lanes`], and what they are multiplied with.
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

impl AccumulatorTable for FeatureTable {
    type Heads = Fp32;

    fn new(weights: &Named, sizes: Sizes) -> Self {
        let bias = pack(weights.get("accumulators.bias"));
        let planes = pack(weights.get("accumulators.planes"));
        let squares = weights.find("accumulators.squares").map(pack);
        let features = weights.get("accumulators.features");
        let (features, width) = (features.as_chunks::<{ Lanes::COUNT }>().0, bias.len());
        let features = collect(features.len(), TOGETHER, |at| {
            let (row, column) = (at / width, at % width);
            let mut lanes = Lanes(features[at]);
            lanes.add(Portable, &planes[row / sizes.squares * width + column]);
            if let Some(squares) = &squares {
                lanes.add(Portable, &squares[row % (sizes.planes * sizes.squares) * width + column]);
            }
            lanes
        });
        FeatureTable { features, scalars: pack(weights.get("accumulators.scalars")), bias }
    }

    fn width(&self) -> usize {
        self.bias.len()
    }

    fn find(&self, features: &Features, sizes: Sizes, rows: &mut ActiveRows) {
        let width = self.width();
        rows.plain.clear();
        rows.plain.extend(features.active.iter().map(|feature| sizes.row(feature) * width));
        rows.scaled.clear();
        rows.scaled.extend(scalars(features).map(|(index, scalar)| (index * width, scalar)));
    }
}

/// The scalars that are not zero, with their index. Most are flags that are not set.
fn scalars(features: &Features) -> impl Iterator<Item = (usize, f32)> {
    let chunks = (0..).step_by(CHUNK).zip(features.scalars.chunks(CHUNK));
    chunks.flat_map(|(first, scalars)| {
        // Neither zero nor minus zero; without a branch for each.
        let is_set = |scalar: &f32| u64::from(scalar.to_bits() << 1 != 0);
        let mut set = scalars.iter().enumerate().fold(0, |set, (i, scalar)| set | is_set(scalar) << i);
        iter::from_fn(move || {
            let place = set.trailing_zeros() as usize;
            let scalar = scalars.get(place)?;
            set &= set - 1;
            Some((first + place, *scalar))
        })
    })
}

/// Scalars that a word has a bit for.
const CHUNK: usize = u64::BITS as usize;

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
pub struct Int16Table {
    /// `[statuses * planes * squares + scalars, words of both accumulators]`.
    pub(super) rows: Vec<Int16Lanes>,
    /// Lanes of both accumulators.
    pub(super) bias: Vec<Int16Lanes>,
    /// What one stands for.
    pub(super) unit: f32,
    /// `[scalars, lanes of both accumulators]`, for those that are neither 0 nor 1.
    pub(super) scalars: Vec<Lanes>,
}

impl AccumulatorTable for Int16Table {
    type Heads = Bf16;

    /// Rounds to the nearest.
    fn new(weights: &Named, sizes: Sizes) -> Self {
        let table = FeatureTable::new(weights, sizes);
        let unit = unit(&table, sizes);
        Int16Table {
            rows: [words(table.features(), unit), words(table.scalars(), unit)].concat(),
            bias: words(table.bias(), unit),
            unit,
            scalars: table.scalars,
        }
    }

    fn width(&self) -> usize {
        2 * self.bias.len()
    }

    fn find(&self, features: &Features, sizes: Sizes, rows: &mut ActiveRows) {
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
}

/// The nearest integers in units of `unit`, rows of [`Int16Lanes`].
fn words(values: &[f32], unit: f32) -> Vec<Int16Lanes> {
    let values = values.as_chunks::<{ Int16Lanes::COUNT }>().0;
    collect(values.len(), TOGETHER, |at| Int16Lanes(values[at].map(|value| nearest(value / unit))))
}

/// The nearest integer, of two as near the one farther from zero: `f32::round` without a call. The net is packed anew
/// in every generation.
#[inline(always)]
fn nearest(x: f32) -> i16 {
    let whole = x as i32;
    let rest = x - whole as f32;
    (whole + i32::from(rest >= 0.5) - i32::from(rest <= -0.5)) as i16
}

/// A unit in which no sum passes the largest integer on either side, whatever the scalars, where every square has one
/// active feature at most.
fn unit(table: &FeatureTable, sizes: Sizes) -> f32 {
    let width = table.bias().len();
    let lanes = width / Lanes::COUNT;
    // What a square can add to the sums of a lane, at most, on either side.
    let of_squares = collect(sizes.squares * lanes, lanes, |at| {
        let (square, lane) = (at / lanes, at % lanes);
        let mut addends = [[0.0f32; Lanes::COUNT]; 2];
        for values in table.features[square * lanes + lane..].iter().step_by(sizes.squares * lanes) {
            widen(&mut addends, values);
        }
        addends
    });
    // What each scalar and the bias can add.
    let others = table.scalars.iter().chain(&table.bias).map(|values| {
        let mut addends = [[0.0f32; Lanes::COUNT]; 2];
        widen(&mut addends, values);
        addends
    });
    let mut sums = vec![[[0.0f32; Lanes::COUNT]; 2]; lanes];
    for (at, addends) in of_squares.into_iter().chain(others).enumerate() {
        let sums = sums[at % lanes].as_flattened_mut().iter_mut();
        sums.zip(addends.as_flattened()).for_each(|(sum, addend)| *sum += addend);
    }
    let bound =
        sums.as_flattened().as_flattened().iter().fold(f32::MIN_POSITIVE, |bound, &sum| bound.max(sum));
    // Rounding may add half a unit to every row; the other half is for that of the bound.
    let count = (sizes.squares + sizes.scalars + 1) as f32;
    bound / (f32::from(i16::MAX) - count)
}

/// Makes the largest values on either side at least `values`.
fn widen([above, below]: &mut [[f32; Lanes::COUNT]; 2], values: &Lanes) {
    above.iter_mut().zip(values.0).for_each(|(largest, value)| *largest = largest.max(value));
    below.iter_mut().zip(values.0).for_each(|(largest, value)| *largest = largest.max(-value));
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
        let (rows, planes, squares) = (tensor("moves"), pack(tensor("planes")), pack(tensor("squares")));
        let rows = rows.as_chunks::<{ Lanes::COUNT }>().0;
        let width = rows.len() / bias.len();
        let rows = collect(rows.len(), TOGETHER, |at| {
            let (index, column) = (at / width, at % width);
            let mut lanes = Lanes(rows[at]);
            lanes.add(Portable, &planes[index / sizes.squares * width + column]);
            lanes.add(Portable, &squares[index % sizes.squares * width + column]);
            lanes
        });
        MoveTable { rows, bias }
    }

    /// `[move planes * squares, hidden / 2]`.
    #[cfg(feature = "program")]
    pub fn rows(&self) -> &[f32] {
        floats(&self.rows)
    }

    /// The same in other numbers.
    pub(super) fn packed<F: RowFormat>(self) -> MoveTable<F> {
        let width = self.width();
        let row = |index: usize| F::pack_row(floats(&self.rows[index * width..][..width]));
        let rows = collect(self.bias.len(), TOGETHER / width + 1, row);
        MoveTable { rows: rows.concat(), bias: self.bias }
    }
}

impl<F: RowFormat> MoveTable<F> {
    /// Lanes or pairs of a row.
    pub(super) fn width(&self) -> usize {
        self.rows.len() / self.bias.len()
    }
}

#[cfg(test)]
mod tests {
    use super::{super::kernels::AddRows, *};
    use crate::net::{Isa, testing};

    #[test]
    fn the_nearest_integer_is_that_of_the_standard_library() {
        let halves = (-65_534..=65_534).map(|i| i as f32 / 2.0);
        let near = halves.flat_map(|x| [x.next_down(), x, x.next_up()]).filter(|x| x.abs() <= 32_767.0);
        assert!(near.clone().count() > 390_000);
        near.for_each(|x| assert_eq!(nearest(x), x.round() as i16, "{x}"));
    }

    #[test]
    fn the_largest_sums_do_not_overflow() {
        let model = testing::model("sparse-32-attacks", &testing::shape(5, 5), 1);
        let (weights, sizes) = (Named::new(model.layout(), model.weights()), model.sizes());
        let floats_table = FeatureTable::new(&weights, sizes);
        let table = Int16Table::new(&weights, sizes);
        let columns = floats_table.bias().len();
        let mut largest = 0.0f32;
        for (column, sign) in (0..columns).flat_map(|column| [(column, 1.0), (column, -1.0)]) {
            let value = |row: usize| sign * floats_table.features()[row * columns + column];
            // On each square what adds most to the column, and the scalars that add to it.
            let rows = (0..sizes.squares).map(|square| {
                let rows = (square..sizes.rows()).step_by(sizes.squares);
                rows.max_by(|&a, &b| value(a).total_cmp(&value(b))).unwrap()
            });
            let rows: Vec<usize> = rows.filter(|&row| value(row) > 0.0).collect();
            let scalars = (0..sizes.scalars)
                .filter(|scalar| sign * floats_table.scalars()[scalar * columns + column] > 0.0);
            let scalars: Vec<usize> = scalars.collect();

            let (width, words) = (floats_table.width(), table.bias.len());
            let of_floats = ActiveRows {
                plain: rows.iter().map(|row| row * width).collect(),
                scaled: scalars.iter().map(|scalar| (scalar * width, 1.0)).collect(),
            };
            let all = rows.iter().copied().chain(scalars.iter().map(|scalar| sizes.rows() + scalar));
            let of_words = ActiveRows { plain: all.map(|row| row * words).collect(), scaled: Vec::new() };
            let (mut expected, mut found) = (vec![Lanes::ZERO; width], vec![Lanes::ZERO; width]);
            floats_table.add_rows(Isa::detect(), &of_floats, &mut expected, 0..width);
            table.add_rows(Isa::detect(), &of_words, &mut found, 0..width);

            let most = 0.5 * (rows.len() + scalars.len() + 1) as f32 * table.unit + 1e-5;
            for (found, expected) in floats(&found).iter().zip(floats(&expected)) {
                assert!((found - expected).abs() <= most, "{found} for {expected}, unit {}", table.unit);
            }
            largest = largest.max(sign * floats(&found)[column] / table.unit);
        }
        // Nor is room left: the largest of all comes near the largest integer, but for the bias of other signs.
        assert!(largest > 32_000.0, "{largest}");
    }
}
