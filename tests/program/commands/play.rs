//! `sanki play`.

#[cfg(unix)]
use std::{
    io::{Read, Write},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
};

use serde_json::Value;

use super::{assert_fails, model, sanki, stdout};

/// The first side takes the lion at once.
const LION_HANGS: &str = "gle/1C1/3/ELG[C] w - - 0 1";

/// What `sanki play` prints to a person who types `lines`; it must end with exit code 0.
fn play(args: &[&str], lines: &[&str]) -> String {
    stdout(&sanki(&[&["play"], args].concat(), &(lines.join("\n") + "\n")))
}

/// The same against the model.
fn against_model(args: &[&str], lines: &[&str]) -> String {
    play(&[&["--model", model(), "--sims", "20"], args].concat(), lines)
}

/// The moves that were played, which stand at the end. What a person types is not on stdout, not even its line's end.
fn moves(output: &str) -> Vec<&str> {
    output.rsplit_once("moves: ").expect(output).1.split_whitespace().collect()
}

/// A game of every kind between two people: moves in notations of ours and of the community.
#[test]
fn two_people_play_every_game() {
    for (game, typed, played) in [
        ("janggi", &["", "2", "P79-78", "pass", "quit"][..], "i4h4 e9e9"),
        ("xiangqi", &["C2.5", "H10-G8", "quit"], "h3e3 h10g8"),
        ("shogi", &["7g7f", "c7c6", "quit"], "c3c4 c7c6"),
        ("minixiangqi", &["a2a3", "quit"], "a2a3"),
        ("minishogi", &["A2A3", "quit"], "a2a3"),
        ("dobutsu", &["B2xB3", "c4b3", "quit"], "b2b3 c4b3"),
    ] {
        let output = play(&["human", "human", "--game", game], typed);
        assert!(output.starts_with(game) && output.contains(" to move> "), "{output}");
        assert!(output.contains(&format!("moves: {played}")), "{output}");
        assert!(!output.contains('\x1b'), "no colours where no terminal is");
        assert!(output.lines().all(|line| line.chars().count() <= 160), "{output}");
    }
}

#[test]
fn a_person_plays_a_program_in_every_game() {
    for (game, mv) in [
        ("janggi", "a4b4"),
        ("xiangqi", "h3e3"),
        ("shogi", "c3c4"),
        ("minixiangqi", "a2a3"),
        ("minishogi", "a2a3"),
        ("dobutsu", "b2b3"),
    ] {
        let typed = if game == "janggi" { vec!["", mv, "quit"] } else { vec![mv, "quit"] };
        let output = play(&["uniform@sims=8", "--game", game], &typed);
        assert!(output.contains("2. ") && output.contains("(uniform@sims=8) plays "), "{output}");
        let moves = moves(&output);
        assert_eq!((moves[0], moves.len()), (mv, 2), "{output}");
    }
}

#[test]
fn programs_play_each_other_to_the_end() {
    for (game, players) in [
        ("dobutsu", ["uniform@sims=4", "random"]),
        ("minishogi", ["random", "random"]),
        ("janggi", ["random", "random"]),
    ] {
        let args = [players[0], players[1], "--game", game];
        let output = play(&args, &[]);
        let result = output.lines().rev().find(|line| line.starts_with("1-0") || line.starts_with("0-1"));
        assert!(result.is_some() || output.contains("\n1/2-1/2: a draw by "), "{output}");
        assert!(moves(&output).len() > 3 && !output.contains("to move> "), "{output}");
        assert_eq!(output, play(&args, &[]), "the seed decides");
    }
}

#[test]
fn a_model_is_the_opponent_and_sits_on_either_side() {
    let output = against_model(&[], &["b2b3", "quit"]);
    assert!(output.contains("First human, Second") && moves(&output)[0] == "b2b3", "{output}");
    let output = against_model(&["--side", "second"], &["quit"]);
    let (begin, ask) = (output.find(") plays ").unwrap(), output.find("Second to move> ").unwrap());
    assert!(begin < ask && moves(&output).len() == 1, "{output}");
    assert!(output.contains("      c   b   a"), "the second side sees the board from its own: {output}");
}

#[test]
fn what_is_no_move_is_explained() {
    let typed = ["b2b4", "", "b1", "c4c3", "a9a8", "p@b3", "nonsense", "pass", "quit"];
    let output = against_model(&[], &typed);
    for said in [
        "that is not legal: the chick on b2 can play b2b3",
        "the lion on b1 can play b1a2 b1c2",
        "that is not legal: the elephant on c4 is Second's",
        "there is no square a9 on this board",
        "you have no piece in hand",
        "'nonsense' is no move and no command: a move is written like ",
        "nobody passes in dobutsu",
    ] {
        assert!(output.contains(said), "{said} in {output}");
    }
    assert!(!output.contains(" plays ") && !output.contains("moves: "), "{output}");
}

#[test]
fn moves_hint_analysis_and_help_leave_the_position_alone() {
    let output = against_model(&[], &["moves", "moves b1", "hint", "analysis", "analysis", "HELP", "quit"]);
    assert!(output.contains("to move> b1a2 b1c2 b2b3 c1c2\n"), "{output}");
    assert!(output.contains("to move> the lion on b1 can play b1a2 b1c2\n"), "{output}");
    assert!(output.contains("hint: ") && output.contains("takes back your last"), "{output}");
    assert!(output.contains("analysis: First 0.") && output.contains("analysis: off"), "{output}");
    assert!(output.contains("simulations, depth "), "{output}");
    assert_eq!(output.matches("    a   b   c").count(), 2, "one board");
    let output = play(&["human", "human", "--game", "dobutsu", "--analysis"], &["b2b3", "quit"]);
    assert_eq!(output.matches("analysis: ").count(), 2, "{output}");
}

#[test]
fn undo_takes_back_a_move_and_its_answer() {
    let output = against_model(&[], &["undo", "c1c2", "undo", "undo", "b2b3", "quit"]);
    assert_eq!(output.matches("there is nothing to take back").count(), 2, "{output}");
    assert_eq!(moves(&output)[0], "b2b3", "{output}");
    let output = play(&["human", "human", "--game", "dobutsu"], &["b2b3", "c4b3", "undo", "a4a3", "quit"]);
    assert_eq!(moves(&output), ["b2b3", "a4a3"], "one ply where people play");
    let output = play(&["human", "human", "--game", "dobutsu"], &["resign", "undo", "b2b3", "quit"]);
    assert!(output.contains("0-1: Second wins by resignation") && moves(&output) == ["b2b3"], "{output}");
}

#[test]
fn flip_pieces_and_legend_change_the_board() {
    let output = play(&["human", "human", "--game", "shogi"], &["flip", "pieces", "legend", "quit"]);
    let boards: Vec<&str> = output.split(" to move> ").collect();
    assert!(boards[0].contains("  1   L   N   S") && boards[0].contains("+R 龍 dragon"), "{output}");
    assert!(
        boards[1].contains("  1   L   N   S   G   K") && boards[1].find("  1 ") < boards[1].find("  9 "),
        "{output}"
    );
    assert!(boards[2].contains("v飛") && boards[2].contains(" 角"), "{output}");
    assert!(!boards[3].contains("rook"), "{output}");
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my game.json").into_os_string().into_string().unwrap();
    let (save, forced, load) = (format!("save {path}"), format!("save! {path}"), format!("load {path}"));
    let people = ["human", "human", "--game", "dobutsu"];
    let output = play(&people, &["b2b3", &save, "c4b3", &save, "new", &load, "quit"]);
    assert_eq!(output.matches("saved in ").count(), 2, "its own file is written again: {output}");
    assert_eq!(moves(&output), ["b2b3", "c4b3"]);
    let saved: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!((&saved["game"], &saved["moves"]), (&"dobutsu".into(), &"b2b3 c4b3".into()));
    assert!(saved.get("result").is_none(), "it goes on");

    let output = play(&people, &["b1a2", &save, &forced, "quit"]);
    assert!(output.contains("exists already: `save! "), "{output}");
    let output = play(&["human", "human", "--load", &path], &["undo", "quit"]);
    assert!(output.starts_with("dobutsu") && !output.contains("moves: "), "one move, taken back: {output}");
    let output = play(&["human", "human", "--game", "shogi"], &[&load, "load", "load no/such", "quit"]);
    assert!(output.contains("it is a game of dobutsu, not of shogi"), "{output}");
    assert!(output.contains("load what?") && output.contains("cannot read no/such"), "{output}");
    assert_fails(
        &sanki(&["play", "--game", "shogi", "--load", &path], ""),
        2,
        "one of dobutsu, not of shogi",
    );
}

#[test]
fn a_saved_game_is_converted_and_explored() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (kif, json, old) = (path("g.kif"), path("g.json"), path("old.kif"));
    let (wrong, right) = (format!("save {kif}"), format!("save {json}"));
    let output =
        play(&["human", "human", "--game", "shogi"], &["7g7f", &wrong, &right, "resign", "save", "quit"]);
    assert!(output.contains("sanki convert") && !std::path::Path::new(&kif).exists(), "{output}");
    // As it was once saved, under any name.
    std::fs::copy(&json, &old).unwrap();
    for game in [&json, &old] {
        stdout(&sanki(&["convert", game, "-o", &kif, "--force"], ""));
        let text = stdout(&sanki(&["explore", game], ""));
        assert!(text.contains("1 of 1 games") && text.contains("c3c4"), "{text}");
    }
}

#[test]
fn a_saved_game_ended_as_it_says_though_a_side_could_declare() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.json");
    let game = r#"{"game":"shogi","rules":"csa27","first":"human","second":"human","moves":"",
        "start":"K8/PPPPPPPPP/1+R7/9/9/9/9/9/8k[RBPPPP] w - - 0 1","result":"0-1","reason":"resignation"}"#;
    std::fs::write(&path, game).unwrap();
    let output = play(&["human", "human", "--load", path.to_str().unwrap()], &["quit"]);
    assert!(output.contains("0-1: Gote wins by resignation."), "{output}");
}

#[test]
fn a_game_is_saved_with_the_rules_that_it_was_played_by() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (other, own) = (path("other.json"), path("own.json"));
    let fen = "4k4/9/9/9/9/9/9/9/r8/3K5 b - - 0 1";
    let people = ["human", "human", "--game", "xiangqi", "--fen", fen];
    play(&[&people[..], &["--rules", "wang1994"]].concat(), &[&format!("save {other}"), "quit"]);
    let (load, save) = (format!("load {other}"), format!("save {own}"));
    let output = play(&people, &[&load, "new", "a2e2", &save, "quit"]);
    assert!(output.contains("0-1: Black wins by stalemate."), "{output}");
    let saved: Value = serde_json::from_slice(&std::fs::read(&own).unwrap()).unwrap();
    assert_eq!((&saved["rules"], &saved["reason"]), (&"axf".into(), &"stalemate".into()));
}

/// An engine in `folder` that gives up whenever it is asked for a move.
#[cfg(unix)]
fn quitter(folder: &Path) -> String {
    let script = "while read -r word rest; do
    case $word in
        uci) echo uciok ;;
        isready) echo readyok ;;
        go) echo 'bestmove resign' ;;
        quit) exit ;;
    esac
done
";
    let path = folder.join("quitter.sh");
    std::fs::write(&path, script).unwrap();
    format!("uci:sh {}@nodes=1", path.display())
}

#[cfg(unix)]
#[test]
fn undo_takes_back_what_led_to_the_end_that_a_program_made() {
    let folder = tempfile::tempdir().unwrap();
    let engine = quitter(folder.path());
    let output = play(&[&engine, "--game", "dobutsu"], &["b2b3", "undo", "undo", "quit"]);
    assert_eq!(output.matches("First wins by resignation").count(), 1, "{output}");
    assert!(output.contains("there is nothing to take back") && !output.contains("moves: "), "{output}");
}

#[cfg(unix)]
#[test]
fn an_engine_is_given_no_game_of_other_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("threefold.json").display().to_string();
    let (save, load) = (format!("save {path}"), format!("load {path}"));
    play(&["human", "human", "--game", "dobutsu", "--rules", "threefold"], &["b2b3", &save, "quit"]);
    let engine = quitter(folder.path());
    let output = play(&[&engine, "--game", "dobutsu"], &[&load, "quit"]);
    assert!(output.contains("its rules are threefold, but uci:sh "), "{output}");
    assert!(output.contains("was started for standard: leave, and begin with --load"), "{output}");
    assert!(!output.contains("moves: "), "{output}");
    let output = play(&[&engine, "--load", &path], &["quit"]);
    assert!(output.contains("First wins by resignation") && moves(&output) == ["b2b3"], "{output}");
}

#[test]
fn a_new_game_begins_anew() {
    let output = against_model(&[], &["b2b3", "new", "c1c2", "quit"]);
    assert_eq!((moves(&output)[0], moves(&output).len()), ("c1c2", 2), "{output}");
    let output = against_model(&["--fen", LION_HANGS], &["b3b4+", "moves", "new", "quit"]);
    assert!(output.contains("game over: ") && output.contains("the game is over"), "{output}");
    assert!(!output.contains("moves: "), "{output}");
}

#[test]
fn set_ups_are_chosen_in_janggi() {
    let output = play(&["human", "human", "--game", "janggi"], &["7", "bakkatsang", "masangmasang", "quit"]);
    assert!(output.contains("'7' is no set-up"), "{output}");
    assert!(output.contains("Han sets up sangmamasang."), "{output}");
    assert!(output.contains("Cho sets up masangmasang."), "{output}");
    assert!(output.contains(" 10   r   b   n   a   +   a   n   b   r"), "{output}");
    assert!(output.contains("  1   R   N   B   A   +   A   N   B   R"), "{output}");
    let output = play(&["uniform@sims=4", "--game", "janggi"], &["1", "quit"]);
    assert!(output.contains("Han sets up ") && output.contains("The set-up of Cho"), "{output}");
    let named = play(&["human", "human", "--game", "janggi", "--setup", "nbbn"], &["quit"]);
    assert!(!named.contains("set-up of"), "{named}");
}

#[test]
fn a_handicap_game_begins_with_the_giver_in_shogi() {
    let output =
        play(&["human", "human", "--game", "shogi", "--handicap", "飛車落ち"], &["a3a4", "c7c6", "quit"]);
    assert_eq!(moves(&output), ["c7c6"], "the other side is to move first: {output}");
    let output = play(&["human", "human", "--game", "janggi", "--handicap", "chariot"], &["quit"]);
    assert!(!output.contains("set-up of"), "{output}");
    assert!(output.contains(" 10   r   n   b   a   +   a   b   n   ."), "{output}");
}

#[test]
fn a_pass_that_ends_the_game_is_warned_of() {
    let output = play(
        &["human", "human", "--game", "janggi", "--setup", "nbbn"],
        &["pass", "pass", "pass", "moves e9", "pass", "pass"],
    );
    let risk = "Han can pass too, and the game ends: Han wins on points, 73.5 to 72, after double pass.";
    assert_eq!(output.matches(risk).count(), 1, "the first pass lets Han win: {output}");
    let warning = "a pass ends the game: Han wins on points, 73.5 to 72, after double pass.";
    assert_eq!(output.matches(warning).count(), 2, "asked again after something else: {output}");
    assert_eq!(
        output.matches("0-1: Han wins on points, 73.5 to 72, after double pass.").count(),
        1,
        "{output}"
    );
    assert!(output.contains("Both sides passed, one after the other."), "{output}");
    assert!(output.contains("points: Cho 72, Han 73.5"), "{output}");
    assert_eq!(moves(&output), ["e2e2", "e9e9"]);
}

#[test]
fn the_final_screen_says_which_rule_decided() {
    let output = against_model(&["--fen", LION_HANGS], &["b3b4+"]);
    assert!(output.contains("You win. 1-0: First wins by lion captured.\nA lion was taken."), "{output}");
    let output = against_model(&["--fen", LION_HANGS, "--side", "second"], &[]);
    assert!(output.contains("You lose. 1-0: First wins by lion captured."), "{output}");
    let output = play(&["human", "human", "--game", "shogi"], &["declare", "c3c4", "declare", "declare"]);
    assert_eq!(output.matches("Type it once more").count(), 2, "asked again after a move: {output}");
    assert!(output.contains("1-0: Sente wins by illegal move."), "a false one loses: {output}");
    assert!(output.contains("A false declaration loses."), "{output}");
    let output = against_model(&[], &["declare", "quit"]);
    assert!(output.contains("dobutsu knows no declaration"), "{output}");
}

#[test]
fn checks_are_marked() {
    let fen = "4k4/9/4R4/9/9/9/9/9/4K4[] b - - 0 1";
    let output = play(&["human", "human", "--game", "shogi", "--fen", fen], &["quit"]);
    assert!(output.contains("! k !") && output.contains("check!"), "{output}");
}

#[test]
fn nobody_named_is_a_game_against_the_net_of_the_game() {
    let output = play(&["--sims", "5"], &["", "quit"]);
    assert!(output.starts_with("janggi (points): Cho human, Han "), "{output}");
    assert!(output.contains("janggi.sanki"), "{output}");
}

#[test]
fn the_end_of_the_input_leaves_the_game() {
    assert_eq!(moves(&against_model(&[], &["b1a2"]))[0], "b1a2");
}

/// A game in which the second side's turn has come, its output since the start, and where more of it comes from.
#[cfg(unix)]
fn waiting() -> (Child, String, ChildStdout) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sanki"))
        .args(["play", "human", "human", "--game", "dobutsu"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(b"b2b3\n").unwrap();
    let mut out = child.stdout.take().unwrap();
    let (mut text, mut byte) = (Vec::new(), [0]);
    while !text.ends_with(b"Second to move> ") {
        out.read_exact(&mut byte).expect("a prompt");
        text.push(byte[0]);
    }
    (child, String::from_utf8(text).unwrap(), out)
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_the_game_quietly() {
    let (mut child, _, mut out) = waiting();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    // Nobody closes its stdin before it ends: it must not wait for that.
    let stdin = child.stdin.take();
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "you left the game\n");
    assert_eq!(rest, "\nmoves: b2b3\n");
}

#[cfg(unix)]
#[test]
fn a_terminal_that_nobody_reads_ends_the_game_quietly() {
    let (mut child, text, out) = waiting();
    assert!(text.starts_with("dobutsu (standard)"), "{text}");
    drop(out);
    child.stdin.as_mut().unwrap().write_all(b"c4b3\nmoves\nmoves\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{output:?}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    for (args, code, error) in [
        (&["--game", "shogi"][..], 2, "the model plays dobutsu, not shogi"),
        (&["--fen", "nonsense"], 1, "'nonsense'"),
        (&["--rules", "csa27"], 2, "'csa27'"),
        (&["--sims", "0"], 2, "'0'"),
        (&["human", "human", "--side", "second"], 2, "--side"),
        (&["--sims", "1", "--movetime", "1"], 2, "--movetime"),
        (&["--load", "no/such"], 1, "no/such"),
        (&["uniform", "--level", "3"], 2, "--level is for nets"),
    ] {
        assert_fails(&sanki(&[&["play", "--model", model()], args].concat(), ""), code, error);
    }
}
