//! One search from one root, driven from outside so that many can share a batch.

use rand::Rng;

use super::{
    Evaluation, Evaluator, Noise, Query, SearchConfig,
    gumbel::{self, Halving},
    noise, puct,
    root::Root,
    tree::{NodeId, Proof, ROOT, Tree},
};
use crate::rules::Game;

/// A search: [`start`](Search::start) it, then ask for a [`next_leaf`](Search::next_leaf), judge it and hand the
/// judgement to [`resolve`](Search::resolve), until there is no leaf. Its buffers serve one search after another.
///
/// A simulation visits one node below the root; the evaluation of the root itself is not counted. A node
/// whose result is known for certain is proven, and so is one all of whose moves lead to proven nodes; a
/// move into a proven loss is not searched any further.
#[derive(Clone, Debug)]
pub struct Search<G: Game> {
    pub(super) config: SearchConfig,
    pub(super) tree: Tree<G::Move>,
    pub(super) root: Root,
    pub(super) halving: Halving,
    game: Option<G>,
    /// The game of the walk under way: a leaf while `pending`.
    query: Option<Query<G>>,
    pending: bool,
    /// The nodes of the walk under way, from the root.
    path: Vec<NodeId>,
    softmax: Softmax,
    budget: u32,
    simulations: u32,
}

impl<G: Game> Search<G> {
    /// A search that was not started yet.
    pub fn new(config: SearchConfig) -> Self {
        Search {
            config,
            tree: Tree::new(),
            root: Root::default(),
            halving: Halving::default(),
            game: None,
            query: None,
            pending: false,
            path: Vec::new(),
            softmax: Softmax::default(),
            budget: 0,
            simulations: 0,
        }
    }

    /// Begins a search of `root` with a budget of `simulations`; whatever was searched before is forgotten.
    /// All random numbers of the search are drawn here.
    ///
    /// # Panics
    /// When the game is over.
    pub fn start<R: Rng + ?Sized>(&mut self, root: &G, simulations: u32, noise: Noise, rng: &mut R) {
        match (&mut self.game, &mut self.query) {
            (Some(game), Some(query)) => {
                game.clone_from(root);
                query.game.clone_from(root);
            }
            (game, query) => {
                *game = Some(root.clone());
                *query = Some(Query { game: root.clone(), moves: Vec::new() });
            }
        }
        let query = self.query.as_mut().expect("set above");
        query.moves.clear();
        root.legal_moves(&mut query.moves);
        assert!(!query.moves.is_empty(), "a search of a finished game");

        self.tree.clear();
        self.path.clear();
        self.path.push(ROOT);
        self.pending = true;
        self.budget = simulations;
        self.simulations = 0;
        self.root.noise.clear();
        if noise == Noise::Explore {
            self.root.noise.resize(query.moves.len(), 0.0);
            match &self.config {
                SearchConfig::Gumbel(_) => self.root.noise.fill_with(|| noise::gumbel(rng)),
                SearchConfig::Puct(c) => noise::dirichlet(c.noise_concentration, &mut self.root.noise, rng),
            }
        }
    }

    /// Walks to a leaf that needs an evaluation; the first is the root. Walks that end at a position whose
    /// value is known for certain are backed up on the way. While a leaf is pending it is returned again.
    ///
    /// `None` once the search is over: the budget is spent, or the root is proven, or it has one legal move only
    /// and that was visited once.
    pub fn next_leaf(&mut self) -> Option<&Query<G>> {
        while !self.pending && !self.is_over() {
            self.walk();
        }
        if self.pending { self.query.as_ref() } else { None }
    }

    /// The pending leaf.
    ///
    /// # Panics
    /// When none is pending.
    pub fn leaf(&self) -> &Query<G> {
        assert!(self.pending, "no leaf is pending");
        self.query.as_ref().expect("the search was started")
    }

    /// Expands the pending leaf and backs its value up.
    ///
    /// # Panics
    /// When no leaf is pending, or `evaluation` has not one logit for each of its moves.
    pub fn resolve(&mut self, evaluation: &Evaluation) {
        assert!(self.pending, "no leaf is pending");
        self.pending = false;
        let moves = &self.query.as_ref().expect("the search was started").moves;
        assert_eq!(evaluation.logits.len(), moves.len(), "one logit for each legal move");
        let leaf = *self.path.last().expect("a path has the root");
        if leaf == ROOT {
            self.root.expand(&mut self.tree, moves, evaluation, &self.config);
            if moves.len() == 1 {
                // Nothing to choose: one step, for the value.
                self.budget = self.budget.min(1);
            }
            if let SearchConfig::Gumbel(config) = &self.config {
                self.halving.start(moves.len(), self.budget, config);
            }
        } else {
            let priors = self.softmax.of(&evaluation.logits, 1.0);
            let edges = moves.iter().copied().zip(priors.iter().copied());
            self.tree.expand(leaf, evaluation.wdl.q(), edges);
            self.simulations += 1;
        }
        self.tree.back_up(&self.path, evaluation.wdl, None);
    }

    /// The simulations done so far.
    pub fn simulations(&self) -> u32 {
        self.simulations
    }

    /// The game that is searched.
    ///
    /// # Panics
    /// Before the first start.
    pub fn root(&self) -> &G {
        self.game.as_ref().expect("the search was started")
    }

    fn is_over(&self) -> bool {
        self.simulations >= self.budget || self.tree.node(ROOT).proof.is_some()
    }

    /// One simulation: to a leaf, which is then pending, or to a position whose value is known.
    fn walk(&mut self) {
        let query = self.query.as_mut().expect("the search was started");
        query.game.clone_from(self.game.as_ref().expect("the search was started"));
        self.path.clear();
        self.path.push(ROOT);
        let mut id = ROOT;
        while self.tree.node(id).is_expanded() && self.tree.node(id).proof.is_none() {
            let place = match &self.config {
                SearchConfig::Puct(config) => puct::select(&self.tree, id, config),
                SearchConfig::Gumbel(config) if id == ROOT => {
                    self.halving.next(&self.tree, &self.root.scores, config)
                }
                SearchConfig::Gumbel(config) => gumbel::select(&self.tree, id, config),
            };
            let (mv, child) = self.tree.step(id, place);
            query.game.play(mv);
            self.path.push(child);
            id = child;
        }

        if let Some(proof) = self.tree.node(id).proof {
            self.tree.back_up(&self.path, proof.wdl(), None);
            self.simulations += 1;
        } else if let Some(outcome) = query.game.outcome_or_declaration() {
            let proof = Proof::of(outcome.verdict, query.game.side_to_move());
            self.tree.back_up(&self.path, proof.wdl(), Some(proof));
            self.simulations += 1;
        } else {
            query.moves.clear();
            query.game.legal_moves(&mut query.moves);
            self.pending = true;
        }
    }
}

/// Drives `search` to its end, one leaf at a time.
pub fn run<G: Game, E: Evaluator<G> + ?Sized>(search: &mut Search<G>, evaluator: &mut E) {
    run_while(search, evaluator, || true);
}

/// Drives `search` until its end or until `more` says no; the root is evaluated all the same.
pub fn run_while<G: Game, E: Evaluator<G> + ?Sized>(
    search: &mut Search<G>,
    evaluator: &mut E,
    mut more: impl FnMut() -> bool,
) {
    let mut evaluation = [Evaluation::default()];
    while let Some(leaf) = search.next_leaf() {
        evaluator.evaluate(&[leaf], &mut evaluation);
        search.resolve(&evaluation[0]);
        if !more() {
            return;
        }
    }
}

/// Probabilities from logits. A buffer: reused from one call to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Softmax(Vec<f32>);

impl Softmax {
    /// The softmax of `logits` over `temperature`.
    pub fn of(&mut self, logits: &[f32], temperature: f32) -> &[f32] {
        let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        self.0.clear();
        self.0.extend(logits.iter().map(|logit| ((logit - top) / temperature).exp()));
        let total: f32 = self.0.iter().sum();
        self.0.iter_mut().for_each(|probability| *probability /= total);
        &self.0
    }
}
