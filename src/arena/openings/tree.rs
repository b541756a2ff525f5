//! The search that judges openings: PUCT over solved nodes, with equal priors and a constant that grows.
//!
//! Frozen, as [`crate::arena::UniformPlayer`] is: what is even must not change when the search of play does. So it
//! shares no code with [`crate::search`].

use crate::{
    base::maths::ln,
    games::rules::{Game, Side, Verdict},
    search::Wdl,
};

const C_INIT: f32 = 1.5;
const C_BASE: f32 = 19652.0;
const FPU_REDUCTION: f32 = 0.25;

/// The root, which has no parent.
const ROOT: u32 = 0;

/// What is known for certain, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proof {
    Win,
    Draw,
    Loss,
}

impl Proof {
    fn of(verdict: Verdict, side: Side) -> Proof {
        match verdict {
            Verdict::Draw => Proof::Draw,
            Verdict::Win(winner) if winner == side => Proof::Win,
            Verdict::Win(_) => Proof::Loss,
        }
    }

    fn wdl(self) -> Wdl {
        match self {
            Proof::Win => Wdl::WIN,
            Proof::Draw => Wdl::DRAW,
            Proof::Loss => Wdl::LOSS,
        }
    }
}

/// A position that was visited.
#[derive(Clone, Debug)]
struct Node {
    /// Sum over the visits, for the side to move here.
    sum: Wdl,
    visits: u32,
    /// The edges are `first..first + len`; `len` is 0 until the node is expanded, and the first `opened` have a node.
    first: u32,
    len: u32,
    opened: u32,
    /// Edges that lead to no proven node yet.
    unproven: u32,
    proof: Option<Proof>,
}

impl Node {
    const NEW: Node = Node {
        sum: Wdl { win: 0.0, draw: 0.0, loss: 0.0 },
        visits: 0,
        first: 0,
        len: 0,
        opened: 0,
        unproven: 0,
        proof: None,
    };

    fn wdl(&self) -> Wdl {
        match self.proof {
            Some(proof) => proof.wdl(),
            None => self.sum * (1.0 / self.visits as f32),
        }
    }
}

#[derive(Clone, Debug)]
struct Edge<M> {
    mv: M,
    child: u32,
}

/// A tree and its search; the buffers serve one search after another.
#[derive(Clone, Debug)]
pub(super) struct Tree<G: Game> {
    nodes: Vec<Node>,
    edges: Vec<Edge<G::Move>>,
    path: Vec<u32>,
    moves: Vec<G::Move>,
    game: Option<G>,
}

impl<G: Game> Tree<G> {
    pub fn new() -> Self {
        Tree { nodes: Vec::new(), edges: Vec::new(), path: Vec::new(), moves: Vec::new(), game: None }
    }

    /// What `root`, which must not be over, is worth to its side to move after `simulations`, where `judge` gives the value
    /// of a position, of which it is told the legal moves, to its side to move.
    pub fn search(
        &mut self,
        root: &G,
        simulations: u32,
        mut judge: impl FnMut(&G, &[G::Move]) -> Wdl,
    ) -> Wdl {
        self.nodes.clear();
        self.nodes.push(Node::NEW);
        self.edges.clear();
        let mut game = self.game.take().unwrap_or_else(|| root.clone());
        // The root's own evaluation, then one leaf a simulation.
        let mut left = simulations + 1;
        while left > 0 && self.nodes[ROOT as usize].proof.is_none() {
            self.simulate(root, &mut game, &mut judge);
            if left == simulations + 1 && self.moves.len() == 1 {
                left = left.min(2);
            }
            left -= 1;
        }
        self.game = Some(game);
        self.value()
    }

    fn simulate(&mut self, root: &G, game: &mut G, judge: &mut impl FnMut(&G, &[G::Move]) -> Wdl) {
        game.clone_from(root);
        self.path.clear();
        self.path.push(ROOT);
        let mut id = ROOT;
        while self.nodes[id as usize].len > 0 && self.nodes[id as usize].proof.is_none() {
            let edge = self.select(id);
            game.play(self.edges[edge].mv);
            id = self.edges[edge].child;
            self.path.push(id);
        }
        if let Some(proof) = self.nodes[id as usize].proof {
            self.back_up(proof.wdl(), None);
        } else if let Some(outcome) = game.outcome_or_declaration() {
            let proof = Proof::of(outcome.verdict, game.side_to_move());
            self.back_up(proof.wdl(), Some(proof));
        } else {
            self.moves.clear();
            game.legal_moves(&mut self.moves);
            let wdl = judge(game, &self.moves);
            let (first, len) = (self.edges.len() as u32, self.moves.len() as u32);
            self.edges.extend(self.moves.iter().map(|&mv| Edge { mv, child: ROOT }));
            let node = &mut self.nodes[id as usize];
            (node.first, node.len, node.unproven) = (first, len, len);
            self.back_up(wdl, None);
        }
    }

    /// The edge to follow from an expanded node, opened if it was not. Moves that lose for certain are not visited.
    fn select(&mut self, id: u32) -> usize {
        let node = &self.nodes[id as usize];
        let visits = node.visits as f32;
        let exploration = (ln((1.0 + visits + C_BASE) / C_BASE) + C_INIT) * visits.sqrt();
        let prior = self.prior(node.len);
        let mut best = (f32::NEG_INFINITY, None);
        let mut seen = 0.0;
        for edge in node.first..node.first + node.opened {
            let child = &self.nodes[self.edges[edge as usize].child as usize];
            seen += prior;
            if child.proof == Some(Proof::Win) {
                continue;
            }
            let score = child.wdl().flip().q() + exploration * prior / (1.0 + child.visits as f32);
            if score > best.0 || best.1.is_none() {
                best = (score, Some(edge as usize));
            }
        }
        if node.opened < node.len {
            let score = node.wdl().q() - FPU_REDUCTION * seen.sqrt() + exploration * prior;
            if score > best.0 || best.1.is_none() {
                return self.open(id);
            }
        }
        best.1.expect("a node is proven once all its moves lose")
    }

    /// The prior of each of `len` moves: the softmax of equal logits.
    fn prior(&self, len: u32) -> f32 {
        1.0 / len as f32
    }

    fn open(&mut self, id: u32) -> usize {
        let new = self.nodes.len() as u32;
        let node = &mut self.nodes[id as usize];
        let edge = (node.first + node.opened) as usize;
        node.opened += 1;
        self.edges[edge].child = new;
        self.nodes.push(Node::NEW);
        edge
    }

    /// Adds one visit to the nodes of the path, worth `value` to the side to move at its end, and draws the conclusions
    /// from `found`, if that was just proven there.
    fn back_up(&mut self, mut value: Wdl, found: Option<Proof>) {
        let mut here = found;
        let mut below = None;
        for at in (0..self.path.len()).rev() {
            let id = self.path[at];
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

    fn conclude(&mut self, id: u32, child: Proof) -> Option<Proof> {
        let node = &mut self.nodes[id as usize];
        node.unproven -= 1;
        if child == Proof::Loss {
            return Some(Proof::Win);
        }
        if node.unproven > 0 {
            return None;
        }
        let draws = self.opened(id).any(|child| child.proof == Some(Proof::Draw));
        Some(if draws { Proof::Draw } else { Proof::Loss })
    }

    fn opened(&self, id: u32) -> impl Iterator<Item = &Node> {
        let node = &self.nodes[id as usize];
        let edges = &self.edges[node.first as usize..][..node.opened as usize];
        edges.iter().map(|edge| &self.nodes[edge.child as usize])
    }

    /// What is proven of the root, else the values of its visited moves in proportion to their visits, those left out that
    /// lose for certain.
    fn value(&self) -> Wdl {
        let root = &self.nodes[ROOT as usize];
        if root.proof.is_some() {
            return root.wdl();
        }
        let tried = || self.opened(ROOT).filter(|child| child.visits > 0 && child.proof != Some(Proof::Win));
        let total: f32 = tried().map(|child| child.visits as f32).sum();
        let (mut sum, mut share_of_all) = (Wdl { win: 0.0, draw: 0.0, loss: 0.0 }, 0.0);
        for child in tried() {
            let share = child.visits as f32 / total;
            sum += child.wdl().flip() * share;
            share_of_all += share;
        }
        if share_of_all > 0.0 { sum * (1.0 / share_of_all) } else { root.wdl() }
    }
}
