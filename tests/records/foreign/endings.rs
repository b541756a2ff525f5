//! How games end.

use sanki::games::{
    records::Format,
    rules::{Reason, Verdict},
};

use super::{FIRST, SECOND, kif, one, reading, result};

#[test]
fn every_end_of_kif_gives_its_result() {
    for (word, expected) in [
        ("投了", Some((SECOND, Reason::Resignation))),
        ("詰", Some((SECOND, Reason::Checkmate))),
        ("詰み", Some((SECOND, Reason::Checkmate))),
        ("切れ負け", Some((SECOND, Reason::Timeout))),
        ("時間切れ", Some((SECOND, Reason::Timeout))),
        ("反則負け", Some((SECOND, Reason::IllegalMove))),
        ("反則勝ち", Some((FIRST, Reason::IllegalMove))),
        ("入玉勝ち", Some((FIRST, Reason::Declaration))),
        ("不戦敗", Some((SECOND, Reason::Adjudicated))),
        ("不戦勝", Some((FIRST, Reason::Adjudicated))),
        ("千日手", Some((Verdict::Draw, Reason::Repetition))),
        ("持将棋", Some((Verdict::Draw, Reason::Impasse))),
        ("引き分け", Some((Verdict::Draw, Reason::Adjudicated))),
        ("最大手数", Some((Verdict::Draw, Reason::MoveLimit))),
        ("中断", None),
        ("封じ手       (33:00/01:06:00)", None),
        ("不詰", None),
        ("待った", None),
    ] {
        let reading = reading(Format::Kif, &kif(&format!("   3 {word}")));
        assert_eq!((reading.failures.len(), reading.notes.len()), (0, 0), "{word} {reading:?}");
        assert_eq!((result(&reading.records[0]), reading.records[0].moves.len()), (expected, 2), "{word}");
    }
}

#[test]
fn every_end_of_csa_gives_its_result() {
    for (word, expected) in [
        ("%TORYO", Some((SECOND, Reason::Resignation))),
        ("%TORYO,T12", Some((SECOND, Reason::Resignation))),
        ("%CHUDAN", None),
        ("%SENNICHITE", Some((Verdict::Draw, Reason::Repetition))),
        ("%TIME_UP", Some((SECOND, Reason::Timeout))),
        ("%ILLEGAL_MOVE", Some((SECOND, Reason::IllegalMove))),
        ("%+ILLEGAL_ACTION", Some((SECOND, Reason::IllegalMove))),
        ("%-ILLEGAL_ACTION", Some((FIRST, Reason::IllegalMove))),
        ("%JISHOGI", Some((Verdict::Draw, Reason::Impasse))),
        ("%KACHI", Some((FIRST, Reason::Declaration))),
        ("%HIKIWAKE", Some((Verdict::Draw, Reason::Adjudicated))),
        ("%MAX_MOVES", Some((Verdict::Draw, Reason::MoveLimit))),
        ("%MATTA", None),
        ("%TSUMI", Some((SECOND, Reason::Checkmate))),
        ("%FUZUMI", None),
        ("%ERROR", None),
        ("'summary:toryo:A lose:B win", Some((SECOND, Reason::Resignation))),
        ("%CHUDAN\n'summary:time up:A win:B lose", Some((FIRST, Reason::Timeout))),
    ] {
        let text = format!(
            "'CSA encoding=UTF-8\nV3.0\nN+A\nN-B\n$TIME:300+0+10\nPI\n+\n+7776FU,T10.5\n-3334FU\nT5\n'** 30\n{word}\n"
        );
        let reading = reading(Format::Csa, &text);
        assert_eq!((reading.failures.len(), reading.notes.len()), (0, 0), "{word} {reading:?}");
        assert_eq!((result(&reading.records[0]), reading.records[0].moves.len()), (expected, 2), "{word}");
    }
}

#[test]
fn an_unknown_last_word_ends_a_game_without_a_result_and_is_named() {
    for (format, text, line, word) in [
        (Format::Kif, kif("   3 雨天中止\n"), 7, "雨天中止"),
        (Format::Csa, "PI\n+\n+7776FU\n%AME\n".to_owned(), 4, "%AME"),
        (Format::Ki2, "▲７六歩 △３四歩\nまで2手で雨天中止\n".to_owned(), 2, "雨天中止"),
    ] {
        let reading = reading(format, &text);
        assert_eq!((reading.records.len(), reading.failures.len()), (1, 0), "{reading:?}");
        assert_eq!(result(&reading.records[0]), None);
        let [note] = &reading.notes[..] else { panic!("{:?}", reading.notes) };
        assert!(note.line == line && note.text.contains(word), "{note}");
    }
    // A word in the middle is none.
    let failed = reading(Format::Kif, &kif("   3 雨天中止\n   4 ８八角成(22)"));
    assert!(
        failed.failures[0].to_string().starts_with("game 1: line 7: '雨天中止'"),
        "{}",
        failed.failures[0]
    );
}

#[test]
fn the_illegal_move_that_lost_is_left_out() {
    // The king stays in check.
    let moves = "   3 ２二角成(88)\n   4 ２二銀(31)\n   5 ５五角打\n   6 ５二金(41)\n   7 ２二角成(55)\n   8 ６二銀(71)\n   9 ３一馬(22)\n  10 ８四歩(83)\n  11 ４一馬(31)\n  12 ８五歩(84)\n";
    for (row, last) in
        [("反則勝ち\n*王手放置", "まで12手で先手の勝ち"), ("反則負け", ""), ("", "まで12手で後手の反則負け")]
    {
        let row = if row.is_empty() { String::new() } else { format!("  13 {row}\n") };
        let record = one(Format::Kif, &kif(&format!("{moves}{row}{last}")));
        assert_eq!(
            (record.moves.len(), result(&record)),
            (11, Some((FIRST, Reason::IllegalMove))),
            "{row}{last}"
        );
    }
    // Without the end by a foul it is an error, on its line.
    for row in ["", "  13 投了\n"] {
        let failed = reading(Format::Kif, &kif(&format!("{moves}{row}")));
        assert!(
            failed.failures[0].to_string().starts_with("game 1: line 16: '８五歩(84)': move 12"),
            "{failed:?}"
        );
    }
    let csa = |end: &str| format!("PI\n+\n+7776FU\n-3334FU\n+7675FU\nT1\n-8384FU\n+7574KI\n{end}\n");
    let record = one(Format::Csa, &csa("%ILLEGAL_MOVE"));
    assert_eq!((record.moves.len(), result(&record)), (4, Some((SECOND, Reason::IllegalMove))));
    let record = one(Format::Csa, &csa("%+ILLEGAL_ACTION"));
    assert_eq!((record.moves.len(), result(&record)), (4, Some((SECOND, Reason::IllegalMove))));
    assert!(reading(Format::Csa, &csa("%TORYO")).failures[0].to_string().contains("line 8: '+7574KI'"));
}
