//! Counting positions, as other programs ask for it to compare the rules.

use super::request::SearchControl;
use crate::games::rules::Game;

/// Plies that are counted without checking whether to stop: a second on the largest board.
const UNBROKEN: u32 = 3;

/// The positions behind each move of `game` at `depth` plies, at least one; `None` if the search was stopped.
pub fn divide<G: Game>(game: &G, depth: u32, control: &SearchControl) -> Option<Vec<(G::Move, u64)>> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let count = |mv| Some((mv, count(&after(game, mv), depth.saturating_sub(1), control)?));
    moves.into_iter().map(count).collect()
}

fn count<G: Game>(game: &G, depth: u32, control: &SearchControl) -> Option<u64> {
    if control.is_stopped() {
        return None;
    }
    if depth <= UNBROKEN {
        return Some(game.perft(depth));
    }
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves.into_iter().map(|mv| count(&after(game, mv), depth - 1, control)).sum()
}

fn after<G: Game>(game: &G, mv: G::Move) -> G {
    let mut after = game.clone();
    after.play(mv);
    after
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::{
        base::rng::Rng,
        games::rules::{RuleSet, Setup, shogi::Minishogi},
    };

    #[test]
    fn counts_are_those_of_the_rules_and_can_be_stopped() {
        let game = Minishogi::start(RuleSet::Standard, Setup::Standard, &mut Rng::seed_from_u64(0));
        let control = SearchControl::default();
        for depth in [1, 2, 5] {
            let counts = divide(&game, depth, &control).unwrap();
            assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), game.perft(depth));
        }
        assert_eq!(divide(&game, 0, &control).unwrap().len(), divide(&game, 1, &control).unwrap().len());
        control.stop();
        assert_eq!(divide(&game, 20, &control), None);
    }
}
