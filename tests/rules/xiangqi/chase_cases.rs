//! Perpetual chase after the Asian federation, clause by clause: for each a loop that is a chase and one that a
//! single change makes none.

use sanki::games::rules::{Outcome, Reason, RuleSet, Side, xiangqi::Xiangqi};

use super::cycles::repeat;

const DRAW: Outcome = Outcome::draw(Reason::Repetition);
/// Red has chased, or Black.
const RED_LOSES: Outcome = Outcome::win(Side::Second, Reason::PerpetualChase);
const BLACK_LOSES: Outcome = Outcome::win(Side::First, Reason::PerpetualChase);

/// How a loop from a board ends; at the third occurrence of its first position.
fn judge(board_and_side: &str, moves: &str) -> Outcome {
    let fen = format!("{board_and_side} - - 0 1");
    let (plies, outcome) = repeat::<Xiangqi>(RuleSet::Axf, &fen, moves);
    assert_eq!(plies as usize, 2 * moves.split(' ').count(), "{fen}");
    outcome
}

/// A rook follows a cannon, or what stands in its place, from rank to rank.
const FOLLOWS: &str = "a6a8 b8b6 a8a6 b6b8";
/// A knight between two cannons and their target on the files a to e: it is the screen of one, then of the other.
const SCREENS: &str = "e5d7 d10d9 d7e5 d9d10";

#[test]
fn x12_axf_chasing_an_unprotected_piece_loses() {
    assert_eq!(judge("5k3/9/1c7/9/R8/9/9/9/9/3K5 w", FOLLOWS), RED_LOSES);
    assert_eq!(judge("3k5/9/9/9/9/r8/9/1C7/9/5K3 b", "a5a3 b3b5 a3a5 b5b3"), BLACK_LOSES);
    assert_eq!(judge("5k3/9/9/9/Rc7/9/9/9/9/3K5 b", "b6b8 a6a8 b8b6 a8a6"), RED_LOSES, "whoever begins");
}

#[test]
fn x12_axf_a_protected_piece_is_not_chased() {
    assert_eq!(judge("1r3k3/9/1c7/9/R8/9/9/9/9/3K5 w", FOLLOWS), DRAW);
}

#[test]
fn x12_axf_a_chase_is_made_by_every_move_of_the_loop() {
    assert_eq!(judge("5k3/9/1c6r/9/R8/9/9/9/9/3K5 w", FOLLOWS), DRAW, "protected on one of its squares");
    let fen = "5k3/9/1c7/9/9/R8/9/9/9/3K5 w";
    assert_eq!(judge(fen, "a5a8 b8b6 a8a6 b6b5 a6a5 b5b8"), RED_LOSES, "six plies");
    assert_eq!(judge(fen, "a5a8 b8b6 a8a7 b6b5 a7a5 b5b8"), DRAW, "one move attacks nothing");
}

#[test]
fn x12_axf_all_that_was_played_since_the_first_occurrence_counts() {
    let twice = format!("{FOLLOWS} a6a5 f10f9 a5a6 f9f10");
    let (plies, outcome) = repeat::<Xiangqi>(RuleSet::Axf, "5k3/9/1c7/9/R8/9/9/9/9/3K5 w - - 0 1", &twice);
    assert_eq!((plies, outcome), (8, DRAW));
}

#[test]
fn x12_axf_a_rook_is_chased_by_knight_or_cannon_though_protected() {
    let by_knight = "h6f5 g7g8 f5h6 g8g7";
    assert_eq!(judge("3ak1r2/9/9/6r2/7N1/9/9/9/9/5K3 w", by_knight), RED_LOSES);
    assert_eq!(judge("3ak1r2/9/9/6c2/7N1/9/9/9/9/5K3 w", by_knight), DRAW, "a cannon is worth no more");
    assert_eq!(judge("3ak4/9/9/6c2/7N1/9/9/9/9/5K3 w", by_knight), RED_LOSES, "but has to be protected");
    let by_cannon = "a5a7 e7e5 a7a5 e5e7";
    assert_eq!(judge("3kr4/9/9/2P1r4/9/C1P6/9/9/9/5K3 w", by_cannon), RED_LOSES);
    assert_eq!(judge("3kr4/9/9/2P1c4/9/C1P6/9/9/9/5K3 w", by_cannon), DRAW);
}

#[test]
fn x12_axf_any_piece_is_chased_by_one_that_is_worth_less() {
    // The cannon opens one bishop's way to e3 and closes the other's.
    let opens = "f4f2 d10d9 f2f4 d9d10";
    assert_eq!(judge("3kr4/9/9/9/9/6B2/5C3/4r4/9/5KB2 w", opens), RED_LOSES);
    assert_eq!(judge("3kr4/9/9/9/9/6B2/5C3/4c4/9/5KB2 w", opens), RED_LOSES);
    assert_eq!(judge("3kr4/9/9/9/9/6B2/5C3/4p4/9/5KB2 w", opens), DRAW, "a pawn is worth no more");
    assert_eq!(judge("3k5/9/9/9/9/6B2/5C3/4p4/9/5KB2 w", opens), RED_LOSES, "but has to be protected");
}

#[test]
fn x12_axf_kings_and_pawns_do_not_chase() {
    assert_eq!(judge("5k3/9/9/7r1/8P/9/9/9/9/3K5 w", "i6h6 h7i7 h6i6 i7h7"), DRAW);
    assert_eq!(judge("3k5/9/9/9/9/9/9/3A1A3/5K3/4p4 w", "f2e2 e1f1 e2f2 f1e1"), DRAW);
    let opens = "c6d6 c9d9 d6c6 d9c9";
    assert_eq!(judge("5k3/2c6/9/9/2P6/9/9/9/9/2RRK4 w", opens), RED_LOSES, "the rooks behind the pawn do");
}

#[test]
fn x12_axf_a_pawn_that_has_not_crossed_is_not_chased() {
    assert_eq!(judge("3k5/9/9/C3p4/9/4N4/9/4C4/9/5K3 w", SCREENS), DRAW);
    assert_eq!(judge("3k5/9/9/C3n4/9/4N4/9/4C4/9/5K3 w", SCREENS), RED_LOSES, "a knight there is");
    let crossed = judge("3k5/9/9/9/9/C3p4/9/4N4/9/4CK3 w", "e3d5 d10d9 d5e3 d9d10");
    assert_eq!(crossed, RED_LOSES, "and so is a pawn beyond the river");
}

#[test]
fn x12_axf_check_is_no_chase_of_the_king() {
    let one_check = "i10i6 f9f10 i6i10 f10f9";
    assert_eq!(judge("8R/5k3/9/9/3n5/9/9/9/9/3K5 w", one_check), DRAW, "a check and a chase in turn");
    let both = "e5d7 e9f9 d7e5 f9e9";
    assert_eq!(
        judge("9/4k4/9/C3n4/9/4N4/9/4C4/9/3K5 w", both),
        RED_LOSES,
        "a check that attacks the piece too"
    );
    let protected = "9/4k4/9/C3n2r1/9/4N4/9/4C4/9/3K5 w";
    assert_eq!(judge(protected, both), DRAW, "a check does not take the protection away");
}

#[test]
fn x12_axf_a_piece_that_could_take_back_is_not_chased() {
    assert_eq!(judge("5k3/9/1r7/9/R8/9/9/9/9/3K5 w", FOLLOWS), DRAW);
    let pinned = judge("5k3/9/5r3/9/R8/9/9/9/9/3K1R3 w", "a6a8 f8f6 a8a6 f6f8");
    assert_eq!(pinned, RED_LOSES, "it could not, pinned to its king");
    // A cannon opens the way of one knight and closes the other's.
    let opens = "d4d6 f10f9 d6d4 f9f10";
    assert_eq!(judge("5k3/9/9/3N5/9/4n4/3C5/3N5/9/3K5 w", opens), DRAW);
    let blocked = judge("5k3/9/9/3N5/4P4/4n4/3Cp4/3N5/9/3K5 w", opens);
    assert_eq!(blocked, RED_LOSES, "the knights in the corners attack, the one between is blocked");
}

#[test]
fn x12_axf_a_pinned_protector_does_not_protect() {
    assert_eq!(judge("Rr3k3/9/1c7/9/R8/9/9/9/9/3K5 w", FOLLOWS), RED_LOSES);
    assert_eq!(judge("1r3k3/9/1c7/9/R8/9/9/9/9/3K5 w", FOLLOWS), DRAW);
}

#[test]
fn x12_axf_a_king_does_not_protect_where_it_may_not_go() {
    // The knight opens one rook's way to e8 and closes the other's; the king stands on e9.
    let opens = "d8e6 i5i4 e6d8 i4i5";
    assert_eq!(judge("9/4k4/R2Nn4/9/9/8c/9/4R4/9/3K5 w", opens), DRAW);
    assert_eq!(judge("9/4k4/R2NnP3/9/9/8c/9/4R4/9/3K5 w", opens), RED_LOSES, "a pawn covers e8");
}

#[test]
fn x12_axf_an_attacker_that_may_not_take_does_not_attack() {
    let follows = "d6d8 b8b6 d8d6 b6b8";
    assert_eq!(judge("5k3/9/1c7/9/3R5/9/9/9/9/3K5 w", follows), RED_LOSES);
    assert_eq!(judge("3r1k3/9/1c7/9/3R5/9/9/9/9/3K5 w", follows), DRAW, "the rook is pinned to its king");
}

#[test]
fn x12_axf_only_new_attacks_chase() {
    let draws_back = judge("5k3/9/1c7/9/9/1R7/9/9/9/3K5 w", "b5b4 f10f9 b4b5 f9f10");
    assert_eq!(draws_back, DRAW, "the rook has always attacked the cannon");
    let knight = "3ak4/4a4/6n1b/9/6R2/9/9/3A1A3/4K4/9 w";
    assert_eq!(judge(knight, "g6g4 g8f6 g4g6 f6g8"), DRAW, "the knight comes to the rook's file by itself");
}

#[test]
fn x12_axf_an_attack_that_is_laid_open_is_new() {
    assert_eq!(judge("3k5/9/9/C3n4/9/4N4/9/4C4/9/5K3 w", SCREENS), RED_LOSES);
    assert_eq!(judge("3k5/9/9/4n4/9/4N4/9/4C4/9/5K3 w", SCREENS), DRAW, "every other move is not enough");
}

#[test]
fn x12_axf_two_pieces_in_turn_are_no_chase() {
    assert_eq!(judge("5k3/9/1c7/9/Rc7/9/9/9/9/3K5 w", "a6a8 f10f9 a8a6 f9f10"), DRAW);
    assert_eq!(judge("5k3/9/1c7/9/R8/1c7/9/9/9/3K5 w", FOLLOWS), RED_LOSES, "the same one wherever it goes");
}

#[test]
fn x12_axf_both_sides_chasing_draw() {
    // The same on either wing: a knight serves two cannons as their screen.
    let chase = "c5d7 g6f4 d7c5 f4g6";
    assert_eq!(judge("3k5/9/6c2/2n5C/6n2/2N6/c5N2/2C6/9/4K4 w", chase), DRAW);
    assert_eq!(judge("3k5/9/9/2n5C/6n2/2N6/c5N2/2C6/9/4K4 w", chase), RED_LOSES, "Black has a cannon less");
}

#[test]
fn x12_axf_perpetual_check_outranks_chase() {
    // Red checks from file to file; the king's step opens the ways of Black's cannons to the rook.
    let checks = "a9a10 e10e9 a10a9 e9e10";
    let outcome = judge("4ka2c/R4n2c/9/9/9/9/9/9/9/3K5 w", checks);
    assert_eq!(outcome, Outcome::win(Side::Second, Reason::PerpetualCheck));
}
