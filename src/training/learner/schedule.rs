//! The learning rate over a run.

use serde::{Deserialize, Serialize};

use crate::base::maths::cos;

/// A warm-up, a steady part, then half a cosine down to the end of the run's budget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Schedule {
    /// The highest learning rate.
    pub peak: f32,
    /// Steps from zero to the peak.
    pub warmup_steps: u64,
    /// The share of the budget after which the rate falls, in `0.0..=1.0`: 0 from the start, 1 never.
    #[serde(skip_serializing_if = "is_zero")]
    pub decay_from: f32,
    /// The learning rate at the end of the run, as a fraction of the peak.
    pub last_fraction: f32,
}

fn is_zero(share: &f32) -> bool {
    *share == 0.0
}

impl Default for Schedule {
    /// Untuned.
    fn default() -> Self {
        Schedule { peak: 2e-3, warmup_steps: 50, decay_from: 0.0, last_fraction: 0.1 }
    }
}

impl Schedule {
    /// The learning rate of a step after one of rate `last`, 0 before the first; `progress` through the run's budget
    /// in `0.0..=1.0`. It never rises faster than in the warm-up, also where a larger budget has moved the decay away.
    pub fn rate(&self, last: f32, progress: f32) -> f32 {
        let decayed = match 1.0 - self.decay_from {
            0.0 => 0.0,
            decay => ((progress - self.decay_from) / decay).clamp(0.0, 1.0),
        };
        let cosine = 0.5 + 0.5 * cos(std::f32::consts::PI * decayed);
        let wanted = self.peak * (self.last_fraction + (1.0 - self.last_fraction) * cosine);
        wanted.min(last + self.peak / self.warmup_steps.max(1) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(rates: &[f32], expected: &[f32]) {
        assert_eq!(rates.len(), expected.len());
        for (rate, expected) in rates.iter().zip(expected) {
            assert!((rate - expected).abs() < 1e-6, "{rates:?}");
        }
    }

    #[test]
    fn warms_up_and_decays() {
        let schedule = Schedule { peak: 1.0, warmup_steps: 10, last_fraction: 0.2, ..Schedule::default() };
        let pairs = [(0.0, 0.0), (0.4, 0.0), (0.9, 0.0), (1.0, 0.5), (1.0, 1.0), (1.0, 2.0)];
        let rates = pairs.map(|(last, progress)| schedule.rate(last, progress));
        assert_near(&rates, &[0.1, 0.5, 1.0, 0.6, 0.2, 0.2]);
    }

    #[test]
    fn stays_at_its_peak_until_the_decay() {
        let schedule = Schedule { peak: 2.0, warmup_steps: 1, decay_from: 0.5, last_fraction: 0.0 };
        let rates = [0.0, 0.3, 0.5, 0.75, 1.0].map(|progress| schedule.rate(2.0, progress));
        assert_near(&rates, &[2.0, 2.0, 2.0, 1.0, 0.0]);
        let never = Schedule { decay_from: 1.0, ..schedule };
        assert_near(&[never.rate(2.0, 0.999), never.rate(2.0, 1.0)], &[2.0, 2.0]);
    }

    #[test]
    fn never_rises_faster_than_in_the_warm_up() {
        let schedule = Schedule { peak: 1.0, warmup_steps: 4, last_fraction: 0.1, ..Schedule::default() };
        let mut last = schedule.rate(1.0, 1.0);
        assert_near(&[last], &[0.1]);
        // Half of a doubled budget is left.
        let rates = [0.5; 4].map(|progress| {
            last = schedule.rate(last, progress);
            last
        });
        assert_near(&rates, &[0.35, 0.55, 0.55, 0.55]);
    }
}
