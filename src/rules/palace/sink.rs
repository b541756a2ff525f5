//! What becomes of generated moves: listed, counted, or only asked for.

use std::ops::ControlFlow;

use super::{PalaceMove, Set, Square};

/// Whether the sink wants more moves.
pub type Flow = ControlFlow<()>;

/// Takes legal moves, a set of target squares at a time. Sets may be empty.
pub trait Sink {
    /// The piece on `from` may go to each of `to`.
    fn piece(&mut self, from: Square, to: Set) -> Flow;

    /// To each of `to` a piece may go from the square `step` before it.
    fn steps(&mut self, step: isize, to: Set) -> Flow;
}

/// Appends the legal moves to a list.
pub struct List<'a>(pub &'a mut Vec<PalaceMove>);

impl Sink for List<'_> {
    #[inline(always)]
    fn piece(&mut self, from: Square, to: Set) -> Flow {
        self.0.extend(to.squares().map(|to| PalaceMove::new(from, to)));
        Flow::Continue(())
    }

    #[inline(always)]
    fn steps(&mut self, step: isize, to: Set) -> Flow {
        let from = |to: Square| Square::from_index(to.index().wrapping_add_signed(-step));
        self.0.extend(to.squares().map(|to| PalaceMove::new(from(to), to)));
        Flow::Continue(())
    }
}

/// Counts the legal moves.
pub struct Count(pub u64);

impl Sink for Count {
    #[inline(always)]
    fn piece(&mut self, _: Square, to: Set) -> Flow {
        self.0 += u64::from(to.count());
        Flow::Continue(())
    }

    #[inline(always)]
    fn steps(&mut self, _: isize, to: Set) -> Flow {
        self.0 += u64::from(to.count());
        Flow::Continue(())
    }
}

/// Stops at the first legal move.
pub struct Any;

impl Any {
    #[inline(always)]
    fn stop_unless_empty(to: Set) -> Flow {
        if to.is_empty() { Flow::Continue(()) } else { Flow::Break(()) }
    }
}

impl Sink for Any {
    #[inline(always)]
    fn piece(&mut self, _: Square, to: Set) -> Flow {
        Any::stop_unless_empty(to)
    }

    #[inline(always)]
    fn steps(&mut self, _: isize, to: Set) -> Flow {
        Any::stop_unless_empty(to)
    }
}
