//! AdamW on flat vectors: its whole state is two vectors and a step count, saved and restored exactly.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Decoupled weight decay (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019, algorithm 2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdamWConfig {
    /// Decay of the mean of the gradient, in `0.0..1.0`.
    pub beta1: f32,
    /// Decay of the mean of its square, in `0.0..1.0`.
    pub beta2: f32,
    /// Added to the root of the mean square.
    pub epsilon: f32,
    /// Shrinks weights by this fraction of the learning rate a step; gains and biases do not decay.
    pub weight_decay: f32,
}

impl Default for AdamWConfig {
    /// Untuned.
    fn default() -> Self {
        AdamWConfig { beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weight_decay: 0.01 }
    }
}

/// What a step changes: weights, and the moments of their gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Trained {
    /// Weights.
    pub weights: Vec<f32>,
    /// Mean of the gradient.
    pub mean: Vec<f32>,
    /// Mean of its square.
    pub square: Vec<f32>,
}

/// Numbers that one thread takes at a time.
const CHUNK: usize = 1 << 14;

impl Trained {
    /// Before the first step.
    pub fn new(weights: Vec<f32>) -> Self {
        let zeros = vec![0.0; weights.len()];
        Trained { weights, mean: zeros.clone(), square: zeros }
    }

    /// One step, the `step`-th counted from one, written to `next`; all are of one length. Where `decays` is false a
    /// weight does not decay. On all threads of the pool; the result does not depend on how many there are.
    pub fn step(
        &self,
        config: &AdamWConfig,
        step: u64,
        learning_rate: f32,
        gradient: &[f32],
        decays: &[bool],
        next: &mut Trained,
    ) {
        let AdamWConfig { beta1, beta2, epsilon, weight_decay } = *config;
        // In f64: 1 - beta^step loses all digits in f32 when beta is close to one.
        let unbias = |beta: f32| (1.0 - f64::from(beta).powf(step as f64)) as f32;
        let (unbias1, unbias2) = (unbias(beta1), unbias(beta2));
        fn chunks(values: &[f32]) -> rayon::slice::Chunks<'_, f32> {
            values.par_chunks(CHUNK)
        }
        let now = chunks(&self.weights).zip(chunks(&self.mean)).zip(chunks(&self.square));
        let given = chunks(gradient).zip(decays.par_chunks(CHUNK));
        let Trained { weights, mean, square } = next;
        let next =
            weights.par_chunks_mut(CHUNK).zip(mean.par_chunks_mut(CHUNK)).zip(square.par_chunks_mut(CHUNK));
        next.zip(now).zip(given).for_each(|((((weights, means), squares), now), (gradient, decays))| {
            let ((old_weights, old_means), old_squares) = now;
            for i in 0..gradient.len() {
                let g = gradient[i];
                let mean = old_means[i] + (1.0 - beta1) * (g - old_means[i]);
                let square = old_squares[i] + (1.0 - beta2) * (g * g - old_squares[i]);
                let adam = (mean / unbias1) / ((square / unbias2).sqrt() + epsilon);
                let decay = if decays[i] { weight_decay * old_weights[i] } else { 0.0 };
                (means[i], squares[i]) = (mean, square);
                weights[i] = old_weights[i] - learning_rate * (adam + decay);
            }
        });
    }
}

/// Euclidean length, summed in f64, in an order that does not depend on the number of threads.
pub fn norm(values: &[f32]) -> f64 {
    let squares = |chunk: &[f32]| chunk.iter().map(|&value| f64::from(value).powi(2)).sum::<f64>();
    let sums: Vec<f64> = values.par_chunks(CHUNK).map(squares).collect();
    sums.iter().sum::<f64>().sqrt()
}

/// The sum of `parts`, which are of one length, in their order.
pub fn sum(parts: &[&[f32]]) -> Vec<f32> {
    let mut sum = parts[0].to_vec();
    sum.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, sums)| {
        for part in &parts[1..] {
            let part = &part[chunk * CHUNK..][..sums.len()];
            sums.iter_mut().zip(part).for_each(|(sum, value)| *sum += value);
        }
    });
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_steps_by_hand() {
        // The first step has mean/unbias = g and sqrt(square/unbias) = |g|: a step of the learning rate.
        let config = AdamWConfig { weight_decay: 0.5, ..AdamWConfig::default() };
        let start = Trained::new(vec![1.0, 1.0, 1.0]);
        let (mut first, mut second) = (start.clone(), start.clone());
        start.step(&config, 1, 0.1, &[2.0, -3.0, 0.0], &[false, true, true], &mut first);
        for (&weight, expected) in first.weights.iter().zip([0.9, 1.05, 0.95]) {
            assert!((weight - expected).abs() < 1e-6, "{weight} {expected}");
        }
        // The second with g = 0: mean .9 * .2 / (1 - .81), square .99 * .04 / (1 - .9801).
        first.step(&config, 2, 0.1, &[0.0; 3], &[false; 3], &mut second);
        let expected = first.weights[0] - 0.1 * (0.18 / 0.19) / (0.0396f32 / 0.0199).sqrt();
        assert!((second.weights[0] - expected).abs() < 1e-5, "{} {expected}", second.weights[0]);
    }

    #[test]
    fn finds_the_minimum_of_a_parabola() {
        let config = AdamWConfig { weight_decay: 0.0, ..AdamWConfig::default() };
        let mut now = Trained::new(vec![5.0, -3.0]);
        let mut next = now.clone();
        for step in 1..=2000 {
            let gradient = [2.0 * (now.weights[0] - 1.0), 20.0 * (now.weights[1] - 2.0)];
            now.step(&config, step, 0.01, &gradient, &[true; 2], &mut next);
            std::mem::swap(&mut now, &mut next);
        }
        let weights = &now.weights;
        assert!((weights[0] - 1.0).abs() < 1e-2 && (weights[1] - 2.0).abs() < 1e-2, "{weights:?}");
    }

    #[test]
    fn long_vectors_are_added_and_measured_whole() {
        let part = |scale: f32| (0..3 * CHUNK + 5).map(|i| scale * (i % 7) as f32).collect::<Vec<f32>>();
        let (a, b) = (part(1.0), part(2.0));
        assert_eq!(sum(&[&a, &b]), part(3.0));
        let expected = a.iter().map(|&x| f64::from(x * x)).sum::<f64>().sqrt();
        assert!((norm(&a) - expected).abs() < 1e-6 * expected, "{} {expected}", norm(&a));
    }
}
