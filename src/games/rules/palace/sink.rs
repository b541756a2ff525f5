//! Handing over moves, a set of targets at a time.

use super::{PalaceMove, PalaceSquare, Set};
use crate::games::rules::mover::{Flow, MoveSink};

/// A sink that takes moves as sets of targets, which may be empty.
pub trait Targets: MoveSink<PalaceMove> {
    /// The piece on `from` may go to each of `to`.
    #[inline(always)]
    fn piece(&mut self, from: PalaceSquare, to: Set) -> Flow {
        self.put(to.count(), to.squares().map(|to| PalaceMove::new(from, to)))
    }

    /// To each of `to` a piece may go from the square `step` before it.
    #[inline(always)]
    fn steps(&mut self, step: isize, to: Set) -> Flow {
        let from = |to: PalaceSquare| PalaceSquare::from_index(to.index().wrapping_add_signed(-step));
        self.put(to.count(), to.squares().map(|to| PalaceMove::new(from(to), to)))
    }
}

impl<S: MoveSink<PalaceMove>> Targets for S {}
