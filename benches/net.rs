//! The network: one evaluation by hand, and one step of the learner.

mod common;

use common::game_after;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sanki::{
    games::{
        encode::{Encode, Inputs},
        rules::{GameId, dobutsu::Dobutsu},
    },
    net::{Backend, EncodedQuery, Model},
    search::{Evaluation, Query, Wdl},
    training::{
        learner::{Learner, LearnerConfig},
        replay::{MoveWeight, Sample},
    },
    with_game,
};

const NET: &str = "4x32";
const BATCH: usize = 64;

/// The position after `plies` random moves, as the network sees it.
fn encoded<G: Encode>(plies: u32) -> EncodedQuery {
    let mut query = Query { game: game_after::<G>(plies), moves: Vec::new(), policy_only: false };
    query.game.legal_moves(&mut query.moves);
    let mut encoded = EncodedQuery::default();
    encoded.set(&query, Inputs::Pieces);
    encoded
}

fn model<G: Encode>() -> Model {
    Model::init(&NET.parse().expect("a network"), G::SHAPE, 0)
}

fn evaluate<G: Encode>(criterion: &mut Criterion) {
    let position = [encoded::<G>(20)];
    let mut evaluator = Backend::Native.load(&model::<G>()).evaluator(G::SHAPE);
    let mut out = [Evaluation::default()];
    let mut group = criterion.benchmark_group(format!("evaluate/{NET}"));
    group.throughput(Throughput::Elements(1));
    group.bench_function(G::ID.to_string(), |b| b.iter(|| evaluator.evaluate_encoded(&position, &mut out)));
    group.finish();
}

/// A position with targets of the usual size: every legal move alike, also as replies, and a drawn game.
fn sample(plies: u32) -> Sample {
    let EncodedQuery { features, moves, .. } = encoded::<Dobutsu>(plies);
    let policy: Vec<MoveWeight> = moves.iter().map(|&index| MoveWeight { index, weight: 1.0 }).collect();
    Sample { features, reply: policy.clone(), policy, wdl: Wdl::DRAW, moves_left: Some(20.0) }
}

fn learn(criterion: &mut Criterion) {
    let batch: Vec<Sample> = (0..8).cycle().take(BATCH).map(sample).collect();
    let config = LearnerConfig { batch: BATCH, ..LearnerConfig::default() };
    let mut learner = Learner::new(config, &model::<Dobutsu>(), Dobutsu::SHAPE, Backend::Native, 1);
    let batch = learner.batch_of(&batch);
    let mut group = criterion.benchmark_group(format!("learn/{NET}"));
    group.throughput(Throughput::Elements(BATCH as u64));
    group.sample_size(10);
    group.bench_function("dobutsu", |b| b.iter(|| learner.step(&batch, 0.0)));
    group.finish();
}

fn net(criterion: &mut Criterion) {
    for id in GameId::ALL {
        with_game!(id, G => evaluate::<G>(criterion));
    }
    learn(criterion);
}

criterion_group!(benches, net);
criterion_main!(benches);
