//! Real positions of every game: bf16 and int16 against fp32.

use std::path::Path;

use rand::RngExt;

use super::{Case, isas, native};
use crate::{
    games::{
        encode::{Encode, Inputs},
        rules::{GameId, Setup},
    },
    net::{EncodedQuery, ModelFile, Precision, testing},
    search::{Evaluation, Query},
    with_game,
};

/// The start and positions of random games from there, each longer than the one before.
pub(super) fn positions<G: Encode>(inputs: Inputs) -> Vec<EncodedQuery> {
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

/// The models in `checkpoints/`.
pub(super) fn trained() -> impl Iterator<Item = Case> {
    [GameId::Dobutsu, GameId::Minishogi, GameId::Minixiangqi].into_iter().map(|id| {
        let path = format!("{}/checkpoints/{id}.sanki", env!("CARGO_MANIFEST_DIR"));
        let model = ModelFile::read(Path::new(&path)).expect("the repository's model").model;
        with_game!(id, G => {
            let positions = positions::<G>(model.net().inputs());
            Case { shape: G::SHAPE, model, positions }
        })
    })
}

/// How far `found` is from `expected`, a position's evaluation each.
#[derive(Debug)]
pub(super) struct Distance {
    /// Kullback-Leibler divergence of the policies, in nats.
    pub(super) policy: f64,
    /// Between the expected scores, in `0..=2`.
    pub(super) score: f64,
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

/// Policy and score differ by less than `most`.
pub(super) fn stays_near_fp32(cases: impl Iterator<Item = Case>, precision: Precision, most: Distance) {
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
fn int16_stays_near_fp32_in_trained_nets() {
    // Measured: at most 2.9e-4 and 0.0021.
    stays_near_fp32(trained(), Precision::Int16, Distance { policy: 2e-3, score: 0.01 });
}
