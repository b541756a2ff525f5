//! Lookup tables, computed at compile time: where pieces step, lines, promotion zones.

use super::square::{PLACES, STRIDE, ShogiSquare};

/// A set of squares for every square; an empty one for every place that is not on the board.
pub(super) type Row<T> = [T; PLACES];

/// A direction on the board as the first player sees it; up is away from them.
#[derive(Clone, Copy)]
pub(super) enum Direction {
    Up,
    Right,
    UpRight,
    DownRight,
    Down,
    Left,
    DownLeft,
    UpLeft,
}

use Direction::*;

impl Direction {
    /// Whence the lances of each side come.
    pub(super) const BEHIND: [Direction; 2] = [Down, Up];
}

/// The directions in the order of their discriminants: the first four lead to larger indices.
const STEPS: [(i8, i8); 8] = [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)];

/// The tables of one board. Arrays of two are by side.
pub struct ShogiTables<T> {
    /// Every square of the board.
    pub(super) board: T,
    /// The promotion zone.
    pub(super) zone: [T; 2],
    /// The farthest rank: no pawn or lance may stand there unpromoted.
    pub(super) last_rank: [T; 2],
    /// The two farthest ranks: no knight may stand there unpromoted.
    pub(super) last_ranks: [T; 2],
    /// The highest rank as the first player sees it, for both sides.
    pub(super) top: T,
    /// Steps of a pawn.
    pub(super) pawn: [Row<T>; 2],
    /// Jumps of a knight.
    pub(super) knight: [Row<T>; 2],
    /// Steps of a silver.
    pub(super) silver: [Row<T>; 2],
    /// Steps of a gold, and of what promotes to one.
    pub(super) gold: [Row<T>; 2],
    /// Steps of a king.
    pub(super) king: Row<T>,
    /// The squares from which a piece of the other side could reach, by a step or a jump, the square or one
    /// next to it.
    pub(super) near: [Row<T>; 2],
    /// The squares from a square to the edge, by [`Direction`].
    pub(super) rays: [Row<T>; 8],
    /// The rays to the left, down left and up left with their bytes reversed, in this order.
    pub(super) flipped: [Row<T>; 3],
    /// The four orthogonal rays together.
    pub(super) orthogonals: Row<T>,
    /// The four diagonal rays together.
    pub(super) diagonals: Row<T>,
    /// The orthogonals of all squares where a king may step.
    pub(super) near_orthogonals: Row<T>,
    /// The diagonals of those.
    pub(super) near_diagonals: Row<T>,
    /// The files of those.
    pub(super) near_files: Row<T>,
    /// The squares strictly between two squares of one line; none where they share no line.
    pub(super) between: [Row<T>; PLACES],
}

/// Steps as `(file, rank)` towards the second player.
const PAWN: &[(i8, i8)] = &[(0, 1)];
const KNIGHT: &[(i8, i8)] = &[(-1, 2), (1, 2)];
const SILVER: &[(i8, i8)] = &[(-1, 1), (0, 1), (1, 1), (-1, -1), (1, -1)];
const GOLD: &[(i8, i8)] = &[(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (0, -1)];

/// A board's size, for building its tables.
#[derive(Clone, Copy)]
struct Size {
    files: u8,
    ranks: u8,
}

impl Size {
    /// The square reached by a step, as an index; `None` beyond the edge.
    const fn step(self, from: usize, (file, rank): (i8, i8)) -> Option<usize> {
        let from = ShogiSquare::from_index(from);
        let (file, rank) = (from.file() as i8 + file, from.rank() as i8 + rank);
        if file < 0 || rank < 0 || file >= self.files as i8 || rank >= self.ranks as i8 {
            return None;
        }
        Some(ShogiSquare::new(file as u8, rank as u8).index())
    }

    const fn contains(self, square: usize) -> bool {
        let square = ShogiSquare::from_index(square);
        square.file() < self.files && square.rank() < self.ranks
    }

    /// The ranks from `first` on, `count` of them.
    const fn ranks(self, first: u8, count: u8) -> u128 {
        let mut set = 0;
        let mut file = 0;
        while file < self.files {
            let ranks = ((1u128 << count) - 1) << first;
            set |= ranks << (file * STRIDE);
            file += 1;
        }
        set
    }

    /// The `count` ranks farthest from each side.
    const fn far_ranks(self, count: u8) -> [u128; 2] {
        [self.ranks(self.ranks - count, count), self.ranks(0, count)]
    }

    /// Where `steps` lead from every square, for each side.
    const fn steppers(self, steps: &[(i8, i8)]) -> [Row<u128>; 2] {
        let mut rows = [[0; PLACES]; 2];
        let mut from = 0;
        while from < PLACES {
            let mut i = 0;
            while self.contains(from) && i < steps.len() {
                let (file, rank) = steps[i];
                if let Some(to) = self.step(from, (file, rank)) {
                    rows[0][from] |= 1 << to;
                }
                if let Some(to) = self.step(from, (-file, -rank)) {
                    rows[1][from] |= 1 << to;
                }
                i += 1;
            }
            from += 1;
        }
        rows
    }

    /// Squares from which an enemy of each side steps or jumps onto a square or next to it. A step reaches the
    /// next square but one from there; a knight, the third rank in front.
    const fn near(self) -> [Row<u128>; 2] {
        let mut rows = [[0; PLACES]; 2];
        let mut from = 0;
        while from < PLACES {
            let mut to = 0;
            while self.contains(from) && to < PLACES {
                let (a, b) = (ShogiSquare::from_index(from), ShogiSquare::from_index(to));
                let files = (b.file() as i8 - a.file() as i8).abs();
                let ahead = b.rank() as i8 - a.rank() as i8;
                if self.contains(to) && files <= 2 && ahead >= -2 && ahead <= 3 {
                    rows[0][from] |= 1 << to;
                }
                if self.contains(to) && files <= 2 && ahead >= -3 && ahead <= 2 {
                    rows[1][from] |= 1 << to;
                }
                to += 1;
            }
            from += 1;
        }
        rows
    }

    const fn ray(self, direction: Direction) -> Row<u128> {
        let mut row = [0; PLACES];
        let mut from = 0;
        while from < PLACES {
            let mut at = from;
            while self.contains(from)
                && let Some(to) = self.step(at, STEPS[direction as usize])
            {
                row[from] |= 1 << to;
                at = to;
            }
            from += 1;
        }
        row
    }

    const fn between(self) -> [Row<u128>; PLACES] {
        let mut rows = [[0; PLACES]; PLACES];
        let mut from = 0;
        while from < PLACES {
            let mut direction = 0;
            while self.contains(from) && direction < STEPS.len() {
                let mut passed = 0;
                let mut at = from;
                while let Some(to) = self.step(at, STEPS[direction]) {
                    rows[from][to] = passed;
                    passed |= 1 << to;
                    at = to;
                }
                direction += 1;
            }
            from += 1;
        }
        rows
    }
}

const fn union(rows: [&Row<u128>; 4]) -> Row<u128> {
    let mut out = [0; PLACES];
    let mut i = 0;
    while i < PLACES {
        out[i] = rows[0][i] | rows[1][i] | rows[2][i] | rows[3][i];
        i += 1;
    }
    out
}

/// For every square the union of `row` over its `neighbours`.
const fn around(neighbours: &Row<u128>, row: &Row<u128>) -> Row<u128> {
    let mut out = [0; PLACES];
    let mut i = 0;
    while i < PLACES {
        let mut rest = neighbours[i];
        while rest != 0 {
            out[i] |= row[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        i += 1;
    }
    out
}

const fn flip(row: &Row<u128>) -> Row<u128> {
    let mut out = [0; PLACES];
    let mut i = 0;
    while i < PLACES {
        out[i] = row[i].swap_bytes();
        i += 1;
    }
    out
}

impl ShogiTables<u128> {
    /// The tables of a board with a promotion zone of `zone` ranks.
    pub(super) const fn new(files: u8, ranks: u8, zone: u8) -> ShogiTables<u128> {
        let size = Size { files, ranks };
        let rays = [
            size.ray(Up),
            size.ray(Right),
            size.ray(UpRight),
            size.ray(DownRight),
            size.ray(Down),
            size.ray(Left),
            size.ray(DownLeft),
            size.ray(UpLeft),
        ];
        let [up, right, up_right, down_right, down, left, down_left, up_left] = &rays;
        let orthogonals = union([up, right, down, left]);
        let diagonals = union([up_right, down_right, down_left, up_left]);
        let flipped = [flip(left), flip(down_left), flip(up_left)];
        let [king, _] = size.steppers(&STEPS);
        ShogiTables {
            board: size.ranks(0, ranks),
            zone: size.far_ranks(zone),
            last_rank: size.far_ranks(1),
            last_ranks: size.far_ranks(2),
            top: size.ranks(ranks - 1, 1),
            pawn: size.steppers(PAWN),
            knight: size.steppers(KNIGHT),
            silver: size.steppers(SILVER),
            gold: size.steppers(GOLD),
            king,
            near: size.near(),
            flipped,
            rays,
            near_orthogonals: around(&king, &orthogonals),
            near_diagonals: around(&king, &diagonals),
            near_files: around(&king, &union([up, down, up, down])),
            orthogonals,
            diagonals,
            between: size.between(),
        }
    }
}

/// The low half of each set.
const fn low(row: &Row<u128>) -> Row<u64> {
    let mut out = [0; PLACES];
    let mut i = 0;
    while i < PLACES {
        out[i] = row[i] as u64;
        i += 1;
    }
    out
}

/// The low half of each set whose bytes are reversed: they hold it in the high half.
const fn low_flipped(row: &Row<u128>) -> Row<u64> {
    let mut out = [0; PLACES];
    let mut i = 0;
    while i < PLACES {
        out[i] = (row[i] >> 64) as u64;
        i += 1;
    }
    out
}

const fn low_rows<const N: usize>(rows: &[Row<u128>; N]) -> [Row<u64>; N] {
    let mut out = [[0; PLACES]; N];
    let mut i = 0;
    while i < N {
        out[i] = low(&rows[i]);
        i += 1;
    }
    out
}

impl ShogiTables<u64> {
    /// The tables of a board whose squares all lie in the low 64 bits.
    pub(super) const fn narrow(wide: &ShogiTables<u128>) -> ShogiTables<u64> {
        let [left, down_left, up_left] = &wide.flipped;
        ShogiTables {
            board: wide.board as u64,
            zone: [wide.zone[0] as u64, wide.zone[1] as u64],
            last_rank: [wide.last_rank[0] as u64, wide.last_rank[1] as u64],
            last_ranks: [wide.last_ranks[0] as u64, wide.last_ranks[1] as u64],
            top: wide.top as u64,
            pawn: low_rows(&wide.pawn),
            knight: low_rows(&wide.knight),
            silver: low_rows(&wide.silver),
            gold: low_rows(&wide.gold),
            king: low(&wide.king),
            near: low_rows(&wide.near),
            rays: low_rows(&wide.rays),
            flipped: [low_flipped(left), low_flipped(down_left), low_flipped(up_left)],
            orthogonals: low(&wide.orthogonals),
            diagonals: low(&wide.diagonals),
            near_orthogonals: low(&wide.near_orthogonals),
            near_diagonals: low(&wide.near_diagonals),
            near_files: low(&wide.near_files),
            between: low_rows(&wide.between),
        }
    }
}
