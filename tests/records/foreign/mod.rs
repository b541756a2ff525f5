//! Records as other programs write them: what they say is read, what is not understood is named, and one bad game costs
//! no other.

mod endings;
mod gib;
mod pgn;
mod program;
mod several;
mod shogi;
mod tags;
mod xiangqi;

use sanki::games::{
    records::{Format, Given, Reading, Record},
    rules::{Reason, Side, Verdict},
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

/// What [`Format::of`] says of a text whose file's name says nothing.
#[test]
fn csa_is_told_from_moves_of_xiangqi() {
    for line in ["P1+1 R9.8", "P1-1", "P1=2", "N+.4 R9.8", "N+=4", "N++1", "N+-2", "N+4", "V", "PIN", "P1"] {
        let text = format!("C2.5 H8+7\n{line}\n");
        assert_eq!(Format::of("list.txt", text.as_bytes()), None, "{line}");
    }
    for line in
        ["V2", "V2.2", "V3.0", "N+one", "N+", "PI", "PI82HI22KA", "P1-KY-KE * ", "P1 *  * ", "P1*", "P1 +OU"]
    {
        let text = format!("'a comment\r\n {line}\r\n");
        assert_eq!(Format::of("game.txt", text.as_bytes()), Some(Format::Csa), "{line}");
    }
}

/// A game of KIF with these rows behind two moves.
fn kif(rows: &str) -> String {
    format!(
        "手合割：平手\n先手：Ａ\n後手：Ｂ\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)   ( 0:01/00:00:01)\n{rows}\n"
    )
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
        (Format::Ki2, "\n▲７六歩△３四歩\n▲３二角△同桂\n", "game 1: line 3: '▲３二角': move 3"),
        (Format::Pgn, "[Variant \"Xiangqi\"]\n\n1. Che3 Hg8\n2. Che4 *\n", "game 1: line 4: move 3"),
        (
            Format::Gib,
            "[초차림 \"마상마상\"]\n[한차림 \"마상마상\"]\n\n1. 79졸78\n2. 41병31 3. 02마83\n",
            "game 1: line 5: '41병31': move 2",
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

const TSUME: &str = "手合割：詰将棋\n後手の持駒：飛二　角二　金三　銀四　桂四　香四　歩十七　\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n+---------------------------+\n先手の持駒：金　\n手数----指手---------消費時間--\n   1 ５二金打     ( 0:00/00:00:00)\n   2 詰み\n";

const GIB: &str = "[대국일자 \"2012-05-05\"]\n[대국결과 \"초 완승\"]\n[초대국자 \"가\"]\n[한대국자 \"나\"]\n[초차림 \"마상마상\"]\n[한차림 \"마상마상\"]\n\n1. 79졸78 2. 41병42 3. 02마83 4. 88포85\n";

/// Texts of all formats with letters spoilt: no reader falls over, and what is read can be written.
#[test]
fn spoilt_records_are_refused_or_read() {
    use rand::{RngExt, SeedableRng, seq::IndexedRandom};
    let rng = &mut rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(39);
    let texts = [
        (Format::Kif, kif("   3 ２二角成(88)\n   4 同　銀(31)\n   5 反則勝ち\nまで4手で先手の反則負け")),
        (Format::Kif, TSUME.to_owned()),
        (Format::Ki2, "手合割：香落ち\n下手：Ａ\n△３四歩▲７六歩\n△４四角 ▲５八金右\nまで4手で時間切れにより上手の勝ち\n".to_owned()),
        (Format::Csa, "V2.2\nN+A\nP1-KY-KE * -KI-OU\nPI82HI22KA\nP-00AL\n+\n+7776FU,T1\n-3334FU\n%-ILLEGAL_ACTION\n/\n".to_owned()),
        (Format::Usi, "position sfen rbsgk/4p/5/P4/KGSBR b - 1 moves c1d2\nstartpos moves 7g7f resign\n".to_owned()),
        (Format::Gib, GIB.to_owned()),
        (Format::Gib, "[판 \"車馬象士1士象馬車/4將4/9/9/9/9/9/9/4장4/차마상사1사상마1\"]\n{\n}\n1. 95장94 2. 한수쉼\n".to_owned()),
        (Format::Pgn, "[Variant \"Xiangqi\"]\n[Result \"*\"]\n\n1. Che3 {a} (1. Hg3) Hg8 $1 *\n".to_owned()),
    ];
    let letters: Vec<char> =
        texts.iter().flat_map(|(_, text)| text.chars()).chain(['\0', '𠮷', '９', '零', 'ｖ']).collect();
    let mut read = 0;
    for _ in 0..400 {
        let (_, text) = texts.choose(rng).expect("texts");
        let mut spoilt: Vec<char> = text.chars().collect();
        for _ in 0..rng.random_range(1..6) {
            let at = rng.random_range(0..spoilt.len());
            match rng.random_range(0..4) {
                0 => spoilt[at] = *letters.choose(rng).expect("letters"),
                1 => spoilt.insert(at, *letters.choose(rng).expect("letters")),
                2 if spoilt.len() > 1 => drop(spoilt.remove(at)),
                _ => spoilt.truncate(at + 1),
            }
        }
        let spoilt: String = spoilt.into_iter().collect();
        for format in Format::ALL {
            // A file in which the format's own words are missing is refused whole.
            let Ok(reading) = format.read_each(&spoilt, Given::default()) else { continue };
            read += reading.records.len();
            for record in reading.records.into_iter().filter(|_| !format.games().is_empty()) {
                format.write(&record).unwrap_or_else(|error| panic!("{error:#}\n{spoilt}"));
            }
        }
    }
    assert!(read > 200, "{read}");
}
