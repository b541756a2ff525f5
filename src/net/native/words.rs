//! 16-bit integers, thirty-two at once.

/// Thirty-two integers: as many bits as [`Lanes`](super::lanes::Lanes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Words(pub [i16; Words::COUNT]);

impl Words {
    /// Numbers in one.
    pub const COUNT: usize = 32;

    /// All zero.
    pub const ZERO: Words = Words([0; Words::COUNT]);
}
