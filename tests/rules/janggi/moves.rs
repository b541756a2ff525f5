//! J1 to J9 and J14: the board, the set-up and how the pieces move, one test for each rule. The text names ranks
//! 0 to 9; here they are 1 to 10.

use sanki::games::rules::{
    Game, RuleSet, Side,
    janggi::{Janggi, PalaceKind},
    palace::PalaceSquare,
};

use super::{START, legal_moves, read, start};

/// Where the piece on `from` may go, sorted by text.
fn targets(fen: &str, from: &str) -> Vec<String> {
    let game = read(RuleSet::Points, fen);
    let moves = legal_moves(&game);
    moves.iter().filter_map(|mv| mv.strip_prefix(from)).map(str::to_owned).collect()
}

fn assert_targets(fen: &str, from: &str, expected: &str) {
    let mut expected: Vec<&str> = expected.split_whitespace().collect();
    expected.sort();
    assert_eq!(targets(fen, from), expected, "{from} in {fen}");
}

#[test]
fn j1_nine_files_by_ten_ranks() {
    assert_eq!((Janggi::FILES, Janggi::RANKS, Janggi::SQUARES), (9, 10, 90));
    assert_targets("4k4/9/9/9/9/9/9/9/R8/5K3 w", "a2", "a1 a3 a4 a5 a6 a7 a8 a9 a10 b2 c2 d2 e2 f2 g2 h2 i2");
    // No river: an elephant crosses the middle.
    assert_targets("4k4/9/9/9/9/2B6/9/9/9/5K3 w", "c5", "a2 a8 e2 e8 f3 f7");
}

#[test]
fn j2_the_pieces_at_the_start() {
    let game = start(RuleSet::Points, "nbbn");
    assert_eq!(game.fen(), START);
    assert_eq!(game.pieces().count(), 32);
    let on = |file, rank| game.piece_on(PalaceSquare::new(file, rank));
    for (rank, back, third, fourth, side) in [(0, 1, 2, 3, Side::First), (9, 8, 7, 6, Side::Second)] {
        use PalaceKind::*;
        let row = [Rook, Knight, Bishop, Guard, King, Guard, Bishop, Knight, Rook];
        for (file, kind) in (0..).zip(row).filter(|&(file, _)| file != 4) {
            assert_eq!(on(file, rank), Some((side, kind)));
        }
        assert_eq!((on(4, rank), on(4, back)), (None, Some((side, King))));
        assert_eq!([1, 7].map(|file| on(file, third)), [Some((side, Cannon)); 2]);
        assert_eq!([0, 2, 4, 6, 8].map(|file| on(file, fourth)), [Some((side, Pawn)); 5]);
    }
}

#[test]
fn j4_a_rook_takes_the_first_enemy_of_a_line() {
    assert_targets("4k4/9/9/p8/9/9/R2Pp4/9/9/3K5 w", "a4", "a1 a2 a3 a5 a6 a7 b4 c4");
    assert_targets("4k4/9/9/p8/9/9/R2pp4/9/9/5K3 w", "a4", "a1 a2 a3 a5 a6 a7 b4 c4 d4");
}

#[test]
fn j4_a_rook_goes_along_the_diagonals_of_both_palaces() {
    // From a corner to the centre and beyond.
    assert_targets(
        "3R5/9/4k4/9/9/9/9/9/9/5K3 w",
        "d10",
        "a10 b10 c10 e10 f10 g10 h10 i10 d9 d8 d7 d6 d5 d4 d3 d2 d1 e9 f8",
    );
    // From the centre to each corner; not out of the palace.
    assert_targets(
        "9/9/5k3/9/9/9/9/9/4R4/3K5 w",
        "e2",
        "e1 e3 e4 e5 e6 e7 e8 e9 e10 a2 b2 c2 d2 f2 g2 h2 i2 f1 d3 f3",
    );
    // Blocked in the centre, and not from the middle of an edge.
    assert_targets("9/4k4/9/9/9/9/9/9/4A4/3R1K3 w", "d1", "a1 b1 c1 e1 d2 d3 d4 d5 d6 d7 d8 d9 d10");
    assert_targets(
        "9/4k4/9/9/9/9/9/9/3R5/5K3 w",
        "d2",
        "a2 b2 c2 e2 f2 g2 h2 i2 d1 d3 d4 d5 d6 d7 d8 d9 d10",
    );
}

#[test]
fn j5_a_knight_needs_its_first_point_empty() {
    // T0: at the start B0 reaches A2 and C2, not D1.
    assert_targets(START, "b1", "a3 c3");
    assert_targets("4k4/9/9/9/9/4N4/9/9/9/3K5 w", "e5", "c4 c6 d3 d7 f3 f7 g4 g6");
    // A piece of either side beside it takes two of the eight, one on the second point none.
    assert_targets("4k4/9/9/9/4p4/3PN4/5p3/9/9/3K5 w", "e5", "d3 f3 g4 g6");
}

#[test]
fn j6_a_bishop_needs_both_points_empty() {
    // T0, Figure 2: C0 cannot move, H0 reaches F3.
    let figure2 = start(RuleSet::Points, "nbnb").fen();
    assert_targets(&figure2, "c1", "");
    assert_targets(&figure2, "h1", "f4");
    assert_targets("5k3/9/9/9/9/4B4/9/9/9/3K5 w", "e5", "b3 b7 c2 c8 g2 g8 h3 h7");
    // Beside it: two of the eight; diagonally on: one.
    assert_targets("5k3/9/9/9/4p4/4B4/9/9/9/3K5 w", "e5", "b3 b7 c2 g2 h3 h7");
    assert_targets("5k3/9/9/5p3/9/4B4/9/9/9/3K5 w", "e5", "b3 b7 c2 c8 g2 h3 h7");
}

#[test]
fn j7_king_and_guards_step_along_drawn_lines() {
    // From the centre everywhere, from a corner also to the centre, from an edge not diagonally.
    assert_targets("5k3/9/9/9/9/9/9/9/4K4/9 w", "e2", "d1 d2 d3 e1 e2 e3 f1 f2 f3");
    assert_targets("5k3/9/9/9/9/9/9/9/9/3K5 w", "d1", "d1 d2 e1 e2");
    assert_targets("5k3/9/9/9/9/9/9/9/3K5/9 w", "d2", "d1 d2 d3 e2");
    assert_targets("5k3/9/9/9/9/9/9/4A4/3K5/9 w", "e3", "d3 e2 f3");
    assert_targets("4k4/9/9/9/9/9/9/5A3/3K5/9 w", "f3", "e2 e3 f2");
}

#[test]
fn j8_a_cannon_jumps_one_piece() {
    // Over the first piece of either side, and on to the second, if that is an enemy.
    assert_targets("5k3/4p4/9/4p4/9/9/9/4P4/4C4/3K5 w", "e2", "e4 e5 e6 e7");
    assert_targets("5k3/4N4/9/4p4/9/4C4/9/9/9/3K5 w", "e5", "e8");
    assert_targets("5k3/9/9/9/9/4C4/9/9/9/3K5 w", "e5", "");
}

#[test]
fn j8_a_cannon_neither_jumps_nor_takes_a_cannon() {
    assert_targets("5k3/9/4p4/9/4c4/9/4C4/9/9/3K5 w", "e4", "");
    assert_targets("5k3/4r4/9/4C4/9/9/4C4/9/9/3K5 w", "e4", "");
    assert_targets("5k3/4c4/9/9/4p4/9/4C4/9/9/3K5 w", "e4", "e7 e8");
}

#[test]
fn j8_a_cannon_jumps_from_corner_to_corner_over_the_centre() {
    assert_targets("4k4/9/9/9/9/9/9/9/4A4/3C1K3 w", "d1", "f3 g1 h1 i1");
    assert_targets("3r1k3/4p4/5C3/9/9/9/9/9/9/4K4 w", "f8", "d10");
    // Not over nothing, not over a cannon, not from the centre.
    assert_targets("3r5/5k3/5C3/9/9/9/9/9/9/4K4 w", "f8", "f10");
    assert_targets("3r5/4ck3/5C3/9/9/9/9/9/9/4K4 w", "f8", "f10");
    assert_targets("3k5/9/9/9/9/9/9/3A1A3/4C4/5K3 w", "e2", "");
    // Into the centre along a file or rank, and out of it.
    assert_targets("3k5/9/9/9/9/9/9/9/C1P6/5K3 w", "a2", "d2 e2 f2 g2 h2 i2");
}

#[test]
fn j8_no_cannon_makes_the_first_move() {
    for rules in Janggi::ID.rule_sets() {
        let moves = legal_moves(&start(*rules, "nbbn"));
        assert!(moves.iter().all(|mv| !mv.starts_with("b3") && !mv.starts_with("h3")), "{moves:?}");
    }
}

#[test]
fn j8_two_cannons_in_line_give_no_check() {
    let game = read(RuleSet::Points, "4k4/9/9/9/4C4/4C4/9/9/9/3K5 b");
    assert!(!game.is_check());
    let screened = read(RuleSet::Points, "4k4/9/9/9/4P4/4C4/9/9/9/3K5 b");
    assert!(screened.is_check());
}

#[test]
fn j9_a_pawn_steps_forward_or_sideways() {
    assert_targets("5k3/9/9/9/9/9/2P6/9/9/3K5 w", "c4", "b4 c5 d4");
    assert_targets("5k3/9/9/9/9/9/P8/9/9/3K5 w", "a4", "a5 b4");
    assert_targets("5k3/9/9/2p6/9/9/9/9/9/3K5 b", "c7", "b7 c6 d7");
    // It takes as it moves.
    assert_targets("5k3/9/9/9/9/2p6/1pPp5/2p6/9/3K5 w", "c4", "b4 c5 d4");
}

#[test]
fn j9_a_pawn_steps_forward_along_the_diagonals_of_the_enemy_palace() {
    assert_targets("5k3/9/3P5/9/9/9/9/9/9/4K4 w", "d8", "c8 d9 e8 e9");
    assert_targets("9/4P4/3k5/9/9/9/9/9/9/4K4 w", "e9", "d9 e10 f9 d10 f10");
    assert_targets("9/3P5/5k3/9/9/9/9/9/9/4K4 w", "d9", "c9 d10 e9");
    assert_targets("4k4/9/9/9/9/9/9/5p3/9/3K5 b", "f3", "e3 f2 g3 e2");
}

#[test]
fn j9_a_pawn_on_the_last_rank_goes_sideways() {
    assert_targets("3P5/9/5k3/9/9/9/9/9/9/4K4 w", "d10", "c10 e10");
    assert_targets("4k4/9/9/9/9/9/9/9/5K3/p8 b", "a1", "b1");
}

#[test]
fn j14_cho_moves_first_from_the_bottom() {
    let game = start(RuleSet::Martin1995, "nbbn");
    assert_eq!(game.side_to_move(), Side::First);
    assert_eq!(game.piece_on(PalaceSquare::new(4, 1)), Some((Side::First, PalaceKind::King)));
    assert!(legal_moves(&game).contains(&"a4a5".to_owned()));
}
