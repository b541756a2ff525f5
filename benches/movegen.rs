//! Rules: perft from the start and from middle games, and random games with every rule in force.

mod common;

use common::game_after;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand::{RngExt, SeedableRng};
use sanki::{
    base::rng::Rng,
    games::rules::{Game, GameId},
    with_game,
};

/// Random moves before the positions: none is the start.
const PLIES: [u32; 3] = [0, 20, 40];
/// Random games are cut off here.
const MAX_PLIES: u32 = 200;

fn perft<G: Game>(criterion: &mut Criterion, depth: u32) {
    let mut group = criterion.benchmark_group(format!("perft/{}", G::ID));
    for plies in PLIES {
        let game: G = game_after(plies);
        group.throughput(Throughput::Elements(game.perft(depth)));
        group.bench_function(BenchmarkId::new("plies", plies), |b| b.iter(|| game.perft(depth)));
    }
    group.finish();
}

fn playouts<G: Game>(criterion: &mut Criterion) {
    let start: G = game_after(0);
    let mut game = start.clone();
    let mut moves = Vec::new();
    let mut playout = || {
        let mut rng = Rng::seed_from_u64(1);
        game.clone_from(&start);
        while game.ply() < MAX_PLIES && game.outcome().is_none() {
            moves.clear();
            game.legal_moves(&mut moves);
            game.play(moves[rng.random_range(0..moves.len())]);
        }
        game.ply()
    };
    let mut group = criterion.benchmark_group("playout");
    group.throughput(Throughput::Elements(playout().into()));
    group.bench_function(G::ID.to_string(), |b| b.iter(&mut playout));
    group.finish();
}

/// The moves that end the game, beside all legal moves, of the positions on the way of some random games.
fn endings<G: Game>(criterion: &mut Criterion) {
    let games: Vec<G> = (10..60).map(game_after).collect();
    let legal = |game: &G| {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        moves
    };
    let lists: Vec<Vec<G::Move>> = games.iter().map(legal).collect();
    let mut group = criterion.benchmark_group(format!("endings/{}", G::ID));
    group.throughput(Throughput::Elements(games.len() as u64));
    let mut found = Vec::new();
    group.bench_function("endings", |b| {
        b.iter(|| {
            found.clear();
            games.iter().zip(&lists).for_each(|(game, moves)| game.endings(moves, &mut found));
            found.len()
        })
    });
    let mut moves = Vec::new();
    group.bench_function("legal_moves", |b| {
        b.iter(|| {
            moves.clear();
            games.iter().for_each(|game| game.legal_moves(&mut moves));
            moves.len()
        })
    });
    group.finish();
}

fn movegen(criterion: &mut Criterion) {
    for id in GameId::ALL {
        with_game!(id, G => {
            // Deep enough to be timed and short enough for many rounds.
            let depth = match G::SQUARES {
                ..=12 => 6,
                13..=49 => 4,
                _ => 3,
            };
            perft::<G>(criterion, depth);
            playouts::<G>(criterion);
            endings::<G>(criterion);
        });
    }
}

criterion_group!(benches, movegen);
criterion_main!(benches);
