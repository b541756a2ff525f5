//! The sequential test of one difference in Elo against another.

use std::{fmt, str::FromStr};

use serde::Serialize;
use thiserror::Error;

use super::{
    logistic::expected_score,
    pairs::{Distribution, SCORES},
    root::root_of_decreasing,
};
use crate::base::maths::{ln, ln_1p};

/// The largest difference in Elo that a test is about.
const MAX_ELO: f64 = 1000.0;

/// A generalised sequential probability ratio test over pairs of games, with the formulas of fishtest (Van den
/// Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution"): no model of
/// draws and none of the openings, only the mean of the pairs' scores is tested.
///
/// Wald's bounds are used as they stand, without fishtest's correction for the overshoot: simulated, 4 to 6% of
/// the tests err where 5% are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// The difference under the null hypothesis, in logistic Elo within 1000 of zero.
    pub elo0: f64,
    /// The difference under the alternative, larger than `elo0` and within 1000 of zero.
    pub elo1: f64,
    /// Chance of accepting the alternative when the null hypothesis holds, in `0.0..0.5`.
    pub alpha: f64,
    /// Chance of accepting the null hypothesis when the alternative holds, in `0.0..0.5`.
    pub beta: f64,
}

/// What a test decides for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Hypothesis {
    /// The difference is `elo0`: the change is no good.
    H0,
    /// The difference is `elo1`: the change is good.
    H1,
}

impl Sprt {
    /// The test of `elo0` against `elo1` with 5% of errors of either kind.
    pub fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// The log likelihood ratios at and beyond which the null hypothesis (the lower one) or the alternative (the
    /// upper one) is accepted, after Wald.
    pub fn bounds(&self) -> (f64, f64) {
        (ln(self.beta / (1.0 - self.alpha)), ln((1.0 - self.beta) / self.alpha))
    }

    /// The log of the ratio between the likelihood of these pairs under the alternative and under the null
    /// hypothesis, each at the most likely distribution of the five outcomes that has the hypothesis' mean.
    pub fn llr(&self, pentanomial: &[u32; 5]) -> f64 {
        let pairs = Distribution::of(pentanomial);
        pairs.pairs
            * (log_cost(&pairs, expected_score(self.elo0)) - log_cost(&pairs, expected_score(self.elo1)))
    }

    /// The decision after these pairs; `None` asks for more.
    pub fn verdict(&self, pentanomial: &[u32; 5]) -> Option<Hypothesis> {
        let llr = self.llr(pentanomial);
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Some(Hypothesis::H1)
        } else if llr <= lower {
            Some(Hypothesis::H0)
        } else {
            None
        }
    }
}

/// How much log likelihood a pair loses, on average, when the observed distribution gives way to the most likely
/// one whose mean is `mean`.
///
/// That one has the shares p / (1 + x (score - mean)), where x makes the mean come out: the root of
/// sum p (score - mean) / (1 + x (score - mean)), which decreases between its two poles.
fn log_cost(pairs: &Distribution, mean: f64) -> f64 {
    let x = root_of_decreasing(-1.0 / (1.0 - mean), 1.0 / mean, |x| {
        let (mut value, mut slope) = (0.0, 0.0);
        for (share, score) in pairs.shares.iter().zip(SCORES) {
            let term = (score - mean) / (1.0 + x * (score - mean));
            value += share * term;
            slope -= share * term * term;
        }
        (value, slope)
    });
    pairs.mean_of(|score| ln_1p(x * (score - mean)))
}

impl fmt::Display for Sprt {
    /// The two differences, as they are read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.elo0, self.elo1)
    }
}

/// Bounds of a test that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("SPRT bounds {text:?}: {problem}")]
pub struct ParseSprtError {
    text: String,
    problem: &'static str,
}

impl FromStr for Sprt {
    type Err = ParseSprtError;

    /// Reads `elo0,elo1`, as in `0,10`.
    fn from_str(text: &str) -> Result<Sprt, ParseSprtError> {
        let error = |problem| ParseSprtError { text: text.to_owned(), problem };
        let number = |part: &str| part.trim().parse::<f64>().ok();
        let bounds = text.split_once(',').and_then(|(elo0, elo1)| Some((number(elo0)?, number(elo1)?)));
        let (elo0, elo1) = bounds.ok_or_else(|| error("expected two numbers elo0,elo1, as in 0,10"))?;
        if !(elo0.abs() <= MAX_ELO && elo1.abs() <= MAX_ELO) {
            return Err(error("both must lie within 1000 Elo of zero"));
        }
        if elo0 >= elo1 {
            return Err(error("elo0 must be less than elo1"));
        }
        Ok(Sprt::new(elo0, elo1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_of_wald() {
        // ln(0.05 / 0.95) and ln(0.95 / 0.05): ln 19.
        let (lower, upper) = Sprt::new(0.0, 5.0).bounds();
        assert!((lower + 2.944_439).abs() < 1e-6 && (upper - 2.944_439).abs() < 1e-6);
        // An error of the first kind is made at the upper bound.
        let (lower, upper) = Sprt { alpha: 0.1, beta: 0.02, ..Sprt::new(0.0, 5.0) }.bounds();
        assert!((lower - (0.02f64 / 0.9).ln()).abs() < 1e-12 && (upper - 9.8f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn agrees_with_recorded_tests() {
        // Tests of Stockfish patches from 2020 and 2021, when the bounds were in logistic Elo, as published with
        // their LLR in official-stockfish/Stockfish pull requests 2920, 2971, 3098, 3209 and 3331.
        for (elo0, elo1, pentanomial, published) in [
            (-0.5, 1.5, [665, 4806, 9333, 4893, 747], 2.95),
            (0.25, 1.75, [328, 4564, 15580, 4789, 371], 2.98),
            (-0.5, 1.5, [17, 253, 1042, 337, 39], 2.96),
            (0.25, 1.75, [11, 407, 3238, 513, 11], 2.93),
            (-0.25, 1.25, [491, 7345, 29693, 7670, 465], 2.96),
            (-0.25, 1.25, [253, 4282, 17604, 4431, 286], 2.94),
            (0.25, 1.25, [58, 3302, 33130, 3518, 84], 2.97),
            (0.25, 1.25, [14, 1030, 14318, 1163, 19], 2.93),
        ] {
            let llr = Sprt::new(elo0, elo1).llr(&pentanomial);
            assert!((llr - published).abs() < 0.0051, "{pentanomial:?}: {llr}");
        }
    }

    #[test]
    fn worked_by_hand() {
        // Symmetric counts against 0 and 20 Elo. Under H0 the counts themselves are the most likely, x0 = 0. Under
        // H1 the mean is s = 1 / (1 + 10^-0.05) = 0.528751. To first order x = (0.5 - s) / V, where V is the mean
        // square about s: 0.075 + 0.028751^2 = 0.075827, so x = -0.3792, and a step of Newton's on the sum of
        // p a / (1 + x a) over a = score - s leads to x = -0.381279:
        //   a           -0.528751  -0.278751  -0.028751   0.221249   0.471249
        //   1 + x a      1.201602   1.106282   1.010962   0.915642   0.820322
        //   p a / (..)  -0.044004  -0.050394  -0.011376   0.048327   0.057447    together 0
        //   ln(1 + x a)  0.183655   0.101005   0.010902  -0.088130  -0.198058
        // LLR = -100 (0.1 * 0.183655 + 0.2 * 0.101005 + 0.4 * 0.010902 - 0.2 * 0.088130 - 0.1 * 0.198058)
        //     = -0.54956.
        let llr = Sprt::new(0.0, 20.0).llr(&[10, 20, 40, 20, 10]);
        assert!((llr + 0.549_56).abs() < 5e-5, "{llr}");
    }

    #[test]
    fn the_other_players_view_is_the_negative() {
        let llr = Sprt::new(-5.0, 12.0).llr(&[3, 0, 7, 2, 5]);
        let other = Sprt::new(-12.0, 5.0).llr(&[5, 2, 7, 0, 3]);
        assert!(llr.abs() > 0.01 && (llr + other).abs() < 1e-9, "{llr} {other}");
    }

    #[test]
    fn nothing_played_decides_nothing() {
        let sprt = Sprt::new(0.0, 5.0);
        assert!(sprt.llr(&[0; 5]).abs() < 1e-4);
        assert_eq!(sprt.verdict(&[0; 5]), None);
    }

    #[test]
    fn decides_both_ways() {
        let sprt = Sprt::new(0.0, 10.0);
        assert_eq!(sprt.verdict(&[40, 80, 160, 120, 80]), Some(Hypothesis::H1));
        assert_eq!(sprt.verdict(&[80, 120, 160, 80, 40]), Some(Hypothesis::H0));
        // Without a decisive pair the players are close to each other.
        assert_eq!(sprt.verdict(&[0, 0, 50, 0, 0]), None);
        assert_eq!(sprt.verdict(&[0, 0, 500, 0, 0]), Some(Hypothesis::H0));
    }

    #[test]
    fn reads_bounds() {
        assert_eq!("0,10".parse(), Ok(Sprt::new(0.0, 10.0)));
        assert_eq!("-2.5, 1".parse(), Ok(Sprt::new(-2.5, 1.0)));
        for (text, problem) in [
            ("5", "expected two numbers elo0,elo1, as in 0,10"),
            ("0,x", "expected two numbers elo0,elo1, as in 0,10"),
            ("0,1,2", "expected two numbers elo0,elo1, as in 0,10"),
            ("5,5", "elo0 must be less than elo1"),
            ("0,inf", "both must lie within 1000 Elo of zero"),
            ("NaN,5", "both must lie within 1000 Elo of zero"),
        ] {
            let error = text.parse::<Sprt>().unwrap_err().to_string();
            assert_eq!(error, format!("SPRT bounds {text:?}: {problem}"));
        }
    }
}
