//! J10 and J11: check, checkmate and passes.

use sanki::games::rules::{Game, Reason, Side};

use super::{
    super::{legal_moves, play, read, start},
    ALL, Casual, Kakao, Martin1995, Points, Traditional, draw, is_legal, outcome, points, win,
};

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
