//! 16-bit integers, thirty-two at once.

/// Thirty-two integers: as many bits as [`Lanes`](super::lanes::Lanes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Int16Lanes(pub [i16; Int16Lanes::COUNT]);

impl Int16Lanes {
    /// Numbers in one.
    pub const COUNT: usize = 32;

    /// All zero.
    pub const ZERO: Int16Lanes = Int16Lanes([0; Int16Lanes::COUNT]);
}
