//! What a game remembers of its past.

/// A position does not come back in fewer plies: each side has to go and to return, or to pass.
const SHORTEST_LOOP: usize = 2;

/// What is remembered of a position.
pub trait Remembered: Copy {
    /// Names the position.
    fn key(&self) -> u64;
}

/// Where nothing else is to be remembered.
impl Remembered for u64 {
    fn key(&self) -> u64 {
        *self
    }
}

/// Every position since the start of the game, the current one last.
#[derive(Debug)]
pub struct History<P> {
    past: Vec<P>,
    /// Where in `past` the last null move has led to; 0 where there was none.
    since: usize,
    /// How often the current position has stood before.
    earlier: u32,
    /// By how often, from twice on, a bit for every position that has stood so often since an earlier one could
    /// come back.
    repeated: [u64; REPEATS],
    /// Tells most new positions from those that have stood before.
    seen: Seen,
}

/// How many counts of [`History::repeated`] are told apart: twice, three times, and more often.
const REPEATS: usize = 3;

/// The bit of a position; others may share it.
#[inline(always)]
fn bit(key: u64) -> u64 {
    1 << (key & 63)
}

// Derived, it would want `P: Default`.
impl<P> Default for History<P> {
    fn default() -> Self {
        History { past: Vec::new(), since: 0, earlier: 0, repeated: [0; REPEATS], seen: Seen::default() }
    }
}

// Derived, `clone_from` would not keep the memory.
impl<P: Copy> Clone for History<P> {
    fn clone(&self) -> Self {
        History { past: self.past.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        self.past.clone_from(&source.past);
        self.since = source.since;
        (self.earlier, self.repeated, self.seen) = (source.earlier, source.repeated, source.seen);
    }
}

/// The positions that can still come back, each as one bit that others may share (a Bloom filter with one hash). Few
/// positions ever come back, and for the others the past need not be looked through.
#[derive(Clone, Copy, Debug, Default)]
struct Seen([u64; 4]);

impl Seen {
    /// Adds a position. Whether it may have been there.
    #[inline(always)]
    fn insert(&mut self, key: u64) -> bool {
        let (word, bit) = (&mut self.0[(key >> 62) as usize], 1 << (key >> 56 & 63));
        let was_there = *word & bit != 0;
        *word |= bit;
        was_there
    }
}

impl<P: Remembered> History<P> {
    /// Adds the current position. `reversible` is the number of plies played since the last one after which no
    /// earlier position can come back.
    pub fn push(&mut self, current: P, reversible: u32) {
        if reversible == 0 {
            (self.repeated, self.seen) = ([0; REPEATS], Seen::default());
        }
        self.earlier = if self.seen.insert(current.key()) { self.count_back(current, reversible) } else { 0 };
        if self.earlier > 0 {
            self.repeated[(self.earlier as usize).min(REPEATS) - 1] |= bit(current.key());
        }
        self.past.push(current);
    }

    /// Adds the current position, to which a null move has led. No game comes to it so: what stood before counts for
    /// nothing that is told from here on, but stays in the [past](History::past).
    pub fn skip_to(&mut self, current: P) {
        self.since = self.past.len();
        self.push(current, 0);
    }

    /// How often `current`, which is to be pushed, has stood in the last `reversible` plies, as far as no turn was skipped.
    fn count_back(&self, current: P, reversible: u32) -> u32 {
        let ply = self.past.len();
        let oldest = ply.saturating_sub(reversible as usize).max(self.since);
        // The same side was to move an even number of plies ago.
        let oldest = oldest + (ply - oldest) % 2;
        let candidates = self.past.get(oldest..(ply + 1).saturating_sub(SHORTEST_LOOP)).unwrap_or(&[]);
        candidates.iter().step_by(2).filter(|past| past.key() == current.key()).count() as u32
    }

    /// How often the current position has stood before.
    #[inline(always)]
    pub fn earlier(&self) -> u32 {
        self.earlier
    }

    /// Whether any position that can come back has stood `times` times, from 2 to 4.
    #[inline(always)]
    pub fn has_repeated(&self, times: u32) -> bool {
        self.repeated[times as usize - 2] != 0
    }

    /// Whether the position that `key` names has stood `times` times, from 2 to 4.
    #[inline(always)]
    pub fn has_stood(&self, key: u64, times: u32) -> bool {
        self.repeated[times as usize - 2] & bit(key) != 0 && self.count(key) >= times
    }

    #[inline(never)]
    fn count(&self, key: u64) -> u32 {
        self.unbroken().iter().filter(|past| past.key() == key).count() as u32
    }

    /// The positions, oldest first, those before a null move included.
    pub fn past(&self) -> &[P] {
        &self.past
    }

    /// The positions since the last null move, oldest first; all of them where there was none. Only these can repeat.
    pub fn unbroken(&self) -> &[P] {
        &self.past[self.since..]
    }

    /// Whether a turn was skipped.
    pub fn has_skip(&self) -> bool {
        self.since > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurrences_are_counted_back_to_the_last_irreversible_ply() {
        let mut history = History::default();
        for ply in 0..12u32 {
            history.push(u64::from(ply % 4), ply);
            assert_eq!(history.earlier(), ply / 4);
        }
        history.push(0, 5);
        assert_eq!(history.earlier(), 1, "only the one four plies ago");
        history.push(1, 0);
        assert_eq!(history.earlier(), 0);
        assert_eq!(history.past().len(), 14);
    }

    #[test]
    fn nothing_before_a_skipped_turn_is_counted() {
        let mut history = History::default();
        (0..12).for_each(|ply| history.push(ply % 4, u32::MAX));
        assert!(history.has_stood(3, 3) && !history.has_skip());
        history.skip_to(0);
        assert_eq!((history.earlier(), history.has_repeated(2), history.has_skip()), (0, false, true));
        assert_eq!((history.past().len(), history.unbroken()), (13, &[0][..]));
        for ply in 1..=8 {
            history.push(ply % 4, u32::MAX);
            assert_eq!(history.earlier(), ply as u32 / 4, "{ply}");
        }
        assert!(history.has_stood(0, 3) && !history.has_stood(1, 3) && history.has_stood(1, 2));
        let mut copy = History::default();
        copy.clone_from(&history);
        assert_eq!(copy.unbroken(), history.unbroken());
    }

    #[test]
    fn positions_that_stood_often_are_known_until_none_can_come_back() {
        let mut history = History::default();
        for ply in 0..16u32 {
            history.push(u64::from(ply % 4), ply);
            let stood = |times| (0..4).filter(|&key| history.has_stood(key, times)).count() as u32;
            let expected = |times: u32| (ply + 5).saturating_sub(4 * times).min(4);
            assert_eq!([stood(2), stood(3), stood(4)], [expected(2), expected(3), expected(4)], "{ply}");
            assert_eq!(
                [2, 3, 4].map(|times| history.has_repeated(times)),
                [2, 3, 4].map(|t| expected(t) > 0)
            );
            assert!(!history.has_stood(64, 2), "it shares a bit");
        }
        history.push(0, 0);
        assert!([2, 3, 4].iter().all(|&times| !history.has_repeated(times)));
    }
}
