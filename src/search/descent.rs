//! A simulation's descent: from the root to a position that must be evaluated, or whose value is known.

use super::{
    Evaluation, PolicyAsked, Query, Wdl,
    config::{MateConfig, Priors},
    mate::MateSearch,
    node::{Access, NodeId, ROOT},
    softmax::Softmax,
    tree::{KnownEnd, PathStep, Tree, TreeFull},
    value::{Proof, Proven},
};
use crate::games::rules::{Ending, Game, Move};

/// How a descent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DescentEnd {
    /// A leaf waits for its evaluation.
    Leaf,
    /// A position whose value is known; it was backed up.
    Known,
    /// At a leaf that another descent has claimed; this one is abandoned.
    Collision,
    /// The tree has no room; the descent is abandoned.
    Full,
}

/// How far a descent is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// None is under way.
    Idle,
    /// At a position visited for the first time, which waits for its evaluation.
    AwaitingValue,
    /// At a position visited before, which waits for its policy.
    AwaitingPolicy,
    /// At a position that has its policy now: the descent goes on from there.
    Resuming,
}

/// Descends through a tree, again and again. Its buffers serve all descents.
#[derive(Clone, Debug)]
pub(super) struct Descent<G: Game> {
    /// The position of the current descent: a leaf while that is [pending](Descent::is_pending).
    pub(super) query: Query<G>,
    stage: Stage,
    /// Plies of the longest descent so far.
    pub(super) deepest: usize,
    /// The path of the current descent, from the root.
    path: Vec<PathStep>,
    /// The moves of a node that is examined, and those of them that end the game.
    moves: Vec<G::Move>,
    endings: Vec<Ending>,
    ends: Vec<KnownEnd>,
    mates: MateSearch<G>,
    softmax: Softmax,
}

impl<G: Game> Descent<G> {
    pub fn new(game: &G) -> Self {
        Descent {
            query: Query { game: game.clone(), moves: Vec::new(), policy_only: false },
            stage: Stage::Idle,
            deepest: 0,
            path: Vec::new(),
            moves: Vec::new(),
            endings: Vec::new(),
            ends: Vec::new(),
            mates: MateSearch::new(),
            softmax: Softmax::default(),
        }
    }

    /// Makes the root the leaf that waits for its evaluation, with the moves that `is_allowed`.
    ///
    /// # Panics
    /// When there is none, as after the end of a game.
    pub fn wait_at_root<A: Access>(&mut self, root: &G, tree: &Tree, is_allowed: impl Fn(G::Move) -> bool) {
        self.query.game.clone_from(root);
        self.list_moves();
        self.query.moves.retain(|&mv| is_allowed(mv));
        assert!(!self.query.moves.is_empty(), "a search of a finished game");
        self.deepest = 0;
        self.path.clear();
        self.pass::<A>(tree, PathStep::ROOT);
        self.wait(Stage::AwaitingValue);
    }

    /// Descends from `root`, or resumes the current descent. At each expanded node that is not proven, `select` chooses
    /// the move, by its place.
    pub fn run<A: Access>(
        &mut self,
        root: &G,
        tree: &Tree,
        (mates, asked): (MateConfig, PolicyAsked),
        mut select: impl FnMut(NodeId) -> usize,
    ) -> DescentEnd {
        if self.stage != Stage::Resuming {
            self.query.game.clone_from(root);
            self.path.clear();
            self.pass::<A>(tree, PathStep::ROOT);
        }
        self.stage = Stage::Idle;
        let mut id = self.end();
        while tree.node(id).is_expanded() && tree.node(id).proof().is_none() {
            let node = tree.node(id);
            let mut found = if node.examine() { self.examine(tree, id) } else { Ok(None) };
            if found == Ok(None) && node.visits() == mates.visits && id != ROOT {
                found = self.look_for_mate(tree, id, mates.plies);
            }
            if let Ok(Some(proven)) = found {
                return self.back_up_known::<A>(tree, proven);
            }
            let step = found.and_then(|_| tree.step(id, select(id)));
            let Ok((mv, passed)) = step else {
                tree.abandon::<A>(&self.path);
                return DescentEnd::Full;
            };
            self.query.game.play(G::Move::from_bits(mv));
            self.pass::<A>(tree, passed);
            id = passed.node;
        }
        self.arrive::<A>(tree, id, asked)
    }

    /// The node that the descent has reached.
    fn end(&self) -> NodeId {
        self.path.last().expect("a path has the root").node
    }

    /// Adds a node to the path.
    #[inline(always)]
    fn pass<A: Access>(&mut self, tree: &Tree, passed: PathStep) {
        self.path.push(passed);
        let node = tree.node(passed.node);
        A::enter(node);
        if A::COUNTS_IN_FLIGHT {
            tree.edges.get(passed.edge).refresh(node);
        }
    }

    /// Opens the moves of node `id`, whose position is that of the descent, that end the game, and says what they
    /// prove. Done when a node is visited for the second time: most are visited only once.
    pub fn examine(&mut self, tree: &Tree, id: NodeId) -> Result<Option<Proven>, TreeFull> {
        tree.list_moves(id, &mut self.moves);
        tree.open_ends(id, ends(&self.query.game, &self.moves, &mut self.endings, &mut self.ends))
    }

    /// Looks for a mate at node `id`, whose position is that of the descent.
    fn look_for_mate(&mut self, tree: &Tree, id: NodeId, plies: u32) -> Result<Option<Proven>, TreeFull> {
        let mate = self.mates.find(&self.query.game, plies);
        mate.map_or(Ok(None), |mv| tree.open_ends(id, &[KnownEnd::mate(mv, plies)]))
    }

    /// Looks for the shortest mate at the root, all moves of which are asked for, and says what it proves.
    pub fn look_for_mate_at_root(&mut self, tree: &Tree, plies: u32) -> Result<Option<Proven>, TreeFull> {
        let mate = self.mates.shortest(&self.query.game, plies);
        mate.map_or(Ok(None), |(mv, length)| tree.open_ends(ROOT, &[KnownEnd::mate(mv, length)]))
    }

    /// Ends a descent at node `id`: there is a value, or a leaf to be evaluated.
    fn arrive<A: Access>(&mut self, tree: &Tree, id: NodeId, asked: PolicyAsked) -> DescentEnd {
        self.deepest = self.deepest.max(self.path.len() - 1);
        let node = tree.node(id);
        if let Some(proof) = node.proof() {
            tree.back_up::<A>(&self.path, proof.wdl(), None);
            return DescentEnd::Known;
        }
        if !node.claim() {
            tree.abandon::<A>(&self.path);
            return DescentEnd::Collision;
        }
        if asked == PolicyAsked::OnReturn && node.visits() > 0 {
            self.list_moves();
            self.wait(Stage::AwaitingPolicy);
            return DescentEnd::Leaf;
        }
        let game = &self.query.game;
        if let Some(outcome) = game.outcome_or_declaration() {
            let proof = Proof::of(outcome.verdict, game.side_to_move());
            node.release();
            return self.back_up_known::<A>(tree, Proven { proof, plies: 0 });
        }
        match asked {
            PolicyAsked::WithValue => self.list_moves(),
            PolicyAsked::OnReturn => self.query.moves.clear(),
        }
        self.wait(Stage::AwaitingValue);
        DescentEnd::Leaf
    }

    /// Waits for an evaluation.
    fn wait(&mut self, stage: Stage) {
        self.stage = stage;
        self.query.policy_only = stage == Stage::AwaitingPolicy;
    }

    fn list_moves(&mut self) {
        let Query { game, moves, .. } = &mut self.query;
        moves.clear();
        game.legal_moves(moves);
    }

    fn back_up_known<A: Access>(&mut self, tree: &Tree, proven: Proven) -> DescentEnd {
        tree.back_up::<A>(&self.path, proven.proof.wdl(), Some(proven));
        DescentEnd::Known
    }

    /// Whether a leaf waits for an evaluation.
    pub fn is_pending(&self) -> bool {
        matches!(self.stage, Stage::AwaitingValue | Stage::AwaitingPolicy)
    }

    /// Whether the descent has got the policy that it waited for, and is to go on.
    pub fn is_resuming(&self) -> bool {
        self.stage == Stage::Resuming
    }

    /// Whether that leaf wants a value, not only its policy.
    pub fn is_first_visit(&self) -> bool {
        self.stage == Stage::AwaitingValue
    }

    /// Whether the leaf is the root.
    pub fn is_at_root(&self) -> bool {
        self.path.len() == 1
    }

    /// The moves of the leaf whose end is known: those that end the game, and one that mates by checks.
    pub fn ends(&mut self, mates: MateConfig) -> Vec<KnownEnd> {
        let Query { game, moves, .. } = &self.query;
        // The rules want all moves, of which the query may have some only.
        self.moves.clear();
        game.legal_moves(&mut self.moves);
        let mut ends = ends(game, &self.moves, &mut self.endings, &mut self.ends).to_vec();
        let is_asked = |end: &KnownEnd| moves.iter().any(|mv| mv.bits() == end.mv);
        ends.retain(is_asked);
        if mates.visits > 0 && ends.iter().all(|end| end.proof != Proof::Loss) {
            let mate = self.mates.shortest(game, mates.plies);
            ends.extend(mate.map(|(mv, length)| KnownEnd::mate(mv, length)).filter(is_asked));
        }
        ends
    }

    /// Expands the leaf, which is not the root, if its policy was asked for, and backs its value up if this is its
    /// first visit; else the descent can go on. Without room for its moves they are asked for again by the next descent
    /// to it.
    pub fn resolve<A: Access>(
        &mut self,
        tree: &Tree,
        evaluation: &Evaluation,
        priors: Priors,
    ) -> Result<(), TreeFull> {
        let leaf = self.end();
        let (node, is_first) = (tree.node(leaf), self.is_first_visit());
        if is_first {
            node.set_raw_q(evaluation.wdl.q());
        }
        if self.query.moves.is_empty() {
            node.release();
            self.back_up::<A>(tree, evaluation.wdl, None);
            return Ok(());
        }
        let priors = self.softmax.of(&evaluation.logits, priors);
        let edges = self.query.moves.iter().zip(priors).map(|(mv, &prior)| (mv.bits(), prior));
        let expanded = tree.expand(leaf, edges);
        if is_first {
            self.back_up::<A>(tree, evaluation.wdl, None);
        } else if expanded.is_ok() {
            self.stage = Stage::Resuming;
        } else {
            self.stage = Stage::Idle;
            tree.abandon::<A>(&self.path);
        }
        expanded
    }

    /// Backs the leaf's value up, and what was found to be certain there.
    pub fn back_up<A: Access>(&mut self, tree: &Tree, wdl: Wdl, found: Option<Proven>) {
        self.stage = Stage::Idle;
        tree.back_up::<A>(&self.path, wdl, found);
    }
}

/// Those of `moves`, all legal moves of `game`, that end it.
fn ends<'a, G: Game>(
    game: &G,
    moves: &[G::Move],
    endings: &mut Vec<Ending>,
    ends: &'a mut Vec<KnownEnd>,
) -> &'a [KnownEnd] {
    endings.clear();
    game.endings(moves, endings);
    let opponent = !game.side_to_move();
    ends.clear();
    ends.extend(endings.iter().map(|ending| KnownEnd {
        mv: moves[ending.place].bits(),
        proof: Proof::of(ending.verdict, opponent),
        plies: 0,
    }));
    ends
}
