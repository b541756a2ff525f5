//! J12 and J13: kings that face each other.

use sanki::games::rules::{Game, Reason, Side};

use super::{
    super::{legal_moves, read},
    Casual, Kakao, Martin1995, Points, Traditional, after, draw, is_legal, outcome, points, win,
};

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
