//! What a game remembers of its past.

/// A position does not come back in fewer plies: each side has to go and to return, or to pass.
const SHORTEST_LOOP: usize = 2;

/// What is remembered of a position.
pub trait Remembered: Copy {
    /// Names the position.
    fn key(&self) -> u64;
}

/// Every position since the start of the game, the current one last.
#[derive(Debug)]
pub struct History<P> {
    past: Vec<P>,
    /// How often the current position has stood before.
    earlier: u32,
}

// Derived, it would want `P: Default`.
impl<P> Default for History<P> {
    fn default() -> Self {
        History { past: Vec::new(), earlier: 0 }
    }
}

// Derived, `clone_from` would not keep the memory.
impl<P: Copy> Clone for History<P> {
    fn clone(&self) -> Self {
        History { past: self.past.clone(), earlier: self.earlier }
    }

    fn clone_from(&mut self, source: &Self) {
        self.past.clone_from(&source.past);
        self.earlier = source.earlier;
    }
}

impl<P: Remembered> History<P> {
    /// Adds the current position. `reversible` is the number of plies played since the last one after which no
    /// earlier position can come back.
    pub fn push(&mut self, current: P, reversible: u32) {
        let ply = self.past.len();
        let oldest = ply.saturating_sub(reversible as usize);
        // The same side was to move an even number of plies ago.
        let oldest = oldest + (ply - oldest) % 2;
        let candidates = self.past.get(oldest..(ply + 1).saturating_sub(SHORTEST_LOOP)).unwrap_or(&[]);
        self.earlier = candidates.iter().step_by(2).filter(|past| past.key() == current.key()).count() as u32;
        self.past.push(current);
    }

    /// How often the current position has stood before.
    #[inline(always)]
    pub fn earlier(&self) -> u32 {
        self.earlier
    }

    /// The positions, oldest first.
    pub fn past(&self) -> &[P] {
        &self.past
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Remembered for u64 {
        fn key(&self) -> u64 {
            *self
        }
    }

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
}
