//! A sparse net's rows as they are read: what rows have in common added in, and packed.

use super::super::{
    arch::Portable,
    lanes::{Lanes, floats, pack},
    words::Words,
};
use crate::net::{Sizes, weights::Named};

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

impl FeatureTable {
    /// Of the tensors below `accumulators.`.
    pub fn new(weights: &Named, sizes: Sizes) -> Self {
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

    /// Lanes of a row.
    pub(super) fn width(&self) -> usize {
        self.bias.len()
    }

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

/// Rows of the accumulators, those of the features as integers.
#[derive(Clone, Debug)]
pub struct WordTable {
    /// `[statuses * planes * squares, words of both accumulators]`.
    pub(super) features: Vec<Words>,
    /// What one stands for: a power of two.
    pub(super) unit: f32,
    /// `[scalars, lanes of both accumulators]`.
    pub(super) scalars: Vec<Lanes>,
    /// Lanes of both accumulators.
    pub(super) bias: Vec<Lanes>,
}

impl WordTable {
    /// Rounds the features' rows of `table` to the nearest.
    pub fn new(table: FeatureTable, sizes: Sizes) -> Self {
        let unit = unit(&table, sizes);
        let word = |&value: &f32| (value / unit).round() as i16;
        let features = table.features().chunks_exact(Words::COUNT);
        let features = features.map(|values| {
            let mut words = Words::ZERO;
            words.0.iter_mut().zip(values).for_each(|(out, value)| *out = word(value));
            words
        });
        WordTable { features: features.collect(), unit, scalars: table.scalars, bias: table.bias }
    }
}

/// The smallest power of two in units of which no sum passes the largest integer, where every square has one active
/// feature at most.
fn unit(table: &FeatureTable, sizes: Sizes) -> f32 {
    let width = table.bias().len();
    let mut largest = vec![0.0f32; sizes.squares * width];
    for (row, values) in table.features().chunks_exact(width).enumerate() {
        let largest = &mut largest[row % sizes.squares * width..][..width];
        largest.iter_mut().zip(values).for_each(|(largest, value)| *largest = largest.max(value.abs()));
    }
    let sum = |column: usize| largest[column..].iter().step_by(width).sum::<f32>();
    let bound = (0..width).map(sum).fold(f32::MIN_POSITIVE, f32::max);
    // Rounding may add half a unit on every square.
    (bound / (f32::from(i16::MAX) - sizes.squares as f32)).log2().ceil().exp2()
}

/// A row for each policy index.
#[derive(Clone, Debug)]
pub struct MoveTable {
    /// `[move planes * squares, lanes of a gate]`.
    pub(super) rows: Vec<Lanes>,
    /// `[move planes * squares]`.
    pub bias: Vec<f32>,
}

impl MoveTable {
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

    /// Lanes of a row.
    pub(super) fn width(&self) -> usize {
        self.rows.len() / self.bias.len()
    }
}

fn add(row: &mut [Lanes], other: &[Lanes]) {
    row.iter_mut().zip(other).for_each(|(sum, lanes)| sum.add::<Portable>(lanes));
}
