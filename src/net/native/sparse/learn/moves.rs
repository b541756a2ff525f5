//! The rows that moves are scored with.

use rayon::prelude::*;

use super::{super::super::isa::Isa, batch::TouchedRows, part::Part, row_table::RowTable};
use crate::net::{
    Sizes,
    gradient::{Section, WeightRows},
    weights::Layout,
};

/// The policy's rows, or the replies', and their gradient.
#[derive(Debug)]
pub struct MoveHead {
    /// One for each move; of the batch's moves those of a position are one sum.
    pub rows: Part,
    /// Of the touched rows.
    pub bias: Vec<f32>,
    /// The bias's place in the layout.
    bias_tensor: usize,
    /// The whole bias; then the gradient in it.
    whole_bias: Vec<f32>,
}

/// Rows whose bias a thread takes at least.
const ROWS_TOGETHER: usize = 64;

impl MoveHead {
    /// The tensors below `head.`, for gates of `width` lanes.
    pub fn new(isa: Isa, layout: &Layout, head: &str, sizes: Sizes, width: usize) -> Self {
        let tensor = |name: &str| layout.position(&format!("{head}.{name}")).expect("a head of moves");
        let rows = Part::new(isa, width, vec![tensor("moves")], &[tensor("planes"), tensor("squares")]);
        let whole_bias = vec![0.0; sizes.move_planes * sizes.squares];
        MoveHead { rows, bias: Vec::new(), bias_tensor: tensor("bias"), whole_bias }
    }

    /// Reads `rows`.
    pub fn read(&mut self, rows: &TouchedRows, weights: &impl WeightRows) {
        let MoveHead { rows: part, bias, bias_tensor, whole_bias } = self;
        part.read(rows, weights);
        weights.read(*bias_tensor, 0, whole_bias);
        bias.clear();
        bias.extend(rows.touched.rows.iter().map(|&row| whole_bias[row]));
    }

    /// The gradient in `rows`, from that in the logits, and the gates of the positions.
    pub fn backward(&mut self, rows: &TouchedRows, in_logits: &[f32], gates: &RowTable) {
        let MoveHead { rows: part, bias, whole_bias, .. } = self;
        part.backward(rows, in_logits, gates);
        let sums = &rows.touched.backward;
        bias.par_iter_mut().enumerate().with_min_len(ROWS_TOGETHER).for_each(|(row, sum)| {
            *sum = sums.terms(row).iter().map(|term| in_logits[term.factor as usize]).sum();
        });
        whole_bias.fill(0.0);
        rows.touched.rows.iter().zip(&*bias).for_each(|(&row, &sum)| whole_bias[row] = sum);
    }

    /// The gradient that [`MoveHead::backward`] found in `rows`.
    pub fn sections<'a>(&'a self, rows: &'a TouchedRows) -> impl Iterator<Item = Section<'a>> {
        self.rows.sections(rows).chain([Section::vector(self.bias_tensor, &self.whole_bias)])
    }
}
