//! Probabilities from logits.

use super::config::Priors;
use crate::base::maths::exp_of_negative;

/// A buffer for probabilities: reused from one call to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Softmax(Vec<f32>);

impl Softmax {
    /// The softmax of `logits` over the temperature of `priors`, mixed with the uniform distribution as that says.
    #[inline]
    pub fn of(&mut self, logits: &[f32], priors: Priors) -> &[f32] {
        let top = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sharpness = 1.0 / priors.temperature;
        self.0.clear();
        self.0.extend(logits.iter().map(|logit| exp_of_negative((logit - top) * sharpness)));
        let total: f32 = self.0.iter().sum();
        let (scale, even) =
            ((1.0 - priors.uniform_share) / total, priors.uniform_share / logits.len() as f32);
        self.0.iter_mut().for_each(|probability| *probability = *probability * scale + even);
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temperature_and_even_share_by_hand() {
        let mut softmax = Softmax::default();
        let logits = [4.0f32.ln(), 0.0];
        let close = |a: &[f32], b: [f32; 2]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(close(softmax.of(&logits, Priors::PLAIN), [0.8, 0.2]));
        let half = Priors { temperature: 2.0, uniform_share: 0.0 };
        assert!(close(softmax.of(&logits, half), [2.0 / 3.0, 1.0 / 3.0]));
        let mixed = Priors { temperature: 1.0, uniform_share: 0.5 };
        assert!(close(softmax.of(&logits, mixed), [0.65, 0.35]));
    }
}
