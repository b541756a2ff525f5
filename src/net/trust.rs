//! Whether a device computes what the processor computes: the same positions evaluated on both.

use std::fmt;

use rand::RngExt;
use serde::Serialize;

use super::{Backend, EncodedQuery, Model, NativeNet, NoPrecision, Precision};
use crate::{
    base::rng::{self, Purpose},
    games::encode::Shape,
    search::Evaluation,
};

/// Positions that are evaluated on both.
pub const POSITIONS: usize = 256;

/// The largest distances of evaluations from those of the processor in single precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Distance {
    /// Of the probabilities of win, draw and loss.
    pub wdl: f32,
    /// Of a move's probability.
    pub policy: f32,
}

/// A device whose results cannot be trusted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "{backend} in {precision} is not to be trusted: over {POSITIONS} positions it differs from the processor by {distance}, \
     where {bound} is allowed"
)]
pub struct Untrustworthy {
    /// The device's backend.
    pub backend: Backend,
    /// What it was to compute in.
    pub precision: Precision,
    /// How far it is.
    pub distance: Distance,
    /// How far it may be.
    pub bound: f32,
}

/// Why a check failed.
#[derive(Debug, thiserror::Error)]
pub enum CheckFailed {
    /// It does not compute in this precision.
    #[error(transparent)]
    NoPrecision(#[from] NoPrecision),
    /// It computes something else.
    #[error(transparent)]
    Untrustworthy(#[from] Untrustworthy),
}

impl Distance {
    /// The distance of results from what they should be. NaN if a number of either is not finite.
    pub fn between(found: &[Evaluation], expected: &[Evaluation]) -> Self {
        let far =
            |pairs: &mut dyn Iterator<Item = (f32, f32)>| pairs.map(|(a, b)| (a - b).abs()).fold(0.0, larger);
        let mut distance = Distance::default();
        for (found, expected) in found.iter().zip(expected) {
            let wdl = |e: &Evaluation| [e.wdl.win, e.wdl.draw, e.wdl.loss];
            let of_wdl = far(&mut wdl(found).into_iter().zip(wdl(expected)));
            let [found, expected] = [found, expected].map(|e| probabilities(&e.logits));
            let of_policy = far(&mut found.into_iter().zip(expected));
            distance =
                Distance { wdl: larger(distance.wdl, of_wdl), policy: larger(distance.policy, of_policy) };
        }
        distance
    }

    /// Refuses what is beyond the bound of `precision`.
    ///
    /// # Errors
    /// When it is.
    pub fn check(self, backend: Backend, precision: Precision) -> Result<Self, Untrustworthy> {
        let bound = bound(precision);
        if self.wdl <= bound && self.policy <= bound {
            Ok(self)
        } else {
            Err(Untrustworthy { backend, precision, distance: self, bound })
        }
    }
}

/// The larger one; a NaN is larger than all.
fn larger(a: f32, b: f32) -> f32 {
    if a.is_nan() || b <= a { a } else { b }
}

/// How far probabilities may be from those in single precision.
fn bound(precision: Precision) -> f32 {
    match precision {
        Precision::Auto | Precision::Fp32 => 2e-4,
        Precision::Fp16 => 1e-2,
        Precision::Bf16 | Precision::Int16 => 5e-2,
    }
}

/// The softmax of `logits`; NaN everywhere if one of them is not finite.
fn probabilities(logits: &[f32]) -> Vec<f32> {
    if logits.iter().any(|logit| !logit.is_finite()) {
        return vec![f32::NAN; logits.len()];
    }
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exps: Vec<f32> =
        logits.iter().map(|logit| crate::base::maths::exp_of_negative(logit - largest)).collect();
    let total: f32 = exps.iter().sum();
    exps.into_iter().map(|exp| exp / total).collect()
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1e} (win, draw, loss) and {:.1e} (moves)", self.wdl, self.policy)
    }
}

/// A net of the kind of `model` with random weights everywhere: a new net values all moves alike, and its blocks do
/// nothing.
pub fn with_opinions(model: &Model) -> Model {
    let mut rng = rng::stream(0, Purpose::Bench, &[]);
    let mut weights = Vec::with_capacity(model.weights().len());
    for (spec, values) in model.layout().split(model.weights()) {
        let most = if spec.is_matrix() { 0.02 } else { 0.2 };
        weights.extend(values.iter().map(|value| value + rng.random_range(-most..most)));
    }
    model.with_weights(weights)
}

/// Evaluates `positions` with `model` on `backend` in `precision` and on the processor.
///
/// # Errors
/// When the backend does not have the precision, or its answers are too far off.
///
/// # Panics
/// When the positions do not fit the net.
pub fn check(
    model: &Model,
    shape: Shape,
    positions: &[EncodedQuery],
    backend: Backend,
    precision: Precision,
) -> Result<Distance, CheckFailed> {
    let precision = backend.precision_of(model, precision);
    let judged = |evaluator: &mut dyn super::FeatureEvaluator| {
        let mut out = vec![Evaluation::default(); positions.len()];
        evaluator.evaluate_encoded(positions, &mut out);
        out
    };
    let found = judged(&mut *backend.load_in(model, precision)?.evaluator(shape));
    Ok(Distance::between(&found, &expected(model, shape, positions)).check(backend, precision)?)
}

/// The processor's evaluations in single precision.
fn expected(model: &Model, shape: Shape, positions: &[EncodedQuery]) -> Vec<Evaluation> {
    let net = NativeNet::new(model, Precision::Fp32).expect("every net has fp32");
    let mut out = vec![Evaluation::default(); positions.len()];
    net.evaluator(shape).evaluate_encoded(positions, &mut out);
    out
}

/// The same for the kernels with which a sparse net learns.
///
/// # Errors
/// When their answers are too far off.
///
/// # Panics
/// When the positions do not fit the net, and when [`Backend::check`] is an error.
#[cfg(feature = "wgpu")]
pub fn check_learning(
    model: &Model,
    shape: Shape,
    positions: &[EncodedQuery],
) -> Result<Distance, Untrustworthy> {
    use super::{LearningConstants, gpu::GpuLearner};
    use crate::search::Wdl;

    let mut learner =
        GpuLearner::new(model, LearningConstants::default()).expect("the device was checked at the start");
    let mut batch = learner.batch();
    for EncodedQuery { features, moves, .. } in positions {
        let targets = moves.iter().map(|&index| (index, 1.0));
        batch.add(features, targets, std::iter::empty(), [0.0, 1.0, 0.0], None);
    }
    batch.pack();
    let outputs = learner.outputs(&batch);
    let mut logits = &outputs.policy[..];
    let found = positions.iter().zip(outputs.wdl.as_chunks::<3>().0).map(|(position, wdl)| {
        let [win, draw, loss]: [f32; 3] = probabilities(wdl).try_into().expect("three of three");
        let own = logits.split_off(..position.moves.len()).expect("a logit for each move");
        Evaluation { wdl: Wdl { win, draw, loss }, logits: own.to_vec() }
    });
    let found: Vec<Evaluation> = found.collect();
    Distance::between(&found, &expected(model, shape, positions)).check(Backend::Wgpu, Precision::Fp32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::testing;

    fn positions(shape: Shape, count: usize) -> Vec<EncodedQuery> {
        let mut rng = testing::rng(1);
        let query = |_| EncodedQuery {
            features: testing::features(&shape, &mut rng),
            moves: testing::moves(&shape, &mut rng),
            policy_only: false,
        };
        (0..count).map(query).collect()
    }

    #[test]
    fn other_answers_are_far_and_nonsense_is_farther() {
        let shape = testing::shape(4, 3);
        let positions = positions(shape, 5);
        let model = with_opinions(&testing::model("1x16", &shape, 1));
        let near =
            check(&model, shape, &positions, Backend::Flex, Precision::Fp32).expect("burn is the reference");
        assert!(near.wdl < 1e-5 && near.policy < 1e-5, "{near}");
        let answers = expected(&model, shape, &positions);
        let others = expected(&testing::model("1x16", &shape, 2), shape, &positions);
        let far = Distance::between(&others, &answers);
        assert!(far.wdl > 1e-3 && far.policy > 1e-3, "{far}");
        let refused = far.check(Backend::Flex, Precision::Fp32).expect_err("too far").to_string();
        assert!(refused.contains(&format!("{:.1e}", far.wdl)) && refused.contains("0.0002"), "{refused}");
        let logits = &answers[2].logits;
        let least = (0..logits.len()).min_by(|&a, &b| logits[a].total_cmp(&logits[b])).expect("a move");
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut nonsense = answers.clone();
            nonsense[2].logits[least] = bad;
            assert!(Distance::between(&nonsense, &answers).check(Backend::Flex, Precision::Bf16).is_err());
        }
    }

    /// `gpu_tests`: by `tests/gpu/run`, on a GPU or on Mesa's lavapipe.
    #[cfg(feature = "wgpu")]
    #[test]
    fn gpu_tests_sparse_nets_judge_as_on_a_processor() {
        if let Some((model, shape, positions)) = gpu_judges("sparse-32-attacks") {
            check_learning(&model, shape, &positions).expect("it is to be trusted");
        }
    }

    #[cfg(feature = "wgpu")]
    #[test]
    fn gpu_tests_towers_judge_as_on_a_processor() {
        gpu_judges("1x16");
    }

    /// Holds what a GPU says, if there is one, against the processor; returns what it was asked.
    #[cfg(feature = "wgpu")]
    fn gpu_judges(net: &str) -> Option<(Model, Shape, Vec<EncodedQuery>)> {
        if Backend::Wgpu.check().is_err() {
            return None;
        }
        let shape = testing::shape(4, 3);
        let positions = positions(shape, 20);
        let model = with_opinions(&testing::model(net, &shape, 1));
        check(&model, shape, &positions, Backend::Wgpu, Precision::Fp32).expect("it is to be trusted");
        Some((model, shape, positions))
    }
}
