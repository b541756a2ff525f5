//! What a search has found at its root: the best move, and what each move is worth.

use super::{
    Search, SearchConfig, Wdl,
    edge::Edge,
    gumbel::{self, Sigma},
    node::{Node, NodeId, Proof, ROOT},
    root::Support,
};
use crate::rules::{Game, Move};

/// A legal move at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// Its probability as the evaluator sees it, without noise.
    pub prior: f32,
    /// Simulations that began with it.
    pub visits: u32,
    /// Its value in `-1.0..=1.0` for the side to move at the root, exact where proven; `None` unless visited.
    pub q: Option<f32>,
    /// Its share in the improved policy, which sums to one. Gumbel: the completed Q-values on top of the
    /// priors (equation 11 of the paper). PUCT: the share of the visits. Proven wins take all of it, and proven
    /// losses none as long as there is another move.
    pub policy: f32,
}

/// What the moves of the root are weighed by, before normalisation.
enum Weights {
    /// Gumbel's, with what the logits of the priors are multiplied with.
    Completed(Sigma, f32),
    Visits,
    Priors,
    Even,
}

impl<G: Game> Search<G> {
    /// The best move found: the shortest proven win if there is one; a proven loss, the longest, only if there is nothing
    /// else. Gumbel: the move that survived the halving. PUCT: the most visited move, then the one of higher value; a
    /// draw that is there for the taking rather than a move that looks worse.
    ///
    /// # Panics
    /// Before the root was evaluated.
    pub fn best_move(&self) -> G::Move {
        let edges = self.tree.edges(ROOT);
        let place = match (&self.config, Support::of(self.tree.node(ROOT))) {
            (SearchConfig::Gumbel(config), Support::AllButLosses) => {
                self.halving.survivor(&self.tree, &self.root.scores, config)
            }
            (_, support) => self.best_place(ROOT, support).expect("the root was evaluated"),
        };
        G::Move::from_bits(edges[place].mv())
    }

    /// The place of the best move of an expanded node; `None` if `support` has none.
    pub(super) fn best_place(&self, id: NodeId, support: Support) -> Option<usize> {
        /// By the way to the end, then by visits, then by value.
        type Rank = (i32, u32, f32);
        let rank = |child: Option<&Node>| -> Rank {
            let Some(child) = child else { return (0, 0, 0.0) };
            let plies = match support {
                Support::Wins => -i32::from(child.plies()),
                Support::AllButLosses => 0,
                Support::All => i32::from(child.plies()),
            };
            (plies, child.visits(), -child.q())
        };
        let edges = self.tree.edges(id);
        let children = || edges.iter().map(|edge| self.tree.child(edge)).enumerate();
        // From the back, because `max_by` takes the last of equals, and the first have the highest priors.
        let (place, best) =
            children().rev().filter(|&(_, child)| support.contains(child)).max_by(|&(_, a), &(_, b)| {
                let (a, b) = (rank(a), rank(b));
                a.0.cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.total_cmp(&b.2))
            })?;
        let draw = || children().find(|(_, child)| child.and_then(Node::proof) == Some(Proof::Draw));
        Some(match (support, best) {
            (Support::AllButLosses, Some(best)) if best.q() > 0.0 => draw().map_or(place, |(draw, _)| draw),
            _ => place,
        })
    }

    /// The value of the root after the search, for the side to move: what is proven, else the values of the
    /// visited moves in the proportions of the improved policy, so that moves that were only tried out do
    /// not count against it; the evaluator's opinion while there are none. A draw that is there for the taking bounds it
    /// from below.
    ///
    /// # Panics
    /// Before the root was evaluated.
    pub fn root_wdl(&self) -> Wdl {
        let root = self.tree.node(ROOT);
        if root.proof().is_some() {
            return root.wdl();
        }
        let (mut sum, mut total) = (Wdl { win: 0.0, draw: 0.0, loss: 0.0 }, 0.0);
        for (edge, policy) in self.policy() {
            if let Some(child) = self.tree.child(edge) {
                sum += child.wdl().flip() * policy;
                total += policy;
            }
        }
        let mean = if total > 0.0 { sum * (1.0 / total) } else { self.root.wdl };
        if root.has_draw() && mean.q() < 0.0 { Wdl::DRAW } else { mean }
    }

    /// The evaluator's own opinion of the root, for the side to move.
    pub fn root_prior_wdl(&self) -> Wdl {
        self.root.wdl
    }

    /// The legal moves at the root, each once, in no particular order.
    ///
    /// # Panics
    /// Before the root was evaluated.
    pub fn root_moves(&self) -> impl Iterator<Item = RootMove<G::Move>> {
        self.policy().zip(&self.root.priors).map(|((edge, policy), &prior)| {
            let child = self.tree.child(edge);
            RootMove {
                mv: G::Move::from_bits(edge.mv()),
                prior,
                visits: child.map_or(0, Node::visits),
                q: child.map(|child| -child.q()),
                policy,
            }
        })
    }

    /// The root's edges, each with its share in the improved policy.
    fn policy(&self) -> impl Iterator<Item = (&Edge, f32)> {
        let edges = self.tree.edges(ROOT);
        assert!(!edges.is_empty(), "the root was not evaluated");
        let support = Support::of(self.tree.node(ROOT));
        let weights = match &self.config {
            SearchConfig::Gumbel(config) => {
                Weights::Completed(gumbel::sigma(&self.tree, ROOT, config), 1.0 / config.target_temperature)
            }
            SearchConfig::Puct(_) => Weights::Visits,
        };
        let by = |weights: &Weights| {
            let weight = |place| self.weight(weights, support, place);
            (0..edges.len()).map(weight).collect::<Vec<f32>>()
        };
        let mut shares = by(&weights);
        let mut total: f32 = shares.iter().sum();
        // Where no move that counts was visited, and where all of those have a prior too small for a number.
        for fallback in [Weights::Priors, Weights::Even] {
            if total <= 0.0 {
                shares = by(&fallback);
                total = shares.iter().sum();
            }
        }
        edges.iter().zip(shares).map(move |(edge, share)| (edge, share / total))
    }

    fn weight(&self, weights: &Weights, support: Support, place: usize) -> f32 {
        let child = self.tree.child(&self.tree.edges(ROOT)[place]);
        if !support.contains(child) {
            return 0.0;
        }
        let prior = self.root.priors[place];
        match (weights, child) {
            (Weights::Completed(sigma, sharpness), None) => {
                sharpen(prior, *sharpness) * sigma.of(sigma.mixed_q).exp()
            }
            (Weights::Completed(sigma, sharpness), Some(child)) => {
                sharpen(prior, *sharpness) * sigma.of(-child.q()).exp()
            }
            (Weights::Visits, child) => child.map_or(0.0, |child| child.visits() as f32),
            (Weights::Priors, _) => prior,
            (Weights::Even, _) => 1.0,
        }
    }
}

/// `prior` to the power of `sharpness`, which mostly is 1.
fn sharpen(prior: f32, sharpness: f32) -> f32 {
    if sharpness == 1.0 { prior } else { prior.powf(sharpness) }
}
