//! Records as other programs write them: what they say is read, what is not understood is named, and one bad game costs
//! no other.

use std::{fs, path::Path, process::Command};

use sanki::{
    records::{Format, Given, Reading, Record},
    rules::{GameId, Outcome, Reason, RuleSet, Side, Verdict},
};

fn reading(format: Format, text: &str) -> Reading {
    format.read_each(text, Given::default()).expect("no rule set is given")
}

fn one(format: Format, text: &str) -> Record {
    let mut reading = reading(format, text);
    assert!(reading.failures.is_empty(), "{text}\n{}", reading.failures[0]);
    assert_eq!(reading.records.len(), 1, "{text}");
    reading.records.remove(0)
}

fn result(record: &Record) -> Option<(Verdict, Reason)> {
    record.outcome.map(|outcome| (outcome.verdict, outcome.reason))
}

const FIRST: Verdict = Verdict::Win(Side::First);
const SECOND: Verdict = Verdict::Win(Side::Second);

/// A game of KIF with these rows behind two moves.
fn kif(rows: &str) -> String {
    format!(
        "手合割：平手\n先手：Ａ\n後手：Ｂ\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)   ( 0:01/00:00:01)\n{rows}\n"
    )
}

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
    for (format, text, line) in [
        (Format::Kif, kif("   3 雨天中止\n"), 7),
        (Format::Csa, "PI\n+\n+7776FU\n%AME\n".to_owned(), 4),
        (Format::Ki2, "▲７六歩 △３四歩\nまで2手で雨天中止\n".to_owned(), 2),
    ] {
        let reading = reading(format, &text);
        assert_eq!((reading.records.len(), reading.failures.len()), (1, 0), "{reading:?}");
        assert_eq!(result(&reading.records[0]), None);
        let [note] = &reading.notes[..] else { panic!("{:?}", reading.notes) };
        assert!(note.line == line && note.text.contains("雨天中止") || note.text.contains("%AME"), "{note}");
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
    let csa = |end: &str| format!("PI\n+\n+7776FU\n-3334FU\n+7775FU\nT1\n-8384FU\n+7574KI\n{end}\n");
    let record = one(Format::Csa, &csa("%ILLEGAL_MOVE"));
    assert_eq!((record.moves.len(), result(&record)), (4, Some((SECOND, Reason::IllegalMove))));
    let record = one(Format::Csa, &csa("%+ILLEGAL_ACTION"));
    assert_eq!((record.moves.len(), result(&record)), (4, Some((SECOND, Reason::IllegalMove))));
    assert!(reading(Format::Csa, &csa("%TORYO")).failures[0].to_string().contains("line 8: '+7574KI'"));
}

#[test]
fn errors_name_the_line_as_it_stands() {
    for (format, text, expected) in [
        (Format::Csa, "V2.2\nPI\n+\n'comment+2726FU\nT1\n-3334FU\nT1\n", "game 1: line 6: '-3334FU'"),
        (Format::Csa, "PI\n+\n+7775FU,T1\n", "game 1: line 3: '+7775FU'"),
        (Format::Csa, "PI\n+\n+7776FU\n/\nPI\n+\n+7777FU\n", "game 2: line 7: '+7777FU'"),
        (Format::Usi, "\n\nposition startpos moves 7g7e\n", "game 1: line 3: move 1"),
        (Format::Kif, "\n手合割：平手\n1 ７五歩(77)\n", "game 1: line 3: '７五歩(77)': move 1"),
        (Format::Kif, "手合割：百枚落ち\n1 ７五歩(77)\n", "game 1: line 1: '百枚落ち'"),
        (Format::Ki2, "\n▲７六歩△３四歩\n▲３三角△同桂\n", "game 1: line 3: '▲３三角': move 3"),
        (Format::Pgn, "[Variant \"Xiangqi\"]\n\n1. Che3 Hg8\n2. Che4 *\n", "game 1: line 4: move 3"),
        (
            Format::Gib,
            "[초차림 \"마상마상\"]\n[한차림 \"마상마상\"]\n\n1. 79졸78\n2. 41병51\n",
            "game 1: line 5: '41병51': move 2",
        ),
    ] {
        let failure = &reading(format, text).failures[0].to_string();
        assert!(failure.starts_with(expected), "{failure}, not {expected}");
    }
}

#[test]
fn what_is_not_understood_is_named() {
    for (format, text, line, what) in [
        (Format::Kif, kif("so it went\n   3 投了"), 7, "so it went"),
        (Format::Kif, format!("Sente: A\n{}", kif("   3 投了")), 1, "Sente"),
        (Format::Csa, "PI\n+\n+7776FU\nhello\n%TORYO\n".to_owned(), 4, "hello"),
        (Format::Csa, "PI\n+\n+7776FU\n%TORYO\nT1\nthe end\n".to_owned(), 6, "the end"),
        (Format::Gib, "[초차림 \"마상마상\"]\n[한차림\n\n1. 79졸78\n".to_owned(), 2, "[한차림"),
        (
            Format::Gib,
            "[초차림 \"마상마상\"]\n[한차림 \"마상마상\"]\n[대국결과 \"?승\"]\n1. 79졸78\n".to_owned(),
            3,
            "?승",
        ),
    ] {
        let reading = reading(format, &text);
        assert_eq!((reading.records.len(), reading.failures.len()), (1, 0), "{text}{reading:?}");
        assert!(
            reading.notes.iter().any(|note| note.line == line && note.text.contains(what)),
            "{:?}",
            reading.notes
        );
    }
    let nothing = ["", "\n\n", "hello\nworld\n", "key: value\n"];
    for format in [Format::Kif, Format::Ki2, Format::Csa, Format::Gib] {
        for text in nothing {
            let reading = reading(format, text);
            assert_eq!((reading.records.len(), reading.failures.len()), (0, 1), "{format:?} {text:?}");
        }
    }
    let lost = reading(
        Format::Kif,
        &kif("").replace("   2 ３四歩(33)   ( 0:01/00:00:01)\n", "まで2手で後手の勝ち\n"),
    );
    assert!(lost.notes.is_empty(), "the row of the end may be counted: {:?}", lost.notes);
    let lost = reading(Format::Kif, &kif("まで9手で後手の勝ち"));
    assert!(lost.notes[0].text.contains("9 moves, and 2"), "{:?}", lost.notes);
}

#[test]
fn colons_may_be_narrow_and_the_result_in_the_last_line() {
    let text = kif("   3 投了").replace('：', ":");
    let record = one(Format::Kif, &text);
    assert_eq!(
        (record.players, record.outcome),
        (["Ａ", "Ｂ"].map(str::to_owned), Some(Outcome::win(Side::Second, Reason::Resignation)))
    );
    let odds = one(Format::Kif, "手合割:香落ち\n下手:Ａ\n上手:Ｂ\n1 ３四歩(33)\n");
    assert_eq!((odds.players[1].as_str(), odds.moves[0].as_str()), ("Ｂ", "c7c6"));
    for (line, expected) in [
        ("まで2手で後手の勝ち", Some((SECOND, Reason::Resignation))),
        ("まで2手で時間切れにより先手の勝ち", Some((FIRST, Reason::Timeout))),
        ("まで2手で千日手", Some((Verdict::Draw, Reason::Repetition))),
        ("まで2手で中断", None),
    ] {
        assert_eq!(result(&one(Format::Kif, &kif(line))), expected, "{line}");
    }
}

#[test]
fn a_drop_may_have_an_empty_origin_and_comments_may_hold_moves() {
    let rows = "3 ２二角成(88)\n**対局 読み筋 △２二銀(31) ▲５五角打(00)\n4 同　銀(31)\n5 ４五角打(00)    ( 0:07/00:01:00)\n6 中断";
    let record = one(Format::Kif, &kif(rows));
    assert_eq!(record.moves[2..], ["b2h8+", "g9h8", "B@f5"]);
}

const TSUME: &str = "手合割：詰将棋\n後手の持駒：飛二　角二　金三　銀四　桂四　香四　歩十七　\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n+---------------------------+\n先手の持駒：金　\n手数----指手---------消費時間--\n   1 ５二金打     ( 0:00/00:00:00)\n   2 詰み\n";

#[test]
fn a_board_decides_whatever_the_start_is_called() {
    for name in ["詰将棋", "その他", "平手", "", "何か"] {
        let record = one(Format::Kif, &TSUME.replace("手合割：詰将棋", &format!("手合割：{name}")));
        assert_eq!(
            (record.moves, record.outcome.map(|outcome| outcome.reason)),
            (vec!["G@e8".to_owned()], Some(Reason::Checkmate))
        );
    }
    let crowded = TSUME.replace("飛二　角二　金三", "飛２角2 金三");
    assert_eq!(one(Format::Kif, &crowded).start, one(Format::Kif, TSUME).start);
}

#[test]
fn every_handicap_has_its_name() {
    let gone = [
        ("香落ち", 1),
        ("右香落ち", 1),
        ("角落ち", 1),
        ("飛車落ち", 1),
        ("飛香落ち", 2),
        ("二枚落ち", 2),
        ("三枚落ち", 3),
        ("四枚落ち", 4),
        ("五枚落ち", 5),
        ("左五枚落ち", 5),
        ("六枚落ち", 6),
        ("左七枚落ち", 7),
        ("右七枚落ち", 7),
        ("八枚落ち", 8),
        ("十枚落ち", 10),
    ];
    for (name, count) in gone {
        let record = one(Format::Kif, &format!("手合割：{name}\n下手：Ａ\n上手：Ｂ\n1 ３四歩(33)\n2 投了\n"));
        let board = record.start.split('[').next().unwrap();
        assert_eq!(board.matches(char::is_alphabetic).count(), 40 - count, "{name}");
        assert_eq!(result(&record), Some((SECOND, Reason::Resignation)));
        for format in [Format::Kif, Format::Ki2] {
            let text = format.write(&record).unwrap();
            assert!(
                text.contains(&format!("手合割：{name}\n")) && text.contains("下手：Ａ\n上手：Ｂ\n"),
                "{text}"
            );
            assert!(text.contains("まで1手で上手の勝ち"), "{text}");
            assert_eq!(one(format, &text), record, "{text}");
        }
    }
}

#[test]
fn minishogi_is_read_and_written() {
    let text = "手合割：5五将棋\n先手：Ａ\n後手：Ｂ\n手数----指手---------消費時間--\n   1 ２四銀(35)\n   2 ４二銀(31)\n   3 ３四角(25)\n   4 投了\n";
    let record = one(Format::Kif, text);
    assert_eq!((record.game, record.moves.join(" ").as_str()), (GameId::Minishogi, "c1d2 c5b4 d1c2"));
    for name in ["５五将棋", "五五将棋"] {
        assert_eq!(one(Format::Kif, &text.replace("5五将棋", name)), record);
    }
    let book = Format::Ki2.write(&record).unwrap();
    assert!(book.contains("▲２四銀 △４二銀 ▲３四角"), "{book}");
    assert_eq!(one(Format::Ki2, &book), record);
    let drawn = "後手の持駒：歩\n  ５ ４ ３ ２ １\n+---------------+\n| ・ ・ ・ ・v玉|一\n| ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・|四\n| 玉 ・ ・ ・ ・|五\n+---------------+\n先手の持駒：金\n1 ２二金打\n";
    assert_eq!(one(Format::Kif, drawn).game, GameId::Minishogi);
    // Two moves onto own pieces, as a file had them.
    let bad = reading(Format::Kif, &text.replace("２四銀(35)", "２五銀(35)"));
    assert!(bad.failures[0].to_string().contains("line 5: '２五銀(35)'"), "{:?}", bad.failures);
}

#[test]
fn ki2_is_read_whatever_the_file_is_called() {
    let text = "先手：先手\n後手：後手\n\n▲５八金右△３四歩▲６八金寄△８四歩▲５八飛\n";
    for format in [Format::Ki2, Format::Kif] {
        let record = one(format, text);
        assert_eq!(record.moves.join(" "), "d1e2 c7c6 e2d2 h7h6 h2e2", "{format:?}");
    }
    let wide = "☗５八金右　☖３四歩\n\n*言葉\n☗６八金寄 まで3手で先手の勝ち\n変化：2手\n△８四歩\n";
    let record = one(Format::Ki2, wide);
    assert_eq!((record.moves.len(), result(&record)), (3, Some((FIRST, Reason::Resignation))));
    assert!(reading(Format::Ki2, "▲５八金\n").failures[0].to_string().contains("several moves"));
}

/// Board, hand of the first player, move, and how it is written.
const BOOK: [(&str, &str, &str); 15] = [
    ("9/9/9/9/9/9/9/3G1G3/4K3k b - 1", "d2e3", "５七金左"),
    ("9/9/9/9/9/9/9/3G1G3/4K3k b - 1", "f2e3", "５七金右"),
    ("9/9/9/9/9/9/9/4G4/3GK3k b - 1", "d1d2", "６八金上"),
    ("9/9/9/9/9/9/9/4G4/3GK3k b - 1", "e2d2", "６八金寄"),
    ("9/9/9/9/9/9/3GG4/9/4K3k b - 1", "e3e4", "５六金直"),
    ("9/9/9/9/9/9/3GG4/9/4K3k b - 1", "d3e4", "５六金左"),
    ("9/9/9/9/9/9/9/3G1G3/4K3k b G 1", "G@e3", "５七金打"),
    ("9/9/9/9/9/9/9/4K3G/8k b G 1", "G@e4", "５六金"),
    ("9/9/9/9/3S1S3/9/3S1S3/9/4K3k b - 1", "d5e4", "５六銀左引"),
    ("9/9/9/9/3S1S3/9/3S1S3/9/4K3k b - 1", "f3e4", "５六銀右上"),
    ("9/9/9/9/9/9/9/+R3+R4/4K3k b - 1", "a2c2", "７八龍左"),
    ("9/9/9/9/9/9/9/+R3+R4/4K3k b - 1", "e2c2", "７八龍右"),
    ("9/4S4/9/9/9/9/9/9/4K3k b - 1", "e8e9+", "５一銀成"),
    ("9/4S4/9/9/9/9/9/9/4K3k b - 1", "e8e9", "５一銀不成"),
    ("4k4/9/9/3g1g3/9/9/9/9/K8 w - 1", "f6e5", "５五金左"),
];

#[test]
fn ki2_names_the_piece_as_books_do() {
    for (sfen, mv, expected) in BOOK {
        let text = format!("position sfen {sfen}\n");
        let start = one(Format::Usi, &text);
        let record = Record { moves: vec![mv.to_owned()], ..start };
        let book = Format::Ki2.write(&record).unwrap();
        let written = book.lines().find_map(|line| line.strip_prefix(['▲', '△'])).unwrap();
        assert_eq!(written, expected, "{sfen} {mv}");
        assert_eq!(one(Format::Ki2, &book).moves, record.moves, "{book}");
    }
}

const GIB: &str = "[대국일자 \"2012-05-05\"]\n[대국결과 \"초 완승\"]\n[초대국자 \"가\"]\n[한대국자 \"나\"]\n[초차림 \"마상마상\"]\n[한차림 \"마상마상\"]\n\n1. 79졸78 2. 41병42 3. 02마83 4. 88포85\n";

#[test]
fn gib_is_read_as_korean_programs_write_it() {
    // Both sets-up are written from the left of the board.
    let text = GIB.replace("4. 88포85", "4. 18상45");
    let record = one(Format::Gib, &text);
    assert_eq!((record.game, record.players.join(" ").as_str()), (GameId::Janggi, "가 나"));
    assert_eq!(record.moves.join(" "), "i4i5 a7b7 b1c3 h10f7".replace("i4i5", "i4h4"));
    assert_eq!(result(&record), Some((FIRST, Reason::Resignation)));
    let again = one(Format::Gib, &Format::Gib.write(&record).unwrap());
    assert_eq!(again, record);
    let same = |text: &str, why: &str| assert_eq!(one(Format::Gib, text).moves, record.moves, "{why}");
    same(
        &text.replace("79졸78", "79卒78").replace("02마83", "02楚馬83"),
        "Chinese characters, with the side",
    );
    same(
        &text.replace("1. ", "1.").replace("18상45", "18상45장군\n{a comment\n5. 11차12}\n<0> \u{1a}"),
        "marks and comments",
    );
    same(&text.replace("초차림", "초포진").replace("한차림", "한포진"), "other names of the tags");
    same(&text.replace("[한차림 \"마상마상\"]", "[한차림 \"상마상마\"]"), "Han's set-up from its own side");
    same(&text.replace("[한차림 \"마상마상\"]\n", ""), "no set-up");
    let several = reading(Format::Gib, &[&text, GIB, &text].concat());
    assert_eq!((several.records.len(), several.failures.len()), (2, 1));
    assert!(
        several.failures[0].to_string().starts_with("game 2: line 16: '88포85': move 4"),
        "{}",
        several.failures[0]
    );
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
    let pass = one(Format::Gib, &text.replace("3. 02마83 4. 18상45", "3. 한수쉼"));
    assert_eq!(pass.moves[2], "e2e2");
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

#[test]
fn several_games_of_kif_are_read_from_one_file() {
    let text = [
        kif("   3 投了"),
        kif("   3 ７五歩(77)\n   4 投了"),
        kif("変化：2手\n 2 ８四歩(83)\n"),
        kif("   3 中断"),
    ]
    .concat();
    let reading = reading(Format::Kif, &text);
    let moves: Vec<usize> = reading.records.iter().map(|record| record.moves.len()).collect();
    assert_eq!(moves, [2, 2, 2]);
    assert!(reading.failures[0].to_string().starts_with("game 2: line 15: "), "{}", reading.failures[0]);
}

fn sanki(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let out =
        Command::new(env!("CARGO_BIN_EXE_sanki")).current_dir(folder).args(args).output().expect("it runs");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (out.status.code().unwrap_or(-1), text(&out.stdout), text(&out.stderr))
}

#[test]
fn one_bad_game_of_many_costs_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let game = |mv: &str| format!("[Variant \"Xiangqi\"]\n[Result \"1-0\"]\n\n1. {mv} 1-0\n\n");
    write("many.pgn", &[game("Che3"), game("Che4"), game("Hg3")].concat());
    write(
        "tags.pgn",
        &[game("Che3"), "[Variant xiangqi]\n\n1. Che3 *\n\n".to_owned(), game("Hg3 {no end")].concat(),
    );
    write("bad.pgn", &game("Che4"));
    write("two.usi", "position startpos moves 7g7f\nposition startpos moves 7g7e\n");
    let convert = |args: &[&str]| sanki(folder.path(), &[&["convert"], args].concat());

    let (code, out, err) = convert(&["many.pgn", "-o", "a.jsonl"]);
    assert_eq!((code, out.as_str()), (1, "a.jsonl: 2 games in 1 file\n"), "{err}");
    assert!(
        err.contains("error: many.pgn: game 2: line 9: move 1: 'Che4'")
            || err.contains("many.pgn: game 2: line 9: move 1"),
        "{err}"
    );
    assert_eq!(fs::read_to_string(folder.path().join("a.jsonl")).unwrap().lines().count(), 2);

    let (code, out, err) =
        convert(&["tags.pgn", "bad.pgn", "absent.pgn", "many.pgn", "-o", "b.jsonl", "--json"]);
    assert_eq!((code, out.as_str()), (1, "{\"games\":3,\"files\":1,\"left_out\":5}\n"), "{err}");
    for named in [
        "tags.pgn: game 2: line 6",
        "tags.pgn: game 3: line 13",
        "bad.pgn: game 1: line 4",
        "cannot read absent.pgn",
        "many.pgn: game 2",
    ] {
        assert!(err.contains(named), "{named}: {err}");
    }
    // Nothing is written where nothing was read.
    let (code, out, err) = convert(&["bad.pgn", "-o", "c.jsonl"]);
    assert_eq!((code, out.as_str(), folder.path().join("c.jsonl").exists()), (1, "", false));
    assert!(err.starts_with("error: bad.pgn: game 1: line 4: move 1"), "{err}");
    let (code, _, err) = convert(&["two.usi", "-o", "d{}.kif"]);
    assert!(code == 1 && err.contains("two.usi: game 2: line 2: move 1"), "{err}");
    assert!(folder.path().join("d0001.kif").exists());
    // What cannot be written is named too.
    let (code, _, err) = convert(&["two.usi", "many.pgn", "-o", "e.usi"]);
    assert!(code == 1 && err.contains("many.pgn: game 1: xiangqi cannot be written"), "{err}");
}

#[test]
fn characters_that_an_encoding_lacks_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let text = "\u{feff}#KIF version=2.0 encoding=UTF-8\n手合割：平手　　\n先手：Ａ☗髙橋𠮷\n後手：Ｂ\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 投了\n";
    fs::write(folder.path().join("wide.kifu"), text).unwrap();
    let (code, _, err) = sanki(folder.path(), &["convert", "wide.kifu", "-o", "a.kif"]);
    assert!(code == 0 && err.contains("☗ 𠮷") && err.contains("Shift JIS"), "{err}");
    let bytes = fs::read(folder.path().join("a.kif")).unwrap();
    let (text, _, is_bad) = encoding_rs::SHIFT_JIS.decode(&bytes);
    assert!(!is_bad && text.contains("先手：Ａ〓髙橋〓\n"), "{text}");
    let (code, _, err) = sanki(folder.path(), &["convert", "wide.kifu", "-o", "b.kifu"]);
    assert!(code == 0 && err.is_empty(), "{err}");
    // Korean programs keep .gib in CP949, some with stray bytes.
    let gib = [&encoding_rs::EUC_KR.encode(&GIB.replace("88포85", "18상45")).0, &b"\xff\n"[..]].concat();
    fs::write(folder.path().join("a.gib"), gib).unwrap();
    let (code, _, err) = sanki(folder.path(), &["convert", "a.gib", "-o", "b.gib"]);
    assert!(code == 0 && err.is_empty(), "{err}");
    let bytes = fs::read(folder.path().join("b.gib")).unwrap();
    let (text, _, is_bad) = encoding_rs::EUC_KR.decode(&bytes);
    assert!(!is_bad && text.contains("[초대국자 \"가\"]") && text.contains("4. 18상45"), "{text}");
}
