//! Repetition and the move limit: the cycles that Fairy-Stockfish has judged, and cases of our own.

use sanki::games::rules::{
    Game, Outcome, Reason, RuleSet, Side,
    xiangqi::{Minixiangqi, Xiangqi},
};
use serde::Deserialize;

use super::{
    MINI_START, START, read,
    verdicts::{CycleRow, rows},
};

/// A cycle, and what Fairy-Stockfish shows as chased after the two moves of the side that moves first.
#[derive(Deserialize)]
struct ChaseRow {
    #[serde(flatten)]
    cycle: CycleRow,
    a_chased: Vec<String>,
}

/// Cycles in which a rook draws back along the line on which it attacks, and Fairy-Stockfish sees a new attack:
/// it looks for pieces that the mover has laid open and finds the mover itself. Ours: the piece is not *newly*
/// attacked, for it could have been taken before the move. Board and first move of each.
const NOT_NEWLY_ATTACKED: [&str; 17] = [
    "3ak4/4a4/6n1b/9/6R2/9/9/3A1A3/4K4/9 g6g4",
    "2r1ka1n1/R2C3R1/4ba3/3C2N2/1PP3b2/4P1P2/9/4B3r/3N5/3AKAB1c h9h8",
    "3aka3/4n4/1r2bcn1b/2p3Cr1/p5p1p/2P1C3P/P3PcP2/R1N3N2/4A3R/2BAK1B2 h7h3",
    "1r1ak4/4a4/b1n1R4/p1R6/6C2/P1p3N1p/9/5C2N/4A4/3cKA3 e8h8",
    "4kabn1/4a2C1/2n6/3RN1p1P/p5b2/2P6/P3P1P2/B5N1B/1r7/3AKR3 b2g2",
    "2bak4/2C1a4/4b4/7np/2p1p4/p5P1P/9/r8/4A4/1R1AK1B2 a3g3",
    "3P3P1/4k4/3Pb1P2/9/8n/2B6/9/9/4NKR2/5AC2 g2g6",
    "2r6/9/3a1k3/3C5/9/9/9/B6p1/4A4/4KA3 c10c3",
    "3ak2P1/4aC3/6R1b/5P3/9/4p1B2/2p1r1n2/4B1n2/N3A4/4K4 g8d8",
    "3rk4/1R2an3/b1na4b/p2Pc4/2p6/6p1p/P3N1CNR/2C6/3K5/2BA1AB2 b9b8",
    "3rkab2/4a4/b8/6p2/p1p3PR1/4P1c2/P1P6/B1N3n2/9/3AKAB2 h6h3",
    "3ak4/4a4/4b3n/9/5Pb2/4n1B2/p6R1/5K3/4A4/3A5 h4e4",
    "3ak4/4aP3/r1n1b1R1b/4p4/p1pr2p2/P7c/N1P1PCP2/B7B/4AN3/R2AK3c g8f8",
    "9/3k5/C1nC5/4R1p1p/9/4p1P1P/9/3A1A3/9/3NK1B2 e7c7",
    "4k4/9/1c2ba3/1C5Rp/N1b4R1/8P/1pp3r1C/B5N2/5K3/3A5 g4g10",
    "2b1ka1R1/4a4/9/p1n1Nn3/8p/4p3c/4P4/4B1N2/4A4/2B1KA3 h10h7",
    "1nb2k3/1CR6/3Rc4/9/4p4/P5B2/4P4/2N3r2/4A4/4KA3 g3g1",
];

/// Cycles in which the piece that Fairy-Stockfish sees chased could take its attacker: a pawn beside a rook, and
/// a rook that is pinned by the very rook that attacks it. Ours: no chase where it could equally take back.
const COULD_TAKE_BACK: [&str; 2] = [
    "Cn3a3/4k4/3ab4/3r4P/2b2c3/4p1B2/2P6/3C3r1/2nK2N2/RN1A1AB2 h3h7",
    "2ba1a3/3kn4/r3b3n/p1Cr2p2/3R4p/P1P4p1/3RC3P/4BK1N1/2c6/5A3 d6f6",
];

#[test]
fn x12_axf_cycles_agree_but_for_named_clauses() {
    let (mut agreeing, mut chased) = (0, 0);
    for ChaseRow { cycle, a_chased } in rows("xiangqi_cycles.jsonl.zst") {
        let outcome = cycle.outcome::<Xiangqi>(RuleSet::Axf).expect("an end");
        let word = |text: &str| text.split(' ').next().map(str::to_owned).expect("a word");
        let name = format!("{} {}", word(&cycle.fen), word(&cycle.moves));
        let is_chased = !a_chased.is_empty();
        if NOT_NEWLY_ATTACKED.contains(&&*name) || COULD_TAKE_BACK.contains(&&*name) {
            assert!(is_chased && cycle.result != "1/2-1/2", "{name}");
            assert_eq!(outcome, Outcome::draw(Reason::Repetition), "{name}");
        } else {
            assert_eq!(outcome.verdict.as_str(), cycle.result, "{name}");
            agreeing += usize::from(is_chased);
        }
        assert!(is_chased || outcome.reason != Reason::PerpetualChase, "{name}");
        chased += usize::from(is_chased);
    }
    assert_eq!((agreeing, chased), (66, 85));
}

#[test]
fn x12_minixiangqi_cycles_agree() {
    for cycle in rows::<CycleRow>("minixiangqi_cycles.jsonl.zst") {
        let outcome = cycle.outcome::<Minixiangqi>(RuleSet::Standard).expect("an end");
        assert_eq!(outcome.verdict.as_str(), cycle.result, "{}", cycle.fen);
        assert!([Reason::Repetition, Reason::PerpetualCheck].contains(&outcome.reason), "{}", cycle.fen);
    }
}

/// Plays `moves` over and over until the game ends: after how many plies, and how.
pub fn repeat<G: Game>(rules: RuleSet, fen: &str, moves: &str) -> (u32, Outcome) {
    let mut game = G::from_fen(rules, fen).unwrap_or_else(|error| panic!("{error}"));
    for text in moves.split_whitespace().cycle().take(200) {
        if let Some(outcome) = game.outcome() {
            return (game.ply(), outcome);
        }
        game.play(game.parse_move(text).unwrap_or_else(|error| panic!("{error} in {fen}")));
    }
    panic!("no end of {fen}");
}

#[test]
fn x12_axf_the_third_occurrence_draws() {
    let expected = (8, Outcome::draw(Reason::Repetition));
    assert_eq!(repeat::<Xiangqi>(RuleSet::Axf, START, "a1a2 a10a9 a2a1 a9a10"), expected);
    assert_eq!(repeat::<Minixiangqi>(RuleSet::Standard, MINI_START, "b1b2 b7b6 b2b1 b6b7"), expected);
}

#[test]
fn x12_repetitions_are_counted_on_the_way() {
    let mut game: Xiangqi = read(START);
    let mut counts = Vec::new();
    for text in "a1a2 a10a9 a2a1 a9a10 a1a2 a10a9 a2a1".split(' ') {
        game.play(game.parse_move(text).expect(text));
        counts.push(game.repetitions());
    }
    assert_eq!(counts, [0, 0, 0, 1, 1, 1, 1]);
}

#[test]
fn x12_axf_perpetual_check_loses() {
    let lost = |side: Side| (8, Outcome::win(!side, Reason::PerpetualCheck));
    let axf = |fen, moves| repeat::<Xiangqi>(RuleSet::Axf, fen, moves);
    let checks = "a9a10 d10d9 a10a9 d9d10";
    assert_eq!(axf("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1", checks), lost(Side::First));
    assert_eq!(
        axf("4k4/9/9/9/9/9/9/9/r8/3K5 b - - 0 1", "a2a1 d1d2 a1a2 d2d1"),
        lost(Side::Second),
        "and so does Black's"
    );
    let answering_first = "d10d9 a10a9 d9d10 a9a10";
    assert_eq!(axf("R2k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1", answering_first), lost(Side::First));
    let draw = (8, Outcome::draw(Reason::Repetition));
    let one_quiet = "a8a10 d10d9 a10a8 d9d10";
    assert_eq!(axf("3k5/9/R8/9/9/9/9/9/9/4K4 w - - 0 1", one_quiet), draw);
    let mini =
        repeat::<Minixiangqi>(RuleSet::Standard, "2k4/R6/7/7/7/7/3K3 w - - 0 1", "a6a7 c7c6 a7a6 c6c7");
    assert_eq!(mini, lost(Side::First));
}

#[test]
fn x12_minixiangqi_knows_no_chase() {
    let fen = "2k4/7/1c5/7/R6/7/4K2 w - - 0 1";
    let outcome = repeat::<Minixiangqi>(RuleSet::Standard, fen, "a3a5 b5b3 a5a3 b3b5");
    assert_eq!(outcome, (8, Outcome::draw(Reason::Repetition)));
}

/// The game after `moves`, and the ply after which it first had an outcome.
fn play(rules: RuleSet, fen: &str, moves: &str) -> (u32, Option<Outcome>) {
    let mut game = Xiangqi::from_fen(rules, fen).unwrap_or_else(|error| panic!("{error}"));
    for text in moves.split_whitespace() {
        if game.outcome().is_some() {
            break;
        }
        game.play(game.parse_move(text).unwrap_or_else(|error| panic!("{error}")));
    }
    (game.ply(), game.outcome())
}

#[test]
fn axf_a_hundred_plies_without_a_capture_draw() {
    let limit = Some(Outcome::draw(Reason::MoveLimit));
    let fen = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 98 60";
    assert_eq!(play(RuleSet::Axf, fen, "a2a3 d10d9 a3a4"), (2, limit));
    let capture = "3k5/9/9/9/9/9/n8/9/R8/4K4 w - - 98 60";
    assert_eq!(play(RuleSet::Axf, capture, "a2a4 d10d9 a4a3"), (3, None), "a capture counts anew");
    let mate = "4k4/R8/9/9/9/9/9/9/9/1R1K5 w - - 99 60";
    let won = Outcome::win(Side::First, Reason::Checkmate);
    assert_eq!(play(RuleSet::Axf, mate, "b1b10"), (1, Some(won)), "mate goes before");
    assert_eq!(play(RuleSet::Wang1994, fen, "a2a3 d10d9 a3a4"), (3, None), "the text of 1994 knows no limit");
    assert_eq!(read::<Xiangqi>(START).move_limit(), Some(100));
    let over: Xiangqi = read("3k5/9/9/9/9/9/9/9/R8/4K4 w - - 100 61");
    assert_eq!((over.outcome(), over.fen().contains(" 100 61")), (limit, true), "from a FEN too");
    let mut mini: Minixiangqi = read("2k4/7/7/7/7/R6/3K3 w - - 99 60");
    mini.play(mini.parse_move("a2a3").expect("legal"));
    assert_eq!(mini.outcome(), limit);
}

/// A game without a capture in which Red gives twelve checks: two beyond ten, so four plies more. Fairy-Stockfish
/// ends it after the last move and not before.
const TWELVE_CHECKS: &str = "a2a10 d10d9 a10a9 d9d10 a9a1 d10d9 a1b1 d9d8 b1b8 d8d9 b8b9 d9d10 b9b10 d10d9 \
    b10b4 i4h6 b4b9 d9d8 b9b8 d8d9 e1f1 h6i4 b8d8 d9e9 d8d9 e9e10 d9d10 e10e9 d10e10 e9d9 e10e9 d9d8 e9g9 \
    i4g5 g9g10 g5h3 g10g9 h3i5 g9c9 i5h3 c9c5 h3f2 f1e1 f2g4 e1e2 d8d9 c5b5 d9d8 b5b10 g4e5 b10b5 e5d3 b5b1 \
    d3c5 b1e1 c5d7 e2d2 d8d9 e1e6 d9d10 e6e2 d10d9 e2f2 d9d8 d2d3 d8e8 f2f9 d7f6 f9c9 f6h7 c9i9 h7i5 i9g9 \
    i5g6 g9d9 g6h8 d9h9 e8f8 d3e3 h8g6 h9h10 g6i7 h10e10 i7g8 e10g10 g8f6 g10d10 f6g8 d10d3 g8h10 d3d2 h10i8 \
    d2d7 i8h10 d7d6 f8f9 d6h6 f9f8 e3d3 h10i8 h6d6 i8g9 d3d2 g9f7";

#[test]
fn axf_checks_beyond_ten_lengthen_the_limit() {
    let fen = "3k5/9/9/9/9/9/8n/9/R8/4K4 w - - 0 1";
    let limit = Some(Outcome::draw(Reason::MoveLimit));
    assert_eq!(play(RuleSet::Axf, fen, TWELVE_CHECKS), (104, limit));
    assert_eq!(TWELVE_CHECKS.split_whitespace().count(), 104);
}

/// Only the side with more checks counts: Red gives four and Black ten, so the limit stays.
#[test]
fn axf_checks_of_both_sides_are_not_added() {
    let moves = "a2d2 i6d6 e1d1 d6d3 d1e1 d3d7 d2d1 d7d6 e1e2 d6d2 e2e1 d2d7 d1c1 d7d1 e1e2 d1e1 e2f2 e1f1 f2e2 f1f3 \
        c1c10 d10d9 c10c9 d9d8 c9c8 d8d9 c8a8 f3f2 e2e3 f2e2 e3f3 e2e3 f3f2 e3e2 f2f1 e2e1 f1f2 e1f1 f2e2 f1b1";
    let fen = "3k5/9/9/9/8r/9/9/9/R8/4K4 w - - 60 60";
    assert_eq!(play(RuleSet::Axf, fen, moves), (40, Some(Outcome::draw(Reason::MoveLimit))));
}
