//! A table of rows of the net: those that a batch touches, and their gradient.

use super::{
    super::super::{isa::Isa, lanes::floats},
    rows::Table,
    sums::Touched,
};
use crate::net::gradient::{Section, WeightRows};

/// The rows of one or more tensors, one after the other.
#[derive(Clone, Debug)]
pub struct Part {
    isa: Isa,
    /// Each tensor's place in the layout, and how many rows it has.
    tensors: Vec<(usize, usize)>,
    /// What the rows of the first tensor have in common.
    shared: Vec<Shared>,
    /// Which rows the batch reads; who owns the part fills in the sums.
    pub touched: Touched,
    /// The touched rows' numbers in their tensors.
    numbers: Vec<usize>,
    /// The touched rows, what they have in common added in.
    pub weights: Table,
    gradient: Table,
}

/// Rows of a tensor each of which is added to all rows of a group.
#[derive(Clone, Debug)]
struct Shared {
    tensor: usize,
    /// The group of each row that is in one.
    group_of: Vec<usize>,
    groups: usize,
    /// The groups as terms of the touched rows.
    touched: Touched,
    weights: Table,
    gradient: Table,
}

impl Part {
    /// Rows of `width` lanes, of `tensors`, each given by its place in the layout and its number of rows.
    pub fn new(isa: Isa, width: usize, tensors: Vec<(usize, usize)>) -> Self {
        Part {
            isa,
            tensors,
            shared: Vec::new(),
            touched: Touched::default(),
            numbers: Vec::new(),
            weights: Table::new(width),
            gradient: Table::new(width),
        }
    }

    /// To the rows of the first tensor are added those of `tensor`: to each that of its group.
    pub fn share(mut self, tensor: usize, group: impl Fn(usize) -> usize) -> Self {
        let group_of: Vec<usize> = (0..self.tensors[0].1).map(group).collect();
        let (groups, width) = (group_of.iter().max().map_or(0, |last| last + 1), self.weights.width());
        self.shared.push(Shared {
            tensor,
            group_of,
            groups,
            touched: Touched::default(),
            weights: Table::new(width),
            gradient: Table::new(width),
        });
        self
    }

    /// Finds the rows that the sums in `touched.forward` touch.
    pub fn find(&mut self) {
        let Part { tensors, shared, touched, numbers, .. } = self;
        touched.renumber(tensors.iter().map(|(_, rows)| rows).sum());
        numbers.clear();
        let (mut begin, mut end) = (0, 0);
        let mut rest = tensors.iter();
        for &row in &touched.rows {
            while row >= end {
                begin = end;
                end += rest.next().expect("a tensor for each row").1;
            }
            numbers.push(row - begin);
        }
        shared.iter_mut().for_each(|shared| shared.find(&touched.rows));
    }

    /// Reads the touched rows.
    pub fn read(&mut self, weights: &impl WeightRows) {
        let sections: Vec<(usize, usize)> = self.split().collect();
        let Part { shared, numbers, weights: table, .. } = self;
        shared.iter_mut().for_each(|shared| shared.read(weights));
        table.resize(numbers.len());
        table.fill(|at, row| {
            let (tensor, _) = sections[sections.partition_point(|&(_, end)| end <= at)];
            weights.read(tensor, numbers[at], row);
            for Shared { touched, weights, .. } in shared.iter() {
                for term in touched.forward.terms(at) {
                    let common = floats(weights.row(term.row as usize));
                    row.iter_mut().zip(common).for_each(|(sum, common)| *sum += common);
                }
            }
        });
    }

    /// Each tensor that is touched, and where its rows end among the touched ones.
    fn split(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut end = 0;
        self.tensors.iter().map(move |&(tensor, rows)| {
            end += rows;
            (tensor, self.touched.rows.partition_point(|&row| row < end))
        })
    }

    /// The gradient in the touched rows: of each the sum over the batch of `source`'s rows times `factors`.
    pub fn backward(&mut self, factors: &[f32], source: &Table) {
        let Part { isa, shared, touched, gradient, .. } = self;
        gradient.add_up(*isa, &touched.backward, factors, source);
        for Shared { touched, gradient: sum, .. } in shared {
            sum.add_up(*isa, &touched.backward, &[1.0], gradient);
        }
    }

    /// The gradient that [`Part::backward`] found.
    pub fn sections(&self) -> impl Iterator<Item = Section<'_>> {
        let mut begin = 0;
        let own = self.split().map(move |(tensor, end)| {
            let section = self.gradient.section(tensor, &self.numbers[begin..end], begin);
            begin = end;
            section
        });
        let shared = self.shared.iter();
        let shared = shared.map(|shared| shared.gradient.section(shared.tensor, &shared.touched.rows, 0));
        own.chain(shared)
    }
}

impl Shared {
    /// Finds the groups that `rows` are in.
    fn find(&mut self, rows: &[usize]) {
        let Shared { group_of, groups, touched, .. } = self;
        touched.forward.clear();
        for &row in rows {
            if let Some(&group) = group_of.get(row) {
                touched.forward.add_with(group, 0);
            }
            touched.forward.end();
        }
        touched.renumber(*groups);
    }

    fn read(&mut self, weights: &impl WeightRows) {
        let Shared { tensor, touched, weights: table, .. } = self;
        table.resize(touched.rows.len());
        table.fill(|at, row| weights.read(*tensor, touched.rows[at], row));
    }
}
