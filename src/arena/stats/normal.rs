//! The normal distribution.

use std::f64::consts::FRAC_1_SQRT_2;

use crate::base::maths::erfc;

/// Half the width of the two-sided 95% interval, in standard deviations.
pub const Z95: f64 = 1.959_964;

/// The share of a standard normal distribution that lies below `x`, to a few units in the last place.
///
/// From libm, as all functions of this kind are here: that of statrs 0.19 is off by up to 2e-11, and it calls the system's
/// `exp`.
pub fn cdf(x: f64) -> f64 {
    0.5 * erfc(-x * FRAC_1_SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_tables() {
        // Abramowitz and Stegun, table 26.1.
        for (x, below) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (2.0, 0.977_249_868_051_821),
            (3.0, 0.998_650_101_968_370),
        ] {
            assert!((cdf(x) - below).abs() < 1e-14, "{x}");
            assert!((cdf(-x) - (1.0 - below)).abs() < 1e-14, "{x}");
        }
        assert!((cdf(Z95) - 0.975).abs() < 1e-8);
        assert_eq!((cdf(-40.0), cdf(40.0)), (0.0, 1.0));
    }
}
