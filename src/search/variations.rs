//! What a search says of the best moves of its root, each with the moves that it expects behind it.

use std::cmp::Ordering;

use super::{
    Search, Wdl,
    edge::Edge,
    mate,
    node::{Node, ROOT},
    root::Support,
    value::Proof,
};
use crate::games::rules::{Game, Move};

/// What is certain of a move, for the side that plays it. Plies are counted from the position before the move to the
/// end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certain {
    /// It wins in this many plies at the latest.
    Win(u32),
    /// It draws.
    Draw,
    /// It loses in this many plies at the latest.
    Loss(u32),
}

/// A move of the root and what is expected behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation<M> {
    /// The move, and behind it what both sides are expected to play.
    pub moves: Vec<M>,
    /// Simulations that began with the move.
    pub visits: u32,
    /// Its value for the side to move at the root; the evaluator's opinion of the root if it was never visited.
    pub wdl: Wdl,
    /// What is certain of it; `None` while nothing is.
    pub certain: Option<Certain>,
}

impl Certain {
    /// What is certain of a move into the position of `child`.
    fn of(child: &Node) -> Option<Certain> {
        let plies = u32::from(child.plies()) + 1;
        Some(match child.proof()? {
            Proof::Loss => Certain::Win(plies),
            Proof::Draw => Certain::Draw,
            Proof::Win => Certain::Loss(plies),
        })
    }
}

impl<M> Variation<M> {
    /// The move `mv` into the position of `child`, and nothing behind it.
    fn of(mv: M, child: &Node) -> Self {
        let (visits, wdl) = (child.visits(), child.wdl().flip());
        Variation { moves: vec![mv], visits, wdl, certain: Certain::of(child) }
    }

    /// Less is better: wins by their length, what is open by visits and value, losses by their length.
    fn compare(&self, other: &Self) -> Ordering {
        let class = |variation: &Self| match variation.certain {
            Some(Certain::Win(plies)) => (0, i64::from(plies)),
            Some(Certain::Draw) | None => (1, -i64::from(variation.visits)),
            Some(Certain::Loss(plies)) => (2, -i64::from(plies)),
        };
        class(self).cmp(&class(other)).then(other.wdl.q().total_cmp(&self.wdl.q()))
    }
}

impl<G: Game> Search<G> {
    /// The moves of the root of which something is known, at most `most`, the [best](Search::best_move) first. The best
    /// is there even where nothing is known of it; if it wins by a short mate, the mate is told to its end.
    ///
    /// # Panics
    /// Before the root was evaluated.
    pub fn variations(&self, most: usize) -> Vec<Variation<G::Move>> {
        let best = self.best_move();
        let mut found: Vec<Variation<G::Move>> = Vec::new();
        for edge in self.tree.edges(ROOT) {
            let (mv, child) = (G::Move::from_bits(edge.mv()), self.tree.child(edge));
            match child {
                Some(child) => found.push(Variation::of(mv, child)),
                None if mv == best => {
                    let wdl = self.root_prior_wdl();
                    found.push(Variation { moves: vec![mv], visits: 0, wdl, certain: None });
                }
                None => {}
            }
        }
        let is_best = |variation: &Variation<G::Move>| variation.moves[0] == best;
        found.sort_by(|a, b| is_best(b).cmp(&is_best(a)).then(a.compare(b)));
        found.truncate(most);
        found.iter_mut().for_each(|variation| self.extend(&mut variation.moves));
        found.first_mut().into_iter().for_each(|best| self.complete_win(best));
        found
    }

    /// The moves that were searched behind `line`, which begins at the root: each alone, for the side to move there, the
    /// best first. There are none where the tree does not reach.
    pub fn moves_after(&self, line: &[G::Move]) -> Vec<Variation<G::Move>> {
        let Some(id) = self.node_after(line) else { return Vec::new() };
        let edges = self.tree.edges(id).iter();
        let visited =
            |edge: &Edge| Some(Variation::of(G::Move::from_bits(edge.mv()), self.tree.child(edge)?));
        let mut found: Vec<_> = edges.filter_map(visited).collect();
        found.sort_by(Variation::compare);
        found
    }

    /// Gives a win that is proven its whole way, as far as it can be found again, and a mate by checks its true length.
    fn complete_win(&self, variation: &mut Variation<G::Move>) {
        let Some(Certain::Win(plies)) = variation.certain else { return };
        let mut mate = vec![variation.moves[0]];
        if self.finish_mate(plies, &mut mate) {
            variation.certain = Some(Certain::Win(mate.len() as u32));
            variation.moves = mate;
        } else {
            self.finish_mate(plies, &mut variation.moves);
        }
    }

    /// Appends to `moves`, the first of a win within `plies`, the rest of it where that is a short mate by checks. Whether
    /// `moves` then go to the end of the game.
    fn finish_mate(&self, plies: u32, moves: &mut Vec<G::Move>) -> bool {
        let mut game = self.root().clone();
        moves.iter().for_each(|&mv| game.play(mv));
        mate::finish(game, plies.saturating_sub(moves.len() as u32), moves)
    }

    /// Appends to a move of the root what is expected behind it.
    fn extend(&self, moves: &mut Vec<G::Move>) {
        let mut edges = self.tree.edges(ROOT);
        let mut place = edges.iter().position(|edge| edge.mv() == moves[0].bits());
        while let Some(edge) = place.map(|place| &edges[place]).filter(|edge| edge.child() != ROOT) {
            let id = edge.child();
            let node = self.tree.node(id);
            edges = self.tree.edges(id);
            place = self
                .best_place(id, Support::of(node))
                .filter(|&place| self.tree.child(&edges[place]).is_some());
            moves.extend(place.map(|place| G::Move::from_bits(edges[place].mv())));
        }
    }
}
