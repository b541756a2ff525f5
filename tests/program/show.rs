//! `sanki show` and `sanki perft` as a user runs them.

use crate::verdicts;

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};
use verdicts::rows;

fn sanki(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sanki")).args(args).output().expect("the program runs")
}

/// Runs `sanki show --stdin` on `input` and reads each line of its answer.
fn answers(input: &str) -> Vec<Value> {
    answers_with(&[], input)
}

/// The same with further arguments.
fn answers_with(more: &[&str], input: &str) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sanki"))
        .args(["show", "--stdin"])
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // Both pipes are bounded: written here and read below at the same time.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("no panic").expect("the input is read");
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    lines.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// The string at `key`.
fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_else(|| panic!("no text '{key}' in {row}"))
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Checks exit code and both lines of an error.
fn assert_fails(args: &[&str], code: i32, error: &str, help: Option<&str>) {
    let output = sanki(args);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    let mut lines = stderr.lines();
    let first = lines.next().unwrap_or_default();
    assert!(first.starts_with("error: ") && first.contains(error), "{stderr}");
    match help {
        None => assert_eq!(lines.next(), None),
        Some(help) => {
            let second = lines.next().unwrap_or_default();
            assert!(second.starts_with("help: ") && second.contains(help), "{stderr}");
            assert_eq!(lines.next(), None, "{stderr}");
        }
    }
}

#[test]
fn an_unknown_instruction_set_is_an_error() {
    let run = |isa| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sanki"));
        command.args(["show", "--game", "dobutsu"]).env("SANKI_ISA", isa).output().expect("the program runs")
    };
    let (known, unknown) = (run("portable"), run("sse9"));
    assert!(known.status.success(), "{known:?}");
    assert_eq!(unknown.status.code(), Some(2), "{unknown:?}");
    let stderr = String::from_utf8(unknown.stderr).expect("UTF-8");
    assert!(stderr.starts_with("error: SANKI_ISA: ") && stderr.contains("'sse9'"), "{stderr}");
}

#[test]
fn show_says_what_a_position_is() {
    let output = stdout(&sanki(&["show", "--game", "dobutsu", "--moves", "b2b3 a4a3", "--json"]));
    let expected = json!({
        "fen": "1le/gC1/3/ELG[C] w - - 1 2",
        "side": "first",
        "check": false,
        "legal": ["C@a2", "C@a4", "C@b2", "C@c2", "C@c3", "a1b2", "b1a2", "b1b2", "b1c2", "b3b4+", "c1c2"],
        "outcome": null,
        "ended_at": null,
    });
    assert_eq!(serde_json::from_str::<Value>(&output).expect("JSON"), expected);
    assert_eq!(output.lines().count(), 1);
}

#[test]
fn features_are_what_the_tables_say() {
    let args = ["show", "--game", "dobutsu", "--features", "--json"];
    let report: Value = serde_json::from_str(&stdout(&sanki(&args))).expect("JSON");
    let features = &report["features"];
    // By plane: own chick, elephant, giraffe, lion; the opponent's. The chicks attack each other, and lion and elephant
    // defend theirs; everything else is defended alone.
    let active =
        [(0, 3, 4), (5, 2, 0), (6, 2, 2), (7, 2, 1), (14, 3, 7), (19, 2, 11), (20, 2, 9), (21, 2, 10)];
    let active =
        active.map(|(plane, status, square)| json!({ "plane": plane, "status": status, "square": square }));
    assert_eq!(features["active"], json!(active));
    // Plane 1 is forward, 0 and 2 are forward to the left and to the right, of 12 squares each.
    assert_eq!(features["moves"], json!({ "b2b3": 12 + 7, "b1a2": 3, "b1c2": 24 + 5, "c1c2": 12 + 5 }));
    // The first player is to move; the rule set is the fifth of six.
    let scalars: Vec<f64> =
        (0..55).map(|scalar| if scalar == 43 || scalar == 53 { 1.0 } else { 0.0 }).collect();
    assert_eq!(features["scalars"], json!(scalars));
    let shape = json!({ "planes": 28, "scalars": 55, "move_planes": 27, "ranks": 4, "files": 3 });
    assert_eq!((&features["shape"], &features["encoding_version"]), (&shape, &json!(2)));

    let answers = answers_with(
        &["--features"],
        concat!(
            r#"{"game":"dobutsu","moves":"c1c2"}"#,
            "\n",
            r#"{"game":"dobutsu","moves":"b2b3 a4a3 b3b4+"}"#,
            "\n",
            r#"{"game":"dobutsu","moves":"b2b2"}"#,
            "\n",
            r#"{"game":"dobutsu","moves":"b1c2 b4a3"}"#,
        ),
    );
    // The second player sees the board turned.
    let own_lion = json!({ "plane": 7, "status": 2, "square": 1 });
    assert!(
        answers[0]["features"]["active"].as_array().expect("a list").contains(&own_lion),
        "{}",
        answers[0]
    );
    assert_eq!(answers[0]["features"]["moves"]["a4a3"], 12 + 5);
    assert_eq!(answers[1].get("features"), None, "the game is over");
    assert!(text(&answers[2], "error").contains("b2b2"));
    // The lion on the right-hand file: the board is mirrored, and the moves with it.
    let features = &answers[3]["features"];
    for piece in [(7, 2, 3), (21, 2, 8)] {
        let (plane, status, square) = piece;
        let piece = json!({ "plane": plane, "status": status, "square": square });
        assert!(features["active"].as_array().expect("a list").contains(&piece), "{piece} in {features}");
    }
    assert_eq!(features["moves"]["c2b1"], 7 * 12 + 1);
}

#[test]
fn the_documented_sizes_are_those_of_the_games() {
    let document = include_str!("../../docs/nets.md");
    for game in ["janggi", "xiangqi", "shogi", "minixiangqi", "minishogi", "dobutsu"] {
        let args = ["show", "--game", game, "--features", "--json"];
        let report: Value = serde_json::from_str(&stdout(&sanki(&args))).expect("JSON");
        let shape = &report["features"]["shape"];
        let size = |key: &str| shape[key].as_u64().unwrap_or_else(|| panic!("{key}: {shape}"));
        let (planes, scalars, moves) = (size("planes"), size("scalars"), size("move_planes"));
        let [ranks, files] = ["ranks", "files"].map(size);
        let row = format!("| {game} | {planes} | {} | {scalars} | {moves} | {ranks} x {files} |", 4 * planes);
        assert!(document.contains(&row), "{row}");
    }
}

#[test]
fn show_draws_the_board() {
    let output = stdout(&sanki(&["show", "--game", "dobutsu", "--moves", "b2b3 a4a3 b3b4+"]));
    assert!(output.contains("3  g  .  ."), "{output}");
    assert!(output.contains("fen: 1+Ce/g2/3/ELG[LC] b - - 0 2"), "{output}");
    assert!(output.contains("result: 1-0 by lion_captured, after 3 moves"), "{output}");
}

#[test]
fn moves_behind_the_end_change_nothing() {
    let end = answers(r#"{"game":"dobutsu","moves":"b2b3 a4a3 b3b4+"}"#);
    let more = answers(r#"{"game":"dobutsu","moves":"b2b3 a4a3 b3b4+ c4b4 b1b2"}"#);
    assert_eq!(end, more);
    assert_eq!(end[0]["outcome"], json!({ "result": "1-0", "reason": "lion_captured" }));
    assert_eq!((&end[0]["ended_at"], &end[0]["legal"]), (&json!(3), &json!([])));
}

#[test]
fn many_positions_are_answered_line_by_line_and_bad_ones_with_an_error() {
    let answers = answers(concat!(
        r#"{"game":"dobutsu"}"#,
        "\n\nnonsense\n",
        r#"{"game":"dobutsu","moves":["b2b3","b4b9"]}"#,
        "\n",
        r#"{"game":"dobutsu","fen":"gle/1c1/1C1/ELG b - 1","rules":"threefold"}"#,
        "\n",
        r#"{"game":"dobutsu","rules":"csa27"}"#,
        "\n",
        r#"{"game":"chess"}"#,
        "\n",
        r#"{"game":"dobutsu","fen":"gle/1c1/1C1[-] w"}"#,
        "\n",
        r#"{"game":"dobutsu","move":"b2b3"}"#,
        "\n",
        r#"{"game":"dobutsu","moves":7}"#,
    ));
    assert_eq!(answers[0], answers[4], "the same position as FEN and as SFEN");
    for (at, error) in [
        (1, "unreadable"),
        (2, "unreadable"),
        (3, "b4b9"),
        (5, "csa27"),
        (6, "chess"),
        (7, "expected 4 ranks"),
        (8, "unknown field `move`"),
        (9, "moves must be"),
    ] {
        assert!(text(&answers[at], "error").contains(error), "{}", answers[at]);
        assert_eq!(answers[at].as_object().map(serde_json::Map::len), Some(1));
    }
    assert_eq!(answers.len(), 10);
}

#[test]
fn games_end_where_fairy_stockfish_ends_them() {
    for game in ["janggi", "xiangqi", "shogi", "minixiangqi", "minishogi", "dobutsu"] {
        let rows: Vec<Value> = rows(&format!("{game}_games.jsonl.zst"));
        let requests: Vec<String> =
            rows.iter().map(|row| json!({ "game": game, "moves": row["moves"] }).to_string()).collect();
        let answers = answers(&requests.join("\n"));
        assert_eq!(answers.len(), rows.len());
        for (row, answer) in rows.iter().zip(answers) {
            assert_eq!(answer["ended_at"], row["plies"], "{row}");
            assert_eq!(answer["outcome"]["result"], row["result"], "{row}");
            assert_eq!(answer["fen"], row["final_fen"], "{row}");
            assert_eq!(answer["legal"], json!([]), "{row}");
        }
    }
}

#[test]
fn shogi_says_what_a_declaration_would_give() {
    let rows: Vec<Value> = rows("shogi_nyugyoku.jsonl.zst");
    let request = |row: &Value, rules, notation: &str| {
        json!({ "game": "shogi", "rules": rules, "fen": row[notation] }).to_string()
    };
    let requests: Vec<String> =
        rows.iter().flat_map(|row| [request(row, "csa27", "fen"), request(row, "jsa24", "sfen")]).collect();
    let answered = answers(&requests.join("\n"));
    assert!(!rows.is_empty() && answered.len() == 2 * rows.len(), "{} answers", answered.len());
    for (row, answers) in rows.iter().zip(answered.chunks(2)) {
        let csa27 = if row["declare27"] == true { json!("win") } else { Value::Null };
        let jsa24 = if row["declare24"] == "none" { Value::Null } else { row["declare24"].clone() };
        assert_eq!((&answers[0]["declare"], &answers[1]["declare"]), (&csa27, &jsa24), "{row}");
        assert_eq!(answers[0]["check"], row["check"]);
    }
    for (game, has_key) in [("shogi", true), ("minishogi", false), ("dobutsu", false)] {
        let answer = &answers(&json!({ "game": game }).to_string())[0];
        assert_eq!(answer.as_object().expect("object").contains_key("declare"), has_key, "{answer}");
    }
}

#[test]
fn errors_are_one_line_with_advice_and_an_exit_code() {
    let show = |rest: &[&'static str]| [&["show"], rest].concat();
    assert_fails(&show(&["--game", "chess"]), 2, "'chess'", Some("--help"));
    assert_fails(&show(&[]), 2, "--game <GAME>", Some("--help"));
    assert_fails(&show(&["--stdin", "--game", "dobutsu"]), 2, "--stdin", Some("--help"));
    assert_fails(&show(&["--features", "--game", "dobutsu"]), 2, "--json", Some("--help"));
    assert_fails(&show(&["--game", "dobutsu", "--rules", "csa27"]), 2, "'csa27' (known: standard", None);
    assert_fails(&show(&["--game", "dobutsu", "--fen", "a\nb"]), 1, "bad board 'a'", Some("gle/1c1"));
    assert_fails(&show(&["--game", "dobutsu", "--moves", "b2b4"]), 1, "'b2b4'", Some("b2b3"));
    assert_fails(&["perft", "--game", "dobutsu", "--depth", "x"], 2, "'x'", Some("--help"));
    assert_fails(&["shw"], 2, "'shw'", Some("'show'"));
}

#[test]
fn without_a_command_it_says_how_it_is_used() {
    let output = sanki(&[]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("Usage: sanki") && told.contains("\n  train "), "{told}");
}

#[test]
fn help_is_no_error() {
    for args in [&["--help"][..], &["show", "--help"], &["perft", "--help"], &["--version"]] {
        assert!(stdout(&sanki(args)).contains("sanki"));
    }
}

#[test]
fn perft_counts() {
    let output = stdout(&sanki(&["perft", "--game", "dobutsu", "--depth", "5", "--json"]));
    let answer: Value = serde_json::from_str(&output).expect("JSON");
    assert_eq!(answer["nodes"], 8122);
    assert!(answer["seconds"].is_f64() && answer["mnps"].is_f64(), "{answer}");

    let output = stdout(&sanki(&["perft", "--game", "dobutsu", "--depth", "3", "--divide"]));
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines[..4], ["b1a2: 25", "b1c2: 21", "b2b3: 55", "c1c2: 22"]);
    assert!(lines[4].starts_with("123 nodes in "), "{output}");

    let args = ["perft", "--game", "dobutsu", "--depth", "2", "--divide", "--json"];
    let answer: Value = serde_json::from_str(&stdout(&sanki(&args))).expect("JSON");
    assert_eq!(answer["divide"], json!({ "b1a2": 4, "b1c2": 4, "b2b3": 5, "c1c2": 4 }));
    assert_eq!(answer["nodes"], 17);
}

#[test]
fn janggi_starts_from_the_set_up_named() {
    for (setup, ranks) in [
        ("nbbn", ["rnba1abnr", "RNBA1ABNR"]),
        ("bnnb/nbnb", ["rnba1anbr", "RBNA1ANBR"]),
        ("양귀마/귀마", ["rnba1anbr", "RBNA1ANBR"]),
    ] {
        let output = sanki(&["show", "--game", "janggi", "--setup", setup, "--json"]);
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let fen = text(&report, "fen");
        assert!(fen.starts_with(ranks[0]) && fen.contains(&format!("/{} w", ranks[1])), "{setup}: {fen}");
    }
    assert_fails(&["show", "--game", "janggi", "--setup", "nnbb"], 2, "nnbb", Some("--help"));
    assert_fails(&["show", "--game", "shogi", "--setup", "nbbn"], 2, "--setup", None);
    let start = "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1";
    assert_fails(
        &["perft", "--game", "janggi", "--setup", "nbbn", "--fen", start, "--depth=1"],
        2,
        "--fen",
        None,
    );
}

#[test]
fn a_handicap_is_read_by_its_names() {
    for (game, handicap, begin) in [
        ("shogi", "rook", "lnsgkgsnl/7b1/ppppppppp/"),
        ("shogi", "二枚落ち", "lnsgkgsnl/9/ppppppppp/"),
        ("janggi", "chariot", "rnba1abn1/"),
    ] {
        let output = sanki(&["show", "--game", game, "--handicap", handicap, "--json"]);
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(text(&report, "fen").starts_with(begin), "{handicap}: {report}");
        assert_eq!(report["side"], if game == "shogi" { "second" } else { "first" });
    }
    let setup = ["show", "--game", "janggi", "--setup", "bnnb", "--handicap", "horse", "--json"];
    let report: Value = serde_json::from_slice(&sanki(&setup).stdout).expect("JSON");
    assert!(text(&report, "fen").starts_with("rbna1a1br/"), "{report}");
    assert_fails(&["show", "--game", "shogi", "--handicap", "queen"], 2, "two-piece", None);
    assert_fails(&["show", "--game", "dobutsu", "--handicap", "rook"], 2, "no handicaps", Some("a FEN"));
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    assert_fails(&["show", "--game", "shogi", "--handicap", "rook", "--fen", start], 2, "handicap", None);
}

#[test]
fn janggi_says_what_points_decided() {
    let args = ["show", "--game", "janggi", "--moves", "e2e2 e9e9", "--json"];
    let report: Value = serde_json::from_slice(&sanki(&args).stdout).expect("JSON");
    let outcome = json!({ "result": "0-1", "reason": "double_pass", "points": [72.0, 73.5] });
    assert_eq!((&report["outcome"], &report["ended_at"]), (&outcome, &json!(2)));
}

#[test]
fn composed_positions_are_shown_and_said_to_be_unusual() {
    let rooks = "4k4/9/9/9/9/9/9/9/4K4[RRR] w - - 0 1";
    let shown = stdout(&sanki(&["show", "--game", "shogi", "--fen", rooks]));
    assert!(shown.contains("unusual: it has 3 of 'R', a set has 2\n"), "{shown}");
    let request = |fen: &str| format!("{}\n", json!({"game": "shogi", "fen": fen}));
    let usual = "4k4/9/9/9/9/9/9/9/4K4[RR] w - - 0 1";
    let answers = answers(&(request(rooks) + &request(usual)));
    assert_eq!(text(&answers[0], "unusual"), "it has 3 of 'R', a set has 2");
    assert_eq!(answers[1].get("unusual"), None);
}
