//! Sixteen numbers at once, and the instruction sets that the kernels are compiled for.
//!
//! The kernels are plain loops over [`Lanes`]. Each is inlined into a function for every instruction set and
//! vectorised there by the compiler; which one runs is told at run time. With fused multiplication and
//! addition the order of all sums is the same, so that AVX2 and AVX-512 give the same bits.

#[cfg(target_arch = "x86_64")]
use super::vector::x86;
use super::vector::{PlainVector, Vector};

/// Sixteen numbers: one AVX-512 register, two of AVX2, four of SSE or NEON.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Lanes(pub [f32; Lanes::COUNT]);

impl Lanes {
    /// Numbers in one.
    pub const COUNT: usize = crate::net::config::LANES;

    /// All zero.
    pub const ZERO: Lanes = Lanes([0.0; Lanes::COUNT]);

    /// `self + x * w`.
    ///
    /// By index, as [`super::conv`]'s innermost loop: over iterators the compiler keeps the sums in memory,
    /// which is fourteen times slower.
    #[inline(always)]
    pub fn add_product<A: Arch>(&mut self, x: f32, w: &Lanes) {
        for i in 0..Lanes::COUNT {
            self.0[i] = A::mul_add(x, w.0[i], self.0[i]);
        }
    }

    /// `self + x * w`, one by one.
    #[inline(always)]
    pub fn add_products<A: Arch>(&mut self, x: &Lanes, w: &Lanes) {
        for i in 0..Lanes::COUNT {
            self.0[i] = A::mul_add(x.0[i], w.0[i], self.0[i]);
        }
    }

    /// `self + other`.
    #[inline(always)]
    pub fn add(&mut self, other: &Lanes) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, &value)| *sum += value);
    }

    /// The larger of the two, one by one.
    #[inline(always)]
    pub fn max(&mut self, other: &Lanes) {
        // Not f32::max, which has more to say about NaN than one instruction does.
        self.0
            .iter_mut()
            .zip(&other.0)
            .for_each(|(max, &value)| *max = if value > *max { value } else { *max });
    }

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

/// An instruction set that the kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// AVX-512F.
    Avx512,
    /// AVX2 and FMA.
    Avx2,
    /// What every processor of this architecture has.
    Baseline,
}

impl Isa {
    /// All of them, the fastest first.
    pub const ALL: [Isa; 3] = [Isa::Avx512, Isa::Avx2, Isa::Baseline];

    /// The fastest that this processor has.
    pub fn detect() -> Isa {
        Isa::ALL.into_iter().find(|isa| isa.is_available()).expect("the baseline is always there")
    }

    /// Whether this processor has it.
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(not(target_arch = "x86_64"))]
            Isa::Avx512 | Isa::Avx2 => false,
            Isa::Baseline => true,
        }
    }
}

/// What a kernel must know of the instruction set that it is compiled for.
pub trait Arch {
    /// Sixteen numbers in its registers.
    type Vector: Vector;

    /// How many [`Lanes`] of sums fit into the registers, beside what multiplies them.
    const SUMS: usize;

    /// `x * w + sum`.
    fn mul_add(x: f32, w: f32, sum: f32) -> f32;
}

/// Thirty-two registers of 16.
pub struct Avx512;

impl Arch for Avx512 {
    #[cfg(target_arch = "x86_64")]
    type Vector = x86::Avx512Vector;
    #[cfg(not(target_arch = "x86_64"))]
    type Vector = PlainVector;

    const SUMS: usize = 24;

    #[inline(always)]
    fn mul_add(x: f32, w: f32, sum: f32) -> f32 {
        x.mul_add(w, sum)
    }
}

/// Sixteen registers of 8.
pub struct Avx2;

impl Arch for Avx2 {
    #[cfg(target_arch = "x86_64")]
    type Vector = x86::Avx2Vector;
    #[cfg(not(target_arch = "x86_64"))]
    type Vector = PlainVector;

    const SUMS: usize = 6;

    #[inline(always)]
    fn mul_add(x: f32, w: f32, sum: f32) -> f32 {
        x.mul_add(w, sum)
    }
}

/// Sixteen registers of 4 and no fused multiplication and addition, which would become a call of a function.
pub struct Baseline;

impl Arch for Baseline {
    type Vector = PlainVector;

    const SUMS: usize = 2;

    #[inline(always)]
    fn mul_add(x: f32, w: f32, sum: f32) -> f32 {
        x * w + sum
    }
}

/// A piece of work that is compiled for every instruction set. `run` must be `#[inline(always)]`.
pub trait Kernel {
    /// Does it.
    fn run<A: Arch>(self);
}

impl Isa {
    /// Runs `kernel` as compiled for this instruction set.
    ///
    /// # Panics
    /// When this processor does not have it.
    pub fn run<K: Kernel>(self, kernel: K) {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx512f,fma")]
            fn avx512<K: Kernel>(kernel: K) {
                kernel.run::<Avx512>();
            }

            #[target_feature(enable = "avx2,fma")]
            fn avx2<K: Kernel>(kernel: K) {
                kernel.run::<Avx2>();
            }

            if self != Isa::Baseline {
                assert!(self.is_available(), "this processor has {self:?}");
            }
            match self {
                // SAFETY: the processor has the features, as was just asserted.
                Isa::Avx512 => unsafe { avx512(kernel) },
                // SAFETY: as above.
                Isa::Avx2 => unsafe { avx2(kernel) },
                Isa::Baseline => kernel.run::<Baseline>(),
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            assert_eq!(self, Isa::Baseline, "this processor has {self:?}");
            kernel.run::<Baseline>();
        }
    }
}
