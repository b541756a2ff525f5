//! `sanki export`: what it writes, and when it writes nothing.

use crate::short_run;

use std::{
    fs,
    path::Path,
    process::{Command, Output},
    sync::LazyLock,
};

use sanki::{
    base::store::Container,
    games::rules::{
        Game, Move, RuleSet, Verdict,
        dobutsu::{Dobutsu, DobutsuMove},
    },
    net::{Model, ModelFile, file::newest, onnx},
    training::selfplay::{SearchDepth, read_sealed_of_any},
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The folder of a short run, the same for all tests.
static RUN: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let mut arguments = short_run::arguments(text(folder.path()));
    arguments.extend(["--set", "selfplay.full_share=0.5", "--set", "selfplay.quick_simulations=4"]);
    let output = sanki(&arguments);
    assert!(output.status.success(), "{output:?}");
    folder
});

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn sanki(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sanki")).args(args).output().expect("the program starts")
}

/// Exports `model` to `file`; what it printed.
fn export(model: &Path, format: &str, file: &Path, more: &[&str]) -> String {
    let args = ["export", text(model), "--format", format, "-o", text(file)];
    let output = sanki(&[&args, more].concat());
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// What it printed to stderr when it would not.
fn refused(model: &Path, file: &Path, more: &[&str]) -> String {
    let args = ["export", text(model), "--format", "onnx", "-o", text(file)];
    let output = sanki(&[&args, more].concat());
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(1), &b""[..]), "{output:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[test]
fn every_format_holds_the_model_that_plays() {
    let folder = tempfile::tempdir().unwrap();
    let trained = ModelFile::read(RUN.path()).unwrap();
    let write = |format: &str| {
        let file = folder.path().join(format);
        let report = export(RUN.path(), format, &file, &["--json"]);
        let bytes = fs::read(&file).unwrap();
        let expected = json!({ "file": text(&file), "format": format, "bytes": bytes.len(), "game": "dobutsu",
                               "rules": "standard", "net": "1x16", "generation": 2 });
        assert_eq!(serde_json::from_str::<Value>(&report).expect("JSON"), expected);
        bytes
    };
    assert_eq!(Model::from_bytes(&write("safetensors")).unwrap(), trained.model);
    assert_eq!(write("onnx"), onnx::to_bytes(&trained));
    assert_eq!(Container::from_bytes(&write("sanki")).unwrap(), trained.to_compact().unwrap());
}

#[test]
fn an_exported_model_goes_where_its_checkpoint_goes() {
    let folder = tempfile::tempdir().unwrap();
    let (checkpoint, model) = (newest(RUN.path()).unwrap(), folder.path().join("model.sanki"));
    let said = export(&checkpoint, "sanki", &model, &[]);
    let size = fs::metadata(&model).unwrap().len();
    let expected = format!("{size} bytes, dobutsu (standard), a 1x16 net of generation 2");
    assert!(said.contains(&expected) && said.lines().count() == 1, "{said}");
    assert!(size < fs::metadata(&checkpoint).unwrap().len() / 2, "the learner is left out");

    // The weights alone are rounded, to 11 bits.
    let (exact, rounded) = (ModelFile::read(&checkpoint).unwrap(), ModelFile::read(&model).unwrap());
    assert_eq!(rounded.meta, exact.meta);
    let close = |(a, b): (&f32, &f32)| (a - b).abs() <= b.abs() / 2048.0 + 3e-8;
    assert!(rounded.model.weights().iter().zip(exact.model.weights()).all(close));
    let opinion = |model: &Path| {
        let output = sanki(&["show", "--model", text(model), "--sims", "20", "--json"]);
        let opinion: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        [0, 1, 2].map(|i| opinion["wdl"][i].as_f64().expect("a probability"))
    };
    let pairs = opinion(&model).into_iter().zip(opinion(&checkpoint));
    pairs.for_each(|(rounded, exact)| assert!((rounded - exact).abs() < 0.01, "{rounded} {exact}"));
    let players =
        ["match", text(&model), text(&checkpoint), "--sims", "2", "--games", "2", "--json", "--out"];
    let output = sanki(&[&players[..], &[text(&folder.path().join("match"))]].concat());
    assert!(output.status.success(), "{output:?}");
    let (run, again) = (folder.path().join("run"), folder.path().join("again.sanki"));
    let output = sanki(&[&short_run::arguments(text(&run))[..], &["--init-from", text(&model)]].concat());
    assert!(output.status.success(), "{output:?}");
    export(&model, "sanki", &again, &[]);
    assert_eq!(fs::read(again).unwrap(), fs::read(model).unwrap());
}

#[test]
fn safetensors_come_back_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    export(RUN.path(), "safetensors", &path("net.safetensors"), &[]);
    assert_eq!(ModelFile::read(&path("net.safetensors")).unwrap(), ModelFile::read(RUN.path()).unwrap());
    for (format, own) in [("sanki", "own.sanki"), ("safetensors", "own.safetensors")] {
        export(RUN.path(), format, &path(own), &[]);
        export(&path("net.safetensors"), format, &path("again"), &["--force"]);
        assert_eq!(fs::read(path("again")).unwrap(), fs::read(path(own)).unwrap(), "{format}");
    }

    let (run, net) = (path("run"), path("net.safetensors"));
    let output = sanki(&[&short_run::arguments(text(&run))[..], &["--init-from", text(&net)]].concat());
    assert!(output.status.success(), "{output:?}");
    let first = ModelFile::read(&run.join("checkpoints/gen-000000.sanki")).unwrap();
    assert_eq!(first.model, ModelFile::read(RUN.path()).unwrap().model);
}

#[test]
fn foreign_and_damaged_safetensors_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let (model, file) = (folder.path().join("net.safetensors"), folder.path().join("net.sanki"));
    let refuses = |bytes: &[u8], why: &str| {
        fs::write(&model, bytes).unwrap();
        let error = refused(&model, &file, &[]);
        assert!(error.starts_with("error: ") && error.contains("net.safetensors"), "{error}");
        assert!(error.contains(why) && !file.exists(), "{why}: {error}");
    };
    let of = |header: &str| [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &[0; 4]].concat();
    refuses(&of(r#"{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#), "not written by sanki");
    refuses(b"weights", "not a file of this program");

    let good = ModelFile::read(RUN.path()).unwrap();
    let bytes = good.to_safetensors();
    refuses(&bytes[..bytes.len() - 1], "no readable safetensors");
    refuses(&bytes[..bytes.len() / 2], "no readable safetensors");
    refuses(&good.model.to_bytes(), "do not say which game it plays");
    let changed = |change: fn(&mut ModelFile)| {
        let mut file = good.clone();
        change(&mut file);
        file.to_safetensors()
    };
    refuses(&changed(|file| file.meta.net = "2x16".into()), "it is described as a 2x16 net");
    refuses(&changed(|file| file.meta.shape.planes += 1), "it is described with");
    refuses(&changed(|file| file.meta.shape.ranks = usize::MAX), "no board has");
    let mut value = bytes.clone();
    let end = value.len();
    value[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    refuses(&value, "not finite");
}

#[test]
fn a_file_that_exists_stays_unless_forced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.onnx");
    fs::write(&file, "mine").unwrap();
    let error = refused(RUN.path(), &file, &[]);
    assert!(error.starts_with("error: ") && error.contains("net.onnx exists already"), "{error}");
    assert!(error.contains("help: --force"), "{error}");
    let bench = ["bench", "net", "--game", "dobutsu", "--net", "1x16", "--seconds", "0.01", "--export"];
    let output = sanki(&[&bench[..], &[text(&file)]].concat());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(fs::read(&file).unwrap(), b"mine");

    export(RUN.path(), "onnx", &file, &["--force"]);
    assert_eq!(fs::read(&file).unwrap(), onnx::to_bytes(&ModelFile::read(RUN.path()).unwrap()));
}

#[test]
fn several_models_give_their_mean() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let first = RUN.path().join("checkpoints/gen-000000.sanki");
    export(&first, "safetensors", &path("mean"), &[text(RUN.path())]);
    let [first, newest, mean] =
        [first.as_path(), RUN.path(), &path("mean")].map(|path| ModelFile::read(path).unwrap());
    assert_eq!((mean.meta.generation, mean.meta.positions), (2, newest.meta.positions));
    let both = first.model.weights().iter().zip(newest.model.weights());
    for ((a, b), found) in both.zip(mean.model.weights()) {
        assert!(((a + b) / 2.0 - found).abs() < 1e-6, "{found} for {a} and {b}");
    }
    assert_ne!(mean.model, newest.model);

    fs::write(path("damaged"), b"damaged").unwrap();
    let error = refused(RUN.path(), &path("none"), &[text(&path("damaged"))]);
    assert!(error.contains("damaged") && !path("none").exists(), "{error}");
}

#[test]
fn what_cannot_be_exported_is_named_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (model, file) = (folder.path().join("model.sanki"), folder.path().join("net.onnx"));
    let error = refused(&model, &file, &[]);
    assert!(error.contains("there is no file") && error.contains("model.sanki"), "{error}");

    let good = ModelFile::read(RUN.path()).unwrap();
    let mut damaged = good.to_container().to_bytes();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&model, damaged).unwrap();
    assert!(refused(&model, &file, &[]).contains("section 'weights' is damaged"));

    let mut weights = good.model.weights().to_vec();
    weights[0] = f32::NAN;
    let broken = ModelFile { model: good.model.with_weights(weights), ..good.clone() };
    broken.to_container().write(&model).unwrap();
    assert!(refused(&model, &file, &[]).contains("not finite"));

    let mut foreign = good;
    foreign.meta.shape.planes += 1;
    foreign.to_container().write(&model).unwrap();
    let error = refused(&model, &file, &[]);
    assert!(error.contains("model.sanki") && error.contains("it is described with"), "{error}");

    let error = refused(RUN.path(), &folder.path().join("missing/net.onnx"), &[]);
    assert!(error.contains("there is no folder") && error.contains("missing"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the model alone");
}

#[test]
fn a_benchmark_exports_the_net_that_it_measures() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.onnx");
    let bench = ["bench", "net", "--game", "minishogi", "--net", "2x16", "--seconds", "0.01", "--export"];
    let output = sanki(&[&bench[..], &[text(&file)]].concat());
    assert!(output.status.success(), "{output:?}");
    let bytes = fs::read(&file).unwrap();
    for text in ["minishogi 2x16", "blocks.1.second.weight", "encoding_version"] {
        assert!(bytes.windows(text.len()).any(|window| window == text.as_bytes()), "{text}");
    }
}

/// The lines of each block.
fn blocks(text: &str) -> Vec<Vec<&str>> {
    let mut blocks = vec![Vec::new()];
    for line in text.lines() {
        match line {
            "e" => blocks.push(Vec::new()),
            line => blocks.last_mut().expect("one at least").push(line),
        }
    }
    assert_eq!(blocks.pop(), Some(Vec::new()), "the last block ends too");
    blocks
}

#[test]
fn the_positions_of_a_run_are_read_back_as_they_were_played() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, more: &[&str]| {
        let file = folder.path().join(name);
        let report = export(RUN.path(), "plain", &file, &[&["--json"], more].concat());
        (fs::read_to_string(&file).unwrap(), serde_json::from_str::<Value>(&report).expect("JSON"))
    };
    let (full, report) = write("full", &[]);
    let files = fs::read_dir(RUN.path().join("records")).unwrap().map(|entry| entry.unwrap().path());
    let records: Vec<_> = files.flat_map(|file| read_sealed_of_any(&file).unwrap()).collect();
    let searched =
        |search| records.iter().flat_map(|game| &game.plies).filter(|ply| ply.search == search).count();
    let (wanted, quick) = (searched(SearchDepth::Full), searched(SearchDepth::Quick));
    assert!(wanted > 100 && quick > 100, "{wanted} {quick}");
    assert_eq!((&report["positions"], &report["games"]), (&json!(wanted), &json!(records.len())));

    let mut expected: Vec<String> = Vec::new();
    for record in &records {
        let mut game = Dobutsu::from_fen(record.rules, &record.start).unwrap();
        for (ply, number) in record.plies.iter().zip(0..) {
            let mv = DobutsuMove::from_bits(ply.mv);
            let result = match record.verdict {
                Verdict::Draw => 0,
                Verdict::Win(side) => {
                    if side == game.side_to_move() {
                        1
                    } else {
                        -1
                    }
                }
            };
            if ply.search == SearchDepth::Full {
                expected.push(format!("fen {}|move {mv}|ply {number}|result {result}", game.fen()));
            }
            game.play(mv);
        }
    }
    let score = |block: &[&str]| -> i32 { block[2].strip_prefix("score ").unwrap().parse().unwrap() };
    let found = blocks(&full);
    assert!(found.iter().all(|block| block.len() == 5 && score(block).abs() <= 1320));
    let mut told: Vec<String> =
        found.iter().map(|block| [block[0], block[1], block[3], block[4]].join("|")).collect();
    assert_ne!(told, expected, "they are shuffled");
    told.sort_unstable();
    expected.sort_unstable();
    assert_eq!(told, expected);
    // Who is ahead wins more often.
    let agreed: i32 =
        found.iter().map(|block| score(block).signum() * block[4][7..].parse::<i32>().unwrap()).sum();
    assert!(agreed > 0, "{agreed}");

    assert_eq!(write("again", &[]).0, full, "the same for the same seed");
    assert_ne!(write("other", &["--seed", "2"]).0, full);
    assert_eq!(blocks(&write("searched", &["--positions", "searched"]).0).len(), wanted + quick);
    let quiet = write("quiet", &["--positions", "quiet"]).0;
    let count =
        |fen: &str| fen.split(['[', ' ']).next().unwrap().chars().filter(char::is_ascii_alphabetic).count();
    for block in blocks(&quiet) {
        let before = block[0].strip_prefix("fen ").unwrap();
        let mut game = Dobutsu::from_fen(RuleSet::Standard, before).unwrap();
        game.play(game.parse_move(block[1].strip_prefix("move ").unwrap()).unwrap());
        let drops = usize::from(block[1].contains('@'));
        assert_eq!(count(before) + drops, count(&game.fen()), "{block:?}");
    }
    assert!(!quiet.is_empty() && quiet.len() < full.len());
}

#[test]
fn positions_come_from_the_folder_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let said = |paths: &[&Path]| {
        let paths: Vec<&str> = paths.iter().map(|path| text(path)).collect();
        let file = folder.path().join("x.plain");
        let output = sanki(&[&["export", "--format", "plain", "-o", text(&file)], &paths[..]].concat());
        assert!(!output.status.success() && !file.exists(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(said(&[folder.path()]).contains("there are no records in"));
    assert!(said(&[RUN.path(), RUN.path()]).contains("of one run"));
    // A folder that is there but cannot be read.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("records", folder.path().join("records")).unwrap();
        let error = said(&[folder.path()]);
        assert!(error.contains("cannot read") && !error.contains("there are no records"), "{error}");
    }
}
