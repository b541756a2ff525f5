//! The root of a search: how its moves are ordered before.

use super::{
    Evaluation, SearchConfig, Wdl,
    config::Priors,
    edge::Edge,
    node::{Node, ROOT},
    softmax::Softmax,
    tree::{KnownEnd, Tree},
    value::{Proof, Proven},
};
use crate::games::rules::Move;

/// What belongs to the root alone; lists go by the place of the moves in the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Root {
    /// The evaluator's opinion of the root.
    pub wdl: Wdl,
    /// Gumbel numbers or Dirichlet noise, in the order of the legal moves; empty without.
    pub noise: Vec<f32>,
    /// Priors as the evaluator gave them.
    pub priors: Vec<f32>,
    /// What the moves are sorted by, best first. Gumbel: logit plus Gumbel number. PUCT: the prior with
    /// temperature and noise.
    pub scores: Vec<f32>,
    order: Vec<usize>,
    softmax: Softmax,
}

impl Root {
    /// Expands the root of `tree`, its moves in the order in which the search is to open them: those of `ends` first,
    /// as far as the search takes note of them, then by score. What that proves of the root.
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
        let mut noted: Vec<KnownEnd> = ends.iter().filter(is_noted).copied().collect();
        let is_end = |place: usize| noted.iter().any(|end| end.mv == moves[place].bits());
        self.order.clear();
        self.order.extend(0..moves.len());
        self.order.sort_unstable_by(|&a, &b| {
            is_end(b).cmp(&is_end(a)).then(self.scores[b].total_cmp(&self.scores[a])).then(a.cmp(&b))
        });
        // The lists go by place, so that none of these moves may change its place when it is opened.
        noted.sort_by_key(|end| self.order.iter().position(|&i| moves[i].bits() == end.mv));
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
        assert!(root.claim() && root.examine(), "no other thread is at the root");
        root.set_raw_q(evaluation.wdl.q());
        tree.expand(ROOT, edges).expect("an empty tree has room");
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

    /// Takes note of the evaluator's opinion of a root that was expanded in an earlier search, and whose moves have
    /// their places for good.
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

    pub fn contains(self, child: Option<&Node>) -> bool {
        let proof = child.and_then(Node::proof);
        match self {
            Support::Wins => proof == Some(Proof::Loss),
            Support::AllButLosses => proof != Some(Proof::Win),
            Support::All => true,
        }
    }
}
