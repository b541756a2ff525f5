//! The rows that moves are scored with.

use super::{super::super::isa::Isa, part::Part, rows::Table};
use crate::{
    encode::MoveFeature,
    net::{
        Sizes,
        gradient::{Section, WeightRows},
        weights::Layout,
    },
};

/// The policy's rows, or the replies', and their gradient.
#[derive(Debug)]
pub struct MoveHead {
    /// One for each move, or two; of the batch's moves those of a position are one sum.
    pub rows: Part,
    /// Of the touched rows.
    pub bias: Vec<f32>,
    /// Policy indices: the first row of an exchange.
    indices: usize,
    /// The place in the layout of the bias of the indices, and of that of the exchanges.
    bias_tensors: (usize, Option<usize>),
    /// The whole bias; then the gradient in it.
    whole_bias: Vec<f32>,
}

impl MoveHead {
    /// The tensors below `head.`, for gates of `width` lanes.
    pub fn new(isa: Isa, layout: &Layout, head: &str, sizes: Sizes, width: usize) -> Self {
        let Sizes { move_planes, squares, .. } = sizes;
        let tensor = |name: &str| layout.position(&format!("{head}.{name}")).expect("a head of moves");
        let indices = move_planes * squares;
        let mut tensors = vec![(tensor("moves"), indices)];
        let exchanges =
            layout.position(&format!("{head}.exchanges.rows")).map(|rows| (rows, sizes.exchanges()));
        tensors.extend(exchanges);
        let all = tensors.iter().map(|(_, rows)| rows).sum();
        let rows = Part::new(isa, width, tensors)
            .share(tensor("planes"), |index| index / squares)
            .share(tensor("squares"), |index| index % squares);
        let bias_tensors = (tensor("bias"), exchanges.map(|_| tensor("exchanges.bias")));
        MoveHead { rows, bias: Vec::new(), indices, bias_tensors, whole_bias: vec![0.0; all] }
    }

    /// Rows of a move.
    pub fn rows_per_move(&self) -> usize {
        if self.bias_tensors.1.is_some() { 2 } else { 1 }
    }

    /// Finds the rows of `moves`, pairs of a position's place among `count` and a move, in the order of the positions.
    /// A move's rows are terms that follow each other.
    pub fn find(&mut self, count: usize, moves: &[(usize, MoveFeature)]) {
        let (indices, has_exchanges) = (self.indices, self.bias_tensors.1.is_some());
        let sums = &mut self.rows.touched.forward;
        sums.clear();
        let mut moves = moves.iter().peekable();
        for position in 0..count {
            while let Some((_, mv)) = moves.next_if(|(of, _)| *of == position) {
                sums.add(usize::from(mv.index));
                if has_exchanges {
                    sums.add(indices + usize::from(mv.exchange));
                }
            }
            sums.end();
        }
        self.rows.find();
    }

    /// Reads the rows that were found.
    pub fn read(&mut self, weights: &impl WeightRows) {
        let MoveHead { rows, bias, indices, bias_tensors, whole_bias } = self;
        rows.read(weights);
        let (of_indices, of_exchanges) = whole_bias.split_at_mut(*indices);
        weights.read(bias_tensors.0, 0, of_indices);
        if let Some(tensor) = bias_tensors.1 {
            weights.read(tensor, 0, of_exchanges);
        }
        bias.clear();
        bias.extend(rows.touched.rows.iter().map(|&row| whole_bias[row]));
    }

    /// The gradient in the rows, from that in the logit of each term, and the gates of the positions.
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
        let (of_indices, of_exchanges) = self.whole_bias.split_at(self.indices);
        let bias = [
            Some((self.bias_tensors.0, of_indices)),
            self.bias_tensors.1.map(|tensor| (tensor, of_exchanges)),
        ];
        let bias = bias.into_iter().flatten().map(|(tensor, values)| Section::vector(tensor, values));
        self.rows.sections().chain(bias)
    }
}
