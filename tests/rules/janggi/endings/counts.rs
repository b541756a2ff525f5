//! What is counted: points, repetitions, plies without a capture.

use sanki::games::rules::{Game, Reason, Side};

use super::{
    super::{read, start},
    Casual, Kakao, Martin1995, Points, Traditional, draw, outcome, points, win,
};

/// `moves`, `times` times over.
fn repeated(moves: &str, times: usize) -> String {
    vec![moves; times].join(" ")
}

#[test]
fn points_thirteen_seven_five_three_three_two_and_one_and_a_half() {
    assert_eq!(start(Points, "nbbn").points(), [72.0, 73.5]);
    let counts = [("R", 13.0), ("C", 7.0), ("N", 5.0), ("B", 3.0), ("A", 3.0), ("P", 2.0)];
    for (letter, count) in counts {
        let fen = format!("5k3/9/9/9/9/9/9/3{letter}5/4K4/9 w - - 0 1");
        assert_eq!(read(Points, &fen).points(), [count, 1.5], "{letter}");
    }
}

#[test]
fn points_a_lead_of_one_is_not_enough() {
    let end = |fen: &str| outcome(Points, fen, "d1d1 f9f9");
    let none = "9/5k3/9/2n6/9/9/6N2/9/9/3K5 w - - 0 1";
    assert_eq!(end(none), points(Side::Second, Reason::DoublePass, [5.0, 6.5]));
    let one = "9/5k3/9/2b6/9/9/P1P6/9/9/3K5 w - - 0 1";
    assert_eq!(end(one), points(Side::Second, Reason::DoublePass, [4.0, 4.5]));
    let two = "9/5k3/9/2b6/9/9/6N2/9/9/3K5 w - - 0 1";
    assert_eq!(end(two), points(Side::First, Reason::DoublePass, [5.0, 4.5]));
}

/// A king and a guard that shuffle, and two pawns that keep the kings from facing.
const SHUFFLE: &str = "9/3ak4/9/4p4/4P4/9/9/9/4KA3/9 w - - 0 1";
const SHUFFLING: &str = "f2f1 d9d10 f1f2 d10d9";

#[test]
fn repetition_at_the_third_occurrence_by_points_or_drawn() {
    for (rules, end) in [
        (Points, points(Side::Second, Reason::Repetition, [5.0, 6.5])),
        (Traditional, draw(Reason::Repetition)),
        (Casual, draw(Reason::Repetition)),
    ] {
        assert_eq!(outcome(rules, SHUFFLE, SHUFFLING), None, "{rules}");
        assert_eq!(outcome(rules, SHUFFLE, &repeated(SHUFFLING, 2)), end, "{rules}");
    }
}

#[test]
fn repetition_at_the_fourth_occurrence_in_kakao_and_martin1995() {
    for (rules, end) in [
        (Kakao, points(Side::Second, Reason::Repetition, [5.0, 6.5])),
        (Martin1995, draw(Reason::Repetition)),
    ] {
        assert_eq!(outcome(rules, SHUFFLE, &repeated(SHUFFLING, 2)), None, "{rules}");
        assert_eq!(outcome(rules, SHUFFLE, &repeated(SHUFFLING, 3)), end, "{rules}");
    }
}

/// Cho's rook checks from d6 and e6 in turn, Han's king goes to and fro.
const CHECKS: &str = "9/3k5/9/9/4R4/9/9/9/5K3/9 w - - 0 1";

#[test]
fn perpetual_check_loses() {
    let loops = "e6d6 d9e9 d6e6 e9d9";
    for rules in [Points, Traditional, Casual] {
        assert_eq!(outcome(rules, CHECKS, &repeated(loops, 1)), None, "{rules}");
        assert_eq!(
            outcome(rules, CHECKS, &repeated(loops, 2)),
            win(Side::Second, Reason::PerpetualCheck),
            "{rules}"
        );
    }
    // The rook goes to and fro besides, which ends it one move before the fourth occurrence.
    let kakao = outcome(Kakao, CHECKS, &format!("{} e6d6", repeated(loops, 2)));
    assert_eq!(kakao, win(Side::Second, Reason::PerpetualCheck));
    assert_eq!(outcome(Martin1995, CHECKS, &repeated(loops, 3)), draw(Reason::Repetition));
}

#[test]
fn kakao_the_side_that_moves_a_piece_to_and_fro_loses() {
    let fen = "9/4k4/9/4p3r/4P4/9/9/9/4K4/R8 w - - 0 1";
    // The rook of Cho comes to a2 for the third time before that of Han does to i8.
    let loops = "a1a2 i7i8 a2a1 i8i7";
    let moves = format!("{} a1a2", repeated(loops, 2));
    assert_eq!(outcome(Kakao, fen, &repeated(loops, 2)), None);
    let from_elsewhere = fen.replace("R8", "9").replace("4K4", "R3K4");
    assert_eq!(outcome(Kakao, &from_elsewhere, "a2a3 i7i8 a3a2 i8i7 a2a3 i7i8 a3a2 i8i7"), None);
    assert_eq!(outcome(Kakao, fen, &moves), win(Side::Second, Reason::ToAndFro));
    for rules in [Points, Traditional, Casual] {
        assert_eq!(outcome(rules, fen, &repeated(loops, 2)).unwrap().reason, Reason::Repetition, "{rules}");
    }
}

#[test]
fn kakao_kings_and_guards_may_go_to_and_fro() {
    let fen = "9/3ak4/9/4p3r/4P4/9/9/9/4KA3/9 w - - 0 1";
    // The rook of Han goes round instead.
    let moves = "f2f1 i7i8 f1f2 i8h8 f2f1 h8h7 f1f2 h7h6 f2f1 h6i6";
    assert_eq!(outcome(Kakao, fen, moves), None);
}

#[test]
fn plies_without_a_capture_end_the_game() {
    let limits = [(Points, 100), (Traditional, 100), (Kakao, 200), (Casual, 100), (Martin1995, 200)];
    for (rules, limit) in limits {
        let fen = |clock: u32| format!("4k4/9/9/4p3r/4P4/9/9/9/4K4/R8 w - - {clock} 1");
        assert_eq!(read(rules, &fen(0)).move_limit(), limit);
        assert_eq!(outcome(rules, &fen(limit - 2), "a1a2"), None, "{rules}");
        let end = outcome(rules, &fen(limit - 2), "a1a2 i7i8").expect("the limit");
        assert_eq!(end.reason, Reason::MoveLimit, "{rules}");
        assert_eq!(end.points, [Points, Kakao].contains(&rules).then_some([15.0, 16.5]), "{rules}");
        // A capture begins anew; a pass does not.
        assert_eq!(outcome(rules, &fen(limit - 2), "a1i1 i7i1"), None, "{rules}");
    }
    let passed = outcome(Points, "4k4/9/9/4p3r/4P4/9/9/9/4K4/R8 w - - 98 1", "e2e2 i7i8");
    assert_eq!(passed, points(Side::Second, Reason::MoveLimit, [15.0, 16.5]));
}

#[test]
fn checkmate_comes_before_the_move_limit() {
    let fen = "4k4/R8/9/9/9/9/8R/9/3K5/9 w - - 99 1";
    assert_eq!(outcome(Points, fen, "i4i10"), win(Side::First, Reason::Checkmate));
}

#[test]
fn adjudication_by_points_in_points_and_kakao_drawn_elsewhere() {
    for rules in [Points, Kakao] {
        let end = start(rules, "nbbn").adjudicate();
        assert_eq!(Some(end), points(Side::Second, Reason::Adjudicated, [72.0, 73.5]), "{rules}");
    }
    for rules in [Traditional, Casual, Martin1995] {
        assert_eq!(Some(start(rules, "nbbn").adjudicate()), draw(Reason::Adjudicated), "{rules}");
    }
}
