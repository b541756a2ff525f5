//! Storage that many threads read and fill at once, in chunks: it grows without moving what is in it, and gives its
//! memory only as it is used.

use std::sync::{
    OnceLock,
    atomic::{AtomicU32, Ordering::Relaxed},
};

/// Items by index, `1 << BITS` of them in a chunk; a new item is the default one.
#[derive(Debug)]
pub(super) struct Chunks<T, const BITS: u32> {
    chunks: Box<[OnceLock<Box<[T]>>]>,
    /// Every index from here on is free; beyond the room once something did not fit.
    next: AtomicU32,
}

impl<T: Default, const BITS: u32> Chunks<T, BITS> {
    const LEN: u32 = 1 << BITS;

    /// With room for `items`, rounded up to whole chunks; one chunk at least.
    pub fn with_room(items: usize) -> Self {
        let most = (u32::MAX >> 2 >> BITS) as usize;
        let chunks = items.div_ceil(Self::LEN as usize).clamp(1, most);
        Chunks { chunks: (0..chunks).map(|_| OnceLock::new()).collect(), next: AtomicU32::new(0) }
    }

    /// The item at an index that was [taken](Chunks::take).
    #[inline(always)]
    pub fn get(&self, index: u32) -> &T {
        &self.chunk(index)[(index & (Self::LEN - 1)) as usize]
    }

    /// `len` items from `first` on, which were taken together.
    #[inline(always)]
    pub fn slice(&self, first: u32, len: usize) -> &[T] {
        &self.chunk(first)[(first & (Self::LEN - 1)) as usize..][..len]
    }

    #[inline(always)]
    fn chunk(&self, index: u32) -> &[T] {
        match self.chunks[(index >> BITS) as usize].get() {
            Some(chunk) => chunk,
            None => &[],
        }
    }

    /// The index of `len` items in a row that nobody has yet, at most a chunk of them; their values are whatever they
    /// were last. `None` when there is no room.
    pub fn take(&self, len: u32) -> Option<u32> {
        assert!(len <= Self::LEN, "{len} items do not fit a chunk of {}", Self::LEN);
        loop {
            let first = self.next.fetch_add(len, Relaxed);
            let Some(chunk) = self.chunks.get((first >> BITS) as usize) else {
                // Not ever further, so that the index cannot wrap.
                self.next.fetch_sub(len, Relaxed);
                return None;
            };
            if (first & (Self::LEN - 1)) + len <= Self::LEN {
                chunk.get_or_init(|| (0..Self::LEN).map(|_| T::default()).collect());
                return Some(first);
            }
            // It would lie in two chunks: what is in either of them stays empty.
        }
    }

    /// Every index from here on is free.
    pub fn used(&self) -> u32 {
        // What did not fit the last chunk was counted all the same.
        self.next.load(Relaxed).min(self.room())
    }

    /// How many items there is room for.
    pub fn room(&self) -> u32 {
        self.chunks.len() as u32 * Self::LEN
    }

    /// Frees every index from `used` on; the memory is kept for those that take them next.
    pub fn free_from(&mut self, used: u32) {
        *self.next.get_mut() = used;
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        let held = self.chunks.iter().filter(|chunk| chunk.get().is_some()).count();
        held * Self::LEN as usize * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_lies_in_one_chunk_and_nowhere_twice() {
        let chunks = Chunks::<AtomicU32, 4>::with_room(40);
        assert_eq!(chunks.room(), 48);
        let mut seen = std::collections::HashSet::new();
        let mut taken = 0;
        while let Some(first) = chunks.take(5) {
            assert_eq!(chunks.slice(first, 5).len(), 5);
            assert!((first..first + 5).all(|index| seen.insert(index)));
            taken += 1;
        }
        assert_eq!(taken, 7, "where a chunk is short of room, that much of the next is left empty too");
        assert_eq!(chunks.take(1), None, "full for good");
    }

    #[test]
    fn a_full_store_stays_full_and_can_be_freed() {
        let mut chunks = Chunks::<AtomicU32, 2>::with_room(1);
        assert!((0..4).all(|index| chunks.take(1) == Some(index)));
        assert!((0..1000).all(|_| chunks.take(3).is_none()));
        assert_eq!(chunks.used(), chunks.room());
        chunks.free_from(1);
        assert_eq!(chunks.take(3), Some(1));
    }
}
