//! The yardstick of "has it learned anything": a search that knows nothing but the rules.
//!
//! Frozen: PUCT with constant 1.25, equal priors, value 0 at every unfinished leaf, unvisited moves at 0, no
//! noise, no solver, ties by seed. It shares no code with [`crate::search`], so that ratings against it stay
//! comparable when that changes.

use rand::{Rng, RngExt};

use super::{Forfeit, Player, PlayerAction, Turn};
use crate::games::rules::{Game, Verdict};

const C_PUCT: f32 = 1.25;

/// The root, which has no parent.
const ROOT: u32 = 0;

/// How far a node is known.
#[derive(Clone, Copy, Debug)]
enum State {
    /// Visited once, its moves not generated yet.
    Leaf,
    /// The edges are `first..first + len`, of which the first `opened` have nodes.
    Expanded { first: u32, len: u32, opened: u32 },
    /// The game is over, worth this to the side that moved here.
    Over(i32),
}

#[derive(Clone, Debug)]
struct Node {
    visits: u32,
    /// Sum of the values of the visits, each -1, 0 or 1, for the side that moved here.
    sum: i32,
    state: State,
}

impl Node {
    const NEW: Node = Node { visits: 0, sum: 0, state: State::Leaf };
}

#[derive(Clone, Debug)]
struct Edge<M> {
    mv: M,
    child: u32,
}

/// The player `uniform`. A simulation visits one node below the root.
#[derive(Clone, Debug)]
pub struct UniformPlayer<G: Game> {
    simulations: u32,
    nodes: Vec<Node>,
    edges: Vec<Edge<G::Move>>,
    path: Vec<u32>,
    moves: Vec<G::Move>,
    game: Option<G>,
}

impl<G: Game> UniformPlayer<G> {
    /// Spends `simulations`, at least one, on every move, unless the match is being stopped.
    pub fn new(simulations: u32) -> Self {
        UniformPlayer {
            simulations: simulations.max(1),
            nodes: Vec::new(),
            edges: Vec::new(),
            path: Vec::new(),
            moves: Vec::new(),
            game: None,
        }
    }

    fn simulate(&mut self, root: &G, game: &mut G, rng: &mut dyn Rng) {
        game.clone_from(root);
        self.path.clear();
        self.path.push(ROOT);
        let mut id = ROOT;
        let value = loop {
            match self.nodes[id as usize].state {
                State::Over(value) => break value,
                State::Leaf if id != ROOT && self.nodes[id as usize].visits == 0 => {
                    break self.visit_leaf(id, game);
                }
                State::Leaf => self.expand(id, game),
                State::Expanded { first, len, opened } => {
                    let edge = match self.select(id, first, len, opened) {
                        Some(edge) => edge,
                        None => self.open(id, first, len, opened, rng),
                    };
                    let Edge { mv, child } = self.edges[edge];
                    game.play(mv);
                    self.path.push(child);
                    id = child;
                }
            }
        };
        let mut value = value;
        for &id in self.path.iter().rev() {
            let node = &mut self.nodes[id as usize];
            node.visits += 1;
            node.sum += value;
            value = -value;
        }
    }

    /// The value of a node visited for the first time.
    fn visit_leaf(&mut self, id: u32, game: &G) -> i32 {
        let Some(outcome) = game.outcome_or_declaration() else { return 0 };
        let value = match outcome.verdict {
            Verdict::Draw => 0,
            Verdict::Win(side) if side == game.side_to_move() => -1,
            Verdict::Win(_) => 1,
        };
        self.nodes[id as usize].state = State::Over(value);
        value
    }

    fn expand(&mut self, id: u32, game: &G) {
        self.moves.clear();
        game.legal_moves(&mut self.moves);
        let (first, len) = (self.edges.len() as u32, self.moves.len() as u32);
        self.edges.extend(self.moves.iter().map(|&mv| Edge { mv, child: ROOT }));
        self.nodes[id as usize].state = State::Expanded { first, len, opened: 0 };
    }

    /// The best opened edge, unless an unvisited move is better. Equal moves go by the order in which they were
    /// opened, and that is random.
    fn select(&self, id: u32, first: u32, len: u32, opened: u32) -> Option<usize> {
        // The visit that is under way counts for the root, whose own first visit is no simulation.
        let visits = self.nodes[id as usize].visits + u32::from(id == ROOT);
        let exploration = C_PUCT / len as f32 * (visits as f32).sqrt();
        let mut best = (f32::NEG_INFINITY, None);
        if opened < len {
            best = (exploration, None);
        }
        for edge in first..first + opened {
            let child = &self.nodes[self.edges[edge as usize].child as usize];
            let visits = child.visits as f32;
            let score = child.sum as f32 / visits + exploration / (1.0 + visits);
            if score > best.0 {
                best = (score, Some(edge as usize));
            }
        }
        best.1
    }

    /// Makes the node of an unvisited move, any of them.
    fn open(&mut self, id: u32, first: u32, len: u32, opened: u32, rng: &mut dyn Rng) -> usize {
        let place = first + opened;
        let drawn = rng.random_range(place..first + len);
        self.edges.swap(place as usize, drawn as usize);
        self.edges[place as usize].child = self.nodes.len() as u32;
        self.nodes.push(Node::NEW);
        self.nodes[id as usize].state = State::Expanded { first, len, opened: opened + 1 };
        place as usize
    }

    /// The most visited root move, any of them when there are several.
    fn most_visited(&self, rng: &mut dyn Rng) -> G::Move {
        let State::Expanded { first, opened, .. } = self.nodes[ROOT as usize].state else {
            unreachable!("every search visits a root move");
        };
        let opened = &self.edges[first as usize..][..opened as usize];
        let visits = |edge: &Edge<G::Move>| self.nodes[edge.child as usize].visits;
        let most = opened.iter().map(visits).max().expect("every search visits a root move");
        let best = || opened.iter().filter(|edge| visits(edge) == most);
        let drawn = rng.random_range(0..best().count());
        best().nth(drawn).expect("drawn below the count").mv
    }
}

impl<G: Game> Player<G> for UniformPlayer<G> {
    fn choose(&mut self, turn: &Turn<'_, G>, rng: &mut dyn Rng) -> Result<PlayerAction<G::Move>, Forfeit> {
        let root = turn.game;
        self.nodes.clear();
        self.nodes.push(Node::NEW);
        self.edges.clear();
        let mut game = self.game.take().unwrap_or_else(|| root.clone());
        for done in 0..self.simulations {
            // The first one gives it a move.
            if done > 0 && (turn.is_stopped)() {
                break;
            }
            self.simulate(root, &mut game, rng);
        }
        self.game = Some(game);
        Ok(PlayerAction::Play(self.most_visited(rng)))
    }
}
