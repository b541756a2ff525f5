//! AVX-512 of x86-64, with and without AVX512_BF16. Its tokens are as that of [`Avx2`].

use std::{
    arch::x86_64::{
        __m256, __m256i, __m512, __m512bh, __m512i, _mm256_add_ps, _mm256_castpd_ps, _mm512_add_ps,
        _mm512_and_si512, _mm512_castps_pd, _mm512_castps512_ps256, _mm512_castsi512_ps,
        _mm512_cvtepi16_epi32, _mm512_cvtepi32_ps, _mm512_cvtneps_pbh, _mm512_dpbf16_ps,
        _mm512_extractf64x4_pd, _mm512_fmadd_ps, _mm512_max_ps, _mm512_set1_epi32, _mm512_set1_ps,
        _mm512_slli_epi32,
    },
    mem::transmute,
};

use super::{
    arch::{Arch, Kernel},
    avx2::Avx2,
    bf16::{HIGH, Pair, Pairs},
    int16_lanes::Int16Lanes,
    lanes::Lanes,
};

/// AVX-512F: thirty-two registers of 16.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(Avx2);

impl Avx512 {
    /// The proof that this processor has the instructions; `None` where it lacks some of them.
    #[inline(always)]
    pub fn detect() -> Option<Self> {
        let avx2 = Avx2::detect()?;
        is_x86_feature_detected!("avx512f").then_some(Avx512(avx2))
    }

    /// The proof that this processor also has AVX512_BF16; `None` where it lacks that.
    #[inline(always)]
    pub fn with_bf16(self) -> Option<Avx512Bf16> {
        is_x86_feature_detected!("avx512bf16").then_some(Avx512Bf16(self))
    }

    /// The sum of the halves.
    #[inline(always)]
    fn halved(self, register: __m512) -> __m256 {
        // SAFETY: `self` exists only where the processor has AVX-512F.
        unsafe {
            let upper = _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(register)));
            _mm256_add_ps(_mm512_castps512_ps256(register), upper)
        }
    }
}

impl Arch for Avx512 {
    type Register = __m512;
    type Int16Register = [__m256i; 2];

    const SUMS: usize = 24;

    #[inline(always)]
    fn vectorize<K: Kernel>(self, kernel: K) {
        #[target_feature(enable = "avx512f,fma")]
        fn compiled<K: Kernel>(arch: Avx512, kernel: K) {
            kernel.run(arch);
        }
        // SAFETY: `self` exists only where the processor has these features.
        unsafe { compiled(self, kernel) }
    }

    #[inline(always)]
    fn load(self, lanes: &Lanes) -> __m512 {
        // SAFETY: both are sixteen f32 without gaps.
        unsafe { transmute::<Lanes, __m512>(*lanes) }
    }

    #[inline(always)]
    fn store(self, register: __m512, lanes: &mut Lanes) {
        // SAFETY: as above.
        *lanes = unsafe { transmute::<__m512, Lanes>(register) };
    }

    #[inline(always)]
    fn splat(self, x: f32) -> __m512 {
        // SAFETY: `self` exists only where the processor has AVX-512F.
        unsafe { _mm512_set1_ps(x) }
    }

    #[inline(always)]
    fn add(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_add_ps(a, b) }
    }

    #[inline(always)]
    fn max(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_max_ps(a, b) }
    }

    #[inline(always)]
    fn mul_add(self, x: __m512, w: __m512, sum: __m512) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_fmadd_ps(x, w, sum) }
    }

    #[inline(always)]
    fn load_int16(self, words: &Int16Lanes) -> [__m256i; 2] {
        self.0.load_int16(words)
    }

    #[inline(always)]
    fn add_int16(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        // Sums of sixteen: the instruction for thirty-two is not in AVX-512F.
        self.0.add_int16(a, b)
    }

    #[inline(always)]
    fn widen(self, words: [__m256i; 2]) -> [__m512; 2] {
        // SAFETY: as above.
        unsafe {
            [
                _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(words[0])),
                _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(words[1])),
            ]
        }
    }

    #[inline(always)]
    fn halves(self, pairs: &Pairs) -> [__m512; 2] {
        // SAFETY: as above, and both are sixty-four bytes without gaps.
        unsafe {
            let pairs = transmute::<Pairs, __m512i>(*pairs);
            let second = _mm512_and_si512(pairs, _mm512_set1_epi32(HIGH.cast_signed()));
            [_mm512_castsi512_ps(_mm512_slli_epi32::<16>(pairs)), _mm512_castsi512_ps(second)]
        }
    }

    #[inline(always)]
    fn round(self, register: __m512) -> [Pair; Lanes::COUNT / 2] {
        // SAFETY: as above.
        self.0.rounded_pairs(unsafe {
            let upper = _mm512_extractf64x4_pd::<1>(_mm512_castps_pd(register));
            [_mm512_castps512_ps256(register), _mm256_castpd_ps(upper)]
        })
    }

    #[inline(always)]
    fn sums(self, [a, b, c, d]: [__m512; 4]) -> [f32; 4] {
        self.0.sums_of_eights(self.halved(a), self.halved(b), self.halved(c), self.halved(d))
    }
}

/// AVX-512F with AVX512_BF16.
#[derive(Clone, Copy, Debug)]
pub struct Avx512Bf16(Avx512);

impl Arch for Avx512Bf16 {
    type Register = __m512;
    type Int16Register = [__m256i; 2];

    const SUMS: usize = Avx512::SUMS;

    #[inline(always)]
    fn vectorize<K: Kernel>(self, kernel: K) {
        #[target_feature(enable = "avx512f,avx512bf16,fma")]
        fn compiled<K: Kernel>(arch: Avx512Bf16, kernel: K) {
            kernel.run(arch);
        }
        // SAFETY: `self` exists only where the processor has these features.
        unsafe { compiled(self, kernel) }
    }

    #[inline(always)]
    fn load(self, lanes: &Lanes) -> __m512 {
        self.0.load(lanes)
    }

    #[inline(always)]
    fn store(self, register: __m512, lanes: &mut Lanes) {
        self.0.store(register, lanes);
    }

    #[inline(always)]
    fn splat(self, x: f32) -> __m512 {
        self.0.splat(x)
    }

    #[inline(always)]
    fn add(self, a: __m512, b: __m512) -> __m512 {
        self.0.add(a, b)
    }

    #[inline(always)]
    fn max(self, a: __m512, b: __m512) -> __m512 {
        self.0.max(a, b)
    }

    #[inline(always)]
    fn mul_add(self, x: __m512, w: __m512, sum: __m512) -> __m512 {
        self.0.mul_add(x, w, sum)
    }

    #[inline(always)]
    fn sums(self, four: [__m512; 4]) -> [f32; 4] {
        self.0.sums(four)
    }

    #[inline(always)]
    fn load_int16(self, words: &Int16Lanes) -> [__m256i; 2] {
        self.0.load_int16(words)
    }

    #[inline(always)]
    fn add_int16(self, a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
        self.0.add_int16(a, b)
    }

    #[inline(always)]
    fn widen(self, words: [__m256i; 2]) -> [__m512; 2] {
        self.0.widen(words)
    }

    #[inline(always)]
    fn add_pair_product(self, sum: __m512, x: Pair, w: &Pairs) -> __m512 {
        // SAFETY: `self` exists only where the processor has AVX512_BF16. Sixteen pairs are as many bits
        // as a register of pairs, whose first numbers are the low halves.
        unsafe {
            // The factor of all sixteen comes last: there the instruction spreads it as it loads it, a third
            // faster where it is used once.
            let x = transmute::<__m512i, __m512bh>(_mm512_set1_epi32(x.bits().cast_signed()));
            _mm512_dpbf16_ps(sum, transmute::<Pairs, __m512bh>(*w), x)
        }
    }

    #[inline(always)]
    fn add_pair_products(self, sum: __m512, x: &Pairs, w: &Pairs) -> __m512 {
        // SAFETY: as above.
        unsafe { _mm512_dpbf16_ps(sum, transmute::<Pairs, __m512bh>(*x), transmute::<Pairs, __m512bh>(*w)) }
    }

    #[inline(always)]
    fn halves(self, pairs: &Pairs) -> [__m512; 2] {
        self.0.halves(pairs)
    }

    #[inline(always)]
    fn round(self, register: __m512) -> [Pair; Lanes::COUNT / 2] {
        // SAFETY: `self` exists only where the processor has AVX512_BF16. Sixteen bf16 in order are eight
        // pairs.
        unsafe { transmute(_mm512_cvtneps_pbh(register)) }
    }
}
