//! A network as ONNX, for every other program.
//!
//! Owns what an exported model looks like from outside, whatever kind of network is in it; each kind has a module
//! that draws its graph. All numbers are f32, the batch is any size:
//!
//! | name | | shape | |
//! | --- | --- | --- | --- |
//! | `planes` | in | `[batch, input planes, ranks, files]` | 1 where a [`Feature`](crate::games::encode::Feature) is active, else 0 |
//! | `scalars` | in | `[batch, scalars]` | [`Features::scalars`](crate::games::encode::Features::scalars) |
//! | `policy` | out | `[batch, move planes * squares]` | logits by policy index |
//! | `wdl` | out | `[batch, 3]` | probabilities of win, draw and loss |
//!
//! A net whose features tell of attacks has four statuses, another net one; the input plane of a feature is
//! `(status % statuses) * planes + plane`, by [`Feature::status`](crate::games::encode::Feature::status), then plane.
//!
//! Everything is seen by the side to move: rank 0 is its own first rank, file 0 is at its left. A policy index is
//! `(move plane * ranks + rank) * files + file`; the softmax over the legal moves' logits is the policy. What only
//! training needs is left out.
//!
//! The metadata are the entries of [`ModelMeta`]: game, rule set, encoding version, shape, net, generation,
//! positions, program and play; then `statuses`, `input_planes` and the formula of an input plane, `input_plane`. What
//! is no text is JSON. docs/nets.md explains all of it to users.

mod conv;
mod graph;
#[cfg(test)]
mod interpreter;
mod proto;
mod sparse;
#[cfg(test)]
mod tests;

use burn::tensor::Device;
use graph::Graph;
use prost::Message;

use super::{ModelFile, ModelMeta, Network};

/// The names of the inputs and outputs.
const PLANES: &str = "planes";
const SCALARS: &str = "scalars";
const POLICY: &str = "policy";
const WDL: &str = "wdl";

/// The input plane of a feature.
const INPUT_PLANE: &str = "(status % statuses) * planes + plane";

/// The bytes of an ONNX file that computes what `file`'s network does.
///
/// # Panics
/// When the sizes in the description are not the network's; [`ModelFile::read`] gives no such file.
pub fn to_bytes(file: &ModelFile) -> Vec<u8> {
    model(file).encode_to_vec()
}

fn model(ModelFile { meta, model }: &ModelFile) -> proto::ModelProto {
    let shape = meta.shape;
    assert!(model.fits(&shape), "the description fits the network");
    let mut graph = Graph::new(&format!("{} {}", meta.game, meta.net));
    let statuses = model.net().inputs().statuses();
    graph.input(
        PLANES,
        &[statuses * shape.planes, shape.ranks, shape.files],
        &format!(
            "1 where a feature is active, else 0; input plane {INPUT_PLANE}, of {statuses} statuses and {} planes; \
             a status is 1 if the piece is attacked, and 2 more if it is defended; seen by the side to move: rank 0 \
             is its own first rank, file 0 is at its left",
            shape.planes
        ),
    );
    graph.input(SCALARS, &[shape.scalars], "hands, counters and flags, from 0 to 1");
    match model.network(&Device::flex()) {
        Network::Conv(net) => conv::draw(&mut graph, &net),
        Network::Sparse(_) => sparse::draw(&mut graph, model),
    }
    graph.output(
        POLICY,
        &[shape.policy_len()],
        "logits, index (move plane * ranks + rank) * files + file; to be normalised over the legal moves",
    );
    graph.output(WDL, &[3], "probabilities of win, draw and loss for the side to move");
    graph.into_model(metadata(meta, statuses))
}

fn metadata(meta: &ModelMeta, statuses: usize) -> Vec<proto::StringStringEntryProto> {
    let serde_json::Value::Object(entries) = serde_json::to_value(meta).expect("a plain struct") else {
        unreachable!("a struct with names is an object")
    };
    let text = |value| match value {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    let described = entries.into_iter().map(|(key, value)| (key, text(value)));
    let inputs = [
        ("statuses", statuses.to_string()),
        ("input_planes", (statuses * meta.shape.planes).to_string()),
        ("input_plane", INPUT_PLANE.to_owned()),
    ];
    let inputs = inputs.map(|(key, value)| (key.to_owned(), value));
    described.chain(inputs).map(|(key, value)| proto::StringStringEntryProto { key, value }).collect()
}
