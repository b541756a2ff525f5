//! Lazy SMP: several threads search one position, each by itself, and share the table.
//!
//! Every second thread begins a ply deeper, so that what they find is of use to each other. The main thread's result
//! counts. With one thread a search depends on nothing but the position and what was found before. A limit of nodes is one
//! for all threads together.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    thread,
};

use super::{
    AlphaBeta, NodeLimit, SearchLimits, SearchObserver, SearchResult, ThreadData,
    move_ordering::{ButterflyHistory, ScoredMove},
    pvs::{NODES_PER_CLOCK_CHECK, Worker},
    stack::{MoveFilter, SearchStack},
    transposition::TranspositionTable,
};
use crate::{games::rules::Game, search::Evaluator};

/// What the threads of a search share.
#[derive(Debug)]
struct SmpState<'a> {
    table: &'a TranspositionTable,
    is_over: AtomicBool,
    /// Nodes of the helper threads.
    nodes: AtomicU64,
}

/// Ends the helper threads when it is dropped: also where the main thread panics.
struct HelperStop<'a>(&'a AtomicBool);

impl Drop for HelperStop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// The main thread's observer: passes everything on, with the nodes of all threads.
struct MainThread<'a, L> {
    observer: &'a mut L,
    state: &'a SmpState<'a>,
}

impl<M: Clone, L: SearchObserver<M>> SearchObserver<M> for MainThread<'_, L> {
    fn keep_going(&mut self) -> bool {
        self.observer.keep_going()
    }

    fn depth_done(&mut self, found: &SearchResult<M>) {
        let mut found = found.clone();
        found.nodes += self.state.nodes.load(Relaxed);
        self.observer.depth_done(&found);
    }
}

/// A helper thread's observer: it goes on until the main thread has ended, or all helpers together have these nodes.
struct HelperThread<'a> {
    state: &'a SmpState<'a>,
    most: u64,
}

impl<M> SearchObserver<M> for HelperThread<'_> {
    fn keep_going(&mut self) -> bool {
        let before = self.state.nodes.fetch_add(NODES_PER_CLOCK_CHECK, Relaxed);
        before + NODES_PER_CLOCK_CHECK < self.most && !self.state.is_over.load(Relaxed)
    }
}

impl<G: Game> AlphaBeta<G> {
    /// Searches `root`, with a thread for each of `evaluators`, until `observer` says no, a limit is reached, or
    /// nothing can change any more.
    ///
    /// # Panics
    /// When the game is over, when there is no evaluator, or when none of `limits.only` is legal.
    pub fn search<E: Evaluator<G> + Send>(
        &mut self,
        root: &G,
        limits: &SearchLimits<'_, G::Move>,
        evaluators: &mut [E],
        observer: &mut impl SearchObserver<G::Move>,
    ) -> SearchResult<G::Move> {
        self.table.begin();
        while self.threads.len() < evaluators.len() {
            self.threads.push(ThreadData { stack: SearchStack::new(root), history: ButterflyHistory::new() });
        }
        // The main thread, whose result counts, has its part of the nodes, however quick the others are.
        let part = limits.nodes.div_ceil(evaluators.len().max(1) as u64);
        let most = limits.nodes - part;
        let state =
            &SmpState { table: &self.table, is_over: AtomicBool::new(false), nodes: AtomicU64::new(0) };
        let mut members = self.threads.iter_mut().zip(evaluators);
        let (data, evaluator) = members.next().expect("an evaluator");
        thread::scope(|scope| {
            let stop = HelperStop(&state.is_over);
            for (number, (data, evaluator)) in members.enumerate() {
                let mut helper = HelperThread { state, most };
                scope.spawn(move || {
                    let begin = 1 + (number as u32 + 1) % 2;
                    let limits = SearchLimits { nodes: u64::MAX, ..*limits };
                    run(data, state, evaluator, root, &limits, begin, &mut helper);
                });
            }
            let mut main = MainThread { observer, state };
            let mut found = run(data, state, evaluator, root, limits, 1, &mut main);
            drop(stop);
            found.nodes += state.nodes.load(Relaxed);
            found
        })
    }
}

/// One thread's search, from the depth `begin` on.
fn run<G: Game, E: Evaluator<G>>(
    data: &mut ThreadData<G>,
    state: &SmpState<'_>,
    evaluator: &mut E,
    root: &G,
    limits: &SearchLimits<'_, G::Move>,
    begin: u32,
    observer: &mut dyn SearchObserver<G::Move>,
) -> SearchResult<G::Move> {
    data.stack.start(root);
    data.history.decay();
    let ThreadData { stack, history } = data;
    let limit = NodeLimit { most: limits.nodes, helpers: &state.nodes };
    let mut worker = Worker::new(stack, state.table, history, evaluator, observer, limit);
    let mut moves = candidates(&mut worker, limits.only);
    let found = worker.iterative_deepening(&mut moves, limits, begin);
    worker.stack.put_back(0, moves);
    found
}

/// The moves of the root that are searched, those that the policy likes first.
fn candidates<G: Game, E: Evaluator<G>>(
    worker: &mut Worker<'_, G, E>,
    only: &[G::Move],
) -> Vec<ScoredMove<G::Move>> {
    worker.stack.list_moves(0, MoveFilter::All);
    worker.rank(0);
    let mut moves = worker.stack.take_candidates(0);
    worker.legal_moves = moves.len();
    moves.retain(|candidate| only.is_empty() || only.contains(&candidate.mv));
    assert!(!moves.is_empty(), "no move to search");
    moves.sort_by(|a, b| b.rank.total_cmp(&a.rank));
    moves
}
