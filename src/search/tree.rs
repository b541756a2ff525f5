//! The tree as two flat arrays: nodes that were visited, and the moves out of every expanded node,
//! contiguous. A move that was never visited costs an edge only.

use super::Wdl;
use crate::rules::{Side, Verdict};

/// Index of a node.
pub(super) type NodeId = u32;

/// The root, which is nobody's child.
pub(super) const ROOT: NodeId = 0;

/// What is known for certain, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    Win,
    Draw,
    Loss,
}

impl Proof {
    /// `verdict` as `side` sees it.
    pub fn of(verdict: Verdict, side: Side) -> Proof {
        match verdict {
            Verdict::Draw => Proof::Draw,
            Verdict::Win(winner) if winner == side => Proof::Win,
            Verdict::Win(_) => Proof::Loss,
        }
    }

    pub fn wdl(self) -> Wdl {
        match self {
            Proof::Win => Wdl::WIN,
            Proof::Draw => Wdl::DRAW,
            Proof::Loss => Wdl::LOSS,
        }
    }
}

/// A position that was visited.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Sum over the visits, for the side to move here.
    sum: Wdl,
    pub visits: u32,
    /// The evaluator's own opinion, for the side to move here.
    pub raw_q: f32,
    /// The edges are `first..first + len`; `len` is 0 until the node is expanded.
    first: u32,
    len: u16,
    /// The first so many edges have a node.
    opened: u16,
    /// Edges that lead to no proven node yet.
    unproven: u16,
    pub proof: Option<Proof>,
}

impl Node {
    const NEW: Node = Node {
        sum: Wdl { win: 0.0, draw: 0.0, loss: 0.0 },
        visits: 0,
        raw_q: 0.0,
        first: 0,
        len: 0,
        opened: 0,
        unproven: 0,
        proof: None,
    };

    /// For the side to move here: what is proven, else the mean over the visits, of which there is one at least.
    pub fn wdl(&self) -> Wdl {
        match self.proof {
            Some(proof) => proof.wdl(),
            None => self.sum * (1.0 / self.visits as f32),
        }
    }

    pub fn is_expanded(&self) -> bool {
        self.len > 0
    }

    /// The place of the most likely move that has no node yet.
    pub fn next_unopened(&self) -> Option<usize> {
        (self.opened < self.len).then_some(self.opened as usize)
    }
}

/// A move out of an expanded node.
#[derive(Clone, Debug)]
pub(super) struct Edge<M> {
    /// Probability of the move before the search.
    pub prior: f32,
    /// The node it leads to; [`ROOT`] while there is none.
    child: NodeId,
    pub mv: M,
}

/// A search tree; its buffers outlive the search.
#[derive(Clone, Debug)]
pub(super) struct Tree<M> {
    nodes: Vec<Node>,
    edges: Vec<Edge<M>>,
}

impl<M: Copy> Tree<M> {
    pub fn new() -> Self {
        Tree { nodes: vec![Node::NEW], edges: Vec::new() }
    }

    /// Forgets all but an unexpanded root.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::NEW);
        self.edges.clear();
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub fn edges(&self, id: NodeId) -> &[Edge<M>] {
        let node = self.node(id);
        &self.edges[node.first as usize..][..node.len as usize]
    }

    /// The node behind `edge`, if it was visited.
    pub fn child(&self, edge: &Edge<M>) -> Option<&Node> {
        (edge.child != ROOT).then(|| self.node(edge.child)).filter(|child| child.visits > 0)
    }

    /// The visited moves of a node: the first places of its edges, in their order.
    pub fn opened(&self, id: NodeId) -> impl Iterator<Item = (&Edge<M>, &Node)> + Clone {
        let opened = self.node(id).opened as usize;
        self.edges(id)[..opened].iter().map(|edge| (edge, self.node(edge.child)))
    }

    /// The move at `place` of node `id` and the node it leads to, which is made if there is none.
    pub fn step(&mut self, id: NodeId, place: usize) -> (M, NodeId) {
        let new = self.nodes.len() as NodeId;
        let node = &mut self.nodes[id as usize];
        let edge = &mut self.edges[node.first as usize + place];
        if edge.child != ROOT {
            return (edge.mv, edge.child);
        }
        assert_eq!(place, node.opened as usize, "moves are opened in the order of their places");
        edge.child = new;
        let mv = edge.mv;
        node.opened += 1;
        // The root's edges come sorted, and by what its own selection wants.
        if id != ROOT {
            self.promote(id);
        }
        self.nodes.push(Node::NEW);
        (mv, new)
    }

    /// Gives a node its moves. Those of the root stay in the order given, which must be that in which they
    /// are to be opened.
    pub fn expand(&mut self, id: NodeId, raw_q: f32, moves: impl Iterator<Item = (M, f32)>) {
        let first = self.edges.len();
        self.edges.extend(moves.map(|(mv, prior)| Edge { prior, child: ROOT, mv }));
        let len = u16::try_from(self.edges.len() - first).expect("fewer than 65,536 legal moves");
        let node = &mut self.nodes[id as usize];
        *node = Node { raw_q, first: first as u32, len, unproven: len, ..node.clone() };
        if id != ROOT {
            self.promote(id);
        }
    }

    /// Moves the most likely unopened edge to the first unopened place, so that selection looks at the
    /// opened edges and one more: both searches prefer the higher prior among unvisited moves.
    fn promote(&mut self, id: NodeId) {
        let node = &self.nodes[id as usize];
        let unopened = &mut self.edges[node.first as usize..][node.opened as usize..node.len as usize];
        let mut best = 0;
        for place in 1..unopened.len() {
            if unopened[place].prior > unopened[best].prior {
                best = place;
            }
        }
        if best > 0 {
            unopened.swap(0, best);
        }
    }

    /// Adds one visit to the nodes of `path` (from the root), worth `value` to the side to move at its end,
    /// and draws the conclusions from `found`, if that was just proven there.
    pub fn back_up(&mut self, path: &[NodeId], mut value: Wdl, found: Option<Proof>) {
        let mut here = found;
        let mut below = None;
        for &id in path.iter().rev() {
            if let Some(child) = below {
                here = self.conclude(id, child);
            }
            let node = &mut self.nodes[id as usize];
            if let Some(proof) = here {
                node.proof = here;
                value = proof.wdl();
            }
            node.visits += 1;
            node.sum += value;
            value = value.flip();
            below = here.take();
        }
    }

    /// What the proof of one more child of `id` proves about `id`.
    fn conclude(&mut self, id: NodeId, child: Proof) -> Option<Proof> {
        let node = &mut self.nodes[id as usize];
        debug_assert!(node.proof.is_none(), "nothing is searched below a proven node");
        node.unproven -= 1;
        if child == Proof::Loss {
            return Some(Proof::Win);
        }
        if node.unproven > 0 {
            return None;
        }
        let draws = self.opened(id).any(|(_, child)| child.proof == Some(Proof::Draw));
        Some(if draws { Proof::Draw } else { Proof::Loss })
    }
}
