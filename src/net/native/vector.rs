//! Sixteen numbers in registers, for kernels that the compiler does not vectorise well by itself: where loops end
//! in a sum it takes two numbers at a time, and where they are unrolled it gathers and scatters.

use super::lanes::Lanes;

/// Sixteen f32 in the registers of an instruction set, and what can be done with them.
///
/// All instruction sets with fused multiplication and addition give the same bits. The types that implement this are
/// only ever named by [`super::Isa::run`], which has made sure that the processor has the instructions.
pub trait Vector: Copy {
    /// All zero.
    fn zero() -> Self;
    /// One number, sixteen times.
    fn splat(x: f32) -> Self;
    /// From memory.
    fn load(lanes: &Lanes) -> Self;
    /// To memory.
    fn store(self, lanes: &mut Lanes);
    /// `self + other`.
    fn add(self, other: Self) -> Self;
    /// `self * other`.
    fn mul(self, other: Self) -> Self;
    /// `self * w + sum`.
    fn mul_add(self, w: Self, sum: Self) -> Self;
    /// Zero where it is negative.
    fn relu(self) -> Self;
    /// The sum of each of four, by halves.
    fn sums(four: [Self; 4]) -> [f32; 4];
}

/// Sixteen numbers wherever the compiler keeps them.
#[derive(Clone, Copy)]
pub struct PlainVector(Lanes);

impl Vector for PlainVector {
    #[inline(always)]
    fn zero() -> Self {
        PlainVector(Lanes::ZERO)
    }

    #[inline(always)]
    fn splat(x: f32) -> Self {
        PlainVector(Lanes([x; Lanes::COUNT]))
    }

    #[inline(always)]
    fn load(lanes: &Lanes) -> Self {
        PlainVector(*lanes)
    }

    #[inline(always)]
    fn store(self, lanes: &mut Lanes) {
        *lanes = self.0;
    }

    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        self.0.add(&other.0);
        self
    }

    #[inline(always)]
    fn mul(mut self, other: Self) -> Self {
        self.0.0.iter_mut().zip(&other.0.0).for_each(|(product, &value)| *product *= value);
        self
    }

    #[inline(always)]
    fn mul_add(mut self, w: Self, sum: Self) -> Self {
        self.0.0.iter_mut().zip(&w.0.0).zip(&sum.0.0).for_each(|((x, &w), &sum)| *x = *x * w + sum);
        self
    }

    #[inline(always)]
    fn relu(mut self) -> Self {
        self.0.max(&Lanes::ZERO);
        self
    }

    #[inline(always)]
    fn sums(four: [Self; 4]) -> [f32; 4] {
        four.map(|vector| vector.0.sum())
    }
}

#[cfg(target_arch = "x86_64")]
pub mod x86 {
    //! The vectors of AVX2 and AVX-512.

    use std::arch::x86_64::{
        __m128, __m256, __m512, _mm_add_ps, _mm_movehl_ps, _mm_movelh_ps, _mm_storeu_ps, _mm_unpackhi_ps,
        _mm_unpacklo_ps, _mm256_add_ps, _mm256_castpd_ps, _mm256_castps256_ps128, _mm256_extractf128_ps,
        _mm256_fmadd_ps, _mm256_load_ps, _mm256_max_ps, _mm256_mul_ps, _mm256_set1_ps, _mm256_setzero_ps,
        _mm256_store_ps, _mm512_add_ps, _mm512_castps_pd, _mm512_castps512_ps256, _mm512_extractf64x4_pd,
        _mm512_fmadd_ps, _mm512_load_ps, _mm512_max_ps, _mm512_mul_ps, _mm512_set1_ps, _mm512_setzero_ps,
        _mm512_store_ps,
    };

    use super::{Lanes, Vector};

    /// One register.
    #[derive(Clone, Copy)]
    pub struct Avx512Vector(__m512);

    /// Two registers.
    #[derive(Clone, Copy)]
    pub struct Avx2Vector(__m256, __m256);

    // SAFETY of every block below: the processor has the instructions, because `Isa::run` has asserted it before it
    // ran the kernel that names these types; and `Lanes` are aligned to 64 bytes and hold sixteen f32.

    impl Vector for Avx512Vector {
        #[inline(always)]
        fn zero() -> Self {
            // SAFETY: as above.
            Avx512Vector(unsafe { _mm512_setzero_ps() })
        }

        #[inline(always)]
        fn splat(x: f32) -> Self {
            // SAFETY: as above.
            Avx512Vector(unsafe { _mm512_set1_ps(x) })
        }

        #[inline(always)]
        fn load(lanes: &Lanes) -> Self {
            // SAFETY: as above.
            Avx512Vector(unsafe { _mm512_load_ps(lanes.0.as_ptr()) })
        }

        #[inline(always)]
        fn store(self, lanes: &mut Lanes) {
            // SAFETY: as above.
            unsafe { _mm512_store_ps(lanes.0.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: as above.
            Avx512Vector(unsafe { _mm512_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: as above.
            Avx512Vector(unsafe { _mm512_mul_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn mul_add(self, w: Self, sum: Self) -> Self {
            // SAFETY: as above.
            Avx512Vector(unsafe { _mm512_fmadd_ps(self.0, w.0, sum.0) })
        }

        #[inline(always)]
        fn relu(self) -> Self {
            // SAFETY: as above.
            Avx512Vector(unsafe { _mm512_max_ps(self.0, _mm512_setzero_ps()) })
        }

        #[inline(always)]
        fn sums(four: [Self; 4]) -> [f32; 4] {
            let [a, b, c, d] = four;
            four_sums(a.halved(), b.halved(), c.halved(), d.halved())
        }
    }

    impl Vector for Avx2Vector {
        #[inline(always)]
        fn zero() -> Self {
            // SAFETY: as above.
            unsafe { Avx2Vector(_mm256_setzero_ps(), _mm256_setzero_ps()) }
        }

        #[inline(always)]
        fn splat(x: f32) -> Self {
            // SAFETY: as above.
            unsafe { Avx2Vector(_mm256_set1_ps(x), _mm256_set1_ps(x)) }
        }

        #[inline(always)]
        fn load(lanes: &Lanes) -> Self {
            let at = lanes.0.as_ptr();
            // SAFETY: as above; the second half begins after eight numbers.
            unsafe { Avx2Vector(_mm256_load_ps(at), _mm256_load_ps(at.add(8))) }
        }

        #[inline(always)]
        fn store(self, lanes: &mut Lanes) {
            let at = lanes.0.as_mut_ptr();
            // SAFETY: as above; the second half begins after eight numbers.
            unsafe {
                _mm256_store_ps(at, self.0);
                _mm256_store_ps(at.add(8), self.1);
            }
        }

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe { Avx2Vector(_mm256_add_ps(self.0, other.0), _mm256_add_ps(self.1, other.1)) }
        }

        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: as above.
            unsafe { Avx2Vector(_mm256_mul_ps(self.0, other.0), _mm256_mul_ps(self.1, other.1)) }
        }

        #[inline(always)]
        fn mul_add(self, w: Self, sum: Self) -> Self {
            // SAFETY: as above.
            unsafe { Avx2Vector(_mm256_fmadd_ps(self.0, w.0, sum.0), _mm256_fmadd_ps(self.1, w.1, sum.1)) }
        }

        #[inline(always)]
        fn relu(self) -> Self {
            // SAFETY: as above.
            unsafe {
                let zero = _mm256_setzero_ps();
                Avx2Vector(_mm256_max_ps(self.0, zero), _mm256_max_ps(self.1, zero))
            }
        }

        #[inline(always)]
        fn sums(four: [Self; 4]) -> [f32; 4] {
            let [a, b, c, d] = four;
            four_sums(a.halved(), b.halved(), c.halved(), d.halved())
        }
    }

    // No closures below: they would be functions of their own, without the instructions.

    impl Avx512Vector {
        #[inline(always)]
        fn halved(self) -> __m256 {
            // SAFETY: as above.
            unsafe {
                let upper = _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(self.0)));
                _mm256_add_ps(_mm512_castps512_ps256(self.0), upper)
            }
        }
    }

    impl Avx2Vector {
        #[inline(always)]
        fn halved(self) -> __m256 {
            // SAFETY: as above.
            unsafe { _mm256_add_ps(self.0, self.1) }
        }
    }

    #[inline(always)]
    fn quartered(v: __m256) -> __m128 {
        // SAFETY: as above.
        unsafe { _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps::<1>(v)) }
    }

    /// The sum of the eight numbers of each, in the order of [`Lanes::sum`].
    #[inline(always)]
    fn four_sums(a: __m256, b: __m256, c: __m256, d: __m256) -> [f32; 4] {
        let (a, b, c, d) = (quartered(a), quartered(b), quartered(c), quartered(d));
        // SAFETY: as above.
        unsafe {
            // Columns of the four rows: the sums of all rows at once.
            let (low_ab, low_cd) = (_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
            let (high_ab, high_cd) = (_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
            let even = _mm_add_ps(_mm_movelh_ps(low_ab, low_cd), _mm_movelh_ps(high_ab, high_cd));
            let odd = _mm_add_ps(_mm_movehl_ps(low_cd, low_ab), _mm_movehl_ps(high_cd, high_ab));
            let mut sums = [0.0; 4];
            _mm_storeu_ps(sums.as_mut_ptr(), _mm_add_ps(even, odd));
            sums
        }
    }
}
