//! The forward pass of a residual tower on a processor.
//!
//! [`Tower`] owns the weights, folded and packed once a checkpoint and shared by all workers; [`TowerEvaluator`]
//! owns the buffers of one worker and allocates nothing more. Only what play needs is computed: no replies, no
//! moves left, and the logits of the legal moves alone.
//!
//! # One position at a time
//! On a GPU a batch is what fills the machine. Here one position of 90 squares does: a layer's activations stay
//! in the first and second cache, its weights are read again for every rank, and the multipliers are already 95%
//! busy. A batch would gain little (most at 10x128, where the weights come from the third cache) and cost latency;
//! and without one not a bit of an answer depends on what else is asked, nor on the number of threads.
//!
//! # Layout
//! Activations are `[squares, channels]`, the sixteen numbers of a [`Lanes`] next to each other, so that one
//! register holds sixteen outputs of a square. Nothing is copied into another form (no im2col) and nothing is
//! padded. Weights are packed in the very order in which they are read: by block of outputs, tap, input.
//!
//! # Tiles
//! Nearly all time goes into the 3x3 convolutions, [`conv`] and [`winograd`]. Their unit is a tile: a run of squares of
//! one rank (a whole rank up to twelve files) times a block of 16 or 32 outputs, whose sums stay in registers through
//! all taps and inputs. An innermost step takes one input channel: it loads the block's weights, then each square's
//! number, spread over a register, and adds the products.
//!
//! | | registers | tile on nine files | multiply-adds to loads |
//! | --- | --- | --- | --- |
//! | AVX-512 | 32 of 16 numbers | 9 squares, 32 outputs: 18 sums | 18 to 11 |
//! | AVX2 | 16 of 8 | 5 or 4 squares, 16 outputs: 10 or 8 sums | 10 to 7, 8 to 6 |
//! | portable | 16 of 4, as on SSE | 2 or 1 squares, 16 outputs: 8 or 4 sums | |
//!
//! A fused multiplication and addition takes four cycles and up to two begin in each, so that eight registers of
//! sums are needed to wait for none. Bias and residual, relu, and rounding to bf16 are done as the tile leaves the
//! registers; no other pass over the board is made but those of the pooling.
//!
//! # Fewer multiplications
//! Computed directly a convolution keeps the multipliers busy nine tenths of the time, and is faster only with fewer
//! multiplications: [`winograd`] makes four outputs of sixteen products instead of thirty-six, between transforms that
//! only add. On a board of 9x10 squares, whose edges the direct way skips, that is 1.3 (32 channels) to 1.5 times as
//! fast in fp32, where the transforms take a quarter of the time. In bf16, whose products take half as long, it pays
//! from 64 channels on ([`NumberFormat::WINOGRAD_FROM`]).
//!
//! # Edges
//! Directly, taps beyond the edge are skipped, not multiplied by zeros: whole ranks of them by the loop over taps, the
//! first and the last file by a tile's variants `FRONT` and `BACK`. On 9x10 squares this saves 14% of the
//! multiplications that are counted in FLOP, on 3x4 squares 35%; hence figures above the processor's peak.
//!
//! # The rest
//! The stem multiplies nothing: its input is a few ones, whose rows of weights are summed ([`board`]). Pooling
//! walks each register of channels down the board. The small matrices behind it are [`Dense`](super::dense).
//!
//! # Precisions
//! A [`NumberFormat`] says what a convolution multiplies. [`Fp32`] takes the activations as they are.
//! [`Bf16`](super::format::Bf16) takes two channels at once, rounded as they were stored, with weights in pairs to
//! match: one `vdpbf16ps` does the work of two multiply-adds, and half the bytes are read. The sums are fp32 as before,
//! and so is what a block adds to its input. The instruction takes six cycles, so that tiles of fewer than six sums
//! gain less.

mod activations;
mod board;
mod conv;
mod evaluator;
mod winograd;

use activations::Activations;
use burn::{module::Param, tensor::Tensor};
pub use conv::accumulate;
use conv::{Conv, Reach};
pub use evaluator::TowerEvaluator;
use winograd::{Patches, Winograd};

use super::{
    dense::Dense,
    format::{Fp32, NumberFormat},
    isa::Isa,
    lanes::{Lanes, pack},
};
use crate::{
    games::encode::Shape,
    net::{
        ConvNet, Sizes,
        conv::NormConv,
        parameters::{param_values, values_of},
    },
};

/// A residual tower's weights, folded and packed. Shared by all workers.
#[derive(Clone, Debug)]
pub struct Tower<F: NumberFormat> {
    isa: Isa,
    sizes: Sizes,
    /// Lanes of channels.
    lanes: usize,
    /// As [`board::StemSums`] wants it.
    stem: Vec<Lanes>,
    scalars: Dense<Fp32>,
    blocks: Vec<Block<F>>,
    policy: Policy<F>,
    value: Value<F>,
}

#[derive(Clone, Debug)]
struct Block<F: NumberFormat> {
    pool: Dense<Fp32>,
    first: Neighbours<F>,
    second: Neighbours<F>,
    second_bias: Vec<Lanes>,
}

#[derive(Clone, Debug)]
struct Policy<F: NumberFormat> {
    pool: Dense<Fp32>,
    squares: Conv<F>,
    moves: Vec<Lanes>,
    bias: Vec<f32>,
}

#[derive(Clone, Debug)]
struct Value<F: NumberFormat> {
    squares: Conv<F>,
    squares_bias: Vec<Lanes>,
    hidden: Dense<Fp32>,
    wdl: Dense<Fp32>,
}

impl<F: NumberFormat> Tower<F> {
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
            stem: around(&param_values(&net.stem.weight), sizes.planes),
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

    /// Whether it can evaluate positions of `shape`.
    pub fn fits(&self, shape: &Shape) -> bool {
        self.sizes.fit(shape)
    }
}

/// From what a square sees, `[9 * planes, channels]`, to what a feature adds to the squares around its own,
/// `[planes, 9, lanes of channels]`: the square that sees it through the last tap comes first.
fn around(stem: &[f32], planes: usize) -> Vec<Lanes> {
    let rows: Vec<&[f32]> = stem.chunks(stem.len() / (9 * planes)).collect();
    let order = (0..planes).flat_map(|plane| (0..9).rev().map(move |tap| tap * planes + plane));
    order.flat_map(|row| pack(rows[row])).collect()
}

/// A 3x3 convolution in the way that is faster for its width.
#[derive(Clone, Debug)]
enum Neighbours<F: NumberFormat> {
    Direct(Conv<F>),
    Winograd(Winograd<F>),
}

impl<F: NumberFormat> Neighbours<F> {
    /// `relu(convolution + bias + residual)`, for every square.
    fn run(
        &self,
        shape: &Shape,
        input: &Activations<F>,
        bias: &[Lanes],
        residual: Option<&Activations<F>>,
        patches: &mut Patches<F>,
        output: &mut Activations<F>,
    ) {
        match self {
            Neighbours::Direct(conv) => conv.run(shape, input, bias, residual, output),
            Neighbours::Winograd(conv) => conv.run(shape, input, bias, residual, patches, output),
        }
    }
}

/// `conv` with its normalisation in the weights.
fn folded<F: NumberFormat>(conv: &NormConv, isa: Isa) -> Neighbours<F> {
    let weights = conv.folded();
    let outputs = weights.dims()[1];
    let weights = values_of(weights);
    if outputs < F::WINOGRAD_FROM {
        Neighbours::Direct(Conv::new(&weights, outputs, Reach::Neighbours, isa))
    } else {
        Neighbours::Winograd(Winograd::new(&weights, outputs, isa))
    }
}
