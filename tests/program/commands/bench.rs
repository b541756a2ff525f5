//! `sanki bench`: what is printed, not how fast it is.

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
fn train() {
    let figures = figures(&["train", "--net", "1x16", "--batch", "16", "--shard", "8"]);
    assert_positive(&figures, &["samples_per_s", "threads"]);
    assert_eq!(figures["batch"], 16);
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
