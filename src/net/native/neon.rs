//! NEON of aarch64. Its token is as those of x86-64, though every processor of this kind has the instructions.
//!
//! Multiplication and addition are fused, and sums are made in the order of AVX2 and AVX-512, so the results are the
//! same to the bit. The instructions for bf16 that newer processors have (`bfdot`) round otherwise, so they are not
//! used.

use std::{
    arch::{
        aarch64::{
            float32x4_t, int16x8_t, uint16x4_t, uint32x4_t, vaddq_f32, vaddq_u32, vandq_u32, vbslq_f32,
            vbslq_u32, vceqq_f32, vcgtq_f32, vcvtq_f32_s32, vdupq_n_f32, vdupq_n_u32, vfmaq_f32,
            vget_low_s16, vmovl_high_s16, vmovl_s16, vorrq_u32, vpaddq_f32, vqaddq_s16,
            vreinterpretq_f32_f64, vreinterpretq_f32_u32, vreinterpretq_f64_f32, vreinterpretq_u32_f32,
            vshlq_n_u32, vshrn_n_u32, vshrq_n_u32, vzip1q_f64, vzip2q_f64,
        },
        is_aarch64_feature_detected,
    },
    mem::transmute,
};

use super::{
    arch::{Arch, Kernel},
    bf16::{HIGH, Pair, Pairs},
    int16_lanes::Int16Lanes,
    lanes::Lanes,
};

/// NEON: thirty-two registers of 4.
#[derive(Clone, Copy, Debug)]
pub struct Neon(());

impl Neon {
    /// The proof that this processor has the instructions; `None` where it lacks them.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        is_aarch64_feature_detected!("neon").then_some(Neon(()))
    }
}

impl Arch for Neon {
    type Register = [float32x4_t; 4];
    type Int16Register = [int16x8_t; 4];

    const SUMS: usize = 6;

    #[inline(always)]
    fn vectorize<K: Kernel>(self, kernel: K) {
        #[target_feature(enable = "neon")]
        fn compiled<K: Kernel>(arch: Neon, kernel: K) {
            kernel.run(arch);
        }
        // SAFETY: `self` exists only where the processor has NEON.
        unsafe { compiled(self, kernel) }
    }

    #[inline(always)]
    fn load(self, lanes: &Lanes) -> [float32x4_t; 4] {
        // SAFETY: both are sixteen f32 without gaps.
        unsafe { transmute::<Lanes, [float32x4_t; 4]>(*lanes) }
    }

    #[inline(always)]
    fn store(self, register: [float32x4_t; 4], lanes: &mut Lanes) {
        // SAFETY: as above.
        *lanes = unsafe { transmute::<[float32x4_t; 4], Lanes>(register) };
    }

    #[inline(always)]
    fn splat(self, x: f32) -> [float32x4_t; 4] {
        // SAFETY: `self` exists only where the processor has NEON.
        [unsafe { vdupq_n_f32(x) }; 4]
    }

    #[inline(always)]
    fn add(self, a: [float32x4_t; 4], b: [float32x4_t; 4]) -> [float32x4_t; 4] {
        // SAFETY: as above.
        unsafe {
            [vaddq_f32(a[0], b[0]), vaddq_f32(a[1], b[1]), vaddq_f32(a[2], b[2]), vaddq_f32(a[3], b[3])]
        }
    }

    #[inline(always)]
    fn max(self, a: [float32x4_t; 4], b: [float32x4_t; 4]) -> [float32x4_t; 4] {
        // `vmaxq_f32` makes NaN of NaN, which the other instruction sets do not.
        [
            larger(self, a[0], b[0]),
            larger(self, a[1], b[1]),
            larger(self, a[2], b[2]),
            larger(self, a[3], b[3]),
        ]
    }

    #[inline(always)]
    fn mul_add(self, x: [float32x4_t; 4], w: [float32x4_t; 4], sum: [float32x4_t; 4]) -> [float32x4_t; 4] {
        // SAFETY: `self` exists only where the processor has NEON.
        unsafe {
            [
                vfmaq_f32(sum[0], x[0], w[0]),
                vfmaq_f32(sum[1], x[1], w[1]),
                vfmaq_f32(sum[2], x[2], w[2]),
                vfmaq_f32(sum[3], x[3], w[3]),
            ]
        }
    }

    #[inline(always)]
    fn sums(self, [a, b, c, d]: [[float32x4_t; 4]; 4]) -> [f32; 4] {
        // SAFETY: as above; and a register is four f32 without gaps.
        unsafe {
            let (ab, cd) = (folded_pair(self, a, b), folded_pair(self, c, d));
            transmute::<float32x4_t, [f32; 4]>(vpaddq_f32(ab, cd))
        }
    }

    #[inline(always)]
    fn load_int16(self, words: &Int16Lanes) -> [int16x8_t; 4] {
        // SAFETY: both are thirty-two i16 without gaps.
        unsafe { transmute::<Int16Lanes, [int16x8_t; 4]>(*words) }
    }

    #[inline(always)]
    fn add_int16(self, a: [int16x8_t; 4], b: [int16x8_t; 4]) -> [int16x8_t; 4] {
        // SAFETY: `self` exists only where the processor has NEON.
        unsafe {
            [vqaddq_s16(a[0], b[0]), vqaddq_s16(a[1], b[1]), vqaddq_s16(a[2], b[2]), vqaddq_s16(a[3], b[3])]
        }
    }

    #[inline(always)]
    fn widen(self, [a, b, c, d]: [int16x8_t; 4]) -> [[float32x4_t; 4]; 2] {
        let ([a, b], [c, d]) = ([widened(self, a), widened(self, b)], [widened(self, c), widened(self, d)]);
        [[a[0], a[1], b[0], b[1]], [c[0], c[1], d[0], d[1]]]
    }

    #[inline(always)]
    fn halves(self, pairs: &Pairs) -> [[float32x4_t; 4]; 2] {
        // SAFETY: both are sixteen numbers of 32 bits without gaps.
        let [a, b, c, d] = unsafe { transmute::<Pairs, [uint32x4_t; 4]>(*pairs) };
        let [a, b, c, d] = [halves(self, a), halves(self, b), halves(self, c), halves(self, d)];
        [[a[0], b[0], c[0], d[0]], [a[1], b[1], c[1], d[1]]]
    }

    #[inline(always)]
    fn round(self, [a, b, c, d]: [float32x4_t; 4]) -> [Pair; Lanes::COUNT / 2] {
        let halves = [rounded(self, a), rounded(self, b), rounded(self, c), rounded(self, d)];
        // SAFETY: sixteen bf16 in order are eight pairs.
        unsafe { transmute::<[uint16x4_t; 4], [Pair; Lanes::COUNT / 2]>(halves) }
    }
}

/// The larger of the two; `b` where one is NaN.
#[inline(always)]
fn larger(_: Neon, a: float32x4_t, b: float32x4_t) -> float32x4_t {
    // SAFETY: the token exists only where the processor has NEON.
    unsafe { vbslq_f32(vcgtq_f32(a, b), a, b) }
}

/// Two numbers whose sum is that of `a`, then two of `b`; numbers are added by halves, as [`Lanes::sum`] does.
#[inline(always)]
fn folded_pair(arch: Neon, a: [float32x4_t; 4], b: [float32x4_t; 4]) -> float32x4_t {
    let (a, b) = (folded(arch, a), folded(arch, b));
    // SAFETY: as above.
    unsafe {
        let (a, b) = (vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b));
        vaddq_f32(vreinterpretq_f32_f64(vzip1q_f64(a, b)), vreinterpretq_f32_f64(vzip2q_f64(a, b)))
    }
}

/// Four numbers whose sum is that of sixteen, by halves.
#[inline(always)]
fn folded(_: Neon, [a, b, c, d]: [float32x4_t; 4]) -> float32x4_t {
    // SAFETY: as above.
    unsafe { vaddq_f32(vaddq_f32(a, c), vaddq_f32(b, d)) }
}

/// Eight integers as f32.
#[inline(always)]
fn widened(_: Neon, words: int16x8_t) -> [float32x4_t; 2] {
    // SAFETY: as above.
    unsafe { [vcvtq_f32_s32(vmovl_s16(vget_low_s16(words))), vcvtq_f32_s32(vmovl_high_s16(words))] }
}

/// The first numbers of four pairs, then the second ones.
#[inline(always)]
fn halves(_: Neon, pairs: uint32x4_t) -> [float32x4_t; 2] {
    // SAFETY: as above.
    unsafe {
        let second = vandq_u32(pairs, vdupq_n_u32(HIGH));
        [vreinterpretq_f32_u32(vshlq_n_u32::<16>(pairs)), vreinterpretq_f32_u32(second)]
    }
}

/// Four numbers as [`Pair::round`] rounds them.
#[inline(always)]
fn rounded(_: Neon, numbers: float32x4_t) -> uint16x4_t {
    // SAFETY: as above.
    unsafe {
        let bits = vreinterpretq_u32_f32(numbers);
        // A tie goes up where the last digit is odd.
        let odd = vandq_u32(vshrq_n_u32::<16>(bits), vdupq_n_u32(1));
        let nearest = vaddq_u32(bits, vaddq_u32(odd, vdupq_n_u32(0x7fff)));
        // A NaN must stay one: adding must not carry it into another number.
        let quiet = vorrq_u32(bits, vdupq_n_u32(1 << 22));
        vshrn_n_u32::<16>(vbslq_u32(vceqq_f32(numbers, numbers), nearest, quiet))
    }
}
