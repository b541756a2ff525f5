//! Which moves come first: those that the policy likes, corrected by what has cut off elsewhere.

use crate::games::rules::{Move, Side};

/// A legal move and what speaks for it.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// In nats below the policy's favourite, and what history and killers add to that.
    pub rank: f32,
    /// Whether it takes a piece or promotes one.
    pub forces: bool,
}

/// As many moves are chosen one by one, as most nodes try no more; then the rest is sorted.
const CHOSEN: usize = 4;

/// Moves the best of `candidates` from place `from` on to that place. It is to be called for one place after another.
pub fn bring_best<M>(candidates: &mut [Candidate<M>], from: usize) {
    let rest = &mut candidates[from..];
    match from {
        0..CHOSEN => {
            let best = rest.iter().enumerate().max_by(|(_, a), (_, b)| a.rank.total_cmp(&b.rank));
            if let Some((best, _)) = best {
                rest.swap(0, best);
            }
        }
        CHOSEN => rest.sort_unstable_by(|a, b| b.rank.total_cmp(&a.rank)),
        _ => {}
    }
}

/// The largest that a move's history becomes.
const MOST: i32 = 16_384;
/// What the largest history is worth, in nats. Untuned.
const NATS: f32 = 3.0;
/// What a killer is worth, in nats. Untuned.
const KILLER: f32 = 1.0;

/// How often moves have cut off a search, by side and move, wherever they were played.
#[derive(Clone, Debug)]
pub struct History {
    /// `[side, bits of a move]`.
    counts: Vec<i16>,
}

impl History {
    /// Of nothing yet.
    pub fn new() -> Self {
        History { counts: vec![0; 2 << u16::BITS] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.counts.fill(0);
    }

    /// Makes half as much of what it knows.
    pub fn fade(&mut self) {
        self.counts.iter_mut().for_each(|count| *count /= 2);
    }

    /// What speaks for `mv`, in nats.
    pub fn nats<M: Move>(&self, side: Side, mv: M, killers: [Option<M>; 2]) -> f32 {
        let count = f32::from(self.counts[place(side, mv)]);
        let killer = if killers.contains(&Some(mv)) { KILLER } else { 0.0 };
        NATS * count / MOST as f32 + killer
    }

    /// `mv` has cut off a search of this depth.
    pub fn praise<M: Move>(&mut self, side: Side, mv: M, depth: i32) {
        self.shift(place(side, mv), bonus(depth));
    }

    /// `mv` was tried before another that has cut off.
    pub fn blame<M: Move>(&mut self, side: Side, mv: M, depth: i32) {
        self.shift(place(side, mv), -bonus(depth));
    }

    /// The nearer to the largest, the less a step adds.
    fn shift(&mut self, place: usize, by: i32) {
        let count = i32::from(self.counts[place]);
        self.counts[place] = (count + by - count * by.abs() / MOST) as i16;
    }
}

fn bonus(depth: i32) -> i32 {
    (100 * depth * depth).min(2_000)
}

fn place<M: Move>(side: Side, mv: M) -> usize {
    side.index() << u16::BITS | usize::from(mv.bits())
}
