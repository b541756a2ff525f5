//! Where pieces go, own pieces not yet excluded.

use super::{PalaceSquare, Set, tables::TABLES};
use crate::games::rules::palace::{FILE, lines};

/// Points that a rook on `from` reaches.
#[inline(always)]
pub(super) fn rook(from: PalaceSquare, occupied: Set) -> Set {
    let reach = lines::rook(from, occupied);
    let near = TABLES.diagonal[from.index()];
    if near.is_empty() {
        return reach;
    }
    let far = TABLES.opposite[from.index()];
    reach | near | if (near & occupied).is_empty() { far } else { Set::EMPTY }
}

/// Points that a cannon on `from` reaches by its jump, other cannons included, which it may not take.
#[inline(always)]
pub(super) fn cannon(from: PalaceSquare, occupied: Set, cannons: Set) -> Set {
    let first = lines::rook(from, occupied);
    let screens = first & occupied & !cannons;
    let mut reach = lines::rook(from, occupied & !screens) & !first;
    let (near, far) = (TABLES.diagonal[from.index()], TABLES.opposite[from.index()]);
    if !far.is_empty() && !(near & occupied & !cannons).is_empty() {
        reach |= far;
    }
    reach
}

/// Points that a knight on `from` reaches.
#[inline(always)]
pub(super) fn knight(from: PalaceSquare, occupied: Set) -> Set {
    TABLES.knight[from.index()][lines::orthogonal_blockers(from.index(), occupied.0)]
}

/// Points that a bishop on `from` reaches: one step diagonally on from the empty points that a knight reaches.
#[inline(always)]
pub(super) fn bishop(from: PalaceSquare, occupied: Set) -> Set {
    let open = knight(from, occupied) & !occupied;
    let [up_right, down_right, up_left, down_left] = TABLES.quadrants[from.index()];
    let right = (open & up_right) << (FILE + 1) | (open & down_right) << (FILE - 1);
    let left = (open & up_left) >> (FILE - 1) | (open & down_left) >> (FILE + 1);
    (right | left) & TABLES.bishop[from.index()]
}
