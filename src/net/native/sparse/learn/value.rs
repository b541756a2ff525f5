//! The value's head: a hidden layer behind its gate, and win, draw, loss and moves left behind that.

use rayon::prelude::*;

use super::{
    super::super::{
        arch::Portable,
        dense::{Dense, relu},
        format::Fp32,
        isa::Isa,
        lanes::{Lanes, floats},
    },
    kernels::Outer,
    row_table::RowTable,
};
use crate::net::{
    config::VALUE_HIDDEN,
    gradient::{Section, WeightRows},
    weights::Layout,
};

/// Win, draw, loss, and moves left.
pub const OUTPUTS: usize = 4;
const WDL: usize = 3;
/// Lanes of the hidden layer.
pub const HIDDEN: usize = VALUE_HIDDEN / Lanes::COUNT;

/// The head's weights at one step, and the gradient in them.
#[derive(Debug)]
pub struct ValueHead {
    isa: Isa,
    /// Numbers of the gate.
    gated: usize,
    /// Places in the layout: the hidden layer, its bias, win/draw/loss, its bias, moves left, its bias.
    tensors: [usize; 6],
    /// All rows of the largest tensor.
    rows: Vec<usize>,
    layers: Option<Layers>,
    /// `[gated, hidden]`.
    hidden: RowTable,
    /// `[hidden, outputs]`.
    outputs: RowTable,
    hidden_bias: [Lanes; HIDDEN],
    outputs_bias: Lanes,
}

/// Its matrices, and the same transposed.
#[derive(Debug)]
struct Layers {
    hidden: Dense<Fp32>,
    outputs: Dense<Fp32>,
    to_gate: Dense<Fp32>,
    to_hidden: Dense<Fp32>,
}

impl ValueHead {
    /// The head behind a gate of `gate` lanes.
    pub fn new(isa: Isa, layout: &Layout, gate: usize) -> Self {
        let names = ["hidden", "hidden_bias", "wdl", "wdl_bias", "moves_left", "moves_left_bias"];
        let gated = gate * Lanes::COUNT;
        let [mut hidden, mut outputs] = [RowTable::new(HIDDEN), RowTable::new(1)];
        hidden.resize(gated);
        outputs.resize(VALUE_HIDDEN);
        ValueHead {
            isa,
            gated,
            tensors: names.map(|name| layout.position(&format!("value.{name}")).expect("a value head")),
            rows: (0..gated.max(VALUE_HIDDEN)).collect(),
            layers: None,
            hidden,
            outputs,
            hidden_bias: [Lanes::ZERO; HIDDEN],
            outputs_bias: Lanes::ZERO,
        }
    }

    /// Reads the weights.
    pub fn read(&mut self, weights: &impl WeightRows) {
        let [hidden, hidden_bias, wdl, wdl_bias, moves_left, moves_left_bias] = self.tensors;
        let isa = self.isa;
        let matrix = |tensor: usize, rows: usize, width: usize| {
            let mut values = vec![0.0; rows * width];
            let rows = values.chunks_exact_mut(width).enumerate();
            rows.for_each(|(row, out)| weights.read(tensor, row, out));
            values
        };
        let hidden = matrix(hidden, self.gated, VALUE_HIDDEN);
        let (wdl, moves_left) = (matrix(wdl, VALUE_HIDDEN, WDL), matrix(moves_left, VALUE_HIDDEN, 1));
        let outputs = wdl.chunks_exact(WDL).zip(&moves_left);
        let outputs: Vec<f32> = outputs.flat_map(|(wdl, left)| [wdl[0], wdl[1], wdl[2], *left]).collect();
        let outputs_bias = [matrix(wdl_bias, 1, WDL), matrix(moves_left_bias, 1, 1)].concat();
        self.layers = Some(Layers {
            to_gate: Dense::new(&transposed(&hidden, VALUE_HIDDEN), &vec![0.0; self.gated], isa),
            to_hidden: Dense::new(&transposed(&outputs, OUTPUTS), &[0.0; VALUE_HIDDEN], isa),
            hidden: Dense::new(&hidden, &matrix(hidden_bias, 1, VALUE_HIDDEN), isa),
            outputs: Dense::new(&outputs, &outputs_bias, isa),
        });
    }

    fn layers(&self) -> &Layers {
        self.layers.as_ref().expect("the weights were read")
    }

    /// The hidden layer and the outputs of one position.
    pub fn forward(&self, gate: &[Lanes], hidden: &mut [Lanes], outputs: &mut Lanes) {
        let layers = self.layers();
        layers.hidden.run(floats(gate), hidden);
        relu(hidden);
        layers.outputs.run(floats(hidden), std::slice::from_mut(outputs));
    }

    /// The gradient in the hidden layer before it is rectified, and in the gate, from that in the outputs.
    pub fn backward(
        &self,
        hidden: &[Lanes],
        in_outputs: &Lanes,
        in_hidden: &mut [Lanes],
        in_gate: &mut [Lanes],
    ) {
        let layers = self.layers();
        layers.to_hidden.run(&in_outputs.0[..OUTPUTS], in_hidden);
        for (gradient, hidden) in in_hidden.iter_mut().zip(hidden) {
            for (gradient, hidden) in gradient.0.iter_mut().zip(hidden.0) {
                *gradient = if hidden > 0.0 { *gradient } else { 0.0 };
            }
        }
        layers.to_gate.run(floats(in_hidden), in_gate);
    }

    /// The gradient in the weights, of a row for each position.
    pub fn in_weights(
        &mut self,
        gates: &RowTable,
        hidden: &RowTable,
        in_hidden: &RowTable,
        in_outputs: &RowTable,
    ) {
        let ValueHead { isa, hidden: in_matrix, outputs, hidden_bias, outputs_bias, .. } = self;
        let stride = in_matrix.stride();
        let tasks = in_matrix.lanes_mut().par_chunks_mut(stride * Lanes::COUNT).enumerate();
        tasks.for_each(|(task, out)| {
            let first = task * Lanes::COUNT;
            isa.run(Outer { inputs: gates, first, gradient: in_hidden, out, stride });
        });
        let stride = outputs.stride();
        let out = outputs.lanes_mut();
        isa.run(Outer { inputs: hidden, first: 0, gradient: in_outputs, out, stride });
        (*hidden_bias, *outputs_bias) = ([Lanes::ZERO; HIDDEN], Lanes::ZERO);
        for row in 0..in_hidden.len() {
            outputs_bias.add(Portable, &in_outputs.row(row)[0]);
            let lanes = hidden_bias.iter_mut().zip(in_hidden.row(row));
            lanes.for_each(|(sum, lanes)| sum.add(Portable, lanes));
        }
    }

    /// The gradient that [`ValueHead::in_weights`] found.
    pub fn sections(&self) -> [Section<'_>; 6] {
        let [hidden, hidden_bias, wdl, wdl_bias, moves_left, moves_left_bias] = self.tensors;
        let columns = |tensor: usize, first: usize, width: usize| {
            let section = self.outputs.section(tensor, &self.rows[..VALUE_HIDDEN], 0);
            Section { width, values: &section.values[first..], ..section }
        };
        [
            self.hidden.section(hidden, &self.rows[..self.gated], 0),
            Section::vector(hidden_bias, floats(&self.hidden_bias)),
            columns(wdl, 0, WDL),
            Section::vector(wdl_bias, &self.outputs_bias.0[..WDL]),
            columns(moves_left, WDL, 1),
            Section::vector(moves_left_bias, &self.outputs_bias.0[WDL..OUTPUTS]),
        ]
    }
}

fn transposed(matrix: &[f32], columns: usize) -> Vec<f32> {
    (0..columns).flat_map(|column| matrix.iter().skip(column).step_by(columns).copied()).collect()
}
