//! The page and its module: the module plays the native program's moves, and says what is wrong with what it is given.

use std::{
    collections::HashSet,
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::LazyLock,
};

use crate::{inlined::readable, skipped::skipped};

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::{
    app::{
        serve::{Language, Texts},
        web::{MODULE, PageWords, PlaySession, page},
    },
    games::{
        encode::Encode,
        rules::{Game, GameId, Setup, dobutsu::Dobutsu},
    },
    net::{Isa, Model, ModelFile, NativeNet, NetEvaluator, PlaySearch, PlayTable},
    search::{Noise, Search, run},
    with_game,
};
use serde_json::{Value, json};
use tempfile::TempDir;

const POSITIONS: usize = 200;
const SIMULATIONS: u32 = 64;

/// The folder of models, one for each game.
static MODELS: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    for game in GameId::ALL {
        let file = with_game!(game, G => model::<G>());
        let path = folder.path().join(format!("{game}.sanki"));
        file.to_compact().expect("zstd").write(&path).expect("a file");
    }
    folder
});

fn path_of(game: GameId) -> PathBuf {
    MODELS.path().join(format!("{game}.sanki"))
}

/// The published net, or one with random weights whose opinions are decided.
fn model<G: Encode>() -> ModelFile {
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("checkpoints/{}.sanki", G::ID));
    if published.exists() {
        return ModelFile::read(&published).expect("a published net");
    }
    let model = Model::init(&"sparse-32-attacks".parse().expect("a net"), G::SHAPE, 1);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let weights = model.weights().iter().map(|weight| weight + rng.random_range(-0.1..0.1)).collect();
    ModelFile::untrained::<G>(G::ID.rule_sets()[0], model.with_weights(weights))
}

/// Positions of random games that are not over, from all set-ups.
fn positions<G: Game>(rng: &mut impl Rng) -> Vec<G> {
    let mut positions = Vec::new();
    while positions.len() < POSITIONS {
        let mut game = G::start(G::ID.rule_sets()[0], Setup::Drawn, rng);
        let mut moves = Vec::new();
        for _ in 0..rng.random_range(0..80) {
            game.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            game.play(moves[rng.random_range(0..moves.len())]);
            moves.clear();
        }
        // Read again: a FEN tells no history.
        game = G::from_fen(game.rules(), &game.fen()).expect("a position");
        if game.outcome_or_declaration().is_none() {
            positions.push(game);
        }
    }
    positions
}

/// What the native program plays without special instructions.
fn native_moves<G: Encode>(positions: &[G]) -> Vec<String> {
    let model = ModelFile::read(&path_of(G::ID)).expect("a model");
    let play = model.play(&PlayTable::default());
    let net = NativeNet::with_isa(&model.model, play.precision, Isa::Portable).expect("a sparse net");
    let mut evaluator = NetEvaluator::new(net.evaluator(G::SHAPE));
    let mut search = Search::with_memory(play.search, play.memory);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
    let best = |game: &G| {
        search.start(game, SIMULATIONS, Noise::None, &mut rng);
        run(&mut search, &mut evaluator);
        search.best_move().to_string()
    };
    positions.iter().map(best).collect()
}

/// What the module plays: the one that `SANKI_WASM` names, or the committed one.
fn module_moves<G: Game>(positions: &[G]) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let module =
        env::var_os("SANKI_WASM").map_or_else(|| root.join("src/app/web/sanki.wasm.gz"), PathBuf::from);
    let mut node = Command::new("node")
        .arg(root.join("tests/web/moves.mjs"))
        .args([module, path_of(G::ID)])
        .arg(SIMULATIONS.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node");
    let lines: String = positions
        .iter()
        .map(|game| format!("{}\n", json!({ "rules": game.rules(), "fen": game.fen() })))
        .collect();
    node.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("node reads");
    let output = node.wait_with_output().expect("node ends");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

#[test]
fn the_module_plays_the_native_moves() {
    if Command::new("node").arg("--version").output().is_err() {
        return skipped("there is no node to run the module");
    }
    for game in GameId::ALL {
        with_game!(game, G => {
            let positions = positions::<G>(&mut Xoshiro256PlusPlus::seed_from_u64(7));
            let (native, module) = (native_moves(&positions), module_moves(&positions));
            assert_eq!((native.len(), module.len()), (POSITIONS, POSITIONS), "{game}");
            for ((native, module), position) in native.iter().zip(&module).zip(&positions) {
                assert_eq!(native, module, "{game}: {}", position.fen());
            }
        });
    }
}

fn table(game: GameId) -> PlaySession {
    PlaySession::open(&fs::read(path_of(game)).expect("a file")).expect("a model")
}

fn ask(table: &mut PlaySession, request: Value) -> Result<Value, String> {
    let answer = table.ask(request.to_string().as_bytes()).map_err(|error| format!("{error:#}"))?;
    Ok(serde_json::from_slice(&answer).expect("JSON"))
}

#[test]
fn a_table_tells_positions_and_thinks() {
    let mut table = table(GameId::Janggi);
    let line = json!({ "rules": "points", "setup": "bnbn/nbbn", "moves": ["a4b4", "e9e9"] });
    let position = ask(&mut table, json!({ "do": "position", "line": line })).unwrap();
    assert!(position["fen"].as_str().unwrap().starts_with("rnba1abnr/4k4"), "{position}");
    assert_eq!((&position["turn"], &position["outcome"]), (&json!(0), &Value::Null));
    assert!(position["moves"].as_array().unwrap().contains(&json!("e2e2")), "{position}");
    let passing = json!({ "winner": 1, "reason": "double_pass", "points": [72.0, 73.5] });
    assert_eq!((&position["passing"], &position["points"]), (&passing, &json!([72.0, 73.5])));
    assert_eq!(position["declaration"], Value::Null);
    let positions = ask(&mut table, json!({ "do": "positions", "line": line })).unwrap();
    assert_eq!((positions.as_array().unwrap().len(), &positions[2]), (3, &position));

    // Moves are told as the rules write them, however they came.
    let passed = json!({ "rules": "points", "moves": ["a4b4", "pass"] });
    let positions = ask(&mut table, json!({ "do": "positions", "line": passed })).unwrap();
    assert_eq!((&positions[1]["move"], &positions[2]["move"]), (&json!("a4b4"), &json!("e9e9")));
    assert_eq!(positions[0].get("move"), None);

    let korean = json!({ "rules": "points", "moves": ["a4b4", "e9e9"], "language": "ko" });
    let written = |position: &Value| position["written"].as_str().map(str::to_owned);
    let positions = ask(&mut table, json!({ "do": "positions", "line": korean })).unwrap();
    let all: Vec<Option<String>> = positions.as_array().unwrap().iter().map(written).collect();
    assert_eq!(all, [None, Some("71졸72".to_owned()), Some("한수쉼".to_owned())]);
    let position = ask(&mut table, json!({ "do": "position", "line": korean })).unwrap();
    assert_eq!(written(&position), all[2]);

    let search = json!({ "do": "search", "line": line, "simulations": 20 });
    let first = ask(&mut table, search).unwrap();
    assert_eq!(first["over"], false, "{first}");
    let thought = ask(&mut table, json!({ "do": "think", "steps": 1000 })).unwrap();
    assert_eq!((&thought["over"], &thought["simulations"]), (&json!(true), &json!(20)));
    let candidates = thought["candidates"].as_array().unwrap();
    assert_eq!(candidates[0]["line"][0], thought["best"]);
    assert!(!candidates[0]["written"].as_array().unwrap().is_empty(), "{candidates:?}");
    let mut told: Vec<&String> = candidates[0].as_object().unwrap().keys().collect();
    told.sort_unstable();
    assert_eq!(told, ["line", "share", "written"], "what the page reads");
    let shares: f64 = candidates.iter().map(|candidate| candidate["share"].as_f64().unwrap()).sum();
    assert!((0.2..=1.001).contains(&shares) && candidates.len() <= 5, "{candidates:?}");

    let ended = json!({ "rules": "points", "moves": ["e2e2", "e9e9"] });
    let position = ask(&mut table, json!({ "do": "position", "line": ended })).unwrap();
    let outcome = json!({ "winner": 1, "reason": "double_pass", "points": [72.0, 73.5] });
    assert_eq!((&position["outcome"], &position["moves"]), (&outcome, &json!([])));
    let error = ask(&mut table, json!({ "do": "search", "line": ended, "simulations": 1 })).unwrap_err();
    assert!(error.contains("the game is over"), "{error}");
}

#[test]
fn a_table_begins_handicap_games() {
    let mut table = table(GameId::Shogi);
    let line = json!({ "rules": "csa27", "handicap": "rook", "moves": ["c7c6"], "language": "ja" });
    let position = ask(&mut table, json!({ "do": "position", "line": line })).unwrap();
    assert!(position["fen"].as_str().unwrap().starts_with("lnsgkgsnl/7b1/"), "{position}");
    assert_eq!((&position["turn"], &position["written"]), (&json!(0), &json!("７四歩(73)")));
    let thought = ask(&mut table, json!({ "do": "play", "line": line, "level": 3, "seed": 1 })).unwrap();
    assert!(thought["candidates"][0]["written"][0].as_str().unwrap().ends_with(')'), "{thought}");
    let line = json!({ "rules": "csa27", "handicap": "queen", "moves": [] });
    assert!(ask(&mut table, json!({ "do": "position", "line": line })).unwrap_err().contains("queen"));
}

#[test]
fn a_table_plays_below_full_strength() {
    let mut table = table(GameId::Minishogi);
    let mut play = |level: u32, seed: u64| {
        let line = json!({ "rules": "standard", "moves": [] });
        ask(&mut table, json!({ "do": "play", "line": line, "level": level, "seed": seed }))
    };
    let moves: HashSet<String> =
        (0..20).map(|seed| play(1, seed).unwrap()["best"].as_str().unwrap().to_owned()).collect();
    assert!(moves.len() > 4, "{moves:?}");
    let thought = play(19, 7).unwrap();
    assert_eq!((&thought["over"], &thought["candidates"][0]["line"][0]), (&json!(true), &thought["best"]));
    assert_eq!(play(19, 7).unwrap(), thought, "the same seed");
    for level in [0, 20, 21] {
        assert!(play(level, 1).is_err(), "level {level}");
    }
}

#[test]
fn a_search_that_a_time_ends_is_puct_where_the_model_says_gumbel() {
    let think = |search: PlaySearch| {
        let mut file = model::<Dobutsu>();
        file.meta.play.search = Some(search);
        let bytes = file.to_compact().expect("zstd").to_bytes();
        let mut table = PlaySession::open(&bytes).expect("a model");
        let line = json!({ "rules": "standard", "moves": [] });
        ask(&mut table, json!({ "do": "search", "line": line, "simulations": 10_000_000 })).unwrap();
        ask(&mut table, json!({ "do": "think", "steps": 200 })).unwrap()
    };
    assert_eq!(think(PlaySearch::Gumbel), think(PlaySearch::Puct));
}

#[test]
fn a_declaration_is_left_to_whoever_has_the_turn() {
    let mut table = table(GameId::Shogi);
    let fen = "RBKGGSS2/PPPP5/9/9/9/9/9/9/4k4[RBPPPPPPP] w - - 0 1";
    let line = json!({ "rules": "csa27", "fen": fen, "moves": [] });
    let position = ask(&mut table, json!({ "do": "position", "line": line })).unwrap();
    assert_eq!((&position["declaration"], &position["outcome"]), (&json!("win"), &Value::Null));
    assert!(!position["moves"].as_array().unwrap().is_empty());
}

#[test]
fn what_a_table_cannot_use_is_named() {
    let mut table = table(GameId::Dobutsu);
    for (request, word) in [
        (json!({ "do": "think", "steps": 1 }), "no search"),
        (json!({ "do": "sing" }), "sing"),
        (json!({ "do": "position", "line": { "rules": "points", "moves": [] } }), "points"),
        (json!({ "do": "position", "line": { "rules": "standard", "moves": ["a1a9"] } }), "a1a9"),
        (json!({ "do": "position", "line": { "rules": "standard", "fen": "x", "moves": [] } }), "'x'"),
    ] {
        let error = ask(&mut table, request).unwrap_err();
        assert!(error.contains(word), "{error}");
    }
    assert!(PlaySession::open(b"no model").is_err());
}

#[test]
fn a_page_is_one_file_that_asks_for_nothing() {
    let file = ModelFile::read(&path_of(GameId::Janggi)).unwrap();
    let page = readable(&page(&file, &words()).unwrap());
    assert!(page.contains("export const part = "), "a script of it");
    assert!(page.len() < 12_000_000, "{} bytes", page.len());
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("default-src 'none'"));
    for outside in ["http:", "https:", "src=", "@import", "onclick", "import("] {
        let known = page.matches("http://www.w3.org/2000/svg").count();
        let allowed = if outside == "http:" { known } else { 0 };
        assert_eq!(page.matches(outside).count(), allowed, "{outside}");
    }
    assert!(MODULE.len() < 1_000_000, "{} bytes", MODULE.len());

    let tower =
        Model::init(&"1x16".parse().unwrap(), <sanki::games::rules::dobutsu::Dobutsu as Encode>::SHAPE, 1);
    let rules = GameId::Dobutsu.rule_sets()[0];
    let tower = ModelFile::untrained::<sanki::games::rules::dobutsu::Dobutsu>(rules, tower);
    assert!(error_of(&tower).contains("tower (1x16)"));
}

fn words() -> PageWords {
    Texts::new(Language::English).for_playing()
}

fn error_of(file: &ModelFile) -> String {
    page(file, &words()).expect_err("a tower").to_string()
}
