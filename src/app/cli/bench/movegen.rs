//! Rules: perft with bulk counting, and random games with every rule in force.

use std::time::{Duration, Instant};

use anyhow::Result;
use rand::RngExt;
use serde::Serialize;

use super::Common;
use crate::{
    app::cli::position,
    base::rng::{self, Purpose},
    games::rules::{Game, RuleSet},
    with_game,
};

/// Middle games beside the start position.
const MIDDLE_GAMES: u64 = 8;
/// Random plies that lead to the first of them, and by which each is longer than the one before.
const FIRST_PLIES: u64 = 16;
const MORE_PLIES: u64 = 4;
/// A perft is deep enough to be timed when it counts this many nodes.
const ENOUGH_NODES: u64 = 200_000;
const MAX_DEPTH: u32 = 12;
/// Random games are cut off here.
const MAX_PLIES: u32 = 512;

#[derive(Debug, clap::Args)]
pub struct BenchMovegenArgs {
    #[command(flatten)]
    common: Common,
    /// The rule set [default: the game's first]
    #[arg(long)]
    rules: Option<String>,
}

#[derive(Serialize)]
struct Figures {
    /// Million perft nodes a second, over the start position and the middle games, all threads together.
    mnps: f64,
    /// The same from the start position alone.
    mnps_start: f64,
    /// Moves a second of random games, with repetition and every other end in force.
    playout_moves_per_s: f64,
    threads: usize,
}

pub fn run(args: &BenchMovegenArgs) -> Result<()> {
    let Common { threads, seconds, json, .. } = &args.common;
    let game = args.common.game();
    let rules = position::rule_set(game, args.rules.as_deref())?;
    let third = Duration::from_secs_f64(seconds / 3.0);
    let figures = with_game!(game, G => {
        let start: G = position::start(rules);
        let mut positions = vec![start.clone()];
        positions.extend((0..MIDDLE_GAMES).map(|i| middle_game::<G>(rules, i, 0)));
        Figures {
            mnps: on_threads(threads.get(), |_| perft_rate(&positions, third)) / 1e6,
            mnps_start: on_threads(threads.get(), |_| perft_rate(std::slice::from_ref(&start), third)) / 1e6,
            playout_moves_per_s: on_threads(threads.get(), |i| playout_rate::<G>(rules, i, third)),
            threads: threads.get(),
        }
    });
    super::print(*json, &figures)
}

/// The sum of `rate(thread)` over all threads.
fn on_threads(threads: usize, rate: impl Fn(u64) -> f64 + Sync) -> f64 {
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads as u64)
            .map(|i| {
                scope.spawn({
                    let rate = &rate;
                    move || rate(i)
                })
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().expect("a benchmark does not panic")).sum()
    })
}

/// The `index`-th of a fixed list of positions: random plies from the start, the same on every machine. Each
/// `variant` has other plies, as many of them.
pub(super) fn middle_game<G: Game>(rules: RuleSet, index: u64, variant: u64) -> G {
    let path: &[u64] = if variant == 0 { &[index] } else { &[index, variant] };
    let mut rng = rng::stream(0, Purpose::Bench, path);
    let mut moves = Vec::new();
    loop {
        let mut game: G = position::start(rules);
        for _ in 0..FIRST_PLIES + MORE_PLIES * index {
            moves.clear();
            game.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            game.play(moves[rng.random_range(0..moves.len())]);
        }
        if game.outcome_or_declaration().is_none() {
            return game;
        }
    }
}

/// Nodes a second over all positions, each at the first depth with enough nodes.
fn perft_rate<G: Game>(positions: &[G], time: Duration) -> f64 {
    let deep_enough = |game: &G| (1..MAX_DEPTH).find(|&depth| game.perft(depth) >= ENOUGH_NODES);
    let depths: Vec<u32> = positions.iter().map(|game| deep_enough(game).unwrap_or(MAX_DEPTH)).collect();
    let begin = Instant::now();
    let mut nodes = 0;
    while begin.elapsed() < time {
        nodes += positions.iter().zip(&depths).map(|(game, &depth)| game.perft(depth)).sum::<u64>();
    }
    nodes as f64 / begin.elapsed().as_secs_f64()
}

/// Moves a second of random games: legal moves, one played, the game's end looked for.
fn playout_rate<G: Game>(rules: RuleSet, thread: u64, time: Duration) -> f64 {
    let mut rng = rng::stream(1, Purpose::Bench, &[thread]);
    let start: G = position::start(rules);
    let mut game = start.clone();
    let mut moves = Vec::new();
    let mut played = 0u64;
    let begin = Instant::now();
    while begin.elapsed() < time {
        game.clone_from(&start);
        while game.ply() < MAX_PLIES && game.outcome().is_none() {
            moves.clear();
            game.legal_moves(&mut moves);
            game.play(moves[rng.random_range(0..moves.len())]);
            played += 1;
        }
    }
    played as f64 / begin.elapsed().as_secs_f64()
}
