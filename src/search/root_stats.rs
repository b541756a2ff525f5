//! The statistics of the root: the best move, and what each move is worth.

use super::{
    Search, SearchConfig, Wdl,
    edge::Edge,
    gumbel::{self, Sigma},
    node::{Node, NodeId, ROOT},
    root::Support,
    value::Proof,
};
use crate::{
    base::maths::{exp, pow},
    games::rules::{Game, Move},
};

/// The lower bound of a move's value is this, over the root of its visits, below the mean (values are in -1 to 1). With
/// 32 simulations such a choice scored +63 and +61 Elo over that of the most visited move in minishogi and minixiangqi,
/// with 400 +19 and +31 (2026-11-25, `docs/search.md`).
const LCB_WIDTH: f32 = 0.5;

/// Only moves with at least a fifth of the most visits may be chosen by their lower bound, as in KataGo.
const LCB_MIN_VISITS: u32 = 5;

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
    /// The best move found: the shortest proven win if there is one; a proven loss, the longest, only if there is
    /// nothing else. Gumbel: the move that survived the halving. PUCT: the move with the highest lower bound of its
    /// value, among those that were visited often; a draw that is there for the taking rather than a move that looks
    /// worse.
    ///
    /// # Panics
    /// Before the root was evaluated.
    pub fn best_move(&self) -> G::Move {
        let support = Support::of(self.tree.node(ROOT));
        let place = match (&self.config, support) {
            (SearchConfig::Gumbel(config), Support::AllButLosses) => {
                self.halving.survivor(&self.tree, &self.root.scores, config)
            }
            (SearchConfig::Puct(_), Support::AllButLosses) => self.or_draw(ROOT, self.lcb_place()),
            (_, support) => self.most_visited_place(ROOT, support).expect("the root was evaluated"),
        };
        G::Move::from_bits(self.tree.edges(ROOT)[place].mv())
    }

    /// The place of the best move of an expanded node below the root; `None` if `support` has none.
    pub(super) fn best_place(&self, id: NodeId, support: Support) -> Option<usize> {
        let place = self.most_visited_place(id, support)?;
        Some(if support == Support::AllButLosses { self.or_draw(id, place) } else { place })
    }

    /// The place of the move of the root with the highest lower bound of its value, not counting proven losses.
    fn lcb_place(&self) -> usize {
        let edges = self.tree.edges(ROOT);
        let child = |place: usize| self.tree.child(&edges[place]);
        let most_visited =
            self.most_visited_place(ROOT, Support::AllButLosses).expect("a move that does not lose");
        let enough = child(most_visited).map_or(0, Node::visits).div_ceil(LCB_MIN_VISITS).max(1);
        let bound = |place: usize| {
            let child = child(place).filter(|child| Support::AllButLosses.contains(Some(*child)))?;
            (child.visits() >= enough).then(|| -child.q() - LCB_WIDTH / (child.visits() as f32).sqrt())
        };
        // From the back, as below.
        let bounds = (0..edges.len()).rev().filter_map(|place| Some((place, bound(place)?)));
        bounds.max_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(most_visited, |(place, _)| place)
    }

    /// The place of the most visited move of an expanded node, of equals that of the higher value. Where the node is
    /// proven, the way to the end decides first. `None` if `support` has none.
    fn most_visited_place(&self, id: NodeId, support: Support) -> Option<usize> {
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
        let children = self.tree.edges(id).iter().map(|edge| self.tree.child(edge)).enumerate();
        // From the back, because `max_by` takes the last of equals, and the first have the highest priors.
        let supported = children.rev().filter(|&(_, child)| support.contains(child));
        let best = supported.max_by(|&(_, a), &(_, b)| {
            let (a, b) = (rank(a), rank(b));
            a.0.cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.total_cmp(&b.2))
        });
        best.map(|(place, _)| place)
    }

    /// `place`, or that of a move that is known to draw if the move at `place` looks worse than a draw.
    fn or_draw(&self, id: NodeId, place: usize) -> usize {
        let edges = self.tree.edges(id);
        let is_draw = |edge: &Edge| self.tree.child(edge).and_then(Node::proof) == Some(Proof::Draw);
        let is_worse = self.tree.child(&edges[place]).is_some_and(|child| child.q() > 0.0);
        if is_worse { edges.iter().position(is_draw).unwrap_or(place) } else { place }
    }

    /// The value of the root after the search, for the side to move: what is proven, else the values of the visited
    /// moves in the proportions of the improved policy, so that moves that were only tried out do not count against it;
    /// the evaluator's opinion while there are none. A draw that is there for the taking bounds it from below.
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
                sharpen(prior, *sharpness) * exp(sigma.of(sigma.mixed_q))
            }
            (Weights::Completed(sigma, sharpness), Some(child)) => {
                sharpen(prior, *sharpness) * exp(sigma.of(-child.q()))
            }
            (Weights::Visits, child) => child.map_or(0.0, |child| child.visits() as f32),
            (Weights::Priors, _) => prior,
            (Weights::Even, _) => 1.0,
        }
    }
}

/// `prior` to the power of `sharpness`, which mostly is 1.
fn sharpen(prior: f32, sharpness: f32) -> f32 {
    if sharpness == 1.0 { prior } else { pow(prior, sharpness) }
}
