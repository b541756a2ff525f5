//! Probabilities from logits.

use super::config::Priors;

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
        self.0.extend(logits.iter().map(|logit| exp((logit - top) * sharpness)));
        let total: f32 = self.0.iter().sum();
        let (scale, even) =
            ((1.0 - priors.uniform_share) / total, priors.uniform_share / logits.len() as f32);
        self.0.iter_mut().for_each(|probability| *probability = *probability * scale + even);
        &self.0
    }
}

/// `e` to the power of `x`, which is not positive, to a few units in the last place. Of additions and multiplications
/// alone: the compiler takes several numbers at a time, and the bits are the same on every machine.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    /// Below this the result is no normal number; it counts as the smallest one.
    const LEAST: f32 = -87.0;
    /// 1.5 * 2^23: a small number added to it is rounded to a whole one, which its last bits are.
    const TO_WHOLE: f32 = 12_582_912.0;
    // The natural logarithm of 2 in two parts; whole numbers times the first are exact.
    const LN_2: [f32; 2] = [355.0 / 512.0, -2.121_944_4e-4];
    // x = whole * ln 2 + rest, and e^rest by Taylor's series: its next term is below 2^-25 for half of ln 2.
    let x = x.max(LEAST);
    let shifted = x * std::f32::consts::LOG2_E + TO_WHOLE;
    let whole = shifted - TO_WHOLE;
    let rest = x - whole * LN_2[0] - whole * LN_2[1];
    let series = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let power = series.into_iter().fold(0.0, |sum, factor| sum * rest + factor);
    let exponent = shifted.to_bits().wrapping_sub(TO_WHOLE.to_bits()).wrapping_add(127);
    power * f32::from_bits(exponent << 23)
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

    #[test]
    fn powers_are_those_of_the_standard_library() {
        for i in 0..=870_000 {
            let x = -1e-4 * i as f32;
            let (found, expected) = (exp(x), x.exp());
            assert!((found - expected).abs() <= 4e-7 * expected, "e^{x}: {found} for {expected}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert!([-1e3, f32::NEG_INFINITY].iter().all(|&x| exp(x) < 1e-37 && exp(x) >= 0.0));
    }
}
