//! Pairs of bf16: an f32's sign, exponent and first seven digits.

use super::lanes::Lanes;

/// Two bf16 numbers, as `vdpbf16ps` takes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Pair(u32);

/// The upper half of an f32, where its bf16 stands.
pub const HIGH: u32 = 0xffff_0000;

impl Pair {
    /// Twice zero.
    pub const ZERO: Pair = Pair(0);

    /// The nearest pair; of two as near the one whose last digit is even.
    #[inline(always)]
    pub fn round(first: f32, second: f32) -> Pair {
        Pair(rounded(first) >> 16 | rounded(second) & HIGH)
    }

    /// The first number.
    #[inline(always)]
    pub fn first(self) -> f32 {
        f32::from_bits(self.0 << 16)
    }

    /// The second.
    #[inline(always)]
    pub fn second(self) -> f32 {
        f32::from_bits(self.0 & HIGH)
    }

    /// The first number's sixteen bits, and above them the second's.
    #[inline(always)]
    pub fn bits(self) -> u32 {
        self.0
    }
}

/// The bits of `value` whose upper half is the nearest bf16.
#[inline(always)]
fn rounded(value: f32) -> u32 {
    let bits = value.to_bits();
    // A tie goes up where the last digit is odd.
    let half = 0x7fff + (bits >> 16 & 1);
    // A NaN must stay one: adding must not carry it into another number.
    if value.is_nan() { bits | 1 << 22 } else { bits.wrapping_add(half) }
}

/// Sixteen pairs: the weights of two inputs for sixteen outputs, or thirty-two numbers of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Pairs(pub [Pair; Lanes::COUNT]);

impl Pairs {
    /// The first numbers, then the second ones.
    #[inline(always)]
    pub fn halves(&self) -> [Lanes; 2] {
        [Lanes(self.0.map(Pair::first)), Lanes(self.0.map(Pair::second))]
    }

    /// All pairs, one after the other.
    #[inline(always)]
    pub fn flat(pairs: &[Pairs]) -> &[Pair] {
        // SAFETY: `Pairs` is `repr(C)` around sixteen pairs of four bytes and as large as they are, so that a slice
        // of it is that many pairs without gaps, of a smaller alignment.
        unsafe { std::slice::from_raw_parts(pairs.as_ptr().cast(), pairs.len() * Lanes::COUNT) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_to_the_nearest_and_ties_to_even() {
        let nearest_to = |value| Pair::round(value, 0.0).first();
        for (value, nearest) in [
            (1.0, 1.0),
            (-1.003, -1.0),
            (1.005, 1.0078125),
            // Halfway between two: 1 and 1 + 2^-7, then 1 + 2^-7 and 1 + 2^-6.
            (1.0 + 0.5 / 128.0, 1.0),
            (1.0 + 1.5 / 128.0, 1.0 + 2.0 / 128.0),
            (f32::MAX, f32::INFINITY),
            (f32::NEG_INFINITY, f32::NEG_INFINITY),
        ] {
            assert_eq!(nearest_to(value), nearest, "{value}");
            assert_eq!(Pair::round(0.0, value).second(), nearest, "{value}");
        }
        assert!(nearest_to(f32::NAN).is_nan() && nearest_to(f32::from_bits(0x7fff_ffff)).is_nan());
        assert_eq!(Pair::round(1.0, -2.0).bits(), 0xc000_3f80);
    }
}
