//! Alpha-beta: principal variation search by iterative deepening, ordered and shortened by the evaluator's policy.
//!
//! An alternative to the tree of [`Search`](super::Search), for play against a clock. It asks the same evaluator
//! through the same interface. Where it needs the value alone it sends a query without moves.
//!
//! [`AlphaBeta`] owns the transposition table, and for each thread a stack and a history. [`lazy_smp`] runs the
//! threads, [`iterative_deepening`] searches the root, [`pvs`] a node, [`quiescence`] ends lines with captures,
//! [`pruning`] and [`reductions`] say what is searched less or not at all, [`stack`] holds the positions from the root
//! to the current node.

mod iterative_deepening;
mod lazy_smp;
mod move_ordering;
mod pruning;
mod pvs;
mod quiescence;
mod reductions;
mod score;
mod stack;
mod transposition;
mod window;

use std::sync::atomic::AtomicU64;

use self::{
    move_ordering::ButterflyHistory,
    score::{CERTAIN, SearchScore, WIN},
    stack::SearchStack,
    transposition::TranspositionTable,
};
use crate::games::rules::Game;

/// An alpha-beta search. Its buffers, its table and its histories serve one search after another.
#[derive(Debug)]
pub struct AlphaBeta<G: Game> {
    table: TranspositionTable,
    /// One for each thread of the largest search so far.
    threads: Vec<ThreadData<G>>,
}

/// What belongs to one thread.
#[derive(Debug)]
struct ThreadData<G: Game> {
    stack: SearchStack<G>,
    history: ButterflyHistory,
}

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchLimits<'a, M> {
    /// The only moves of the root that are searched; all of them if empty. UCI calls them `searchmoves`.
    pub only: &'a [M],
    /// How many lines are wanted, each with another first move: at least one. UCI calls it `MultiPV`.
    pub lines: usize,
    /// Positions searched, at most, by all threads together. With one thread that is exact but for positions that the
    /// rules decide, which may exceed it; with more, each may exceed it by some tens, and what is found depends on their
    /// speeds.
    pub nodes: u64,
    /// Depth in plies, at most; at least one.
    pub depth: u32,
}

impl<M> SearchLimits<'_, M> {
    /// One line, as deep as there is time.
    pub const UNLIMITED: Self = SearchLimits { only: &[], lines: 1, nodes: u64::MAX, depth: u32::MAX };
}

/// The positions that a search looks at, at most.
#[derive(Clone, Copy, Debug)]
pub struct NodeLimit<'a> {
    /// Of all threads together.
    pub most: u64,
    /// Those of the helper threads so far.
    pub helpers: &'a AtomicU64,
}

/// Follows a search and can end it. A function that says whether to go on is one, too.
pub trait SearchObserver<M> {
    /// Whether to go on. It is asked every few nodes.
    fn keep_going(&mut self) -> bool;

    /// Is called with what was found after each depth.
    fn depth_done(&mut self, _: &SearchResult<M>) {}
}

impl<M, F: FnMut() -> bool> SearchObserver<M> for F {
    fn keep_going(&mut self) -> bool {
        self()
    }
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<M> {
    /// The lines asked for, fewer where there are fewer moves: at least one. The first is the one to play, the others follow
    /// by their scores, the best first. After an iteration that was interrupted some are of the one before, and may
    /// have a higher score than the first.
    pub lines: Vec<PvLine<M>>,
    /// The depth of the last iteration that was finished.
    pub depth: u32,
    /// Plies of the longest line searched. UCI calls it `seldepth`.
    pub deepest: usize,
    /// Positions searched.
    pub nodes: u64,
    /// How much of the table is filled, in thousandths. UCI calls it `hashfull`.
    pub fullness: u32,
}

impl<M> SearchResult<M> {
    /// This line, found without a search.
    fn of(line: PvLine<M>) -> Self {
        SearchResult { lines: vec![line], depth: 0, deepest: 0, nodes: 0, fullness: 0 }
    }

    /// The move `mv`, which wins at once, found among so many moves.
    pub(super) fn of_win(mv: M, among: usize) -> Self {
        let line = PvLine::of(vec![mv], WIN - 1, 1);
        SearchResult { depth: 1, deepest: 1, nodes: among as u64, ..Self::of(line) }
    }
}

impl<M: Copy> SearchResult<M> {
    /// The best move.
    pub fn mv(&self) -> M {
        self.lines[0].moves[0]
    }
}

/// A principal variation: a move of the root and what is expected behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct PvLine<M> {
    /// The move, and behind it what both sides are expected to play, as far as the table knows.
    pub moves: Vec<M>,
    /// The expected score in `-1.0..=1.0`, for the side to move at the root.
    pub q: f32,
    /// Plies after which a certain win or loss comes, counted from the root; `None` where nothing is certain.
    pub end: Option<u32>,
    /// What `q` and `end` were made of, for comparisons of lines: the greater, the better, also among wins and losses of
    /// different lengths.
    pub score: SearchScore,
    /// The depth of the iteration that found it, which may have been interrupted; 0 where nothing was searched, and the
    /// score is the evaluator's opinion of the root.
    pub depth: u32,
}

impl<M> PvLine<M> {
    /// The line of `moves` with this score, found by an iteration of this depth.
    fn of(moves: Vec<M>, score: SearchScore, depth: u32) -> Self {
        let end = (score.abs() >= CERTAIN).then(|| (WIN - score.abs()) as u32);
        PvLine { moves, q: score::to_q(score), end, score, depth }
    }
}

impl<G: Game> AlphaBeta<G> {
    /// A search with a transposition table of this size.
    pub fn new(mebibytes: usize) -> Self {
        AlphaBeta { table: TranspositionTable::new(mebibytes << 20), threads: Vec::new() }
    }

    /// Forgets what other searches have found, so that the next does not depend on them.
    pub fn forget(&mut self) {
        self.table.clear();
        self.threads.iter_mut().for_each(|thread| thread.history.clear());
    }
}
