//! Random games, each position of which must have the moves that the plain rules give it.

use proptest::prelude::*;
use sanki::rules::{
    Game, Move, Reason, RuleSet, Side,
    shogi::{Board, Five, Minishogi, Nine, PieceKind, Shogi, ShogiGame},
};

use crate::{
    data::{PositionRow, rows},
    legal_moves,
    property::{count_position, games, rule_sets},
    read,
    reference::Reference,
};

/// The content of a game as [`Reference::content`] has it.
fn content<B: Board>(game: &ShogiGame<B>) -> (Vec<String>, [String; 2]) {
    let pieces = game.pieces().map(|(side, kind, square)| {
        let promotion = if kind.is_promoted() { "+" } else { "" };
        format!("{side:?} {promotion}{} {square}", kind.letter())
    });
    let hands = [Side::First, Side::Second].map(|side| {
        let held = PieceKind::HAND.into_iter();
        let mut letters: Vec<char> =
            held.flat_map(|kind| vec![kind.letter(); game.hand(side, kind) as usize]).collect();
        letters.sort();
        letters.into_iter().collect()
    });
    (pieces.collect(), hands)
}

/// Compares a game with the plain rules at every position on the way that `choices` take.
fn follow<B: Board>(rules: RuleSet, fen: &str, choices: &[u16]) {
    let read = |fen: &str| ShogiGame::<B>::from_fen(rules, fen).unwrap_or_else(|error| panic!("{error}"));
    let mut game = read(fen);
    let mut plain = Reference::read(fen);
    let mut moves = Vec::new();
    for &choice in choices {
        count_position();
        // That takes twenty plies of which the plain rules know nothing.
        if game.outcome().is_some_and(|outcome| outcome.reason == Reason::Impasse) {
            break;
        }
        let legal = plain.legal();
        let texts: Vec<String> = legal.iter().map(|(text, _)| text.clone()).collect();
        if game.repetitions() < 3 {
            assert_eq!(legal_moves(&game), texts, "{}", game.fen());
            assert_eq!(game.outcome().is_none(), !texts.is_empty(), "{}", game.fen());
        }
        assert_eq!(game.perft(1), texts.len() as u64, "{}", game.fen());
        assert_eq!(game.is_check(), plain.is_check(), "{}", game.fen());
        assert_eq!(content(&game), plain.content());
        let again = read(&game.fen());
        assert_eq!((again.key(), again.fen()), (game.key(), game.fen()));

        moves.clear();
        game.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        let mut bits: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
        bits.sort();
        bits.dedup();
        assert_eq!(bits.len(), moves.len(), "{}", game.fen());
        let mv = moves[usize::from(choice) % moves.len()];
        let next = legal.into_iter().find(|(text, _)| *text == mv.to_string());
        plain = next.expect("the lists are equal").1;
        game.play(mv);
    }
}

fn choices() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 1..150)
}

proptest! {
    #![proptest_config(games(64))]

    #[test]
    fn random_games_of_shogi_follow_the_plain_rules(
        rules in rule_sets::<Shogi>(),
        choices in choices(),
    ) {
        follow::<Nine>(rules, Nine::START, &choices);
    }

    #[test]
    fn random_games_of_minishogi_follow_the_plain_rules(
        rules in rule_sets::<Minishogi>(),
        choices in choices(),
    ) {
        follow::<Five>(rules, Five::START, &choices);
    }
}

/// A few random moves from positions rich in checks, pins and pawn-drop mates.
#[test]
fn play_from_sharp_positions_follows_the_plain_rules() {
    for (row, first) in rows::<PositionRow>("shogi_uchifuzume.jsonl.zst").iter().zip(0u16..) {
        let rules = Shogi::ID.rule_sets()[usize::from(first) % 3];
        follow::<Nine>(rules, &row.fen, &[first, first.wrapping_mul(7919), 3]);
    }
    for (row, first) in rows::<PositionRow>("minishogi_positions.jsonl.zst").iter().zip(0u16..) {
        follow::<Five>(RuleSet::Standard, &row.fen, &[first, first.wrapping_mul(7919), 3, 5, 1]);
    }
}

/// `clone_from` makes the same game as `clone`, whatever was there before.
#[test]
fn clones_go_on_alike() {
    fn play_some<B: Board>(game: &mut ShogiGame<B>, plies: usize) {
        for i in 0..plies {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            if moves.is_empty() {
                return;
            }
            game.play(moves[(i * 31) % moves.len()]);
        }
    }
    let mut game: Shogi = read("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w - - 0 1");
    let mut copy = game.clone();
    play_some(&mut copy, 40);
    play_some(&mut game, 15);
    copy.clone_from(&game);
    play_some(&mut copy, 20);
    play_some(&mut game, 20);
    assert_eq!(format!("{copy:?}"), format!("{game:?}"));
    let mini: Minishogi = read("rbsgk/4p/5/P4/KGSBR[] w - - 0 1");
    assert_eq!(format!("{:?}", mini.clone()), format!("{mini:?}"));
}
