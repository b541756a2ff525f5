//! The random numbers of a search.
//!
//! Not by `rand_distr`: burn builds it with `std`, so that its logarithms are those of the system's C library, whose last
//! bits differ between systems. The same seed must give the same games everywhere.

use rand::{Rng, RngExt, distr::Open01};

use crate::base::maths::{cos, ln, pow};

/// One draw from the standard Gumbel distribution.
pub(super) fn gumbel<R: Rng + ?Sized>(rng: &mut R) -> f32 {
    let uniform: f32 = rng.sample(Open01);
    -ln(-ln(uniform))
}

/// Fills `out` with one draw from the symmetric Dirichlet distribution whose concentrations sum to `total`.
pub(super) fn dirichlet<R: Rng + ?Sized>(total: f32, out: &mut [f32], rng: &mut R) {
    let alpha = total / out.len() as f32;
    out.fill_with(|| gamma(alpha, rng));
    let sum: f32 = out.iter().sum();
    // All draws can underflow where alpha is tiny.
    if sum > 0.0 {
        out.iter_mut().for_each(|x| *x /= sum);
    } else {
        out.fill(1.0 / out.len() as f32);
    }
}

/// One draw from the gamma distribution of shape `alpha` and scale 1: Marsaglia and Tsang, "A simple method
/// for generating gamma variables", ACM TOMS 26 (2000); shapes below 1 by the boost of its section 6.
fn gamma<R: Rng + ?Sized>(alpha: f32, rng: &mut R) -> f32 {
    if alpha < 1.0 {
        let uniform: f32 = rng.sample(Open01);
        return gamma(alpha + 1.0, rng) * pow(uniform, 1.0 / alpha);
    }
    let d = alpha - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let root = 1.0 + c * x;
        let v = root * root * root;
        let uniform: f32 = rng.sample(Open01);
        if v > 0.0 && ln(uniform) < 0.5 * x * x + d - d * v + d * ln(v) {
            return d * v;
        }
    }
}

/// One draw from the standard normal distribution (Box and Muller 1958).
fn normal<R: Rng + ?Sized>(rng: &mut R) -> f32 {
    let radius: f32 = rng.sample(Open01);
    let angle: f32 = rng.random();
    (-2.0 * ln(radius)).sqrt() * cos(std::f32::consts::TAU * angle)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn mean_and_variance(mut draw: impl FnMut() -> f32) -> (f32, f32) {
        let draws: Vec<f32> = (0..100_000).map(|_| draw()).collect();
        let mean = draws.iter().sum::<f32>() / draws.len() as f32;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / draws.len() as f32;
        (mean, variance)
    }

    #[test]
    fn gumbel_has_its_moments() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let (mean, variance) = mean_and_variance(|| gumbel(&mut rng));
        assert!((mean - 0.5772).abs() < 0.02, "{mean}");
        assert!((variance - 1.6449).abs() < 0.05, "{variance}");
    }

    #[test]
    fn gamma_has_its_moments() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        for alpha in [0.3, 1.0, 4.0] {
            let (mean, variance) = mean_and_variance(|| gamma(alpha, &mut rng));
            assert!((mean / alpha - 1.0).abs() < 0.03, "{alpha}: {mean}");
            assert!((variance / alpha - 1.0).abs() < 0.06, "{alpha}: {variance}");
        }
    }

    #[test]
    fn dirichlet_sums_to_one() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for total in [1e-6, 0.5, 10.83] {
            let mut draw = [0.0; 30];
            dirichlet(total, &mut draw, &mut rng);
            assert!((draw.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            assert!(draw.iter().all(|x| *x >= 0.0));
        }
    }
}
