//! The graph against the forward pass by hand, and what the file says about itself.

use std::collections::{BTreeMap, BTreeSet};

use prost::Message;

use super::{
    interpreter::{Array, floats_of, run},
    proto::{DimensionValue, GraphProto, ModelProto, ValueInfoProto},
    to_bytes,
};
use crate::{
    games::{
        encode::{Inputs, Shape},
        rules::{GameId, RuleSet},
    },
    net::{EncodedQuery, ModelFile, ModelMeta, NativeNet, PlayTable, Precision, testing},
    search::{Evaluation, Wdl},
};

fn file(net: &str, shape: Shape) -> ModelFile {
    let meta = ModelMeta {
        game: GameId::Minishogi,
        rules: RuleSet::Standard,
        encoding_version: 7,
        shape,
        net: net.to_owned(),
        generation: 12,
        positions: 3456,
        program: "sanki 0.0.0 (abc)".to_owned(),
        play: PlayTable::default(),
    };
    ModelFile { meta, model: testing::model(net, &shape, 3) }
}

fn exported(file: &ModelFile) -> ModelProto {
    ModelProto::decode(&to_bytes(file)[..]).expect("what was encoded")
}

fn graph(file: &ModelFile) -> GraphProto {
    exported(file).graph.expect("a graph")
}

/// The inputs that `positions` are.
fn inputs(shape: &Shape, asked: Inputs, positions: &[EncodedQuery]) -> [(&'static str, Array); 2] {
    let statuses = asked.statuses();
    let mut planes = vec![0.0; positions.len() * statuses * shape.planes * shape.squares()];
    for (board, position) in planes.chunks_mut(statuses * shape.planes * shape.squares()).zip(positions) {
        for feature in &position.features.active {
            let plane = asked.status_of(feature) * shape.planes + usize::from(feature.plane);
            board[plane * shape.squares() + usize::from(feature.square)] = 1.0;
        }
    }
    let scalars = positions.iter().flat_map(|position| position.features.scalars.clone()).collect();
    let dims = vec![positions.len(), statuses * shape.planes, shape.ranks, shape.files];
    let planes = Array { dims, values: planes };
    [("planes", planes), ("scalars", Array { dims: vec![positions.len(), shape.scalars], values: scalars })]
}

#[test]
fn the_graph_computes_what_the_net_does() {
    for net in ["1x16", "2x32", "sparse-32", "sparse-64-attacks"] {
        for shape in testing::SHAPES {
            let mut rng = testing::rng(shape.squares() as u64);
            let position = |_| EncodedQuery {
                features: testing::features(&shape, &mut rng),
                moves: testing::moves(&shape, &mut rng),
                policy_only: false,
            };
            let positions: Vec<EncodedQuery> = (0..3).map(position).collect();
            let file = file(net, shape);
            let mut expected = vec![Evaluation::default(); positions.len()];
            NativeNet::new(&file.model, Precision::Fp32)
                .unwrap()
                .evaluator(shape)
                .evaluate_encoded(&positions, &mut expected);

            let values = run(&graph(&file), &inputs(&shape, file.model.net().inputs(), &positions));
            let (policy, wdl) = (&values["policy"], &values["wdl"]);
            assert_eq!((&policy.dims[..], &wdl.dims[..]), (&[3, shape.policy_len()][..], &[3, 3][..]));
            let rows = policy.values.chunks(shape.policy_len()).zip(wdl.values.chunks(3));
            for ((position, expected), (policy, found)) in positions.iter().zip(&expected).zip(rows) {
                let logits = position.moves.iter().map(|&index| policy[usize::from(index)]);
                let Wdl { win, draw, loss } = expected.wdl;
                let expected = expected.logits.iter().copied().chain([win, draw, loss]);
                for (found, expected) in logits.chain(found.iter().copied()).zip(expected) {
                    assert!((found - expected).abs() < 1e-4, "{net} {shape:?}: {found} {expected}");
                }
            }
        }
    }
}

fn described(info: &ValueInfoProto) -> (&str, Vec<DimensionValue>) {
    assert!(!info.doc_string.is_empty(), "{}", info.name);
    let tensor = info.r#type.as_ref().and_then(|kind| kind.tensor_type.as_ref()).expect("a tensor");
    let shape = tensor.shape.as_ref().expect("a shape");
    (&info.name, shape.dim.iter().map(|dim| dim.value.clone().expect("a size")).collect())
}

#[test]
fn inputs_and_outputs_are_named_and_described() {
    let graph = graph(&file("1x16", testing::shape(4, 3)));
    let batch = || DimensionValue::Named("batch".to_owned());
    let inputs: Vec<_> = graph.input.iter().map(described).collect();
    let planes = vec![batch(), DimensionValue::Fixed(12), DimensionValue::Fixed(4), DimensionValue::Fixed(3)];
    assert_eq!(inputs, [("planes", planes), ("scalars", vec![batch(), DimensionValue::Fixed(5)])]);
    let outputs: Vec<_> = graph.output.iter().map(described).collect();
    assert_eq!(
        outputs,
        [
            ("policy", vec![batch(), DimensionValue::Fixed(84)]),
            ("wdl", vec![batch(), DimensionValue::Fixed(3)])
        ]
    );
}

#[test]
fn every_constant_is_named_once_used_and_finite() {
    let graph = graph(&file("2x16", testing::shape(4, 3)));
    let used: BTreeSet<&String> = graph.node.iter().flat_map(|node| &node.input).collect();
    let mut names = BTreeSet::new();
    for tensor in &graph.initializer {
        assert!(used.contains(&tensor.name) && names.insert(&tensor.name), "{}", tensor.name);
        if tensor.name != "board_axes" {
            assert!(floats_of(tensor).values.iter().all(|value| value.is_finite()), "{}", tensor.name);
        }
    }
    let dims = |name: &str| {
        let tensor = graph.initializer.iter().find(|tensor| tensor.name == name);
        tensor.unwrap_or_else(|| panic!("{name} is missing")).dims.clone()
    };
    assert_eq!(dims("stem.planes.weight"), [16, 12, 3, 3]);
    assert_eq!(dims("stem.scalars.weight"), [5, 16]);
    assert_eq!(dims("blocks.1.first.weight"), [16, 16, 3, 3]);
    assert_eq!(dims("blocks.1.pool.weight"), [32, 16]);
    assert_eq!(dims("policy.moves.weight"), [7, 16, 1, 1]);
    assert_eq!(dims("value.wdl.weight"), [16, 3]);
    assert!(!names.iter().any(|name| name.contains("replies")), "{names:?}");
}

#[test]
fn the_metadata_say_what_the_model_is() {
    let model = exported(&file("1x16", testing::shape(4, 3)));
    assert_eq!((model.ir_version, model.opset_import[0].version), (7, 14));
    assert_eq!(model.producer_name, "sanki");
    let entries = model.metadata_props.iter().map(|entry| (entry.key.as_str(), entry.value.as_str()));
    let entries: BTreeMap<&str, &str> = entries.collect();
    assert_eq!(entries.len(), model.metadata_props.len());
    for (key, value) in [
        ("game", "minishogi"),
        ("rules", "standard"),
        ("encoding_version", "7"),
        ("net", "1x16"),
        ("generation", "12"),
        ("positions", "3456"),
        ("program", "sanki 0.0.0 (abc)"),
    ] {
        assert_eq!(entries.get(key), Some(&value), "{key}");
    }
    let shape: Shape = serde_json::from_str(entries["shape"]).expect("a shape");
    assert_eq!(shape, testing::shape(4, 3));
}

#[test]
fn the_metadata_say_how_many_planes_go_in() {
    for (net, statuses) in [("1x16", 1), ("sparse-32", 1), ("sparse-32-attacks", 4)] {
        let model = exported(&file(net, testing::shape(4, 3)));
        let entry = |key: &str| {
            let entry = model.metadata_props.iter().find(|entry| entry.key == key);
            entry.unwrap_or_else(|| panic!("{key}")).value.clone()
        };
        assert_eq!(entry("statuses"), statuses.to_string(), "{net}");
        assert_eq!(entry("input_planes"), (12 * statuses).to_string(), "{net}");
        assert_eq!(entry("input_plane"), "(status % statuses) * planes + plane");
        let graph = model.graph.expect("a graph");
        assert_eq!(described(&graph.input[0]).1[1], DimensionValue::Fixed(12 * statuses), "{net}");
    }
}

#[test]
fn the_same_model_gives_the_same_bytes() {
    let file = file("1x16", testing::shape(4, 3));
    assert_eq!(to_bytes(&file), to_bytes(&file));
}

#[test]
#[should_panic(expected = "the description fits the network")]
fn a_description_of_another_net_is_a_bug() {
    let mut file = file("1x16", testing::shape(4, 3));
    file.meta.shape.planes += 1;
    to_bytes(&file);
}
