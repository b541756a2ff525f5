//! The tensors of a sparse net, in the order of the fields of [`SparseNet`](super::SparseNet) in burn.

use super::{
    config::{Sizes, SparseConfig, VALUE_HIDDEN},
    weights::{Layout, TensorSpec},
};
use crate::games::encode::Inputs;

impl SparseConfig {
    /// The tensors of a net of this size.
    pub fn layout(&self, sizes: &Sizes) -> Layout {
        let Sizes { planes, scalars, move_planes, squares, inputs } = *sizes;
        let (sums, gated, moves) = (2 * self.hidden, self.gated(), move_planes * squares);
        let rows_of_moves = |head: &str| {
            [
                tensor(head, "moves", &[moves, gated]),
                tensor(head, "planes", &[move_planes, gated]),
                tensor(head, "squares", &[squares, gated]),
                tensor(head, "bias", &[moves]),
            ]
        };
        let mut tensors = vec![
            tensor("accumulators", "features", &[sizes.rows(), sums]),
            tensor("accumulators", "planes", &[inputs.statuses() * planes, sums]),
        ];
        if inputs == Inputs::Attacks {
            tensors.push(tensor("accumulators", "squares", &[planes * squares, sums]));
        }
        tensors.push(tensor("accumulators", "scalars", &[scalars, sums]));
        tensors.push(tensor("accumulators", "bias", &[sums]));
        tensors.extend(rows_of_moves("policy"));
        tensors.extend(rows_of_moves("replies"));
        tensors.extend([
            tensor("value", "hidden", &[gated, VALUE_HIDDEN]),
            tensor("value", "hidden_bias", &[VALUE_HIDDEN]),
            tensor("value", "wdl", &[VALUE_HIDDEN, 3]),
            tensor("value", "wdl_bias", &[3]),
            tensor("value", "moves_left", &[VALUE_HIDDEN, 1]),
            tensor("value", "moves_left_bias", &[1]),
        ]);
        Layout::new(tensors)
    }
}

fn tensor(part: &str, name: &str, shape: &[usize]) -> TensorSpec {
    TensorSpec { name: format!("{part}.{name}"), shape: shape.to_vec() }
}
