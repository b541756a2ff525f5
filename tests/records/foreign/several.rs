//! Where one game of a text ends, and the next begins.

use sanki::games::{
    records::{Format, Record},
    rules::{Outcome, Reason, Side},
};

use super::{FIRST, GIB, SECOND, TSUME, kif, one, reading, result};

/// Written one behind the other, they are read as they were.
fn come_back(format: Format, games: &[&Record]) {
    let text: String = games.iter().map(|game| format.write(game).expect("a game")).collect();
    let reading = reading(format, &text);
    assert!(reading.failures.is_empty() && reading.notes.is_empty(), "{text}\n{reading:?}");
    let numbered = |(game, number): (&&Record, u32)| Record { number, ..Record::clone(game) };
    let expected: Vec<Record> = games.iter().zip(1..).map(numbered).collect();
    assert_eq!(reading.records, expected, "{text}");
}

/// The players of all games, and how many moves each has.
fn told(format: Format, text: &str) -> Vec<(String, usize)> {
    let reading = reading(format, text);
    assert!(reading.failures.is_empty(), "{text}\n{reading:?}");
    reading.records.iter().map(|record| (record.players.join(" "), record.moves.len())).collect()
}

#[test]
fn boards_of_kif_belong_to_the_game_below_them() {
    let even = one(Format::Kif, &kif("   3 投了"));
    let drawn = one(Format::Kif, TSUME);
    let other =
        one(Format::Kif, &TSUME.replace("先手の持駒：金", "先手の持駒：金　銀").replace("銀四", "銀三"));
    assert!(even.start != drawn.start && drawn.start != other.start);
    for format in [Format::Kif, Format::Ki2] {
        come_back(format, &[&even, &drawn]);
        come_back(format, &[&drawn, &even]);
        come_back(format, &[&drawn, &drawn]);
        come_back(format, &[&drawn, &other, &even, &other]);
    }
}

#[test]
fn a_game_of_kif_begins_at_the_first_line_of_its_header() {
    let moves = "1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n4 投了\n";
    let ends = ["   3 投了", "   3 投了\nまで2手で後手の勝ち\n*a word", "変化：2手\n 2 ８四歩(83)\n"];
    for header in [
        "手合割：平手\n先手：Ｃ\n後手：Ｄ\n",
        "後手：Ｄ\n先手：Ｃ\n",
        "後手:Ｄ\n先手:Ｃ\n手合割:平手\n",
        "上手：Ｄ\n下手：Ｃ\n手合割：平手\n",
        "後手の持駒：なし\n先手の持駒：なし\n後手：Ｄ\n先手：Ｃ\n手合割：平手\n",
        "上手の持ち駒：\n後手：Ｄ\n先手：Ｃ\n",
        "先手番\n後手：Ｄ\n先手：Ｃ\n",
    ] {
        for end in ends {
            let text = format!("{}{header}{moves}", kif(end));
            assert_eq!(
                told(Format::Kif, &text),
                [("Ａ Ｂ".to_owned(), 2), ("Ｃ Ｄ".to_owned(), 3)],
                "{text}"
            );
        }
    }
    // A board may stand alone, or the hand of the first player before it.
    let board = &TSUME[TSUME.find('|').expect("a board")..];
    for header in ["", "先手の持駒：金\n", "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n"]
    {
        let board = if header.starts_with('先') {
            board.replace("先手の持駒：金　\n", "")
        } else {
            board.to_owned()
        };
        let text = format!("{}{header}{board}", kif("   3 投了"));
        let reading = reading(Format::Kif, &text);
        assert!(reading.failures.is_empty() && reading.records.len() == 2, "{text}{reading:?}");
        let [first, second] = &reading.records[..] else { panic!("{text}") };
        assert!(first.start.starts_with("lnsgkgsnl/"), "{}", first.start);
        assert_eq!((&second.start[..13], second.moves.join(" ").as_str()), ("4k4/9/4P4/9/9", "G@e8"));
    }
    // Comments and variations begin none.
    let remarks = "*後手：Ｘ\n*|歩\n   3 投了\n*後手の持駒：歩\n変化：2手\n*|歩\n 2 ８四歩(83)\n";
    assert_eq!(told(Format::Kif, &kif(remarks)), [("Ａ Ｂ".to_owned(), 2)]);
}

#[test]
fn a_game_of_kif_without_moves_is_one_of_its_own() {
    let header = "手合割：平手\n先手：Ｃ\n後手：Ｄ\n手数----指手---------消費時間--\n";
    let text = format!("{header}{}", kif("   3 投了"));
    assert_eq!(told(Format::Kif, &text), [("Ｃ Ｄ".to_owned(), 0), ("Ａ Ｂ".to_owned(), 2)]);
    // Positions alone.
    let position = &TSUME[TSUME.find("後手の持駒").expect("a hand")..TSUME.find("手数--").expect("moves")];
    assert_eq!(told(Format::Kif, &position.repeat(3)), vec![("? ?".to_owned(), 0); 3]);
}

#[test]
fn a_game_of_csa_needs_no_end() {
    let game = |players: &str, end: &str| format!("{players}PI\n+\n+7776FU\n-3334FU\n{end}");
    let (one, two) = ("V2.2\nN+A\nN-B\n", "V2.2\nN+C\nN-D\n");
    let expected = [("A B".to_owned(), 2), ("C D".to_owned(), 2)];
    for end in ["", "%TORYO\n", "%TORYO\n'a comment\n\n"] {
        assert_eq!(told(Format::Csa, &[game(one, end), game(two, end)].concat()), expected, "{end}");
        // Without a version, too.
        assert_eq!(told(Format::Csa, &[game(one, end), game(&two[5..], end)].concat()), expected, "{end}");
    }
    let empty = "V2.2\nN+A\nN-B\nPI\n+\n";
    assert_eq!(
        told(Format::Csa, &format!("{empty}{}", game(two, ""))),
        [("A B".to_owned(), 0), expected[1].clone()]
    );
}

#[test]
fn a_game_of_gib_without_moves_is_one_of_its_own() {
    let played = one(Format::Gib, &GIB.replace("4. 88포85", "4. 18상46"));
    let crashed = Record {
        moves: Vec::new(),
        players: ["다", "라"].map(str::to_owned),
        outcome: Some(Outcome::win(Side::Second, Reason::Crash)),
        ..played.clone()
    };
    come_back(Format::Gib, &[&crashed, &played]);
    come_back(Format::Gib, &[&played, &crashed]);
    come_back(Format::Gib, &[&crashed, &crashed, &played]);
    // As other programs begin theirs.
    let header = &GIB[..GIB.find("1. ").expect("moves")];
    let text = format!("{}{GIB}", header.replace('가', "다"));
    assert_eq!(told(Format::Gib, &text), [("다 나".to_owned(), 0), ("가 나".to_owned(), 3)]);
}

#[test]
fn a_game_of_pgn_without_moves_is_one_of_its_own() {
    let tags = |names: &str, result: &str| format!("{names}[Variant \"Xiangqi\"]\n[Result \"{result}\"]\n\n");
    let (one, two) = ("[White \"A\"]\n[Black \"B\"]\n", "[White \"C\"]\n[Black \"D\"]\n");
    let text = [tags(one, "1-0"), tags(two, "0-1"), "1. Che3 Hg8 0-1\n".to_owned()].concat();
    assert_eq!(told(Format::Pgn, &text), [("A B".to_owned(), 0), ("C D".to_owned(), 2)]);
    let results: Vec<_> = reading(Format::Pgn, &text).records.iter().map(result).collect();
    assert_eq!(results, [Some((FIRST, Reason::Resignation)), Some((SECOND, Reason::Resignation))]);
    // Tags that mean nothing to us may stand twice.
    let text = format!("[Remark \"a\"]\n[Remark \"b\"]\n{}1. Che3 *\n", tags(one, "*"));
    assert_eq!(told(Format::Pgn, &text), [("A B".to_owned(), 1)]);
}
