//! The instruction sets of x86-64, each a token of no size.
//!
//! A token is proof that this processor has the instructions: only detection makes one, which asks the processor.
//! Every operation takes the token as `self`, so safe code cannot run an instruction that the processor lacks. (The
//! crate pulp is built alike.)

use std::{
    arch::x86_64::{
        __m128, __m256, __m256i, __m512, __m512bh, __m512i, _CMP_UNORD_Q, _mm_add_ps, _mm_movehl_ps,
        _mm_movelh_ps, _mm_unpackhi_ps, _mm_unpacklo_ps, _mm256_add_epi32, _mm256_add_ps, _mm256_adds_epi16,
        _mm256_and_si256, _mm256_blendv_epi8, _mm256_castpd_ps, _mm256_castps_si256, _mm256_castps256_ps128,
        _mm256_castsi256_ps, _mm256_castsi256_si128, _mm256_cmp_ps, _mm256_cvtepi16_epi32,
        _mm256_cvtepi32_ps, _mm256_extractf128_ps, _mm256_extracti128_si256, _mm256_fmadd_ps, _mm256_max_ps,
        _mm256_or_si256, _mm256_packus_epi32, _mm256_permute4x64_epi64, _mm256_set1_epi32, _mm256_set1_ps,
        _mm256_slli_epi32, _mm256_srli_epi32, _mm512_add_ps, _mm512_and_si512, _mm512_castps_pd,
        _mm512_castps512_ps256, _mm512_castsi512_ps, _mm512_cvtepi16_epi32, _mm512_cvtepi32_ps,
        _mm512_cvtneps_pbh, _mm512_dpbf16_ps, _mm512_extractf64x4_pd, _mm512_fmadd_ps, _mm512_max_ps,
        _mm512_set1_epi32, _mm512_set1_ps, _mm512_slli_epi32,
    },
    mem::transmute,
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
        // SAFETY: as above.
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
    fn sums_of_eights(self, a: __m256, b: __m256, c: __m256, d: __m256) -> [f32; 4] {
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
    fn rounded_pairs(self, numbers: [__m256; 2]) -> [Pair; Lanes::COUNT / 2] {
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
