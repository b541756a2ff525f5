//! One simulation: from the root to a position that must be judged, or whose value is known.

use super::{
    Evaluation, Query, Wdl,
    config::Priors,
    node::{Access, NodeId, Proof, Proven, ROOT},
    softmax::Softmax,
    tree::{Full, KnownEnd, Tree},
};
use crate::rules::{Ending, Game, Move};

/// What a walk came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walked {
    /// A leaf waits for its evaluation.
    Leaf,
    /// A position whose value is known; it was backed up.
    Known,
    /// A leaf that another walk is at; this one is abandoned.
    Collision,
    /// The tree has no room; the walk is abandoned.
    Full,
}

/// Walks through a tree, one way after another. Its buffers serve all of them.
#[derive(Clone, Debug)]
pub(super) struct Walker<G: Game> {
    /// The game of the walk under way: a leaf while `pending`.
    pub(super) query: Query<G>,
    pub(super) pending: bool,
    /// The nodes of the walk under way, from the root.
    path: Vec<NodeId>,
    endings: Vec<Ending>,
    ends: Vec<KnownEnd>,
    softmax: Softmax,
}

impl<G: Game> Walker<G> {
    pub fn new(game: &G) -> Self {
        Walker {
            query: Query { game: game.clone(), moves: Vec::new() },
            pending: false,
            path: Vec::new(),
            endings: Vec::new(),
            ends: Vec::new(),
            softmax: Softmax::default(),
        }
    }

    /// Makes the root the leaf that waits for its evaluation.
    ///
    /// # Panics
    /// When the game is over.
    pub fn wait_at_root<A: Access>(&mut self, root: &G, tree: &Tree) {
        self.query.game.clone_from(root);
        self.list_moves();
        assert!(!self.query.moves.is_empty(), "a search of a finished game");
        self.path.clear();
        self.path.push(ROOT);
        A::enter(tree.node(ROOT));
        self.pending = true;
    }

    /// Walks from `root` along the moves that `select` chooses, by their places, at each expanded node that is not proven.
    pub fn walk<A: Access>(
        &mut self,
        root: &G,
        tree: &Tree,
        mut select: impl FnMut(NodeId) -> usize,
    ) -> Walked {
        self.query.game.clone_from(root);
        self.path.clear();
        self.path.push(ROOT);
        A::enter(tree.node(ROOT));
        let mut id = ROOT;
        while tree.node(id).is_expanded() && tree.node(id).proof().is_none() {
            let Ok((mv, child)) = tree.step(id, select(id)) else {
                tree.abandon::<A>(&self.path);
                return Walked::Full;
            };
            self.query.game.play(G::Move::from_bits(mv));
            self.path.push(child);
            A::enter(tree.node(child));
            id = child;
        }
        self.arrive::<A>(tree, id)
    }

    /// Looks at the position in which a walk ended.
    fn arrive<A: Access>(&mut self, tree: &Tree, id: NodeId) -> Walked {
        let node = tree.node(id);
        if let Some(proof) = node.proof() {
            tree.back_up::<A>(&self.path, proof.wdl(), None);
            return Walked::Known;
        }
        if !node.claim() {
            tree.abandon::<A>(&self.path);
            return Walked::Collision;
        }
        let game = &self.query.game;
        let found = match game.outcome_or_declaration() {
            Some(outcome) => {
                Some(Proven { proof: Proof::of(outcome.verdict, game.side_to_move()), plies: 0 })
            }
            None => {
                self.list_moves();
                let wins = self.ends.iter().any(|end| end.proof == Proof::Loss);
                wins.then_some(Proven { proof: Proof::Win, plies: 1 })
            }
        };
        let Some(proven) = found else {
            self.pending = true;
            return Walked::Leaf;
        };
        node.release();
        tree.back_up::<A>(&self.path, proven.proof.wdl(), Some(proven));
        Walked::Known
    }

    /// Lists the legal moves of the leaf, and those of them that end the game.
    fn list_moves(&mut self) {
        let Query { game, moves } = &mut self.query;
        moves.clear();
        game.legal_moves(moves);
        self.endings.clear();
        game.endings(moves, &mut self.endings);
        let opponent = !game.side_to_move();
        let end =
            |ending: &Ending| KnownEnd { place: ending.place, proof: Proof::of(ending.verdict, opponent) };
        self.ends.clear();
        self.ends.extend(self.endings.iter().map(end));
    }

    /// Whether the leaf is the root.
    pub fn is_at_root(&self) -> bool {
        self.path.len() == 1
    }

    /// The moves of the leaf that end the game.
    pub fn ends(&self) -> &[KnownEnd] {
        &self.ends
    }

    /// Expands the leaf, which is not the root, and backs its value up. Without room it is judged again when the next walk
    /// comes by.
    pub fn resolve<A: Access>(
        &mut self,
        tree: &Tree,
        evaluation: &Evaluation,
        priors: Priors,
    ) -> Result<(), Full> {
        let leaf = *self.path.last().expect("a path has the root");
        let priors = self.softmax.of(&evaluation.logits, priors);
        let edges = self.query.moves.iter().zip(priors).map(|(mv, &prior)| (mv.bits(), prior));
        let expanded = tree.expand(leaf, evaluation.wdl.q(), edges, &self.ends);
        self.back_up::<A>(tree, evaluation.wdl, expanded.ok().flatten());
        expanded.map(|_| ())
    }

    /// Backs the leaf's value up, and what was found to be certain there.
    pub fn back_up<A: Access>(&mut self, tree: &Tree, wdl: Wdl, found: Option<Proven>) {
        self.pending = false;
        tree.back_up::<A>(&self.path, wdl, found);
    }
}
