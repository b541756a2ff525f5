//! What depends on the board alone: palaces, leaps, and the lines on which a king can be attacked.
//!
//! The tables about kings have a row for each of the eighteen palace points, see [`place`].

use super::{PalaceSquare, Set};
use crate::games::rules::palace::{self, SQUARES, lines};

const FILES: i32 = palace::FILES as i32;
const RANKS: i32 = palace::STRIDE as i32;
const PLACES: usize = 18;

/// The point by file and rank as a set; nothing off the board.
const fn point(file: i32, rank: i32) -> u128 {
    if file < 0 || file >= FILES || rank < 0 || rank >= RANKS { 0 } else { 1 << (file * RANKS + rank) }
}

const fn file_of(index: usize) -> i32 {
    index as i32 / RANKS
}

const fn rank_of(index: usize) -> i32 {
    index as i32 % RANKS
}

/// The row of a palace point: nine for each palace.
#[inline(always)]
pub(super) fn place(square: PalaceSquare) -> usize {
    usize::from(TABLES.places[square.index()])
}

/// The points of each side's palace.
pub(super) const PALACES: [Set; 2] = [palace(1), palace(8)];

/// The rank farthest from each side.
pub(super) const LAST_RANKS: [Set; 2] = [rank_set(9), rank_set(0)];

/// From where a pawn of each side may step along a diagonal: the near corners and the centre of the palace that
/// it attacks.
pub(super) const PAWN_DIAGONALS: [Set; 2] =
    [Set(point(3, 7) | point(5, 7) | point(4, 8)), Set(point(3, 2) | point(5, 2) | point(4, 1))];

/// Every point of the board.
pub(super) const BOARD: Set = Set((1 << SQUARES) - 1);

const fn palace(middle: i32) -> Set {
    let mut set = 0;
    let mut i = 0;
    while i < 9 {
        set |= point(3 + i / 3, middle - 1 + i % 3);
        i += 1;
    }
    Set(set)
}

const fn rank_set(rank: i32) -> Set {
    let mut set = 0;
    let mut file = 0;
    while file < FILES {
        set |= point(file, rank);
        file += 1;
    }
    Set(set)
}

pub(super) struct Tables {
    /// The row of each palace point; 0 elsewhere.
    places: [u8; SQUARES],
    /// From where a rook could attack a palace point on the empty board, palace diagonals included.
    pub(super) lines: [Set; PLACES],
    /// From where a knight could.
    pub(super) knights: [Set; PLACES],
    /// From where a bishop could.
    pub(super) bishops: [Set; PLACES],
    /// From where a pawn of the palace's attacker could.
    pub(super) pawns: [Set; PLACES],
    /// The points on the way from such a point to a palace point, both ends excluded: for a rook and a
    /// cannon those between, for a knight and a bishop those that must be empty.
    pub(super) paths: [[Set; SQUARES]; PLACES],
    /// The points one step from a palace point along a drawn line.
    pub(super) steps: [Set; PLACES],
    /// Where a knight goes, by which of the points beside it are occupied, see [`lines::orthogonal_blockers`].
    pub(super) knight: [[Set; 16]; SQUARES],
    /// Where a bishop goes on an empty board.
    pub(super) bishop: [Set; SQUARES],
    /// The points up and right of a point, down and right, up and left, down and left.
    pub(super) quadrants: [[Set; 4]; SQUARES],
    /// The points one step along a palace diagonal.
    pub(super) diagonal: [Set; SQUARES],
    /// The point two steps along a palace diagonal: the opposite corner.
    pub(super) opposite: [Set; SQUARES],
    /// Where a pawn of each side goes.
    pub(super) pawn: [[Set; SQUARES]; 2],
}

pub(super) static TABLES: Tables = tables();

const fn tables() -> Tables {
    let none = Set(0);
    let mut tables = Tables {
        places: [0; SQUARES],
        lines: [none; PLACES],
        knights: [none; PLACES],
        bishops: [none; PLACES],
        pawns: [none; PLACES],
        paths: [[none; SQUARES]; PLACES],
        steps: [none; PLACES],
        knight: [[none; 16]; SQUARES],
        bishop: [none; SQUARES],
        quadrants: [[none; 4]; SQUARES],
        diagonal: [none; SQUARES],
        opposite: [none; SQUARES],
        pawn: [[none; SQUARES]; 2],
    };
    let mut index = 0;
    while index < SQUARES {
        fill_diagonals(&mut tables, index);
        fill_leaps(&mut tables, index);
        index += 1;
    }
    let mut index = 0;
    while index < SQUARES {
        fill_pawns(&mut tables, index);
        index += 1;
    }
    let mut place = 0;
    while place < PLACES {
        let palace = place as i32 / 9;
        let (file, rank) = (3 + place as i32 % 9 / 3, 7 * palace + place as i32 % 3);
        fill_place(&mut tables, place, (file * RANKS + rank) as usize);
        place += 1;
    }
    tables
}

/// The middle rank of the palace that a point is in.
const fn palace_middle(index: usize) -> Option<i32> {
    let (file, rank) = (file_of(index), rank_of(index));
    match (file, rank) {
        (3..=5, 0..=2) => Some(1),
        (3..=5, 7..=9) => Some(8),
        _ => None,
    }
}

const fn fill_diagonals(tables: &mut Tables, index: usize) {
    let Some(middle) = palace_middle(index) else { return };
    let (file, rank) = (file_of(index) - 4, rank_of(index) - middle);
    if file == 0 && rank == 0 {
        let corners =
            point(3, middle - 1) | point(3, middle + 1) | point(5, middle - 1) | point(5, middle + 1);
        tables.diagonal[index] = Set(corners);
    } else if file != 0 && rank != 0 {
        tables.diagonal[index] = Set(point(4, middle));
        tables.opposite[index] = Set(point(4 - file, middle - rank));
    }
}

/// The four directions.
const DIRECTIONS: [(i32, i32); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];

const fn fill_leaps(tables: &mut Tables, index: usize) {
    let (file, rank) = (file_of(index), rank_of(index));
    let mut direction = 0;
    while direction < 4 {
        let (df, dr) = DIRECTIONS[direction];
        let beside = lines::orthogonal_blockers(index, point(file + df, rank + dr));
        let mut turn = -1;
        while turn <= 1 {
            // Straight on and to either side: (df, dr) is one of the axes, and so (dr, df) is the other.
            let knight = point(file + 2 * df + turn * dr, rank + 2 * dr + turn * df);
            let bishop = point(file + 3 * df + 2 * turn * dr, rank + 3 * dr + 2 * turn * df);
            let mut occupied = 0;
            while occupied < 16 {
                if occupied & beside == 0 {
                    tables.knight[index][occupied].0 |= knight;
                }
                occupied += 1;
            }
            tables.bishop[index].0 |= bishop;
            turn += 2;
        }
        direction += 1;
    }
    let mut other = 0;
    while other < SQUARES {
        let (df, dr) = (file_of(other) - file, rank_of(other) - rank);
        if df != 0 && dr != 0 {
            let quadrant = if df < 0 { 2 } else { 0 } + if dr < 0 { 1 } else { 0 };
            tables.quadrants[index][quadrant].0 |= 1 << other;
        }
        other += 1;
    }
}

const fn fill_pawns(tables: &mut Tables, index: usize) {
    let (file, rank) = (file_of(index), rank_of(index));
    let mut side = 0;
    while side < 2 {
        let (ahead, enemy_middle) = if side == 0 { (1, 8) } else { (-1, 1) };
        let mut to = point(file - 1, rank) | point(file + 1, rank) | point(file, rank + ahead);
        if matches!(palace_middle(index), Some(middle) if middle == enemy_middle) {
            to |= tables.diagonal[index].0 & rank_bits(rank + ahead);
        }
        tables.pawn[side][index] = Set(to);
        side += 1;
    }
}

const fn rank_bits(rank: i32) -> u128 {
    if rank < 0 || rank >= RANKS { 0 } else { rank_set(rank).0 }
}

/// Fills the row of the palace point with this index.
const fn fill_place(tables: &mut Tables, place: usize, index: usize) {
    tables.places[index] = place as u8;
    let attacker = if place < 9 { 1 } else { 0 };
    let (file, rank) = (file_of(index), rank_of(index));
    let mut steps = tables.diagonal[index].0;
    let mut other = 0;
    while other < SQUARES {
        let (df, dr) = (file_of(other) - file, rank_of(other) - rank);
        let other_bit = 1 << other;
        match (df.abs(), dr.abs()) {
            (0, 0) => {}
            (0, _) | (_, 0) => {
                tables.lines[place].0 |= other_bit;
                tables.paths[place][other] =
                    lines::between(PalaceSquare::from_index(index), PalaceSquare::from_index(other));
                if df.abs() + dr.abs() == 1 && palace_middle(other).is_some() {
                    steps |= other_bit;
                }
            }
            (1, 2) | (2, 1) => {
                tables.knights[place].0 |= other_bit;
                tables.paths[place][other] = Set(knight_leg(other, index));
            }
            (2, 3) | (3, 2) => {
                tables.bishops[place].0 |= other_bit;
                tables.paths[place][other] = Set(bishop_legs(other, index));
            }
            _ => {}
        }
        if tables.opposite[index].0 & other_bit != 0 {
            tables.paths[place][other] = tables.diagonal[index];
        }
        if tables.pawn[attacker][other].0 >> index & 1 == 1 {
            tables.pawns[place].0 |= other_bit;
        }
        other += 1;
    }
    tables.lines[place].0 |= tables.diagonal[index].0 | tables.opposite[index].0;
    tables.steps[place] = Set(steps);
}

/// The point that must be empty for a knight.
const fn knight_leg(from: usize, to: usize) -> u128 {
    let (df, dr) = (file_of(to) - file_of(from), rank_of(to) - rank_of(from));
    // Half of the two steps of one axis, nothing of the one of the other.
    point(file_of(from) + df / 2, rank_of(from) + dr / 2)
}

/// The two points that must be empty for a bishop.
const fn bishop_legs(from: usize, to: usize) -> u128 {
    let (df, dr) = (file_of(to) - file_of(from), rank_of(to) - rank_of(from));
    let first = point(file_of(from) + df / 3, rank_of(from) + dr / 3);
    let second = point(file_of(to) - df.signum(), rank_of(to) - dr.signum());
    first | second
}
