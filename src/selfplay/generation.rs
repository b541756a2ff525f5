//! All games of one generation, over all cores.

use std::{
    collections::HashSet,
    sync::{
        atomic::{AtomicBool, AtomicU32, Ordering},
        mpsc,
    },
    thread,
};

use anyhow::Result;

use super::{
    config::SelfPlayConfig,
    record::GameRecord,
    stats::SearchStats,
    table::{Step, Table},
};
use crate::{
    rules::{Game, RuleSet},
    search::{Evaluation, Evaluator, Query},
};

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// How.
    pub config: &'a SelfPlayConfig,
    /// Under which rule set.
    pub rules: RuleSet,
    /// The run's seed.
    pub seed: u64,
    /// The generation that the games belong to.
    pub generation: u32,
    /// Games `0..games` are played, but for `done`.
    pub games: u32,
    /// Numbers of games that exist already.
    pub done: HashSet<u32>,
    /// A side whose expected score falls below this resigns, in games open to it.
    pub resign_below: Option<f32>,
}

/// Plays the games of `plan` on `workers` threads, each with an evaluator made by `evaluator`.
///
/// `on_game` gets each game as it ends, in no particular order. When `stop` is set the games in flight are
/// dropped. Which games come out depends neither on the number of workers nor on their speed.
///
/// # Errors
/// The first error of `on_game`, after which no game is begun.
pub fn play<G: Game, E: Evaluator<G>>(
    plan: &Plan,
    workers: usize,
    evaluator: impl Fn() -> E + Sync,
    stop: &AtomicBool,
    mut on_game: impl FnMut(GameRecord) -> Result<()>,
) -> Result<SearchStats> {
    let next = AtomicU32::new(0);
    let failed = AtomicBool::new(false);
    let halt = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        let handles: Vec<_> = (0..workers)
            .map(|_| {
                let (sender, evaluator, next, halt) = (sender.clone(), &evaluator, &next, &halt);
                scope.spawn(move || work::<G, E>(plan, evaluator(), next, halt, &sender))
            })
            .collect();
        drop(sender);
        let mut result = Ok(());
        for game in receiver {
            if result.is_ok() {
                result = on_game(game);
                failed.store(result.is_err(), Ordering::Relaxed);
            }
        }
        let mut stats = SearchStats::default();
        for handle in handles {
            stats += handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        result.map(|()| stats)
    })
}

/// One worker: its tables in step, one batch a round.
fn work<G: Game, E: Evaluator<G>>(
    plan: &Plan,
    mut evaluator: E,
    next: &AtomicU32,
    halt: &impl Fn() -> bool,
    finished: &mpsc::Sender<GameRecord>,
) -> SearchStats {
    let next_game = || loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        if index >= plan.games {
            return None;
        }
        if !plan.done.contains(&index) {
            return Some(index);
        }
    };
    let mut tables: Vec<Table<G>> = Vec::with_capacity(plan.config.games_per_worker);
    while tables.len() < plan.config.games_per_worker {
        let Some(index) = next_game() else { break };
        tables.push(Table::new(plan, index));
    }
    let mut stats = SearchStats::default();
    let mut evaluations = vec![Evaluation::default(); tables.len()];
    while !tables.is_empty() && !halt() {
        let mut i = 0;
        while i < tables.len() {
            match tables[i].advance() {
                Step::Leaf => i += 1,
                Step::Finished(record) => {
                    // The receiver outlives the workers; if it is gone, the process is ending.
                    let _ = finished.send(*record);
                    match next_game() {
                        Some(index) => tables[i].begin(index),
                        None => stats += tables.swap_remove(i).stats(),
                    }
                }
            }
        }
        let queries: Vec<&Query<G>> = tables.iter().map(Table::leaf).collect();
        evaluator.evaluate(&queries, &mut evaluations[..tables.len()]);
        for (table, evaluation) in tables.iter_mut().zip(&evaluations) {
            table.resolve(evaluation);
        }
    }
    tables.iter().for_each(|table| stats += table.stats());
    stats
}
