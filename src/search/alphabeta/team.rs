//! Several threads on one position: each searches it by itself, and all share the table ("lazy SMP").
//!
//! Every second thread begins a ply deeper, so that what they find is of use to each other. The first one's answer
//! counts. With one thread a search depends on nothing but the position and what was found before.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    thread,
};

use super::{
    AlphaBeta, Desk, Found, Listener, Orders,
    line::{Line, Which},
    node::{NODES_A_LOOK, Worker},
    order::{Candidate, History},
    table::Table,
};
use crate::{games::rules::Game, search::Evaluator};

/// What the threads of a search know of each other.
#[derive(Debug, Default)]
struct Team {
    is_over: AtomicBool,
    /// Nodes of all but the first.
    nodes: AtomicU64,
}

/// The first thread's: hears for whoever asked, and tells the nodes of all.
struct First<'a, L> {
    listener: &'a mut L,
    team: &'a Team,
}

impl<M: Clone, L: Listener<M>> Listener<M> for First<'_, L> {
    fn goes_on(&mut self) -> bool {
        self.listener.goes_on()
    }

    fn hear(&mut self, found: &Found<M>) {
        let mut found = found.clone();
        found.nodes += self.team.nodes.load(Relaxed);
        self.listener.hear(&found);
    }
}

/// The others': they go on until the first has ended.
struct Other<'a>(&'a Team);

impl<M> Listener<M> for Other<'_> {
    fn goes_on(&mut self) -> bool {
        self.0.nodes.fetch_add(NODES_A_LOOK, Relaxed);
        !self.0.is_over.load(Relaxed)
    }
}

impl<G: Game> AlphaBeta<G> {
    /// Searches `root`, with a thread for each of `evaluators`, until `listener` says no, the orders are carried out, or
    /// nothing can change any more.
    ///
    /// # Panics
    /// When the game is over, when there is no evaluator, or when none of the moves asked for is legal.
    pub fn search<E: Evaluator<G> + Send>(
        &mut self,
        root: &G,
        orders: &Orders<'_, G::Move>,
        evaluators: &mut [E],
        listener: &mut impl Listener<G::Move>,
    ) -> Found<G::Move> {
        self.table.begin();
        while self.desks.len() < evaluators.len() {
            self.desks.push(Desk { line: Line::new(root), history: History::new() });
        }
        let (table, team) = (&self.table, Team::default());
        let mut members = self.desks.iter_mut().zip(evaluators);
        let (desk, evaluator) = members.next().expect("an evaluator");
        thread::scope(|scope| {
            for (number, (desk, evaluator)) in members.enumerate() {
                let mut other = Other(&team);
                scope.spawn(move || {
                    let begin = 1 + (number as u32 + 1) % 2;
                    let orders = Orders { nodes: u64::MAX, ..*orders };
                    run(desk, table, evaluator, root, &orders, begin, &mut other);
                });
            }
            let mut first = First { listener, team: &team };
            let mut found = run(desk, table, evaluator, root, orders, 1, &mut first);
            team.is_over.store(true, Relaxed);
            found.nodes += team.nodes.load(Relaxed);
            found
        })
    }
}

/// One thread's search, from the depth `begin` on.
fn run<G: Game, E: Evaluator<G>>(
    desk: &mut Desk<G>,
    table: &Table,
    evaluator: &mut E,
    root: &G,
    orders: &Orders<'_, G::Move>,
    begin: u32,
    listener: &mut dyn Listener<G::Move>,
) -> Found<G::Move> {
    desk.line.start(root);
    desk.history.fade();
    let mut worker = Worker::new(&mut desk.line, table, &mut desk.history, evaluator, listener, orders.nodes);
    let mut moves = candidates(&mut worker, orders.only);
    let found = worker.deepen(&mut moves, orders, begin);
    worker.line.give_back(0, moves);
    found
}

/// The moves of the root that are looked at, those that the policy likes first.
fn candidates<G: Game, E: Evaluator<G>>(
    worker: &mut Worker<'_, G, E>,
    only: &[G::Move],
) -> Vec<Candidate<G::Move>> {
    worker.line.list_moves(0, Which::All);
    worker.rank(0);
    let mut moves = worker.line.take_candidates(0);
    worker.legal_moves = moves.len();
    moves.retain(|candidate| only.is_empty() || only.contains(&candidate.mv));
    assert!(!moves.is_empty(), "no move to search");
    moves.sort_by(|a, b| b.rank.total_cmp(&a.rank));
    moves
}
