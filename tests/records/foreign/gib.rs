//! Janggi's `.gib`.

use sanki::games::{
    records::Format,
    rules::{GameId, Reason, RuleSet, Verdict},
};

use super::{FIRST, GIB, SECOND, one, reading, result};

#[test]
fn gib_is_read_as_korean_programs_write_it() {
    // Both sets-up are written from the left of the board.
    let text = GIB.replace("4. 88포85", "4. 18상46");
    let record = one(Format::Gib, &text);
    assert_eq!((record.game, record.players.join(" ").as_str()), (GameId::Janggi, "가 나"));
    assert_eq!(record.moves.join(" "), "i4h4 a7b7 b1c3 h10f7");
    assert_eq!(result(&record), Some((FIRST, Reason::Resignation)));
    let again = one(Format::Gib, &Format::Gib.write(&record).unwrap());
    assert_eq!(again, record);
    let same = |text: &str, why: &str| assert_eq!(one(Format::Gib, text).moves, record.moves, "{why}");
    same(
        &text.replace("79졸78", "79卒78").replace("02마83", "02楚馬83"),
        "Chinese characters, with the side",
    );
    same(
        &text.replace("1. ", "1.").replace("18상46", "18상46장군\n{a comment\n5. 11차12}\n<0> \u{1a}"),
        "marks and comments",
    );
    same(&text.replace("초차림", "초포진").replace("한차림", "한포진"), "other names of the tags");
    same(&text.replace("[한차림 \"마상마상\"]", "[한차림 \"상마상마\"]"), "Han's set-up from its own side");
    same(&text.replace("[한차림 \"마상마상\"]\n", ""), "no set-up");
    let bad = text.replace("3. 02마83", "3. 02마82");
    let several = reading(Format::Gib, &[&text, &bad, &text].map(String::as_str).concat());
    assert_eq!((several.records.len(), several.failures.len()), (2, 1));
    assert!(several.failures[0].to_string().starts_with("game 2: line 16: '02마82': move 3"), "{several:?}");
    // What the rules do not allow at the very end is named and left out.
    let last = reading(Format::Gib, GIB);
    assert_eq!((last.records[0].moves.len(), last.notes[0].line), (3, 8), "{:?}", last.notes);
    assert!(last.notes[0].text.contains("88포85"), "{:?}", last.notes);
    for (words, expected) in [
        ("한 시간승", Some((SECOND, Reason::Timeout))),
        ("漢 기권승", Some((SECOND, Reason::Resignation))),
        ("楚승", Some((FIRST, Reason::Resignation))),
        ("무승부", Some((Verdict::Draw, Reason::Adjudicated))),
        ("초 점수승", Some((FIRST, Reason::Adjudicated))),
        ("미상", None),
    ] {
        assert_eq!(result(&one(Format::Gib, &text.replace("초 완승", words))), expected, "{words}");
    }
    let pass = one(Format::Gib, &text.replace("3. 02마83 4. 18상46", "3. 한수쉼"));
    assert_eq!(pass.moves[2], "e2e2");
}

#[test]
fn a_result_of_gib_that_does_not_say_who_won_is_named() {
    for words in ["초 기권", "한 시간", "초 반칙"] {
        let reading = reading(Format::Gib, &GIB.replace("초 완승", words));
        assert_eq!(result(&reading.records[0]), None, "{words}");
        let named = format!("the result '{words}' is not known");
        assert!(reading.notes.iter().any(|note| note.line == 2 && note.text == named), "{:?}", reading.notes);
    }
    for (words, verdict) in [("초 기권패", SECOND), ("한 시간패", FIRST), ("초 반칙승", FIRST)] {
        let record = one(Format::Gib, &GIB.replace("초 완승", words));
        assert_eq!(record.outcome.map(|outcome| outcome.verdict), Some(verdict), "{words}");
    }
}

#[test]
fn a_rule_set_of_gib_that_is_not_known_is_named() {
    let reading = reading(Format::Gib, &format!("[RuleSet \"kja\"]\n{GIB}"));
    assert!(reading.notes.iter().any(|note| note.line == 1 && note.text.contains("'kja'")), "{reading:?}");
}

#[test]
fn gib_has_boards_of_handicap_games() {
    let board =
        "車馬象士1士象馬車/4將4/1包5包1/兵1兵1兵1兵1兵/9/9/졸1졸1졸1졸1졸/1포5포1/4장4/차마상사1사상마1";
    let rows: Vec<&str> = board.split('/').collect();
    let turned = rows.iter().rev().copied().collect::<Vec<_>>().join("/");
    for board in [board, &turned] {
        let text = format!("[판 \"{board} 한 접장기\"]\n\n1. 41병42 2. 71졸72\n");
        let record = one(Format::Gib, &text);
        assert_eq!(record.moves.join(" "), "a7b7 a4b4", "{text}");
        assert_eq!(one(Format::Gib, &Format::Gib.write(&record).unwrap()).moves, record.moves);
    }
}

#[test]
fn a_gib_whose_moves_break_the_first_rule_set_gets_another() {
    // The kings face each other, which Korean servers let be.
    let text =
        "[FEN \"3k5/9/9/9/9/9/9/9/4K4/R8 w - - 0 1\"]\n\n1. 95장94 2. 한수쉼 3. 01차91 4. 한수쉼 5. 91차81\n";
    let reading = reading(Format::Gib, text);
    assert_eq!((reading.records.len(), reading.failures.len()), (1, 0), "{:?}", reading.failures);
    assert_ne!(reading.records[0].rules, RuleSet::Points);
    assert!(reading.notes[0].text.contains("rule set"), "{:?}", reading.notes);
}
