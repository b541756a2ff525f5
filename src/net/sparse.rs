//! The sparse net in burn: the reference for the code by hand that plays and trains it.
//!
//! Every active feature adds its row to two accumulators, the policy's and the value's. Half of an accumulator
//! gates the other half, `relu(a) * b` (ReGLU: Shazeer, "GLU variants improve transformer", 2020). A move's
//! logit is one row's product with the policy's gate; the value's gate has a small hidden layer of its own.
//!
//! A row of a feature is the sum of its own, one for its plane and, where its piece may be attacked and defended or
//! not, one for its plane and square; a move's is the sum of three: what is learnt about a pawn on one square, or a
//! capture to one square, is learnt a little about all of them. Play adds them up once, and pays nothing for it.
//!
//! Here the sums are products with matrices of zeros and ones, and the logits of all moves are computed of which a
//! few are picked: that suits a GPU. On a processor the rows are added up by hand, in training as in play, and
//! this is the reference ([`super::BurnGradient`]).

use burn::{
    module::{Module, Param},
    tensor::{Device, Tensor, TensorData, activation::relu},
};
use ndarray::Array2;

use super::{
    config::{Sizes, SparseConfig, VALUE_HIDDEN},
    init::Init,
    input::Batch,
    output::{Logits, NetworkOutput, affine},
};
use crate::games::encode::Inputs;

/// The accumulators and their heads.
///
/// Parameters of two dimensions are weights; those of one are biases, which take no weight decay.
#[derive(Module, Debug)]
pub struct SparseNet {
    /// From features to sums.
    pub accumulators: Accumulators,
    /// The policy.
    pub policy: MoveRows,
    /// The opponent's reply, in training only.
    pub replies: MoveRows,
    /// Win/draw/loss and moves left.
    pub value: SparseValueHead,
}

/// Sums of rows, `[batch, 2 * hidden]`: the policy's half and the value's; of each, first what is rectified and
/// then what that gates.
#[derive(Module, Debug)]
pub struct Accumulators {
    /// `[statuses * planes * squares, 2 * hidden]`.
    pub features: Param<Tensor<2>>,
    /// `[statuses * planes, 2 * hidden]`: what the features of a status and a plane have in common.
    pub planes: Param<Tensor<2>>,
    /// `[planes * squares, 2 * hidden]`: what those of a plane and a square have in common, where there are several
    /// statuses.
    pub squares: Option<Param<Tensor<2>>>,
    /// `[scalars, 2 * hidden]`.
    pub scalars: Param<Tensor<2>>,
    /// `[2 * hidden]`.
    pub bias: Param<Tensor<1>>,
}

/// One row of weights for each policy index.
#[derive(Module, Debug)]
pub struct MoveRows {
    /// `[move planes * squares, hidden / 2]`.
    pub moves: Param<Tensor<2>>,
    /// `[move planes, hidden / 2]`: what a plane's moves have in common.
    pub planes: Param<Tensor<2>>,
    /// `[squares, hidden / 2]`: what the moves to a square have in common.
    pub squares: Param<Tensor<2>>,
    /// `[move planes * squares]`.
    pub bias: Param<Tensor<1>>,
}

/// A hidden layer between the value's gate and its outputs.
#[derive(Module, Debug)]
pub struct SparseValueHead {
    /// `[hidden / 2, 32]`.
    pub hidden: Param<Tensor<2>>,
    /// `[32]`.
    pub hidden_bias: Param<Tensor<1>>,
    /// `[32, 3]`.
    pub wdl: Param<Tensor<2>>,
    /// `[3]`.
    pub wdl_bias: Param<Tensor<1>>,
    /// `[32, 1]`, in training only.
    pub moves_left: Param<Tensor<2>>,
    /// `[1]`.
    pub moves_left_bias: Param<Tensor<1>>,
}

impl SparseNet {
    /// A new network. `config` must be valid. The policy starts uniform, the value at equal thirds.
    pub fn new(config: &SparseConfig, sizes: Sizes, init: &mut Init) -> Self {
        let Sizes { planes, scalars, squares, inputs, .. } = sizes;
        let sums = 2 * config.hidden;
        // About every third square has a piece, and their rows add up to a variance of one.
        let deviation = (3.0 / squares as f32).sqrt();
        let features = match inputs {
            Inputs::Pieces => init.normal([sizes.rows(), sums], deviation),
            Inputs::Attacks => init.zeros([sizes.rows(), sums]),
        };
        SparseNet {
            accumulators: Accumulators {
                features,
                planes: init.zeros([inputs.statuses() * planes, sums]),
                squares: (inputs == Inputs::Attacks)
                    .then(|| init.normal([planes * squares, sums], deviation)),
                scalars: init.normal([scalars, sums], 1.0 / (scalars as f32).sqrt()),
                bias: init.constant(sums, 0.0),
            },
            policy: MoveRows::new(config, sizes, init),
            replies: MoveRows::new(config, sizes, init),
            value: SparseValueHead {
                hidden: init.fan_in([config.gated(), VALUE_HIDDEN]),
                hidden_bias: init.constant(VALUE_HIDDEN, 0.0),
                wdl: init.zeros([VALUE_HIDDEN, 3]),
                wdl_bias: init.constant(3, 0.0),
                moves_left: init.zeros([VALUE_HIDDEN, 1]),
                moves_left_bias: init.constant(1, 1.0),
            },
        }
    }

    /// What positions are to be encoded with.
    pub fn inputs(&self) -> Inputs {
        if self.accumulators.squares.is_some() { Inputs::Attacks } else { Inputs::Pieces }
    }

    /// Evaluates a batch.
    pub fn forward(&self, batch: &Batch, device: &Device) -> NetworkOutput {
        let gates = Gates::of(self.accumulators.forward(batch, self.inputs(), device));
        let (wdl, moves_left) = self.value.forward(gates.value);
        let logits = |head: &MoveRows, moves: &[(usize, u16)]| {
            (!moves.is_empty()).then(|| head.logits(gates.policy.clone(), moves))
        };
        NetworkOutput {
            wdl,
            moves_left,
            policy: logits(&self.policy, &batch.moves),
            replies: logits(&self.replies, &batch.replies),
        }
    }
}

/// What passes the gates, `[batch, hidden / 2]` each.
pub struct Gates {
    /// Of the policy's accumulator.
    pub policy: Tensor<2>,
    /// Of the value's.
    pub value: Tensor<2>,
}

impl Gates {
    /// Of both accumulators, `[batch, 2 * hidden]`.
    pub fn of(sums: Tensor<2>) -> Self {
        let [policy, policy_gated, value, value_gated] = sums.chunk(4, 1).try_into().expect("four quarters");
        Gates { policy: relu(policy) * policy_gated, value: relu(value) * value_gated }
    }
}

impl Accumulators {
    fn forward(&self, batch: &Batch, inputs: Inputs, device: &Device) -> Tensor<2> {
        let Dense { features, planes, squares, scalars } = Dense::new(batch, inputs, device);
        let sums = features.matmul(self.features.val())
            + planes.matmul(self.planes.val())
            + scalars.matmul(self.scalars.val())
            + self.bias.val().unsqueeze();
        match &self.squares {
            Some(rows) => sums + squares.matmul(rows.val()),
            None => sums,
        }
    }
}

/// Positions as matrices.
struct Dense {
    /// `[batch, statuses * planes * squares]`: one where a feature is active.
    features: Tensor<2>,
    /// `[batch, statuses * planes]`: how many of a plane's features are.
    planes: Tensor<2>,
    /// `[batch, planes * squares]`: whether a feature is active with any status.
    squares: Tensor<2>,
    /// `[batch, scalars]`.
    scalars: Tensor<2>,
}

impl Dense {
    fn new(batch: &Batch, inputs: Inputs, device: &Device) -> Self {
        let (shape, count) = (batch.shape, batch.shape.squares());
        let (rows, width) = (batch.positions.len(), shape.planes * count);
        let mut features = Array2::<f32>::zeros((rows, inputs.statuses() * width));
        let mut planes = Array2::<f32>::zeros((rows, inputs.statuses() * shape.planes));
        let mut squares = Array2::<f32>::zeros((rows, width));
        let mut scalars = Vec::with_capacity(rows * shape.scalars);
        for (i, position) in batch.positions.iter().enumerate() {
            for f in &position.active {
                let status = inputs.status_of(f);
                let square = usize::from(f.plane) * count + usize::from(f.square);
                features[[i, status * width + square]] = 1.0;
                planes[[i, status * shape.planes + usize::from(f.plane)]] += 1.0;
                squares[[i, square]] = 1.0;
            }
            scalars.extend_from_slice(&position.scalars);
        }
        let tensor = |values: Array2<f32>| {
            let shape: [usize; 2] = values.dim().into();
            Tensor::from_data(TensorData::new(values.into_raw_vec_and_offset().0, shape), device)
        };
        let scalars = Tensor::from_data(TensorData::new(scalars, [rows, shape.scalars]), device);
        Dense { features: tensor(features), planes: tensor(planes), squares: tensor(squares), scalars }
    }
}

impl MoveRows {
    fn new(config: &SparseConfig, sizes: Sizes, init: &mut Init) -> Self {
        let (gated, moves) = (config.gated(), sizes.move_planes * sizes.squares);
        MoveRows {
            moves: init.zeros([moves, gated]),
            planes: init.zeros([sizes.move_planes, gated]),
            squares: init.zeros([sizes.squares, gated]),
            bias: init.constant(moves, 0.0),
        }
    }

    /// One row for each policy index, `[move planes * squares, hidden / 2]`.
    fn rows(&self) -> Tensor<2> {
        let ([planes, gated], [squares, _]) = (self.planes.dims(), self.squares.dims());
        let rows = self.moves.val().reshape([planes, squares, gated])
            + self.planes.val().reshape([planes, 1, gated])
            + self.squares.val().reshape([1, squares, gated]);
        rows.reshape([planes * squares, gated])
    }

    /// The logits of all moves of all positions, of which those asked for are to be picked.
    fn logits(&self, gate: Tensor<2>, moves: &[(usize, u16)]) -> Logits {
        let all = gate.matmul(self.rows().transpose()) + self.bias.val().unsqueeze();
        let [rows, width] = all.dims();
        let places = moves.iter().map(|&(row, index)| (row * width + usize::from(index)) as i32);
        Logits::Among(all.reshape([rows * width]), places.collect())
    }
}

impl SparseValueHead {
    /// Logits of win, draw and loss, and moves left, from the value's gate.
    pub fn forward(&self, gate: Tensor<2>) -> (Tensor<2>, Tensor<2>) {
        let x = relu(affine(gate, &self.hidden, &self.hidden_bias));
        let wdl = affine(x.clone(), &self.wdl, &self.wdl_bias);
        (wdl, affine(x, &self.moves_left, &self.moves_left_bias))
    }
}
