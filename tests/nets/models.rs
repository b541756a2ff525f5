//! The trained models in `checkpoints/`: small, what their configs say, and strong.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use sanki::{net::ModelFile, training::run::RunConfig};
use serde_json::Value;

/// What all of them may take together, in bytes.
const ROOM: u64 = 40 << 20;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("checkpoints")
}

/// Every model, and the path of the config beside it.
fn models() -> Vec<(PathBuf, PathBuf)> {
    let files = fs::read_dir(folder()).expect("the folder").map(|entry| entry.expect("an entry").path());
    let models: Vec<_> = files.filter(|path| path.extension().is_some_and(|it| it == "sanki")).collect();
    assert!(!models.is_empty());
    models.into_iter().map(|path| (path.clone(), path.with_extension("toml"))).collect()
}

#[test]
fn they_are_what_their_configs_say() {
    let notes = fs::read_to_string(folder().join("README.md")).unwrap();
    for (model, config) in models() {
        let file = ModelFile::read(&model).unwrap();
        let config = RunConfig::parse(&fs::read_to_string(config).unwrap(), &[]).unwrap();
        assert_eq!((file.meta.game, file.meta.rules), (config.game, config.rules));
        assert_eq!(file.model.net(), &config.net);
        // The README names each with its net and the commit that made it.
        let name = model.file_name().unwrap().to_str().unwrap();
        let row = notes.lines().find(|line| line.starts_with(&format!("| `{name}`"))).expect(name);
        let commit = file.meta.program.rsplit('(').next().unwrap().trim_end_matches(')');
        assert!(row.contains(commit), "{row} lacks {commit}");
        assert!(row.contains(&config.net.to_string()), "{row}");
    }
}

#[test]
fn they_are_small() {
    let sizes = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len());
    assert!(sizes.sum::<u64>() <= ROOM);
}

#[test]
fn they_beat_uniform_soundly() {
    for (model, _) in models() {
        let out = tempfile::tempdir().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_sanki"))
            .args(["match", model.to_str().unwrap(), "uniform@sims=128", "--sims", "32", "--games", "40"])
            .args(["--json", "--out", out.path().to_str().unwrap()])
            .output()
            .unwrap();
        let result: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
        assert!(result["score"].as_f64().unwrap() >= 0.9, "{}: {result}", model.display());
    }
}
