//! The forward pass by hand: one instruction set against another, and all against burn's.

#[cfg(feature = "program")]
mod burn;
mod games;

use std::io::{self, Write};

use super::{Isa, NativeNet};
use crate::{
    games::encode::Shape,
    net::{EncodedQuery, FeatureEvaluator, Model, Precision, testing},
    search::Evaluation,
};

struct Case {
    shape: Shape,
    model: Model,
    positions: Vec<EncodedQuery>,
}

fn cases() -> impl Iterator<Item = Case> {
    let nets = ["1x16", "2x32", "1x48", "1x64", "sparse-32", "sparse-96-attacks", "sparse-256"];
    nets.into_iter().filter(|net| is_built(net)).flat_map(|net| {
        testing::SHAPES.into_iter().map(move |shape| {
            let mut rng = testing::rng(shape.squares() as u64);
            let position = |_| EncodedQuery {
                features: testing::features(&shape, &mut rng),
                moves: testing::moves(&shape, &mut rng),
                policy_only: false,
            };
            let positions = (0..3).map(position).collect();
            Case { shape, model: testing::model(net, &shape, 1), positions }
        })
    })
}

/// Whether this build evaluates the net: towers are read by burn.
fn is_built(net: &str) -> bool {
    cfg!(feature = "program") || net.starts_with("sparse")
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

#[test]
fn fused_instruction_sets_give_the_same_bits() {
    let fused: Vec<_> = isas().filter(|&isa| isa != Isa::Portable).collect();
    if fused.len() < 2 {
        // The test harness hides what a passing test prints by `eprintln!`.
        let _ = writeln!(io::stderr(), "skipped: of fused instruction sets there are only {fused:?}");
    }
    for case in cases() {
        for precision in precisions(&case) {
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
