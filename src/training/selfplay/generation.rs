//! All games of one generation, over all cores.

use std::{
    sync::{
        atomic::{AtomicBool, AtomicU32, Ordering},
        mpsc,
    },
    thread,
};

use anyhow::Result;
use cpu_time::ThreadTime;

use super::{
    cache::{EvaluationCache, evaluator},
    cores::Workers,
    game_slot::{GameSlot, SlotStep},
    passing::Passing,
    plan::{GameQueue, Plan, PlanQueue},
    played::{PlayedGame, Work},
    record::GameRecord,
    stats::SearchStats,
};
use crate::{
    games::{encode::Encode, rules::Game},
    net::LoadedNet,
    search::{Evaluation, Evaluator, Query},
};

/// Plays the games of `plan`, each worker on a thread with an evaluator made by `evaluator`.
///
/// `on_game` gets each game as it ends, in no particular order. When `stop` is set the games in flight are
/// dropped. Which games come out depends neither on the number of workers nor on their speed.
///
/// # Errors
/// The first error of `on_game`, after which no game is begun.
pub fn play<G: Game, E: Evaluator<G>>(
    plan: &Plan,
    workers: &Workers,
    evaluator: impl Fn() -> E + Sync,
    stop: &AtomicBool,
    mut on_game: impl FnMut(GameRecord) -> Result<()>,
) -> Result<Work> {
    let numbers = PlanQueue { plan, next: AtomicU32::new(0) };
    let halt = || stop.load(Ordering::Relaxed);
    let mut stats = SearchStats::default();
    let mut work = play_numbers::<G, E>(plan, &numbers, workers, evaluator, halt, |game| {
        stats += game.stats;
        on_game(game.record)
    })?;
    work.stats += stats;
    Ok(work)
}

/// Plays the games of `plan` with `net` to their end. Returns them in the order of their numbers, and what the threads did.
pub fn play_all<G: Encode>(plan: &Plan, net: &LoadedNet, threads: usize) -> (Vec<GameRecord>, Work) {
    let cache = EvaluationCache::new(plan.config.cache_positions);
    let searcher = || evaluator::<G>(cache.as_ref(), net.evaluator(G::SHAPE));
    let (never, mut games) = (AtomicBool::new(false), Vec::new());
    let work = play::<G, _>(plan, &Workers::all(threads), searcher, &never, |game| {
        games.push(game);
        Ok(())
    });
    games.sort_by_key(|game| game.index);
    (games, work.expect("every game is taken"))
}

/// Plays games of `plan`, those with the numbers that `numbers` gives; all else is as with [`play`]. Returns what the
/// threads did, of the searches only what those of unfinished games did.
///
/// # Errors
/// The first error of `on_game`, after which no game is begun.
pub fn play_numbers<G: Game, E: Evaluator<G>>(
    plan: &Plan,
    numbers: &impl GameQueue,
    workers: &Workers,
    evaluator: impl Fn() -> E + Sync,
    halt: impl Fn() -> bool + Sync,
    mut on_game: impl FnMut(PlayedGame) -> Result<()>,
) -> Result<Work> {
    let failed = AtomicBool::new(false);
    let halt = || failed.load(Ordering::Relaxed) || halt();
    let (sender, receiver) = mpsc::channel();
    let passing = Passing::new(workers.count());
    let work = thread::scope(|scope| {
        let handles: Vec<_> = (0..workers.count())
            .map(|number| {
                let (sender, passing, evaluator, halt) = (sender.clone(), &passing, &evaluator, &halt);
                scope.spawn(move || {
                    let _leave = passing.leave_on_drop();
                    let turn = Turn { number, workers, passing };
                    // Those that never get a turn need no buffers.
                    if !turn.wait(halt) {
                        return Work::default();
                    }
                    work::<G, E>(plan, numbers, &turn, evaluator(), halt, &sender)
                })
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
        let mut work = Work::default();
        for handle in handles {
            work += handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        result.map(|()| work)
    });
    work.map(|mut work| {
        passing.rest().iter().for_each(|slot| work.stats += slot.stats());
        work
    })
}

/// A worker's place among the others.
struct Turn<'a, T> {
    number: usize,
    workers: &'a Workers,
    passing: &'a Passing<T>,
}

impl<T> Turn<'_, T> {
    /// Waits until this worker, which has no game, may play; `false` when there is nothing left to play, or when `halt` says
    /// so, before that.
    fn wait(&self, halt: &impl Fn() -> bool) -> bool {
        let Turn { number, workers, passing } = *self;
        if workers.allows(number) {
            return true;
        }
        // The first one waits whatever the others have: it may be that none of them has begun.
        let _without = (number > 0).then(|| passing.without());
        loop {
            if halt() || (number > 0 && passing.is_over()) {
                return false;
            }
            if workers.allows(number) {
                return true;
            }
            workers.wait(number);
        }
    }
}

/// One worker: its slots in step, one batch a round. Returns what it did, of the searches only what those of unfinished
/// games did.
fn work<'a, G: Game, E: Evaluator<G>>(
    plan: &'a Plan<'a>,
    numbers: &impl GameQueue,
    turn: &Turn<GameSlot<'a, G>>,
    mut evaluator: E,
    halt: &impl Fn() -> bool,
    finished: &mpsc::Sender<PlayedGame>,
) -> Work {
    let begin = ThreadTime::now().as_duration();
    let most = plan.config.games_per_worker;
    let (mut slots, mut free): (Vec<GameSlot<'a, G>>, Vec<GameSlot<'a, G>>) =
        (Vec::with_capacity(most), Vec::new());
    let mut evaluations = vec![Evaluation::default(); most];
    let passing = turn.passing;
    let mut active = Some(turn.workers.begin());
    while !halt() {
        if !turn.workers.allows(turn.number) {
            // Others may need what this one has.
            passing.leave(&mut slots);
            active = None;
            if !turn.wait(halt) {
                break;
            }
        }
        active.get_or_insert_with(|| turn.workers.begin());
        while slots.len() < most {
            // Games that were begun come first.
            if let Some(slot) = passing.spare() {
                slots.push(slot);
                continue;
            }
            let Some(index) = numbers.next() else { break };
            slots.push(match free.pop() {
                Some(mut slot) => {
                    slot.begin(index);
                    slot
                }
                None => GameSlot::new(plan, index, evaluator.policy_asked()),
            });
        }
        if slots.is_empty() {
            if numbers.wait() {
                continue;
            }
            active = None;
            let Some(slot) = passing.take(halt) else { break };
            slots.push(slot);
            continue;
        }
        passing.share(&mut slots);
        let mut i = 0;
        while i < slots.len() {
            match slots[i].advance() {
                SlotStep::Leaf => i += 1,
                SlotStep::Finished(game) => {
                    // The receiver outlives the workers; if it is gone, the process is ending.
                    let _ = finished.send(*game);
                    match numbers.next() {
                        Some(index) => slots[i].begin(index),
                        None => free.push(slots.swap_remove(i)),
                    }
                }
            }
        }
        let queries: Vec<&Query<G>> = slots.iter().map(GameSlot::leaf).collect();
        evaluator.evaluate(&queries, &mut evaluations[..slots.len()]);
        for (slot, evaluation) in slots.iter_mut().zip(&evaluations) {
            slot.resolve(evaluation);
        }
    }
    drop(active);
    let mut stats = SearchStats::default();
    slots.iter().for_each(|slot| stats += slot.stats());
    let cpu = ThreadTime::now().as_duration().saturating_sub(begin);
    Work { stats, cpu_seconds: cpu.as_secs_f64() }
}

/// How game `index` of the plan begins: the position of the first search, and a record with the start, the random moves
/// that lead there, and whether the players may resign. The seed alone decides that.
pub fn opening<G: Game>(plan: &Plan, index: u32) -> (G, GameRecord) {
    let (game, record, _) = GameSlot::<G>::open(plan, index);
    (game, record)
}
