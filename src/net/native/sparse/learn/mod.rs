//! The gradient of a sparse net on a processor, by hand.
//!
//! One batch has one gradient, whose numbers are sums over its positions in their order, whatever the number of
//! threads. The batch goes forward position by position and back row by row, and each time a thread owns what it
//! writes: the positions of its part of the batch, then rows of the gradient. So no thread waits for another's sums,
//! and nothing is added up twice.
//!
//! A batch touches a part of the rows. Those are numbered anew ([`SparseBatch`]) and read once, into a table that the
//! caches hold, with what rows have in common added in; the gradient has as many rows. Forward and backward are one
//! kernel: a sum of rows times factors ([`kernels::AddUp`]), whose terms are once the rows of a position and once the
//! positions of a row ([`sums::Touched`]).
//!
//! [`SparseNet`](crate::net::SparseNet) in burn is the reference.

mod batch;
mod kernels;
mod middle;
mod moves;
mod part;
mod row_table;
mod sums;
mod value;

use std::{ops::Range, sync::Arc};

use batch::RowSpaces;
pub use batch::SparseBatch;
use middle::{Middle, PositionTask};
use moves::MoveHead;
use part::Part;
use rayon::prelude::*;
use row_table::RowTable;
use sums::Sums;
use value::{HIDDEN, ValueHead};

use super::super::{isa::Isa, lanes::Lanes};
use crate::{
    games::encode::Inputs,
    net::{
        Model, NetConfig, Outputs,
        gradient::{EndOfPart, Section, WeightRows},
    },
};

/// Positions whose losses are taken together. The sums of their losses hang on it, the gradients do not.
const TOGETHER: usize = 32;

/// A sparse net that learns: where its rows are, and its buffers for a batch.
#[derive(Debug)]
pub struct SparseGradient {
    isa: Isa,
    spaces: Arc<RowSpaces>,
    /// Rows of the features and of the scalars, and the bias.
    accumulators: Part,
    policy: MoveHead,
    replies: MoveHead,
    value: ValueHead,
    /// Both accumulators of each position; then the gradient in them.
    sums: RowTable,
    /// What passes the gates.
    policy_gates: RowTable,
    value_gates: RowTable,
    /// The value's hidden layer, and the gradient in it.
    hidden: RowTable,
    in_hidden: RowTable,
    /// The gradient in win, draw, loss and moves left.
    in_outputs: RowTable,
    /// The gradient in the logits of all moves, and of all replies.
    in_policy: Vec<f32>,
    in_replies: Vec<f32>,
}

impl SparseGradient {
    /// The net of `model`; `None` where that is not a sparse one.
    ///
    /// # Panics
    /// When [`Isa::from_env`] is an error.
    pub fn new(model: &Model) -> Option<Self> {
        let NetConfig::Sparse(config) = model.net() else { return None };
        let isa = Isa::from_env().expect("the choice was checked at the start");
        let (layout, sizes) = (model.layout(), model.sizes());
        let (width, gate) = (2 * config.hidden / Lanes::COUNT, config.gated() / Lanes::COUNT);
        let tensor = |name: &str| layout.position(&format!("accumulators.{name}")).expect("a sparse net");
        let mut shared = vec![tensor("planes")];
        if sizes.inputs == Inputs::Attacks {
            shared.push(tensor("squares"));
        }
        let rows = ["features", "scalars", "bias"].map(tensor).to_vec();
        Some(SparseGradient {
            isa,
            spaces: Arc::new(RowSpaces::new(sizes)),
            accumulators: Part::new(isa, width, rows, &shared),
            policy: MoveHead::new(isa, layout, "policy", sizes, gate),
            replies: MoveHead::new(isa, layout, "replies", sizes, gate),
            value: ValueHead::new(isa, layout, gate),
            sums: RowTable::new(width),
            policy_gates: RowTable::new(gate),
            value_gates: RowTable::new(gate),
            hidden: RowTable::new(HIDDEN),
            in_hidden: RowTable::new(HIDDEN),
            in_outputs: RowTable::new(1),
            in_policy: Vec::new(),
            in_replies: Vec::new(),
        })
    }

    /// An empty batch for this net.
    pub fn batch(&self) -> SparseBatch {
        SparseBatch::new(Arc::clone(&self.spaces))
    }

    /// Finds the gradient at `weights`, on all threads of the pool. `loss` is given some of the positions and their
    /// outputs, and gives the gradient in these; what it gives beside is returned, in the order of the batch. `lap` is
    /// called at the end of each part of the work.
    ///
    /// # Panics
    /// When the batch is of another net, or was not numbered.
    pub fn learn<L: Send>(
        &mut self,
        batch: &SparseBatch,
        weights: &impl WeightRows,
        loss: impl Fn(Range<usize>, &Outputs) -> (L, Outputs) + Sync,
        lap: &mut EndOfPart,
    ) -> Vec<L> {
        let SparseGradient { isa, accumulators, policy, replies, value, sums, .. } = self;
        together([
            Box::new(|| accumulators.read(&batch.accumulators, weights)),
            Box::new(|| policy.read(&batch.policy, weights)),
            Box::new(|| replies.read(&batch.replies, weights)),
            Box::new(|| value.read(weights)),
        ]);
        lap("rows");
        let forward = &batch.accumulators.touched.forward;
        sums.add_up(*isa, forward, &batch.scalars, &accumulators.weights);
        lap("sums");
        let found = self.through_the_middle(batch, loss);
        lap("heads and losses");
        let SparseGradient { accumulators, policy, replies, value, sums, policy_gates, .. } = self;
        let (value_gates, hidden) = (&self.value_gates, &self.hidden);
        let (in_hidden, in_outputs) = (&self.in_hidden, &self.in_outputs);
        let (in_policy, in_replies) = (&self.in_policy, &self.in_replies);
        together([
            Box::new(|| accumulators.backward(&batch.accumulators, &batch.scalars, sums)),
            Box::new(|| policy.backward(&batch.policy, in_policy, policy_gates)),
            Box::new(|| replies.backward(&batch.replies, in_replies, policy_gates)),
            Box::new(|| value.in_weights(value_gates, hidden, in_hidden, in_outputs)),
        ]);
        lap("backward");
        found
    }

    /// The gradient that [`SparseGradient::learn`] found for `batch`, by tensors in the order of the layout.
    pub fn sections<'a>(&'a self, batch: &'a SparseBatch) -> Vec<Section<'a>> {
        let SparseGradient { accumulators, policy, replies, value, .. } = self;
        let moves = policy.sections(&batch.policy).chain(replies.sections(&batch.replies));
        let accumulators = accumulators.sections(&batch.accumulators);
        let mut sections: Vec<_> = accumulators.chain(moves).chain(value.sections()).collect();
        sections.sort_by_key(|section| section.tensor);
        sections
    }

    /// From the sums to the outputs, and from the losses back to the sums.
    fn through_the_middle<L: Send>(
        &mut self,
        batch: &SparseBatch,
        loss: impl Fn(Range<usize>, &Outputs) -> (L, Outputs) + Sync,
    ) -> Vec<L> {
        let SparseGradient { isa, policy, replies, value, .. } = self;
        let middle = Middle { isa: *isa, policy, replies, value, batch };
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
        let in_policy = split(&mut self.in_policy, &batch.policy.touched.forward);
        let in_replies = split(&mut self.in_replies, &batch.replies.touched.forward);
        let sums = self.sums.tasks(TOGETHER);
        let of_heads = (policy_gates, value_gates, hidden, in_hidden, in_outputs);
        let tasks = (sums, of_heads, (in_policy, in_replies)).into_par_iter().enumerate();
        let tasks = tasks.map(|(index, (sums, of_heads, (in_policy, in_replies)))| {
            let (policy_gates, value_gates, hidden, in_hidden, in_outputs) = of_heads;
            let positions = index * TOGETHER..((index + 1) * TOGETHER).min(count);
            let mut task = PositionTask {
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

/// Does all of these, on as many threads of the pool as are free: each has a part that one thread does alone.
fn together(tasks: [Box<dyn FnOnce() + Send + '_>; 4]) {
    rayon::scope(|scope| tasks.into_iter().for_each(|task| scope.spawn(|_| task())));
}

/// One number for each term, cut after every [`TOGETHER`] sums.
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
