//! The sides as types.

use super::{Set, tables};
use crate::rules::Side;

/// A side as a type, so that code for it is compiled with its direction known.
pub(super) trait Mover: 'static {
    /// The other side.
    type Enemy: Mover<Enemy = Self>;

    /// The side.
    const SIDE: Side;
    /// [`Side::index`].
    const INDEX: usize = Self::SIDE.index();

    /// One step ahead, in the order of the points.
    const AHEAD: i8;
    /// Where a pawn may step along a diagonal.
    const DIAGONAL_PAWNS: Set = tables::PAWN_DIAGONALS[Self::INDEX];

    /// The points one step ahead of `points`; those on the last rank have none.
    fn ahead(points: Set) -> Set;
}

/// The first player, who moves towards higher ranks.
pub(super) enum Cho {}

/// The second player.
pub(super) enum Han {}

impl Mover for Cho {
    type Enemy = Han;

    const SIDE: Side = Side::First;
    const AHEAD: i8 = 1;

    #[inline(always)]
    fn ahead(points: Set) -> Set {
        (points & !tables::LAST_RANKS[0]) << 1
    }
}

impl Mover for Han {
    type Enemy = Cho;

    const SIDE: Side = Side::Second;
    const AHEAD: i8 = -1;

    #[inline(always)]
    fn ahead(points: Set) -> Set {
        (points & !tables::LAST_RANKS[1]) >> 1
    }
}
