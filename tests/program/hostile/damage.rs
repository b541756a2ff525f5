//! What bad disks, power cuts and strangers do to the bytes of a file.

use std::fmt;

use rand::RngExt;
use sanki::base::rng::Rng;

/// One way of damage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damage {
    /// A bit is another.
    Bit(usize),
    /// The end is missing.
    Cut(usize),
    /// A sector of zeros, or what is left of one.
    ZeroBlock(usize),
    /// All from here on is zeros: a power cut.
    ZeroTail(usize),
    /// Bytes that are not ours.
    Foreign(usize, u64),
    /// Bytes too many at the end.
    Longer(u64),
    /// Part of it for the second time.
    Twice(usize),
    /// Nothing is left.
    Empty,
}

/// What disks write at a time.
const SECTOR: usize = 512;

impl Damage {
    /// One that is drawn for a file of `length` bytes, the n-th of many: all ways get their turn.
    pub fn draw(number: usize, length: usize, rng: &mut Rng) -> Self {
        let at = rng.random_range(0..length);
        match number % 16 {
            0 => Damage::Empty,
            1..=6 => Damage::Bit(8 * at + rng.random_range(0..8)),
            7..=8 => Damage::Cut(at),
            9 => Damage::ZeroBlock(at),
            10..=11 => Damage::ZeroTail(at),
            12..=13 => Damage::Foreign(at, rng.random()),
            14 => Damage::Longer(rng.random()),
            _ => Damage::Twice(at),
        }
    }

    /// What it makes of `bytes`.
    pub fn apply(self, bytes: &[u8]) -> Vec<u8> {
        let mut damaged = bytes.to_vec();
        let sector = |at: usize| at / SECTOR * SECTOR..(at / SECTOR * SECTOR + SECTOR).min(bytes.len());
        match self {
            Damage::Bit(bit) => damaged[bit / 8] ^= 1 << (bit % 8),
            Damage::Cut(at) => damaged.truncate(at),
            Damage::ZeroBlock(at) => damaged[sector(at)].fill(0),
            Damage::ZeroTail(at) => damaged[at..].fill(0),
            Damage::Foreign(at, seed) => fill(&mut damaged[sector(at)], seed),
            Damage::Longer(seed) => {
                let length = damaged.len();
                damaged.resize(length + SECTOR, 0);
                fill(&mut damaged[length..], seed);
            }
            Damage::Twice(at) => damaged.extend_from_slice(&bytes[at..]),
            Damage::Empty => damaged.clear(),
        }
        damaged
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

fn fill(bytes: &mut [u8], seed: u64) {
    use rand::{Rng as _, SeedableRng};
    Rng::seed_from_u64(seed).fill_bytes(bytes);
}
