//! The transposition table: what was found out about positions, shared by all threads of a search.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The true score is that or less.
    Upper = 1,
    /// The true score is that or more.
    Lower = 2,
    /// The true score is that.
    Exact = 3,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// The best move's bits; [`TableEntry::NO_MOVE`] if none is known.
    pub mv: u16,
    /// As [`to_table`](super::score::to_table) has it.
    pub score: i16,
    /// The evaluator's score; [`TableEntry::NO_EVAL`] where it was not asked.
    pub static_eval: i16,
    /// Plies that were searched.
    pub depth: u8,
    /// What the score says about the true one.
    pub bound: Bound,
}

impl TableEntry {
    /// Stands for no move: no move of any game has all bits set.
    pub const NO_MOVE: u16 = u16::MAX;
    /// Stands for no static evaluation.
    pub const NO_EVAL: i16 = i16::MIN;

    /// Whether `score` ends a search between `alpha` and `beta` at once: it is the entry's, at the ply where it is read.
    pub fn allows_cutoff(&self, score: i32, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        }
    }

    /// The entry and the search that wrote it, the last [`SEARCH_BITS`] of its number, as one word; never 0.
    fn pack(self, search: u8) -> u64 {
        let small = (self.bound as u64) << 56 | u64::from(search) << 58;
        let [mv, score, static_eval] = [self.mv, self.score as u16, self.static_eval as u16].map(u64::from);
        mv | score << 16 | static_eval << 32 | u64::from(self.depth) << 48 | small
    }

    /// What [`TableEntry::pack`] made, if it made that word.
    fn unpack(word: u64) -> Option<(TableEntry, u8)> {
        let bound = match word >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let [mv, score, static_eval] = [0, 16, 32].map(|shift| (word >> shift) as u16);
        let entry = TableEntry {
            mv,
            score: score as i16,
            static_eval: static_eval as i16,
            depth: (word >> 48) as u8,
            bound,
        };
        Some((entry, (word >> 58) as u8))
    }
}

/// Bits of a search's number that an entry keeps.
const SEARCH_BITS: u32 = 6;

/// The place of an entry. Threads write it without locks: `check` is the exclusive or of the position's key and `word`,
/// so that halves of two entries do not fit together (Hyatt and Mann, "A lockless transposition table implementation
/// for parallel search", 2002).
#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    /// 0 in a slot that was never used.
    word: AtomicU64,
}

impl Slot {
    /// The entry, with the key of its position and the search that wrote it.
    fn read(&self) -> Option<(u64, TableEntry, u8)> {
        let word = self.word.load(Relaxed);
        let (entry, search) = TableEntry::unpack(word)?;
        Some((self.check.load(Relaxed) ^ word, entry, search))
    }

    fn write(&self, key: u64, entry: TableEntry, search: u8) {
        let word = entry.pack(search);
        self.check.store(key ^ word, Relaxed);
        self.word.store(word, Relaxed);
    }
}

/// Slots of a bucket, in any of which a position may be: a cache line.
const WAYS: usize = 4;

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

/// A hash table of positions, of a fixed size.
#[derive(Debug)]
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    /// The last bits of the number of the search under way.
    search: u8,
}

impl TranspositionTable {
    /// A table of at most `bytes`, and of one bucket at least.
    pub fn new(bytes: usize) -> Self {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        TranspositionTable { buckets: (0..buckets).map(|_| Bucket::default()).collect(), search: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill_with(Bucket::default);
        self.search = 0;
    }

    /// Begins a search: entries of earlier searches are replaced first.
    pub fn begin(&mut self) {
        self.search = (self.search + 1) % (1 << SEARCH_BITS);
    }

    /// What is known of `key`.
    pub fn probe(&self, key: u64) -> Option<TableEntry> {
        let mut kept = self.buckets[self.place(key)].0.iter().filter_map(Slot::read);
        kept.find(|&(other, ..)| other == key).map(|(_, entry, _)| entry)
    }

    /// Stores `entry`, in the place of what is known of `key` or of what is worth least.
    pub fn store(&self, key: u64, mut entry: TableEntry) {
        let search = self.search;
        let worth = |slot: &Slot| match slot.read() {
            None => -1_000,
            Some((other, ..)) if other == key => -2_000,
            // An entry loses the worth of four plies with each search since it was written.
            Some((_, entry, earlier)) => i32::from(entry.depth) - 4 * self.since(earlier),
        };
        let slots = &self.buckets[self.place(key)].0;
        let slot = slots.iter().min_by_key(|slot| worth(slot)).expect("some ways");
        if let Some((_, old, written)) = slot.read().filter(|&(other, ..)| other == key) {
            if entry.mv == TableEntry::NO_MOVE {
                entry.mv = old.mv;
            }
            // A bound from a much shallower search does not replace what a deep one has found.
            if entry.bound != Bound::Exact && entry.depth + 4 < old.depth && written == search {
                return;
            }
        }
        slot.write(key, entry, search);
    }

    /// How much of the table this search has filled, in thousandths, by a sample.
    pub fn fullness(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(1_000)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0).filter_map(Slot::read);
        let new = slots.filter(|&(.., search)| search == self.search).count();
        (1_000 * new / (sample.len() * WAYS)) as u32
    }

    /// Searches since that one.
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

    fn entry(mv: u16, depth: u8) -> TableEntry {
        TableEntry { mv, score: 1, static_eval: 2, depth, bound: Bound::Exact }
    }

    #[test]
    fn entries_are_packed_and_halves_of_two_are_none() {
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            for (mv, score, static_eval, depth) in
                [(0, 0, 0, 0), (TableEntry::NO_MOVE, -30_000, TableEntry::NO_EVAL, 255)]
            {
                let entry = TableEntry { mv, score, static_eval, depth, bound };
                assert_eq!(TableEntry::unpack(entry.pack(63)), Some((entry, 63)));
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
        let mut table = TranspositionTable::new(1);
        assert_eq!(size_of::<Bucket>(), 64);
        table.begin();
        let ways = WAYS as u64;
        (0..ways).for_each(|key| table.store(key, entry(key as u16, 10 + key as u8)));
        (0..ways).for_each(|key| assert_eq!(table.probe(key).map(|entry| entry.mv), Some(key as u16)));
        table.store(100, entry(100, 1));
        assert_eq!((table.probe(0), table.probe(100)), (None, Some(entry(100, 1))), "the shallowest went");
        (0..10).for_each(|_| table.begin());
        table.store(1, entry(1, 1));
        table.store(200, entry(200, 1));
        table.store(300, entry(300, 1));
        assert_eq!(table.probe(1), Some(entry(1, 1)), "new ones stay");
        table.store(1, entry(TableEntry::NO_MOVE, 3));
        assert_eq!(table.probe(1), Some(entry(1, 3)), "and a move is not forgotten");
        table.clear();
        table.store(1, entry(1, 9));
        table.store(1, TableEntry { bound: Bound::Lower, ..entry(2, 3) });
        let deep = Some(entry(1, 9));
        assert_eq!((table.probe(1), table.fullness()), (deep, 250), "a shallow bound replaces nothing deep");
        table.clear();
        assert_eq!((table.probe(1), table.fullness()), (None, 0));
    }
}
