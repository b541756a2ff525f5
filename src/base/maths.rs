//! The functions of real numbers that are not exact, the same to the last bit on every machine.
//!
//! Those of the standard library come from the system's C library and differ from one to the next, so that the same seed
//! would give other games elsewhere. Nothing else in this crate may call them: `clippy.toml` lists them. (Square roots
//! are exact, and the same everywhere.)

/// A number with functions that are the same everywhere: `f32` and `f64`.
pub trait Real: Copy {
    /// See [`exp`].
    fn exp_of(x: Self) -> Self;
    /// See [`exp2`].
    fn exp2_of(x: Self) -> Self;
    /// See [`ln`].
    fn ln_of(x: Self) -> Self;
    /// See [`ln_1p`].
    fn ln_1p_of(x: Self) -> Self;
    /// See [`log2`].
    fn log2_of(x: Self) -> Self;
    /// See [`log10`].
    fn log10_of(x: Self) -> Self;
    /// See [`pow`].
    fn pow_of(x: Self, y: Self) -> Self;
    /// See [`cos`].
    fn cos_of(x: Self) -> Self;
    /// See [`tanh`].
    fn tanh_of(x: Self) -> Self;
}

impl Real for f32 {
    fn exp_of(x: f32) -> f32 {
        libm::expf(x)
    }
    fn exp2_of(x: f32) -> f32 {
        libm::exp2f(x)
    }
    fn ln_of(x: f32) -> f32 {
        libm::logf(x)
    }
    fn ln_1p_of(x: f32) -> f32 {
        libm::log1pf(x)
    }
    fn log2_of(x: f32) -> f32 {
        libm::log2f(x)
    }
    fn log10_of(x: f32) -> f32 {
        libm::log10f(x)
    }
    fn pow_of(x: f32, y: f32) -> f32 {
        libm::powf(x, y)
    }
    fn cos_of(x: f32) -> f32 {
        libm::cosf(x)
    }
    fn tanh_of(x: f32) -> f32 {
        libm::tanhf(x)
    }
}

impl Real for f64 {
    fn exp_of(x: f64) -> f64 {
        libm::exp(x)
    }
    fn exp2_of(x: f64) -> f64 {
        libm::exp2(x)
    }
    fn ln_of(x: f64) -> f64 {
        libm::log(x)
    }
    fn ln_1p_of(x: f64) -> f64 {
        libm::log1p(x)
    }
    fn log2_of(x: f64) -> f64 {
        libm::log2(x)
    }
    fn log10_of(x: f64) -> f64 {
        libm::log10(x)
    }
    fn pow_of(x: f64, y: f64) -> f64 {
        libm::pow(x, y)
    }
    fn cos_of(x: f64) -> f64 {
        libm::cos(x)
    }
    fn tanh_of(x: f64) -> f64 {
        libm::tanh(x)
    }
}

/// `e` to the power of `x`.
pub fn exp<T: Real>(x: T) -> T {
    T::exp_of(x)
}

/// 2 to the power of `x`.
pub fn exp2<T: Real>(x: T) -> T {
    T::exp2_of(x)
}

/// The natural logarithm.
pub fn ln<T: Real>(x: T) -> T {
    T::ln_of(x)
}

/// The natural logarithm of `1 + x`, exact near zero.
pub fn ln_1p<T: Real>(x: T) -> T {
    T::ln_1p_of(x)
}

/// The logarithm to base 2.
pub fn log2<T: Real>(x: T) -> T {
    T::log2_of(x)
}

/// The logarithm to base 10.
pub fn log10<T: Real>(x: T) -> T {
    T::log10_of(x)
}

/// `x` to the power of `y`.
pub fn pow<T: Real>(x: T, y: T) -> T {
    T::pow_of(x, y)
}

/// The cosine of `x` radians.
pub fn cos<T: Real>(x: T) -> T {
    T::cos_of(x)
}

/// The hyperbolic tangent.
pub fn tanh<T: Real>(x: T) -> T {
    T::tanh_of(x)
}

/// 1 less the error function, as exact far from zero as near it.
pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

/// `e` to the power of `x`, which is not positive, to a few units in the last place; below about `e^-87` it stays there.
/// Of additions and multiplications alone, so that the compiler takes several numbers at a time: for the inner loops.
#[inline(always)]
pub fn exp_of_negative(x: f32) -> f32 {
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

    /// The functions by name, each with the numbers that it is tried with, and what the system's library says.
    type Case = (&'static str, fn(f64) -> f64, fn(f32) -> f32, fn(f64) -> f64, [f64; 3]);

    const CASES: [Case; 8] = [
        ("exp", exp::<f64>, exp::<f32>, f64::exp, [-20.0, 0.3, 5.0]),
        ("exp2", exp2::<f64>, exp2::<f32>, f64::exp2, [-20.0, 0.3, 5.0]),
        ("ln", ln::<f64>, ln::<f32>, f64::ln, [1e-6, 0.7, 300.0]),
        ("ln_1p", ln_1p::<f64>, ln_1p::<f32>, f64::ln_1p, [1e-6, 0.7, 300.0]),
        ("log2", log2::<f64>, log2::<f32>, f64::log2, [1e-6, 0.7, 300.0]),
        ("log10", log10::<f64>, log10::<f32>, f64::log10, [1e-6, 0.7, 300.0]),
        ("cos", cos::<f64>, cos::<f32>, f64::cos, [-3.0, 0.3, 6.0]),
        ("tanh", tanh::<f64>, tanh::<f32>, f64::tanh, [-3.0, 0.3, 6.0]),
    ];

    #[test]
    fn they_are_those_of_the_standard_library_but_for_the_last_bits() {
        let close = |found: f64, expected: f64, most: f64| (found - expected).abs() <= most * expected.abs();
        for (name, double, single, standard, numbers) in CASES {
            for x in numbers {
                assert!(close(double(x), standard(x), 1e-14), "{name} of {x}: {}", double(x));
                let rounded = x as f32;
                let (found, expected) = (single(rounded), standard(rounded.into()));
                assert!(close(found.into(), expected, 3e-7), "{name} of {rounded}: {found}");
            }
        }
        for (x, y) in [(0.3, 2.5), (5.0, -0.5), (7.0, 0.65)] {
            assert!(close(pow(x, y), x.powf(y), 1e-14), "{x} to the power of {y}");
            let single = pow(x as f32, y as f32);
            assert!(
                close(single.into(), f64::from(x as f32).powf((y as f32).into()), 3e-7),
                "{x}, {y}: {single}"
            );
        }
    }

    /// Of a thousand numbers each, as bits: what no machine may change.
    #[test]
    fn their_bits_are_the_same_everywhere() {
        let mut hash = crc32fast::Hasher::new();
        for (_, double, single, _, [least, .., most]) in CASES {
            for i in 0..1000 {
                let x = least + (most - least) * f64::from(i) / 1000.0;
                hash.update(&double(x).to_bits().to_le_bytes());
                hash.update(&single(x as f32).to_bits().to_le_bytes());
                hash.update(&pow(1.5 + x.abs(), 0.3).to_bits().to_le_bytes());
                hash.update(&pow(1.5 + x.abs() as f32, 0.3).to_bits().to_le_bytes());
                hash.update(&exp_of_negative(-x.abs() as f32).to_bits().to_le_bytes());
                hash.update(&erfc(x).to_bits().to_le_bytes());
            }
        }
        assert_eq!(hash.finalize(), BITS);
    }

    /// As computed on x86-64 with glibc.
    const BITS: u32 = 0xef73_9dea;

    #[test]
    fn powers_in_loops_are_those_of_the_standard_library() {
        for i in 0..=870_000 {
            let x = -1e-4 * i as f32;
            let (found, expected) = (exp_of_negative(x), x.exp());
            assert!((found - expected).abs() <= 4e-7 * expected, "e^{x}: {found} for {expected}");
        }
        assert_eq!(exp_of_negative(0.0), 1.0);
        let tiny = [-1e3, f32::NEG_INFINITY].map(exp_of_negative);
        assert!(tiny.iter().all(|&power| (0.0..1e-37).contains(&power)));
    }
}
