//! What a model file says of itself, where that cannot be.

use sanki::{
    games::{
        encode::Encode,
        rules::{RuleSet, dobutsu::Dobutsu},
    },
    net::{Model, ModelFile},
};
use serde_json::{Value, json};

/// Whoever makes up a model can write any settings of play into it.
#[test]
fn settings_that_no_search_can_run_with_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let model = Model::init(&"sparse-32".parse().unwrap(), Dobutsu::SHAPE, 1);
    let mut file = ModelFile::untrained::<Dobutsu>(RuleSet::Standard, model);
    let mut read = |play: Value| {
        file.meta.play = serde_json::from_value(play).unwrap();
        std::fs::write(&path, file.to_safetensors()).unwrap();
        let both = [ModelFile::from_container(&file.to_container()), ModelFile::read(&path)];
        both.map(|read| read.map(drop).map_err(|error| format!("{error:#}")))
    };
    assert_eq!(read(json!({ "threads": 2, "mate_visits": 1, "level": 3 })), [Ok(()), Ok(())]);
    for (key, bad) in [
        ("threads", json!(0)),
        ("threads", json!(u32::MAX)),
        ("batch", json!(0)),
        ("memory", json!(0)),
        ("memory", json!(u32::MAX)),
        ("level", json!(0)),
        ("level", json!(21)),
        ("strength", json!(-1)),
        ("levels", json!([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
        ("mate_plies", json!(0)),
        ("mate_plies", json!(2)),
        ("mate_plies", json!(u32::MAX)),
        ("temperature", json!(0)),
        ("uniform_share", json!(2)),
        ("c_init", json!(-1)),
        ("c_base", json!(0)),
        ("fpu_reduction", json!(-1)),
    ] {
        for read in read(json!({ "mate_visits": 1, key: bad.clone() })) {
            let error = read.expect_err(key);
            assert!(error.contains("its description is damaged") && error.contains(key), "{key}: {error}");
        }
    }
}
