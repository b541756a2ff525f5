//! An arena allocator for the nodes and edges of a tree. Many threads read and fill it at once. It grows by chunks,
//! without moving what is in it, and asks the system for memory only as it is used.

use std::sync::{
    OnceLock,
    atomic::{AtomicU32, Ordering::Relaxed},
};

/// An arena of items by index, `1 << BITS` of them in a chunk. A new item is the default one.
#[derive(Debug)]
pub(super) struct ChunkArena<T, const BITS: u32> {
    chunks: Box<[OnceLock<Box<[T]>>]>,
    /// Every index from here on is free.
    next: AtomicU32,
}

impl<T: Default, const BITS: u32> ChunkArena<T, BITS> {
    const LEN: u32 = 1 << BITS;

    /// With room for `items`, rounded up to whole chunks; one chunk at least.
    pub fn with_capacity(items: usize) -> Self {
        let most = (u32::MAX >> 2 >> BITS) as usize;
        let chunks = items.div_ceil(Self::LEN as usize).clamp(1, most);
        ChunkArena { chunks: (0..chunks).map(|_| OnceLock::new()).collect(), next: AtomicU32::new(0) }
    }

    /// The item at an index that was [allocated](ChunkArena::alloc).
    #[inline(always)]
    pub fn get(&self, index: u32) -> &T {
        &self.chunk(index)[(index & (Self::LEN - 1)) as usize]
    }

    /// `len` items from `first` on, which were allocated together.
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

    /// Allocates `len` items in a row, at most a chunk of them, and returns the index of the first; their values are
    /// whatever they were last. Where a chunk is short of room they begin the next one, so that the same items
    /// allocated again, with some left out, never lie further back. `None` when there is no room.
    pub fn alloc(&self, len: u32) -> Option<u32> {
        assert!(len <= Self::LEN, "{len} items do not fit a chunk of {}", Self::LEN);
        let first = |next: u32| {
            let left = Self::LEN - (next & (Self::LEN - 1));
            if len <= left { next } else { next + left }
        };
        let fits = |next| (first(next) < self.capacity()).then(|| first(next) + len);
        let first = first(self.next.fetch_update(Relaxed, Relaxed, fits).ok()?);
        self.chunks[(first >> BITS) as usize].get_or_init(|| (0..Self::LEN).map(|_| T::default()).collect());
        Some(first)
    }

    /// Every index from here on is free.
    pub fn used(&self) -> u32 {
        self.next.load(Relaxed)
    }

    /// How many items there is room for.
    pub fn capacity(&self) -> u32 {
        self.chunks.len() as u32 * Self::LEN
    }

    /// Frees every index from `used` on; the memory is kept for what is allocated next.
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
    fn what_is_allocated_lies_in_one_chunk_and_nowhere_twice() {
        let arena = ChunkArena::<AtomicU32, 4>::with_capacity(40);
        assert_eq!(arena.capacity(), 48);
        let mut seen = std::collections::HashSet::new();
        let mut allocated = 0;
        while let Some(first) = arena.alloc(5) {
            assert_eq!(arena.slice(first, 5).len(), 5);
            assert!((first..first + 5).all(|index| seen.insert(index)));
            allocated += 1;
        }
        assert_eq!(allocated, 9, "three in each chunk");
        assert_eq!((arena.alloc(1), arena.alloc(1)), (Some(47), None), "only one more fits");
    }

    /// A full tree is put in order in place: each part is allocated again, in the same order, when it has been moved.
    #[test]
    fn what_is_allocated_again_never_lies_further_back() {
        let mut arena = ChunkArena::<AtomicU32, 4>::with_capacity(160);
        // The third begins a chunk. If the first is left out, it fits into the chunk before.
        let lens = [6, 10, 5, 5, 6, 7, 4, 5, 16, 3];
        let before: Vec<u32> = lens.map(|len| arena.alloc(len).expect("room")).to_vec();
        for left_out in 0..lens.len() {
            arena.free_from(0);
            for (place, &len) in lens.iter().enumerate().filter(|&(place, _)| place != left_out) {
                let after = arena.alloc(len).expect("what lay here before has room");
                assert!(after <= before[place], "{len} items from {} to {after}", before[place]);
            }
        }
    }

    #[test]
    fn a_full_arena_stays_full_and_can_be_freed() {
        let mut arena = ChunkArena::<AtomicU32, 2>::with_capacity(1);
        assert!((0..4).all(|index| arena.alloc(1) == Some(index)));
        assert!((0..1000).all(|_| arena.alloc(3).is_none()));
        assert_eq!(arena.used(), arena.capacity());
        arena.free_from(1);
        assert_eq!(arena.alloc(3), Some(1));
    }
}
