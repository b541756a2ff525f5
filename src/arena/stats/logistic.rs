//! The logistic curve between a difference in Elo and the score that it lets expect.

use std::f64::consts::LN_10;

use crate::base::maths::{exp, ln_1p, log10};

/// Elo in one unit of the log odds.
pub const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// The share of the points expected at log odds of `logit`.
pub fn sigmoid(logit: f64) -> f64 {
    1.0 / (1.0 + exp(-logit))
}

/// The share of the points that a player expects who is `elo` stronger.
pub fn expected_score(elo: f64) -> f64 {
    sigmoid(elo / ELO_PER_LOGIT)
}

/// The largest difference in Elo that a score gives: beyond it, scores do not tell differences apart.
pub const MOST_ELO: f64 = 1199.8;

/// The difference in Elo at which `score` is expected. As in fishtest, scores are held within 0.001 of 0 and 1,
/// so that the result stays within [`MOST_ELO`].
pub fn elo(score: f64) -> f64 {
    let score = score.clamp(0.001, 0.999);
    (400.0 * log10(score / (1.0 - score))).clamp(-MOST_ELO, MOST_ELO)
}

/// The log likelihood of a share `score` of the points in one game, at log odds of `logit`.
///
/// A win counts ln p and a loss ln(1 - p); a draw is half of each.
pub fn log_likelihood(score: f64, logit: f64) -> f64 {
    // ln(1 - p) = -ln(1 + e^logit), in a form that does not overflow.
    let ln_loss = -(logit.max(0.0) + ln_1p(exp(-logit.abs())));
    score * logit + ln_loss
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_hundred_elo_are_ten_to_one() {
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert!((elo(10.0 / 11.0) - 400.0).abs() < 1e-9);
    }

    #[test]
    fn likelihood_is_that_of_the_points() {
        let p = sigmoid(0.7);
        assert!((log_likelihood(1.0, 0.7) - p.ln()).abs() < 1e-12);
        assert!((log_likelihood(0.25, 0.7) - (0.25 * p.ln() + 0.75 * (1.0 - p).ln())).abs() < 1e-12);
        assert_eq!(log_likelihood(0.0, 1000.0), -1000.0);
        assert_eq!(log_likelihood(1.0, -1000.0), -1000.0);
    }
}
