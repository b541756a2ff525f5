//! The event, the place and the date of a game, from format to format.

use sanki::games::records::{Format, Record};

use super::{GIB, kif, one};

fn tags(record: &Record) -> Vec<(&str, &str)> {
    let mut tags: Vec<(&str, &str)> =
        record.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    tags.sort_unstable();
    tags
}

#[test]
fn the_event_the_place_and_the_date_are_kept() {
    let shogi = kif("   3 投了").replace(
        "後手：Ｂ\n",
        "後手：Ｂ\n開始日時：2003/05/03 10:30:00\n終了日時：2003/05/03\n棋戦：名人戦\n場所：東京：将棋会館\n",
    );
    let csa = "V2.2\nN+A\nN-B\n$EVENT:名人戦\n$SITE:東京：将棋会館\n$START_TIME:2003/05/03 10:30:00\n$TIME_LIMIT:00:25+00\nPI\n+\n+7776FU\n%TORYO\n";
    for (format, text) in [(Format::Kif, shogi.as_str()), (Format::Csa, csa)] {
        let record = one(format, text);
        assert_eq!(
            tags(&record),
            [("Date", "2003.05.03 10:30:00"), ("Event", "名人戦"), ("Site", "東京：将棋会館")],
            "{format:?}"
        );
        for (other, line) in [
            (Format::Kif, "\n開始日時：2003/05/03 10:30:00\n"),
            (Format::Ki2, "\n棋戦：名人戦\n"),
            (Format::Csa, "\n$START_TIME:2003/05/03 10:30:00\n"),
        ] {
            let written = other.write(&record).expect("a game");
            assert!(written.contains(line), "{other:?}\n{written}");
            assert_eq!(tags(&one(other, &written)), tags(&record), "{other:?}\n{written}");
            // Behind another game they belong to the next one.
            let two =
                Format::read(other, &[written.as_str(); 2].concat(), Default::default()).expect("games");
            assert!(two.len() == 2 && two.iter().all(|one| tags(one) == tags(&record)), "{two:?}");
        }
    }
    let gib = GIB.replace(
        "[대국일자 \"2012-05-05\"]\n",
        "[대회명 \"왕중왕전\"]\n[대국장소 \"서울\"]\n[대국일자 \"2012-05-05\"]\n",
    );
    let record = one(Format::Gib, &gib);
    assert_eq!(tags(&record), [("Date", "2012.05.05"), ("Event", "왕중왕전"), ("Site", "서울")]);
    for (format, line) in
        [(Format::Gib, "[대국일자 \"2012-05-05\"]\n"), (Format::Pgn, "[Date \"2012.05.05\"]\n")]
    {
        let written = format.write(&record).expect("a game");
        assert!(written.contains(line), "{written}");
        assert_eq!(tags(&one(format, &written)), tags(&record), "{written}");
    }
}

#[test]
fn a_date_alone_is_no_game() {
    for text in ["開始日時：2003/05/03\n", "棋戦：名人戦\n場所：東京\n"] {
        let reading = super::reading(Format::Kif, text);
        assert_eq!((reading.records.len(), reading.failures.len()), (0, 1), "{text}");
    }
    // Said twice, the first counts.
    let twice = kif("   3 投了").replace("先手：Ａ", "棋戦：Ｂ\n棋戦：Ａ\n先手：Ａ");
    assert_eq!(tags(&one(Format::Kif, &twice)), [("Event", "Ｂ")]);
}
