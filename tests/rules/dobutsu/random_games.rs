//! Random games, each position of which must have the moves that the plain rules give it.

use proptest::prelude::*;
use sanki::games::rules::{Game, Reason, RuleSet, dobutsu::Dobutsu};

use super::{
    legal_moves,
    property::{choices, clones_go_on_alike, count_position, games, play_one, rule_sets, statuses},
    reference::Reference,
    start,
};

/// Compares a game with the plain rules at every position on the way that `choices` take.
fn follow(rules: RuleSet, choices: &[u16]) {
    let mut game = start(rules);
    let mut plain = Reference::read(&game.fen());
    for &choice in choices {
        count_position();
        assert_eq!(Reference::read(&game.fen()).content(), plain.content(), "{}", game.fen());
        assert_eq!(statuses(&game), plain.statuses(), "{}", game.fen());
        if game.outcome().is_some_and(|outcome| outcome.reason == Reason::Repetition) {
            break;
        }
        let legal = plain.legal();
        let texts: Vec<String> = legal.iter().map(|(text, _)| text.clone()).collect();
        assert_eq!(legal_moves(&game), texts, "{}", game.fen());
        assert_eq!(game.outcome().is_some(), plain.is_over(), "{}", game.fen());
        assert_eq!(game.perft(1), texts.len() as u64, "{}", game.fen());
        let again = Dobutsu::from_fen(rules, &game.fen());
        assert!(again.is_ok_and(|again| again.key() == game.key()) || plain.is_over(), "{}", game.fen());
        let Some(next) = play_one(&mut game, choice, legal) else { break };
        plain = next;
    }
}

proptest! {
    #![proptest_config(games(256))]

    #[test]
    fn random_games_follow_the_plain_rules(
        rules in rule_sets::<Dobutsu>(),
        choices in choices(100),
    ) {
        follow(rules, &choices);
    }
}

#[test]
fn clones_of_dobutsu_go_on_alike() {
    clones_go_on_alike(start(RuleSet::Standard));
}
