//! Whether the games of a pair go the same way.

use super::{Tally, pairs::SCORES};

/// The spread of pairs around the scores that a fit expects, against the spread that the fit's own likelihood
/// assumes: games that are won or lost independently of each other.
///
/// The ratio of both is the dispersion of a quasi-likelihood (McCullagh and Nelder, Generalized Linear Models,
/// 2nd edition, section 9.2.4). Draws make it smaller than one, and so do openings that decide their games;
/// pairs whose games go the same way bring it up to two.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spread {
    /// Sum of the squared residuals of the pairs.
    seen: f64,
    /// What that sum is expected to be for independent wins and losses.
    assumed: f64,
}

impl Spread {
    /// The variance of an even pair's score when its games are won or lost independently.
    const EVEN: f64 = 1.0 / 8.0;

    /// That of the pairs in `tally` around the score `expected`; `fitted` is the number of parameters that these
    /// pairs determined, by which the residuals are too small.
    pub fn of(tally: &Tally, expected: f64, fitted: f64) -> Spread {
        let pairs = f64::from(tally.pairs());
        let squares = tally
            .pentanomial
            .iter()
            .zip(SCORES)
            .map(|(&n, score)| f64::from(n) * (score - expected) * (score - expected));
        Spread { seen: squares.sum(), assumed: (pairs - fitted).max(0.0) * expected * (1.0 - expected) / 2.0 }
    }

    /// The dispersion, drawn to `prior` as if that had been seen in `pairs` even pairs. Few pairs, or pairs
    /// that were all won, say little of their spread.
    pub fn dispersion(&self, prior: f64, pairs: f64) -> f64 {
        let weight = pairs * Self::EVEN;
        (self.seen + prior * weight) / (self.assumed + weight)
    }
}

impl std::ops::AddAssign for Spread {
    fn add_assign(&mut self, other: Spread) {
        self.seen += other.seen;
        self.assumed += other.assumed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dispersion(pentanomial: [u32; 5]) -> f64 {
        let tally = Tally { pentanomial, ..Tally::default() };
        Spread::of(&tally, 0.5, 0.0).dispersion(1.0, 2.0)
    }

    #[test]
    fn dispersion_of_known_pairs() {
        // Independent wins and losses of equals: a quarter, a half, a quarter.
        assert!((dispersion([250, 0, 500, 0, 250]) - 1.0).abs() < 1e-12);
        // Both games of a pair go the same way: 1000 / 4 over 1000 / 8, but for the prior.
        assert!((dispersion([500, 0, 0, 0, 500]) - 2.0).abs() < 0.01);
        // Every opening decides its game.
        assert!(dispersion([0, 0, 1000, 0, 0]) < 0.01);
        // Nothing seen: the prior.
        assert_eq!(dispersion([0; 5]), 1.0);
    }

    #[test]
    fn a_fitted_parameter_costs_a_pair() {
        let tally = Tally { pentanomial: [1, 0, 1, 0, 1], ..Tally::default() };
        // Squares 1/4 + 1/4, over (3 - 1) / 8, and no prior.
        assert!((Spread::of(&tally, 0.5, 1.0).dispersion(1.0, 0.0) - 2.0).abs() < 1e-12);
    }
}
