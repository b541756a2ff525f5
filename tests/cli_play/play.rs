//! `sanki play`.

use super::{assert_fails, model, sanki, stdout};

/// The first side takes the lion at once.
const LION_HANGS: &str = "gle/1C1/3/ELG[C] w - - 0 1";

/// What `sanki play` prints to a person who types `lines`; it must end with exit code 0.
fn play(args: &[&str], lines: &[&str]) -> String {
    let args = [&["play", "--model", model(), "--sims", "20"], args].concat();
    stdout(&sanki(&args, &lines.join("\n")))
}

/// The last line but the list of moves. What a person types is not on stdout, not even its line's end.
fn result(output: &str) -> &str {
    output.lines().rev().nth(1).expect("two lines at the end").trim_start_matches("your move: ")
}

#[test]
fn a_person_moves_and_the_model_answers() {
    let output = play(&["--game", "dobutsu"], &["b2b3", "quit"]);
    assert!(output.starts_with("You play first: your pieces are uppercase"), "{output}");
    assert_eq!(output.matches("your move: ").count(), 2, "{output}");
    assert_eq!(output.matches("the model plays ").count(), 1, "{output}");
    let moves = output.lines().last().unwrap().strip_prefix("moves: b2b3 ").expect(&output);
    assert!(output.contains(&format!("the model plays {moves} and expects to win ")), "{output}");
}

#[test]
fn as_second_the_model_begins() {
    let output = play(&["--side", "second"], &["quit"]);
    assert!(output.starts_with("You play second: your pieces are lowercase"), "{output}");
    let (begin, ask) = (output.find("the model plays ").unwrap(), output.find("your move: ").unwrap());
    assert!(begin < ask, "{output}");
}

#[test]
fn what_is_no_move_is_asked_again() {
    let output = play(&[], &["b2b4", "", "B2B3", "quit"]);
    assert!(output.contains("bad move 'b2b4'") && output.contains("bad move 'B2B3'"), "{output}");
    assert!(!output.contains("the model plays"), "{output}");
    assert_eq!(output.lines().last(), Some("moves: "));
}

#[test]
fn moves_hint_and_help_leave_the_position_alone() {
    let output = play(&[], &["moves", "hint", "help", "quit"]);
    assert!(output.contains("your move: b1a2 b1c2 b2b3 c1c2\n"), "{output}");
    assert!(output.contains("the model would play ") && output.contains("takes back your last"), "{output}");
    assert_eq!(output.matches("a  b  c").count(), 1, "one board");
}

#[test]
fn undo_takes_back_a_move_and_its_answer() {
    let output = play(&[], &["undo", "c1c2", "undo", "undo", "b2b3", "quit"]);
    let nothing = output.matches("there is nothing to take back").count();
    assert_eq!(nothing, 2, "{output}");
    assert!(output.lines().last().unwrap().starts_with("moves: b2b3 "), "{output}");
    let start = "4  g  l  e\n3  .  c  .\n2  .  C  .\n1  E  L  G";
    assert_eq!(output.matches(start).count(), 2, "before and after: {output}");
}

#[test]
fn either_can_win() {
    let output = play(&["--fen", LION_HANGS], &["b3b4+"]);
    assert_eq!(result(&output), "1-0: you win by lion_captured");
    let output = play(&["--fen", LION_HANGS, "--side", "second"], &[]);
    assert_eq!(result(&output), "1-0: the model wins by lion_captured");
    assert!(output.contains("expects to win 100%"), "{output}");
    let output = play(&["--side", "second"], &["resign"]);
    assert_eq!(result(&output), "1-0: the model wins by resignation");
}

#[test]
fn declaring_is_for_shogi() {
    let output = play(&[], &["declare", "quit"]);
    assert!(output.contains("dobutsu knows no declaration"), "{output}");
    assert_eq!(result(&output), "you left the game");
}

#[test]
fn the_end_of_the_input_leaves_the_game() {
    assert_eq!(result(&play(&[], &["b1a2"])), "you left the game");
}

#[test]
fn what_cannot_be_played_is_refused() {
    for (args, code, error) in [
        (["--game", "shogi"], 1, "the model plays dobutsu, not shogi"),
        (["--fen", "nonsense"], 1, "'nonsense'"),
        (["--rules", "csa27"], 2, "'csa27'"),
        (["--sims", "0"], 2, "'0'"),
    ] {
        assert_fails(&sanki(&[&["play", "--model", model()], &args[..]].concat(), ""), code, error);
    }
}
