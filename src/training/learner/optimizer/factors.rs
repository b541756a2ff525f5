//! What a step, or several without a gradient, make of a row's numbers.

use super::{AdamWConfig, Stride, rows::Row};
use crate::base::maths::pow;

/// What a step multiplies with.
#[derive(Clone, Copy, Debug)]
pub struct Factors {
    betas: [f32; 2],
    scale: f32,
    rate: f32,
    /// `1 / (1 - beta^step)` of both moments.
    unbias: [f32; 2],
    epsilon: f32,
    /// The rate times the weight decay, for tensors that decay.
    decay: f32,
    average_decay: f32,
}

impl Factors {
    /// Of the `step`-th step, counted from one.
    pub fn new(config: &AdamWConfig, step: u64, stride: &Stride) -> Self {
        // In f64: 1 - beta^step loses all digits in f32 when beta is close to one.
        let unbias = |beta: f32| (1.0 - pow(f64::from(beta), step as f64)).recip() as f32;
        Factors {
            betas: [config.beta1, config.beta2],
            scale: stride.scale,
            rate: stride.rate,
            unbias: [unbias(config.beta1), unbias(config.beta2)],
            epsilon: config.epsilon,
            decay: stride.rate * config.weight_decay,
            average_decay: stride.average_decay,
        }
    }

    /// One step of a row. Whether all its new weights are finite.
    pub fn step(&self, decays: bool, gradient: &[f32], mut row: Row<'_>) -> bool {
        let Factors { betas: [beta1, beta2], scale, rate, unbias, epsilon, decay, average_decay } = *self;
        let [unbias1, unbias2] = unbias;
        let decay = if decays { decay } else { 0.0 };
        let Row { weights, average, mean, square } = row.cut(gradient.len());
        let mut largest = 0;
        for i in 0..gradient.len() {
            let g = scale * gradient[i];
            let m = mean[i] + (1.0 - beta1) * (g - mean[i]);
            let v = square[i] + (1.0 - beta2) * (g * g - square[i]);
            let w = weights[i] - decay * weights[i] - rate * (m * unbias1) / ((v * unbias2).sqrt() + epsilon);
            (mean[i], square[i], weights[i]) = (m, v, w);
            average[i] += (1.0 - average_decay) * (w - average[i]);
            // As an integer: the compiler takes many at once.
            largest = largest.max(w.to_bits() & !(1 << 31));
        }
        largest < f32::INFINITY.to_bits()
    }
}

/// Factors that make up for steps without a gradient.
#[derive(Clone, Copy, Debug)]
pub struct CatchUp {
    mean: f32,
    square: f32,
    /// `e`, as above.
    epsilon: f32,
    /// `w` is `weight[0] * w - weight[1] * u`, without decay and with.
    weight: [[f32; 2]; 2],
    /// `a` is `average[0] * a + average[1] * w - average[2] * u`, of the old `w`.
    average: [[f32; 3]; 2],
}

impl CatchUp {
    /// For the steps in `past`, the last of all steps so far, of which there are `steps`: for none of them, the last,
    /// the last two, and so on.
    pub fn all(config: &AdamWConfig, steps: u64, past: &[Factors]) -> Vec<CatchUp> {
        let [beta1, beta2] = [config.beta1, config.beta2].map(f64::from);
        let fade = beta1 / beta2.sqrt();
        let unbias = |beta: f64, step: u64| 1.0 - pow(beta, step as f64);
        let (mut mean, mut square) = (1.0, 1.0);
        let (mut weight, mut average) = ([[1.0, 0.0]; 2], [[1.0, 0.0, 0.0]; 2]);
        let mut all = vec![Self::of(config, mean, square, 1.0, &weight, &average)];
        for (step, factors) in (1..=steps).rev().zip(past.iter().rev()) {
            mean *= beta1;
            square *= beta2;
            let root = unbias(beta2, step).sqrt();
            let rate = f64::from(factors.rate) * root / unbias(beta1, step);
            let follow = 1.0 - f64::from(factors.average_decay);
            for (decays, (weight, average)) in weight.iter_mut().zip(&mut average).enumerate() {
                let shrink = if decays == 1 { 1.0 - f64::from(factors.decay) } else { 1.0 };
                // The steps known so far, behind this one.
                let ([w, u], [a, a_w, a_u]) = (*weight, *average);
                *weight = [w * shrink, fade * (w * rate + u)];
                let by_weight = a_w + a * follow;
                *average = [a * (1.0 - follow), by_weight * shrink, fade * (by_weight * rate + a_u)];
            }
            all.push(Self::of(config, mean, square, root, &weight, &average));
        }
        all
    }

    fn of(
        config: &AdamWConfig,
        mean: f64,
        square: f64,
        root: f64,
        weight: &[[f64; 2]; 2],
        average: &[[f64; 3]; 2],
    ) -> Self {
        CatchUp {
            mean: mean as f32,
            square: square as f32,
            epsilon: (f64::from(config.epsilon) * root) as f32,
            weight: weight.map(|factors| factors.map(|x| x as f32)),
            average: average.map(|factors| factors.map(|x| x as f32)),
        }
    }

    /// Makes a row's weights those of now.
    pub fn weights(&self, decays: bool, weights: &mut [f32], mean: &[f32], square: &[f32]) {
        let [of_w, of_u] = self.weight[usize::from(decays)];
        let (mean, square) = (&mean[..weights.len()], &square[..weights.len()]);
        for i in 0..weights.len() {
            let u = mean[i] / (square[i].sqrt() + self.epsilon);
            weights[i] = of_w * weights[i] - of_u * u;
        }
    }

    /// Makes all of a row that of now.
    pub fn all_of(&self, decays: bool, mut row: Row<'_>) {
        let ([of_w, of_u], [of_a, a_of_w, a_of_u]) =
            (self.weight[usize::from(decays)], self.average[usize::from(decays)]);
        let len = row.weights.len();
        let Row { weights, average, mean, square } = row.cut(len);
        for i in 0..len {
            let (w, m, v) = (weights[i], mean[i], square[i]);
            let u = m / (v.sqrt() + self.epsilon);
            average[i] = of_a * average[i] + a_of_w * w - a_of_u * u;
            weights[i] = of_w * w - of_u * u;
            (mean[i], square[i]) = (self.mean * m, self.square * v);
        }
    }
}
