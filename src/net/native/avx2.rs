//! AVX2 of x86-64, and the tokens that stand for instruction sets.
//!
//! A token is proof that this processor has the instructions: only detection makes one, which asks the processor.
//! Every operation takes the token as `self`, so safe code cannot run an instruction that the processor lacks. (The
//! crate pulp is built alike.) A token has no size.

use std::{
    arch::x86_64::{
        __m128, __m256, __m256i, _CMP_UNORD_Q, _MM_HINT_T0, _mm_add_ps, _mm_movehl_ps, _mm_movelh_ps,
        _mm_prefetch, _mm_unpackhi_ps, _mm_unpacklo_ps, _mm256_add_epi32, _mm256_add_ps, _mm256_adds_epi16,
        _mm256_and_si256, _mm256_blendv_epi8, _mm256_castps_si256, _mm256_castps256_ps128,
        _mm256_castsi256_ps, _mm256_castsi256_si128, _mm256_cmp_ps, _mm256_cvtepi16_epi32,
        _mm256_cvtepi32_ps, _mm256_extractf128_ps, _mm256_extracti128_si256, _mm256_fmadd_ps, _mm256_max_ps,
        _mm256_or_si256, _mm256_packus_epi32, _mm256_permute4x64_epi64, _mm256_set1_epi32, _mm256_set1_ps,
        _mm256_slli_epi32, _mm256_srli_epi32,
    },
    mem::transmute,
    ptr,
};

use super::{
    arch::{Arch, Kernel},
    bf16::{HIGH, Pair, Pairs},
    int16_lanes::Int16Lanes,
    lanes::Lanes,
};

/// AVX2 and FMA: sixteen registers of 8.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The proof that this processor has the instructions; `None` where it lacks some of them.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Avx2(()))
    }
}

impl Arch for Avx2 {
    type Register = [__m256; 2];
    type Int16Register = [__m256i; 2];

    const SUMS: usize = 6;

    #[inline(always)]
    fn vectorize<K: Kernel>(self, kernel: K) {
        #[target_feature(enable = "avx2,fma")]
        fn compiled<K: Kernel>(arch: Avx2, kernel: K) {
            kernel.run(arch);
        }
        // SAFETY: `self` exists only where the processor has these features.
        unsafe { compiled(self, kernel) }
    }

    #[inline(always)]
    fn load(self, lanes: &Lanes) -> [__m256; 2] {
        // SAFETY: both are sixteen f32 without gaps.
        unsafe { transmute::<Lanes, [__m256; 2]>(*lanes) }
    }

    #[inline(always)]
    fn store(self, register: [__m256; 2], lanes: &mut Lanes) {
        // SAFETY: as above.
        *lanes = unsafe { transmute::<[__m256; 2], Lanes>(register) };
    }

    #[inline(always)]
    fn prefetch(self, lanes: &Lanes) {
        // SAFETY: every processor with AVX2 has the instruction. It changes the caches only.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(ptr::from_ref(lanes).cast()) }
    }

    #[inline(always)]
    fn splat(self, x: f32) -> [__m256; 2] {
        // SAFETY: `self` exists only where the processor has AVX2 and FMA.
        [unsafe { _mm256_set1_ps(x) }; 2]
    }

    #[inline(always)]
    fn add(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        // SAFETY: as above.
        unsafe { [_mm256_add_ps(a[0], b[0]), _mm256_add_ps(a[1], b[1])] }
    }

    #[inline(always)]
    fn max(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        // SAFETY: as above.
        unsafe { [_mm256_max_ps(a[0], b[0]), _mm256_max_ps(a[1], b[1])] }
    }

    #[inline(always)]
    fn mul_add(self, x: [__m256; 2], w: [__m256; 2], sum: [__m256; 2]) -> [__m256; 2] {
        // SAFETY: as above.
        unsafe { [_mm256_fmadd_ps(x[0], w[0], sum[0]), _mm256_fmadd_ps(x[1], w[1], sum[1])] }
    }

    #[inline(always)]
    fn load_int16(self, words: &Int16Lanes) -> [__m256i; 2] {
        // SAFETY: both are thirty-two i16 without gaps.
        unsafe { transmute::<Int16Lanes, [__m256i; 2]>(*words) }
    }

    #[inline(always)]
    fn add_int16(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        // SAFETY: `self` exists only where the processor has AVX2 and FMA.
        unsafe { [_mm256_adds_epi16(a[0], b[0]), _mm256_adds_epi16(a[1], b[1])] }
    }

    #[inline(always)]
    fn widen(self, words: [__m256i; 2]) -> [[__m256; 2]; 2] {
        [self.widened_by_halves(words[0]), self.widened_by_halves(words[1])]
    }

    #[inline(always)]
    fn halves(self, pairs: &Pairs) -> [[__m256; 2]; 2] {
        // SAFETY: as above, and both are sixty-four bytes without gaps.
        unsafe {
            let pairs = transmute::<Pairs, [__m256i; 2]>(*pairs);
            let high = _mm256_set1_epi32(HIGH.cast_signed());
            [
                [
                    _mm256_castsi256_ps(_mm256_slli_epi32::<16>(pairs[0])),
                    _mm256_castsi256_ps(_mm256_slli_epi32::<16>(pairs[1])),
                ],
                [
                    _mm256_castsi256_ps(_mm256_and_si256(pairs[0], high)),
                    _mm256_castsi256_ps(_mm256_and_si256(pairs[1], high)),
                ],
            ]
        }
    }

    #[inline(always)]
    fn round(self, register: [__m256; 2]) -> [Pair; Lanes::COUNT / 2] {
        self.rounded_pairs(register)
    }

    #[inline(always)]
    fn sums(self, [a, b, c, d]: [[__m256; 2]; 4]) -> [f32; 4] {
        // SAFETY: as above.
        unsafe {
            self.sums_of_eights(
                _mm256_add_ps(a[0], a[1]),
                _mm256_add_ps(b[0], b[1]),
                _mm256_add_ps(c[0], c[1]),
                _mm256_add_ps(d[0], d[1]),
            )
        }
    }
}

impl Avx2 {
    /// The sums of eight numbers each, by halves.
    // No closures here and in what calls it: they would be functions of their own, without the instructions.
    #[inline(always)]
    pub(super) fn sums_of_eights(self, a: __m256, b: __m256, c: __m256, d: __m256) -> [f32; 4] {
        // SAFETY: `self` exists only where the processor has AVX2.
        unsafe {
            let a = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
            let b = _mm_add_ps(_mm256_castps256_ps128(b), _mm256_extractf128_ps::<1>(b));
            let c = _mm_add_ps(_mm256_castps256_ps128(c), _mm256_extractf128_ps::<1>(c));
            let d = _mm_add_ps(_mm256_castps256_ps128(d), _mm256_extractf128_ps::<1>(d));
            // Columns of the four rows: the sums of all rows at once.
            let (low_ab, low_cd) = (_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
            let (high_ab, high_cd) = (_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
            let even = _mm_add_ps(_mm_movelh_ps(low_ab, low_cd), _mm_movelh_ps(high_ab, high_cd));
            let odd = _mm_add_ps(_mm_movehl_ps(low_cd, low_ab), _mm_movehl_ps(high_cd, high_ab));
            transmute::<__m128, [f32; 4]>(_mm_add_ps(even, odd))
        }
    }

    /// Sixteen numbers as [`Pair::round`] rounds them.
    #[inline(always)]
    pub(super) fn rounded_pairs(self, numbers: [__m256; 2]) -> [Pair; Lanes::COUNT / 2] {
        // SAFETY: `self` exists only where the processor has AVX2. Sixteen bf16 in order are
        // eight pairs.
        unsafe {
            let low = _mm256_srli_epi32::<16>(self.rounded(numbers[0]));
            let high = _mm256_srli_epi32::<16>(self.rounded(numbers[1]));
            // Packed by quarters: the first of both, then the second of both.
            transmute(_mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(low, high)))
        }
    }

    /// Bits whose upper half is the nearest bf16.
    #[inline(always)]
    fn rounded(self, numbers: __m256) -> __m256i {
        // SAFETY: as above.
        unsafe {
            let bits = _mm256_castps_si256(numbers);
            // A tie goes up where the last digit is odd.
            let odd = _mm256_and_si256(_mm256_srli_epi32::<16>(bits), _mm256_set1_epi32(1));
            let nearest = _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
            // A NaN must stay one: adding must not carry it into another number.
            let quiet = _mm256_or_si256(bits, _mm256_set1_epi32(1 << 22));
            let is_nan = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_UNORD_Q>(numbers, numbers));
            _mm256_blendv_epi8(nearest, quiet, is_nan)
        }
    }

    /// Sixteen integers as f32.
    #[inline(always)]
    fn widened_by_halves(self, words: __m256i) -> [__m256; 2] {
        // SAFETY: as above.
        unsafe {
            [
                _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm256_castsi256_si128(words))),
                _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm256_extracti128_si256::<1>(words))),
            ]
        }
    }
}
