//! What a game remembers of its past.

use super::PalaceMove;

/// A position does not come back in fewer plies: each side has to go and to return, or to pass.
const SHORTEST_LOOP: usize = 2;

/// A position of the past, and the ply that led to it.
#[derive(Clone, Copy, Debug)]
pub struct Ply {
    /// Names the position.
    pub key: u64,
    /// What was played; `None` before the start of the game.
    pub mv: Option<PalaceMove>,
    /// Whether the side then to move was in check.
    pub check: bool,
}

/// Every position since the start of the game, the current one last.
#[derive(Debug, Default)]
pub struct History {
    past: Vec<Ply>,
    /// How often the current position has stood before.
    earlier: u32,
}

impl Clone for History {
    fn clone(&self) -> Self {
        History { past: self.past.clone(), earlier: self.earlier }
    }

    fn clone_from(&mut self, source: &Self) {
        self.past.clone_from(&source.past);
        self.earlier = source.earlier;
    }
}

impl History {
    /// Adds the current position. `reversible` is the number of plies played since the last one that cannot be
    /// taken back (a capture): no earlier position can be the same.
    pub fn push(&mut self, current: Ply, reversible: u32) {
        let ply = self.past.len();
        let oldest = ply.saturating_sub(reversible as usize);
        // The same side was to move an even number of plies ago.
        let oldest = oldest + (ply - oldest) % 2;
        let candidates = self.past.get(oldest..(ply + 1).saturating_sub(SHORTEST_LOOP)).unwrap_or(&[]);
        self.earlier = candidates.iter().step_by(2).filter(|past| past.key == current.key).count() as u32;
        self.past.push(current);
    }

    /// How often the current position has stood before.
    #[inline(always)]
    pub fn earlier(&self) -> u32 {
        self.earlier
    }

    /// The positions, oldest first.
    pub fn past(&self) -> &[Ply] {
        &self.past
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurrences_are_counted_back_to_the_last_capture() {
        let ply_to = |key| Ply { key, mv: None, check: false };
        let mut history = History::default();
        for ply in 0..12u32 {
            history.push(ply_to(u64::from(ply % 4)), ply);
            assert_eq!(history.earlier(), ply / 4);
        }
        history.push(ply_to(0), 5);
        assert_eq!(history.earlier(), 1, "only the one four plies ago");
        history.push(ply_to(1), 0);
        assert_eq!(history.earlier(), 0);
        assert_eq!(history.past().len(), 14);
    }
}
