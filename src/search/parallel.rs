//! One search by many threads at once, each with an evaluator of its own and several leaves in a batch.

use std::{
    hint,
    sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
    thread,
};

use super::{
    Evaluation, Evaluator, PolicyAsked, PuctConfig, Query, Search, SearchConfig,
    descent::{Descent, DescentEnd},
    mcts::run_while,
    node::{MultiThread, ROOT},
    puct,
    tree::Tree,
};
use crate::games::rules::Game;

/// Drives `search` until its end or until `more`, which every thread asks at every batch, says no: with a thread for
/// each of `evaluators`, which collects up to `batch` leaves before it has them evaluated. The root is evaluated all
/// the same.
///
/// With one evaluator and a batch of one this is [`run_while`], and so it is with a search by
/// Gumbel, whose root is visited in an order of its own. Otherwise the result depends on the threads' speeds.
///
/// # Panics
/// Without an evaluator.
pub fn run_together<G: Game, E: Evaluator<G> + Send>(
    search: &mut Search<G>,
    evaluators: &mut [E],
    batch: usize,
    more: &(dyn Fn() -> bool + Sync),
) {
    let alone = evaluators.len() * batch <= 1;
    let config = match &search.config {
        SearchConfig::Puct(config) if !alone => config.clone(),
        _ => return run_while(search, &mut evaluators[0], more),
    };
    // The root is evaluated first, by one thread alone.
    run_while(search, &mut evaluators[0], || false);
    while more() && !search.is_over() {
        let end = search.search_together(&config, evaluators, batch, more);
        if end == End::Stopped {
            return;
        }
        search.tree.prune_least_visited();
    }
}

/// Why the threads came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Nothing is left to do, or they were told to stop.
    Stopped,
    /// The tree is full.
    Full,
}

/// What the threads of one search share.
struct Workers<'a, G: Game> {
    tree: &'a Tree,
    game: &'a G,
    search: &'a SearchConfig,
    config: &'a PuctConfig,
    more: &'a (dyn Fn() -> bool + Sync),
    /// Simulations that may still begin.
    left: AtomicU32,
    is_stopped: AtomicBool,
    is_full: AtomicBool,
}

impl<G: Game> Search<G> {
    fn search_together<E: Evaluator<G> + Send>(
        &mut self,
        config: &PuctConfig,
        evaluators: &mut [E],
        batch: usize,
        more: &(dyn Fn() -> bool + Sync),
    ) -> End {
        let game = self.root().clone();
        self.others.resize_with(evaluators.len() * batch, || Descent::new(&game));
        let budget = self.budget - self.simulations;
        let workers = Workers {
            tree: &self.tree,
            game: &game,
            search: &self.config,
            config,
            more,
            left: AtomicU32::new(budget),
            is_stopped: AtomicBool::new(false),
            is_full: AtomicBool::new(false),
        };
        thread::scope(|scope| {
            let mut pairs = evaluators.iter_mut().zip(self.others.chunks_mut(batch));
            let first = pairs.next();
            for (evaluator, descents) in pairs {
                let workers = &workers;
                scope.spawn(move || workers.work(evaluator, descents));
            }
            let (evaluator, descents) = first.expect("there is an evaluator");
            workers.work(evaluator, descents);
        });
        let (left, is_full) = (workers.left.load(Relaxed), workers.is_full.load(Relaxed));
        self.simulations += budget - left;
        if is_full { End::Full } else { End::Stopped }
    }
}

impl<G: Game> Workers<'_, G> {
    /// The work of one thread: batch after batch, until one of the threads stops the search.
    fn work<E: Evaluator<G>>(&self, evaluator: &mut E, descents: &mut [Descent<G>]) {
        let mut evaluations = vec![Evaluation::default(); descents.len()];
        while !self.is_stopped.load(Relaxed) {
            let Some(leaves) = self.collect(descents) else { return };
            let queries: Vec<&Query<G>> = descents[..leaves].iter().map(|descent| &descent.query).collect();
            if leaves > 0 {
                evaluator.evaluate(&queries, &mut evaluations[..leaves]);
            }
            for (descent, evaluation) in descents[..leaves].iter_mut().zip(&evaluations) {
                if descent.resolve::<MultiThread>(self.tree, evaluation, self.search.priors()).is_err() {
                    self.end(&self.is_full);
                }
            }
            if self.tree.node(ROOT).proof().is_some() || !(self.more)() {
                self.is_stopped.store(true, Relaxed);
            }
        }
    }

    /// Descends until every descent has a leaf, or one meets another: how many have one, the first ones. `None` where
    /// no simulation is left to begin; another thread that gives one back makes up for it itself.
    fn collect(&self, descents: &mut [Descent<G>]) -> Option<usize> {
        for (leaves, descent) in descents.iter_mut().enumerate() {
            if !self.begin() {
                return (leaves > 0).then_some(leaves);
            }
            let select = |id| puct::select(self.tree, id, self.config);
            // A descent that waits twice would be in the way of the others for longer.
            let terms = (self.search.mates(), PolicyAsked::WithValue);
            match descent.run::<MultiThread>(self.game, self.tree, terms, select) {
                DescentEnd::Leaf => {}
                // At most one such descent a batch, so that the clock is looked at.
                DescentEnd::Known => return Some(leaves),
                DescentEnd::Collision => {
                    self.take_back();
                    hint::spin_loop();
                    return Some(leaves);
                }
                DescentEnd::Full => {
                    self.take_back();
                    self.end(&self.is_full);
                    return Some(leaves);
                }
            }
        }
        Some(descents.len())
    }

    /// Takes a simulation from those that are left.
    fn begin(&self) -> bool {
        self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok()
    }

    fn take_back(&self) {
        self.left.fetch_add(1, Relaxed);
    }

    fn end(&self, why: &AtomicBool) {
        why.store(true, Relaxed);
        self.is_stopped.store(true, Relaxed);
    }
}
