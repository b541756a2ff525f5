//! The graph of a sparse net: its rows as matrices, which boards and scalars as one vector are multiplied with.

use super::{
    PLANES, POLICY, SCALARS, WDL,
    graph::{Graph, int},
};
use crate::net::{
    Model,
    native::sparse::{AccumulatorTable, FeatureTable, MoveTable},
    weights::Named,
};

/// Draws a sparse `model` from the inputs to the outputs.
pub fn draw(graph: &mut Graph, model: &Model) {
    let (weights, sizes) = (Named::new(model.layout(), model.weights()), model.sizes());
    let board = graph.node("Flatten", "board", &[PLANES]);
    let x = graph.node_with("Concat", "features", &[&board, SCALARS], &[int("axis", 1)]);
    let table = FeatureTable::new(&weights, sizes);
    let policy = draw_gate(graph, "policy.gate", &x, &table, 0);
    let value = draw_gate(graph, "value.gate", &x, &table, 2);

    let moves = MoveTable::new(&weights, "policy", sizes);
    let (rows, width) = (moves.rows(), moves.bias.len());
    let gated = rows.len() / width;
    let columns: Vec<f32> = (0..gated).flat_map(|i| rows.chunks(gated).map(move |row| row[i])).collect();
    draw_dense(graph, POLICY, &policy, &columns, &moves.bias);

    let dense = |graph: &mut Graph, name: &str, x: &str| {
        draw_dense(graph, name, x, weights.get(name), weights.get(&format!("{name}_bias")))
    };
    let sums = dense(graph, "value.hidden", &value);
    let hidden = graph.node("Relu", "value.hidden.relu", &[&sums]);
    let logits = dense(graph, "value.wdl", &hidden);
    graph.node_with("Softmax", WDL, &[&logits], &[int("axis", 1)]);
}

/// `relu(a) * b` of the two quarters of the sums that begin with `quarter`.
fn draw_gate(graph: &mut Graph, name: &str, x: &str, table: &FeatureTable, quarter: usize) -> String {
    let mut sums = |part: &str, quarter: usize| {
        let width = table.bias().len() / 4;
        let columns = |rows: &[f32]| -> Vec<f32> {
            rows.chunks(4 * width).flat_map(|row| &row[quarter * width..][..width]).copied().collect()
        };
        let rows = [columns(table.features()), columns(table.scalars())].concat();
        draw_dense(graph, &format!("{name}.{part}"), x, &rows, &columns(table.bias()))
    };
    let (rectified, gated) = (sums("rectified", quarter), sums("gated", quarter + 1));
    let rectified = graph.node("Relu", &format!("{name}.relu"), &[&rectified]);
    graph.node("Mul", name, &[&rectified, &gated])
}

/// `x * weight + bias`; `weight` is `[inputs, outputs]`.
fn draw_dense(graph: &mut Graph, name: &str, x: &str, weight: &[f32], bias: &[f32]) -> String {
    let dims = [weight.len() / bias.len(), bias.len()];
    let weight = graph.floats(&format!("{name}.weight"), &dims, weight);
    let bias = graph.floats(&format!("{name}.bias"), &[bias.len()], bias);
    graph.node("Gemm", name, &[x, &weight, &bias])
}
