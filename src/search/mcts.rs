//! Monte-Carlo tree search: one search from one root. The caller drives it, so that many searches can share a batch.

use rand::Rng;

use super::{
    Evaluation, Evaluator, Noise, PolicyAsked, Query, SearchConfig,
    config::MateConfig,
    descent::{Descent, DescentEnd},
    gumbel::{self, Halving},
    node::{ROOT, SingleThread},
    noise, puct,
    root::Root,
    tree::{Tree, TreeFull},
    value::Proven,
};
use crate::games::rules::{Game, Move};

/// MiB that a search may take for its tree unless told otherwise.
pub const DEFAULT_MEMORY: u32 = 256;

/// A search ends at this many visits of its root, whatever its budget, so that no count can wrap.
const MOST_VISITS: u32 = u32::MAX - (1 << 16);

/// A search: [`start`](Search::start) it, then ask for a [`next_leaf`](Search::next_leaf), evaluate it and give the
/// evaluation to [`resolve`](Search::resolve), until there is no leaf. Its buffers serve one search after another.
///
/// A simulation visits one node below the root; the evaluation of the root itself is not counted. Where policies are
/// asked for [later](PolicyAsked::OnReturn), it may need two evaluations: a policy on its way, and the value at its
/// end. A node whose result is known for certain is proven, and so is one with a move that wins at once, and one all of
/// whose moves lead to proven nodes; a move into a proven loss is not searched any further.
///
/// The tree stays within its memory: when that is full, the nodes with the fewest visits are pruned.
#[derive(Debug)]
pub struct Search<G: Game> {
    pub(super) config: SearchConfig,
    pub(super) tree: Tree,
    pub(super) root: Root,
    pub(super) halving: Halving,
    game: Option<G>,
    /// The moves of the root that are searched; empty for all of them.
    only: Vec<G::Move>,
    policy_asked: PolicyAsked,
    descent: Option<Descent<G>>,
    /// The descents of further threads, and of further leaves in a batch.
    pub(super) others: Vec<Descent<G>>,
    pub(super) budget: u32,
    pub(super) simulations: u32,
}

/// What one step of a search came to.
#[derive(Debug)]
pub enum SearchStep<'a, G: Game> {
    /// A leaf waits for its evaluation.
    Leaf(&'a Query<G>),
    /// A simulation ended at a position whose value is known.
    Known,
    /// The search is over: the budget is spent, or the root is proven.
    Over,
}

impl<G: Game> Search<G> {
    /// A search that was not started yet, which may take [`DEFAULT_MEMORY`].
    pub fn new(config: SearchConfig) -> Self {
        Search::with_memory(config, DEFAULT_MEMORY)
    }

    /// A search that was not started yet, whose tree takes at most about `mebibytes`, and one at the least.
    pub fn with_memory(config: SearchConfig, mebibytes: u32) -> Self {
        Search {
            config,
            tree: Tree::new((mebibytes.max(1) as usize) << 20),
            root: Root::default(),
            halving: Halving::default(),
            game: None,
            only: Vec::new(),
            policy_asked: PolicyAsked::WithValue,
            descent: None,
            others: Vec::new(),
            budget: 0,
            simulations: 0,
        }
    }

    /// From the next start on, only these moves of the root are searched. At least one must be legal there. Without
    /// any, all are searched again. What is proven of the root is then proven among these moves.
    pub fn restrict(&mut self, moves: &[G::Move]) {
        self.only.clear();
        self.only.extend(moves);
    }

    /// Sets when policies are asked for; until then that is together with the value. The root's policy is always asked
    /// for together with its value.
    pub fn ask_policies(&mut self, policy_asked: PolicyAsked) {
        self.policy_asked = policy_asked;
    }

    /// Begins a search of `root` with a budget of `simulations`; whatever was searched before is forgotten.
    /// All random numbers of the search are drawn here.
    ///
    /// # Panics
    /// When the game is over.
    pub fn start<R: Rng + ?Sized>(&mut self, root: &G, simulations: u32, noise: Noise, rng: &mut R) {
        self.tree.clear();
        self.begin(root, simulations);
        self.root.noise.clear();
        if noise == Noise::Explore {
            self.root.noise.resize(self.descent().query.moves.len(), 0.0);
            match &self.config {
                SearchConfig::Gumbel(_) => self.root.noise.fill_with(|| noise::gumbel(rng)),
                SearchConfig::Puct(c) => noise::dirichlet(c.noise_concentration, &mut self.root.noise, rng),
            }
        }
    }

    /// Where the search that was just started has one move to choose from, it takes one simulation at most: enough for the
    /// value. For players, whose move it is already.
    ///
    /// # Panics
    /// Before the first start.
    pub fn hurry_if_forced(&mut self) {
        if self.descent().query.moves.len() == 1 {
            self.budget = self.budget.min(1);
        }
    }

    /// Begins a search of `root`, which `moves` led to from the root of the last search, with a budget of `simulations`
    /// new ones and without noise. What the last search found below `moves` is kept if there is something to be kept;
    /// only a search by PUCT does so.
    ///
    /// # Panics
    /// When the game is over.
    pub fn start_after(&mut self, moves: &[G::Move], root: &G, simulations: u32) {
        let kept = self.game.is_some()
            && matches!(self.config, SearchConfig::Puct(_))
            && self.node_after(moves).is_some_and(|id| self.tree.keep_subtree(id));
        if !kept {
            self.tree.clear();
        }
        self.root.noise.clear();
        self.begin(root, simulations);
        if kept && !self.root.belongs_to(&self.tree, &self.descent().query.moves) {
            self.tree.clear();
        }
    }

    /// The expanded node that `moves` lead to.
    pub(super) fn node_after(&self, moves: &[G::Move]) -> Option<u32> {
        let mut id = ROOT;
        for mv in moves {
            let edge = self.tree.edges(id).iter().find(|edge| edge.mv() == mv.bits())?;
            self.tree.child(edge)?;
            id = edge.child();
        }
        self.tree.node(id).is_expanded().then_some(id)
    }

    fn begin(&mut self, root: &G, simulations: u32) {
        match &mut self.game {
            Some(game) => game.clone_from(root),
            game => *game = Some(root.clone()),
        }
        let descent = self.descent.get_or_insert_with(|| Descent::new(root));
        let only = &self.only;
        descent.wait_at_root::<SingleThread>(root, &self.tree, |mv| only.is_empty() || only.contains(&mv));
        self.others.iter_mut().for_each(|descent| descent.deepest = 0);
        self.budget = simulations;
        self.simulations = 0;
    }

    fn descent(&self) -> &Descent<G> {
        self.descent.as_ref().expect("the search was started")
    }

    /// Takes one step: to a leaf, the first of which is the root, or to a position whose value is known for certain.
    /// While a leaf is pending it is returned again.
    pub fn step(&mut self) -> SearchStep<'_, G> {
        if !self.descent().is_pending() {
            if self.is_over() {
                return SearchStep::Over;
            }
            if self.descend() == DescentEnd::Known {
                self.simulations += 1;
                return SearchStep::Known;
            }
        }
        SearchStep::Leaf(&self.descent().query)
    }

    /// Takes [steps](Search::step) until a leaf needs an evaluation; `None` once the search is over. A search without a
    /// limit can take long: take single steps there.
    pub fn next_leaf(&mut self) -> Option<&Query<G>> {
        while matches!(self.step(), SearchStep::Known) {}
        if self.descent().is_pending() { Some(self.leaf()) } else { None }
    }

    /// The pending leaf.
    ///
    /// # Panics
    /// When none is pending.
    pub fn leaf(&self) -> &Query<G> {
        assert!(self.descent().is_pending(), "no leaf is pending");
        &self.descent().query
    }

    /// Whether the pending leaf wants a value. Otherwise it has one, and only its policy is wanted.
    pub fn is_first_visit(&self) -> bool {
        self.descent().is_first_visit()
    }

    /// Whether a descent has just got the policy that it waited for, and is to go on.
    fn is_resuming(&self) -> bool {
        self.descent().is_resuming()
    }

    /// Takes what the pending leaf's evaluation says: expands it, or backs its value up, or both.
    ///
    /// # Panics
    /// When no leaf is pending, or `evaluation` has not one logit for each of its moves.
    pub fn resolve(&mut self, evaluation: &Evaluation) {
        let descent =
            self.descent.as_mut().filter(|descent| descent.is_pending()).expect("no leaf is pending");
        let moves = &descent.query.moves;
        assert_eq!(evaluation.logits.len(), moves.len(), "one logit for each legal move");
        if !descent.is_at_root() {
            let is_first = descent.is_first_visit();
            self.simulations += u32::from(is_first);
            let priors = self.config.priors();
            if descent.resolve::<SingleThread>(&self.tree, evaluation, priors).is_err() {
                self.tree.prune_least_visited();
            }
            return;
        }
        let choices = moves.len();
        let found = if self.tree.node(ROOT).is_expanded() {
            let found = examine_kept(&mut self.tree, descent, self.config.mates());
            self.root.keep(&self.tree, &descent.query.moves, evaluation);
            found
        } else {
            let ends = descent.ends(self.config.mates());
            self.root.expand(&self.tree, &descent.query.moves, evaluation, &ends, &self.config)
        };
        if let SearchConfig::Gumbel(config) = &self.config {
            self.halving.start(choices, self.budget, config);
        }
        descent.back_up::<SingleThread>(&self.tree, evaluation.wdl, found);
    }

    /// The simulations done so far.
    pub fn simulations(&self) -> u32 {
        self.simulations
    }

    /// Plies of the longest line that this search has looked at.
    pub fn deepest(&self) -> usize {
        self.descent.iter().chain(&self.others).map(|descent| descent.deepest).max().unwrap_or(0)
    }

    /// Nodes of the tree, those included that were kept or given up.
    pub fn nodes(&self) -> u32 {
        self.tree.nodes.used()
    }

    /// Bytes of memory that the tree holds.
    pub fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// The game that is searched.
    ///
    /// # Panics
    /// Before the first start.
    pub fn root(&self) -> &G {
        self.game.as_ref().expect("the search was started")
    }

    /// Whether the root was evaluated and another simulation would not help, or the budget is spent.
    pub fn is_over(&self) -> bool {
        let root = self.tree.node(ROOT);
        self.simulations >= self.budget || root.proof().is_some() || root.visits() >= MOST_VISITS
    }

    /// One simulation: to a leaf, which is then pending, or to a position whose value is known.
    fn descend(&mut self) -> DescentEnd {
        loop {
            let (tree, descent) = (&self.tree, self.descent.as_mut().expect("the search was started"));
            let game = self.game.as_ref().expect("the search was started");
            let terms = (self.config.mates(), self.policy_asked);
            let end = match &self.config {
                SearchConfig::Puct(config) => {
                    descent.run::<SingleThread>(game, tree, terms, |id| puct::select(tree, id, config))
                }
                SearchConfig::Gumbel(config) => {
                    descent.run::<SingleThread>(game, tree, terms, |id| match id {
                        ROOT => self.halving.next(tree, &self.root.scores, config),
                        _ => gumbel::select(tree, id, config),
                    })
                }
            };
            match end {
                DescentEnd::Full => self.tree.prune_least_visited(),
                DescentEnd::Collision => unreachable!("there is no other descent"),
                DescentEnd::Leaf | DescentEnd::Known => return end,
            }
        }
    }
}

/// Does at a kept root what no descent has done before, and says what it proves: opens the moves that end the game, and
/// looks for a mate. It changes the places of the moves, by which the lists of [`Root`] go, so that it is done before those
/// are made.
fn examine_kept<G: Game>(tree: &mut Tree, descent: &mut Descent<G>, mates: MateConfig) -> Option<Proven> {
    let root = tree.node(ROOT);
    // A descent looks for a mate once it passes a node with as many visits as `mates` says: one visit more comes after it.
    let has_no_look = mates.visits > 0 && root.proof().is_none() && root.visits() <= mates.visits;
    let is_new = root.examine();
    let mut found = None;
    if is_new {
        found = with_room(tree, |tree| descent.examine(tree, ROOT));
    }
    if found.is_none() && has_no_look {
        found = with_room(tree, |tree| descent.look_for_mate_at_root(tree, mates.plies));
    }
    if is_new || found.is_some() {
        tree.sort_root();
    }
    found
}

/// What `open` proves of nodes that it opens, for which a tree without room is pruned.
fn with_room(
    tree: &mut Tree,
    mut open: impl FnMut(&Tree) -> Result<Option<Proven>, TreeFull>,
) -> Option<Proven> {
    open(tree)
        .or_else(|_| {
            tree.prune_least_visited();
            open(tree)
        })
        .expect("a pruned tree has room")
}

/// Drives `search` to its end, one leaf at a time.
pub fn run<G: Game, E: Evaluator<G> + ?Sized>(search: &mut Search<G>, evaluator: &mut E) {
    run_while(search, evaluator, || true);
}

/// Drives `search` until its end or until `more`, which is asked at every step, says no; the root is evaluated all the
/// same.
pub fn run_while<G: Game, E: Evaluator<G> + ?Sized>(
    search: &mut Search<G>,
    evaluator: &mut E,
    mut more: impl FnMut() -> bool,
) {
    let mut evaluation = [Evaluation::default()];
    search.ask_policies(evaluator.policy_asked());
    loop {
        match search.step() {
            SearchStep::Over => return,
            SearchStep::Known => {}
            SearchStep::Leaf(leaf) => {
                evaluator.evaluate(&[leaf], &mut evaluation);
                search.resolve(&evaluation[0]);
            }
        }
        // A descent that has just got its policy is finished first: the caller may change the tree before it goes on.
        if !search.is_resuming() && !more() {
            return;
        }
    }
}
