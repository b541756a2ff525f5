//! Repetition after the text of 1994 (T4): "If a 'loop' occurs in the game, the attacking piece must end the
//! loop after the loop has occurred three times in a row." Three times over, its first position stands for the
//! fourth time; the fifth time it has not been ended.

use sanki::games::rules::{Game, Outcome, Reason, RuleSet, Side, xiangqi::Xiangqi};

use super::{START, cycles::repeat};

/// How a loop of four plies ends; always at the fifth occurrence.
fn judge(fen: &str, moves: &str) -> Outcome {
    let (plies, outcome) = repeat::<Xiangqi>(RuleSet::Wang1994, fen, moves);
    assert_eq!(plies, 16, "{fen}");
    outcome
}

const DRAW: Outcome = Outcome::draw(Reason::Repetition);
const CHECKED: Outcome = Outcome::win(Side::Second, Reason::PerpetualCheck);
const THREATENED: Outcome = Outcome::win(Side::Second, Reason::PerpetualChase);

#[test]
fn x12_wang1994_a_loop_without_an_attacker_draws_at_the_fifth_occurrence() {
    assert_eq!(judge(START, "a1a2 a10a9 a2a1 a9a10"), DRAW);
}

#[test]
fn x12_wang1994_the_side_that_checks_has_to_end_the_loop() {
    assert_eq!(judge("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1", "a9a10 d10d9 a10a9 d9d10"), CHECKED);
}

#[test]
fn x12_wang1994_a_loop_that_is_ended_after_its_third_time_costs_nothing() {
    let mut game = Xiangqi::from_fen(RuleSet::Wang1994, "3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1").expect("a FEN");
    let thrice = ["a9a10", "d10d9", "a10a9", "d9d10"].repeat(3);
    for text in thrice.into_iter().chain(["a9a8", "d10d9"]) {
        assert_eq!(game.outcome(), None, "before {text}");
        game.play(game.parse_move(text).expect(text));
    }
    assert_eq!(game.outcome(), None);
}

#[test]
fn x12_wang1994_the_side_that_threatens_the_same_piece_has_to_end_the_loop() {
    let chase = "a6a8 b8b6 a8a6 b6b8";
    assert_eq!(judge("5k3/9/1c7/9/R8/9/9/9/9/3K5 w - - 0 1", chase), THREATENED);
    assert_eq!(judge("1r3k3/9/1c7/9/R8/9/9/9/9/3K5 w - - 0 1", chase), THREATENED, "protected or not");
    let pawn = judge("5k3/9/9/7r1/8P/9/9/9/9/3K5 w - - 0 1", "i6h6 h7i7 h6i6 i7h7");
    assert_eq!(pawn, THREATENED, "a soldier is an attacking piece");
    let at_home = judge("3k5/9/9/C3p4/9/4N4/9/4C4/9/5K3 w - - 0 1", "e5d7 d10d9 d7e5 d9d10");
    assert_eq!(at_home, THREATENED, "a soldier that has not crossed is a piece");
}

#[test]
fn x12_wang1994_generals_advisers_and_elephants_are_no_attacking_pieces() {
    let general = judge("3k5/9/9/9/9/9/9/3A1A3/5K3/4p4 w - - 0 1", "f2e2 e1f1 e2f2 f1e1");
    assert_eq!(general, DRAW);
    let elephants = judge("3kr4/9/9/9/9/6B2/5C3/4r4/9/5KB2 w - - 0 1", "f4f2 d10d9 f2f4 d9d10");
    assert_eq!(elephants, DRAW);
}

#[test]
fn x12_wang1994_check_and_threat_add_up() {
    let fen = "8R/5k3/9/9/3n5/9/9/9/9/3K5 w - - 0 1";
    assert_eq!(judge(fen, "i10i6 f9f10 i6i10 f10f9"), THREATENED, "a check, then the same knight");
    assert_eq!(judge(&fen.replace('n', "1"), "i10i6 f9f10 i6i10 f10f9"), DRAW, "a check, then nothing");
}

#[test]
fn x12_wang1994_two_pieces_in_turn_name_no_side() {
    assert_eq!(judge("5k3/9/1c7/9/Rc7/9/9/9/9/3K5 w - - 0 1", "a6a8 f10f9 a8a6 f9f10"), DRAW);
}

#[test]
fn x12_wang1994_a_threat_that_stands_is_not_made_by_every_move() {
    assert_eq!(judge("5k3/9/1c7/9/9/1R7/9/9/9/3K5 w - - 0 1", "b5b4 f10f9 b4b5 f9f10"), DRAW);
}

#[test]
fn x12_wang1994_two_attackers_draw() {
    let fen = "3k5/9/6c2/2n5C/6n2/2N6/c5N2/2C6/9/4K4 w - - 0 1";
    assert_eq!(judge(fen, "c5d7 g6f4 d7c5 f4g6"), DRAW);
}
