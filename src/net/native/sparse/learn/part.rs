//! Rows of the net as a batch needs them: those that it touches, and their gradient.

use rayon::prelude::*;

use super::{
    super::super::{isa::Isa, lanes::floats},
    batch::TouchedRows,
    row_table::RowTable,
};
use crate::net::gradient::{Section, WeightRows};

/// The weights of the touched rows of one or more tensors, and the gradient in them.
#[derive(Clone, Debug)]
pub struct Part {
    isa: Isa,
    /// Each tensor's place in the layout.
    tensors: Vec<usize>,
    /// What the rows of the first tensor have in common.
    shared: Vec<Shared>,
    /// The touched rows, what they have in common added in.
    pub weights: RowTable,
    gradient: RowTable,
}

/// A tensor of rows each of which is added to all rows of a group.
#[derive(Clone, Debug)]
struct Shared {
    tensor: usize,
    weights: RowTable,
    gradient: RowTable,
}

impl Part {
    /// Rows of `width` lanes, of `tensors`, given by their places in the layout; to those of the first one are added
    /// the rows of `shared`, a tensor for each grouping.
    pub fn new(isa: Isa, width: usize, tensors: Vec<usize>, shared: &[usize]) -> Self {
        let table = || RowTable::new(width);
        let shared = shared.iter().map(|&tensor| Shared { tensor, weights: table(), gradient: table() });
        Part { isa, tensors, shared: shared.collect(), weights: table(), gradient: table() }
    }

    /// Reads the touched rows.
    pub fn read(&mut self, rows: &TouchedRows, weights: &impl WeightRows) {
        let Part { tensors, shared, weights: table, .. } = self;
        shared.par_iter_mut().zip(&rows.groups).for_each(
            |(Shared { tensor, weights: table, .. }, groups)| {
                table.resize(groups.rows.len());
                table.fill(|at, row| weights.read(*tensor, groups.rows[at], row));
            },
        );
        let shared = &*shared;
        table.resize(rows.numbers.len());
        table.fill(|at, row| {
            let tensor = tensors[rows.ends.partition_point(|&end| end <= at)];
            weights.read(tensor, rows.numbers[at], row);
            for (Shared { weights, .. }, groups) in shared.iter().zip(&rows.groups) {
                for term in groups.forward.terms(at) {
                    let common = floats(weights.row(term.row as usize));
                    row.iter_mut().zip(common).for_each(|(sum, common)| *sum += common);
                }
            }
        });
    }

    /// The gradient in the touched rows: of each the sum over the batch of `source`'s rows times `factors`.
    pub fn backward(&mut self, rows: &TouchedRows, factors: &[f32], source: &RowTable) {
        let Part { isa, shared, gradient, .. } = self;
        gradient.add_up(*isa, &rows.touched.backward, factors, source);
        shared.par_iter_mut().zip(&rows.groups).for_each(|(Shared { gradient: sum, .. }, groups)| {
            sum.add_up(*isa, &groups.backward, &[1.0], gradient);
        });
    }

    /// The gradient that [`Part::backward`] found in `rows`.
    pub fn sections<'a>(&'a self, rows: &'a TouchedRows) -> impl Iterator<Item = Section<'a>> {
        let mut begin = 0;
        let own = self.tensors.iter().zip(&rows.ends).map(move |(&tensor, &end)| {
            let section = self.gradient.section(tensor, &rows.numbers[begin..end], begin);
            begin = end;
            section
        });
        let shared = self.shared.iter().zip(&rows.groups);
        own.chain(shared.map(|(shared, groups)| shared.gradient.section(shared.tensor, &groups.rows, 0)))
    }
}
