//! The learner on random positions.

use rand::{Rng, RngExt};

use super::{Learner, LearnerConfig, Schedule};
use crate::{
    encode::Shape,
    net::{Backend, Model, testing},
    replay::{MoveWeight, Sample},
    search::Wdl,
};

const SHAPE: Shape = testing::shape(4, 3);
/// One of each kind.
const NETS: [&str; 2] = ["2x16", "sparse-64"];

fn samples(count: usize, seed: u64) -> Vec<Sample> {
    let mut rng = testing::rng(seed);
    (0..count).map(|i| sample(i, &mut rng)).collect()
}

/// Some of them without a policy, a reply or the moves left.
fn sample<R: Rng>(i: usize, rng: &mut R) -> Sample {
    let target = |has: bool, rng: &mut R| {
        let moves = if has { testing::moves(&SHAPE, rng) } else { Vec::new() };
        let best = moves.len() / 2;
        let weight = |at| if at == best { 1.0 } else { 0.0 };
        moves.iter().enumerate().map(|(at, &index)| MoveWeight { index, weight: weight(at) }).collect()
    };
    Sample {
        features: testing::features(&SHAPE, rng),
        policy: target(i % 3 != 1, rng),
        reply: target(i % 4 != 1, rng),
        wdl: [Wdl::WIN, Wdl::DRAW, Wdl::LOSS][i % 3],
        moves_left: (!i.is_multiple_of(5)).then(|| rng.random_range(0.0..80.0)),
    }
}

fn config() -> LearnerConfig {
    let schedule = Schedule { warmup_steps: 4, last_fraction: 1.0, ..Schedule::default() };
    LearnerConfig { shard: 4, schedule, ..LearnerConfig::default() }
}

fn learner(model: &Model, threads: usize) -> Learner {
    Learner::new(config(), model, SHAPE, Backend::Native, threads)
}

fn steps(learner: &mut Learner, batch: &[Sample], count: usize) -> Vec<super::StepReport> {
    (0..count).map(|_| learner.step(batch, 0.0).unwrap()).collect()
}

#[test]
fn overfits_one_batch() {
    NETS.into_iter().for_each(overfits);
}

fn overfits(net: &str) {
    let mut learner = learner(&Model::init(&net.parse().unwrap(), SHAPE, 1), 2);
    let batch = samples(12, 1);
    let reports = steps(&mut learner, &batch, 300);
    let (first, last) = (reports[0].losses, reports[299].losses);
    // A new net is uniform: the mean of ln(moves), and ln 3.
    assert!((first.policy - first.policy_entropy).abs() < 1e-6 && first.policy > 1.0, "{first:?}");
    assert!((first.value - 3f64.ln()).abs() < 1e-6, "{first:?}");
    assert!(last.policy < 0.05 && last.value < 0.05 && last.reply < 0.2, "{last:?}");
    assert!(last.moves_left < 0.05 && last.value_square_error < 0.05, "{last:?}");
    assert_eq!(reports[299].steps, 300);
}

#[test]
fn the_averaged_weights_follow() {
    let mut learner = learner(&testing::model("1x16", &SHAPE, 1), 1);
    let start = learner.averaged();
    assert_eq!(start, learner.model());
    steps(&mut learner, &samples(5, 1), 3);
    let (average, now) = (learner.averaged(), learner.model());
    let distance = |model: &Model| -> f32 {
        model.weights().iter().zip(start.weights()).map(|(weight, start)| (weight - start).abs()).sum()
    };
    let (moved, distance) = (distance(&average), distance(&now));
    assert!(0.0 < moved && moved < distance, "{moved} {distance}");
}

#[test]
fn one_thread_or_two_give_the_same_weights() {
    for model in NETS.map(|net| testing::model(net, &SHAPE, 2)) {
        let batch = samples(22, 2);
        let [one, two] = [1, 2].map(|threads| {
            let mut learner = learner(&model, threads);
            (steps(&mut learner, &batch, 5), learner.state_bytes())
        });
        assert_eq!(one.0, two.0);
        assert!(one.1 == two.1, "the same bytes");
    }
}

#[test]
fn saved_and_restored_the_next_step_is_the_same() {
    for model in NETS.map(|net| testing::model(net, &SHAPE, 3)) {
        let batch = samples(9, 3);
        let mut learner = self::learner(&model, 1);
        steps(&mut learner, &batch, 3);
        let mut restored = self::learner(&Model::init(model.net(), SHAPE, 99), 1);
        restored.restore(&learner.state_bytes()).unwrap();
        assert_eq!(steps(&mut learner, &batch, 2), steps(&mut restored, &batch, 2));
        assert!(learner.state_bytes() == restored.state_bytes(), "the same bytes");
    }
}

#[test]
fn a_state_of_another_net_is_refused() {
    let state = learner(&testing::model("2x16", &SHAPE, 1), 1).state_bytes();
    let mut other = learner(&testing::model("1x16", &SHAPE, 1), 1);
    let before = other.state_bytes();
    let error = other.restore(&state).unwrap_err().to_string();
    assert!(error.contains("2x16") && error.contains("1x16"), "{error}");
    assert!(other.restore(&state[..state.len() / 2]).is_err());
    assert!(other.state_bytes() == before, "nothing was changed");
}

#[test]
fn the_gradient_is_that_of_the_loss() {
    NETS.into_iter().for_each(gradient_is_that_of_the_loss);
}

fn gradient_is_that_of_the_loss(net: &str) {
    let model = testing::model(net, &SHAPE, 4);
    let batch = samples(10, 4);
    let loss = |weights: Vec<f32>| {
        let (losses, _) = learner(&model.with_weights(weights), 1).gradient(&batch);
        losses.total(&config().loss)
    };
    let (_, gradient) = learner(&model, 1).gradient(&batch);
    let mut rng = testing::rng(4);
    // One direction a tensor, so that a wrong gradient of a small one shows.
    let mut at = 0;
    for spec in model.layout().tensors() {
        let mut direction = vec![0.0; gradient.len()];
        direction[at..at + spec.len()].fill_with(|| rng.random_range(-1.0..1.0));
        at += spec.len();
        let length = super::optimizer::norm(&direction);
        direction.iter_mut().for_each(|d| *d /= length as f32);
        let moved = |by: f32| {
            let weights = model.weights().iter().zip(&direction);
            loss(weights.map(|(weight, d)| weight + by * d).collect())
        };
        let difference = (moved(1e-2) - moved(-1e-2)) / 2e-2;
        let found: f64 = gradient.iter().zip(&direction).map(|(g, d)| f64::from(g * d)).sum();
        let tolerance = 2e-3 + 0.03 * difference.abs();
        assert!((found - difference).abs() < tolerance, "{}: {found} {difference}", spec.name);
    }
}

#[test]
fn rows_by_hand_have_the_gradient_that_burn_finds() {
    ["sparse-64", "sparse-32-attacks"].into_iter().for_each(by_hand_as_in_burn);
}

fn by_hand_as_in_burn(net: &str) {
    let model = testing::model(net, &SHAPE, 7);
    let batch = samples(10, 7);
    let gradient = |backend| Learner::new(config(), &model, SHAPE, backend, 1).gradient(&batch);
    let ((losses, by_hand), (expected_losses, expected)) =
        (gradient(Backend::Native), gradient(Backend::Flex));
    assert!((losses.policy - expected_losses.policy).abs() < 1e-5, "{losses:?} {expected_losses:?}");
    let tensors = model.layout().split(&by_hand).zip(model.layout().split(&expected));
    for ((spec, found), (_, expected)) in tensors {
        let scale = super::optimizer::norm(expected) as f32;
        assert!(scale > 0.0, "{}", spec.name);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-4 * scale, "{}: {found} {expected}", spec.name);
        }
    }
}

#[test]
fn a_loss_that_is_not_finite_changes_nothing() {
    let mut learner = learner(&testing::model("1x16", &SHAPE, 5), 1);
    let mut batch = samples(6, 5);
    steps(&mut learner, &batch, 2);
    let before = learner.state_bytes();
    batch[3].features.scalars[0] = f32::NAN;
    assert_eq!(learner.step(&batch, 0.0).unwrap_err().step, 3);
    assert!(learner.state_bytes() == before, "nothing was changed");
}

#[test]
fn gains_and_biases_do_not_decay() {
    let model = testing::model("1x16", &SHAPE, 6);
    let mut config = config();
    config.adamw.weight_decay = 100.0;
    let decayed = |config: LearnerConfig| {
        let mut learner = Learner::new(config, &model, SHAPE, Backend::Native, 1);
        steps(&mut learner, &samples(6, 6), 1);
        learner.model()
    };
    let (with, without) = (decayed(config), decayed(self::config()));
    let pairs = model.layout().split(with.weights()).zip(model.layout().split(without.weights()));
    for ((spec, with), (_, without)) in pairs {
        assert_eq!(with != without, spec.shape.len() == 2, "{}", spec.name);
    }
}
