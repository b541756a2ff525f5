//! What lies between the accumulators and the losses, position by position: gates, logits, the value's head.

use std::ops::Range;

use super::{
    super::{
        super::{arch::Portable, format::Fp32, isa::Isa, lanes::Lanes},
        kernels::Gate,
    },
    MoveHead, SparseBatch,
    batch::TouchedRows,
    kernels::{AddUp, Columns, GateBackward, Products},
    row_table::RowsMut,
    value::{OUTPUTS, ValueHead},
};
use crate::net::Outputs;

/// The heads, as all tasks read them.
pub struct Middle<'a> {
    pub isa: Isa,
    pub policy: &'a MoveHead,
    pub replies: &'a MoveHead,
    pub value: &'a ValueHead,
    pub batch: &'a SparseBatch,
}

/// Some of the batch's positions, and a row for each of them.
pub struct PositionTask<'a> {
    /// Which.
    pub positions: Range<usize>,
    /// Both accumulators; then the gradient in them.
    pub sums: RowsMut<'a>,
    /// What passes the policy's gate.
    pub policy_gates: RowsMut<'a>,
    /// What passes the value's.
    pub value_gates: RowsMut<'a>,
    /// The value's hidden layer.
    pub hidden: RowsMut<'a>,
    /// The gradient in it.
    pub in_hidden: RowsMut<'a>,
    /// The gradient in win, draw, loss and moves left.
    pub in_outputs: RowsMut<'a>,
    /// The gradient in the logits of the moves.
    pub in_policy: &'a mut [f32],
    /// The same of the replies.
    pub in_replies: &'a mut [f32],
}

impl Middle<'_> {
    /// The outputs of a task's positions.
    pub fn forward(&self, task: &mut PositionTask) -> Outputs {
        let mut outputs = Outputs {
            policy: vec![0.0; task.in_policy.len()],
            reply: vec![0.0; task.in_replies.len()],
            ..Outputs::default()
        };
        let (mut policy, mut replies) = (&mut outputs.policy[..], &mut outputs.reply[..]);
        let batch = self.batch;
        for (i, position) in task.positions.clone().enumerate() {
            let sums = task.sums.row(i);
            let (of_policy, of_value) = sums.split_at(sums.len() / 2);
            let gate = task.policy_gates.row(i);
            self.isa.run(Gate::<Fp32> { sums: of_policy, gate });
            self.logits(self.policy, &batch.policy, position, gate, &mut policy);
            self.logits(self.replies, &batch.replies, position, gate, &mut replies);

            let gate = task.value_gates.row(i);
            self.isa.run(Gate::<Fp32> { sums: of_value, gate });
            let mut out = Lanes::ZERO;
            self.value.forward(gate, task.hidden.row(i), &mut out);
            let [win, draw, loss, moves_left, ..] = out.0;
            outputs.wdl.extend([win, draw, loss]);
            outputs.moves_left.push(moves_left);
        }
        outputs
    }

    /// Takes the logits of the position's moves off the front of `rest`.
    fn logits(
        &self,
        head: &MoveHead,
        rows: &TouchedRows,
        position: usize,
        gate: &[Lanes],
        rest: &mut &mut [f32],
    ) {
        let sums = &rows.touched.forward;
        let out = rest.split_off_mut(..sums.terms(position).len()).expect("a logit for each move");
        let (source, bias) = (&head.rows.weights, &head.bias[..]);
        self.isa.run(Products { terms: sums.terms(position), source, with: gate, bias, out });
    }

    /// Turns a task's sums into the gradient in them.
    pub fn backward(&self, task: &mut PositionTask, gradient: &Outputs) {
        task.in_policy.copy_from_slice(&gradient.policy);
        task.in_replies.copy_from_slice(&gradient.reply);
        let mut scratch = vec![Lanes::ZERO; 2 * task.policy_gates.width()];
        let (in_gate, by_replies) = scratch.split_at_mut(task.policy_gates.width());
        let wdl = gradient.wdl.as_chunks::<3>().0;
        for (i, position) in task.positions.clone().enumerate() {
            let sums = task.sums.row(i);
            let (of_policy, of_value) = sums.split_at_mut(sums.len() / 2);
            let first = task.positions.start;
            self.in_gate((self.policy, &self.batch.policy), position, task.in_policy, first, in_gate);
            self.in_gate((self.replies, &self.batch.replies), position, task.in_replies, first, by_replies);
            in_gate.iter_mut().zip(&*by_replies).for_each(|(sum, lanes)| sum.add(Portable, lanes));
            self.isa.run(GateBackward { sums: of_policy, gradient: in_gate });

            let in_outputs = &mut task.in_outputs.row(i)[0];
            *in_outputs = Lanes::ZERO;
            in_outputs.0[..3].copy_from_slice(&wdl[i]);
            in_outputs.0[OUTPUTS - 1] = gradient.moves_left[i];
            self.value.backward(task.hidden.row(i), in_outputs, task.in_hidden.row(i), in_gate);
            self.isa.run(GateBackward { sums: of_value, gradient: in_gate });
        }
    }

    /// The gradient in the policy's gate that the moves of a position make; `factors` begin with those of position
    /// `begin`.
    fn in_gate(
        &self,
        (head, rows): (&MoveHead, &TouchedRows),
        position: usize,
        factors: &[f32],
        begin: usize,
        out: &mut [Lanes],
    ) {
        let sums = &rows.touched.forward;
        let (before, width) = (sums.span(0..begin).end, out.len());
        let (source, columns) = (&head.rows.weights, Columns { begin: 0, width, stride: width });
        self.isa.run(AddUp { sums, first: position, factors, before, source, columns, out });
    }
}
