//! Books of openings made by searches.
//!
//! The book grows from the start by drop-out expansion (T. Lincke, "Strategies for the automatic construction of opening
//! books", 2001): next comes the position that is nearest, where each ply counts one, and each [`LOSS_PER_PLY`] that a
//! move on the way is worse than the best one counts one more. So good lines get long and doubtful ones stay short. What is found
//! at the ends goes back to the start, so the moves of a position are compared by all that lies behind them.

use std::{
    collections::{BTreeSet, BinaryHeap, HashMap},
    num::NonZero,
    sync::Arc,
};

use super::analysis::{AnalysisNet, AnalysisOrders, Effort, Look, look_at_all};
use crate::games::{
    book::{Book, position_key},
    encode::Encode,
    rules::{Game, Side},
};

/// A move that is worse by this much, in expected score, is looked at as if it came a ply later. Untuned.
const LOSS_PER_PLY: f32 = 0.01;
/// Positions that are looked at together. A book depends on this number, and so not on that of threads.
const BATCH: usize = 16;
/// The weight of the best move of a position.
const BEST_WEIGHT: f32 = 100.0;

/// What a book is made of.
#[derive(Clone, Copy, Debug)]
pub struct BookLimits {
    /// Positions, at most.
    pub positions: usize,
    /// Plies from the start, at most: the book ends there.
    pub plies: u32,
    /// Moves of a position that are compared: at least one.
    pub lines: usize,
    /// How much worse than the best a move of the book may be, in expected score from 0 to 1: more than 0.
    pub margin: f32,
    /// How long each position is looked at.
    pub effort: Effort,
    /// Threads, each of which looks at a position of its own.
    pub threads: NonZero<usize>,
}

/// A book that grows.
pub struct BookBuilder<G: Game> {
    limits: BookLimits,
    /// The start first, if it was looked at.
    positions: Vec<BookPosition<G>>,
    /// Their places, by [`position_key`].
    places: HashMap<String, usize>,
}

/// A position that was looked at, and what the search has said of it.
struct BookPosition<G: Game> {
    game: G,
    /// Plies from the start, by the way that was found first.
    ply: u32,
    /// The best moves, in the order of the search.
    moves: Vec<BookMove<G::Move>>,
}

/// A move of such a position.
struct BookMove<M> {
    mv: M,
    /// The expected score of the side that plays it, in `0.0..=1.0`.
    score: f32,
    /// The position behind it.
    next: Next,
}

/// What is known of the position behind a move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    /// The game is over there.
    Over,
    /// It was looked at: its place among the positions.
    At(usize),
    /// It was not looked at; its [`position_key`].
    Open(String),
}

impl<G: Encode> BookBuilder<G> {
    /// An empty one.
    pub fn new(limits: BookLimits) -> Self {
        BookBuilder { limits, positions: Vec::new(), places: HashMap::new() }
    }

    /// Grows a book from `start`, which must not be over, until it is as large as it may be or there is nothing left to
    /// look at, or `is_stopped`. `on_position` hears how many positions were looked at. The same net and limits with a
    /// number of nodes or simulations make the same book, by any number of threads.
    pub fn grow(
        &mut self,
        net: &Arc<AnalysisNet<G>>,
        start: &G,
        on_position: &mut dyn FnMut(usize),
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) {
        let mut wanted = vec![(start.clone(), 0)];
        while !wanted.is_empty() {
            let before = self.positions.len();
            let orders = AnalysisOrders {
                effort: self.limits.effort,
                threads: self.limits.threads,
                on_position: &mut |done| on_position(before + done),
                is_stopped,
            };
            let games: Vec<G> = wanted.iter().map(|(game, _)| game.clone()).collect();
            let Some(looks) = look_at_all(net, &games, self.limits.lines, orders) else { return };
            for ((game, ply), look) in wanted.into_iter().zip(looks) {
                self.add(game, ply, &look);
            }
            self.find_known();
            self.back_up();
            wanted = self.next();
        }
    }

    /// How many positions were looked at.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The line of best moves from the start, and what it is worth to the side that moves first in it.
    pub fn main_line(&self) -> (Vec<G::Move>, f32) {
        let mut line = Vec::new();
        let (mut at, mut seen) = (0, BTreeSet::new());
        while let Some(best) = self.positions.get(at).filter(|_| seen.insert(at)).and_then(BookPosition::best)
        {
            line.push(best.mv);
            let Next::At(next) = best.next else { break };
            at = next;
        }
        (line, self.positions.first().map_or(0.5, BookPosition::score))
    }

    /// The book: of each position the moves that are at most the margin worse than the best, which weighs 100; one that is
    /// half the margin worse weighs 50.
    pub fn book(&self) -> Book {
        let mut book = Book::new(G::ID);
        for position in &self.positions {
            let weight = |mv: &BookMove<G::Move>| {
                let share = 1.0 - (position.score() - mv.score) / self.limits.margin;
                (BEST_WEIGHT * share.max(0.0)).round() as u32
            };
            let moves = position.moves.iter().map(|mv| (mv.mv.to_string(), weight(mv)));
            book.add(&position.game.fen(), moves);
        }
        book
    }

    fn add(&mut self, game: G, ply: u32, look: &Look<G::Move>) {
        let first_moves = game.side_to_move() == Side::First;
        let moves = look.lines.iter().map(|line| {
            let (mv, score) = (line.moves[0], line.assessment.score);
            BookMove { mv, score: if first_moves { score } else { 1.0 - score }, next: Next::of(&game, mv) }
        });
        let moves = moves.collect();
        self.places.insert(position_key(&game.fen()), self.positions.len());
        self.positions.push(BookPosition { game, ply, moves });
    }

    /// Finds what was looked at behind the moves: several ways lead to one position.
    fn find_known(&mut self) {
        for mv in self.positions.iter_mut().flat_map(|position| &mut position.moves) {
            if let Next::Open(key) = &mv.next
                && let Some(&place) = self.places.get(key)
            {
                mv.next = Next::At(place);
            }
        }
    }

    /// Brings the scores of later positions to earlier ones.
    fn back_up(&mut self) {
        let mut order: Vec<usize> = (0..self.positions.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(self.positions[at].ply));
        for at in order {
            for number in 0..self.positions[at].moves.len() {
                let Next::At(next) = self.positions[at].moves[number].next else { continue };
                // Not where a way leads back: there is no end to bring a score from.
                if self.positions[next].ply > self.positions[at].ply {
                    self.positions[at].moves[number].score = 1.0 - self.positions[next].score();
                }
            }
        }
    }

    /// The positions that come next, and their plies.
    fn next(&self) -> Vec<(G, u32)> {
        let wanted = BATCH.min(self.limits.positions.saturating_sub(self.positions.len()));
        // The nearest first. f32 that are not negative are ordered as their bits.
        let (mut waiting, mut seen) = (BinaryHeap::new(), BTreeSet::new());
        let (mut next, mut found) = (Vec::new(), BTreeSet::new());
        waiting.push(std::cmp::Reverse((0, Place::At(0))));
        while let Some(std::cmp::Reverse((far, place))) = waiting.pop()
            && next.len() < wanted
        {
            match place {
                Place::At(at) => {
                    let position = &self.positions[at];
                    if !seen.insert(at) || position.ply >= self.limits.plies {
                        continue;
                    }
                    for (number, mv) in position.moves.iter().enumerate() {
                        let loss = position.score() - mv.score;
                        let place = match &mv.next {
                            Next::Over => continue,
                            Next::At(next) => Place::At(*next),
                            Next::Open(_) => Place::Behind(at, number),
                        };
                        if loss <= self.limits.margin {
                            let far = f32::from_bits(far) + 1.0 + loss / LOSS_PER_PLY;
                            waiting.push(std::cmp::Reverse((far.to_bits(), place)));
                        }
                    }
                }
                Place::Behind(at, number) => {
                    let position = &self.positions[at];
                    let mv = &position.moves[number];
                    if found.insert(&mv.next) {
                        next.push((position.game.after(mv.mv), position.ply + 1));
                    }
                }
            }
        }
        next
    }
}

/// A place on the way: a position that was looked at, or the one behind a move of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    At(usize),
    Behind(usize, usize),
}

impl Next {
    fn of<G: Game>(game: &G, mv: G::Move) -> Self {
        let next = game.after(mv);
        if next.outcome_or_declaration().is_some() {
            Next::Over
        } else {
            Next::Open(position_key(&next.fen()))
        }
    }
}

impl<G: Game> BookPosition<G> {
    fn best(&self) -> Option<&BookMove<G::Move>> {
        // Of equals the one that the search preferred.
        self.moves.iter().rev().max_by(|a, b| a.score.total_cmp(&b.score))
    }

    /// The expected score of the side to move.
    fn score(&self) -> f32 {
        self.best().map_or(0.5, |best| best.score)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::{
        base::rng::Rng,
        games::rules::{GameId, Setup, dobutsu::Dobutsu},
    };

    fn start() -> Dobutsu {
        Dobutsu::start(GameId::Dobutsu.rule_sets()[0], Setup::Standard, &mut Rng::seed_from_u64(1))
    }

    fn limits() -> BookLimits {
        BookLimits {
            positions: 40,
            plies: 6,
            lines: 3,
            margin: 0.1,
            effort: Effort::Nodes(300),
            threads: NonZero::<usize>::MIN,
        }
    }

    fn grown(limits: BookLimits, is_stopped: &(dyn Fn() -> bool + Sync)) -> BookBuilder<Dobutsu> {
        let net = Arc::new(AnalysisNet::load(None).unwrap());
        let mut builder = BookBuilder::new(limits);
        builder.grow(&net, &start(), &mut |_| (), is_stopped);
        builder
    }

    #[test]
    fn a_book_keeps_its_limits_and_does_not_depend_on_threads() {
        let builder = grown(limits(), &|| false);
        let book = builder.book();
        assert_eq!((builder.len(), book.len()), (40, 40));
        assert!(builder.positions.iter().all(|position| position.ply <= 6 && position.moves.len() <= 3));
        let (line, score) = builder.main_line();
        assert!((1..=7).contains(&line.len()) && (0.0..=1.0).contains(&score));
        assert!(book.moves(&start()).contains(&(line[0], 100)), "the best move weighs most");
        let threads = NonZero::new(3).unwrap();
        assert_eq!(grown(BookLimits { threads, ..limits() }, &|| false).book(), book);
        assert!(grown(BookLimits { plies: 1, ..limits() }, &|| false).len() <= 4);
        assert!(grown(limits(), &|| true).is_empty());
    }

    #[test]
    fn a_position_is_worth_what_its_best_move_leads_to() {
        let builder = grown(limits(), &|| false);
        let mut known = 0;
        for position in &builder.positions {
            for mv in &position.moves {
                let Next::At(next) = mv.next else { continue };
                let next = &builder.positions[next];
                if next.ply > position.ply {
                    known += 1;
                    assert!((mv.score - (1.0 - next.score())).abs() < 1e-6);
                }
            }
        }
        assert!(known >= 30, "{known}");
    }

    #[test]
    fn the_end_of_a_good_line_comes_before_a_doubtful_move() {
        let mut builder = BookBuilder::new(BookLimits { margin: 0.5, ..limits() });
        let mut add = |game: &Dobutsu, ply, scores: &[f32]| {
            let mut legal = Vec::new();
            game.legal_moves(&mut legal);
            let moves: Vec<_> = legal
                .iter()
                .zip(scores)
                .map(|(&mv, &score)| BookMove { mv, score, next: Next::of(game, mv) })
                .collect();
            let behind = moves.iter().map(|mv| game.after(mv.mv)).collect::<Vec<_>>();
            builder.places.insert(position_key(&game.fen()), builder.positions.len());
            builder.positions.push(BookPosition { game: game.clone(), ply, moves });
            behind
        };
        let first = add(&start(), 0, &[0.5, 0.6, 0.45]);
        let second = add(&first[1], 1, &[0.4, 0.38]);
        builder.find_known();
        let next: Vec<String> = builder.next().iter().map(|(game, _)| game.fen()).collect();
        // A line of good moves, then those that are two, ten and fifteen plies put off.
        let expected = [&second[0], &second[1], &first[0], &first[2]].map(Dobutsu::fen);
        assert_eq!(next, expected);
    }
}
