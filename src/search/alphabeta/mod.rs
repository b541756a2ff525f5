//! Alpha-beta: principal variation search by iterative deepening, ordered and shortened by the evaluator's policy.
//!
//! A contender to the tree of [`Search`](super::Search), for play against a clock. It asks the same evaluator, by
//! the same door: for the value alone where it needs no more, which a query without moves means.
//!
//! [`AlphaBeta`] owns the table and the history; [`node`] searches a node, [`settle`] ends lines with captures,
//! [`reduce`] says what is looked at less, [`line`] holds the positions of the line under way.

mod line;
mod node;
mod order;
mod reduce;
mod root;
mod score;
mod settle;
mod table;

use self::{line::Line, order::History, table::Table};
use crate::rules::Game;

/// An alpha-beta search; its buffers and what it has found out serve one search after another.
#[derive(Clone, Debug)]
pub struct AlphaBeta<G: Game> {
    table: Table,
    history: History,
    /// `None` before the first search.
    line: Option<Line<G>>,
}

/// What a search has found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found<M> {
    /// The best move.
    pub mv: M,
    /// The expected score in `-1.0..=1.0`, for the side to move.
    pub q: f32,
    /// Plies after which a certain result comes, counted from the root; `None` where nothing is certain.
    pub end: Option<u32>,
    /// The depth of the last iteration that was finished.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
}

impl<G: Game> AlphaBeta<G> {
    /// A search with a table of so many MiB.
    pub fn new(mebibytes: usize) -> Self {
        AlphaBeta { table: Table::new(mebibytes << 20), history: History::new(), line: None }
    }

    /// Forgets what other searches have found, so that the next does not depend on them.
    pub fn forget(&mut self) {
        self.table.clear();
        self.history.clear();
    }
}
