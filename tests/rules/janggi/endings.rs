//! J10 to J13 and the rule sets: checks, passes, facing kings and how games end, one test for each clause.

use sanki::games::rules::{Game, Outcome, Reason, RuleSet, Side, janggi::Janggi};

use super::{legal_moves, play, read, start};

use RuleSet::{Casual, Kakao, Martin1995, Points, Traditional};

const ALL: [RuleSet; 5] = [Points, Traditional, Kakao, Casual, Martin1995];

/// The game after `moves`.
fn after(rules: RuleSet, fen: &str, moves: &str) -> Janggi {
    let mut game = read(rules, fen);
    play(&mut game, moves);
    game
}

fn outcome(rules: RuleSet, fen: &str, moves: &str) -> Option<Outcome> {
    after(rules, fen, moves).outcome()
}

fn is_legal(rules: RuleSet, fen: &str, mv: &str) -> bool {
    legal_moves(&read(rules, fen)).iter().any(|legal| legal == mv)
}

/// `moves`, `times` times over.
fn repeated(moves: &str, times: usize) -> String {
    vec![moves; times].join(" ")
}

fn points(winner: Side, reason: Reason, points: [f32; 2]) -> Option<Outcome> {
    Some(Outcome { points: Some(points), ..Outcome::win(winner, reason) })
}

fn win(winner: Side, reason: Reason) -> Option<Outcome> {
    Some(Outcome::win(winner, reason))
}

fn draw(reason: Reason) -> Option<Outcome> {
    Some(Outcome::draw(reason))
}

/// A rook on each file beside the king's, one of which can give check and so leave its file to the king.
const CHECK_IN_ONE: &str = "4k4/9/9/3R5/9/9/5R3/9/3K5/9 w - - 0 1";

#[test]
fn j10_checkmate_wins() {
    for rules in ALL {
        assert_eq!(outcome(rules, CHECK_IN_ONE, "f4e4"), None, "the king goes to f10");
        let fen = "4k4/R8/9/9/9/9/8R/9/3K5/9 w - - 0 1";
        assert_eq!(outcome(rules, fen, "i4i10"), win(Side::First, Reason::Checkmate), "{rules}");
    }
}

#[test]
fn j10_a_check_must_be_answered() {
    // Move away, come between or take: nothing else, the pass neither.
    let fen = "4k4/9/9/9/4r4/9/2N6/9/4K4/R8 w - - 0 1";
    for rules in ALL {
        let moves = legal_moves(&read(rules, fen));
        assert_eq!(moves.join(" "), "c4e3 c4e5 e2d1 e2d2 e2d3 e2f1 e2f2 e2f3", "{rules}");
    }
}

#[test]
fn j11_modern_a_side_may_pass_unless_in_check() {
    for rules in [Points, Traditional, Kakao, Casual] {
        assert!(legal_moves(&start(rules, "nbbn")).contains(&"e2e2".to_owned()), "{rules}");
        assert!(!is_legal(rules, "3k5/9/9/9/4r4/9/9/9/4K4/9 w - - 0 1", "e2e2"), "{rules}");
    }
}

/// The king on d1 can go nowhere, and is not in check.
const CORNERED: &str = "9/5k3/9/9/9/4r4/9/9/8r/3K5 w - - 0 1";

#[test]
fn j11_martin1995_a_pass_needs_that_no_other_move_is_legal() {
    assert!(!legal_moves(&start(Martin1995, "nbbn")).contains(&"e2e2".to_owned()));
    assert_eq!(legal_moves(&read(Martin1995, CORNERED)), ["d1d1"]);
    // Any other piece that can move, however badly, has to.
    let with_pawn = CORNERED.replace("4r4", "P3r4");
    assert_eq!(legal_moves(&read(Martin1995, &with_pawn)), ["a5a6", "a5b5"]);
    assert_eq!(legal_moves(&read(Points, &with_pawn)), ["a5a6", "a5b5", "d1d1"]);
}

#[test]
fn j11_martin1995_no_pass_out_of_check() {
    // A knight from c3 checks the king that is shut in.
    let checked = CORNERED.replace("9/9/8r", "9/2n6/8r");
    assert!(read(Martin1995, &checked).is_check());
    assert_eq!(outcome(Martin1995, &checked, ""), win(Side::Second, Reason::Checkmate));
}

#[test]
fn j11_two_passes_in_a_row_end_the_game() {
    // 72 against 73.5.
    for rules in [Points, Kakao] {
        let game = start(rules, "nbbn");
        assert_eq!(outcome(rules, &game.fen(), "e2e2"), None);
        let end = points(Side::Second, Reason::DoublePass, [72.0, 73.5]);
        assert_eq!(outcome(rules, &game.fen(), "e2e2 e9e9"), end);
    }
    for rules in [Traditional, Casual] {
        assert_eq!(outcome(rules, &start(rules, "nbbn").fen(), "e2e2 e9e9"), draw(Reason::DoublePass));
    }
    // Not with a move between.
    assert_eq!(outcome(Points, &start(Points, "nbbn").fen(), "e2e2 a7b7 e2e2 b7a7"), None);
}

/// The board is the same, but here a pass ends the game and there it does not: a search must not mix them up.
#[test]
fn j11_after_a_pass_the_state_key_differs() {
    let mut passed = start(Points, "nbbn");
    play(&mut passed, "pass");
    let mut skipped = start(Points, "nbbn");
    assert!(skipped.make_null_move());
    assert_eq!(passed.key(), skipped.key());
    assert_ne!(passed.state_key(), skipped.state_key());
    assert_eq!(skipped.state_key(), read(Points, &skipped.fen()).state_key());
    for (mut game, ends) in [(passed, true), (skipped, false)] {
        play(&mut game, "pass");
        assert_eq!(game.outcome().is_some(), ends);
    }
}

/// Hardly a position leaves both sides without another move: the passes are played where others are legal.
#[test]
fn j11_martin1995_two_passes_in_a_row_draw() {
    let mut game = start(Martin1995, "nbbn");
    let mut passing = start(Points, "nbbn");
    for end in [None, draw(Reason::DoublePass)] {
        let pass = passing.parse_move("pass").expect("legal there");
        passing.play(pass);
        game.play(pass);
        assert_eq!(game.outcome(), end);
    }
}

/// A pawn that stands between the kings.
const BETWEEN: &str = "9/4k4/9/9/4P4/9/9/9/4K4/9 w - - 0 1";

#[test]
fn j12_points_a_faced_king_breaks_the_line_or_accepts() {
    for rules in [Points, Traditional] {
        let game = after(rules, BETWEEN, "e6d6");
        assert!(game.kings_face() && !game.is_check() && game.outcome().is_none());
        assert_eq!(legal_moves(&game).join(" "), "e9d10 e9d8 e9d9 e9e9 e9f10 e9f8 e9f9", "{rules}");
    }
    assert_eq!(outcome(Points, BETWEEN, "e6d6 e9e9"), points(Side::First, Reason::Bikjang, [2.0, 1.5]));
    assert_eq!(outcome(Traditional, BETWEEN, "e6d6 e9e9"), draw(Reason::Bikjang));
    // Another piece may come between; a king that was faced may face in its turn.
    assert!(is_legal(Points, "9/4k4/9/9/r8/9/9/9/4K4/9 b - - 0 1", "a6e6"));
    assert!(!is_legal(Points, "9/4k4/9/9/r8/9/9/9/4K4/9 b - - 0 1", "a6d6"));
    assert_eq!(outcome(Points, BETWEEN, "e6d6 e9f9 e2f2"), None);
}

#[test]
fn j12_points_a_pass_accepts_even_in_check() {
    let checked = "9/R3k4/9/9/9/9/9/9/4K4/9 b - - 0 1";
    assert!(read(Points, checked).is_check());
    assert_eq!(outcome(Points, checked, "e9e9"), points(Side::First, Reason::Bikjang, [13.0, 1.5]));
    assert_eq!(outcome(Traditional, checked, "e9e9"), draw(Reason::Bikjang));
    for rules in [Kakao, Casual, Martin1995] {
        assert!(!is_legal(rules, checked, "e9e9"), "{rules}");
    }
}

#[test]
fn j12_kakao_and_casual_know_no_facing() {
    for rules in [Kakao, Casual] {
        let game = after(rules, BETWEEN, "e6d6");
        assert!(legal_moves(&game).contains(&"e9e8".to_owned()), "{rules}: along the open file");
        assert_eq!(outcome(rules, BETWEEN, "e6d6 e9e9 d6d7"), None);
    }
}

#[test]
fn j12_martin1995_baring_gives_check() {
    let game = after(Martin1995, BETWEEN, "e6d6");
    assert!(game.is_check() && game.kings_face());
    assert_eq!(game.bared(), [true, false]);
    assert_eq!(legal_moves(&game).join(" "), "e9d10 e9d8 e9d9 e9f10 e9f8 e9f9", "no pass");
    let with_rook = after(Martin1995, "9/4k4/9/9/4P4/9/8r/9/4K4/9 w - - 0 1", "e6d6");
    let moves = legal_moves(&with_rook);
    assert!(moves.contains(&"i4e4".to_owned()), "coming between answers it");
    assert!(!moves.contains(&"i4i5".to_owned()), "another move does not");
}

#[test]
fn j12_martin1995_a_mate_by_the_side_that_bared_is_a_draw() {
    let moves = "e6d6 e9f10 a5a9 h7g7 i6i10";
    let bares = "9/4k4/9/7p1/4P3R/R8/9/9/4K4/9 w - - 0 1";
    assert_eq!(outcome(Martin1995, bares, moves), draw(Reason::BaredKings));
    assert_eq!(outcome(Points, bares, moves), win(Side::First, Reason::Checkmate));
    // The same mate without the baring wins.
    let beside = "9/4k4/9/7p1/4P3R/R8/9/9/3K5/9 w - - 0 1";
    assert_eq!(outcome(Martin1995, beside, moves), win(Side::First, Reason::Checkmate));
}

#[test]
fn j12_martin1995_the_other_side_can_still_win() {
    let fen = "9/4k4/9/9/4P4/r8/8r/9/4K4/9 w - - 0 1";
    let moves = "e6d6 e9f9 e2e1 i4i2 d6d7 a5a1";
    assert_eq!(after(Martin1995, fen, moves).bared(), [true, false]);
    assert_eq!(outcome(Martin1995, fen, moves), win(Side::Second, Reason::Checkmate));
}

#[test]
fn j12_martin1995_a_side_that_cannot_get_out_is_drawn_at_once() {
    // The rooks hold the files beside the king's.
    let fen = "9/4k4/9/9/3R1R3/4N4/9/9/4K4/9 w - - 0 1";
    assert_eq!(outcome(Martin1995, fen, "e5c4"), draw(Reason::BaredKings));
    assert_eq!(outcome(Points, fen, "e5c4"), None);
}

#[test]
fn j12_martin1995_drawn_when_both_have_bared() {
    assert_eq!(outcome(Martin1995, BETWEEN, "e6d6 e9f9 e2e1"), None);
    assert_eq!(outcome(Martin1995, BETWEEN, "e6d6 e9f9 e2e1 f9e9"), draw(Reason::BaredKings));
    // Twice the same side is no draw.
    let game = after(Martin1995, BETWEEN, "e6d6 e9f9 e2f2");
    assert_eq!((game.outcome(), game.bared()), (None, [true, false]));
}

#[test]
fn j12_martin1995_baring_never_answers_a_check() {
    // The king could only step onto the file of the other one.
    let fen = "9/4k4/9/9/9/3r5/9/9/9/3K5 w - - 0 1";
    assert_eq!(outcome(Martin1995, fen, ""), win(Side::Second, Reason::Checkmate));
    for rules in [Points, Traditional, Kakao, Casual] {
        assert_eq!(legal_moves(&read(rules, fen)), ["d1e1", "d1e2"], "{rules}");
    }
    // With a piece on that file it may.
    let screened = "9/4k4/9/9/4p4/3r5/9/9/9/3K5 w - - 0 1";
    assert_eq!(legal_moves(&read(Martin1995, screened)), ["d1e1", "d1e2"]);
    // The knight could come between, but it hides the kings from each other.
    let checked = "4k4/9/9/9/9/4N4/9/r3K4/9/9 w - - 0 1";
    assert!(!is_legal(Martin1995, checked, "e5d3"));
    assert!(is_legal(Points, checked, "e5d3"));
    assert!(is_legal(Martin1995, &checked.replace("4k4/9/9/9", "4k4/9/9/4P4"), "e5d3"), "another hides them");
    assert!(is_legal(Martin1995, &checked.replace("r3K4", "4K4"), "e5d3"), "without a check it may bare");
}

#[test]
fn j12_martin1995_bared_kings_in_a_fen_were_bared_by_the_side_not_to_move() {
    let game = read(Martin1995, "9/4k4/9/9/9/9/9/9/4K4/R8 b - - 0 1");
    assert_eq!((game.bared(), game.is_check()), ([true, false], true));
    assert_eq!(read(Points, "9/4k4/9/9/9/9/9/9/4K4/R8 b - - 0 1").bared(), [false, false]);
}

/// The rook on d9 mates; only facing the other king keeps Han's from taking it.
const GOLLON: &str = "3k5/R8/9/9/9/4R4/9/9/3K5/9 w - - 0 1";

#[test]
fn j13_martin1995_a_mate_that_only_the_own_king_guards_is_a_draw() {
    assert_eq!(outcome(Martin1995, GOLLON, "a9d9"), draw(Reason::BaredKings));
    // Where kings may face, the rook is taken.
    for rules in [Points, Traditional, Kakao, Casual] {
        assert_eq!(legal_moves(&after(rules, GOLLON, "a9d9")), ["d10d9"], "{rules}");
    }
}

#[test]
fn j13_martin1995_a_guarded_mating_piece_wins() {
    let guarded = GOLLON.replace("9/9/9/4R4", "9/2N6/9/4R4");
    assert_eq!(outcome(Martin1995, &guarded, "a9d9"), win(Side::First, Reason::Checkmate));
}

#[test]
fn j13_martin1995_it_is_no_mate_where_the_file_is_closed() {
    let closed = GOLLON.replace("9/9/9/4R4", "9/3P5/9/4R4");
    assert_eq!(outcome(Martin1995, &closed, "a9d9"), None);
    assert_eq!(legal_moves(&after(Martin1995, &closed, "a9d9")), ["d10d9"]);
}

#[test]
fn j13_martin1995_another_piece_that_would_bare_the_kings_counts_too() {
    // The guard on e9 could take on d10, the king could not: the other rook guards it.
    let fen = "4k4/4a4/9/9/9/3R5/3R5/9/4K4/9 w - - 0 1";
    assert_eq!(outcome(Martin1995, fen, "d5d10"), draw(Reason::BaredKings));
    let closed = "4k4/4a4/9/9/4P4/3R5/3R5/9/4K4/9 w - - 0 1";
    assert_eq!(legal_moves(&after(Martin1995, closed, "d5d10")), ["e9d10"]);
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
