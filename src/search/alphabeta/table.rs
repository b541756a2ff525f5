//! What was found out about positions, kept as long as there is room.

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
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The lower half of the position's key; the upper half finds the bucket.
    check: u32,
    /// `None` in a slot that was never used.
    entry: Option<Entry>,
    /// The search that wrote it.
    search: u8,
}

/// Slots among which a position has the choice: a cache line.
const WAYS: usize = 4;

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

impl Bucket {
    const EMPTY: Bucket = Bucket([Slot { check: 0, entry: None, search: 0 }; WAYS]);
}

/// A hash table of positions, of a fixed size.
#[derive(Clone, Debug)]
pub struct Table {
    buckets: Vec<Bucket>,
    search: u8,
}

impl Table {
    /// A table of at most so many bytes, and of one bucket at least.
    pub fn new(bytes: usize) -> Self {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        Table { buckets: vec![Bucket::EMPTY; buckets], search: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill(Bucket::EMPTY);
        self.search = 0;
    }

    /// Begins a search: what was found in those before gives way first.
    pub fn begin(&mut self) {
        self.search = self.search.wrapping_add(1);
    }

    /// What is known of `key`.
    pub fn get(&self, key: u64) -> Option<Entry> {
        let bucket = &self.buckets[self.place(key)];
        bucket.0.iter().find(|slot| slot.check == key as u32 && slot.entry.is_some())?.entry
    }

    /// Keeps `entry`, in the place of what is known of `key` or of what is worth least.
    pub fn put(&mut self, key: u64, mut entry: Entry) {
        let (place, search) = (self.place(key), self.search);
        let worth = |slot: &Slot| match slot.entry {
            None => -1_000,
            Some(_) if slot.check == key as u32 => -2_000,
            // What an earlier search has found is worth less by four plies for each search since.
            Some(entry) => i32::from(entry.depth) - 4 * i32::from(search.wrapping_sub(slot.search)),
        };
        let slot = self.buckets[place].0.iter_mut().min_by_key(|slot| worth(slot)).expect("some ways");
        if let Some(old) = slot.entry.filter(|_| slot.check == key as u32) {
            if entry.mv == Entry::NO_MOVE {
                entry.mv = old.mv;
            }
            // A bound from a much shallower search does not replace what a deep one has found.
            if entry.bound != Bound::Exact && entry.depth + 4 < old.depth && slot.search == search {
                return;
            }
        }
        *slot = Slot { check: key as u32, entry: Some(entry), search };
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
        assert_eq!(table.get(1), None);
    }
}
