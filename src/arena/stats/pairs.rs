//! How the scores of pairs are spread.

/// The mean score of a pair's two games, by the index in a pentanomial.
pub const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The scores of the pairs as a distribution. A count of zero is taken as 0.001, as in fishtest, so that every
/// outcome stays possible.
#[derive(Clone, Copy, Debug)]
pub struct Distribution {
    /// Number of pairs, with what was added for the zeros.
    pub pairs: f64,
    /// Share of the pairs with each score.
    pub shares: [f64; 5],
}

impl Distribution {
    /// That of a pentanomial.
    pub fn of(pentanomial: &[u32; 5]) -> Distribution {
        let counts = pentanomial.map(|n| f64::from(n).max(1e-3));
        let pairs: f64 = counts.iter().sum();
        Distribution { pairs, shares: counts.map(|n| n / pairs) }
    }

    /// The mean of `value` over the scores.
    pub fn mean_of(&self, value: impl Fn(f64) -> f64) -> f64 {
        self.shares.iter().zip(SCORES).map(|(share, score)| share * value(score)).sum()
    }
}
