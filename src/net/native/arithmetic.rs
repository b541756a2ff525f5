//! What kernels do with sixteen numbers at once.

use super::{
    arch::Arch,
    bf16::{Pair, Pairs},
    lanes::Lanes,
};

impl Lanes {
    /// `self + x * w`.
    #[inline(always)]
    pub fn add_product<A: Arch>(&mut self, x: f32, w: &Lanes) {
        A::store(A::mul_add(A::splat(x), A::load(w), A::load(self)), self);
    }

    /// `self + x * w`, one by one.
    #[inline(always)]
    pub fn add_products<A: Arch>(&mut self, x: &Lanes, w: &Lanes) {
        A::store(A::mul_add(A::load(x), A::load(w), A::load(self)), self);
    }

    /// `self + x * w`, for both of each pair.
    #[inline(always)]
    pub fn add_pair_product<A: Arch>(&mut self, x: Pair, w: &Pairs) {
        A::store(A::add_pair_product(A::load(self), x, w), self);
    }

    /// `self + other`.
    #[inline(always)]
    pub fn add<A: Arch>(&mut self, other: &Lanes) {
        A::store(A::add(A::load(self), A::load(other)), self);
    }

    /// The larger of the two, one by one.
    #[inline(always)]
    pub fn max<A: Arch>(&mut self, other: &Lanes) {
        A::store(A::max(A::load(self), A::load(other)), self);
    }
}
