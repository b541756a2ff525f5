//! The learner on random positions.

use rand::{Rng, RngExt};

use super::{Learner, LearnerConfig, LossWeights, Schedule, StepReport};
use super::{
    loss::{self, Scales},
    shard,
};
use crate::{
    games::encode::Shape,
    net::{Backend, BurnLearner, LearningConstants, Model, StepRates, testing},
    search::Wdl,
    training::replay::{MoveWeight, Sample},
};

pub(super) const SHAPE: Shape = testing::shape(4, 3);
/// One of each kind.
const NETS: [&str; 3] = ["2x16", "sparse-64", "sparse-32-attacks"];

pub(super) fn samples(count: usize, seed: u64) -> Vec<Sample> {
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

pub(super) fn config() -> LearnerConfig {
    let schedule = Schedule { warmup_steps: 4, last_fraction: 1.0, ..Schedule::default() };
    LearnerConfig { shard: 4, schedule, ..LearnerConfig::default() }
}

fn learner(model: &Model, threads: usize) -> Learner {
    Learner::new(config(), model, SHAPE, Backend::Native, threads)
}

fn steps(learner: &mut Learner, samples: &[Sample], count: usize) -> Vec<StepReport> {
    let batch = learner.batch_of(samples);
    (0..count).map(|_| learner.step(&batch, 0.0).unwrap()).collect()
}

#[test]
fn the_average_follows_as_it_is_told() {
    let distance = |average_decay| {
        let config = LearnerConfig { average_decay, ..config() };
        let model = testing::model("1x16", &SHAPE, 1);
        let mut learner = Learner::new(config, &model, SHAPE, Backend::Native, 1);
        steps(&mut learner, &samples(5, 1), 3);
        let (average, model) = (learner.averaged(), learner.model());
        let pairs = average.weights().iter().zip(model.weights());
        pairs.map(|(average, weight)| (average - weight).abs()).fold(0.0, f32::max)
    };
    let (at_once, slowly) = (distance(0.0), distance(0.9));
    assert!(at_once < 1e-6 && slowly > 1e-4, "{at_once} and {slowly}");
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
fn any_number_of_threads_gives_the_same_weights() {
    for model in NETS.map(|net| testing::model(net, &SHAPE, 2)) {
        // A sparse net learns 32 together.
        let batch = samples(110, 2);
        let [one, two, five] = [1, 2, 5].map(|threads| {
            let mut learner = learner(&model, threads);
            (steps(&mut learner, &batch, 3), learner.state_bytes())
        });
        for other in [two, five] {
            assert_eq!(one.0, other.0);
            assert!(one.1 == other.1, "the same bytes");
        }
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
        let length = direction.iter().map(|d| d * d).sum::<f32>().sqrt();
        direction.iter_mut().for_each(|d| *d /= length);
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

/// Each loss alone, and all of them.
fn losses_apart() -> [LossWeights; 5] {
    let none = LossWeights { value: 0.0, reply: 0.0, moves_left: 0.0 };
    [
        none.clone(),
        LossWeights { value: 1.0, ..none.clone() },
        LossWeights { reply: 1.0, ..none.clone() },
        LossWeights { moves_left: 1.0, ..none },
        LossWeights::default(),
    ]
}

/// The same by hand and in burn.
fn by_hand_and_in_burn<T>(
    net: &str,
    loss: &LossWeights,
    find: impl Fn(&mut Learner, &[Sample]) -> T,
) -> [T; 2] {
    let model = testing::model(net, &SHAPE, 7);
    // More than are taken together.
    let mut batch = samples(40, 7);
    if loss.value + loss.reply + loss.moves_left > 0.0 && *loss != LossWeights::default() {
        batch.iter_mut().for_each(|sample| sample.policy.clear());
    }
    let mut config = LearnerConfig { loss: loss.clone(), ..config() };
    // Adam's first step is the gradient's sign, and that of almost nothing may be either.
    config.adamw.epsilon = 1e-3;
    [Backend::Native, Backend::Flex]
        .map(|backend| find(&mut Learner::new(config.clone(), &model, SHAPE, backend, 2), &batch))
}

#[test]
fn by_hand_each_loss_has_the_gradient_that_burn_finds() {
    for net in ["sparse-64", "sparse-32-attacks"] {
        for loss in losses_apart() {
            let [(losses, by_hand), (expected_losses, expected)] =
                by_hand_and_in_burn(net, &loss, |learner, batch| learner.gradient(batch));
            let (total, expected_total) = (losses.total(&loss), expected_losses.total(&loss));
            assert!((total - expected_total).abs() < 1e-5 * expected_total, "{losses:?} {expected_losses:?}");
            let layout = testing::model(net, &SHAPE, 7).layout().clone();
            let length = |gradient: &[f32]| gradient.iter().map(|g| g * g).sum::<f32>().sqrt();
            assert!(length(&expected) > 0.0, "{loss:?}");
            for ((spec, found), (_, expected)) in layout.split(&by_hand).zip(layout.split(&expected)) {
                // A tensor that the loss does not hang on has no gradient in either.
                let most = 1e-4 * length(expected);
                for (found, expected) in found.iter().zip(expected) {
                    assert!((found - expected).abs() <= most, "{} {loss:?}: {found} {expected}", spec.name);
                }
            }
        }
    }
}

#[test]
fn by_hand_steps_lead_where_burn_leads() {
    for net in ["sparse-64", "sparse-32-attacks"] {
        for loss in losses_apart() {
            let [found, expected] = by_hand_and_in_burn(net, &loss, |learner, batch| {
                steps(learner, batch, 2);
                [learner.model().weights().to_vec(), learner.averaged().weights().to_vec()]
            });
            for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
                assert!(
                    (found - expected).abs() < 1e-4 * expected.abs().max(0.1),
                    "{loss:?}: {found} {expected}"
                );
            }
        }
    }
}

/// What a learner in burn is told of these settings.
fn rule(config: &LearnerConfig) -> LearningConstants {
    let LearnerConfig { adamw, loss, max_gradient_norm, .. } = config;
    LearningConstants {
        beta1: adamw.beta1,
        beta2: adamw.beta2,
        epsilon: adamw.epsilon,
        max_norm: *max_gradient_norm,
        value: loss.value,
        reply: loss.reply,
        moves_left: loss.moves_left,
    }
}

#[test]
fn a_step_in_burn_that_fails_changes_nothing() {
    let (config, model, batch) = (config(), testing::model("1x16", &SHAPE, 5), samples(6, 5));
    let mut burn = BurnLearner::new(&model, Backend::Flex.device(), rule(&config));
    let usual = StepRates { rate: 0.01, unbias: [10.0, 1000.0], ..StepRates::default() };
    let mut step = |rate: f32, added: f64| {
        let made = burn.step(&shard::batch(&SHAPE, &batch), &StepRates { rate, ..usual }, |outputs| {
            let (losses, gradient) = loss::losses(&batch, outputs, &Scales::new(&batch), &config.loss);
            (losses.total(&config.loss) + added, gradient)
        });
        (made.0.is_finite(), made.1, burn.read())
    };
    let (_, made, before) = step(usual.rate, 0.0);
    assert!(made, "one that does not fail is made");
    for (rate, added) in [(usual.rate, f64::NAN), (usual.rate, f64::INFINITY), (f32::INFINITY, 0.0)] {
        let (is_finite, made, after) = step(rate, added);
        assert!(is_finite && !made, "rate {rate}, loss + {added}");
        assert!(after == before, "rate {rate}, loss + {added}");
    }
    assert!(step(usual.rate, 0.0).1, "it goes on");
}

#[test]
fn burn_steps_by_itself_as_the_optimizer_does() {
    let mut config = config();
    config.adamw.epsilon = 1e-4;
    let (model, batch) = (testing::model("2x16", &SHAPE, 7), samples(12, 7));
    let mut learner = Learner::new(config.clone(), &model, SHAPE, Backend::Native, 1);
    let reports = steps(&mut learner, &batch, 20);
    let mut burn = BurnLearner::new(&model, Backend::Flex.device(), rule(&config));
    let LearnerConfig { adamw, loss, .. } = config;
    for StepReport { steps, learning_rate, gradient_norm, .. } in reports {
        let unbias = [adamw.beta1, adamw.beta2].map(|beta| 1.0 / (1.0 - beta.powi(steps as i32)));
        let average_decay = ((1 + steps) as f32 / (10 + steps) as f32).min(0.995);
        let decay = learning_rate * adamw.weight_decay;
        let pace = StepRates { rate: learning_rate, unbias, decay, average_decay };
        let (norm, made) = burn.step(&shard::batch(&SHAPE, &batch), &pace, |outputs| {
            let (losses, gradient) = loss::losses(&batch, outputs, &Scales::new(&batch), &loss);
            (losses.total(&loss), gradient)
        });
        assert!(made && (norm - gradient_norm).abs() < 1e-3 * gradient_norm, "{norm} {gradient_norm}");
    }
    let [weights, average, ..] = burn.read();
    for (found, expected) in [(weights, learner.model()), (average, learner.averaged())] {
        for (found, expected) in found.iter().zip(expected.weights()) {
            assert!((found - expected).abs() < 1e-4, "{found} {expected}");
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
    let batch = learner.batch_of(&batch);
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
