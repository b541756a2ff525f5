//! The rows that moves are scored with.

use super::{super::super::isa::Isa, part::Part, rows::Table};
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

impl MoveHead {
    /// The tensors below `head.`, for gates of `width` lanes.
    pub fn new(isa: Isa, layout: &Layout, head: &str, sizes: Sizes, width: usize) -> Self {
        let Sizes { move_planes, squares, .. } = sizes;
        let tensor = |name: &str| layout.position(&format!("{head}.{name}")).expect("a head of moves");
        let moves = move_planes * squares;
        let rows = Part::new(isa, width, vec![(tensor("moves"), moves)])
            .share(tensor("planes"), |index| index / squares)
            .share(tensor("squares"), |index| index % squares);
        MoveHead { rows, bias: Vec::new(), bias_tensor: tensor("bias"), whole_bias: vec![0.0; moves] }
    }

    /// Finds the rows of `moves`, pairs of a position's place among `count` and a policy index, in the order of the
    /// positions.
    pub fn find(&mut self, count: usize, moves: &[(usize, u16)]) {
        let sums = &mut self.rows.touched.forward;
        sums.clear();
        let mut moves = moves.iter().peekable();
        for position in 0..count {
            while let Some((_, index)) = moves.next_if(|(of, _)| *of == position) {
                sums.add(usize::from(*index));
            }
            sums.end();
        }
        self.rows.find();
    }

    /// Reads the rows that were found.
    pub fn read(&mut self, weights: &impl WeightRows) {
        let MoveHead { rows, bias, bias_tensor, whole_bias } = self;
        rows.read(weights);
        weights.read(*bias_tensor, 0, whole_bias);
        bias.clear();
        bias.extend(rows.touched.rows.iter().map(|&row| whole_bias[row]));
    }

    /// The gradient in the rows, from that in the logits, and the gates of the positions.
    pub fn backward(&mut self, in_logits: &[f32], gates: &Table) {
        let MoveHead { rows, whole_bias, .. } = self;
        rows.backward(in_logits, gates);
        whole_bias.fill(0.0);
        for (at, &row) in rows.touched.rows.iter().enumerate() {
            let terms = rows.touched.backward.terms(at);
            whole_bias[row] = terms.iter().map(|term| in_logits[term.factor as usize]).sum();
        }
    }

    /// The gradient that [`MoveHead::backward`] found.
    pub fn sections(&self) -> impl Iterator<Item = Section<'_>> {
        self.rows.sections().chain([Section::vector(self.bias_tensor, &self.whole_bias)])
    }
}
