//! The root of a search: how its moves are ordered before, and what they are worth after.

use super::{
    Evaluation, Search, SearchConfig, Wdl,
    driver::Softmax,
    gumbel::{self, Sigma},
    tree::{Edge, Node, Proof, ROOT, Tree},
};
use crate::rules::Game;

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

/// What belongs to the root alone; lists go by the place of the moves in the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Root {
    /// The evaluator's opinion of the root.
    wdl: Wdl,
    /// Gumbel numbers or Dirichlet noise, in the order of the legal moves; empty without.
    pub noise: Vec<f32>,
    /// Priors as the evaluator gave them.
    priors: Vec<f32>,
    /// What the moves are sorted by, best first. Gumbel: logit plus Gumbel number. PUCT: the prior with
    /// temperature and noise.
    pub scores: Vec<f32>,
    order: Vec<usize>,
    softmax: Softmax,
}

impl Root {
    /// Expands the root of `tree`, its moves in the order in which the search is to open them.
    pub fn expand<M: Copy>(
        &mut self,
        tree: &mut Tree<M>,
        moves: &[M],
        evaluation: &Evaluation,
        config: &SearchConfig,
    ) {
        self.wdl = evaluation.wdl;
        let logits = &evaluation.logits;
        self.scores.clear();
        match config {
            SearchConfig::Gumbel(_) if self.noise.is_empty() => self.scores.extend(logits),
            SearchConfig::Gumbel(_) => {
                self.scores.extend(logits.iter().zip(&self.noise).map(|(logit, gumbel)| logit + gumbel));
            }
            SearchConfig::Puct(_) if self.noise.is_empty() => {
                self.scores.extend(self.softmax.of(logits, 1.0));
            }
            SearchConfig::Puct(c) => {
                let priors = self.softmax.of(logits, c.root_temperature);
                let mixed = |(prior, noise): (&f32, &f32)| prior + c.noise_fraction * (noise - prior);
                self.scores.extend(priors.iter().zip(&self.noise).map(mixed));
            }
        }
        self.order.clear();
        self.order.extend(0..moves.len());
        self.order.sort_unstable_by(|&a, &b| self.scores[b].total_cmp(&self.scores[a]).then(a.cmp(&b)));
        self.scores.sort_unstable_by(|a, b| b.total_cmp(a));
        self.priors.clear();
        let priors = self.softmax.of(logits, 1.0);
        self.priors.extend(self.order.iter().map(|&i| priors[i]));
        let searched = match config {
            SearchConfig::Gumbel(_) => &self.priors,
            SearchConfig::Puct(_) => &self.scores,
        };
        let edges = self.order.iter().zip(searched).map(|(&i, &prior)| (moves[i], prior));
        tree.expand(ROOT, evaluation.wdl.q(), edges);
    }
}

/// Which root moves the improved policy is spread over: the best that is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Support {
    Wins,
    AllButLosses,
    All,
}

impl Support {
    fn of(root: &Node) -> Support {
        match root.proof {
            Some(Proof::Win) => Support::Wins,
            Some(Proof::Loss) => Support::All,
            Some(Proof::Draw) | None => Support::AllButLosses,
        }
    }

    fn contains(self, child: Option<&Node>) -> bool {
        let proof = child.and_then(|child| child.proof);
        match self {
            Support::Wins => proof == Some(Proof::Loss),
            Support::AllButLosses => proof != Some(Proof::Win),
            Support::All => true,
        }
    }
}

/// What the moves of the root are weighed by, before normalisation.
enum Weights {
    Completed(Sigma),
    Visits,
    Priors,
    Even,
}

impl<G: Game> Search<G> {
    /// The best move found: a proven win if there is one; a proven loss only if there is nothing else.
    /// Gumbel: the move that survived the halving. PUCT: the most visited move, then the one of higher value.
    ///
    /// # Panics
    /// Before the root was evaluated.
    pub fn best_move(&self) -> G::Move {
        let support = Support::of(self.tree.node(ROOT));
        let edges = self.tree.edges(ROOT);
        if let (SearchConfig::Gumbel(config), Support::AllButLosses) = (&self.config, support) {
            return edges[self.halving.survivor(&self.tree, &self.root.scores, config)].mv;
        }
        let rank = |edge: &Edge<G::Move>| match self.tree.child(edge) {
            Some(child) => (child.visits, child.wdl().flip().q()),
            None => (0, 0.0),
        };
        let candidates = edges.iter().filter(|edge| support.contains(self.tree.child(edge)));
        // From the back, because `max_by` takes the last of equals, and the first have the highest priors.
        let best = candidates.rev().max_by(|a, b| {
            let ((a_visits, a_q), (b_visits, b_q)) = (rank(a), rank(b));
            a_visits.cmp(&b_visits).then(a_q.total_cmp(&b_q))
        });
        best.expect("the root was evaluated").mv
    }

    /// The value of the root after the search, for the side to move: what is proven, else the values of the
    /// visited moves in the proportions of the improved policy, so that moves that were only tried out do
    /// not count against it; the evaluator's opinion while there are none.
    ///
    /// # Panics
    /// Before the root was evaluated.
    pub fn root_wdl(&self) -> Wdl {
        let root = self.tree.node(ROOT);
        if root.proof.is_some() {
            return root.wdl();
        }
        let (mut sum, mut total) = (Wdl { win: 0.0, draw: 0.0, loss: 0.0 }, 0.0);
        for (edge, policy) in self.policy() {
            if let Some(child) = self.tree.child(edge) {
                sum += child.wdl().flip() * policy;
                total += policy;
            }
        }
        if total > 0.0 { sum * (1.0 / total) } else { self.root.wdl }
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
                mv: edge.mv,
                prior,
                visits: child.map_or(0, |child| child.visits),
                q: child.map(|child| child.wdl().flip().q()),
                policy,
            }
        })
    }

    /// The root's edges, each with its share in the improved policy.
    fn policy(&self) -> impl Iterator<Item = (&Edge<G::Move>, f32)> {
        let edges = self.tree.edges(ROOT);
        assert!(!edges.is_empty(), "the root was not evaluated");
        let support = Support::of(self.tree.node(ROOT));
        let weights = match &self.config {
            SearchConfig::Gumbel(config) => Weights::Completed(gumbel::sigma(&self.tree, ROOT, config)),
            SearchConfig::Puct(_) => Weights::Visits,
        };
        let sum =
            |weights: &Weights| (0..edges.len()).map(|place| self.weight(weights, support, place)).sum();
        let mut total: f32 = sum(&weights);
        let mut weights = weights;
        // Where no move that counts was visited, and where all of those have a prior too small for a number.
        for fallback in [Weights::Priors, Weights::Even] {
            if total <= 0.0 {
                weights = fallback;
                total = sum(&weights);
            }
        }
        edges
            .iter()
            .enumerate()
            .map(move |(place, edge)| (edge, self.weight(&weights, support, place) / total))
    }

    fn weight(&self, weights: &Weights, support: Support, place: usize) -> f32 {
        let child = self.tree.child(&self.tree.edges(ROOT)[place]);
        if !support.contains(child) {
            return 0.0;
        }
        let prior = self.root.priors[place];
        match (weights, child) {
            (Weights::Completed(sigma), None) => prior * sigma.of(sigma.mixed_q).exp(),
            (Weights::Completed(sigma), Some(child)) => prior * sigma.of(child.wdl().flip().q()).exp(),
            (Weights::Visits, child) => child.map_or(0.0, |child| child.visits as f32),
            (Weights::Priors, _) => prior,
            (Weights::Even, _) => 1.0,
        }
    }
}
