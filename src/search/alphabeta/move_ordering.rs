//! Move ordering: by the policy, and by what caused cutoffs elsewhere.

use crate::games::rules::{Move, Side};

/// A legal move and its rank.
#[derive(Clone, Copy, Debug)]
pub struct ScoredMove<M> {
    /// The move.
    pub mv: M,
    /// Nats below the policy's favourite, plus what history and killers add. The highest is searched first.
    pub rank: f32,
    /// Whether it takes a piece or promotes one.
    pub forces: bool,
}

/// The first moves are picked one by one, because most nodes need no more. Then the rest is sorted.
const PICKED: usize = 4;

/// Moves the best of `candidates` from place `from` on to that place. To be called for each place in turn.
pub fn pick_best<M>(candidates: &mut [ScoredMove<M>], from: usize) {
    let rest = &mut candidates[from..];
    match from {
        0..PICKED => {
            let best = rest.iter().enumerate().max_by(|(_, a), (_, b)| a.rank.total_cmp(&b.rank));
            if let Some((best, _)) = best {
                rest.swap(0, best);
            }
        }
        PICKED => rest.sort_unstable_by(|a, b| b.rank.total_cmp(&a.rank)),
        _ => {}
    }
}

/// The bound of a move's history.
const MAX_HISTORY: i32 = 16_384;
/// Nats that the largest history is worth. Untuned.
const NATS: f32 = 3.0;
/// Nats that a killer move is worth. Untuned.
const KILLER: f32 = 1.0;

/// How often moves caused a cutoff, by side and move, wherever they were played.
#[derive(Clone, Debug)]
pub struct ButterflyHistory {
    /// `[side, bits of a move]`.
    counts: Vec<i16>,
}

impl ButterflyHistory {
    /// An empty history.
    pub fn new() -> Self {
        ButterflyHistory { counts: vec![0; 2 << u16::BITS] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.counts.fill(0);
    }

    /// Halves all counts.
    pub fn decay(&mut self) {
        self.counts.iter_mut().for_each(|count| *count /= 2);
    }

    /// Nats that `mv` gains by its history, and as one of the `killers`.
    pub fn nats<M: Move>(&self, side: Side, mv: M, killers: [Option<M>; 2]) -> f32 {
        let count = f32::from(self.counts[place(side, mv)]);
        let killer = if killers.contains(&Some(mv)) { KILLER } else { 0.0 };
        NATS * count / MAX_HISTORY as f32 + killer
    }

    /// For a move that caused a cutoff in a search of this depth.
    pub fn add_bonus<M: Move>(&mut self, side: Side, mv: M, depth: i32) {
        self.shift(place(side, mv), bonus(depth));
    }

    /// For a move that was searched before another one that caused a cutoff.
    pub fn add_malus<M: Move>(&mut self, side: Side, mv: M, depth: i32) {
        self.shift(place(side, mv), -bonus(depth));
    }

    /// Adds `by`, less and less towards the bound ("history gravity").
    fn shift(&mut self, place: usize, by: i32) {
        let count = i32::from(self.counts[place]);
        self.counts[place] = (count + by - count * by.abs() / MAX_HISTORY) as i16;
    }
}

fn bonus(depth: i32) -> i32 {
    (100 * depth * depth).min(2_000)
}

fn place<M: Move>(side: Side, mv: M) -> usize {
    side.index() << u16::BITS | usize::from(mv.bits())
}
