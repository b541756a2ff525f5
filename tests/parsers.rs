//! The assertions of the fuzz targets, on real positions and moves with a few letters spoilt.

#[path = "../fuzz/src/lib.rs"]
mod assertions;

use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::{
    rules::{Game, GameId, Setup},
    with_game,
};

/// Texts tried for each game.
const TEXTS: usize = 20_000;
/// Letters that occur in positions, and a few that do not.
const LETTERS: [char; 34] = [
    'P', 'l', 'N', 's', 'G', 'b', 'R', 'k', 'K', 'C', 'e', 'H', '+', '/', '[', ']', '-', ' ', '0', '1', '2',
    '3', '5', '7', '9', 'w', 'b', 'x', '@', '\n', '%', 'é', '棋', '\0',
];

/// Replaces, inserts and removes a letter or two.
fn spoil(text: &str, rng: &mut Xoshiro256PlusPlus) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..rng.random_range(1..3) {
        let (at, other) = (rng.random_range(0..letters.len()), rng.random_range(0..letters.len()));
        let &letter = LETTERS.choose(rng).expect("letters");
        match rng.random_range(0..4) {
            0 => letters[at] = letter,
            1 => letters.insert(at, letter),
            2 if letters.len() > 1 => drop(letters.remove(at)),
            _ => letters.swap(at, other),
        }
    }
    letters.into_iter().collect()
}

/// A position that random moves lead to.
fn wander<G: Game>(rng: &mut Xoshiro256PlusPlus) -> G {
    let mut game = G::start(G::ID.rule_sets()[0], Setup::Drawn, rng);
    let mut moves = Vec::new();
    for _ in 0..rng.random_range(0..80) {
        moves.clear();
        game.legal_moves(&mut moves);
        let Some(&mv) = moves.choose(rng) else { break };
        game.play(mv);
    }
    game
}

fn spoilt_positions<G: Game>() {
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(7);
    let mut read = 0;
    for _ in 0..TEXTS / 100 {
        let fen = wander::<G>(rng).fen();
        assert!(assertions::position::<G>(&fen), "{fen}");
        for _ in 0..100 {
            read += usize::from(assertions::position::<G>(&spoil(&fen, rng)));
        }
    }
    assert!((TEXTS / 100..TEXTS / 2).contains(&read), "{read} of {TEXTS} were positions");
}

#[test]
fn spoilt_positions_are_refused_or_read_back() {
    for id in GameId::ALL {
        with_game!(id, G => spoilt_positions::<G>());
    }
}

#[test]
fn spoilt_moves_are_refused() {
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(7);
    for id in GameId::ALL {
        for _ in 0..100 {
            let numbers: Vec<String> = (0..60).map(|_| rng.random_range(0..600).to_string()).collect();
            let text = spoil(&numbers.join(" a1a2 P@b2 "), rng);
            for &rules in id.rule_sets() {
                assert!(with_game!(id, G => assertions::moves::<G>(rules, &text)) > 0);
            }
        }
    }
}
