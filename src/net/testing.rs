//! Random positions and networks, for tests.

use rand::{Rng, RngExt, SeedableRng, seq::IteratorRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Model, NetConfig};
use crate::games::encode::{Feature, Features, Shape};

/// The boards that tests run on: narrow, square, and larger than any register tile.
pub const SHAPES: [Shape; 4] = [shape(4, 3), shape(5, 5), shape(9, 9), shape(3, 14)];

/// Sizes like those of a small game on a board of `ranks` and `files`.
pub const fn shape(ranks: usize, files: usize) -> Shape {
    Shape { planes: 12, scalars: 5, move_planes: 7, ranks, files }
}

/// A generator for tests.
pub fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// About one feature a square.
pub fn features<R: Rng + ?Sized>(shape: &Shape, rng: &mut R) -> Features {
    let all = (0..shape.planes)
        .flat_map(|plane| (0..shape.squares()).map(move |square| (plane as u8, square as u8)))
        .map(|(plane, square)| Feature { plane, square, status: plane % 4 });
    Features {
        active: all.sample(rng, shape.squares()),
        // Flags that are set or not, and shares.
        scalars: (0..shape.scalars).map(|_| rng.random_range(-0.5..1.5f32).clamp(0.0, 1.0)).collect(),
    }
}

/// Distinct policy indices, at least one.
pub fn moves<R: Rng + ?Sized>(shape: &Shape, rng: &mut R) -> Vec<u16> {
    let count = rng.random_range(1..shape.squares());
    (0..shape.policy_len() as u16).sample(rng, count)
}

/// A model none of whose parameters is zero, unlike a new one.
pub fn model(net: &str, shape: &Shape, seed: u64) -> Model {
    let net: NetConfig = net.parse().expect("a net");
    #[cfg(feature = "program")]
    let model = Model::init(&net, *shape, seed);
    #[cfg(not(feature = "program"))]
    let model = Model::drawn(&net, *shape, seed);
    let mut rng = rng(!seed);
    let weights = model.weights().iter().map(|weight| weight + rng.random_range(-0.1..0.1)).collect();
    model.with_weights(weights)
}
