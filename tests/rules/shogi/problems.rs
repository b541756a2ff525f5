//! Mate problems (tsume), in which the attacker has no king.

use proptest::prelude::*;
use sanki::games::{
    encode::{Encode, Features, Inputs},
    rules::{
        Game, RuleSet, Side,
        shogi::{FiveByFive, Minishogi, NineByNine, Shogi, ShogiBoard, ShogiGame},
    },
};

use super::{
    property::{choices, games, rule_sets},
    random_games::follow,
    read,
};

/// Problems, and how many positions they lead to after one ply and after two: counted by pyffish 0.0.90 and by cshogi
/// 1.1.0, which agree.
const PROBLEMS: [(&str, [u64; 2]); 7] = [
    ("8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", [81, 38949]),
    ("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", [81, 38080]),
    ("7nl/7k1/6p2/6S1p/9/9/9/9/9 b GSr2b3g2s3n3l16p 1", [158, 70558]),
    ("3g1kg2/9/3+P1S3/9/9/9/9/9/9 b RBrb2g3s4n4l17p 1", [168, 77507]),
    ("l2g1k3/2s1s4/p1np1p3/2p3R2/9/9/9/9/9 b BGrb2g2s3n3l14p 1", [157, 64801]),
    ("9/9/9/9/9/3K5/9/3p1r3/3g1+b3 w 2Srbgs 1", [338, 24148]),
    ("6sk1/6gn1/7+B1/9/7N1/9/9/9/9 b 2R2GPbgs 1", [235, 52247]),
];

/// Problems of minishogi.
const SMALL: [&str; 3] =
    ["4k/5/4P/5/5[Grbsg] w - - 0 1", "5/5/p4/5/K4[gRBSG] b - - 0 1", "3rk/4p/1B3/5/5[SGrbsg] w - - 0 1"];

#[test]
fn moves_are_those_that_other_programs_find() {
    for (sfen, counts) in PROBLEMS {
        let game: Shogi = read(sfen);
        assert_eq!([1, 2].map(|depth| game.perft(depth)), counts, "{sfen}");
        assert!(!game.is_check() && game.outcome().is_none() && game.declaration().is_none());
        assert_eq!(game.kings().iter().filter(|king| king.is_none()).count(), 1, "{sfen}");
        assert!(game.unusual().is_some_and(|why| why.starts_with("it has no '")), "{sfen}");
    }
}

proptest! {
    #![proptest_config(games(32))]

    /// Which also reads back every FEN on the way.
    #[test]
    fn random_games_from_problems_follow_the_plain_rules(
        rules in rule_sets::<Shogi>(),
        problem in 0..PROBLEMS.len(),
        choices in choices(60),
    ) {
        follow::<NineByNine>(rules, &read::<Shogi>(PROBLEMS[problem].0).fen(), &choices);
    }

    #[test]
    fn random_games_from_small_problems_follow_the_plain_rules(
        rules in rule_sets::<Minishogi>(),
        problem in 0..SMALL.len(),
        choices in choices(60),
    ) {
        follow::<FiveByFive>(rules, SMALL[problem], &choices);
    }
}

#[test]
fn the_king_that_may_be_missing_is_the_attackers() {
    let is_read = |text: &str| Shogi::from_fen(RuleSet::Csa27, text).is_ok();
    // The attacker is to move, or has just given check, or the game is under way.
    assert!(is_read("4k4/9/4P4/9/9/9/9/9/9 b G 1"));
    assert!(is_read("4k4/4G4/4P4/9/9/9/9/9/9 w - 1"));
    assert!(is_read("9/9/9/9/9/9/4p4/4g4/4K4 b - 1"));
    assert!(is_read("9/9/9/9/9/9/9/9/4K4 b G 3"));
    for bad in [
        "9/9/4P4/9/9/9/9/9/9 b G 1",
        "9/9/4P4/9/9/9/9/9/4K4 b G 1",
        "k7k/9/9/9/9/9/9/9/9 b G 1",
        // The side that waits is in check.
        "4k4/4G4/4P4/9/9/9/9/9/9 b - 1",
    ] {
        assert!(!is_read(bad), "{bad}");
    }
}

fn features<B: ShogiBoard>(game: &ShogiGame<B>) -> Features {
    let mut features = Features::default();
    game.features(Inputs::Attacks, &mut features);
    features.active.sort();
    features
}

/// What a net sees: no king, which has not entered; and the board is mirrored by the other king alone.
#[test]
fn a_net_sees_the_pieces_that_there_are() {
    for (sfen, _) in PROBLEMS {
        let mut game: Shogi = read(sfen);
        let seen = features(&game);
        assert_eq!(seen.active.len(), game.pieces().count(), "{sfen}");
        let count = |plane| seen.active.iter().filter(|feature| feature.plane == plane).count();
        assert_eq!((count(7), count(14 + 7)), (0, 1), "the attacker is to move: {sfen}");
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let indices: std::collections::HashSet<usize> =
            moves.iter().map(|&mv| game.policy_index(mv)).collect();
        assert_eq!(indices.len(), moves.len(), "{sfen}");
        game.play(moves[0]);
        assert!(game.kings()[game.side_to_move().index()].is_some());
    }
    // The mirror image of a problem is the same to a net.
    let [one, other] = ["8k/9/8P/9/9/9/9/9/9 b G 1", "k8/9/P8/9/9/9/9/9/9 b G 1"].map(read::<Shogi>);
    assert_ne!(one.is_mirrored(), other.is_mirrored());
    assert_eq!(features(&one), features(&other));
    assert_eq!(read::<Shogi>("4k4/9/4P4/9/9/9/9/9/9 b G 1").is_mirrored(), None);
}

#[test]
fn the_side_without_a_king_loses_where_it_has_no_move() {
    let game: Shogi = read("4k4/9/9/9/9/9/9/9/9 b - 1");
    let outcome = game.outcome().expect("nothing can move");
    assert_eq!(outcome.verdict, sanki::games::rules::Verdict::Win(Side::Second));
}
