//! The rules of janggi: against the verdicts of Fairy-Stockfish, against a plain implementation of the same
//! rules, and one by one.

mod data;
mod endings;
mod moves;
mod oracles;
#[path = "../support/property.rs"]
mod property;
mod random_games;
mod reference;
mod text;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::rules::{Game, RuleSet, Setup, janggi::Janggi};

/// The position written as `fen`.
fn read(rules: RuleSet, fen: &str) -> Janggi {
    Janggi::from_fen(rules, fen).unwrap_or_else(|error| panic!("{error}"))
}

/// Plays `moves`, none of which may come after the end.
fn play(game: &mut Janggi, moves: &str) {
    for text in moves.split_whitespace() {
        assert_eq!(game.outcome(), None, "before {text} in {}", game.fen());
        let mv = game.parse_move(text).unwrap_or_else(|error| panic!("{error} in {}", game.fen()));
        game.play(mv);
    }
}

/// The legal moves as text, sorted.
fn legal_moves(game: &Janggi) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let mut texts: Vec<String> = moves.iter().map(|mv| mv.to_string()).collect();
    texts.sort();
    texts
}

/// The standard start.
const START: &str = "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1";

/// The start with the named formations.
fn start(rules: RuleSet, formations: &str) -> Janggi {
    let formations = formations.parse().unwrap_or_else(|error| panic!("{error}"));
    Janggi::start(rules, Setup::Named(formations), &mut Xoshiro256PlusPlus::seed_from_u64(0))
}
