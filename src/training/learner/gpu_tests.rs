//! Nets that learn on a GPU, against those that learn on a processor. Without a device, which may be Mesa's
//! lavapipe, these say that they were skipped.
#![allow(clippy::print_stderr, reason = "a test says how far the weights are apart")]

use std::io::{self, Write};

use super::learner_tests::{SHAPE, config, samples};
use super::{Learner, LearnerConfig, StepReport};
use crate::{
    net::{Backend, Model, testing},
    training::replay::Sample,
};

const NETS: [&str; 3] = ["sparse-64", "sparse-32-attacks", "sparse-256-attacks"];

/// Whether there is a device; says so if not.
fn there_is_a_gpu() -> bool {
    let missing = Backend::Wgpu.check();
    if let Err(why) = &missing {
        // The test harness hides what a passing test prints by `eprintln!`.
        let _ = writeln!(io::stderr(), "skipped: {why}");
    }
    missing.is_ok()
}

fn learner(model: &Model, backend: Backend) -> Learner {
    let mut config = config();
    // Adam's first steps are the gradient's sign, and that of almost nothing may be either.
    config.adamw.epsilon = 1e-4;
    Learner::new(config, model, SHAPE, backend, 2)
}

/// Learns `batches` one after the other, `count` steps, and settles.
fn learn(learner: &mut Learner, batches: &[Vec<Sample>], count: usize) -> Vec<StepReport> {
    let batches: Vec<_> = batches.iter().map(|samples| learner.batch_of(samples)).collect();
    let mut reports = Vec::new();
    for batch in batches.iter().cycle().take(count) {
        reports.extend(learner.learn(batch, 0.0).expect("it stays finite"));
    }
    reports.extend(learner.settle().expect("it stays finite"));
    reports
}

#[test]
fn steps_lead_where_they_lead_on_a_processor() {
    if !there_is_a_gpu() {
        return;
    }
    for net in NETS {
        // Rows with many terms. By hand, rows that a step leaves alone take an `epsilon` that fades: there is but one batch.
        compare(net, Backend::Native, &[samples(300, 8)]);
    }
    for net in &NETS[..2] {
        compare_with_burn(net);
    }
}

/// By itself, since burn takes a minute for it where it is not optimised.
#[test]
fn a_wide_nets_steps_lead_where_they_lead_in_burn() {
    if there_is_a_gpu() {
        compare_with_burn(NETS[2]);
    }
}

/// Batches of several sizes; in burn all rows are stepped.
fn compare_with_burn(net: &str) {
    compare(net, Backend::Flex, &[samples(40, 7), samples(150, 8), samples(1, 9)]);
}

/// A tower learns there by burn, in whole batches.
#[test]
fn a_towers_steps_lead_where_they_lead_on_a_processor() {
    if !there_is_a_gpu() {
        return;
    }
    compare("1x16", Backend::Flex, &[samples(16, 8)]);
}

/// 100 steps on the GPU and on `backend`.
fn compare(net: &str, backend: Backend, batches: &[Vec<Sample>]) {
    let model = testing::model(net, &SHAPE, 7);
    let [(found, gpu), (expected, processor)] = [Backend::Wgpu, backend].map(|backend| {
        let mut learner = learner(&model, backend);
        (learn(&mut learner, batches, 100), learner)
    });
    assert_eq!(found.len(), 100);
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!((found.steps, found.learning_rate), (expected.steps, expected.learning_rate));
        for (number, (found, expected)) in numbers(found).into_iter().zip(numbers(expected)).enumerate() {
            let near = (found - expected).abs() < 1e-3 * expected.abs().max(1.0);
            assert!(near, "{net}, {backend}, number {number}: {found} {expected}");
        }
    }
    for [found, expected] in [[gpu.model(), processor.model()], [gpu.averaged(), processor.averaged()]] {
        let pairs = found.weights().iter().zip(expected.weights());
        let largest = pairs.map(|(found, expected)| (found - expected).abs()).fold(0.0, f32::max);
        eprintln!("{net}, {backend}: weights at most {largest:.1e} apart after 100 steps");
        assert!(largest < 1e-4, "{net}, {backend}: {largest}");
    }
}

/// What a report says of its step.
fn numbers(report: &StepReport) -> [f64; 12] {
    let losses = report.losses;
    let [win, draw, loss] = losses.value_target;
    [
        losses.policy,
        losses.policy_target_entropy,
        losses.policy_entropy,
        losses.value,
        losses.value_square_error,
        losses.value_bias,
        losses.reply,
        losses.moves_left,
        win,
        draw,
        loss,
        report.gradient_norm,
    ]
}

#[test]
fn a_run_repeats_bit_for_bit() {
    if !there_is_a_gpu() {
        return;
    }
    let model = testing::model("sparse-64", &SHAPE, 3);
    let states = [(); 2].map(|()| {
        let mut learner = learner(&model, Backend::Wgpu);
        learn(&mut learner, &[samples(200, 3), samples(90, 4)], 40);
        learner.state_bytes()
    });
    assert!(states[0] == states[1], "the same bytes");
}

#[test]
fn saved_and_restored_the_next_steps_are_the_same() {
    if !there_is_a_gpu() {
        return;
    }
    let model = testing::model("sparse-32-attacks", &SHAPE, 3);
    let batches = [samples(30, 3)];
    let mut first = learner(&model, Backend::Wgpu);
    learn(&mut first, &batches, 3);
    let mut second = learner(&Model::init(model.net(), SHAPE, 99), Backend::Wgpu);
    second.restore(&first.state_bytes()).expect("the same net");
    assert_eq!(learn(&mut first, &batches, 2), learn(&mut second, &batches, 2));
    assert!(first.state_bytes() == second.state_bytes(), "the same bytes");
}

#[test]
fn a_loss_that_is_not_finite_changes_nothing() {
    if !there_is_a_gpu() {
        return;
    }
    let mut learner = learner(&testing::model("sparse-64", &SHAPE, 5), Backend::Wgpu);
    let mut batch = samples(6, 5);
    learn(&mut learner, &[batch.clone()], 2);
    let before = learner.state_bytes();
    batch[3].features.scalars[0] = f32::NAN;
    let batch = learner.batch_of(&batch);
    assert_eq!(learner.step(&batch, 0.0).unwrap_err().step, 3);
    assert!(learner.state_bytes() == before, "nothing was changed");
    // It goes on.
    let reports = learn(&mut learner, &[samples(6, 6)], 1);
    assert_eq!(reports[0].steps, 3);
}

#[test]
fn memory_does_not_grow() {
    if !there_is_a_gpu() {
        return;
    }
    let config = LearnerConfig { batch: 16, ..config() };
    let mut learner = Learner::new(config, &testing::model("sparse-64", &SHAPE, 5), SHAPE, Backend::Wgpu, 1);
    let batches = [samples(16, 1), samples(16, 2), samples(16, 3)];
    learn(&mut learner, &batches, 20);
    let before = learner.device_bytes();
    learn(&mut learner, &batches, 2000);
    assert_eq!(learner.device_bytes(), before);
}
