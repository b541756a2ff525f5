//! The rules of janggi: against the verdicts of Fairy-Stockfish, against a plain implementation of the same
//! rules, and one by one.

mod data;
mod oracles;

use sanki::rules::{Game, RuleSet, janggi::Janggi};

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
