//! The rules of xiangqi one by one, each test named after its rule. Figures and examples are those of the
//! texts T2 ("Chinese chess - moves and rules") and T4 (Kevin Wang's of 1994).

use sanki::games::rules::{
    Game, Outcome, Reason, RuleSet, Side,
    xiangqi::{Minixiangqi, PalaceKind, PalaceSquare, Xiangqi},
};

use super::{MINI_START, START, legal_moves, read};

/// The game after `moves` under `rules`.
fn after(rules: RuleSet, fen: &str, moves: &str) -> Xiangqi {
    let mut game = Xiangqi::from_fen(rules, fen).unwrap_or_else(|error| panic!("{error}"));
    for text in moves.split_whitespace() {
        game.play(game.parse_move(text).unwrap_or_else(|error| panic!("{error}")));
    }
    game
}

/// The squares to which the piece on `from` may go, sorted.
fn targets_in<G: Game>(fen: &str, from: &str) -> Vec<String> {
    let moves = legal_moves(&read::<G>(fen));
    moves.iter().filter_map(|mv| mv.strip_prefix(from)).map(str::to_owned).collect()
}

fn targets(fen: &str, from: &str) -> Vec<String> {
    targets_in::<Xiangqi>(fen, from)
}

#[test]
fn x1_starting_positions() {
    let game: Xiangqi = read(START);
    assert_eq!(game.side_to_move(), Side::First);
    assert_eq!(game.pieces().count(), 32);
    assert_eq!(legal_moves(&game).len(), 44);
    assert_eq!(game.piece_on(PalaceSquare::new(7, 2)), Some((Side::First, PalaceKind::Cannon)));
    assert_eq!(game.piece_on(PalaceSquare::new(4, 9)), Some((Side::Second, PalaceKind::King)));
    assert_eq!(game.piece_on(PalaceSquare::new(4, 4)), None);
    let mini: Minixiangqi = read(MINI_START);
    assert_eq!(mini.pieces().count(), 24);
    assert_eq!(legal_moves(&mini).len(), 19);
}

#[test]
fn x1_the_board_shows_palaces_and_river() {
    let board = read::<Xiangqi>(START).board();
    let lines: Vec<&str> = board.lines().collect();
    assert_eq!(lines[1], " 10 r---n---b---a---k---a---b---n---r  10");
    assert_eq!(lines[2], "    |   |   |   | \\ | / |   |   |   |");
    assert_eq!(lines[4], "    |   |   |   | / | \\ |   |   |   |");
    assert_eq!(lines[10], "    |           R I V E R           |");
    assert_eq!([lines[16], lines[18]], [lines[2], lines[4]]);
    assert_eq!(lines[19], "  1 R---N---B---A---K---A---B---N---R  1");
    assert!(!read::<Minixiangqi>(MINI_START).board().contains("R I V E R"));
}

#[test]
fn x2_kings_step_along_lines_inside_the_palace() {
    assert_eq!(targets("3k5/3n5/9/9/9/9/9/9/4K4/9 w", "e2"), ["d2", "e1", "e3", "f2"]);
    assert_eq!(targets("3k5/3n5/9/9/9/9/9/5K3/9/9 w", "f3"), ["e3", "f2"]);
    assert_eq!(targets("3k5/9/9/9/9/9/9/9/9/4K4 b", "d10"), ["d9"], "the other king holds the middle");
    assert_eq!(targets_in::<Minixiangqi>("2k4/2n4/7/7/7/3K3/7 w", "d2"), ["c2", "d1", "d3", "e2"]);
    assert_eq!(targets_in::<Minixiangqi>("2k4/2n4/7/7/4K2/7/7 w", "e3"), ["d3", "e2"]);
}

#[test]
fn x3_guards_step_diagonally_inside_the_palace() {
    assert_eq!(targets("3k5/9/9/9/9/9/9/9/4A4/4K4 w", "e2"), ["d1", "d3", "f1", "f3"]);
    for corner in ["3A5/9/4K4", "5A3/9/4K4", "9/9/3AK4", "9/9/4KA3"] {
        let fen = format!("3k5/9/9/9/9/9/9/{corner} w");
        let guards: Vec<String> =
            legal_moves(&read::<Xiangqi>(&fen)).into_iter().filter(|mv| mv.ends_with("e2")).collect();
        assert_eq!(guards.len(), 2, "guard and king: {guards:?}");
    }
    assert_eq!(targets("3k5/9/9/9/9/9/9/3A5/9/4K4 w", "d3"), ["e2"], "not to c4, nor along the line");
}

/// T4: "able to occupy A3, E3, A7, C1, C5, C9, and E7".
#[test]
fn x4_elephants_have_seven_points() {
    let seven = ["a3", "c1", "c5", "e3", "g1", "g5", "i3"];
    let mut reached = vec!["c1".to_owned()];
    for i in 0..seven.len() {
        let from = reached[i].clone();
        let square = PalaceSquare::new(from.as_bytes()[0] - b'a', from.as_bytes()[1] - b'1');
        let rank = format!("{}B{}", digits(square.file()), digits(8 - square.file()));
        // The king stands aside, on the file next to the middle.
        let rows: Vec<String> = (0..10u8)
            .rev()
            .map(|r| match r {
                9 => "3k5".to_owned(),
                1 => "5K3".to_owned(),
                _ if r == square.rank() => rank.clone(),
                _ => "9".to_owned(),
            })
            .collect();
        for to in targets(&format!("{} w", rows.join("/")), &from) {
            if !reached.contains(&to) {
                reached.push(to);
            }
        }
    }
    reached.sort();
    assert_eq!(reached, seven);
}

/// No elephant stands beyond the river. On their own side composed positions have them on any point, also on those that
/// none reaches by T2's seven.
#[test]
fn x4_elephants_stand_on_their_own_side() {
    let mut places = Vec::new();
    for (file, rank) in (0..9u8).flat_map(|file| (0..10u8).map(move |rank| (file, rank))) {
        let row = |r: u8| match r {
            _ if r == rank => format!("{}b{}", digits(file), digits(8 - file)),
            8 => "3k5".to_owned(),
            0 => "5K3".to_owned(),
            _ => "9".to_owned(),
        };
        let rows: Vec<String> = (0..10).rev().map(row).collect();
        if rank != 8 && rank != 0 && Xiangqi::from_fen(RuleSet::Axf, &format!("{} b", rows.join("/"))).is_ok()
        {
            places.push(PalaceSquare::new(file, rank).to_string());
        }
    }
    places.sort();
    let own = |rank: &str| ["6", "7", "8", "10"].contains(&rank);
    assert!(places.iter().all(|place| own(&place[1..])) && places.len() == 4 * 9, "{places:?}");
    let reached = ["a8", "c10", "c6", "e8", "g10", "g6", "i8"];
    assert!(reached.iter().all(|place| places.contains(&(*place).to_owned())));
}

/// A run of empty squares.
fn digits(count: u8) -> String {
    if count == 0 { String::new() } else { count.to_string() }
}

/// T2's diagram, in which `c` is printed one point too far to the left.
#[test]
fn x4_elephants_are_blocked_as_in_the_figure() {
    let figure = "2b6/1n2k4/8b/7n1/9/9/9/9/9/3K5 b";
    assert_eq!(targets(figure, "c10"), ["e8"], "X to b, not to a");
    assert_eq!(targets(figure, "i8"), ["g10"], "Y to c, not to d");
}

/// T2's first diagram and T4's of the river.
#[test]
fn x5_horses_jump() {
    let figure = "1n7/6n2/5k3/9/9/9/9/9/9/3K5 b";
    assert_eq!(targets(figure, "b10"), ["a8", "c8", "d9"]);
    assert_eq!(targets(figure, "g9"), ["e10", "e8", "f7", "h7", "i10", "i8"]);
    let river = targets("4k4/9/9/9/9/3N5/9/9/9/3K5 w", "d5");
    assert!(river.contains(&"b6".to_owned()) && river.contains(&"c7".to_owned()), "{river:?}");
}

#[test]
fn x5_horses_are_blocked_as_in_the_figures() {
    let t2 = "4k4/9/2nr5/2p6/9/9/9/9/9/5K3 b";
    assert_eq!(targets(t2, "c8"), ["a7", "a9", "b10", "d10"]);
    let t4 = "5k3/1CN6/9/9/9/9/9/9/9/3K5 w";
    assert_eq!(targets(t4, "c9"), ["b7", "d7", "e10", "e8"]);
}

#[test]
fn x6_rooks_go_any_distance_on_a_line() {
    let fen = "3k5/4r4/9/9/2p1R1N2/9/9/9/9/5K3 w";
    let expected = ["c6", "d6", "e1", "e2", "e3", "e4", "e5", "e7", "e8", "e9", "f6"];
    assert_eq!(targets(fen, "e6"), expected);
}

#[test]
fn x7_cannons_jump_to_take() {
    let t2 = "3k5/9/9/1Rn1c2N1/4n4/9/9/4R4/9/5K3 b";
    let takes = targets(t2, "e7");
    assert!(takes.contains(&"b7".to_owned()), "X takes A");
    assert!(takes.contains(&"e3".to_owned()), "X takes C");
    assert!(!takes.contains(&"h7".to_owned()), "X does not take B");
    assert!(takes.contains(&"g7".to_owned()) && takes.contains(&"d7".to_owned()), "it goes like a rook");
    assert!(!takes.contains(&"c7".to_owned()) && !takes.contains(&"a7".to_owned()));
    let t4 = "4k4/9/9/9/1r1n1C3/9/9/9/9/3K5 w";
    let takes = targets(t4, "f6");
    assert!(takes.contains(&"b6".to_owned()), "over the horse the tank");
    assert!(!takes.contains(&"d6".to_owned()), "but not the horse");
    let own = targets("4k4/9/9/9/1r1N1C3/9/9/9/9/3K5 w", "f6");
    assert!(own.contains(&"b6".to_owned()), "a screen of any side");
}

#[test]
fn x8_soldiers_go_ahead_and_beyond_the_river_sideways() {
    assert_eq!(targets(START, "e4"), ["e5"]);
    assert_eq!(targets("3k5/9/9/9/9/4P4/9/9/9/4K4 w", "e5"), ["e6"], "before the river");
    assert_eq!(targets("3k5/9/9/9/4P4/9/9/9/9/4K4 w", "e6"), ["d6", "e7", "f6"]);
    assert_eq!(targets("3k5/9/9/9/9/9/9/9/p8/4K4 b", "a2"), ["a1", "b2"]);
    assert_eq!(targets("3k5/9/9/9/9/9/9/9/9/1p2K4 b", "b1"), ["a1", "c1"], "on the last rank");
    assert_eq!(targets_in::<Minixiangqi>("2k4/7/7/7/7/1P5/3K3 w", "b2"), ["a2", "b3", "c2"]);
}

#[test]
fn x9_kings_never_face_each_other() {
    assert!(Xiangqi::from_fen(RuleSet::Axf, "4k4/9/9/9/9/9/9/9/9/4K4 w").is_err());
    let shielded_by = |piece| format!("4k4/9/9/9/9/4{piece}4/9/9/9/4K4 w");
    assert!(targets(&shielded_by("N"), "e5").is_empty());
    let cannon = targets(&shielded_by("C"), "e5");
    assert_eq!(cannon, ["e2", "e3", "e4", "e6", "e7", "e8", "e9"], "it stays on the file");
    assert_eq!(targets("4k4/9/9/9/9/9/9/9/9/3K5 w", "d1"), ["d2"]);
}

/// The green king cannot leave the rook's file, for the red king sees the next one.
#[test]
fn x9_the_closing_diagram_is_checkmate() {
    let game: Xiangqi = read("4k4/9/9/5r3/9/9/9/3A5/9/2B2K3 w");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::Second, Reason::Checkmate)));
    let game: Xiangqi = read("3k5/9/9/5r3/9/9/9/3A5/9/2B2K3 w");
    assert_eq!(legal_moves(&game), ["f1e1"]);
}

#[test]
fn x10_checkmate_wins_and_stalemate_loses_or_draws() {
    let mate = "3k5/1R7/9/9/9/9/9/9/9/R3K4 w";
    for rules in [RuleSet::Axf, RuleSet::Wang1994] {
        let game = after(rules, mate, "a1a10");
        assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::Checkmate)));
        assert_eq!(legal_moves(&game).len(), 0);
    }
    let stalemate = "3k5/9/1R7/9/9/9/9/9/9/4K4 w";
    let game = after(RuleSet::Axf, stalemate, "b8b9");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::Stalemate)));
    let game = after(RuleSet::Wang1994, stalemate, "b8b9");
    assert_eq!(game.outcome(), Some(Outcome::draw(Reason::Stalemate)));
}

#[test]
fn x11_bare_attackers_draw_in_the_text_of_1994() {
    let last_soldier = "3k5/9/9/9/9/9/9/9/4p4/4KA3 w";
    let game = after(RuleSet::Wang1994, last_soldier, "e1e2");
    assert_eq!(game.outcome(), Some(Outcome::draw(Reason::BareAttackers)));
    assert_eq!((legal_moves(&game).len(), game.perft(2)), (0, 0));
    let game = after(RuleSet::Axf, last_soldier, "e1e2");
    assert_eq!(game.outcome(), None);
    assert!(after(RuleSet::Wang1994, last_soldier, "").outcome().is_none(), "a soldier is left");
    let bare = after(RuleSet::Wang1994, "3k5/9/9/9/9/9/9/9/9/2B1KA3 w", "");
    assert_eq!(bare.outcome(), Some(Outcome::draw(Reason::BareAttackers)), "from the start, too");
}

#[test]
fn x13_letters_and_names_of_the_texts() {
    let t4: Xiangqi = read("theagaeht/9/1c5c1/s1s1s1s1s/9/9/S1S1S1S1S/1C5C1/9/THEAGAEHT w - - 0 1");
    assert_eq!(t4.fen(), START);
    let board = t4.board();
    for names in [
        "R 俥 車  tank, rook, chariot",
        "N 傌 馬  horse, knight",
        "B 相 象  elephant, bishop",
        "A 仕 士  adviser, guard, advisor",
        "K 帥 將  general, king",
        "P 兵 卒  soldier, pawn",
        "C 炮 砲  cannon",
    ] {
        assert!(board.contains(names), "{names} in\n{board}");
    }
}

#[test]
fn x13_moves_are_read_by_name() {
    let game: Xiangqi = read(START);
    let knight = game.parse_move("b1c3").expect("a legal move");
    for text in ["horse b1c3", "Knight c3", "傌 c3"] {
        assert_eq!(game.parse_move(text), Ok(knight), "{text}");
    }
    for (text, why) in [
        ("tank c3", "it is not legal here"),
        ("queen c3", "it is not legal here"),
        ("elephant e3", "several pieces can go there"),
        ("pass", "it is not legal here"),
    ] {
        let error = game.parse_move(text).expect_err(text);
        assert_eq!(error.why, why, "{text}");
    }
}
