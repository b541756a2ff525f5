//! The forward pass of a residual tower.
//!
//! Owns weights that are folded and packed once a checkpoint, and the buffers of one worker. Positions are
//! judged one by one: a batch would gain nothing here, and so the answer never depends on what else is asked,
//! nor on the number of threads. Only what play needs is computed: no replies, no moves left, and the logits
//! of the legal moves alone.

mod board;
mod conv;
mod evaluator;

use burn::{module::Param, tensor::Tensor};
pub use conv::accumulate;
use conv::{Conv, Reach};
pub use evaluator::TowerEvaluator;

use super::{
    dense::Dense,
    lanes::{Isa, Lanes, pack},
};
use crate::{
    encode::Shape,
    net::{
        ConvNet, Sizes,
        conv::NormConv,
        weights::{param_values, values_of},
    },
};

/// A residual tower's weights, folded and packed. Shared by all workers.
#[derive(Clone, Debug)]
pub struct Tower {
    isa: Isa,
    sizes: Sizes,
    /// Lanes of channels.
    lanes: usize,
    /// `[9 * planes, lanes]`.
    stem: Vec<Lanes>,
    scalars: Dense,
    blocks: Vec<Block>,
    policy: Policy,
    value: Value,
}

#[derive(Clone, Debug)]
struct Block {
    pool: Dense,
    first: Conv,
    second: Conv,
    second_bias: Vec<Lanes>,
}

#[derive(Clone, Debug)]
struct Policy {
    pool: Dense,
    squares: Conv,
    moves: Vec<Lanes>,
    bias: Vec<f32>,
}

#[derive(Clone, Debug)]
struct Value {
    squares: Conv,
    squares_bias: Vec<Lanes>,
    hidden: Dense,
    wdl: Dense,
}

impl Tower {
    /// Packs `net`, which has `sizes`, for `isa`, which this processor must have.
    pub fn new(net: &ConvNet, sizes: Sizes, isa: Isa) -> Self {
        let pack_param = |param: &Param<Tensor<1>>| pack(&param_values(param));
        let square =
            |param: &Param<Tensor<2>>| Conv::new(&param_values(param), param.dims()[1], Reach::Square, isa);
        let dense = |weights: &Param<Tensor<2>>, bias: &Param<Tensor<1>>| {
            Dense::new(&param_values(weights), &param_values(bias), isa)
        };
        let blocks = net.blocks.iter().map(|block| Block {
            pool: dense(&block.pool, &block.first.bias),
            first: folded(&block.first, isa),
            second: folded(&block.second, isa),
            second_bias: pack_param(&block.second.bias),
        });
        Tower {
            isa,
            sizes,
            lanes: net.stem.bias.dims()[0] / Lanes::COUNT,
            stem: pack(&param_values(&net.stem.weight)),
            scalars: dense(&net.stem.scalars, &net.stem.bias),
            blocks: blocks.collect(),
            policy: Policy {
                pool: dense(&net.policy.pool, &net.policy.bias),
                squares: square(&net.policy.squares),
                moves: pack(&param_values(&net.policy.moves)),
                bias: param_values(&net.policy.moves_bias),
            },
            value: Value {
                squares: square(&net.value.squares),
                squares_bias: pack_param(&net.value.squares_bias),
                hidden: dense(&net.value.hidden, &net.value.hidden_bias),
                wdl: dense(&net.value.wdl, &net.value.wdl_bias),
            },
        }
    }

    /// Whether it can judge positions of `shape`.
    pub fn fits(&self, shape: &Shape) -> bool {
        self.sizes.fit(shape)
    }
}

fn folded(conv: &NormConv, isa: Isa) -> Conv {
    let weights = conv.folded();
    let outputs = weights.dims()[1];
    Conv::new(&values_of(weights), outputs, Reach::Neighbours, isa)
}
