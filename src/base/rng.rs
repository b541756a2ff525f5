//! Random numbers that are the same on every machine and at any thread count.
//!
//! Every random choice of the program depends on the run's seed and on what it is for, never on the clock,
//! on a thread or on what was drawn before elsewhere.

use rand::SeedableRng;
pub use rand_xoshiro::Xoshiro256PlusPlus as Rng;

use super::splitmix::mix;

/// What a stream of random numbers is for; two purposes never share numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A self-play game: `[generation, game]`.
    SelfPlay = 1,
    /// The order in which a generation's positions are learnt: `[generation]`.
    Replay = 2,
    /// Initial weights.
    Weights = 3,
    /// Matches played while training: `[generation]`.
    Evaluation = 4,
    /// Positions that a benchmark starts from.
    Bench = 5,
    /// A game of a match: `[pair, colour]`.
    Match = 6,
    /// Openings: `[]` their order in a match, `[index]` the making of one, `[round, game]` a game that teaches what
    /// pieces are worth.
    Openings = 7,
}

/// The generator for `purpose`, the `indices`-th of its kind, in the run of `seed`.
pub fn stream(seed: u64, purpose: Purpose, indices: &[u64]) -> Rng {
    Rng::seed_from_u64(stream_seed(seed, purpose, indices))
}

/// The seed of [`stream`], for what seeds itself.
pub fn stream_seed(seed: u64, purpose: Purpose, indices: &[u64]) -> u64 {
    indices.iter().fold(mix(seed ^ mix(purpose as u64)), |state, &index| mix(state ^ mix(index)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_in_every_part() {
        let seeds = [
            stream_seed(1, Purpose::SelfPlay, &[0, 0]),
            stream_seed(2, Purpose::SelfPlay, &[0, 0]),
            stream_seed(1, Purpose::Replay, &[0, 0]),
            stream_seed(1, Purpose::SelfPlay, &[0, 1]),
            stream_seed(1, Purpose::SelfPlay, &[1, 0]),
            stream_seed(1, Purpose::SelfPlay, &[0]),
        ];
        for (i, a) in seeds.iter().enumerate() {
            assert!(seeds[..i].iter().all(|b| a != b), "seed {i} repeats");
        }
    }
}
