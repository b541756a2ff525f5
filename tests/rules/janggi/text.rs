//! J3, J15 and the FEN: set-ups, names and positions as text.

use std::collections::HashSet;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::games::rules::{
    Game, RuleSet, Setup, Side,
    janggi::{Formation, Formations, Janggi, NAMES, PalaceKind},
};

use super::{
    START, legal_moves, read, start,
    verdicts::{PositionRow, rows},
};

#[test]
fn j3_sixteen_set_ups() {
    let fens: HashSet<String> =
        Formations::all().map(|formations| start(RuleSet::Points, &formations.to_string()).fen()).collect();
    assert_eq!(fens.len(), 16);
    assert!(fens.contains(START));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let drawn: HashSet<String> =
        (0..400).map(|_| Janggi::start(RuleSet::Kakao, Setup::Drawn, &mut rng).fen()).collect();
    assert_eq!(drawn, fens);
    assert_eq!(Janggi::start(RuleSet::Points, Setup::Standard, &mut rng).fen(), START);
}

#[test]
fn j3_the_figures_of_the_text() {
    // Figure 1: nothing transposed. Figure 2: both sides on the right of the board.
    assert_eq!(start(RuleSet::Martin1995, "nbbn/nbbn").fen(), START);
    let figure2 = "rnba1anbr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ANBR w - - 0 1";
    assert_eq!(start(RuleSet::Martin1995, "nbnb").fen(), figure2);
}

#[test]
fn j3_korean_names_are_as_the_player_sees_the_board() {
    let named = |text: &str| text.parse::<Formations>().expect(text);
    assert_eq!(named("wonangma"), named("nbbn"));
    assert_eq!(named("마상상마/상마마상"), named("nbbn/bnnb"));
    assert_eq!(named("ansang/bakkatsang"), named("nbbn/bnnb"));
    assert_eq!(named("yanggwima"), named("bnnb"));
    // Han's left is Cho's right.
    assert_eq!(named("gwima"), named("bnbn/nbnb"));
    assert_eq!(named("masangmasang/masangmasang"), named("nbnb/bnbn"));
    for formation in Formation::ALL {
        for side in [Side::First, Side::Second] {
            for name in formation.names(side) {
                let formations = named(name);
                assert_eq!([formations.cho, formations.han][side.index()], formation, "{name}");
            }
        }
    }
    for text in ["", "nbbn/", "nnbb", "nbbn/nbbn/nbbn", "NBBN"] {
        let error = text.parse::<Formations>().expect_err(text);
        assert_eq!(error.what, "set-up");
    }
}

#[test]
fn j15_names_are_read() {
    let names = [
        (PalaceKind::Rook, "rook chariot car tank cha tcha 車"),
        (PalaceKind::Knight, "knight horse ma 馬"),
        (PalaceKind::Bishop, "bishop elephant minister sang syang 象 相"),
        (PalaceKind::Guard, "guard advisor counsellor sa 士"),
        (PalaceKind::King, "king general emperor jang wang koung tyang 漢 楚"),
        (PalaceKind::Cannon, "cannon catapult po hpo 包"),
        (PalaceKind::Pawn, "pawn soldier byung pyeng jol tjol 兵 卒"),
    ];
    for (kind, names) in names {
        for name in names.split(' ') {
            assert_eq!(NAMES.kind(name), Some(kind), "{name}");
            assert_eq!(NAMES.kind(&name.to_uppercase()), Some(kind), "{name}");
        }
    }
    assert_eq!(NAMES.kind("prime minister"), Some(PalaceKind::Bishop));
    assert_eq!(NAMES.kind("Foot Soldier"), Some(PalaceKind::Pawn));
    assert_eq!(NAMES.kind("queen"), None);
}

#[test]
fn j15_moves_are_read_by_name() {
    let game = read(RuleSet::Points, START);
    let meant = |text: &str| game.parse_move(text).map(|mv| mv.to_string());
    for text in ["b1c3", "horse b1c3", "ma c3", "Knight c3", "馬 c3"] {
        assert_eq!(meant(text).as_deref(), Ok("b1c3"), "{text}");
    }
    for text in ["horse C3", "HORSE B1C3"] {
        assert_eq!(meant(text).as_deref(), Ok("b1c3"), "{text}");
    }
    for text in ["pass", "PASS", "Pass"] {
        assert_eq!(meant(text).as_deref(), Ok("e2e2"), "{text}");
    }
    assert_eq!(meant("king e2e2").as_deref(), Ok("e2e2"));
    assert_eq!(meant("foot soldier a5").as_deref(), Ok("a4a5"));
    for (text, why) in [
        ("b4", "it is not legal here"),
        ("soldier b4", "several pieces can go there"),
        ("horse d2", "it is not legal here"),
        ("cannon b1c3", "it is not legal here"),
        ("", "it is not legal here"),
    ] {
        assert_eq!(game.parse_move(text).expect_err(text).why, why, "{text}");
    }
}

#[test]
fn j15_names_and_characters_are_printed() {
    let board = read(RuleSet::Points, START).board();
    for part in
        ["k漢", "K楚", "r車-n馬-b象-a士--+--a士-b象-n馬-r車", "P卒", "p兵", "C包", "cha", "jol", "byung"]
    {
        assert!(board.contains(part), "{part} in\n{board}");
    }
    assert_eq!(board.matches(" \\ | / ").count(), 2, "the palaces' upper diagonals in\n{board}");
    assert_eq!(board.matches(" / | \\ ").count(), 2, "the palaces' lower diagonals in\n{board}");
}

#[test]
fn points_are_printed_where_they_count() {
    for rules in Janggi::ID.rule_sets() {
        let shown = read(*rules, START).board().contains("Cho 72, Han 73.5");
        assert_eq!(shown, [RuleSet::Points, RuleSet::Kakao].contains(rules), "{rules}");
    }
}

#[test]
fn fens_are_read_back() {
    for row in rows::<PositionRow>("janggi_positions.jsonl.zst") {
        assert_eq!(read(RuleSet::Points, &row.fen).fen(), row.fen);
    }
    let counted = START.replace("0 1", "37 52");
    assert_eq!(read(RuleSet::Points, &counted).fen(), counted);
    // Letters that others write for elephant, horse and guard.
    let other = START.replace('n', "h").replace('B', "E").replace('a', "g");
    assert_eq!(read(RuleSet::Points, &other).fen(), START);
}

#[test]
fn fens_that_are_none_are_refused() {
    let refused = [
        ("", "FEN"),
        ("4k4/9/9/9/9/9/9/9/4K4 w - - 0 1", "board"),
        ("4k4/9/9/9/9/9/9/9/4K4/9 x - - 0 1", "side to move"),
        ("4k4/9/9/9/9/9/9/9/4K4/9 w - - x 1", "counter"),
        ("4k4/9/9/9/9/9/9/9/4Q4/9 w - - 0 1", "board"),
        ("4k4/9/9/9/9/9/9/9/9/9 w - - 0 1", "board"),
        ("4k4/9/9/9/9/9/9/9/4K4/4K4 w - - 0 1", "board"),
        ("4k4/9/9/9/9/9/4K4/9/9/9 w - - 0 1", "board"),
        ("4k4/9/9/9/9/9/4A4/9/4K4/9 w - - 0 1", "board"),
        ("4k4/9/9/9/9/PPPPPPPPP/RRRRRRRRR/9/4K4/9 w - - 0 1", "board"),
        ("3k5/9/9/9/9/3R5/9/9/4K4/9 w - - 0 1", "FEN"),
    ];
    for (text, what) in refused {
        let error = Janggi::from_fen(RuleSet::Points, text).expect_err(text);
        assert_eq!(error.what, what, "{text}: {error}");
    }
}

/// Such a position arises by a pass that accepts the facing, and by nothing else.
#[test]
fn a_king_left_in_check_by_facing_is_the_end_of_a_game() {
    let fen = "4k4/9/9/9/9/9/9/9/r3K4/9 b - - 1 1";
    let game = read(RuleSet::Traditional, fen);
    assert_eq!(game.outcome().map(|outcome| outcome.reason.as_str()), Some("bikjang"));
    assert!(legal_moves(&game).is_empty());
    assert!(Janggi::from_fen(RuleSet::Casual, fen).is_err());
}
