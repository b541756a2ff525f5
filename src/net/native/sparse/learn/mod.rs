//! The gradient of a sparse net on a processor, by hand.
//!
//! One batch has one gradient, whose numbers are sums over its positions in their order, whatever the number of
//! threads. The batch goes forward position by position and back row by row, and each time a thread owns what it
//! writes: the positions of its part of the batch, then rows of the gradient. So no thread waits for another's sums,
//! and nothing is added up twice.
//!
//! A batch touches a part of the rows. Those are numbered anew and read once, into a table that the caches hold, with
//! what rows have in common added in; the gradient has as many rows. Forward and backward are one kernel: a sum of
//! rows times factors ([`rows::AddUp`]), whose terms are once the rows of a position and once the positions of a row
//! ([`sums::Touched`]).
//!
//! [`SparseNet`](crate::net::SparseNet) in burn is the reference.

mod middle;
mod moves;
mod part;
mod rows;
mod sums;
mod value;

use std::ops::Range;

use middle::{Middle, Task};
use moves::MoveHead;
use part::Part;
use rayon::prelude::*;
use rows::Table;
use sums::Sums;
use value::{HIDDEN, ValueHead};

use super::super::{isa::Isa, lanes::Lanes};
use crate::{
    encode::{Features, Inputs},
    net::{
        Batch, Model, NetConfig, Outputs, Sizes,
        gradient::{Section, WeightRows},
    },
};

/// Positions whose losses are taken together. The sums of their losses hang on it, the gradients do not.
const TOGETHER: usize = 32;

/// A sparse net that learns: where its rows are, and its buffers for a batch.
#[derive(Debug)]
pub struct SparseTrainee {
    isa: Isa,
    sizes: Sizes,
    /// Rows of the features and of the scalars, and the bias.
    accumulators: Part,
    /// One, or a scalar, for each of their terms.
    scalars: Vec<f32>,
    policy: MoveHead,
    replies: MoveHead,
    value: ValueHead,
    /// Both accumulators of each position; then the gradient in them.
    sums: Table,
    /// What passes the gates.
    policy_gates: Table,
    value_gates: Table,
    /// The value's hidden layer, and the gradient in it.
    hidden: Table,
    in_hidden: Table,
    /// The gradient in win, draw, loss and moves left.
    in_outputs: Table,
    /// The gradient in the logits of all moves, and of all replies.
    in_policy: Vec<f32>,
    in_replies: Vec<f32>,
}

impl SparseTrainee {
    /// The net of `model`; `None` where that is not a sparse one.
    ///
    /// # Panics
    /// When [`Isa::from_env`] is an error.
    pub fn new(model: &Model) -> Option<Self> {
        let NetConfig::Sparse(config) = model.net() else { return None };
        let isa = Isa::from_env().expect("the choice was checked at the start");
        let (layout, sizes) = (model.layout(), model.sizes());
        let Sizes { planes, squares, scalars, inputs, .. } = sizes;
        let (width, gate) = (2 * config.hidden / Lanes::COUNT, config.gated() / Lanes::COUNT);
        let tensor = |name: &str| layout.position(&format!("accumulators.{name}")).expect("a sparse net");
        let rows = [("features", sizes.rows()), ("scalars", scalars), ("bias", 1)];
        let rows = rows.map(|(name, rows)| (tensor(name), rows)).to_vec();
        let mut accumulators = Part::new(isa, width, rows).share(tensor("planes"), |row| row / squares);
        if inputs == Inputs::Attacks {
            accumulators = accumulators.share(tensor("squares"), |row| row % (planes * squares));
        }
        Some(SparseTrainee {
            isa,
            sizes,
            accumulators,
            scalars: Vec::new(),
            policy: MoveHead::new(isa, layout, "policy", sizes, gate),
            replies: MoveHead::new(isa, layout, "replies", sizes, gate),
            value: ValueHead::new(isa, layout, gate),
            sums: Table::new(width),
            policy_gates: Table::new(gate),
            value_gates: Table::new(gate),
            hidden: Table::new(HIDDEN),
            in_hidden: Table::new(HIDDEN),
            in_outputs: Table::new(1),
            in_policy: Vec::new(),
            in_replies: Vec::new(),
        })
    }

    /// Finds the gradient at `weights`, on all threads of the pool. `loss` is given some of the positions and their
    /// outputs, and gives the gradient in these; what it gives beside is returned, in the order of the batch.
    ///
    /// # Panics
    /// When the batch does not fit the net.
    pub fn learn<L: Send>(
        &mut self,
        batch: &Batch,
        weights: &impl WeightRows,
        loss: impl Fn(Range<usize>, &Outputs) -> (L, Outputs) + Sync,
    ) -> Vec<L> {
        self.read(batch, weights);
        let SparseTrainee { isa, accumulators, scalars, sums, .. } = self;
        sums.add_up(*isa, &accumulators.touched.forward, scalars, &accumulators.weights);
        let found = self.through_the_middle(loss);
        let SparseTrainee { accumulators, scalars, sums, policy, replies, policy_gates, .. } = self;
        accumulators.backward(scalars, sums);
        policy.backward(&self.in_policy, policy_gates);
        replies.backward(&self.in_replies, policy_gates);
        self.value.in_weights(&self.value_gates, &self.hidden, &self.in_hidden, &self.in_outputs);
        found
    }

    /// The gradient that [`SparseTrainee::learn`] found, by tensors in the order of the layout.
    pub fn sections(&self) -> Vec<Section<'_>> {
        let SparseTrainee { accumulators, policy, replies, value, .. } = self;
        let moves = policy.sections().chain(replies.sections());
        let mut sections: Vec<_> = accumulators.sections().chain(moves).chain(value.sections()).collect();
        sections.sort_by_key(|section| section.tensor);
        sections
    }

    /// Finds the rows that `batch` touches, and reads them.
    fn read(&mut self, batch: &Batch, weights: &impl WeightRows) {
        let SparseTrainee { sizes, accumulators, scalars, policy, replies, value, .. } = self;
        let count = batch.positions.len();
        rayon::join(
            || {
                terms(&batch.positions, *sizes, &mut accumulators.touched.forward, scalars);
                accumulators.find();
            },
            || rayon::join(|| policy.find(count, &batch.moves), || replies.find(count, &batch.replies)),
        );
        accumulators.read(weights);
        policy.read(weights);
        replies.read(weights);
        value.read(weights);
    }

    /// From the sums to the outputs, and from the losses back to the sums.
    fn through_the_middle<L: Send>(
        &mut self,
        loss: impl Fn(Range<usize>, &Outputs) -> (L, Outputs) + Sync,
    ) -> Vec<L> {
        let SparseTrainee { isa, policy, replies, value, .. } = self;
        let middle = Middle { isa: *isa, policy, replies, value };
        let count = self.sums.len();
        let mut by_position = [
            &mut self.policy_gates,
            &mut self.value_gates,
            &mut self.hidden,
            &mut self.in_hidden,
            &mut self.in_outputs,
        ];
        by_position.iter_mut().for_each(|table| table.resize(count));
        let [policy_gates, value_gates, hidden, in_hidden, in_outputs] =
            by_position.map(|table| table.tasks(TOGETHER));
        let in_policy = split(&mut self.in_policy, &policy.rows.touched.forward);
        let in_replies = split(&mut self.in_replies, &replies.rows.touched.forward);
        let sums = self.sums.tasks(TOGETHER);
        let of_heads = (policy_gates, value_gates, hidden, in_hidden, in_outputs);
        let tasks = (sums, of_heads, (in_policy, in_replies)).into_par_iter().enumerate();
        let tasks = tasks.map(|(index, (sums, of_heads, (in_policy, in_replies)))| {
            let (policy_gates, value_gates, hidden, in_hidden, in_outputs) = of_heads;
            let positions = index * TOGETHER..((index + 1) * TOGETHER).min(count);
            let mut task = Task {
                positions: positions.clone(),
                sums,
                policy_gates,
                value_gates,
                hidden,
                in_hidden,
                in_outputs,
                in_policy,
                in_replies,
            };
            let outputs = middle.forward(&mut task);
            let (found, gradient) = loss(positions, &outputs);
            middle.backward(&mut task, &gradient);
            found
        });
        tasks.collect()
    }
}

/// The rows of each position's features, its scalars' and the bias, and what they are multiplied with.
fn terms(positions: &[&Features], sizes: Sizes, sums: &mut Sums, factors: &mut Vec<f32>) {
    sums.clear();
    factors.clear();
    for features in positions {
        assert_eq!(features.scalars.len(), sizes.scalars, "the features fit the game");
        for feature in &features.active {
            sums.add(sizes.row(feature));
            factors.push(1.0);
        }
        // Most are flags that are not set.
        for (index, &scalar) in features.scalars.iter().enumerate().filter(|(_, scalar)| **scalar != 0.0) {
            sums.add(sizes.rows() + index);
            factors.push(scalar);
        }
        sums.add(sizes.rows() + sizes.scalars);
        factors.push(1.0);
        sums.end();
    }
}

/// One number for each term, those of so many sums together.
fn split<'a>(numbers: &'a mut Vec<f32>, sums: &Sums) -> Vec<&'a mut [f32]> {
    numbers.resize(sums.all(), 0.0);
    let mut rest = &mut numbers[..];
    let first = (0..sums.len()).step_by(TOGETHER);
    first
        .map(|first| {
            let span = sums.span(first..(first + TOGETHER).min(sums.len()));
            rest.split_off_mut(..span.len()).expect("a number for each term")
        })
        .collect()
}
