//! Positions for the benchmarks.

use rand::{RngExt, SeedableRng};
use sanki::{
    base::rng::Rng,
    games::rules::{Game, Setup},
};

/// A game under the default rules that lasted `plies` random moves and goes on, the same on every machine.
pub fn game_after<G: Game>(plies: u32) -> G {
    let rules = G::ID.rule_set(None).expect("every game has rules");
    let mut rng = Rng::seed_from_u64(plies.into());
    let mut moves = Vec::new();
    loop {
        let mut game = G::start(rules, Setup::Standard, &mut rng);
        while game.ply() < plies && game.outcome_or_declaration().is_none() {
            moves.clear();
            game.legal_moves(&mut moves);
            game.play(moves[rng.random_range(0..moves.len())]);
        }
        if game.outcome_or_declaration().is_none() {
            return game;
        }
    }
}
