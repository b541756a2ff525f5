//! What was found out about positions, kept as long as there is room, for all threads of a search.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// It is that or less.
    Upper = 1,
    /// It is that or more.
    Lower = 2,
    /// It is that.
    Exact = 3,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move's bits; [`Entry::NO_MOVE`] if none is known.
    pub mv: u16,
    /// As [`to_table`](super::score::to_table) has it.
    pub score: i16,
    /// The evaluator's opinion; [`Entry::NO_OPINION`] where it was not asked.
    pub opinion: i16,
    /// Plies that were searched.
    pub depth: u8,
    /// What the score says.
    pub bound: Bound,
}

impl Entry {
    /// Of no move: in no game are all bits set.
    pub const NO_MOVE: u16 = u16::MAX;
    /// No opinion.
    pub const NO_OPINION: i16 = i16::MIN;

    /// The score if it settles a search between `alpha` and `beta`: `score` is the entry's, at the ply where it
    /// is read.
    pub fn settles(&self, score: i32, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }

    /// The entry and the search that wrote it, the last [`SEARCH_BITS`] of its number, as one word; never 0.
    fn pack(self, search: u8) -> u64 {
        let small = (self.bound as u64) << 56 | u64::from(search) << 58;
        let [mv, score, opinion] = [self.mv, self.score as u16, self.opinion as u16].map(u64::from);
        mv | score << 16 | opinion << 32 | u64::from(self.depth) << 48 | small
    }

    /// What [`Entry::pack`] made, if it made that word.
    fn unpack(word: u64) -> Option<(Entry, u8)> {
        let bound = match word >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let [mv, score, opinion] = [0, 16, 32].map(|shift| (word >> shift) as u16);
        let entry =
            Entry { mv, score: score as i16, opinion: opinion as i16, depth: (word >> 48) as u8, bound };
        Some((entry, (word >> 58) as u8))
    }
}

/// Bits of a search's number that an entry keeps.
const SEARCH_BITS: u32 = 6;

/// The place of an entry. Threads write it without locks: `check` is the position's key with all bits of `word` that are
/// set turned over, so that halves of two entries do not fit together (Hyatt and Mann, "A lockless transposition table
/// implementation for parallel search", 2002).
#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    /// 0 in a slot that was never used.
    word: AtomicU64,
}

impl Slot {
    /// What is kept here, with the key of its position and the search that wrote it.
    fn read(&self) -> Option<(u64, Entry, u8)> {
        let word = self.word.load(Relaxed);
        let (entry, search) = Entry::unpack(word)?;
        Some((self.check.load(Relaxed) ^ word, entry, search))
    }

    fn write(&self, key: u64, entry: Entry, search: u8) {
        let word = entry.pack(search);
        self.check.store(key ^ word, Relaxed);
        self.word.store(word, Relaxed);
    }
}

/// Slots among which a position has the choice: a cache line.
const WAYS: usize = 4;

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

/// A hash table of positions, of a fixed size.
#[derive(Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
    /// The last bits of the number of the search under way.
    search: u8,
}

impl Table {
    /// A table of at most so many bytes, and of one bucket at least.
    pub fn new(bytes: usize) -> Self {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        Table { buckets: (0..buckets).map(|_| Bucket::default()).collect(), search: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill_with(Bucket::default);
        self.search = 0;
    }

    /// Begins a search: what was found in those before gives way first.
    pub fn begin(&mut self) {
        self.search = (self.search + 1) % (1 << SEARCH_BITS);
    }

    /// What is known of `key`.
    pub fn get(&self, key: u64) -> Option<Entry> {
        let mut kept = self.buckets[self.place(key)].0.iter().filter_map(Slot::read);
        kept.find(|&(other, ..)| other == key).map(|(_, entry, _)| entry)
    }

    /// Keeps `entry`, in the place of what is known of `key` or of what is worth least.
    pub fn put(&self, key: u64, mut entry: Entry) {
        let search = self.search;
        let worth = |slot: &Slot| match slot.read() {
            None => -1_000,
            Some((other, ..)) if other == key => -2_000,
            // What an earlier search has found is worth less by four plies for each search since.
            Some((_, entry, earlier)) => i32::from(entry.depth) - 4 * self.since(earlier),
        };
        let slots = &self.buckets[self.place(key)].0;
        let slot = slots.iter().min_by_key(|slot| worth(slot)).expect("some ways");
        if let Some((_, old, written)) = slot.read().filter(|&(other, ..)| other == key) {
            if entry.mv == Entry::NO_MOVE {
                entry.mv = old.mv;
            }
            // A bound from a much shallower search does not replace what a deep one has found.
            if entry.bound != Bound::Exact && entry.depth + 4 < old.depth && written == search {
                return;
            }
        }
        slot.write(key, entry, search);
    }

    /// How much of it the search under way has filled, in thousandths, by a sample.
    pub fn fullness(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(1_000)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0).filter_map(Slot::read);
        let new = slots.filter(|&(.., search)| search == self.search).count();
        (1_000 * new / (sample.len() * WAYS)) as u32
    }

    /// Searches since that one began.
    fn since(&self, search: u8) -> i32 {
        i32::from(self.search.wrapping_sub(search) % (1 << SEARCH_BITS))
    }

    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(mv: u16, depth: u8) -> Entry {
        Entry { mv, score: 1, opinion: 2, depth, bound: Bound::Exact }
    }

    #[test]
    fn entries_are_packed_and_halves_of_two_are_none() {
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            for (mv, score, opinion, depth) in
                [(0, 0, 0, 0), (Entry::NO_MOVE, -30_000, Entry::NO_OPINION, 255)]
            {
                let entry = Entry { mv, score, opinion, depth, bound };
                assert_eq!(Entry::unpack(entry.pack(63)), Some((entry, 63)));
            }
        }
        let (one, two) = (Slot::default(), Slot::default());
        one.write(1, entry(1, 1), 0);
        two.write(2, entry(2, 2), 0);
        let torn = Slot { check: one.check, word: two.word };
        assert!(torn.read().is_none_or(|(key, ..)| key != 1 && key != 2));
    }

    #[test]
    fn a_full_table_keeps_what_is_deep_and_new() {
        let mut table = Table::new(1);
        assert_eq!(size_of::<Bucket>(), 64);
        table.begin();
        let ways = WAYS as u64;
        (0..ways).for_each(|key| table.put(key, entry(key as u16, 10 + key as u8)));
        (0..ways).for_each(|key| assert_eq!(table.get(key).map(|entry| entry.mv), Some(key as u16)));
        table.put(100, entry(100, 1));
        assert_eq!((table.get(0), table.get(100)), (None, Some(entry(100, 1))), "the shallowest went");
        (0..10).for_each(|_| table.begin());
        table.put(1, entry(1, 1));
        table.put(200, entry(200, 1));
        table.put(300, entry(300, 1));
        assert_eq!(table.get(1), Some(entry(1, 1)), "new ones stay");
        table.put(1, entry(Entry::NO_MOVE, 3));
        assert_eq!(table.get(1), Some(entry(1, 3)), "and a move is not forgotten");
        table.clear();
        assert_eq!((table.get(1), table.fullness()), (None, 0));
    }
}
