//! Openings for matches: many, different, and the same for the same seed.

use std::collections::HashSet;

use rand::{Rng, RngExt};

use crate::{
    rng::{Purpose, stream},
    rules::{Game, RuleSet, Setup, Verdict},
};

/// Tries in a row without a new opening after which the openings become a ply longer.
const PATIENCE: u32 = 100;

/// No opening is longer, so that a game too small for the number asked for gives fewer.
const MAX_PLIES: u32 = 24;

/// `count` different positions, each a few random plies from the starting position of `setup`, in which the side
/// to move neither wins at once nor loses within two plies. Fewer where the game has not so many.
pub fn openings<G: Game>(rules: RuleSet, setup: Setup, count: usize, seed: u64) -> Vec<G> {
    let mut rng = stream(seed, Purpose::Openings, &[]);
    // Enough to differ, few enough not to decide the game: 3 in dobutsu, 6 in minishogi, 8 in shogi; untuned.
    let mut plies = (G::SQUARES as u32 / 4).clamp(3, 8);
    let mut openings = Vec::with_capacity(count);
    let mut keys = HashSet::new();
    let mut failures = 0;
    while openings.len() < count && plies <= MAX_PLIES {
        let game = random_game::<G>(rules, setup, plies, &mut rng);
        match game.filter(|game| is_undecided(game) && keys.insert(game.key())) {
            Some(game) => {
                openings.push(game);
                failures = 0;
            }
            None => failures += 1,
        }
        if failures == PATIENCE {
            failures = 0;
            plies += 1;
        }
    }
    openings
}

/// A game of `plies` random plies, if it did not end before.
fn random_game<G: Game>(rules: RuleSet, setup: Setup, plies: u32, rng: &mut impl Rng) -> Option<G> {
    let mut game = G::start(rules, setup, rng);
    let mut moves = Vec::new();
    for _ in 0..plies {
        moves.clear();
        game.legal_moves(&mut moves);
        if moves.is_empty() {
            return None;
        }
        game.play(moves[rng.random_range(0..moves.len())]);
    }
    game.outcome_or_declaration().is_none().then_some(game)
}

/// Whether the side to move can neither win at once nor is bound to lose by the reply.
fn is_undecided<G: Game>(game: &G) -> bool {
    let children = children(game);
    !children.iter().any(|child| is_won(child, game))
        && children.iter().any(|child| {
            child.outcome_or_declaration().is_none()
                && !self::children(child).iter().any(|grandchild| is_won(grandchild, child))
        })
}

/// Whether the side that moved from `parent` to `child` has won.
fn is_won<G: Game>(child: &G, parent: &G) -> bool {
    child.outcome().is_some_and(|outcome| outcome.verdict == Verdict::Win(parent.side_to_move()))
}

fn children<G: Game>(game: &G) -> Vec<G> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let play = |&mv| {
        let mut child = game.clone();
        child.play(mv);
        child
    };
    moves.iter().map(play).collect()
}
