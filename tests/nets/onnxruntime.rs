//! Exported nets, checked by onnx and run by onnxruntime, against our own evaluation of the same positions.

use std::{env, fs, path::Path, process::Command};

use rand::{RngExt, SeedableRng};
use sanki::{
    base::rng::Rng,
    games::{
        encode::{Encode, Inputs},
        rules::{Game, GameId, Setup},
    },
    net::{Backend, EncodedQuery, Model, ModelFile, onnx},
    search::{Evaluation, Query, Wdl},
    with_game,
};
use serde_json::{Value, json};

use crate::skipped::skipped;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/onnxruntime_answers.py");
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/play_onnx.py");
/// More than one batch of the script.
const POSITIONS: usize = 40;

/// The Python that has onnx and onnxruntime.
fn python() -> Option<String> {
    let python = env::var("SANKI_ONNX_PYTHON").ok();
    if python.is_none() {
        skipped("SANKI_ONNX_PYTHON names no Python with onnx and onnxruntime (.ci/run installs one)");
    }
    python
}

/// A net none of whose parameters is zero, unlike a new one's.
fn model<G: Encode>(net: &str, seed: u64) -> Model {
    let model = Model::init(&net.parse().unwrap(), G::SHAPE, seed);
    let mut rng = Rng::seed_from_u64(seed);
    let weights = model.weights().iter().map(|weight| weight + rng.random_range(-0.3..0.3)).collect();
    model.with_weights(weights)
}

/// Positions of random games.
fn positions<G: Encode>(inputs: Inputs) -> Vec<EncodedQuery> {
    let mut rng = Rng::seed_from_u64(5);
    let rules = G::ID.rule_sets()[0];
    let mut positions = Vec::new();
    let mut game = G::start(rules, Setup::Standard, &mut rng);
    while positions.len() < POSITIONS {
        let mut query = Query { game: game.clone(), moves: Vec::new(), policy_only: false };
        game.legal_moves(&mut query.moves);
        if game.outcome().is_some() {
            game = G::start(rules, Setup::Standard, &mut rng);
            continue;
        }
        game.play(query.moves[rng.random_range(0..query.moves.len())]);
        let mut encoded = EncodedQuery::default();
        encoded.set(&query, inputs);
        positions.push(encoded);
    }
    positions
}

/// What `model` says, and what it was asked, for the script.
fn answers<G: Encode>(model: &Model) -> Value {
    let positions = positions::<G>(model.net().inputs());
    let mut answers = vec![Evaluation::default(); positions.len()];
    Backend::Native.load(model).evaluator(G::SHAPE).evaluate_encoded(&positions, &mut answers);
    let answer =
        |(position, Evaluation { wdl: Wdl { win, draw, loss }, logits }): (&EncodedQuery, &Evaluation)| {
            let active: Vec<_> = position
                .features
                .active
                .iter()
                .map(|f| (usize::from(f.status) * G::PLANES + usize::from(f.plane), f.square))
                .collect();
            let scalars = &position.features.scalars;
            json!({ "active": active, "scalars": scalars, "moves": position.moves, "logits": logits,
                "wdl": [win, draw, loss] })
        };
    positions.iter().zip(&answers).map(answer).collect()
}

/// Exports `exported` and has its answers compared with those of `ours`.
fn compare<G: Encode>(python: &str, folder: &Path, exported: Model, ours: &Model) -> Value {
    let file = ModelFile::untrained::<G>(G::ID.rule_sets()[0], exported);
    let (net, answers_file) = (folder.join("net.onnx"), folder.join("answers.json"));
    fs::write(&net, onnx::to_bytes(&file)).unwrap();
    fs::write(&answers_file, answers::<G>(ours).to_string()).unwrap();
    let output = Command::new(python).arg(SCRIPT).args([net, answers_file]).output().expect("Python starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{error}"))
}

fn number(comparison: &Value, key: &str) -> f64 {
    comparison[key].as_f64().unwrap_or_else(|| panic!("{key}: {comparison}"))
}

#[test]
fn it_gives_our_answers_on_real_positions_of_every_game() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    for (game, net) in GameId::ALL
        .into_iter()
        .flat_map(|game| ["1x16", "3x32", "sparse-32", "sparse-64-attacks"].map(|net| (game, net)))
    {
        let comparison = with_game!(game, G => {
            let model = model::<G>(net, 1);
            compare::<G>(&python, folder.path(), model.clone(), &model)
        });
        eprintln!("{game} {net}: {comparison}");
        assert_eq!(comparison["positions"], POSITIONS);
        assert!(number(&comparison, "logit_error") < 1e-4, "{game} {net}: {comparison}");
        assert!(number(&comparison, "wdl_error") < 1e-4, "{game} {net}: {comparison}");
        // The nets have something to say.
        assert!(number(&comparison, "logit_spread") > 0.5, "{game} {net}: {comparison}");
        assert!(number(&comparison, "wdl_spread") > 0.01, "{game} {net}: {comparison}");
        assert_eq!(comparison["metadata"]["game"], game.to_string());
    }
}

/// A command with the folder of our own program before the others in the path.
fn with_sanki_in_path(python: &str) -> Command {
    let own = Path::new(env!("CARGO_BIN_EXE_sanki")).parent().expect("a folder").to_owned();
    let others = env::var_os("PATH").unwrap_or_default();
    let mut command = Command::new(python);
    command.env("PATH", env::join_paths([own].into_iter().chain(env::split_paths(&others))).expect("a path"));
    command
}

/// What the net in `model` says before each of `moves`, and at last after all of them.
fn opinions(model: &Path, file: &ModelFile, moves: &[&str]) -> Vec<Value> {
    let request = |plies: usize| json!({ "game": file.meta.game, "moves": moves[..plies] }).to_string();
    let requests = model.with_extension("jsonl");
    fs::write(&requests, (0..=moves.len()).map(request).collect::<Vec<_>>().join("\n")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_sanki"))
        .args(["show", "--stdin", "--model"])
        .arg(model)
        .stdin(fs::File::open(requests).unwrap())
        .output()
        .expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Has docs/play_onnx.py play `file`'s net, and judges its moves by our own answers.
fn watch_the_example(python: &str, folder: &Path, file: &ModelFile) {
    let (net, model) = (folder.join("net.onnx"), folder.join("net.sanki"));
    fs::write(&net, onnx::to_bytes(file)).unwrap();
    file.to_container().write(&model).unwrap();
    let output = with_sanki_in_path(python).arg(EXAMPLE).arg(net).output().expect("Python starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let (moves, result) = text.trim_end().split_once('\n').expect("moves and the result");
    let moves: Vec<&str> = moves.split(' ').collect();
    let opinions = opinions(&model, file, &moves);
    for (played, opinion) in moves.iter().zip(&opinions) {
        let policy = opinion["policy"].as_object().unwrap_or_else(|| panic!("{opinion}"));
        let best = policy.values().filter_map(Value::as_f64).fold(0.0, f64::max);
        assert!(policy[*played].as_f64().expect("a probability") > 0.99 * best, "{played}: {opinion}");
    }
    let end = &opinions[moves.len()]["outcome"];
    let text = |key: &str| end[key].as_str().unwrap_or_else(|| panic!("{key}: {end}"));
    assert_eq!(result, format!("{} by {}", text("result"), text("reason")));
    eprintln!("{}: {} moves, {result}", file.meta.net, moves.len());
}

#[test]
fn the_documented_example_plays_what_the_net_likes_best() {
    type G = sanki::games::rules::shogi::Minishogi;
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    for net in ["2x16", "sparse-32", "sparse-64-attacks"] {
        let file = ModelFile::untrained::<G>(G::ID.rule_sets()[0], model::<G>(net, 1));
        watch_the_example(&python, folder.path(), &file);
    }
}

#[test]
fn another_net_gives_other_answers() {
    type G = sanki::games::rules::dobutsu::Dobutsu;
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let comparison = compare::<G>(&python, folder.path(), model::<G>("1x16", 1), &model::<G>("1x16", 2));
    assert!(number(&comparison, "logit_error") > 0.1, "{comparison}");
    assert!(number(&comparison, "wdl_error") > 0.01, "{comparison}");
}
