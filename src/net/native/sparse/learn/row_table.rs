//! Rows of lanes side by side.

use rayon::prelude::*;

use super::super::super::lanes::{Lanes, floats, floats_mut};
use crate::net::gradient::Section;

/// Rows of one width.
///
/// They lie an odd number of lanes apart: the same few columns of many rows would otherwise fall into the same few
/// sets of a cache, and drive each other out.
#[derive(Clone, Debug)]
pub struct RowTable {
    pub(super) width: usize,
    pub(super) lanes: Vec<Lanes>,
}

impl RowTable {
    /// No rows of `width` lanes.
    pub fn new(width: usize) -> Self {
        RowTable { width, lanes: Vec::new() }
    }

    /// Lanes from one row to the next.
    #[inline]
    pub fn stride(&self) -> usize {
        self.width | 1
    }

    /// Numbers from one row to the next.
    #[inline]
    pub fn numbers_apart(&self) -> usize {
        self.stride() * Lanes::COUNT
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.lanes.len() / self.stride()
    }

    /// Makes it `rows` rows, which may hold anything.
    pub fn resize(&mut self, rows: usize) {
        self.lanes.resize(rows * self.stride(), Lanes::ZERO);
    }

    /// A row.
    #[inline]
    pub fn row(&self, index: usize) -> &[Lanes] {
        &self.lanes[index * self.stride()..][..self.width]
    }

    /// All rows.
    #[inline]
    pub fn lanes_mut(&mut self) -> &mut [Lanes] {
        &mut self.lanes
    }

    /// The rows from `first` on as the gradient in `rows` of a tensor.
    pub fn section<'a>(&'a self, tensor: usize, rows: &'a [usize], first: usize) -> Section<'a> {
        let (width, stride) = (self.width * Lanes::COUNT, self.numbers_apart());
        Section { tensor, rows, width, stride, values: &floats(&self.lanes)[first * stride..] }
    }

    /// Parts of `rows` rows, for tasks of several threads.
    pub fn tasks(&mut self, rows: usize) -> impl IndexedParallelIterator<Item = RowsMut<'_>> {
        let (width, stride) = (self.width, self.stride());
        self.lanes.par_chunks_mut(rows * stride).map(move |lanes| RowsMut { width, stride, lanes })
    }

    /// Calls `fill` with each row's index and its numbers, on all threads of the pool.
    pub fn fill(&mut self, fill: impl Fn(usize, &mut [f32]) + Sync) {
        let (width, stride) = (self.width, self.stride());
        let rows = self.lanes.par_chunks_exact_mut(stride).enumerate().with_min_len(16);
        rows.for_each(|(index, row)| fill(index, floats_mut(&mut row[..width])));
    }
}

/// Some rows of a [`RowTable`], for one thread.
pub struct RowsMut<'a> {
    width: usize,
    stride: usize,
    lanes: &'a mut [Lanes],
}

impl RowsMut<'_> {
    /// Lanes of a row.
    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }

    /// A row, counted from the first of these.
    #[inline]
    pub fn row(&mut self, index: usize) -> &mut [Lanes] {
        &mut self.lanes[index * self.stride..][..self.width]
    }
}
