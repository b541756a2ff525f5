//! What a game remembers of its past: the key of every position and what a game adds to it.

/// A position does not come back in fewer plies: each side has to go and to return, or to pass.
const SHORTEST_LOOP: usize = 2;

/// Every position since the start of the game, the current one last, each with a game's own note about the ply
/// that led there.
#[derive(Debug)]
pub struct History<Note> {
    past: Vec<(u64, Note)>,
    /// How often the current position has stood before.
    earlier: u32,
}

impl<Note> Default for History<Note> {
    fn default() -> Self {
        History { past: Vec::new(), earlier: 0 }
    }
}

impl<Note: Copy> Clone for History<Note> {
    fn clone(&self) -> Self {
        History { past: self.past.clone(), earlier: self.earlier }
    }

    fn clone_from(&mut self, source: &Self) {
        self.past.clone_from(&source.past);
        self.earlier = source.earlier;
    }
}

impl<Note: Copy> History<Note> {
    /// Adds the current position. `reversible` is the number of plies played since the last one that cannot be
    /// taken back (a capture): no earlier position can be the same.
    pub fn push(&mut self, key: u64, note: Note, reversible: u32) {
        let ply = self.past.len();
        let oldest = ply.saturating_sub(reversible as usize);
        // The same side was to move an even number of plies ago.
        let oldest = oldest + (ply - oldest) % 2;
        let candidates = self.past.get(oldest..(ply + 1).saturating_sub(SHORTEST_LOOP)).unwrap_or(&[]);
        self.earlier = candidates.iter().step_by(2).filter(|past| past.0 == key).count() as u32;
        self.past.push((key, note));
    }

    /// How often the current position has stood before.
    #[inline(always)]
    pub fn earlier(&self) -> u32 {
        self.earlier
    }

    /// The keys and notes, oldest first.
    pub fn past(&self) -> &[(u64, Note)] {
        &self.past
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurrences_are_counted_back_to_the_last_capture() {
        let mut history = History::default();
        for ply in 0..12u32 {
            history.push(u64::from(ply % 4), (), ply);
            assert_eq!(history.earlier(), ply / 4);
        }
        history.push(0, (), 5);
        assert_eq!(history.earlier(), 1, "only the one four plies ago");
        history.push(1, (), 0);
        assert_eq!(history.earlier(), 0);
        assert_eq!(history.past().len(), 14);
    }
}
