//! Makes a set of openings.

use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, Ordering},
};

use rand::RngExt;
use rayon::prelude::*;

use super::{Opening, judge::Judge, worth::Worths};
use crate::{
    base::rng::{Purpose, Rng, stream},
    games::rules::{Game, RuleSet, Setup, Verdict},
};

/// Positions tried for an opening before there is taken to be no other.
const PATIENCE: u32 = 2000;

/// Which openings to make.
#[derive(Clone, Copy, Debug)]
pub struct GeneratorConfig {
    /// The rule set that they are played and judged by.
    pub rules: RuleSet,
    /// How many.
    pub count: usize,
    /// The n-th opening depends on the seed and on those before it, not on the count.
    pub seed: u64,
}

/// Different positions, each a few random plies from the start, in which the side to move neither wins at once nor
/// loses by the reply, and which a search that knows only the rules takes to be even. Neither the same position nor
/// its mirror image is there twice. In janggi the set-ups take turns.
///
/// The same at any thread count. Fewer than asked for if the game has fewer; `None` when `stop` was set
/// before the end. `progress` is told of every opening.
pub fn generate<G: Game>(
    config: &GeneratorConfig,
    progress: &(dyn Fn() + Sync),
    stop: &AtomicBool,
) -> Option<Vec<Opening<G>>> {
    let worths = Worths::learn::<G>(config.rules, config.seed, stop);
    let mut makers: Vec<Maker> = (0..config.count).map(|index| Maker::new(config, index)).collect();
    let first: Vec<Option<G>> = makers
        .par_iter_mut()
        .map_init(
            || Judge::new(&worths),
            |judge, maker| {
                let game = maker.next(judge, stop);
                progress();
                game
            },
        )
        .collect();
    let (mut seen, mut judge) = (HashSet::new(), Judge::new(&worths));
    let mut openings = Vec::with_capacity(config.count);
    for (maker, mut game) in makers.iter_mut().zip(first) {
        // Those that are there already are few, and wait for those before them.
        while game.as_ref().is_some_and(|game| !seen.insert(up_to_mirror(&game.fen()))) {
            game = maker.next(&mut judge, stop);
        }
        openings.extend(game.map(|game| Opening { id: maker.id::<G>(), game }));
    }
    (!stop.load(Ordering::Relaxed)).then_some(openings)
}

/// Makes candidates for the `index`-th opening.
struct Maker {
    rules: RuleSet,
    index: usize,
    rng: Rng,
}

impl Maker {
    fn new(config: &GeneratorConfig, index: usize) -> Self {
        let rng = stream(config.seed, Purpose::Openings, &[index as u64]);
        Maker { rules: config.rules, index, rng }
    }

    /// Which of the game's set-ups, where it has several.
    fn setup<G: Game>(&self) -> Option<&'static str> {
        let setups = G::ID.facts().setups;
        (!setups.is_empty()).then(|| setups[self.index % setups.len()])
    }

    fn id<G: Game>(&self) -> String {
        format!("{} {}", self.setup::<G>().unwrap_or(G::ID.as_str()), self.index + 1)
    }

    /// The next that passes all but the comparison with the openings before.
    fn next<G: Game>(&mut self, judge: &mut Judge<G>, stop: &AtomicBool) -> Option<G> {
        for _ in 0..PATIENCE {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let Some(game) = self.draw().filter(is_undecided) else { continue };
            if judge.is_even(&game, &mut self.rng) {
                return Some(game);
            }
        }
        None
    }

    /// A game of a few random plies, if it did not end before; it then starts there.
    fn draw<G: Game>(&mut self) -> Option<G> {
        let setup = self.setup::<G>().map_or(Setup::Standard, Setup::Named);
        let mut game = G::start(self.rules, setup, &mut self.rng);
        let plies = self.rng.random_range(plies::<G>());
        let mut moves = Vec::new();
        for _ in 0..plies {
            moves.clear();
            game.legal_moves(&mut moves);
            if moves.is_empty() {
                return None;
            }
            game.play(moves[self.rng.random_range(0..moves.len())]);
        }
        let game = G::from_fen(self.rules, &game.fen()).ok()?;
        game.outcome_or_declaration().is_none().then_some(game)
    }
}

/// Enough plies to differ, few enough to look like the game: untuned.
fn plies<G: Game>() -> std::ops::RangeInclusive<u32> {
    match G::SQUARES {
        ..=24 => 3..=6,
        25..=49 => 4..=7,
        _ => 6..=9,
    }
}

/// Whether the side to move can neither win at once nor is bound to lose by the reply.
pub(super) fn is_undecided<G: Game>(game: &G) -> bool {
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
    moves.into_iter().map(|mv| game.after(mv)).collect()
}

/// Board, hands and side to move of a FEN, the same for a position and its mirror image.
fn up_to_mirror(fen: &str) -> String {
    let end = fen.match_indices(' ').nth(1).map_or(fen.len(), |(at, _)| at);
    let position = &fen[..end];
    let (board, rest) = position.split_at(position.find(['[', ' ']).unwrap_or(position.len()));
    let mirrored: Vec<String> = board.split('/').map(mirror_rank).collect();
    let mirrored = mirrored.join("/") + rest;
    mirrored.min(position.to_owned())
}

/// A rank of a FEN from right to left; the `+` of a promoted piece stays before it.
fn mirror_rank(rank: &str) -> String {
    let mut mirrored = Vec::new();
    let mut letters = rank.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '+' => mirrored.push(letters.next().map_or_else(String::new, |piece| format!("+{piece}"))),
            _ => mirrored.push(letter.to_string()),
        }
    }
    mirrored.reverse();
    mirrored.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_images_are_the_same() {
        let (left, right) = ("+pk1/2R/3[Pg] b - - 3 7", "1k+p/R2/3[Pg] b - - 5 9");
        assert_eq!(up_to_mirror(left), up_to_mirror(right));
        for other in ["+pk1/2R/3[Pg] w - - 3 7", "+pk1/2R/3[PG] b - - 3 7", "pk1/2R/3[Pg] b - - 3 7"] {
            assert_ne!(up_to_mirror(left), up_to_mirror(other));
        }
    }
}
