//! Models and records from strangers: what they claim to hold costs no memory and no panic.

use crate::tiny_run;

use std::{
    fs,
    io::{self, Read},
};

use sanki::{
    base::store::Container,
    games::{
        encode::Encode,
        rules::{GameId, RuleSet, dobutsu::Dobutsu},
    },
    net::{
        Model, ModelFile,
        weights::{Width, write},
    },
    training::selfplay::{BadRecords, RecordMeta, read_sealed, sealed_path},
};
use serde_json::{Value, json};
use tiny_run::{refuse, sanki};

/// What a bomb unpacks to: more than there is reason for, and nothing that a machine for tests lacks.
const BOMB: u64 = 1 << 29;

fn model(net: &str) -> ModelFile {
    let model = Model::init(&net.parse().unwrap(), Dobutsu::SHAPE, 1);
    ModelFile::untrained::<Dobutsu>(RuleSet::Standard, model)
}

/// Many zeros in few bytes.
fn bomb() -> Vec<u8> {
    zstd::encode_all(io::repeat(0).take(BOMB), 1).unwrap()
}

/// A model described by `description`, with `name` as the section of its weights.
fn described(description: &Value, name: &str, weights: Vec<u8>) -> Container {
    Container::new("checkpoint").with("model", description.to_string().into_bytes()).with(name, weights)
}

fn description(file: &ModelFile) -> Value {
    serde_json::to_value(&file.meta).unwrap()
}

fn error_of(container: &Container) -> String {
    format!("{:#}", ModelFile::from_container(container).unwrap_err())
}

#[test]
fn a_model_unpacks_to_no_more_than_it_says() {
    let file = model("sparse-32");
    let compact = file.to_compact().unwrap();
    assert!(ModelFile::from_container(&compact).is_ok());
    let bomb = bomb();
    assert!(bomb.len() < 100_000, "{} bytes", bomb.len());
    let error = error_of(&described(&description(&file), "weights.zst", bomb.clone()));
    assert!(error.contains("unpacks to more than"), "{error}");
    // To claim more does not help.
    let mut claimed = description(&file);
    claimed["net"] = json!("sparse-65536");
    let error = error_of(&described(&claimed, "weights.zst", bomb));
    assert!(error.contains("more than"), "{error}");
}

#[test]
fn records_unpack_to_no_more_than_games_can() {
    let folder = tempfile::tempdir().unwrap();
    let meta = RecordMeta::new(GameId::Dobutsu, RuleSet::Standard, 1, 1, 0);
    let path = sealed_path(folder.path(), 1);
    let header = serde_json::to_vec(&meta).unwrap();
    Container::new("records").with("meta", header).with("games", bomb()).write(&path).unwrap();
    match read_sealed(&path, &meta) {
        Err(BadRecords::Damaged(error)) => {
            let error = format!("{error:#}");
            assert!(
                error.contains("unpacks to more than") && error.contains("gen-000001.records"),
                "{error}"
            );
        }
        other => panic!("{other:?}"),
    }
}

/// Weights whose description has `sizes`.
fn weights(net: &str, sizes: Value) -> Vec<u8> {
    let model = model(net).model;
    let mut header = json!({ "net": model.net(), "sizes": model.sizes() });
    for (key, value) in sizes.as_object().unwrap() {
        header["sizes"][key] = value.clone();
    }
    let tensors = model.layout().split(model.weights());
    write(
        tensors.map(|(spec, values)| (spec.name.clone(), &spec.shape[..], values)),
        header.to_string(),
        Width::Single,
    )
}

#[test]
fn sizes_that_no_game_has_are_refused() {
    for net in ["1x16", "sparse-32", "sparse-32-attacks"] {
        assert!(Model::from_bytes(&weights(net, json!({}))).is_ok());
        for key in ["planes", "scalars", "move_planes", "squares"] {
            for size in [u64::MAX, 1 << 63, 1 << 62, 1 << 32, 1 << 20] {
                let error = Model::from_bytes(&weights(net, json!({ key: size }))).unwrap_err().to_string();
                assert!(error.contains("sizes that no game has"), "{net} {key} {size}: {error}");
            }
        }
    }
}

#[test]
fn boards_that_no_game_has_are_refused() {
    for net in ["1x16", "sparse-32"] {
        let file = model(net);
        for key in ["ranks", "files", "planes", "scalars", "move_planes"] {
            for size in [0, 1 << 20, 1 << 33, 1 << 63, u64::MAX] {
                let mut meta = description(&file);
                meta["shape"][key] = json!(size);
                let error = error_of(&described(&meta, "weights", file.model.to_bytes()));
                assert!(error.contains("its description is damaged"), "{net} {key} {size}: {error}");
            }
        }
    }
}

#[test]
fn rules_of_another_game_are_refused() {
    let file = model("sparse-32");
    let mut meta = description(&file);
    meta["rules"] = json!("axf");
    let error = error_of(&described(&meta, "weights", file.model.to_bytes()));
    assert!(error.contains("axf is no rule set of dobutsu"), "{error}");
}

#[test]
fn the_program_refuses_such_files_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut meta = description(&model("1x16"));
    meta["shape"]["ranks"] = json!(u64::MAX / 2);
    let path = folder.path().join("strange.sanki");
    described(&meta, "weights", model("1x16").model.to_bytes()).write(&path).unwrap();
    let (path, out) = (path.to_str().unwrap(), folder.path().join("out"));
    let out = out.to_str().unwrap();
    for arguments in [
        &["export", path, "--format", "onnx", "-o", out][..],
        &["match", path, "random"],
        &["play", "--model", path],
        &["show", "--model", path],
    ] {
        let error = refuse(sanki(arguments));
        assert!(error.starts_with("error: ") && error.contains("strange.sanki"), "{arguments:?}: {error}");
    }
    assert!(fs::metadata(out).is_err());
}

#[cfg(unix)]
#[test]
fn a_device_is_no_model() {
    let error = refuse(sanki(&["match", "/dev/zero", "random"]));
    assert!(error.contains("/dev/zero") && error.contains("no regular file"), "{error}");
}
