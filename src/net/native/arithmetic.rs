//! What kernels do with sixteen numbers at once.

use super::{
    arch::Arch,
    bf16::{Pair, Pairs},
    lanes::Lanes,
};

impl Lanes {
    /// `self + x * w`.
    #[inline(always)]
    pub fn add_product<A: Arch>(&mut self, arch: A, x: f32, w: &Lanes) {
        arch.store(arch.mul_add(arch.splat(x), arch.load(w), arch.load(self)), self);
    }

    /// `self + x * w`, one by one.
    #[inline(always)]
    pub fn add_products<A: Arch>(&mut self, arch: A, x: &Lanes, w: &Lanes) {
        arch.store(arch.mul_add(arch.load(x), arch.load(w), arch.load(self)), self);
    }

    /// `self + x * w`, for both of each pair.
    #[inline(always)]
    pub fn add_pair_product<A: Arch>(&mut self, arch: A, x: Pair, w: &Pairs) {
        arch.store(arch.add_pair_product(arch.load(self), x, w), self);
    }

    /// `self + other`.
    #[inline(always)]
    pub fn add<A: Arch>(&mut self, arch: A, other: &Lanes) {
        arch.store(arch.add(arch.load(self), arch.load(other)), self);
    }

    /// The larger of the two, one by one.
    #[inline(always)]
    pub fn max<A: Arch>(&mut self, arch: A, other: &Lanes) {
        arch.store(arch.max(arch.load(self), arch.load(other)), self);
    }
}
