//! PGN with what stands between the moves and behind them, and long texts that are none.

use std::time::{Duration, Instant};

use sanki::games::{
    records::{Format, Given},
    rules::{GameId, RuleSet, Verdict},
};

use super::{FIRST, SECOND, one, reading};

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
        ("1. 炮二平五,马8进7 2. 妙 炮九平三 1-0", "妙"),
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
fn moves_behind_a_result_are_no_remark() {
    for (moves, result) in [
        ("1. h3e3 h10g8 1-0 h1g3 i10h10", "1-0"),
        ("1. h3e3 h10g8 * 2. h1g3", "*"),
        ("1. 炮二平五 马8进7 2. 马二进三 和 车9平8 3. 车一平二", "和"),
        ("1.炮二平五 马8进7 和 2.车一平二", "和"),
        ("* 1. h3e3 h10g8", "*"),
    ] {
        let reading = reading(Format::Pgn, &game(moves));
        assert_eq!((reading.records.len(), reading.failures.len()), (0, 1), "{moves}");
        let error = reading.failures[0].to_string();
        let expected = format!("game 1: line 3: moves stand behind the result '{result}'");
        assert!(error.starts_with(&expected), "{error}");
    }
    for remark in ["1. A fine game", "1.25", "1.5.2012"] {
        let reading = reading(Format::Pgn, &game(&format!("1. h3e3 h10g8 1-0\n{remark}")));
        assert_eq!((reading.records.len(), reading.failures.len()), (1, 0), "{remark}");
        assert!(!reading.notes.is_empty(), "{remark}");
    }
    // Behind a result the first move begins another game.
    for number in ["1. ", "1.", "１．"] {
        let second = format!("{number}马二进三 车9进1 2. 车一进一 0-1");
        let reading = reading(Format::Pgn, &game(&format!("1. 炮二平五 马8进7 1-0\n\n{second}")));
        assert!(reading.failures.is_empty() && reading.notes.is_empty(), "{reading:?}");
        let games: Vec<_> = reading
            .records
            .iter()
            .map(|record| (record.moves.len(), record.outcome.map(|outcome| outcome.verdict)))
            .collect();
        assert_eq!(games, [(2, Some(FIRST)), (3, Some(SECOND))], "{number}");
    }
}

#[test]
fn the_first_result_that_is_known_counts_and_others_are_told() {
    for (tag, word, expected, told) in [
        ("1-0", "*", Some(FIRST), None),
        ("1-0", "", Some(FIRST), None),
        ("*", "0-1", Some(SECOND), None),
        ("红先胜", "*", Some(FIRST), None),
        ("1-0", "和", Some(Verdict::Draw), Some("'1-0', and '和'")),
        ("0-1", "1-0", Some(FIRST), Some("'0-1', and '1-0'")),
        ("某方胜", "*", None, Some("the result '某方胜' is not known")),
        ("某方胜", "1-0", Some(FIRST), Some("the result '某方胜' is not known")),
    ] {
        let text = format!("[Variant \"Xiangqi\"]\n[Result \"{tag}\"]\n\n1. h3e3 h10g8 {word}\n");
        let reading = reading(Format::Pgn, &text);
        let record = &reading.records[0];
        assert_eq!(record.outcome.map(|outcome| outcome.verdict), expected, "{tag} {word}");
        let notes: Vec<_> = reading.notes.iter().map(|note| (note.line, note.text.as_str())).collect();
        match told {
            None => assert!(notes.is_empty(), "{tag} {word} {notes:?}"),
            Some(told) => {
                assert!(matches!(notes[..], [(2, text)] if text.contains(told)), "{tag} {word} {notes:?}");
            }
        }
    }
}

#[test]
fn tags_in_words_that_are_not_known_are_told() {
    let text = "[RuleSet \"cxa\"]\n[Variant \"Xiangqi\"]\n[Result \"1-0\"]\n[Termination \"by luck\"]\n\n1. h3e3 1-0\n";
    let reading = reading(Format::Pgn, text);
    let notes: Vec<_> = reading.notes.iter().map(|note| (note.line, note.text.as_str())).collect();
    assert_eq!(
        notes,
        [(1, "the rule set 'cxa' is not known"), (4, "the reason 'by luck' is not known")],
        "{reading:?}"
    );
    let usual = text.replace("cxa", "axf").replace("by luck", "normal");
    assert!(self::reading(Format::Pgn, &usual).notes.is_empty());
}

/// One position three times: the usual rule set ends the game there.
const REPEATED: &str =
    "1. 炮二平五 炮8平5 2. 炮五平二 炮5平8 3. 炮二平五 炮8平5 4. 炮五平二 炮5平8 5. 炮二平五 马8进7";

#[test]
fn a_game_whose_moves_break_the_first_rule_set_gets_another() {
    let wxf = "FORMAT WXF\nSTART{ C2.5 C8.5 C5.2 C5.8 C2.5 C8.5 C5.2 C5.8 C2.5 H8+7 }END\n";
    let points = "[DhtmlXQ_movelist]7747724247774272774772424777427277477062[/DhtmlXQ_movelist]";
    let pgn = game(REPEATED);
    for (format, text) in [(Format::Pgn, pgn.as_str()), (Format::Wxf, wxf), (Format::Dhtmlxq, points)] {
        let reading = reading(format, text);
        assert!(reading.failures.is_empty(), "{format:?} {reading:?}");
        let [record] = &reading.records[..] else { panic!("{format:?} {reading:?}") };
        assert_eq!((record.rules, record.moves.len()), (RuleSet::Wang1994, 10), "{format:?}");
        assert!(reading.notes[0].text.contains("rule set 'wang1994'"), "{format:?} {:?}", reading.notes);
        // The error names the rule where the rule set is named.
        let given = Given { game: Some(GameId::Xiangqi), rules: Some(RuleSet::Axf) };
        let failed = format.read_each(text, given).expect("a rule set of xiangqi");
        let error = failed.failures[0].to_string();
        assert!(error.contains("move 9") && error.contains("the game is over, by repetition"), "{error}");
        // A rule set alone is enough.
        let given = Given { game: None, rules: Some(RuleSet::Wang1994) };
        let alone = format.read_each(text, given).expect("a rule set of xiangqi");
        assert!(alone.records.len() == 1 && alone.notes.is_empty(), "{alone:?}");
    }
    let text = format!("[RuleSet \"axf\"]\n{pgn}");
    assert_eq!(reading(Format::Pgn, &text).failures.len(), 1);
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
