//! Real positions of every game: fp32 against burn, bf16 and int16 against fp32.

use std::path::Path;

use rand::RngExt;

use super::{Case, assert_near, in_burn, isas, native};
use crate::{
    games::{
        encode::{Encode, Inputs, Shape},
        rules::{GameId, Setup},
    },
    net::{EncodedQuery, Model, ModelFile, Precision, testing},
    search::{Evaluation, Query},
    with_game,
};

/// The start and positions of random games from there, each longer than the one before.
fn positions<G: Encode>(inputs: Inputs) -> Vec<EncodedQuery> {
    (0..8).map(|i| encoded(random_game::<G>(8 * i), inputs)).collect()
}

/// The game after `plies` random moves, or before the move that would end it.
fn random_game<G: Encode>(plies: u32) -> G {
    let mut rng = testing::rng(plies.into());
    let mut game = G::start(G::ID.rule_sets()[0], Setup::Standard, &mut rng);
    let mut moves = Vec::new();
    for _ in 0..plies {
        game.legal_moves(&mut moves);
        let mut next = game.clone();
        next.play(moves[rng.random_range(0..moves.len())]);
        moves.clear();
        if next.outcome().is_some() {
            break;
        }
        game = next;
    }
    game
}

fn encoded<G: Encode>(game: G, inputs: Inputs) -> EncodedQuery {
    let mut query = Query { game, moves: Vec::new(), policy_only: false };
    query.game.legal_moves(&mut query.moves);
    let mut encoded = EncodedQuery::default();
    encoded.set(&query, inputs);
    encoded
}

fn cases(net: &str) -> impl Iterator<Item = Case> {
    GameId::ALL.into_iter().map(move |id| {
        with_game!(id, G => {
            let model = opinionated(net, &G::SHAPE);
            let positions = positions::<G>(model.net().inputs());
            Case { shape: G::SHAPE, model, positions }
        })
    })
}

/// The models in `checkpoints/`.
fn trained() -> impl Iterator<Item = Case> {
    [GameId::Dobutsu, GameId::Minishogi, GameId::Minixiangqi].into_iter().map(|id| {
        let path = format!("{}/checkpoints/{id}.sanki", env!("CARGO_MANIFEST_DIR"));
        let model = ModelFile::read(Path::new(&path)).expect("the repository's model").model;
        with_game!(id, G => {
            let positions = positions::<G>(model.net().inputs());
            Case { shape: G::SHAPE, model, positions }
        })
    })
}

/// A random model whose opinions are as decided as those of a trained one: left as drawn, all moves are alike.
fn opinionated(net: &str, shape: &Shape) -> Model {
    let model = testing::model(net, shape, 3);
    let scaled = model.layout().split(model.weights()).flat_map(|(spec, values)| {
        let scale = match spec.name.as_str() {
            "policy.moves" | "policy.planes" => 16.0,
            "value.wdl" => 4.0,
            _ => 1.0,
        };
        values.iter().map(move |value| scale * value)
    });
    model.with_weights(scaled.collect())
}

/// How far `found` is from `expected`, a position's evaluation each.
#[derive(Debug)]
struct Distance {
    /// Kullback-Leibler divergence of the policies, in nats.
    policy: f64,
    /// Between the expected scores, in `0..=2`.
    score: f64,
}

impl Distance {
    fn between(found: &Evaluation, expected: &Evaluation) -> Self {
        let [found_policy, policy] = [found, expected].map(|evaluation| log_softmax(&evaluation.logits));
        let policy = policy.iter().zip(found_policy).map(|(p, q)| p.exp() * (p - q)).sum();
        Distance { policy, score: f64::from(found.wdl.q() - expected.wdl.q()).abs() }
    }
}

fn log_softmax(logits: &[f32]) -> Vec<f64> {
    let logits = logits.iter().map(|&logit| f64::from(logit));
    let total: f64 = logits.clone().map(f64::exp).sum();
    logits.map(|logit| logit - total.ln()).collect()
}

#[test]
fn fp32_agrees_with_burn_in_every_game() {
    for case in
        ["4x32", "2x64", "sparse-64", "sparse-64-attacks"].into_iter().flat_map(cases).chain(trained())
    {
        let expected = in_burn(&case);
        for isa in isas() {
            let what = format!("{isa} {} {:?}", case.model.net(), case.shape);
            assert_near(&native(&case, Precision::Fp32, isa), &expected, &what);
        }
    }
}

/// Policy and score differ by less than `most`.
fn stays_near_fp32(cases: impl Iterator<Item = Case>, precision: Precision, most: Distance) {
    let mut largest = Distance { policy: 0.0, score: 0.0 };
    for case in cases {
        for isa in isas() {
            let expected = native(&case, Precision::Fp32, isa);
            let found = native(&case, precision, isa);
            assert_ne!(found, expected, "something is rounded");
            for (found, expected) in found.iter().zip(&expected) {
                let Distance { policy, score } = Distance::between(found, expected);
                largest = Distance { policy: largest.policy.max(policy), score: largest.score.max(score) };
            }
        }
    }
    assert!(largest.policy < most.policy && largest.score < most.score, "{precision}: {largest:?}");
}

#[test]
fn bf16_stays_near_fp32_in_every_game() {
    // Measured: at most 3.4e-5 and 0.0033.
    let nets = ["4x32", "2x64"].into_iter().flat_map(cases);
    stays_near_fp32(nets, Precision::Bf16, Distance { policy: 2e-4, score: 0.005 });
}

#[test]
fn int16_stays_near_fp32_in_every_game() {
    // Measured: at most 9.1e-4 and 0.0059.
    let nets = ["sparse-64-attacks", "sparse-96-attacks"].into_iter().flat_map(cases);
    stays_near_fp32(nets, Precision::Int16, Distance { policy: 2e-3, score: 0.01 });
}

#[test]
fn int16_stays_near_fp32_in_trained_nets() {
    // Measured: at most 2.9e-4 and 0.0021.
    stays_near_fp32(trained(), Precision::Int16, Distance { policy: 2e-3, score: 0.01 });
}
