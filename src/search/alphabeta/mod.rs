//! Alpha-beta: principal variation search by iterative deepening, ordered and shortened by the evaluator's policy.
//!
//! A contender to the tree of [`Search`](super::Search), for play against a clock. It asks the same evaluator, by
//! the same door: for the value alone where it needs no more, which a query without moves means.
//!
//! [`AlphaBeta`] owns the table, and a line and a history for each thread; [`team`] runs the threads, [`root`] deepens,
//! [`node`] searches a node, [`settle`] ends lines with captures, [`reduce`] says what is looked at less, [`line`] holds
//! the positions of the line under way.

mod line;
mod node;
mod order;
mod reduce;
mod root;
mod score;
mod settle;
mod table;
mod team;

use self::{line::Line, order::History, table::Table};
use crate::games::rules::Game;

/// An alpha-beta search; its buffers and what it has found out serve one search after another.
#[derive(Debug)]
pub struct AlphaBeta<G: Game> {
    table: Table,
    /// One for each thread of the largest search so far.
    desks: Vec<Desk<G>>,
}

/// What a thread has for itself.
#[derive(Debug)]
struct Desk<G: Game> {
    line: Line<G>,
    history: History,
}

/// What a search is to do.
#[derive(Clone, Copy, Debug)]
pub struct Orders<'a, M> {
    /// The only moves of the root that are looked at; all of them if there are none.
    pub only: &'a [M],
    /// So many lines are wanted, each with another move: at least one.
    pub lines: usize,
    /// Positions that are looked at, at most. Those that the rules decide may pass it.
    pub nodes: u64,
    /// Depth, at most, at least one.
    pub depth: u32,
}

impl<M> Orders<'_, M> {
    /// The best move, as deep as there is time.
    pub const BEST: Self = Orders { only: &[], lines: 1, nodes: u64::MAX, depth: u32::MAX };
}

/// Follows a search and ends it. A function that says whether the search goes on is one.
pub trait Listener<M> {
    /// Whether the search goes on. It is asked every few nodes.
    fn goes_on(&mut self) -> bool;

    /// Hears what was found once a depth is done.
    fn hear(&mut self, _: &Found<M>) {}
}

impl<M, F: FnMut() -> bool> Listener<M> for F {
    fn goes_on(&mut self) -> bool {
        self()
    }
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<M> {
    /// The lines asked for, fewer where there are fewer moves, the best first: at least one.
    pub lines: Vec<Principal<M>>,
    /// The depth of the last iteration that was finished.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub deepest: usize,
    /// Positions looked at.
    pub nodes: u64,
    /// How much of the table is filled, in thousandths.
    pub fullness: u32,
}

impl<M: Copy> Found<M> {
    /// The best move.
    pub fn mv(&self) -> M {
        self.lines[0].moves[0]
    }
}

/// A move of the root and what is expected behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Principal<M> {
    /// The move, and behind it what both sides are expected to play, as far as the table knows.
    pub moves: Vec<M>,
    /// The expected score in `-1.0..=1.0`, for the side to move at the root.
    pub q: f32,
    /// Plies after which a certain win or loss comes, counted from the root; `None` where nothing is certain.
    pub end: Option<u32>,
}

impl<G: Game> AlphaBeta<G> {
    /// A search with a table of so many MiB.
    pub fn new(mebibytes: usize) -> Self {
        AlphaBeta { table: Table::new(mebibytes << 20), desks: Vec::new() }
    }

    /// Forgets what other searches have found, so that the next does not depend on them.
    pub fn forget(&mut self) {
        self.table.clear();
        self.desks.iter_mut().for_each(|desk| desk.history.clear());
    }
}
