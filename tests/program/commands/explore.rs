//! `sanki explore`.

use std::{fs, path::Path};

use serde_json::{Value, json};

use super::{assert_fails, model, sanki, stdout};

/// Three games of xiangqi: two begin alike, by other ways to the same position.
const GAMES: &str = "\
{\"number\":0,\"opening\":\"\",\"first\":\"a\",\"second\":\"b\",\"start\":\"FEN\",\"moves\":\"h3e3 h10g8 b1c3 b10c8\",\"result\":\"1-0\",\"reason\":\"resignation\",\"seconds\":[0.1,0.1]}
{\"number\":1,\"opening\":\"\",\"first\":\"b\",\"second\":\"a\",\"start\":\"FEN\",\"moves\":\"b1c3 h10g8 h3e3 b10c8\",\"result\":\"1/2-1/2\",\"reason\":\"repetition\",\"seconds\":[0.1,0.1]}
{\"number\":2,\"opening\":\"\",\"first\":\"a\",\"second\":\"b\",\"start\":\"FEN\",\"moves\":\"h3e3 b10c8\",\"result\":\"0-1\",\"reason\":\"resignation\",\"seconds\":[0.1,0.1]}
";

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn games(folder: &Path) -> String {
    let path = folder.join("games.jsonl");
    fs::write(&path, GAMES.replace("FEN", START)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn it_tells_what_was_played_and_how_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    let path = games(folder.path());
    let base = ["explore", &path, "--game", "xiangqi"];
    let text = stdout(&sanki(&base, ""));
    assert!(text.contains("3 of 3 games, Red to move"), "{text}");
    let row = text.lines().find(|line| line.starts_with("h3e3")).expect("a row");
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(words, ["h3e3", "C2.5", "2", "66.7%", "50.0%", "0.0%", "50.0%", "50.0%"]);
    let there = [&base[..], &["--moves", "b1c3 h10g8 h3e3", "--json"]].concat();
    let json: Value = serde_json::from_str(&stdout(&sanki(&there, ""))).unwrap();
    assert_eq!((&json["here"], &json["games"]), (&json!(2), &json!(3)));
    let expected = json!({ "move": "b10c8", "written": "H2+3", "games": 2, "wins": 0, "draws": 1, "losses": 1,
        "score": 0.25 });
    assert_eq!(json["moves"], json!([expected]), "both ways to this position");
    let often = [&base[..], &["--min-games", "3"]].concat();
    assert!(stdout(&sanki(&often, "")).contains("nothing was played here"));
    // The folder of a match is its games.
    let whole = ["explore", folder.path().to_str().unwrap(), "--game", "xiangqi"];
    assert_eq!(stdout(&sanki(&whole, "")), text);
}

#[test]
fn books_openings_and_lines_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = games(folder.path());
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let write = |name: &str, more: &[&str]| {
        let to = file(name);
        stdout(&sanki(&[&["explore", &path, "--game", "xiangqi", "-o", &to], more].concat(), ""));
        fs::read_to_string(to).unwrap()
    };
    let book = write("a.book", &["--min-games", "2"]);
    assert!(book.starts_with("sanki book 1 xiangqi\n"), "{book}");
    assert!(book.contains(&format!("{}\th3e3 2\n", START.split(" - ").next().unwrap())), "{book}");
    let epd = write("a.epd", &["--plies", "2"]);
    assert_eq!(epd.lines().count(), 3, "{epd}");
    assert!(epd.lines().all(|line| line.contains(" id \"")), "{epd}");
    let pgn = write("a.pgn", &[]);
    assert_eq!(pgn.matches("[Variant \"Xiangqi\"]").count(), 2, "one way to each end: {pgn}");
    // A match plays from them.
    let epd = file("a.epd");
    let args = [
        "match",
        "random",
        "random",
        "--game",
        "xiangqi",
        "--games",
        "2",
        "--max-plies",
        "20",
        "--openings",
        &epd,
    ];
    assert!(stdout(&sanki(&args, "")).starts_with("games 2 from "));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = games(folder.path());
    let base = ["explore", &path, "--game", "xiangqi"];
    assert_fails(&sanki(&[&base[..], &["-o", "a.bin"]].concat(), ""), 2, "a.bin");
    assert_fails(&sanki(&[&base[..], &["--moves", "a1a9"]].concat(), ""), 1, "a1a9");
    let other = [&base[..], &["--model", model()]].concat();
    assert_fails(&sanki(&other, ""), 2, "the model plays dobutsu, not xiangqi");
    let there = games(folder.path()).replace("games.jsonl", "a.epd");
    fs::write(&there, "mine").unwrap();
    assert_fails(&sanki(&[&base[..], &["-o", &there]].concat(), ""), 1, "exists already");
    assert_eq!(fs::read_to_string(&there).unwrap(), "mine");
    let empty = tempfile::tempdir().unwrap();
    assert_fails(&sanki(&["explore", empty.path().to_str().unwrap()], ""), 1, "no match");
}

#[test]
fn a_file_without_a_game_that_can_be_played_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl").display().to_string();
    let explore = ["explore", &path, "--game", "xiangqi"];
    for text in [line(START, "h3e3 a1a9", "1-0", "resignation"), "no game\n".to_owned()] {
        fs::write(&path, text).unwrap();
        let output = sanki(&explore, "");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("games.jsonl: ") && said.contains("error: there are no games"), "{said}");
    }
}

#[test]
fn only_what_can_be_written_of_a_game_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let games = path("games.jsonl");
    fs::write(&games, line("gle/1c1/1C1/ELG[] w - - 0 1", "b2b3 c4b3", "1-0", "resignation")).unwrap();
    for (name, help) in [("a.pgn", "known for dobutsu: book, epd, usi"), ("a.db", "shogi and minishogi")] {
        let output = sanki(&["explore", &games, "--game", "dobutsu", "-o", &path(name)], "");
        assert_fails(&output, 2, help);
    }
}

/// A game of a match from `start`.
fn line(start: &str, moves: &str, result: &str, reason: &str) -> String {
    let game = json!({ "number": 0, "opening": "", "first": "a", "second": "b", "start": start, "moves": moves,
        "result": result, "reason": reason, "seconds": [0.1, 0.1] });
    format!("{game}\n")
}

#[test]
fn games_that_begin_elsewhere_are_said_to_and_nothing_empty_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl").display().to_string();
    let fen = "rnbakabnr/9/1c5c1/2p1p1p1p/p8/P8/2P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 2";
    fs::write(&path, line(fen, "h3e3 h10g8", "1-0", "resignation").repeat(2)).unwrap();
    let base = ["explore", &path, "--game", "xiangqi"];
    let text = stdout(&sanki(&base, ""));
    assert!(text.contains("nothing was played here\nall 2 games begin elsewhere; --fen names"), "{text}");
    let there = stdout(&sanki(&[&base[..], &["--fen", fen]].concat(), ""));
    assert!(there.contains("2 of 2 games") && !there.contains("elsewhere"), "{there}");
    for name in ["a.epd", "a.pgn"] {
        let to = folder.path().join(name).display().to_string();
        assert_fails(&sanki(&[&base[..], &["-o", &to]].concat(), ""), 1, "nothing to write to");
        assert!(!Path::new(&to).exists(), "{name}");
        stdout(&sanki(&[&base[..], &["--fen", fen, "-o", &to]].concat(), ""));
    }
}

#[test]
fn openings_are_positions_in_which_the_game_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (games, openings) = (path("games.jsonl"), path("a.epd"));
    let over = line("gle/1c1/1C1/ELG[] w - - 0 1", "b2b3 a4a3 b3b4+", "1-0", "lion_captured");
    let goes_on = line("gle/1c1/1C1/ELG[] w - - 0 1", "b2b3 c4b3", "1-0", "resignation");
    let explore = ["explore", &games, "--game", "dobutsu", "-o", &openings];
    fs::write(&games, &over).unwrap();
    assert_fails(&sanki(&explore, ""), 1, "nothing to write to");
    fs::write(&games, over + &goes_on).unwrap();
    stdout(&sanki(&explore, ""));
    let text = fs::read_to_string(&openings).unwrap();
    assert!(text.lines().count() == 1 && text.contains(" id \"1\";"), "{text}");
    let played = ["match", "random", "random", "--game", "dobutsu", "--games", "2", "--openings", &openings];
    assert!(stdout(&sanki(&played, "")).starts_with("games 2 from 1 openings"));
}
