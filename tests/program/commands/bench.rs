//! `sanki bench`: what is printed, not how fast it is.

use std::process::Output;

use serde_json::Value;

use super::{assert_fails, sanki, stdout};

fn figures(args: &[&str]) -> Value {
    let args = [&["bench"], args, &["--game", "dobutsu", "--seconds", "0.3", "--json"]].concat();
    serde_json::from_str(&stdout(&sanki(&args, ""))).expect("JSON")
}

fn assert_positive(figures: &Value, keys: &[&str]) {
    for key in keys {
        assert!(figures[key].as_f64().is_some_and(|figure| figure > 0.0), "{key} in {figures}");
    }
}

#[test]
fn it_says_that_a_subcommand_is_missing() {
    assert_fails(&sanki(&["bench"], ""), 2, "requires a subcommand");
}

#[test]
fn the_game_of_a_search_is_that_of_the_model() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/checkpoints/dobutsu.sanki");
    let search = ["bench", "search", "--model", model, "--seconds", "0.1", "--positions", "2", "--json"];
    let figures: Value = serde_json::from_str(&stdout(&sanki(&search, ""))).expect("JSON");
    assert_positive(&figures, &["simulations_per_s"]);
}

#[test]
fn the_net_is_that_of_the_games_config() {
    for what in ["net", "search", "selfplay", "train"] {
        assert_eq!(figures(&[what])["net"], "sparse-128-attacks", "{what}");
    }
}

#[test]
fn movegen() {
    assert_positive(&figures(&["movegen"]), &["mnps", "playout_moves_per_s", "threads"]);
}

#[test]
fn net() {
    let figures = figures(&["net", "--net", "1x16", "--batch", "2"]);
    assert_positive(&figures, &["evals_per_s", "mflop_per_eval", "gflops", "peak", "threads", "batch"]);
    assert_eq!((&figures["backend"], &figures["precision"]), (&"native".into(), &"fp32".into()));
    assert_eq!(figures["batch"], 2);
}

#[test]
fn selfplay() {
    for mode in [&[][..], &["--as-trained"]] {
        let figures = figures(&[&["selfplay", "--net", "1x16", "--threads", "2"], mode].concat());
        let keys = ["moves_per_s", "evals_per_s", "net_share", "other_us_per_simulation"];
        assert_positive(&figures, &keys);
        assert!(figures["net_share"].as_f64().unwrap() < 1.0, "{figures}");
        assert_eq!(figures["threads"], 2);
    }
}

#[test]
fn selfplay_takes_the_shares_of_its_searches() {
    let each = |more: &[&str]| {
        let args = ["selfplay", "--net", "sparse-32-attacks", "--sims", "64", "--quick-sims", "2"];
        let figures = figures(&[&args[..], more].concat());
        figures["evals_per_s"].as_f64().unwrap() / figures["moves_per_s"].as_f64().unwrap()
    };
    let (full, quick) = (each(&[]), each(&["--full-share", "0", "--cache-positions", "1000"]));
    assert!(quick < full / 2.0, "{quick} and {full} evaluations a move");
    let refuse = |option: &str, value: &str, words: &str| {
        assert_fails(&sanki(&["bench", "selfplay", "--game", "dobutsu", option, value], ""), 2, words);
    };
    refuse("--full-share", "1.5", "must lie in 0..1");
    refuse("--full-share", "nan", "must lie in 0..1");
    refuse("--quick-sims", "4294967295", "at most 65536");
    refuse("--cache-positions", "18446744073709551615", "at most 268435456");
}

#[test]
fn search_refuses_what_it_would_not_heed() {
    let search = ["bench", "search", "--game", "dobutsu", "--net", "1x16", "--seconds", "0.1", "--play"];
    for (play, words) in [
        ("threads=2", "--threads says how many"),
        ("search=alphabeta", "asks for alpha-beta"),
        ("level=3", "asks for alpha-beta"),
        ("strength=2", "asks for alpha-beta"),
    ] {
        assert_fails(&sanki(&[&search[..], &[play]].concat(), ""), 2, words);
    }
}

#[test]
fn train() {
    let figures = figures(&["train", "--net", "1x16", "--batch", "16", "--shard", "8"]);
    assert_positive(&figures, &["samples_per_s", "threads", "positions"]);
    assert_eq!(figures["batch"], 16);
    assert_positive(&figures["phases"]["gradient"], &["seconds", "threads"]);
}

#[test]
fn phases_of_learning_add_up() {
    let figures = figures(&["train", "--net", "sparse-32-attacks", "--threads", "2"]);
    // That of the game's config.
    assert_eq!(figures["batch"], 1024);
    let phases = figures["phases"].as_object().expect("phases");
    for name in
        ["draw", "fill", "number", "rows", "sums", "heads and losses", "backward", "norm", "optimizer"]
    {
        assert_positive(&phases[name], &["seconds", "threads"]);
    }
    let sum = |key: &str| phases.values().map(|phase| phase[key].as_f64().unwrap()).sum::<f64>();
    let whole = 1e6 / figures["samples_per_s"].as_f64().unwrap();
    assert!((sum("seconds") / whole - 1.0).abs() < 0.05, "{figures}");
}

/// A run of a moment on dobutsu.
fn scale(more: &[&str]) -> Vec<String> {
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/dobutsu.toml");
    let args = ["bench", "scale", "--threads", "1,2", "--positions", "600", "--config", config];
    let set = ["positions_per_generation=300", "simulations=4"].map(|set| format!("--set=selfplay.{set}"));
    let set = [&set[..], &["--set=learner.batch=64".to_owned()]].concat();
    args.iter().chain(more).map(|&arg| arg.to_owned()).chain(set).collect()
}

fn run_scale(more: &[&str]) -> Output {
    let args = scale(more);
    sanki(&args.iter().map(String::as_str).collect::<Vec<_>>(), "")
}

#[test]
fn rows_of_scale_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("scale.svg");
    let output = stdout(&run_scale(&["--json", "--svg", picture.to_str().unwrap()]));
    let found: Value = serde_json::from_str(&output).expect("JSON");
    assert_eq!(found["threads"], serde_json::json!([1, 2]));
    let row =
        |key: &str, index: usize| found[key][index].as_f64().unwrap_or_else(|| panic!("{key} in {found}"));
    for index in 0..2 {
        let (threads, seconds) = (row("threads", index), row("seconds", index));
        assert!(row("generations", index) >= 2.0 && row("positions", index) >= 600.0, "{found}");
        // The same games and the same steps, whatever the number of threads.
        assert_eq!(row("positions", index), row("positions", 0));
        assert!((row("positions_per_s", index) * seconds / row("positions", index) - 1.0).abs() < 1e-9);
        let busy = (1.0 - row("idle_share", index)) * threads * seconds;
        assert!(busy <= row("cpu_seconds", index) + 1e-9, "{found}");
        let parts = row("selfplay_seconds", index) + row("learn_seconds", index);
        assert!(parts > 0.0 && parts <= seconds, "{found}");
        assert!((0.0..1.0).contains(&row("learner_share", index)), "{found}");
        assert!(
            (row("times_one", index) * row("positions_per_s", 0) / row("positions_per_s", index) - 1.0).abs()
                < 1e-9
        );
    }
    let share = found["serial_share"].as_f64().expect("a share");
    assert!((0.0..=1.0).contains(&share), "{found}");
    for (index, threads) in [4.0, 8.0].into_iter().enumerate() {
        let expected = &found["expected"][index];
        assert_eq!(expected["threads"], threads as u64);
        let by_law = 1.0 / (share + (1.0 - share) / threads);
        assert!((expected["times_one"].as_f64().unwrap() - by_law).abs() < 1e-9, "{found}");
    }
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("times one thread"), "{svg}");
}

#[test]
fn people_get_scale_as_a_table_and_errors_are_named() {
    let table = stdout(&run_scale(&[]));
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].contains("positions/s") && lines[1].trim_start().starts_with("1 "), "{table}");
    assert!(table.contains("serial share") && table.contains("expected on 8 threads"), "{table}");
    assert_fails(&sanki(&["bench", "scale", "--config", "missing.toml"], ""), 1, "missing.toml");
    assert_fails(&sanki(&["bench", "scale", "--set", "learner.speed=2"], ""), 1, "speed");
    assert_fails(&sanki(&["bench", "scale", "--threads", "0"], ""), 2, "0");
    assert_fails(&sanki(&["bench", "scale", "--positions", "9", "--seconds", "9"], ""), 2, "--seconds");
}

#[test]
fn fingerprints_stay_the_same_and_are_told_alike_to_people_and_programs() {
    let args = ["bench", "fingerprint", "--game", "dobutsu"];
    let told = stdout(&sanki(&args, ""));
    assert_eq!(told, stdout(&sanki(&args, "")));
    let json: Value =
        serde_json::from_str(&stdout(&sanki(&[&args[..], &["--json"]].concat(), ""))).expect("JSON");
    let line = told.lines().find(|line| line.starts_with("dobutsu")).expect("a line for the game");
    for number in ["rules", "search", "learning"] {
        let number = json["games"]["dobutsu"][number].as_str().expect("a number");
        assert!(number.len() == 8 && number.bytes().all(|digit| digit.is_ascii_hexdigit()), "{number}");
        assert!(line.contains(number), "{number} in {told}");
    }
    assert!(told.contains(json["isa"].as_str().expect("an instruction set")), "{told}");
}

#[test]
fn auto_is_a_precision_that_was_measured() {
    let figures = figures(&["net", "--net", "1x16", "--precision", "auto"]);
    assert!(["fp32", "bf16"].contains(&figures["precision"].as_str().unwrap()), "{figures}");
}

#[test]
fn people_get_one_figure_a_line() {
    let args = ["bench", "movegen", "--game", "minishogi", "--seconds", "0.1"];
    let output = stdout(&sanki(&args, ""));
    assert!(output.lines().any(|line| line.trim_start().starts_with("mnps  ")), "{output}");
    assert_fails(&sanki(&["bench", "net", "--net", "4y32"], ""), 2, "4y32");
}

#[test]
fn a_time_that_cannot_be_waited_for_is_refused() {
    for seconds in ["0", "-1", "nan", "inf", "soon"] {
        let output = sanki(&["bench", "movegen", &format!("--seconds={seconds}")], "");
        assert_fails(&output, 2, seconds);
    }
}
