//! All instruction sets against burn, and with weights that burn has drawn.

use std::sync::Arc;

use burn::tensor::Device;

use super::{
    Case, cases, evaluate,
    games::{Distance, positions, stays_near_fp32, trained},
    isas, native,
};
use crate::{
    games::{
        encode::{Encode, Shape},
        rules::GameId,
    },
    net::{BurnEvaluator, EncodedQuery, Isa, Model, Precision, testing},
    search::{Evaluation, Wdl},
    with_game,
};

fn in_burn(case: &Case) -> Vec<Evaluation> {
    let device = Device::flex();
    let net = Arc::new(case.model.network(&device));
    evaluate(case, Box::new(BurnEvaluator::new(net, device, case.shape)))
}

/// Within 1e-4 in everything.
fn assert_near(found: &[Evaluation], expected: &[Evaluation], what: &str) {
    let values = |evaluation: &Evaluation| {
        let Wdl { win, draw, loss } = evaluation.wdl;
        [vec![win, draw, loss], evaluation.logits.clone()].concat()
    };
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let (values, expected_values) = (values(found), values(expected));
        assert_eq!(values.len(), expected_values.len());
        let near = values.iter().zip(&expected_values).all(|(a, b)| (a - b).abs() < 1e-4);
        assert!(near, "{what}: {found:?} {expected:?}");
    }
}

#[test]
fn agrees_with_burn() {
    for case in cases() {
        let expected = in_burn(&case);
        for isa in isas() {
            let what = format!("{isa} {} {:?}", case.model.net(), case.shape);
            assert_near(&native(&case, Precision::Fp32, isa), &expected, &what);
        }
    }
}

/// Positions of each game, and a net.
fn of_each_game(net: &str) -> impl Iterator<Item = Case> {
    GameId::ALL.into_iter().map(move |id| {
        with_game!(id, G => {
            let model = opinionated(net, &G::SHAPE);
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

#[test]
fn fp32_agrees_with_burn_in_every_game() {
    for case in
        ["4x32", "2x64", "sparse-64", "sparse-64-attacks"].into_iter().flat_map(of_each_game).chain(trained())
    {
        let expected = in_burn(&case);
        for isa in isas() {
            let what = format!("{isa} {} {:?}", case.model.net(), case.shape);
            assert_near(&native(&case, Precision::Fp32, isa), &expected, &what);
        }
    }
}

#[test]
fn a_checkpoint_of_one_board_plays_on_another() {
    let [small, large] = [testing::shape(5, 5), testing::shape(9, 9)];
    let bytes = testing::model("2x16", &small, 7).to_bytes();
    let model = Model::from_bytes(&bytes).unwrap();
    let mut rng = testing::rng(7);
    let position = EncodedQuery {
        features: testing::features(&large, &mut rng),
        moves: testing::moves(&large, &mut rng),
        policy_only: false,
    };
    let case = Case { shape: large, model, positions: vec![position] };
    let (found, expected) = (native(&case, Precision::Fp32, Isa::detect()), in_burn(&case));
    assert_eq!(found[0].logits.len(), case.positions[0].moves.len());
    assert!((found[0].wdl.q() - expected[0].wdl.q()).abs() < 1e-4, "{found:?} {expected:?}");
}

#[test]
fn bf16_stays_near_fp32_in_every_game() {
    // Measured: at most 3.4e-5 and 0.0033.
    let nets = ["4x32", "2x64"].into_iter().flat_map(of_each_game);
    stays_near_fp32(nets, Precision::Bf16, Distance { policy: 2e-4, score: 0.005 });
}

#[test]
fn int16_stays_near_fp32_in_every_game() {
    // Measured: at most 9.1e-4 and 0.0059.
    let nets = ["sparse-64-attacks", "sparse-96-attacks"].into_iter().flat_map(of_each_game);
    stays_near_fp32(nets, Precision::Int16, Distance { policy: 2e-3, score: 0.01 });
}
