//! The graph of a residual tower: [`ConvNet`], layer by layer.
//!
//! Boards are `[batch, channels, ranks, files]`, as ONNX has them. Pooled vectors go through `Gemm` and not through
//! convolutions of a board of one square: onnxruntime 1.31 evaluates 5% more positions so with a 4x32 net.

use burn::{module::Param, tensor::Tensor};

use super::{
    PLANES, POLICY, SCALARS, WDL,
    graph::{Graph, int, ints},
};
use crate::net::{
    ConvNet,
    conv::{Block, ConvValueHead, PolicyHead, Stem},
    parameters::values_of,
};

/// A constant: where ranks and files stand among the dimensions.
const BOARD_AXES: &str = "board_axes";

/// Draws `net` from the inputs to the outputs.
pub fn draw(graph: &mut Graph, net: &ConvNet) {
    graph.integers(BOARD_AXES, &[2, 3]);
    let stem = draw_stem(graph, &net.stem);
    let tower = (0..).zip(&net.blocks).fold(stem, |x, (i, block)| draw_block(graph, i, block, &x));
    draw_policy(graph, &net.policy, &tower);
    draw_value(graph, &net.value, &tower);
}

fn draw_stem(graph: &mut Graph, stem: &Stem) -> String {
    let bias = dense(graph, "stem.scalars", SCALARS, &stem.scalars, &stem.bias);
    let sums = convolve(graph, "stem.planes", PLANES, stem.weight.val(), 3, None);
    biased_relu(graph, "stem", &sums, &bias)
}

fn draw_block(graph: &mut Graph, index: usize, block: &Block, x: &str) -> String {
    let name = |part| format!("blocks.{index}.{part}");
    let pooled = pool(graph, &name("pooled"), x);
    let bias = dense(graph, &name("pool"), &pooled, &block.pool, &block.first.bias);
    let sums = convolve(graph, &name("first"), x, block.first.folded(), 3, None);
    let inner = biased_relu(graph, &name("inner"), &sums, &bias);
    let sums = convolve(graph, &name("second"), &inner, block.second.folded(), 3, Some(&block.second.bias));
    let sums = graph.node("Add", &name("sum"), &[&sums, x]);
    graph.node("Relu", &name("out"), &[&sums])
}

fn draw_policy(graph: &mut Graph, head: &PolicyHead, x: &str) {
    let pooled = pool(graph, "policy.pooled", x);
    let bias = dense(graph, "policy.pool", &pooled, &head.pool, &head.bias);
    let sums = convolve(graph, "policy.squares", x, head.squares.val(), 1, None);
    let hidden = biased_relu(graph, "policy.hidden", &sums, &bias);
    let moves =
        convolve(graph, "policy.moves", &hidden, head.moves.val().transpose(), 1, Some(&head.moves_bias));
    graph.node("Flatten", POLICY, &[&moves]);
}

fn draw_value(graph: &mut Graph, head: &ConvValueHead, x: &str) {
    let sums = convolve(graph, "value.squares", x, head.squares.val(), 1, Some(&head.squares_bias));
    let squares = graph.node("Relu", "value.squares.relu", &[&sums]);
    let pooled = pool(graph, "value.pooled", &squares);
    let sums = dense(graph, "value.hidden", &pooled, &head.hidden, &head.hidden_bias);
    let hidden = graph.node("Relu", "value.hidden.relu", &[&sums]);
    let logits = dense(graph, "value.wdl", &hidden, &head.wdl, &head.wdl_bias);
    graph.node_with("Softmax", WDL, &[&logits], &[int("axis", 1)]);
}

/// A convolution that keeps the board's size; `weight` is `[size * size * inputs, outputs]`, rows by tap, then input.
fn convolve(
    graph: &mut Graph,
    name: &str,
    x: &str,
    weight: Tensor<2>,
    size: usize,
    bias: Option<&Param<Tensor<1>>>,
) -> String {
    let [rows, outputs] = weight.dims();
    let inputs = rows / (size * size);
    // Our taps go left to right, then upwards; rank 0 is the first row here, so that they keep their order.
    let weight = weight.reshape([size * size, inputs, outputs]).permute([2, 1, 0]);
    let weight = graph.floats(&format!("{name}.weight"), &[outputs, inputs, size, size], &values_of(weight));
    let bias = bias.map(|bias| graph.floats(&format!("{name}.bias"), &[outputs], &values_of(bias.val())));
    let inputs: Vec<&str> = [x, &weight].into_iter().chain(bias.as_deref()).collect();
    let (size, edge) = (size as i64, size as i64 / 2);
    let attributes = [ints("kernel_shape", &[size; 2]), ints("pads", &[edge; 4])];
    graph.node_with("Conv", name, &inputs, &attributes)
}

/// Mean and maximum over the board: `[batch, 2 * channels]`.
fn pool(graph: &mut Graph, name: &str, x: &str) -> String {
    let mean = graph.node("GlobalAveragePool", &format!("{name}.mean"), &[x]);
    let max = graph.node("GlobalMaxPool", &format!("{name}.max"), &[x]);
    let both = graph.node_with("Concat", &format!("{name}.both"), &[&mean, &max], &[int("axis", 1)]);
    graph.node("Flatten", name, &[&both])
}

/// `x * weight + bias`, of vectors.
fn dense(
    graph: &mut Graph,
    name: &str,
    x: &str,
    weight: &Param<Tensor<2>>,
    bias: &Param<Tensor<1>>,
) -> String {
    let weight = graph.floats(&format!("{name}.weight"), &weight.dims(), &values_of(weight.val()));
    let bias = graph.floats(&format!("{name}.bias"), &bias.dims(), &values_of(bias.val()));
    graph.node("Gemm", name, &[x, &weight, &bias])
}

/// `relu(x + bias)`; `bias`, `[batch, channels]`, is the same for every square.
fn biased_relu(graph: &mut Graph, name: &str, x: &str, bias: &str) -> String {
    let bias = graph.node("Unsqueeze", &format!("{name}.bias"), &[bias, BOARD_AXES]);
    let sums = graph.node("Add", &format!("{name}.sum"), &[x, &bias]);
    graph.node("Relu", name, &[&sums])
}
