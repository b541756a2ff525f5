//! The rules of janggi: against the verdicts of Fairy-Stockfish, against a plain implementation of the same
//! rules, and one by one.

mod endings;
use crate::mirror;
mod moves;
mod oracles;
use crate::property;
mod random_games;
mod reference;
mod text;
use crate::verdicts;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::games::rules::{
    Game, RuleSet,
    janggi::{Formations, Janggi},
};
use verdicts::{legal_moves, play};

/// The position written as `fen`.
fn read(rules: RuleSet, fen: &str) -> Janggi {
    verdicts::read_under(rules, fen)
}

/// The standard start.
const START: &str = "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1";

/// The start with the named formations.
fn start(rules: RuleSet, formations: &str) -> Janggi {
    let formations: Formations = formations.parse().unwrap_or_else(|error| panic!("{error}"));
    Janggi::start(rules, formations.into(), &mut Xoshiro256PlusPlus::seed_from_u64(0))
}
