//! Sixteen numbers at once: what the kernels work on.

/// Sixteen numbers: one AVX-512 register, two of AVX2, four of SSE or NEON.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Lanes(pub [f32; Lanes::COUNT]);

impl Lanes {
    /// Numbers in one.
    pub const COUNT: usize = crate::net::config::LANES;

    /// All zero.
    pub const ZERO: Lanes = Lanes([0.0; Lanes::COUNT]);

    /// Their sum, by halves.
    #[inline(always)]
    pub fn sum(mut self) -> f32 {
        let mut len = Lanes::COUNT;
        while len > 1 {
            len /= 2;
            for i in 0..len {
                self.0[i] += self.0[i + len];
            }
        }
        self.0[0]
    }
}

/// The numbers of `lanes`, one after the other.
pub fn floats(lanes: &[Lanes]) -> &[f32] {
    // SAFETY: `Lanes` is `repr(C)` around sixteen f32 and as large as they are, so that a slice of it is
    // that many f32 without gaps, of a smaller alignment.
    unsafe { std::slice::from_raw_parts(lanes.as_ptr().cast(), lanes.len() * Lanes::COUNT) }
}

/// The numbers of `lanes`, one after the other, to be changed.
#[cfg(feature = "program")]
pub fn floats_mut(lanes: &mut [Lanes]) -> &mut [f32] {
    // SAFETY: as above; and any f32 that are written are lanes again.
    unsafe { std::slice::from_raw_parts_mut(lanes.as_mut_ptr().cast(), lanes.len() * Lanes::COUNT) }
}

/// Packs numbers into lanes, zeros at the end.
pub fn pack(values: &[f32]) -> Vec<Lanes> {
    values
        .chunks(Lanes::COUNT)
        .map(|chunk| {
            let mut lanes = Lanes::ZERO;
            lanes.0[..chunk.len()].copy_from_slice(chunk);
            lanes
        })
        .collect()
}
