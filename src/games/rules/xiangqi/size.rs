//! A board's size and what follows from it: the tables, computed at compile time.

use super::{
    PalaceKind, PalaceSquare,
    tables::{Blocked, Row, XiangqiTables, diagonal_blockers},
};
use crate::games::rules::{
    Side,
    palace::{KINDS, SQUARES, STRIDE, lines::orthogonal_blockers},
};

/// Steps as `(file, rank)`.
type Step = (i8, i8);

const ORTHOGONALS: [Step; 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];
const DIAGONALS: [Step; 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// What a knight jumps past, its leg, and where to.
const JUMPS: [(Step, Step); 8] = [
    ((-1, 0), (-2, -1)),
    ((-1, 0), (-2, 1)),
    ((0, -1), (-1, -2)),
    ((0, -1), (1, -2)),
    ((0, 1), (-1, 2)),
    ((0, 1), (1, 2)),
    ((1, 0), (2, -1)),
    ((1, 0), (2, 1)),
];

/// A board's size, from which its tables follow.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) files: u8,
    pub(super) ranks: u8,
    /// Ranks on each side of the river, if there is one.
    pub(super) river: Option<u8>,
    /// The rank on which the first player's pawns start, counted from 0.
    pub(super) pawns: u8,
}

impl Size {
    /// The square reached by a step, as an index; `None` beyond the edge.
    const fn step(self, from: usize, (file, rank): Step) -> Option<usize> {
        let from = PalaceSquare::from_index(from);
        let (file, rank) = (from.file() as i8 + file, from.rank() as i8 + rank);
        if file < 0 || rank < 0 || file >= self.files as i8 || rank >= self.ranks as i8 {
            return None;
        }
        Some(PalaceSquare::new(file as u8, rank as u8).index())
    }

    const fn contains(self, square: usize) -> bool {
        let square = PalaceSquare::from_index(square);
        square.file() < self.files && square.rank() < self.ranks
    }

    /// The rank as the side sees it, from 0 at its own edge.
    const fn rank_of(self, side: Side, square: usize) -> u8 {
        let rank = PalaceSquare::from_index(square).rank();
        match side {
            Side::First => rank,
            Side::Second => self.ranks - 1 - rank,
        }
    }

    /// The square's place in the side's palace as `(file, rank)`, each in `0..3`.
    const fn place_in_palace(self, side: Side, square: usize) -> Option<(u8, u8)> {
        let (file, rank) = (PalaceSquare::from_index(square).file(), self.rank_of(side, square));
        let first = self.files / 2 - 1;
        if file < first || file > first + 2 || rank > 2 { None } else { Some((file - first, rank)) }
    }

    const fn is_in_palace(self, side: Side, square: usize) -> bool {
        self.place_in_palace(side, square).is_some()
    }

    /// The centre and the corners.
    const fn is_guards(self, side: Side, square: usize) -> bool {
        match self.place_in_palace(side, square) {
            Some((file, rank)) => (file + rank) % 2 == 0,
            None => false,
        }
    }

    const fn has_crossed(self, side: Side, square: usize) -> bool {
        match self.river {
            Some(river) => self.rank_of(side, square) >= river,
            None => true,
        }
    }

    /// The seven points: every second square of the ranks 1, 3 and 5 of the own side, in turn.
    const fn is_bishops(self, side: Side, square: usize) -> bool {
        let (file, rank) = (PalaceSquare::from_index(square).file(), self.rank_of(side, square));
        self.river.is_some() && !self.has_crossed(side, square) && file % 2 == 0 && rank % 2 == 0 && {
            (file + rank) % 4 == 2
        }
    }

    /// Pawns do not go back, and leave their files only beyond the river.
    const fn is_pawns(self, side: Side, square: usize) -> bool {
        let file = PalaceSquare::from_index(square).file();
        self.rank_of(side, square) >= self.pawns && (self.has_crossed(side, square) || file.is_multiple_of(2))
    }

    /// Whether a game from the start can bring a piece of the kind with this index to the square.
    const fn is_home(self, side: Side, kind: usize, square: usize) -> bool {
        match PalaceKind::ALL[kind] {
            PalaceKind::Guard => self.is_guards(side, square),
            PalaceKind::Bishop => self.is_bishops(side, square),
            PalaceKind::Pawn => self.is_pawns(side, square),
            _ => self.is_in_area(side, kind, square),
        }
    }

    /// Whether a piece of the kind with this index may be on the square at all.
    const fn is_in_area(self, side: Side, kind: usize, square: usize) -> bool {
        match PalaceKind::ALL[kind] {
            PalaceKind::King | PalaceKind::Guard => self.is_in_palace(side, square),
            PalaceKind::Bishop => self.river.is_some() && !self.has_crossed(side, square),
            _ => true,
        }
    }

    const fn homes(self, side: Side) -> [u128; KINDS] {
        let mut homes = [0; KINDS];
        let mut square = 0;
        while square < SQUARES {
            let mut kind = 0;
            while self.contains(square) && kind < KINDS {
                if self.is_home(side, kind, square) {
                    homes[kind] |= 1 << square;
                }
                kind += 1;
            }
            square += 1;
        }
        homes
    }

    const fn areas(self, side: Side) -> [u128; KINDS] {
        let mut areas = [0; KINDS];
        let mut square = 0;
        while square < SQUARES {
            let mut kind = 0;
            while self.contains(square) && kind < KINDS {
                if self.is_in_area(side, kind, square) {
                    areas[kind] |= 1 << square;
                }
                kind += 1;
            }
            square += 1;
        }
        areas
    }

    const fn crossed(self, side: Side) -> u128 {
        let mut set = 0;
        let mut square = 0;
        while square < SQUARES {
            if self.contains(square) && self.has_crossed(side, square) {
                set |= 1 << square;
            }
            square += 1;
        }
        set
    }

    /// All but the rank at the own edge.
    const fn ahead(self, side: Side) -> u128 {
        let mut set = 0;
        let mut square = 0;
        while square < SQUARES {
            if self.contains(square) && self.rank_of(side, square) > 0 {
                set |= 1 << square;
            }
            square += 1;
        }
        set
    }

    const fn pawn_from(self, side: Side) -> Row {
        let mut row = [0; SQUARES];
        let crossed = self.crossed(side);
        let behind = match side {
            Side::First => (0, -1),
            Side::Second => (0, 1),
        };
        let mut to = 0;
        while to < SQUARES {
            if self.contains(to) {
                if let Some(from) = self.step(to, behind) {
                    row[to] |= 1 << from;
                }
                if let Some(from) = self.step(to, (-1, 0)) {
                    row[to] |= 1 << from & crossed;
                }
                if let Some(from) = self.step(to, (1, 0)) {
                    row[to] |= 1 << from & crossed;
                }
            }
            to += 1;
        }
        row
    }

    /// Steps in the palace, of a king or of a guard.
    const fn palace_steps(self, steps: [Step; 4]) -> Row {
        let mut row = [0; SQUARES];
        let mut from = 0;
        while from < SQUARES {
            let mut i = 0;
            while self.contains(from) && i < steps.len() {
                if let Some(to) = self.step(from, steps[i]) {
                    let first = self.is_in_palace(Side::First, from) && self.is_in_palace(Side::First, to);
                    let second = self.is_in_palace(Side::Second, from) && self.is_in_palace(Side::Second, to);
                    if first || second {
                        row[from] |= 1 << to;
                    }
                }
                i += 1;
            }
            from += 1;
        }
        row
    }

    /// Two steps diagonally, on the own side.
    const fn bishop(self) -> Blocked {
        let mut table = [[0; 16]; SQUARES];
        let mut from = 0;
        while from < SQUARES {
            let mut pattern = 0;
            while self.contains(from) && pattern < 16 {
                let occupied = self.neighbours(from, DIAGONALS, pattern);
                let mut reached = 0;
                let mut i = 0;
                while i < DIAGONALS.len() {
                    let (file, rank) = DIAGONALS[i];
                    if let (Some(eye), Some(to)) =
                        (self.step(from, (file, rank)), self.step(from, (2 * file, 2 * rank)))
                    {
                        let same_side =
                            self.has_crossed(Side::First, from) == self.has_crossed(Side::First, to);
                        if occupied >> eye & 1 == 0 && same_side {
                            reached |= 1 << to;
                        }
                    }
                    i += 1;
                }
                table[from][diagonal_blockers(from, occupied)] = reached;
                pattern += 1;
            }
            from += 1;
        }
        table
    }

    /// One step orthogonally, then one diagonally onwards.
    const fn knight(self) -> Blocked {
        let mut table = [[0; 16]; SQUARES];
        let mut from = 0;
        while from < SQUARES {
            let mut pattern = 0;
            while self.contains(from) && pattern < 16 {
                let occupied = self.neighbours(from, ORTHOGONALS, pattern);
                table[from][orthogonal_blockers(from, occupied)] = self.knight_jumps(from, occupied);
                pattern += 1;
            }
            from += 1;
        }
        table
    }

    const fn knight_jumps(self, from: usize, occupied: u128) -> u128 {
        let mut reached = 0;
        let mut i = 0;
        while i < JUMPS.len() {
            let (leg, jump) = JUMPS[i];
            if let (Some(leg), Some(to)) = (self.step(from, leg), self.step(from, jump))
                && occupied >> leg & 1 == 0
            {
                reached |= 1 << to;
            }
            i += 1;
        }
        reached
    }

    /// The other way round: the leg is diagonally next to the target.
    const fn knight_from(self) -> Blocked {
        let mut table = [[0; 16]; SQUARES];
        let mut to = 0;
        while to < SQUARES {
            let mut pattern = 0;
            while self.contains(to) && pattern < 16 {
                let occupied = self.neighbours(to, DIAGONALS, pattern);
                let mut origins = 0;
                let mut i = 0;
                while i < JUMPS.len() {
                    let (leg, jump) = JUMPS[i];
                    let back = (leg.0 - jump.0, leg.1 - jump.1);
                    if let (Some(leg), Some(from)) = (self.step(to, back), self.step(to, (-jump.0, -jump.1)))
                        && occupied >> leg & 1 == 0
                    {
                        origins |= 1 << from;
                    }
                    i += 1;
                }
                table[to][diagonal_blockers(to, occupied)] = origins;
                pattern += 1;
            }
            to += 1;
        }
        table
    }

    /// Those of the four squares that `pattern` chooses. Beyond the top and the bottom lie squares of the next
    /// files: they block nothing, but they are seen when blockers are.
    const fn neighbours(self, square: usize, steps: [Step; 4], pattern: u32) -> u128 {
        let mut set = 0;
        let mut i = 0;
        while i < steps.len() {
            let (file, rank) = steps[i];
            let neighbour = square as isize + file as isize * STRIDE as isize + rank as isize;
            if neighbour >= 0 && pattern >> i & 1 != 0 {
                set |= 1 << neighbour;
            }
            i += 1;
        }
        set
    }

    /// Computes all tables.
    pub(super) const fn tables(self) -> XiangqiTables {
        let sides = [Side::First, Side::Second];
        let king = self.palace_steps(ORTHOGONALS);
        let pawn_from = [self.pawn_from(Side::First), self.pawn_from(Side::Second)];
        let knight_from = self.knight_from();
        let mut near_king = [[0; SQUARES]; 2];
        let mut square = 0;
        while square < SQUARES {
            let mut targets = king[square];
            while targets != 0 {
                let to = targets.trailing_zeros() as usize;
                targets &= targets - 1;
                near_king[0][square] |= knight_from[to][0] | pawn_from[1][to];
                near_king[1][square] |= knight_from[to][0] | pawn_from[0][to];
            }
            square += 1;
        }
        XiangqiTables {
            board: self.homes(Side::First)[PalaceKind::Rook.index()],
            homes: [self.homes(sides[0]), self.homes(sides[1])],
            areas: [self.areas(sides[0]), self.areas(sides[1])],
            crossed: [self.crossed(sides[0]), self.crossed(sides[1])],
            ahead: [self.ahead(sides[0]), self.ahead(sides[1])],
            pawn_from,
            king,
            guard: self.palace_steps(DIAGONALS),
            bishop: self.bishop(),
            knight: self.knight(),
            knight_from,
            near_king,
        }
    }
}
