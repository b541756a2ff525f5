//! Random games, each position of which must have the moves that the plain rules give it.

use proptest::prelude::*;
use sanki::games::rules::{
    Game, Reason, RuleSet, Side,
    shogi::{FiveByFive, Minishogi, NineByNine, Shogi, ShogiBoard, ShogiGame, ShogiKind},
};

use super::{
    MINI_START, START, legal_moves,
    property::{choices, clones_go_on_alike, count_position, games, play_one, rule_sets, statuses},
    read,
    reference::Reference,
    verdicts::{PositionRow, read_under, rows},
};

/// The content of a game as [`Reference::content`] has it.
fn content<B: ShogiBoard>(game: &ShogiGame<B>) -> (Vec<String>, [String; 2]) {
    let pieces = game.pieces().map(|(side, kind, square)| {
        let promotion = if kind.is_promoted() { "+" } else { "" };
        format!("{side:?} {promotion}{} {square}", kind.letter())
    });
    let hands = [Side::First, Side::Second].map(|side| {
        let held = ShogiKind::HAND.into_iter();
        let mut letters: Vec<char> =
            held.flat_map(|kind| vec![kind.letter(); game.hand(side, kind) as usize]).collect();
        letters.sort();
        letters.into_iter().collect()
    });
    (pieces.collect(), hands)
}

/// Compares a game with the plain rules at every position on the way that `choices` take.
pub fn follow<B: ShogiBoard>(rules: RuleSet, fen: &str, choices: &[u16]) {
    let mut game: ShogiGame<B> = read_under(rules, fen);
    let mut plain = Reference::read(fen);
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
        assert_eq!(statuses(&game), plain.statuses(), "{}", game.fen());
        let again: ShogiGame<B> = read_under(rules, &game.fen());
        assert_eq!((again.key(), again.fen()), (game.key(), game.fen()));
        let Some(next) = play_one(&mut game, choice, legal) else { break };
        plain = next;
    }
}

proptest! {
    #![proptest_config(games(64))]

    #[test]
    fn random_games_of_shogi_follow_the_plain_rules(
        rules in rule_sets::<Shogi>(),
        choices in choices(150),
    ) {
        follow::<NineByNine>(rules, NineByNine::START, &choices);
    }

    #[test]
    fn random_games_of_minishogi_follow_the_plain_rules(
        rules in rule_sets::<Minishogi>(),
        choices in choices(150),
    ) {
        follow::<FiveByFive>(rules, FiveByFive::START, &choices);
    }
}

/// A few random moves from positions rich in checks, pins and pawn-drop mates.
#[test]
fn play_from_sharp_positions_follows_the_plain_rules() {
    for (row, first) in rows::<PositionRow>("shogi_uchifuzume.jsonl.zst").iter().zip(0u16..) {
        let rules = Shogi::ID.rule_sets()[usize::from(first) % 3];
        follow::<NineByNine>(rules, &row.fen, &[first, first.wrapping_mul(7919), 3]);
    }
    for (row, first) in rows::<PositionRow>("minishogi_positions.jsonl.zst").iter().zip(0u16..) {
        follow::<FiveByFive>(RuleSet::Standard, &row.fen, &[first, first.wrapping_mul(7919), 3, 5, 1]);
    }
}

#[test]
fn clones_of_both_games_go_on_alike() {
    clones_go_on_alike(read::<Shogi>(START));
    clones_go_on_alike(read::<Minishogi>(MINI_START));
}
