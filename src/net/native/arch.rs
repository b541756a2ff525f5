//! What the kernels ask of an instruction set.

use super::{
    bf16::{Pair, Pairs},
    int16_lanes::Int16Lanes,
    lanes::Lanes,
};

/// The registers and instructions that a kernel is compiled to.
///
/// By itself the compiler splits loops over sixteen numbers into single ones, or assembles registers from pieces, more
/// than ten times slower at worst. So the few operations of the kernels are written in intrinsics.
///
/// A value of this type proves that the processor has the instructions. Every operation takes one, so only code
/// that was given the proof can run them.
pub trait Arch: Copy {
    /// Registers that hold [`Lanes`].
    type Register: Copy;

    /// Registers that hold [`Int16Lanes`].
    type Int16Register: Copy;

    /// How many sums fit into the registers, beside what is multiplied.
    const SUMS: usize;

    /// Runs `kernel` as compiled for these instructions.
    fn vectorize<K: Kernel>(self, kernel: K);

    /// Into registers.
    fn load(self, lanes: &Lanes) -> Self::Register;

    /// Back into memory.
    fn store(self, register: Self::Register, lanes: &mut Lanes);

    /// Fetches `lanes` into the cache, as they are loaded soon. Does nothing unless measured to be faster.
    #[inline(always)]
    fn prefetch(self, _lanes: &Lanes) {}

    /// Sixteen times `x`.
    fn splat(self, x: f32) -> Self::Register;

    /// `a + b`.
    fn add(self, a: Self::Register, b: Self::Register) -> Self::Register;

    /// The larger of the two; `b` where one is NaN.
    fn max(self, a: Self::Register, b: Self::Register) -> Self::Register;

    /// `x * w + sum`, rounded once where the instruction set can.
    fn mul_add(self, x: Self::Register, w: Self::Register, sum: Self::Register) -> Self::Register;

    /// The sum of each, by halves, as [`Lanes::sum`].
    #[inline(always)]
    fn sums(self, four: [Self::Register; 4]) -> [f32; 4] {
        let mut lanes = [Lanes::ZERO; 4];
        for i in 0..4 {
            self.store(four[i], &mut lanes[i]);
        }
        [lanes[0].sum(), lanes[1].sum(), lanes[2].sum(), lanes[3].sum()]
    }

    /// Into registers.
    fn load_int16(self, words: &Int16Lanes) -> Self::Int16Register;

    /// `a + b`, saturating.
    fn add_int16(self, a: Self::Int16Register, b: Self::Int16Register) -> Self::Int16Register;

    /// As f32.
    fn widen(self, words: Self::Int16Register) -> [Self::Register; 2];

    /// `sum + x * w`: the second numbers' product is added first, then that of the first ones.
    ///
    /// A product of two bf16 has no more digits than an f32, so that this is the same to the bit whether an
    /// instruction set rounds it or not. `vdpbf16ps` is the same, too, by Intel's manual and in a million random
    /// cases on a Zen 4, but that it takes denormals for zero.
    #[inline(always)]
    fn add_pair_product(self, sum: Self::Register, x: Pair, w: &Pairs) -> Self::Register {
        let [first, second] = self.halves(w);
        let sum = self.mul_add(self.splat(x.second()), second, sum);
        self.mul_add(self.splat(x.first()), first, sum)
    }

    /// The same, pair by pair.
    #[inline(always)]
    fn add_pair_products(self, sum: Self::Register, x: &Pairs, w: &Pairs) -> Self::Register {
        let ([x_first, x_second], [w_first, w_second]) = (self.halves(x), self.halves(w));
        self.mul_add(x_first, w_first, self.mul_add(x_second, w_second, sum))
    }

    /// The first numbers, then the second ones.
    fn halves(self, pairs: &Pairs) -> [Self::Register; 2];

    /// Rounds two at a time.
    #[inline(always)]
    fn round(self, register: Self::Register) -> [Pair; Lanes::COUNT / 2] {
        let mut lanes = Lanes::ZERO;
        self.store(register, &mut lanes);
        std::array::from_fn(|i| Pair::round(lanes.0[2 * i], lanes.0[2 * i + 1]))
    }
}

/// A piece of work that is compiled for every instruction set. `run` must be `#[inline(always)]`.
pub trait Kernel {
    /// Does the work with the instructions of `arch`.
    fn run<A: Arch>(self, arch: A);
}

/// What every processor has. Without fused multiplication and addition, which would become a call of a function.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Arch for Portable {
    type Register = Lanes;
    type Int16Register = Int16Lanes;

    /// Of SSE, sixteen registers of 4.
    const SUMS: usize = 2;

    #[inline(always)]
    fn vectorize<K: Kernel>(self, kernel: K) {
        kernel.run(self);
    }

    #[inline(always)]
    fn load(self, lanes: &Lanes) -> Lanes {
        *lanes
    }

    #[inline(always)]
    fn store(self, register: Lanes, lanes: &mut Lanes) {
        *lanes = register;
    }

    #[inline(always)]
    fn splat(self, x: f32) -> Lanes {
        Lanes([x; Lanes::COUNT])
    }

    #[inline(always)]
    fn add(self, mut a: Lanes, b: Lanes) -> Lanes {
        for i in 0..Lanes::COUNT {
            a.0[i] += b.0[i];
        }
        a
    }

    #[inline(always)]
    fn max(self, mut a: Lanes, b: Lanes) -> Lanes {
        for i in 0..Lanes::COUNT {
            // Not f32::max, which has more to say about NaN than one instruction does.
            a.0[i] = if a.0[i] > b.0[i] { a.0[i] } else { b.0[i] };
        }
        a
    }

    #[inline(always)]
    fn mul_add(self, x: Lanes, w: Lanes, mut sum: Lanes) -> Lanes {
        for i in 0..Lanes::COUNT {
            sum.0[i] += x.0[i] * w.0[i];
        }
        sum
    }

    #[inline(always)]
    fn load_int16(self, words: &Int16Lanes) -> Int16Lanes {
        *words
    }

    #[inline(always)]
    fn add_int16(self, mut a: Int16Lanes, b: Int16Lanes) -> Int16Lanes {
        for i in 0..Int16Lanes::COUNT {
            a.0[i] = a.0[i].saturating_add(b.0[i]);
        }
        a
    }

    #[inline(always)]
    fn widen(self, words: Int16Lanes) -> [Lanes; 2] {
        let mut lanes = [Lanes::ZERO; 2];
        for i in 0..Lanes::COUNT {
            lanes[0].0[i] = f32::from(words.0[i]);
            lanes[1].0[i] = f32::from(words.0[Lanes::COUNT + i]);
        }
        lanes
    }

    #[inline(always)]
    fn halves(self, pairs: &Pairs) -> [Lanes; 2] {
        pairs.halves()
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt};

    use super::*;
    #[cfg(target_arch = "x86_64")]
    use crate::net::native::avx512::Avx512;
    use crate::net::{native::Isa, testing};

    /// What the operations of an instruction set make of the same numbers.
    #[derive(Debug, PartialEq)]
    struct Results {
        sum: Lanes,
        larger: Lanes,
        product: Lanes,
        pair_product: Lanes,
        pair_products: Lanes,
        rounded: [Pair; 8],
        sums: [f32; 4],
        words: [Lanes; 2],
    }

    /// What is worked on.
    #[derive(Clone, Copy)]
    struct Operands {
        lanes: [Lanes; 3],
        x: Pair,
        pairs: [Pairs; 2],
        words: [Int16Lanes; 2],
    }

    impl Operands {
        fn random(rng: &mut impl Rng) -> Self {
            let mut number = || rng.random_range(-1.0..1.0f32) * 2.0f32.powi(rng.random_range(-8..8));
            let lanes = [0; 3].map(|_| Lanes([0; 16].map(|_| number())));
            let mut pair = || Pair::round(number(), number());
            let (x, pairs) = (pair(), [0; 2].map(|_| Pairs([0; 16].map(|_| pair()))));
            let words = [0; 2].map(|_| Int16Lanes([0; 32].map(|_| rng.random_range(-30_000..30_000))));
            Operands { lanes, x, pairs, words }
        }

        /// By every instruction set that this processor has.
        fn results(&self) -> Vec<(&'static str, Results)> {
            let mut all = Vec::new();
            for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
                let mut results = None;
                isa.run(Operations { operands: self, results: &mut results });
                all.push((isa.as_str(), results.unwrap()));
            }
            #[cfg(target_arch = "x86_64")]
            if let Some(arch) = Avx512::detect() {
                // What a processor without AVX512_BF16 runs.
                let mut results = None;
                arch.vectorize(Operations { operands: self, results: &mut results });
                all.push(("avx512 without bf16", results.unwrap()));
            }
            all
        }

        /// One number after the other.
        fn plain(&self, fused: bool) -> Results {
            let Operands { lanes: [a, b, c], x, pairs: [xs, ws], words } = self;
            let lanes = |value: &dyn Fn(usize) -> f32| Lanes(std::array::from_fn(value));
            let product =
                |i: usize| if fused { b.0[i].mul_add(c.0[i], a.0[i]) } else { b.0[i] * c.0[i] + a.0[i] };
            let pair_product =
                |x: Pair, w: Pair, sum: f32| x.first() * w.first() + (x.second() * w.second() + sum);
            Results {
                sum: lanes(&|i| a.0[i] + b.0[i]),
                larger: lanes(&|i| a.0[i].max(b.0[i])),
                product: lanes(&product),
                pair_product: lanes(&|i| pair_product(*x, xs.0[i], a.0[i])),
                pair_products: lanes(&|i| pair_product(xs.0[i], ws.0[i], a.0[i])),
                rounded: std::array::from_fn(|i| Pair::round(a.0[2 * i], a.0[2 * i + 1])),
                sums: [a.sum(), b.sum(), c.sum(), a.sum()],
                words: [0, 16].map(|first| {
                    lanes(&|i| f32::from(words[0].0[first + i].saturating_add(words[1].0[first + i])))
                }),
            }
        }
    }

    struct Operations<'a> {
        operands: &'a Operands,
        results: &'a mut Option<Results>,
    }

    impl Kernel for Operations<'_> {
        #[inline(always)]
        fn run<A: Arch>(self, arch: A) {
            let Operands { lanes, x, pairs: [xs, ws], words } = self.operands;
            let [mut sum, mut larger, mut product, mut pair_product, mut pair_products] = [lanes[0]; 5];
            sum.add(arch, &lanes[1]);
            larger.max(arch, &lanes[1]);
            product.add_products(arch, &lanes[1], &lanes[2]);
            pair_product.add_pair_product(arch, *x, xs);
            let [a, b, c] = [arch.load(&lanes[0]), arch.load(&lanes[1]), arch.load(&lanes[2])];
            arch.store(arch.add_pair_products(a, xs, ws), &mut pair_products);
            let added = arch.widen(arch.add_int16(arch.load_int16(&words[0]), arch.load_int16(&words[1])));
            let mut words = [Lanes::ZERO; 2];
            arch.store(added[0], &mut words[0]);
            arch.store(added[1], &mut words[1]);
            *self.results = Some(Results {
                sum,
                larger,
                product,
                pair_product,
                pair_products,
                rounded: arch.round(a),
                sums: arch.sums([a, b, c, a]),
                words,
            });
        }
    }

    #[test]
    fn operations_are_those_of_plain_numbers() {
        let mut rng = testing::rng(1);
        for _ in 0..1000 {
            let operands = Operands::random(&mut rng);
            for (isa, results) in operands.results() {
                assert_eq!(results, operands.plain(isa != Isa::Portable.as_str()), "{isa}");
            }
        }
    }

    #[test]
    fn ties_and_what_is_no_number_are_rounded_alike() {
        let half = 0.5 / 128.0;
        let numbers =
            [1.0 + half, 1.0 + 3.0 * half, 0.0, f32::MAX, f32::INFINITY, 1e-30, 3.0 - half, f32::NAN];
        let odd = [0x7fff_ffff, 0xff80_0001, 0x7f80_0001, 0x3f80_7fff, 0x3f80_8001, 0x3f81_8000, 0, 1 << 31];
        let numbers = numbers.into_iter().chain(odd.map(f32::from_bits)).collect::<Vec<_>>();
        let mut operands = Operands::random(&mut testing::rng(1));
        for first in 0..16 {
            operands.lanes[0] = Lanes(std::array::from_fn(|i| numbers[(first + i) % 16]));
            for (isa, results) in operands.results() {
                assert_eq!(results.rounded, operands.plain(true).rounded, "{isa}");
            }
            operands.lanes[0] = Lanes(operands.lanes[0].0.map(|number| -number));
            for (isa, results) in operands.results() {
                assert_eq!(results.rounded, operands.plain(true).rounded, "{isa}");
            }
        }
    }
}
