//! What must hold whatever text a parser is given: no panic, and what it reads it writes and reads back.
//!
//! The fuzz targets call this with what the fuzzer invents, `tests/parsers.rs` with spoilt positions.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::rules::{Game, RuleSet, Setup};

fn legal_moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves
}

/// Reads `text` as a position of `G` under each of its rule sets. True if it is one.
pub fn position<G: Game>(text: &str) -> bool {
    let rule_sets = G::ID.rule_sets().iter();
    let games: Vec<G> = rule_sets.filter_map(|&rules| G::from_fen(rules, text).ok()).collect();
    assert!(games.is_empty() || games.len() == G::ID.rule_sets().len(), "positions know no rule sets");
    for game in &games {
        let fen = game.fen();
        let again = G::from_fen(game.rules(), &fen).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((again.fen(), again.key(), again.is_check()), (fen, game.key(), game.is_check()));
        let moves = legal_moves(game);
        assert_eq!(moves, legal_moves(&again));
        assert_eq!(game.outcome().is_some(), moves.is_empty());
        assert_eq!(game.perft(1), moves.len() as u64);
        for mv in moves {
            let mut next = game.clone();
            next.play(mv);
            let read = G::from_fen(game.rules(), &next.fen()).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(read.key(), next.key());
        }
        assert!(!game.board().is_empty());
    }
    !games.is_empty()
}

/// Plays the words of `text` from the start of `G`: a number picks one of the legal moves, any other word is
/// read as a move. Returns how many moves were played.
pub fn moves<G: Game>(rules: RuleSet, text: &str) -> u32 {
    // The standard set-up draws nothing from the generator.
    let mut game = G::start(rules, Setup::Standard, &mut Xoshiro256PlusPlus::seed_from_u64(0));
    for word in text.split_whitespace() {
        let legal = legal_moves(&game);
        let word = match word.parse::<usize>() {
            Ok(number) if !legal.is_empty() => legal[number % legal.len()].to_string(),
            _ => word.to_owned(),
        };
        match game.parse_move(&word) {
            Ok(mv) => {
                assert!(legal.contains(&mv));
                assert_eq!(mv.to_string(), word);
                game.play(mv);
            }
            Err(_) => assert!(legal.iter().all(|mv| mv.to_string() != word)),
        }
    }
    game.ply()
}
