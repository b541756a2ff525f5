//! More openings than there are: those there are, a little further.

use std::collections::HashSet;

use rand::RngExt;

use super::{Opening, generate::is_undecided};
use crate::{
    base::rng::{Purpose, Rng, stream},
    games::rules::Game,
};

/// Tries for a position that is not there yet, before one is used again.
const PATIENCE: u32 = 50;

/// Adds openings until there are `count`: going through those that were there again and again, each with two random
/// plies more, after which the side to move neither wins at once nor loses by the reply. Where that leads to no position
/// that is not there yet, an opening is used again: the first one for the first such place, and so on. Players without chance
/// then only repeat its games.
///
/// The n-th opening depends on the seed and on those before it, not on `count`.
pub fn extend<G: Game>(openings: &mut Vec<Opening<G>>, count: usize, seed: u64) {
    let sources = openings.len();
    let mut keys: HashSet<u64> = openings.iter().map(|opening| opening.game.key()).collect();
    let mut repeated = 0;
    for index in sources..count.max(sources) {
        let mut rng = stream(seed, Purpose::Openings, &[index as u64]);
        let source = &openings[index % sources];
        let new =
            (0..PATIENCE).find_map(|_| further(source, &mut rng).filter(|it| keys.insert(it.game.key())));
        let opening = new.unwrap_or_else(|| {
            repeated += 1;
            openings[repeated - 1].clone()
        });
        openings.push(opening);
    }
}

/// `source` two random plies later, if the game is open then.
fn further<G: Game>(source: &Opening<G>, rng: &mut Rng) -> Option<Opening<G>> {
    let mut game = source.game.clone();
    let mut id = source.id.clone();
    for _ in 0..2 {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        if moves.is_empty() {
            return None;
        }
        let mv = moves[rng.random_range(0..moves.len())];
        game.play(mv);
        id += &format!(" {mv}");
    }
    let game = G::from_fen(game.rules(), &game.fen()).ok()?;
    (game.outcome_or_declaration().is_none() && is_undecided(&game)).then_some(Opening { id, game })
}
