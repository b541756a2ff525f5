//! The rules of xiangqi and minixiangqi: against the verdicts of other programs, against a plain
//! implementation of the same rules, and one by one.

mod chase_cases;
mod cycles;
mod data;
mod oracles;
#[path = "../support/property.rs"]
mod property;
mod random_games;
mod reference;
mod rule_cases;
mod wang1994;

use sanki::rules::{Game, RuleSet};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
const MINI_START: &str = "rcnkncr/p1ppp1p/7/7/7/P1PPP1P/RCNKNCR w - - 0 1";

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
