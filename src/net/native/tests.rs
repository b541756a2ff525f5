//! The forward pass by hand against burn's.

mod games;

use std::sync::Arc;

use burn::tensor::Device;

use super::{Isa, NativeNet};
use crate::{
    games::encode::Shape,
    net::{BurnEvaluator, EncodedQuery, FeatureEvaluator, Model, Precision, testing},
    search::{Evaluation, Wdl},
};

struct Case {
    shape: Shape,
    model: Model,
    positions: Vec<EncodedQuery>,
}

fn cases() -> impl Iterator<Item = Case> {
    ["1x16", "2x32", "1x48", "1x64", "sparse-32", "sparse-96-attacks", "sparse-256"].into_iter().flat_map(
        |net| {
            testing::SHAPES.into_iter().map(move |shape| {
                let mut rng = testing::rng(shape.squares() as u64);
                let position = |_| EncodedQuery {
                    features: testing::features(&shape, &mut rng),
                    moves: testing::moves(&shape, &mut rng),
                    policy_only: false,
                };
                Case {
                    shape,
                    model: testing::model(net, &shape, 1),
                    positions: (0..3).map(position).collect(),
                }
            })
        },
    )
}

fn precisions(case: &Case) -> impl Iterator<Item = Precision> + use<> {
    let net = case.model.net().clone();
    Precision::ALL.into_iter().filter(move |&precision| net.has(precision))
}

fn isas() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.is_available())
}

fn evaluate(case: &Case, mut evaluator: Box<dyn FeatureEvaluator>) -> Vec<Evaluation> {
    let mut out = vec![Evaluation::default(); case.positions.len()];
    evaluator.evaluate_encoded(&case.positions, &mut out);
    out
}

fn native(case: &Case, precision: Precision, isa: Isa) -> Vec<Evaluation> {
    let net = NativeNet::with_isa(&case.model, precision, isa).expect("the net has the precision");
    evaluate(case, net.evaluator(case.shape))
}

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

#[test]
fn fused_instruction_sets_give_the_same_bits() {
    for case in cases() {
        for precision in precisions(&case) {
            let fused: Vec<_> = isas().filter(|&isa| isa != Isa::Portable).collect();
            let answers: Vec<_> = fused.iter().map(|&isa| native(&case, precision, isa)).collect();
            let same = answers.windows(2).all(|pair| pair[0] == pair[1]);
            assert!(same, "{fused:?} {precision} {:?}", case.shape);
        }
    }
}

#[test]
fn what_was_judged_before_does_not_matter() {
    for mut case in cases() {
        for precision in precisions(&case) {
            let forward = native(&case, precision, Isa::detect());
            case.positions.reverse();
            let mut backward = native(&case, precision, Isa::detect());
            backward.reverse();
            assert_eq!(forward, backward);
        }
    }
}

#[test]
fn value_and_policy_are_the_same_when_asked_for_one_by_one() {
    for mut case in cases() {
        for (precision, isa) in
            precisions(&case).flat_map(|precision| isas().map(move |isa| (precision, isa)))
        {
            let both = native(&case, precision, isa);
            let moves: Vec<Vec<u16>> =
                case.positions.iter_mut().map(|it| std::mem::take(&mut it.moves)).collect();
            let values = native(&case, precision, isa);
            for (position, moves) in case.positions.iter_mut().zip(moves) {
                (position.moves, position.policy_only) = (moves, true);
            }
            let policies = native(&case, precision, isa);
            case.positions.iter_mut().for_each(|position| position.policy_only = false);
            for ((both, value), policy) in both.iter().zip(&values).zip(&policies) {
                assert_eq!((both.wdl, &both.logits), (value.wdl, &policy.logits));
                assert!(value.logits.is_empty());
            }
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
