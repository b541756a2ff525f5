//! The rules of xiangqi and minixiangqi: against the verdicts of other programs, against a plain
//! implementation of the same rules, and one by one.

mod data;
mod oracles;

use sanki::rules::{Game, RuleSet};

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
