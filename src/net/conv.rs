//! The residual tower in burn: what is trained, and the reference for every faster forward pass.
//!
//! Activations are rows, `[batch * squares, channels]`: a 3x3 convolution is then one gather of nine
//! neighbours and one matrix product, whose weight gradient is a matrix product too. Measured against burn's
//! own convolution (flex, one thread, batch 64, forward and backward of a 4x32 tower): 2.2, 2.0 and 1.6 times
//! as many samples a second on 4x3, 5x5 and 9x9 squares. On a GPU the gather's gradient, `select_assign` of
//! burn-cubecl 0.22.1, walks all rows in one loop a channel: there the windows are cut out of the planes (`input.rs`).
//!
//! No layer is tied to the board's size: [`ConvInput`] brings the board.

use burn::{
    module::{Module, Param},
    tensor::{DType, Device, Tensor, activation::relu},
};

use super::{
    config::{ConvConfig, Sizes},
    init::Init,
    input::{Batch, ConvInput, MoveIndices, Taps},
    output::{Logits, NetworkOutput, affine},
    parameters,
};

/// The tower and its heads.
///
/// Parameters of two dimensions are weights; those of one are gains and biases, which take no weight decay.
#[derive(Module, Debug)]
pub struct ConvNet {
    /// From features to channels.
    pub stem: Stem,
    /// The tower.
    pub blocks: Vec<Block>,
    /// Policy and the opponent's reply.
    pub policy: PolicyHead,
    /// Win/draw/loss and moves left.
    pub value: ConvValueHead,
}

/// A 3x3 convolution of the planes, the scalars added as a bias per channel, and a relu.
#[derive(Module, Debug)]
pub struct Stem {
    /// `[9 * planes, channels]`, rows by tap, then plane.
    pub weight: Param<Tensor<2>>,
    /// `[scalars, channels]`.
    pub scalars: Param<Tensor<2>>,
    /// `[channels]`.
    pub bias: Param<Tensor<1>>,
}

/// `relu(x + second(relu(first(x) + pool(x))))`.
#[derive(Module, Debug)]
pub struct Block {
    /// The first convolution.
    pub first: NormConv,
    /// `[2 * channels, channels]`: mean and maximum over the board of the block's input, to a bias.
    pub pool: Param<Tensor<2>>,
    /// The second convolution; its gain starts at zero, so that a new block is the identity.
    pub second: NormConv,
}

/// A 3x3 convolution under scaled weight standardisation (Brock et al., "Characterizing signal propagation to
/// close the performance gap in unnormalized ResNets", 2021, eq. 3), with learned gain and bias per output.
///
/// Chosen over batch norm because it has no statistics of the batch: training and play compute the same
/// function, shards of a batch are independent, and it folds into plain weights.
#[derive(Module, Debug)]
pub struct NormConv {
    /// `[9 * inputs, outputs]`, rows by tap, then input.
    pub weight: Param<Tensor<2>>,
    /// `[outputs]`.
    pub gain: Param<Tensor<1>>,
    /// `[outputs]`.
    pub bias: Param<Tensor<1>>,
    /// Whether `weight` is what [`NormConv::folded`] made of it: then the net evaluates and does not learn.
    ready: bool,
}

/// A hidden layer per square and one row of weights for each move plane.
#[derive(Module, Debug)]
pub struct PolicyHead {
    /// `[channels, channels]`.
    pub squares: Param<Tensor<2>>,
    /// `[2 * channels, channels]`: mean and maximum over the board, to a bias.
    pub pool: Param<Tensor<2>>,
    /// `[channels]`.
    pub bias: Param<Tensor<1>>,
    /// `[move planes, channels]`.
    pub moves: Param<Tensor<2>>,
    /// `[move planes]`.
    pub moves_bias: Param<Tensor<1>>,
    /// `[move planes, channels]`: the opponent's reply, in training only.
    pub replies: Param<Tensor<2>>,
    /// `[move planes]`.
    pub replies_bias: Param<Tensor<1>>,
}

/// A hidden layer per square, pooled to a hidden layer of the position.
#[derive(Module, Debug)]
pub struct ConvValueHead {
    /// `[channels, channels]`.
    pub squares: Param<Tensor<2>>,
    /// `[channels]`.
    pub squares_bias: Param<Tensor<1>>,
    /// `[2 * channels, channels]`, from mean and maximum over the board.
    pub hidden: Param<Tensor<2>>,
    /// `[channels]`.
    pub hidden_bias: Param<Tensor<1>>,
    /// `[channels, 3]`.
    pub wdl: Param<Tensor<2>>,
    /// `[3]`.
    pub wdl_bias: Param<Tensor<1>>,
    /// `[channels, 1]`, in training only.
    pub moves_left: Param<Tensor<2>>,
    /// `[1]`.
    pub moves_left_bias: Param<Tensor<1>>,
}

/// The policy head's hidden layer, `[batch * squares, channels]`.
struct Hidden(Tensor<2>);

/// Added to the squared norm of a filter before the division.
pub const NORM_EPSILON: f32 = 1e-4;

/// Restores unit variance after a relu of a unit Gaussian: `sqrt(2 / (1 - 1 / pi))` (Brock et al., section 4).
const RELU_GAIN: f32 = 1.713_859;

impl ConvNet {
    /// A new network. `config` must be valid. The policy starts uniform, the value at equal thirds.
    pub fn new(config: &ConvConfig, sizes: Sizes, init: &mut Init) -> Self {
        let c = config.channels;
        ConvNet {
            stem: Stem {
                // About one feature is active on each of nine squares, whatever the number of planes.
                weight: init.normal([9 * sizes.planes, c], 1.0 / 3.0),
                scalars: init.normal([sizes.scalars, c], 1.0 / (sizes.scalars as f32).sqrt()),
                bias: init.constant(c, 0.0),
            },
            blocks: (0..config.blocks)
                .map(|_| Block {
                    first: NormConv::new(c, RELU_GAIN, init),
                    pool: init.fan_in([2 * c, c]),
                    second: NormConv::new(c, 0.0, init),
                })
                .collect(),
            policy: PolicyHead {
                squares: init.fan_in([c, c]),
                pool: init.fan_in([2 * c, c]),
                bias: init.constant(c, 0.0),
                moves: init.zeros([sizes.move_planes, c]),
                moves_bias: init.constant(sizes.move_planes, 0.0),
                replies: init.zeros([sizes.move_planes, c]),
                replies_bias: init.constant(sizes.move_planes, 0.0),
            },
            value: ConvValueHead {
                squares: init.fan_in([c, c]),
                squares_bias: init.constant(c, 0.0),
                hidden: init.fan_in([2 * c, c]),
                hidden_bias: init.constant(c, 0.0),
                wdl: init.zeros([c, 3]),
                wdl_bias: init.constant(3, 0.0),
                moves_left: init.zeros([c, 1]),
                moves_left_bias: init.constant(1, 1.0),
            },
        }
    }

    /// The same net for inference alone, in these numbers: the convolutions' weights are made once and not for each
    /// batch.
    pub fn ready(mut self, dtype: DType) -> Self {
        let blocks = self.blocks.into_iter();
        self.blocks = blocks
            .map(|block| Block { first: block.first.ready(), second: block.second.ready(), ..block })
            .collect();
        parameters::cast(self, dtype)
    }

    /// Evaluates a batch.
    pub fn forward(&self, batch: &Batch, device: &Device) -> NetworkOutput {
        let input = &ConvInput::new(batch, device, self.stem.bias.val().dtype());
        let x = self.stem.forward(input);
        let x = self.blocks.iter().fold(x, |x, block| block.forward(x, input));
        let (wdl, moves_left) = self.value.forward(x.clone(), input);
        let PolicyHead { moves, moves_bias, replies, replies_bias, .. } = &self.policy;
        let hidden = self.policy.hidden(x, input);
        let logits = |weight, bias, asked: &[(usize, u16)]| {
            (!asked.is_empty()).then(|| logits(&hidden, (weight, bias), asked, input))
        };
        NetworkOutput {
            wdl,
            moves_left,
            policy: logits(moves, moves_bias, &batch.moves),
            replies: logits(replies, replies_bias, &batch.replies),
        }
    }
}

impl Stem {
    fn forward(&self, input: &ConvInput) -> Tensor<2> {
        let bias = affine(input.scalars.clone(), &self.scalars, &self.bias);
        relu(add_bias(convolve(input.planes.clone(), self.weight.val(), input), bias, input))
    }
}

impl Block {
    fn forward(&self, x: Tensor<2>, input: &ConvInput) -> Tensor<2> {
        let bias = affine(pool(x.clone(), input), &self.pool, &self.first.bias);
        let y = relu(add_bias(self.first.forward(x.clone(), input), bias, input));
        relu(x + self.second.forward(y, input) + self.second.bias.val().unsqueeze())
    }
}

impl NormConv {
    fn new(channels: usize, gain: f32, init: &mut Init) -> Self {
        NormConv {
            weight: init.fan_in([9 * channels, channels]),
            gain: init.constant(channels, gain),
            bias: init.constant(channels, 0.0),
            ready: false,
        }
    }

    /// Without the bias.
    fn forward(&self, x: Tensor<2>, input: &ConvInput) -> Tensor<2> {
        convolve(x, if self.ready { self.weight.val() } else { self.folded() }, input)
    }

    /// The same for inference alone: its weights are made once.
    fn ready(self) -> Self {
        let weight = Param::from_tensor(self.folded());
        NormConv { weight, ready: true, ..self }
    }

    /// The weights that a plain convolution would have: `[9 * inputs, outputs]`.
    pub fn folded(&self) -> Tensor<2> {
        let centred = self.weight.val();
        let centred = centred.clone() - centred.mean_dim(0);
        let norm = ((centred.clone() * centred.clone()).sum_dim(0) + NORM_EPSILON).sqrt();
        centred * (self.gain.val().unsqueeze::<2>() / norm)
    }
}

impl PolicyHead {
    fn hidden(&self, x: Tensor<2>, input: &ConvInput) -> Hidden {
        let bias = affine(pool(x.clone(), input), &self.pool, &self.bias);
        Hidden(relu(add_bias(x.matmul(self.squares.val()), bias, input)))
    }
}

impl ConvValueHead {
    fn forward(&self, x: Tensor<2>, input: &ConvInput) -> (Tensor<2>, Tensor<2>) {
        let x = relu(affine(x, &self.squares, &self.squares_bias));
        let x = relu(affine(pool(x, input), &self.hidden, &self.hidden_bias));
        let wdl = affine(x.clone(), &self.wdl, &self.wdl_bias);
        (wdl, affine(x, &self.moves_left, &self.moves_left_bias))
    }
}

/// A 3x3 convolution without bias: `[batch * squares, inputs]` to `[batch * squares, outputs]`.
fn convolve(x: Tensor<2>, weight: Tensor<2>, input: &ConvInput) -> Tensor<2> {
    let [rows, inputs] = x.dims();
    let &ConvInput { batch, ranks, files, .. } = input;
    match &input.taps {
        Taps::Gathered(neighbours) => {
            // The last row stands for every square beyond the edge.
            let beyond = Tensor::zeros([1, inputs], (&x.device(), x.dtype()));
            let x = Tensor::cat(vec![x, beyond], 0).select(0, (**neighbours).clone());
            x.reshape([rows, 9 * inputs]).matmul(weight)
        }
        Taps::Sliced => {
            let options = (&x.device(), x.dtype());
            let beside = Tensor::zeros([batch, ranks, 1, inputs], options);
            let beyond = Tensor::zeros([batch, 1, files + 2, inputs], options);
            let board = x.reshape([batch, ranks, files, inputs]);
            let board = Tensor::cat(vec![beside.clone(), board, beside], 2);
            let board = Tensor::cat(vec![beyond.clone(), board, beyond], 1);
            let corners = (0..3).flat_map(|rank| (0..3).map(move |file| (rank, file)));
            let taps = corners.map(|(rank, file)| {
                board.clone().slice([0..batch, rank..rank + ranks, file..file + files, 0..inputs])
            });
            Tensor::cat(taps.collect(), 3).reshape([rows, 9 * inputs]).matmul(weight)
        }
    }
}

/// Adds `bias`, `[batch, channels]`, to every square of its position.
fn add_bias(x: Tensor<2>, bias: Tensor<2>, input: &ConvInput) -> Tensor<2> {
    let [rows, channels] = x.dims();
    let x = x.reshape([input.batch, input.squares, channels]);
    (x + bias.reshape([input.batch, 1, channels])).reshape([rows, channels])
}

/// Mean and maximum over the board: `[batch, 2 * channels]`.
fn pool(x: Tensor<2>, input: &ConvInput) -> Tensor<2> {
    let channels = x.dims()[1];
    let x = x.reshape([input.batch, input.squares, channels]);
    let pooled = Tensor::cat(vec![x.clone().mean_dim(1), x.max_dim(1)], 2);
    pooled.reshape([input.batch, 2 * channels])
}

/// The logits of these moves of the batch's positions.
fn logits(
    hidden: &Hidden,
    (weight, bias): (&Param<Tensor<2>>, &Param<Tensor<1>>),
    asked: &[(usize, u16)],
    input: &ConvInput,
) -> Logits {
    let (squares, [planes, _]) = (input.squares, weight.dims());
    let device = weight.device();
    if device.is_autodiff() && !matches!(input.taps, Taps::Gathered(_)) {
        let all = hidden.0.clone().matmul(weight.val().transpose()) + bias.val().unsqueeze();
        let place = |(position, index): (usize, usize)| {
            ((position * squares + index % squares) * planes + index / squares) as i32
        };
        let places = asked.iter().map(|&(position, index)| place((position, index.into())));
        return Logits::Among(all.reshape([input.batch * squares * planes]), places.collect());
    }
    // Only the rows that are asked for: on a large board a hundredth of all squares and move planes.
    let moves = MoveIndices::new(squares, asked, &device);
    let rows = hidden.0.clone().select(0, moves.squares);
    let planes = weight.val().select(0, moves.planes.clone());
    let bias = bias.val().unsqueeze_dim::<2>(1).select(0, moves.planes);
    let sums = (rows * planes).sum_dim(1) + bias;
    let len = sums.dims()[0];
    Logits::Picked(sums.reshape([len]))
}
