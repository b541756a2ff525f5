//! The root of a search: how its moves are ordered before, and what they are worth after.

use super::{
    Evaluation, Search, SearchConfig, Wdl,
    config::Priors,
    gumbel::{self, Sigma},
    node::{Edge, Node, NodeId, Proof, Proven, ROOT},
    softmax::Softmax,
    tree::{KnownEnd, Tree},
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
    /// Expands the root of `tree`, its moves in the order in which the search is to open them: those of `ends` first, as far
    /// as the search takes note of them, then by score. What that proves of the root.
    pub fn expand<M: Move>(
        &mut self,
        tree: &Tree,
        moves: &[M],
        evaluation: &Evaluation,
        ends: &[KnownEnd],
        config: &SearchConfig,
    ) -> Option<Proven> {
        self.wdl = evaluation.wdl;
        self.score(&evaluation.logits, config);
        // Gumbel's halving considers the first moves, among which only a win that ends the search may be put.
        let is_noted = |end: &&KnownEnd| matches!(config, SearchConfig::Puct(_)) || end.proof == Proof::Loss;
        let noted: Vec<KnownEnd> = ends.iter().filter(is_noted).copied().collect();
        let is_end = |place: usize| noted.iter().any(|end| end.mv == moves[place].bits());
        self.order.clear();
        self.order.extend(0..moves.len());
        self.order.sort_unstable_by(|&a, &b| {
            is_end(b).cmp(&is_end(a)).then(self.scores[b].total_cmp(&self.scores[a])).then(a.cmp(&b))
        });
        let ordered: Vec<f32> = self.order.iter().map(|&i| self.scores[i]).collect();
        self.scores = ordered;
        self.priors.clear();
        let priors = self.softmax.of(&evaluation.logits, Priors::PLAIN);
        self.priors.extend(self.order.iter().map(|&i| priors[i]));
        let searched = match config {
            SearchConfig::Gumbel(_) => &self.priors,
            SearchConfig::Puct(_) => &self.scores,
        };
        let edges = self.order.iter().zip(searched).map(|(&i, &prior)| (moves[i].bits(), prior));
        let root = tree.node(ROOT);
        assert!(root.claim() && root.examine(), "the root is nobody else's");
        tree.expand(ROOT, evaluation.wdl.q(), edges).expect("an empty tree has room");
        tree.open_ends(ROOT, &noted).expect("an empty tree has room")
    }

    /// What the moves are sorted by, in the order of the legal moves.
    fn score(&mut self, logits: &[f32], config: &SearchConfig) {
        self.scores.clear();
        match config {
            SearchConfig::Gumbel(_) if self.noise.is_empty() => self.scores.extend(logits),
            SearchConfig::Gumbel(_) => {
                self.scores.extend(logits.iter().zip(&self.noise).map(|(logit, gumbel)| logit + gumbel));
            }
            SearchConfig::Puct(_) if self.noise.is_empty() => {
                self.scores.extend(self.softmax.of(logits, config.priors()));
            }
            SearchConfig::Puct(c) => {
                let Priors { temperature, uniform_share } = config.priors();
                let at_root = Priors { temperature: temperature * c.root_temperature, uniform_share };
                let priors = self.softmax.of(logits, at_root);
                let mixed = |(prior, noise): (&f32, &f32)| prior + c.noise_fraction * (noise - prior);
                self.scores.extend(priors.iter().zip(&self.noise).map(mixed));
            }
        }
    }

    /// Takes note of the evaluator's opinion of a root that was expanded in an earlier search.
    pub fn keep<M: Move>(&mut self, tree: &Tree, moves: &[M], evaluation: &Evaluation) {
        self.wdl = evaluation.wdl;
        let priors = self.softmax.of(&evaluation.logits, Priors::PLAIN);
        let prior =
            |edge: &Edge| moves.iter().position(|mv| mv.bits() == edge.mv()).map_or(0.0, |i| priors[i]);
        self.priors.clear();
        self.priors.extend(tree.edges(ROOT).iter().map(prior));
    }

    /// Whether `moves` are those of the root of `tree`.
    pub fn belongs_to<M: Move>(&self, tree: &Tree, moves: &[M]) -> bool {
        let edges = tree.edges(ROOT);
        edges.len() == moves.len() && moves.iter().all(|mv| edges.iter().any(|edge| edge.mv() == mv.bits()))
    }
}

/// Which moves of a node the improved policy is spread over: the best that is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Support {
    Wins,
    AllButLosses,
    All,
}

impl Support {
    pub fn of(node: &Node) -> Support {
        match node.proof() {
            Some(Proof::Win) => Support::Wins,
            Some(Proof::Loss) => Support::All,
            Some(Proof::Draw) | None => Support::AllButLosses,
        }
    }

    fn contains(self, child: Option<&Node>) -> bool {
        let proof = child.and_then(Node::proof);
        match self {
            Support::Wins => proof == Some(Proof::Loss),
            Support::AllButLosses => proof != Some(Proof::Win),
            Support::All => true,
        }
    }
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
