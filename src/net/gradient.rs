//! Weights and gradients by rows: a batch touches some rows of a sparse net, and in all others the gradient is zero.
//!
//! A row is one of a matrix, or the whole of a tensor that is no matrix. Tensors are numbered as in the
//! [`Layout`](super::weights::Layout).

/// Called with the name of each part of some work as it ends and the next one begins.
pub type EndOfPart<'a> = dyn FnMut(&'static str) + Send + 'a;

/// Weights that are read row by row.
pub trait WeightRows: Sync {
    /// Copies row `row` of tensor `tensor` to `out`, which is as long.
    fn read(&self, tensor: usize, row: usize, out: &mut [f32]);
}

/// A loss's gradient in some rows of one tensor; in its others it is zero.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    /// The tensor.
    pub tensor: usize,
    /// The rows, ascending.
    pub rows: &'a [usize],
    /// Numbers in a row.
    pub width: usize,
    /// Numbers from the beginning of one row of `values` to that of the next.
    pub stride: usize,
    /// The gradient in these rows, one after the other.
    pub values: &'a [f32],
}

impl<'a> Section<'a> {
    /// In a tensor that is no matrix.
    pub fn vector(tensor: usize, values: &'a [f32]) -> Self {
        Section { tensor, rows: &[0], width: values.len(), stride: values.len(), values }
    }

    /// The gradient in the `index`-th of the rows.
    pub fn row(&self, index: usize) -> &'a [f32] {
        &self.values[index * self.stride..][..self.width]
    }

    /// The same in parts of about `numbers`, at least one row each.
    pub fn parts(&self, numbers: usize) -> impl Iterator<Item = Section<'a>> {
        let (whole, rows) = (*self, (numbers / self.width).max(1));
        let parts = self.rows.chunks(rows).enumerate();
        parts.map(move |(part, numbers)| Section {
            rows: numbers,
            values: &whole.values[part * rows * whole.stride..],
            ..whole
        })
    }
}
