//! The rules of shogi one by one, each test named after its rule.

use sanki::games::rules::{
    Declaration, Game, Outcome, Reason, RuleSet, Side, Verdict,
    shogi::{Minishogi, Shogi, ShogiKind, ShogiSquare},
};

use super::{MINI_START, START, legal_moves, read};

fn play<G: Game>(game: &mut G, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = game.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        game.play(mv);
    }
}

/// The game after `moves`.
fn after<G: Game>(fen: &str, moves: &str) -> G {
    let mut game = read(fen);
    play(&mut game, moves);
    game
}

/// The legal moves that begin with `prefix`, less the prefix.
fn moves_from(fen: &str, prefix: &str) -> Vec<String> {
    let moves = legal_moves(&read::<Shogi>(fen));
    moves.iter().filter_map(|mv| mv.strip_prefix(prefix)).map(str::to_owned).collect()
}

#[test]
fn s1_starting_positions() {
    let game: Shogi = read(START);
    assert_eq!(game.side_to_move(), Side::First);
    assert_eq!(legal_moves(&game).len(), 30);
    assert_eq!(game.pieces().count(), 40);
    assert_eq!(game.piece_on(ShogiSquare::new(7, 1)), Some((Side::First, ShogiKind::Rook)));
    let sfen: Shogi = read("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    assert_eq!(sfen.key(), game.key());
    assert_eq!(legal_moves(&read::<Minishogi>(MINI_START)).len(), 14);
}

#[test]
fn s1_moves_of_every_kind() {
    let gold = "d5 d6 e4 e6 f5 f6";
    let bishop = "a1 a9 b2 b8 c3 c7 d4 d6 f4 f6 g3 g7 h2 h8 i1 i9";
    let rook = "a5 b5 c5 d5 e1 e2 e3 e4 e6 e7 e8 e9 f5 g5 h5 i5";
    let with = |slides: &str, steps: &str| {
        let mut squares: Vec<&str> = slides.split(' ').chain(steps.split(' ')).collect();
        squares.sort();
        squares.join(" ")
    };
    let kinds = [
        ("P", "e6".to_owned()),
        ("N", "d7 f7".to_owned()),
        ("S", "d4 d6 e6 f4 f6".to_owned()),
        ("L", "e6 e7 e8 e9".to_owned()),
        ("G", gold.to_owned()),
        ("+P", gold.to_owned()),
        ("+L", gold.to_owned()),
        ("+N", gold.to_owned()),
        ("+S", gold.to_owned()),
        ("B", bishop.to_owned()),
        ("R", rook.to_owned()),
        ("+B", with(bishop, "d5 e4 e6 f5")),
        ("+R", with(rook, "d4 d6 f4 f6")),
    ];
    for (piece, expected) in kinds {
        let fen = format!("3k5/9/9/9/4{piece}4/9/9/9/3K5[] w - - 0 1");
        let mut squares: Vec<String> =
            moves_from(&fen, "e5").iter().map(|to| to.trim_end_matches('+').to_owned()).collect();
        squares.dedup();
        assert_eq!(squares.join(" "), expected, "{piece}");
    }
    assert_eq!(moves_from("k8/9/9/9/4K4/9/9/9/9[] w - - 0 1", "e5").len(), 8);
}

#[test]
fn s2_promotion_on_entering_moving_in_or_leaving_the_zone() {
    assert_eq!(
        moves_from("k8/9/9/4S4/9/9/9/9/4K4[] w - - 0 1", "e6"),
        ["d5", "d7", "d7+", "e7", "e7+", "f5", "f7", "f7+"]
    );
    assert_eq!(moves_from("k8/9/4S4/9/9/9/9/9/4K4[] w - - 0 1", "e7d6"), ["", "+"]);
    assert_eq!(moves_from("k8/9/9/9/4S4/9/9/9/4K4[] w - - 0 1", "e5d6"), [""]);
    assert_eq!(moves_from("k8/9/9/9/4r4/9/9/9/K8[] b - - 0 1", "e5e3"), ["", "+"]);
    assert_eq!(moves_from("k8/9/4G4/9/9/9/9/9/4K4[] w - - 0 1", "e7e8"), [""]);
    let horse: Shogi = after("k8/9/9/4B4/9/9/9/9/4K4[] w - - 0 1", "e6h9+");
    assert_eq!(horse.piece_on(ShogiSquare::new(7, 8)), Some((Side::First, ShogiKind::Horse)));
    let mini = legal_moves(&read::<Minishogi>("k4/5/2S2/5/4K[] w - - 0 1"));
    assert!(!mini.contains(&"c3c4+".to_owned()), "minishogi promotes on the last rank only");
    let mini = legal_moves(&read::<Minishogi>("k4/2S2/5/5/4K[] w - - 0 1"));
    assert!(mini.contains(&"c4c5+".to_owned()) && mini.contains(&"c4c5".to_owned()));
}

#[test]
fn s2_promotion_is_forced_where_the_piece_could_never_move() {
    assert_eq!(moves_from("k8/4P4/9/9/9/9/9/9/4K4[] w - - 0 1", "e8"), ["e9+"]);
    assert_eq!(moves_from("k8/9/4L4/9/9/9/9/9/4K4[] w - - 0 1", "e7"), ["e8", "e8+", "e9+"]);
    assert_eq!(moves_from("k8/9/4N4/9/9/9/9/9/4K4[] w - - 0 1", "e7"), ["d9+", "f9+"]);
    assert_eq!(moves_from("k8/9/9/4N4/9/9/9/9/4K4[] w - - 0 1", "e6"), ["d8+", "f8+"]);
    assert_eq!(moves_from("k8/9/9/9/4N4/9/9/9/4K4[] w - - 0 1", "e5"), ["d7", "d7+", "f7", "f7+"]);
    assert_eq!(moves_from("k8/9/9/9/9/9/9/4p4/K8[] b - - 0 1", "e2"), ["e1+"]);
}

#[test]
fn s3_captured_pieces_are_held_and_dropped_unpromoted() {
    let mut game: Shogi = after("k8/9/4+p4/4R4/9/9/9/9/4K4[] w - - 0 1", "e6e7");
    assert_eq!(game.hand(Side::First, ShogiKind::Pawn), 1);
    assert_eq!(game.hand(Side::Second, ShogiKind::Pawn), 0);
    play(&mut game, "a9b9 P@e8");
    assert_eq!(game.piece_on(ShogiSquare::new(4, 7)), Some((Side::First, ShogiKind::Pawn)));
    assert_eq!(game.hand(Side::First, ShogiKind::Pawn), 0);
    let drops = moves_from("k8/9/9/9/9/9/9/9/4K4[G] w - - 0 1", "G@");
    assert_eq!(drops.len(), 79, "every empty square");
}

#[test]
fn s4_no_second_unpromoted_pawn_on_a_file() {
    let drops = moves_from("k8/9/9/9/P8/1+P7/2p6/9/4K4[P] w - - 0 1", "P@");
    assert!(!drops.iter().any(|to| to.starts_with('a')));
    assert!(drops.contains(&"b5".to_owned()), "a promoted pawn does not count");
    assert!(drops.contains(&"c5".to_owned()), "nor does the enemy's");
    let mini = legal_moves(&read::<Minishogi>("k4/5/5/P4/4K[P] w - - 0 1"));
    assert!(!mini.iter().any(|mv| mv.starts_with("P@a")) && mini.contains(&"P@b2".to_owned()));
}

#[test]
fn s5_no_pawn_drop_mate() {
    let mate = "k1G6/9/1G7/9/9/9/9/9/4K4[P] w - - 0 1";
    assert!(!moves_from(mate, "P@").contains(&"a8".to_owned()));
    let gold: Shogi = after("k1G6/9/1G7/9/9/9/9/9/4K4[G] w - - 0 1", "G@a8");
    assert_eq!(gold.outcome(), Some(Outcome::win(Side::First, Reason::Checkmate)), "other pieces may");
}

#[test]
fn s5_pawn_drops_that_check_are_legal_where_they_do_not_mate() {
    let check = "P@a8".to_owned();
    let legal = |fen| legal_moves(&read::<Shogi>(fen)).contains(&check);
    assert!(legal("k8/9/1G7/9/9/9/9/9/4K4[P] w - - 0 1"), "the king has b9");
    assert!(legal("ks7/9/1G7/9/9/9/9/9/4K4[P] w - - 0 1"), "the silver takes");
    assert!(legal("kb7/9/1G7/9/9/9/9/9/4K4[P] w - - 0 1"), "the bishop takes");
    assert!(!legal("kbR6/9/1G7/9/9/9/9/9/4K4[P] w - - 0 1"), "the bishop is pinned");
    assert!(!legal("kn7/9/1G7/9/9/9/9/9/4K4[P] w - - 0 1"), "the knight only blocks b9");
}

#[test]
fn s5_a_pawn_move_may_mate() {
    let game: Shogi = after("k1G6/9/PG7/9/9/9/9/9/4K4[] w - - 0 1", "a7a8");
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::Checkmate)));
}

#[test]
fn s6_no_drop_where_the_piece_could_never_move() {
    let fen = "k8/9/9/9/9/9/9/9/4K4[PLNplnn] w - - 0 1";
    let ranks = |fen, kind| {
        let mut ranks: Vec<char> =
            moves_from(fen, kind).iter().map(|to| to.chars().nth(1).unwrap()).collect();
        ranks.sort();
        ranks.dedup();
        ranks.into_iter().collect::<String>()
    };
    assert_eq!(ranks(fen, "P@"), "12345678");
    assert_eq!(ranks(fen, "L@"), "12345678");
    assert_eq!(ranks(fen, "N@"), "1234567");
    let fen = fen.replace(" w ", " b ");
    assert_eq!(ranks(&fen, "P@"), "23456789");
    assert_eq!(ranks(&fen, "L@"), "23456789");
    assert_eq!(ranks(&fen, "N@"), "3456789");
}

#[test]
fn s7_checkmate_loses() {
    let game: Shogi = after("k8/9/1G7/9/9/9/9/9/4K4[G] w - - 0 1", "G@a8");
    assert!(game.is_check() && legal_moves(&game).is_empty());
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::Checkmate)));
}

#[test]
fn s7_stalemate_loses() {
    let game: Shogi = read("k1G6/9/1G7/9/9/9/9/9/4K4[] b - - 0 1");
    assert!(!game.is_check() && legal_moves(&game).is_empty());
    assert_eq!(game.outcome(), Some(Outcome::win(Side::First, Reason::Stalemate)));
}

/// Plays a loop of four plies three times; only the last ply may end the game.
fn loop_thrice<G: Game>(fen: &str, moves: &str) -> Option<Outcome> {
    let mut game: G = read(fen);
    for ply in 0..12 {
        assert_eq!(game.outcome(), None, "after {ply} plies");
        play(&mut game, moves.split_whitespace().nth(ply % 4).expect("four plies"));
    }
    assert!(game.outcome().is_none() || legal_moves(&game).is_empty());
    game.outcome()
}

#[test]
fn s8_the_fourth_occurrence_draws() {
    let outcome = loop_thrice::<Shogi>(START, "h2g2 b8c8 g2h2 c8b8");
    assert_eq!(outcome, Some(Outcome::draw(Reason::Repetition)));
}

#[test]
fn s8_repetitions_are_counted_on_the_way() {
    let mut game: Shogi = read(START);
    let mut counts = Vec::new();
    for _ in 0..3 {
        play(&mut game, "h2g2 b8c8 g2h2");
        counts.push(game.repetitions());
        play(&mut game, "c8b8");
        counts.push(game.repetitions());
    }
    assert_eq!(counts, [0, 1, 1, 2, 2, 3]);
}

#[test]
fn s8_a_hand_makes_another_position() {
    // The rook takes the pawn, another is dropped in its place, and the king goes round to pass the turn.
    let start = "3k5/9/9/9/9/9/4p4/4R4/4K4[p] w - - 0 1";
    let game: Shogi = after(start, "e2e3 d9c9 e3e2 c9c8 e1d1 c8d9 d1e1 P@e3");
    assert!(game.pieces().eq(read::<Shogi>(start).pieces()));
    assert_eq!(game.repetitions(), 0);
}

#[test]
fn s8_minishogi_the_first_player_loses_by_repetition() {
    let outcome = loop_thrice::<Minishogi>(MINI_START, "b1b2 d5d4 b2b1 d4d5");
    assert_eq!(outcome, Some(Outcome::win(Side::Second, Reason::Repetition)));
}

#[test]
fn s9_perpetual_check_loses() {
    let outcome = loop_thrice::<Shogi>("k8/4R4/9/9/9/9/9/9/8K[] w - - 0 1", "e8e9 a9a8 e9e8 a8a9");
    assert_eq!(outcome, Some(Outcome::win(Side::Second, Reason::PerpetualCheck)));
    let outcome = loop_thrice::<Shogi>("8k/9/9/9/9/9/9/4r4/K8[] b - - 0 1", "e2e1 a1a2 e1e2 a2a1");
    assert_eq!(outcome, Some(Outcome::win(Side::First, Reason::PerpetualCheck)));
    let outcome = loop_thrice::<Minishogi>("k4/3R1/5/5/4K[] w - - 0 1", "d4d5 a5a4 d5d4 a4a5");
    assert_eq!(outcome, Some(Outcome::win(Side::Second, Reason::PerpetualCheck)));
}

#[test]
fn s9_the_one_in_check_at_the_start_of_the_loop_counts_from_there() {
    let outcome = loop_thrice::<Shogi>("k3R4/9/9/9/9/9/9/9/8K[] b - - 0 1", "a9a8 e9e8 a8a9 e8e9");
    assert_eq!(outcome, Some(Outcome::win(Side::Second, Reason::PerpetualCheck)));
}

#[test]
fn s9_one_quiet_move_makes_it_a_draw() {
    let outcome = loop_thrice::<Shogi>("k8/9/4R4/9/9/9/9/9/8K[] w - - 0 1", "e7e9 a9a8 e9e7 a8a9");
    assert_eq!(outcome, Some(Outcome::draw(Reason::Repetition)));
}

/// 28 points for either side: king, ten pieces and a hand.
const DECLARING: &str = "K8/PPPPPPPPP/1+R7/9/9/9/9/9/8k[RBP] w - - 0 1";

fn declaration(rules: RuleSet, fen: &str) -> Option<Declaration> {
    Shogi::from_fen(rules, fen).unwrap_or_else(|error| panic!("{error}")).declaration()
}

#[test]
fn s10_csa27_declaration() {
    // Nine pawns and a dragon in the zone, 14; rook, bishop and pawn in hand, 11.
    let with_hand = |hand: &str| declaration(RuleSet::Csa27, &DECLARING.replace("RBP", hand));
    assert_eq!(with_hand("RBPPP"), None, "27 points");
    assert_eq!(with_hand("RBPPPP"), Some(Declaration::Win), "28 points");
    let turned = "8K/9/9/9/9/9/1+r7/ppppppppp/k8[rbHAND] b - - 0 1";
    let second = |hand: &str| declaration(RuleSet::Csa27, &turned.replace("HAND", hand));
    assert_eq!(second("pp"), None, "26 points");
    assert_eq!(second("ppp"), Some(Declaration::Win), "27 points");
}

#[test]
fn s10_a_declaration_needs_the_king_ten_pieces_and_no_check() {
    let rich = "RBBGGGGPPPP";
    let full = DECLARING.replace("RBP", rich);
    assert_eq!(declaration(RuleSet::Csa27, &full), Some(Declaration::Win));
    let nine = full.replace("1+R7", "9");
    assert_eq!(declaration(RuleSet::Csa27, &nine), None, "nine pieces");
    let outside = full.replace("K8/", "9/").replace("1+R7/9", "1+R7/K8");
    assert_eq!(declaration(RuleSet::Csa27, &outside), None, "king outside");
    let check = full.replace("K8/", "K2g5/").replace("K2g5", "Kg7").replace("GGGG", "GGG");
    assert_eq!(declaration(RuleSet::Csa27, &check), None, "in check");
}

#[test]
fn s10_jsa24_declaration() {
    let with_hand = |hand: &str| declaration(RuleSet::Jsa24, &DECLARING.replace("RBP", hand));
    assert_eq!(with_hand("RPPPP"), None, "23 points");
    assert_eq!(with_hand("RPPPPP"), Some(Declaration::Draw), "24 points");
    assert_eq!(with_hand("RBPPPPPP"), Some(Declaration::Draw), "30 points");
    assert_eq!(with_hand("RBPPPPPPP"), Some(Declaration::Win), "31 points");
}

#[test]
fn s10_a_finished_game_has_no_declaration() {
    let fen = DECLARING.replace("RBP", "RBPPPP");
    let game: Shogi = after(&fen, "a9b9 i1i2 b9a9 i2i1 a9b9 i1i2 b9a9 i2i1 a9b9 i1i2 b9a9");
    assert_eq!(game.declaration(), None, "the second player's is false");
    let mut game = game;
    play(&mut game, "i2i1");
    assert_eq!(game.outcome(), Some(Outcome::draw(Reason::Repetition)));
    assert_eq!(game.declaration(), None);
    let winning: Shogi = read(&fen);
    let expected = Outcome::win(Side::First, Reason::Declaration);
    assert_eq!(winning.outcome_or_declaration(), Some(expected));
}

/// Both kings wander in their zones for twenty plies.
const WANDERING: &str =
    "a9b9 i1h1 b9c9 h1g1 c9d9 g1f1 d9e9 f1e1 e9e8 e1e2 e8d8 e2f2 d8c8 f2g2 c8b8 g2h2 b8a8 h2i2 a8a7 i2i3";

/// After how many plies `moves` end the game under `stouten1990`, and how.
fn stouten(fen: &str, moves: &str) -> (u32, Option<Outcome>) {
    let mut game = Shogi::from_fen(RuleSet::Stouten1990, fen).unwrap_or_else(|error| panic!("{error}"));
    for text in moves.split_whitespace() {
        if game.outcome().is_some() {
            break;
        }
        play(&mut game, text);
    }
    (game.ply(), game.outcome())
}

fn impasse(verdict: Verdict, points: [f32; 2]) -> Option<Outcome> {
    Some(Outcome { verdict, reason: Reason::Impasse, points: Some(points) })
}

#[test]
fn s10_stouten1990_impasse() {
    let fen = |hands: &str| format!("K8/9/9/9/9/9/9/9/8k[{hands}] w - - 0 1");
    let rest = "ggggssssnnnnllll";
    let even = fen(&format!("RRBBPPPP{rest}pppppppppppppp"));
    assert_eq!(stouten(&even, WANDERING), (20, impasse(Verdict::Draw, [24.0, 30.0])));
    let poor = fen(&format!("RRBBPPP{rest}ppppppppppppppp"));
    assert_eq!(stouten(&poor, WANDERING), (20, impasse(Verdict::Win(Side::Second), [23.0, 31.0])));
    let rich = fen(&format!("RRBBPPPPPPPPPPP{rest}ppppppp"));
    assert_eq!(stouten(&rich, WANDERING), (20, impasse(Verdict::Win(Side::First), [31.0, 23.0])));
}

#[test]
fn s10_stouten1990_counts_anew_after_check_capture_or_promotion() {
    let ends_at = |fen: &str, fifth: &str| {
        let before = "a9b9 i1h1 b9c9 h1g1";
        let then =
            "g1f1 c9d9 f1e1 d9e9 e1d1 e9e8 d1c1 e8d8 c1b1 d8c8 b1a1 c8b8 a1a2 b8a8 a2b2 a8a7 b2c2 a7b7 c2d2";
        let (ply, outcome) = stouten(fen, &format!("{before} {fifth} {then} b7c7"));
        assert_eq!(outcome.map(|outcome| outcome.reason), Some(Reason::Impasse));
        ply
    };
    let fen = "K8/9/9/6P2/5p3/5G3/9/9/8k[RRBBPPPPP] w - - 0 1";
    assert_eq!(ends_at(fen, "R@g3"), 25, "check");
    assert_eq!(ends_at(fen, "f4f5"), 25, "capture");
    assert_eq!(ends_at(fen, "g6g7+"), 25, "promotion");
    assert_eq!(ends_at(fen, "R@i5"), 20, "a drop does not count");
}

#[test]
fn s10_stouten1990_needs_both_kings_in_the_far_zone() {
    let fen = "K8/9/9/9/9/8k/9/9/9[RRBBPPPP] w - - 0 1";
    let moves =
        "a9b9 i4h4 b9c9 h4g4 c9d9 g4f4 d9e9 f4e4 e9e8 e4e5 e8d8 e5f5 d8c8 f5g5 c8b8 g5h5 b8a8 h5i5 a8a7 i5i4";
    assert_eq!(stouten(fen, moves), (20, None));
    assert_eq!(stouten(fen, &format!("{moves} a7b7 i4i3")).0, 22, "it ends when the second king has entered");
}

#[test]
fn s10_other_rule_sets_know_no_impasse() {
    let fen = "K8/9/9/9/9/9/9/9/8k[RRBBPPPP] w - - 0 1";
    assert_eq!(after::<Shogi>(fen, WANDERING).outcome(), None);
}
