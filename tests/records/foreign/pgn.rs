//! PGN with what stands between the moves and behind them, and long texts that are none.

use std::time::{Duration, Instant};

use sanki::games::records::Format;

use super::{one, reading};

fn game(moves: &str) -> String {
    format!("[Variant \"Xiangqi\"]\n\n{moves}\n")
}

#[test]
fn a_word_between_moves_is_an_error_and_one_behind_them_a_remark() {
    for (moves, word) in [
        ("1. h3e3 h10g8 2. novelty h1g3 i10h10 3. i1h1 g7g6 1-0", "novelty"),
        ("1. h3e3 h10g8\n2. so it went h1g3 *", "so"),
        ("1. h3e3 h10g8 2. -- -- 3. h1g3 i10h10", "--"),
        // No legal moves, but moves.
        ("1. h3e3 h10g8 2. h1g9 1-0", "h1g9"),
        ("1. h3e3 h10g8 2. h1g11 1-0", "h1g11"),
        ("1. h3e3 h10g8 2. novelty Ch9 1-0", "novelty"),
        ("1. 炮二平五 马8进7 2. 妙 炮九平三 1-0", "妙"),
    ] {
        let reading = reading(Format::Pgn, &game(moves));
        assert_eq!((reading.records.len(), reading.failures.len()), (0, 1), "{moves}");
        let error = reading.failures[0].to_string();
        assert!(error.contains("move 3") && error.contains(&format!("'{word}'")), "{error}");
    }
    // Numbers make no move of a remark.
    for remark in [
        "timeout 10:05",
        "timeout 12:15",
        "黑超时 2020-01-02",
        "10:05 left",
        "Elo 2415",
        "depth 12.5",
        "after 40s",
        "40s left",
    ] {
        let reading = reading(Format::Pgn, &game(&format!("1. h3e3 h10g8 {remark} 1-0")));
        assert_eq!((reading.records.len(), reading.failures.len()), (1, 0), "{remark} {reading:?}");
        assert_eq!(reading.records[0].moves, ["h3e3", "h10g8"], "{remark}");
        assert_eq!(reading.notes.len(), 2, "{remark} {:?}", reading.notes);
    }
    // All that is left out is told.
    let reading = reading(Format::Pgn, &game("1. h3e3 h10g8\nso it went 1-0 the end"));
    assert_eq!((reading.records.len(), reading.failures.len()), (1, 0), "{reading:?}");
    assert_eq!(reading.records[0].moves, ["h3e3", "h10g8"]);
    let told: Vec<&str> = reading.notes.iter().filter_map(|note| note.text.split('\'').nth(1)).collect();
    assert_eq!(told, ["so", "it", "went", "the", "end"]);
    assert!(reading.notes.iter().all(|note| note.line == 4), "{:?}", reading.notes);
}

#[test]
fn judgements_between_moves_are_marks() {
    for mark in [
        "+-", "-+", "+/-", "-/+", "+=", "=+", "+/=", "=/+", "=", "±", "∓", "⩲", "⩱", "∞", "~", "+", "#",
        "$14", "!?",
    ] {
        let text = game(&format!("1. h3e3 h10g8 {mark} 2. h1g3 {mark} i10h10 {mark} 1-0"));
        let reading = reading(Format::Pgn, &text);
        assert!(reading.notes.is_empty() && reading.failures.is_empty(), "{mark} {reading:?}");
        assert_eq!(reading.records[0].moves, ["h3e3", "h10g8", "h1g3", "i10h10"], "{mark}");
    }
}

#[test]
fn a_comment_ends_before_the_tags_of_the_next_game() {
    let inner = game("1. h3e3 {a [b \"c\"]\n[d\n[ e\n] } (1. h1g3 {)\n[f g \"h\"] } ) h10g8 *");
    assert_eq!(one(Format::Pgn, &inner).moves, ["h3e3", "h10g8"]);
    for open in ["{", "(", "{ (", "( {"] {
        let text = [game(&format!("1. h3e3 {open} h10g8 *")), game("1. h3e3 } ) *")].concat();
        let failed = reading(Format::Pgn, &text);
        assert!(failed.failures[0].to_string().contains("has no end"), "{open} {failed:?}");
        let text = [game(&format!("1. h3e3 {open} h10g8 *")), game("1. h3e3 *")].concat();
        let reading = reading(Format::Pgn, &text);
        assert_eq!((reading.records.len(), reading.failures.len()), (1, 1), "{open}");
    }
}

/// What takes half a minute where the end of each is looked for in all that follows.
#[test]
fn long_texts_of_brackets_are_read_at_once() {
    let words = "a ".repeat(1000);
    for text in [
        // Variations and comments without an end, each before the next game.
        format!("[A \"x\"]\n(\n{words}\n").repeat(4000),
        format!("[A \"x\"]\n{{\n{words}\n").repeat(2000),
        // Lines that could be tags, in a comment.
        game(&format!("{{{}}} 1. h3e3 *", "\n[".repeat(1_000_000))),
        // Tags on one line.
        format!("{}[Variant \"Xiangqi\"] 1. h3e3 *", "[A \"x\"]".repeat(100_000)),
    ] {
        let begin = Instant::now();
        let reading = reading(Format::Pgn, &text);
        let took = begin.elapsed();
        assert!(took < Duration::from_secs(5), "{took:?} for '{}…'", &text[..20]);
        assert!(reading.games() > 0);
    }
}
