//! Losses and their gradients in the network's outputs, in plain code.
//!
//! The outputs are few: a softmax over the legal moves alone is a handful of numbers a position. Taken here,
//! the losses need no masks, no padding and no tensor operations; burn carries the gradient on from the
//! outputs to the weights.

use serde::{Deserialize, Serialize};

use crate::{
    base::maths::{exp_of_negative, ln},
    net::{MOVES_LEFT_UNIT, Outputs},
    training::replay::{MoveWeight, Sample},
};

/// How much each loss counts; the policy counts one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LossWeights {
    /// Of win, draw and loss.
    pub value: f32,
    /// Of the opponent's reply.
    pub reply: f32,
    /// Of the moves left.
    pub moves_left: f32,
}

impl Default for LossWeights {
    /// The reply as in KataGo (Wu, "Accelerating self-play learning in Go", 2019, section 3.4); the others
    /// untuned.
    fn default() -> Self {
        LossWeights { value: 1.0, reply: 0.15, moves_left: 0.1 }
    }
}

/// Losses of a batch: each the mean over the samples that have the target, zero where none has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Losses {
    /// Cross-entropy of the policy, in nats; over moves of the search it exceeds `policy_target_entropy` by
    /// the divergence of the two.
    pub policy: f64,
    /// Entropy of the policy's target, in nats.
    pub policy_target_entropy: f64,
    /// Entropy of the predicted policy, in nats.
    pub policy_entropy: f64,
    /// Cross-entropy of win, draw and loss, in nats.
    pub value: f64,
    /// Mean target of win, draw and loss.
    pub value_target: [f64; 3],
    /// Mean square of the predicted expected score less its target, in `0.0..=4.0`.
    pub value_square_error: f64,
    /// Mean of the same difference: above zero where the network is too hopeful.
    pub value_bias: f64,
    /// Cross-entropy of the opponent's reply, in nats.
    pub reply: f64,
    /// Huber loss of the moves left, in units of [`MOVES_LEFT_UNIT`].
    pub moves_left: f64,
}

impl Losses {
    /// What is minimised.
    pub fn total(&self, weights: &LossWeights) -> f64 {
        self.policy
            + f64::from(weights.value) * self.value
            + f64::from(weights.reply) * self.reply
            + f64::from(weights.moves_left) * self.moves_left
    }

    /// Field by field.
    pub fn add(&mut self, other: &Losses) {
        self.policy += other.policy;
        self.policy_target_entropy += other.policy_target_entropy;
        self.policy_entropy += other.policy_entropy;
        self.value += other.value;
        self.value_target.iter_mut().zip(other.value_target).for_each(|(sum, share)| *sum += share);
        self.value_square_error += other.value_square_error;
        self.value_bias += other.value_bias;
        self.reply += other.reply;
        self.moves_left += other.moves_left;
    }
}

/// One over the number of samples in the whole batch that have a target.
#[derive(Clone, Copy, Debug)]
pub struct Scales {
    policy: f32,
    value: f32,
    reply: f32,
    moves_left: f32,
}

impl Scales {
    /// Counts the targets in `batch`.
    pub fn new(batch: &[Sample]) -> Self {
        let scale = |has: fn(&Sample) -> bool| match batch.iter().filter(|sample| has(sample)).count() {
            0 => 0.0,
            count => 1.0 / count as f32,
        };
        Scales {
            policy: scale(|sample| !sample.policy.is_empty()),
            value: scale(|_| true),
            reply: scale(|sample| !sample.reply.is_empty()),
            moves_left: scale(|sample| sample.moves_left.is_some()),
        }
    }
}

/// A shard's part of the batch's losses, and the gradient of their weighted sum in `outputs`.
pub fn losses(
    shard: &[Sample],
    outputs: &Outputs,
    scales: &Scales,
    weights: &LossWeights,
) -> (Losses, Outputs) {
    let mut losses = Losses::default();
    let mut gradient = Outputs::default();
    gradient.policy.reserve(outputs.policy.len());
    gradient.reply.reserve(outputs.reply.len());
    let mut scratch = Scratch::default();
    let (mut policy, mut reply) = (&outputs.policy[..], &outputs.reply[..]);
    let (wdl, _) = outputs.wdl.as_chunks::<3>();
    for ((sample, wdl), &moves_left) in shard.iter().zip(wdl).zip(&outputs.moves_left) {
        let logits = policy.split_off(..sample.policy.len()).expect("a logit for each move");
        let of = scratch.moves(logits, &sample.policy, scales.policy, &mut gradient.policy);
        let scale = f64::from(scales.policy);
        losses.policy += scale * of.cross_entropy;
        losses.policy_target_entropy += scale * of.target_entropy;
        losses.policy_entropy += scale * of.entropy;

        let logits = reply.split_off(..sample.reply.len()).expect("a logit for each reply");
        let scale = scales.reply * weights.reply;
        let of = scratch.moves(logits, &sample.reply, scale, &mut gradient.reply);
        losses.reply += f64::from(scales.reply) * of.cross_entropy;

        value(sample, wdl, scales.value, weights, &mut losses, &mut gradient.wdl);

        let error = sample.moves_left.map_or(0.0, |plies| moves_left - plies / MOVES_LEFT_UNIT);
        losses.moves_left += f64::from(scales.moves_left) * huber(error);
        gradient.moves_left.push(scales.moves_left * weights.moves_left * error.clamp(-1.0, 1.0));
    }
    (losses, gradient)
}

fn value(
    sample: &Sample,
    logits: &[f32; 3],
    scale: f32,
    weights: &LossWeights,
    losses: &mut Losses,
    gradient: &mut Vec<f32>,
) {
    let target = [sample.wdl.win, sample.wdl.draw, sample.wdl.loss];
    let max = largest(logits);
    let exps = logits.map(|logit| exp_of_negative(logit - max));
    let total: f32 = exps.iter().sum();
    let log_total = ln(total);
    let (wdl, scale) = (exps.map(|exp| exp / total), f64::from(scale));
    for ((&logit, p), target) in logits.iter().zip(wdl).zip(target) {
        gradient.push((p - target) * (scale as f32 * weights.value));
        losses.value -= scale * f64::from(target * (logit - max - log_total));
    }
    losses.value_target.iter_mut().zip(target).for_each(|(sum, share)| *sum += scale * f64::from(share));
    let error = f64::from(wdl[0] - wdl[2] - sample.wdl.q());
    losses.value_square_error += scale * error * error;
    losses.value_bias += scale * error;
}

/// Softmax cross-entropy of a position's moves, and the entropies of both sides, in nats.
struct CrossEntropy {
    cross_entropy: f64,
    target_entropy: f64,
    entropy: f64,
}

/// Buffers that serve one position after the other.
#[derive(Default)]
struct Scratch {
    /// Logits less the largest one.
    logits: Vec<f32>,
    /// Their exponentials.
    exps: Vec<f32>,
    /// Weights of the target.
    weights: Vec<f32>,
}

impl Scratch {
    /// The losses of a position's moves; appends their gradient times `scale`. In f32, and without a branch or a call for
    /// each move, so that the compiler takes many at a time.
    fn moves(
        &mut self,
        logits: &[f32],
        target: &[MoveWeight],
        scale: f32,
        gradient: &mut Vec<f32>,
    ) -> CrossEntropy {
        if logits.is_empty() {
            return CrossEntropy { cross_entropy: 0.0, target_entropy: 0.0, entropy: 0.0 };
        }
        let Scratch { logits: less, exps, weights } = self;
        let max = largest(logits);
        replace(less, logits.iter().map(|logit| logit - max));
        replace(exps, less.iter().map(|&logit| exp_of_negative(logit)));
        replace(weights, target.iter().map(|mv| mv.weight));
        let (sum, all) = (total(exps), total(weights));
        let (of_exp, of_weight) = (scale / sum, scale / all);
        gradient.extend(exps.iter().zip(&*weights).map(|(exp, weight)| exp * of_exp - weight * of_weight));
        // ln p of a move is its logit less the logarithm of the sum.
        let log_sum = ln(sum);
        let mean_logit = |of: &[f32], all: f32| dot(of, less) / all;
        let (by_target, by_policy) = (mean_logit(weights, all), mean_logit(exps, sum));
        // Few moves have weight: 0 * ln 0 = 0.
        let with_weight = weights.iter().filter(|&&weight| weight > 0.0);
        let target_entropy: f32 = with_weight.map(|weight| -weight / all * ln(weight / all)).sum();
        CrossEntropy {
            cross_entropy: (log_sum - by_target).into(),
            target_entropy: target_entropy.into(),
            entropy: (log_sum - by_policy).into(),
        }
    }
}

fn replace(numbers: &mut Vec<f32>, by: impl Iterator<Item = f32>) {
    numbers.clear();
    numbers.extend(by);
}

/// The largest of some numbers; any of them when one is no number.
fn largest(numbers: &[f32]) -> f32 {
    numbers.iter().fold(f32::NEG_INFINITY, |max, &x| if x > max { x } else { max })
}

/// Numbers that are added at a time, each to a sum of its own.
const SIDE_BY_SIDE: usize = 8;

fn total(numbers: &[f32]) -> f32 {
    let (chunks, rest) = numbers.as_chunks::<SIDE_BY_SIDE>();
    let mut sums = [0.0; SIDE_BY_SIDE];
    for chunk in chunks {
        sums.iter_mut().zip(chunk).for_each(|(sum, x)| *sum += x);
    }
    sums.iter().chain(rest).sum()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<SIDE_BY_SIDE>(), b.as_chunks::<SIDE_BY_SIDE>());
    let mut sums = [0.0; SIDE_BY_SIDE];
    for (a, b) in a.iter().zip(b) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    sums.iter().sum::<f32>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f32>()
}

/// Square near zero, linear beyond one.
fn huber(error: f32) -> f64 {
    let error = f64::from(error.abs());
    if error < 1.0 { 0.5 * error * error } else { error - 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Wdl;

    fn shard() -> Vec<Sample> {
        let target = |weights: &[f32]| {
            weights.iter().map(|&weight| MoveWeight { index: 0, weight }).collect::<Vec<_>>()
        };
        let wdl = Wdl { win: 0.5, draw: 0.3, loss: 0.2 };
        vec![
            Sample { policy: target(&[3.0, 1.0, 0.0]), reply: target(&[1.0, 1.0]), wdl, ..Sample::default() },
            Sample { reply: target(&[0.0, 2.0]), wdl: Wdl::WIN, moves_left: Some(40.0), ..Sample::default() },
            Sample { policy: target(&[1.0]), wdl: Wdl::DRAW, moves_left: Some(8.0), ..Sample::default() },
        ]
    }

    fn outputs() -> Outputs {
        Outputs {
            policy: vec![0.3, -0.2, 0.9, 1.0],
            reply: vec![0.1, 0.7, -0.4, 0.2],
            wdl: vec![0.5, 0.1, -0.3, -1.0, 0.2, 0.4, 0.0, 0.3, 0.6],
            moves_left: vec![1.0, 3.0, 0.5],
        }
    }

    #[test]
    fn gradients_agree_with_differences() {
        let (shard, weights) = (shard(), LossWeights { value: 0.7, reply: 0.3, moves_left: 0.2 });
        let scales = Scales::new(&shard);
        let total = |outputs: &Outputs| losses(&shard, outputs, &scales, &weights).0.total(&weights);
        let (_, gradient) = losses(&shard, &outputs(), &scales, &weights);
        type Part = fn(&mut Outputs) -> &mut Vec<f32>;
        let parts: [(&str, Part); 4] = [
            ("policy", |outputs| &mut outputs.policy),
            ("reply", |outputs| &mut outputs.reply),
            ("wdl", |outputs| &mut outputs.wdl),
            ("moves_left", |outputs| &mut outputs.moves_left),
        ];
        for (name, part) in parts {
            for i in 0..part(&mut outputs()).len() {
                let moved = |by: f32| {
                    let mut outputs = outputs();
                    part(&mut outputs)[i] += by;
                    total(&outputs)
                };
                let difference = (moved(1e-2) - moved(-1e-2)) / 2e-2;
                let found = f64::from(part(&mut gradient.clone())[i]);
                assert!((found - difference).abs() < 1e-4, "{name} {i}: {found} {difference}");
            }
        }
    }

    #[test]
    fn losses_of_a_known_case() {
        let target = [0.0, 0.0].map(|_| MoveWeight { index: 0, weight: 0.5 }).to_vec();
        let sample = Sample { policy: target, wdl: Wdl::WIN, ..Sample::default() };
        let outputs =
            Outputs { policy: vec![0.0; 2], reply: Vec::new(), wdl: vec![0.0; 3], moves_left: vec![0.0] };
        let batch = [sample];
        let (found, gradient) = losses(&batch, &outputs, &Scales::new(&batch), &LossWeights::default());
        // They are taken in f32.
        assert!((found.policy - 2f64.ln()).abs() < 1e-6);
        assert!((found.policy_target_entropy - 2f64.ln()).abs() < 1e-6);
        assert!((found.value - 3f64.ln()).abs() < 1e-6);
        assert_eq!(found.value_target, [1.0, 0.0, 0.0]);
        assert!((found.value_bias + 1.0).abs() < 1e-6 && (found.value_square_error - 1.0).abs() < 1e-6);
        assert_eq!((found.reply, found.moves_left), (0.0, 0.0));
        assert_eq!(gradient.policy, [0.0; 2]);
        assert_eq!(gradient.moves_left, [0.0]);
    }
}
