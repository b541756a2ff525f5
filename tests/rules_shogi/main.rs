//! The rules of shogi and minishogi: against the verdicts of other programs, against a plain implementation
//! of the same rules, and one by one.

mod data;
mod oracles;
#[path = "../support/property.rs"]
mod property;
mod random_games;
mod reference;
mod rule_cases;
mod text;

use sanki::rules::{Game, Outcome, RuleSet};

/// The rule set that a game has when none is named.
fn default_rules<G: Game>() -> RuleSet {
    G::ID.rule_sets()[0]
}

/// The position written as `text`, under the default rules.
fn read<G: Game>(text: &str) -> G {
    G::from_fen(default_rules::<G>(), text).unwrap_or_else(|error| panic!("{error}"))
}

/// The legal moves as text, sorted.
fn legal_moves<G: Game>(game: &G) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let mut texts: Vec<String> = moves.iter().map(|mv| mv.to_string()).collect();
    texts.sort();
    texts
}

/// The result as in a game record; `*` while the game goes on.
fn text_of(outcome: Option<Outcome>) -> &'static str {
    outcome.map_or("*", |outcome| outcome.verdict.as_str())
}
