//! The tree: nodes that were visited, and the moves out of every expanded node, side by side. A move that was never
//! visited costs an edge only. Many threads may use it at a time.

use super::{
    Wdl,
    arena_alloc::ChunkArena,
    edge::{Edge, EdgeId, ROOT_EDGE},
    node::{Access, Node, NodeId, ROOT},
    sync::atomic::Ordering::{Acquire, Relaxed, Release},
    value::{Proof, Proven, Value},
};
use crate::games::rules::Move;

/// Nodes and edges of a chunk, as powers of two: 192 KiB and 320 KiB, so that making one takes no noticeable time.
const NODE_BITS: u32 = if cfg!(loom) { 3 } else { 12 };
const EDGE_BITS: u32 = if cfg!(loom) { 3 } else { 14 };
/// The share of a tree's memory that is for nodes. A visited position takes a node of 48 bytes and, once it is
/// expanded, 20 bytes for each move, of which there are about ten on the smallest board and eighty on the largest.
const NODE_SHARE: f64 = 0.25;

/// Bytes that the pruning of a full tree needs for each node: its new name, and where its edges lie.
const WORK: usize = 12;

/// There is no room for another node or for its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TreeFull;

/// A step of a path: a node, and the edge that leads to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathStep {
    pub edge: EdgeId,
    pub node: NodeId,
}

impl PathStep {
    /// Where every path begins.
    pub const ROOT: PathStep = PathStep { edge: ROOT_EDGE, node: ROOT };
}

/// A search tree; its memory outlives the search.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: ChunkArena<Node, NODE_BITS>,
    pub(super) edges: ChunkArena<Edge, EDGE_BITS>,
}

/// A move whose end is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KnownEnd {
    /// [`crate::games::rules::Move::bits`].
    pub mv: u16,
    /// What it makes of the position behind it, for the side that would be to move.
    pub proof: Proof,
    /// Plies from there to the end of the game, at most.
    pub plies: u16,
}

impl KnownEnd {
    /// The first move of a mate within `plies`.
    pub fn mate(mv: impl Move, plies: u32) -> Self {
        KnownEnd { mv: mv.bits(), proof: Proof::Loss, plies: plies as u16 - 1 }
    }
}

impl Tree {
    /// A tree of an unexpanded root, which never takes more than about `bytes`.
    pub fn new(bytes: usize) -> Self {
        let share = |share: f64, size: usize| (bytes as f64 * share) as usize / size;
        let mut tree = Tree {
            nodes: ChunkArena::with_capacity(share(NODE_SHARE, size_of::<Node>() + WORK)),
            edges: ChunkArena::with_capacity(share(1.0 - NODE_SHARE, size_of::<Edge>())),
        };
        tree.clear();
        tree
    }

    /// Forgets all but an unexpanded root.
    pub fn clear(&mut self) {
        self.nodes.free_from(ROOT);
        self.free_edges();
        let root = self.nodes.alloc(1).expect("an empty tree has room");
        self.nodes.get(root).reset();
    }

    /// Frees all edges but that of the root.
    pub(super) fn free_edges(&mut self) {
        self.edges.free_from(0);
        assert_eq!(self.edges.alloc(1), Some(ROOT_EDGE), "an empty tree has room");
        self.edges.get(ROOT_EDGE).set(0, 1.0);
    }

    #[inline(always)]
    pub fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id)
    }

    #[inline(always)]
    pub fn edges(&self, id: NodeId) -> &[Edge] {
        let node = self.node(id);
        match node.len.load(Acquire) {
            0 => &[],
            len => self.edges.slice(node.first.load(Relaxed), len.into()),
        }
    }

    /// The edges with a node, and the first one without.
    #[inline(always)]
    pub fn opened_and_next(&self, id: NodeId) -> (&[Edge], Option<&Edge>) {
        // In this order: `opened` may grow meanwhile, and all edges up to the one behind it stay where they are.
        let opened = usize::from(self.node(id).opened.load(Acquire));
        let edges = self.edges(id);
        (&edges[..opened], edges.get(opened))
    }

    /// The node behind `edge`, if something is known of it.
    #[inline(always)]
    pub fn child(&self, edge: &Edge) -> Option<&Node> {
        match edge.child() {
            ROOT => None,
            child => Some(self.node(child)).filter(|child| child.is_known()),
        }
    }

    /// The visited or proven moves of a node: the first places of its edges, in their order.
    #[inline(always)]
    pub fn opened(&self, id: NodeId) -> impl Iterator<Item = (&Edge, &Node)> + Clone {
        self.opened_and_next(id).0.iter().map(|edge| (edge, self.node(edge.child())))
    }

    /// Fills `moves` with the moves of `id`, each once. While others open them, their places change, so that they are
    /// listed under the lock.
    pub fn list_moves<M: Move>(&self, id: NodeId, moves: &mut Vec<M>) {
        let node = self.node(id);
        moves.clear();
        node.lock();
        moves.extend(self.edges(id).iter().map(|edge| M::from_bits(edge.mv())));
        node.release();
    }

    /// The move at `place` of node `id` and where it leads, to a node that is made if there is none.
    pub fn step(&self, id: NodeId, place: usize) -> Result<(u16, PathStep), TreeFull> {
        let edge = &self.edges(id)[place];
        let node = self.node(id);
        if edge.child() == ROOT {
            node.lock();
            let opened = if edge.child() == ROOT { self.open(id, place) } else { Ok(()) };
            node.release();
            opened?;
        }
        // First the child: with it the move is sure.
        let passed = PathStep { edge: node.first.load(Relaxed) + place as EdgeId, node: edge.child() };
        Ok((edge.mv(), passed))
    }

    /// Makes the node behind the first unopened edge of a locked node.
    fn open(&self, id: NodeId, place: usize) -> Result<(), TreeFull> {
        let opened = usize::from(self.node(id).opened.load(Relaxed));
        assert_eq!(place, opened, "moves are opened in the order of their places");
        let child = self.nodes.alloc(1).ok_or(TreeFull)?;
        self.node(child).reset();
        let edges = self.edges(id);
        edges[place].lead_to(child);
        self.set_opened(id, edges, place + 1);
        Ok(())
    }

    /// The first `opened` edges of a locked node have nodes from now on.
    fn set_opened(&self, id: NodeId, edges: &[Edge], opened: usize) {
        // The root's edges come sorted, and by what its own selection wants.
        if id != ROOT {
            promote(&edges[opened..]);
        }
        self.node(id).opened.store(opened as u16, Release);
    }

    /// Gives a node that the caller has claimed its moves, each with its bits and its prior, and ends the claim. Those
    /// of the root stay in the order given, which must be that in which they are to be opened.
    pub fn expand(
        &self,
        id: NodeId,
        moves: impl ExactSizeIterator<Item = (u16, f32)>,
    ) -> Result<(), TreeFull> {
        let node = self.node(id);
        let len = u16::try_from(moves.len()).expect("fewer than 65,536 legal moves");
        let taken = self.edges.alloc(len.into());
        if let Some(first) = taken {
            let edges = self.edges.slice(first, len.into());
            edges.iter().zip(moves).for_each(|(edge, (mv, prior))| edge.set(mv, prior));
            if id != ROOT {
                promote(edges);
            }
            node.set_edges(first, len);
        }
        node.release();
        taken.map(|_| ()).ok_or(TreeFull)
    }

    /// Proves the moves of an expanded node whose end is known, and says what that proves of the node. They go to the
    /// first unopened places, in the order of `ends`. A thread that can reach a node made here finds it proven.
    pub fn open_ends(&self, id: NodeId, ends: &[KnownEnd]) -> Result<Option<Proven>, TreeFull> {
        if ends.is_empty() {
            return Ok(None);
        }
        let mut fresh = self.nodes.alloc(ends.len() as u32).ok_or(TreeFull)?;
        let node = self.node(id);
        node.lock();
        let edges = self.edges(id);
        let mut opened = usize::from(node.opened.load(Relaxed));
        let mut proven = None;
        for end in ends {
            let place = edges.iter().position(|edge| edge.mv() == end.mv).expect("it is a legal move");
            let known = Proven { proof: end.proof, plies: end.plies };
            let is_new = if place < opened {
                self.prove(&edges[place], self.node(edges[place].child()), known)
            } else {
                let (edge, child) = (&edges[opened], self.node(fresh));
                edge.swap(&edges[place]);
                child.reset();
                self.prove(edge, child, known);
                edge.lead_to(fresh);
                (fresh, opened) = (fresh + 1, opened + 1);
                true
            };
            if is_new {
                proven = proven.or(self.conclude(id, known));
            }
        }
        self.set_opened(id, edges, opened);
        node.release();
        Ok(proven)
    }

    /// Proves `child`, the node of `edge`. `false` if something was proven there already.
    fn prove(&self, edge: &Edge, child: &Node, known: Proven) -> bool {
        let is_new = child.prove(known);
        if is_new {
            edge.refresh(child);
        }
        is_new
    }

    /// Backs up `value`, that of the side to move at the end of `path` (from the root), as one visit of each node, and
    /// draws the conclusions from `found`, if that was just proven there.
    pub fn back_up<A: Access>(&self, path: &[PathStep], value: Wdl, found: Option<Proven>) {
        let mut value = Value::of(value);
        let mut here = found;
        let mut below = None;
        for passed in path.iter().rev() {
            let node = self.node(passed.node);
            if let Some(child) = below {
                here = self.conclude(passed.node, child);
            }
            below = here.take().filter(|&proven| node.prove(proven));
            if let Some(proof) = node.proof() {
                value = Value::of(proof.wdl());
            } else if node.has_draw() {
                value = value.at_least_a_draw();
            }
            node.add::<A>(value);
            A::leave(node);
            self.edges.get(passed.edge).refresh(node);
            value = value.flip();
        }
    }

    /// Ends the descent along `path` without a visit.
    pub fn abandon<A: Access>(&self, path: &[PathStep]) {
        for passed in path {
            let node = self.node(passed.node);
            A::leave(node);
            self.edges.get(passed.edge).refresh(node);
        }
    }

    /// What the proof of one more child of `id` proves about `id`.
    fn conclude(&self, id: NodeId, child: Proven) -> Option<Proven> {
        let node = self.node(id);
        if child.proof == Proof::Draw {
            node.set_draw();
        }
        let was_last = node.count_proof();
        if child.proof == Proof::Loss {
            return Some(Proven { proof: Proof::Win, plies: child.plies.saturating_add(1) });
        }
        was_last.then(|| self.without_a_win(id))
    }

    /// What a node is all of whose moves lead to proven draws and losses: the loser goes the longest way.
    fn without_a_win(&self, id: NodeId) -> Proven {
        let plies = self.opened(id).map(|(_, child)| child.plies()).max().unwrap_or(0);
        let proof = if self.node(id).has_draw() { Proof::Draw } else { Proof::Loss };
        Proven { proof, plies: plies.saturating_add(1) }
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.nodes.bytes() + self.edges.bytes()
    }
}

/// Moves the most likely edge to the first place, so that selection looks at the opened edges and one more: both
/// searches prefer the higher prior among unvisited moves.
pub(super) fn promote(unopened: &[Edge]) {
    let (mut best, mut highest) = (0, f32::NEG_INFINITY);
    for (place, edge) in unopened.iter().enumerate() {
        let prior = edge.prior();
        if prior > highest {
            (best, highest) = (place, prior);
        }
    }
    if best > 0 {
        unopened[0].swap(&unopened[best]);
    }
}
