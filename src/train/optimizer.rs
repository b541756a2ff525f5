//! AdamW on flat vectors: its whole state is two vectors and a step count, saved and restored exactly.

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

/// The moments of the gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    /// Mean.
    pub mean: Vec<f32>,
    /// Mean of the square.
    pub square: Vec<f32>,
}

impl Moments {
    /// Before the first step.
    pub fn new(len: usize) -> Self {
        Moments { mean: vec![0.0; len], square: vec![0.0; len] }
    }

    /// One step, the `step`-th counted from one. Where `decays` is false a weight does not decay.
    pub fn update(
        &mut self,
        config: &AdamWConfig,
        step: u64,
        learning_rate: f32,
        gradient: &[f32],
        decays: &[bool],
        weights: &mut [f32],
    ) {
        let AdamWConfig { beta1, beta2, epsilon, weight_decay } = *config;
        // In f64: 1 - beta^step loses all digits in f32 when beta is close to one.
        let unbias = |beta: f32| (1.0 - f64::from(beta).powf(step as f64)) as f32;
        let (unbias1, unbias2) = (unbias(beta1), unbias(beta2));
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for (((weight, &g), &decays), (mean, square)) in
            weights.iter_mut().zip(gradient).zip(decays).zip(moments)
        {
            *mean += (1.0 - beta1) * (g - *mean);
            *square += (1.0 - beta2) * (g * g - *square);
            let adam = (*mean / unbias1) / ((*square / unbias2).sqrt() + epsilon);
            let decay = if decays { weight_decay * *weight } else { 0.0 };
            *weight -= learning_rate * (adam + decay);
        }
    }
}

/// Euclidean length, summed in f64 in order.
pub fn norm(values: &[f32]) -> f64 {
    values.iter().map(|&value| f64::from(value).powi(2)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_steps_by_hand() {
        // The first step has mean/unbias = g and sqrt(square/unbias) = |g|: a step of the learning rate.
        let config = AdamWConfig { weight_decay: 0.5, ..AdamWConfig::default() };
        let mut moments = Moments::new(3);
        let mut weights = [1.0, 1.0, 1.0];
        moments.update(&config, 1, 0.1, &[2.0, -3.0, 0.0], &[false, true, true], &mut weights);
        for (weight, expected) in weights.into_iter().zip([0.9, 1.05, 0.95]) {
            assert!((weight - expected).abs() < 1e-6, "{weight} {expected}");
        }
        // The second with g = 0: mean .9 * .2 / (1 - .81), square .99 * .04 / (1 - .9801).
        let before = weights[0];
        moments.update(&config, 2, 0.1, &[0.0; 3], &[false; 3], &mut weights);
        let expected = before - 0.1 * (0.18 / 0.19) / (0.0396f32 / 0.0199).sqrt();
        assert!((weights[0] - expected).abs() < 1e-5, "{} {expected}", weights[0]);
    }

    #[test]
    fn finds_the_minimum_of_a_parabola() {
        let config = AdamWConfig { weight_decay: 0.0, ..AdamWConfig::default() };
        let mut moments = Moments::new(2);
        let mut weights = [5.0, -3.0];
        for step in 1..=2000 {
            let gradient = [2.0 * (weights[0] - 1.0), 20.0 * (weights[1] - 2.0)];
            moments.update(&config, step, 0.01, &gradient, &[true; 2], &mut weights);
        }
        assert!((weights[0] - 1.0).abs() < 1e-2 && (weights[1] - 2.0).abs() < 1e-2, "{weights:?}");
    }
}
