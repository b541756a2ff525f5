//! KIF and KI2.

use sanki::games::{
    records::{Format, Record},
    rules::{GameId, Outcome, Reason, Side, Verdict},
};

use super::{FIRST, SECOND, TSUME, kif, one, reading, result};

#[test]
fn colons_may_be_narrow_and_the_result_in_the_last_line() {
    let text = kif("   3 投了").replace('：', ":");
    let record = one(Format::Kif, &text);
    assert_eq!(
        (record.players, record.outcome),
        (["Ａ", "Ｂ"].map(str::to_owned), Some(Outcome::win(Side::Second, Reason::Resignation)))
    );
    let odds = one(Format::Kif, "手合割:香落ち\n下手:Ａ\n上手:Ｂ\n1 ３四歩(33)\n");
    assert_eq!((odds.players[1].as_str(), odds.moves[0].as_str()), ("Ｂ", "g7g6"));
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
        assert_eq!(record.moves.join(" "), "f1e2 g7g6 e2d2 b7b6 h2e2", "{format:?}");
    }
    let wide = "☗５八金右　☖３四歩\n\n*言葉\n☗６八金寄 まで3手で先手の勝ち\n変化：2手\n△８四歩\n";
    let record = one(Format::Ki2, wide);
    assert_eq!((record.moves.len(), result(&record)), (3, Some((FIRST, Reason::Resignation))));
    // Both golds on the right may be meant; the one that goes up would be called so.
    let golds = "後手の持駒：なし\n|v玉 ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ 金 ・ 金 ・ ・ ・|\n| ・ ・ ・ ・ ・ 金 ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n| 玉 ・ ・ ・ ・ ・ ・ ・ ・|\n▲５三金右\n";
    assert_eq!(one(Format::Ki2, golds).moves, ["f7e7"]);
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
    ("9/9/9/9/9/9/9/4K4/8k b G 1", "G@e4", "５六金"),
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
    assert!(reading.failures[0].to_string().starts_with("game 2: line 14: "), "{}", reading.failures[0]);
}
