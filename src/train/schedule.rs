//! The learning rate over a run.

use serde::{Deserialize, Serialize};

/// A linear warm-up, then half a cosine over the run's progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Schedule {
    /// The highest learning rate.
    pub peak: f32,
    /// Steps from zero to the peak.
    pub warmup_steps: u64,
    /// The learning rate at the end of the run, as a fraction of the peak.
    pub last_fraction: f32,
}

impl Default for Schedule {
    /// Untuned.
    fn default() -> Self {
        Schedule { peak: 2e-3, warmup_steps: 50, last_fraction: 0.1 }
    }
}

impl Schedule {
    /// The learning rate of the step after `steps` others; `progress` through the run's budget in `0.0..=1.0`.
    pub fn rate(&self, steps: u64, progress: f32) -> f32 {
        let warmup = ((steps + 1) as f32 / self.warmup_steps.max(1) as f32).min(1.0);
        let cosine = 0.5 + 0.5 * (std::f32::consts::PI * progress.clamp(0.0, 1.0)).cos();
        self.peak * warmup * (self.last_fraction + (1.0 - self.last_fraction) * cosine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warms_up_and_decays() {
        let schedule = Schedule { peak: 1.0, warmup_steps: 10, last_fraction: 0.2 };
        let rates = [(0, 0.0), (4, 0.0), (9, 0.0), (100, 0.5), (100, 1.0), (100, 2.0)]
            .map(|(steps, progress)| schedule.rate(steps, progress));
        for (rate, expected) in rates.into_iter().zip([0.1, 0.5, 1.0, 0.6, 0.2, 0.2]) {
            assert!((rate - expected).abs() < 1e-6, "{rate} {expected}");
        }
    }
}
