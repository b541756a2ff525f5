//! The search alone: simulations with an evaluator that costs next to nothing.

mod common;
#[path = "../tests/support/hash_evaluator.rs"]
mod hash_evaluator;

use common::game_after;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hash_evaluator::HashNet;
use rand::SeedableRng;
use sanki::{
    base::rng::Rng,
    games::{encode::Encode, rules::GameId},
    net::NetEvaluator,
    search::{GumbelConfig, Noise, PuctConfig, Search, SearchConfig, run},
    with_game,
};

const SIMULATIONS: u32 = 256;

fn simulations<G: Encode>(criterion: &mut Criterion) {
    let game: G = game_after(20);
    let mut group = criterion.benchmark_group(format!("search/{}", G::ID));
    for (name, config) in [
        ("puct", SearchConfig::Puct(PuctConfig::default())),
        ("gumbel", SearchConfig::Gumbel(GumbelConfig::default())),
    ] {
        let mut search = Search::new(config);
        let mut evaluator = NetEvaluator::new(Box::new(HashNet));
        let mut think = || {
            search.start(&game, SIMULATIONS, Noise::Explore, &mut Rng::seed_from_u64(1));
            run(&mut search, &mut evaluator);
            search.simulations()
        };
        // Fewer than the budget where the position is solved before.
        group.throughput(Throughput::Elements(think().into()));
        group.bench_function(name, |b| b.iter(&mut think));
    }
    group.finish();
}

fn search(criterion: &mut Criterion) {
    for id in GameId::ALL {
        with_game!(id, G => simulations::<G>(criterion));
    }
}

criterion_group!(benches, search);
criterion_main!(benches);
