//! Random games, each position of which must have the moves that the plain rules give it.

use proptest::prelude::*;
use sanki::rules::{Game, Reason, RuleSet, dobutsu::Dobutsu};

use crate::{
    property::{count_position, games, rule_sets},
    reference::Reference,
    sorted_moves, start,
};

/// Compares a game with the plain rules at every position on the way that `choices` take.
fn follow(rules: RuleSet, choices: &[u16]) {
    let mut game = start(rules);
    let mut plain = Reference::read(&game.fen());
    for &choice in choices {
        count_position();
        assert_eq!(Reference::read(&game.fen()).content(), plain.content(), "{}", game.fen());
        if game.outcome().is_some_and(|outcome| outcome.reason == Reason::Repetition) {
            break;
        }
        let legal = plain.legal();
        let texts: Vec<String> = legal.iter().map(|(text, _)| text.clone()).collect();
        assert_eq!(sorted_moves(&game), texts, "{}", game.fen());
        assert_eq!(game.outcome().is_some(), plain.is_over(), "{}", game.fen());
        assert_eq!(game.perft(1), texts.len() as u64, "{}", game.fen());
        let again = Dobutsu::from_fen(rules, &game.fen());
        assert!(again.is_ok_and(|again| again.key() == game.key()) || plain.is_over(), "{}", game.fen());
        if legal.is_empty() {
            break;
        }
        let (text, next) = legal.into_iter().nth(usize::from(choice) % texts.len()).expect("a legal move");
        game.play(game.parse_move(&text).expect("the lists are equal"));
        plain = next;
    }
}

proptest! {
    #![proptest_config(games(256))]

    #[test]
    fn random_games_follow_the_plain_rules(
        rules in rule_sets::<Dobutsu>(),
        choices in prop::collection::vec(any::<u16>(), 1..100),
    ) {
        follow(rules, &choices);
    }
}
