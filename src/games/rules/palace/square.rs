//! Squares and sets of squares.
//!
//! Every board is laid out file by file with a stride of ten, so a square, a move and its text are the same on
//! all of them; a smaller board leaves bits unused.

use std::{
    fmt,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr},
};

/// Files of the largest board.
pub const FILES: u8 = 9;
/// Bits from one file to the next; the ranks of the largest board.
pub const STRIDE: u8 = 10;
/// From the index of a square to that of the one to its right, as a shift of a set.
pub const FILE: u32 = STRIDE as u32;
/// One more than the largest square; the length of every table by square.
pub const SQUARES: usize = (FILES * STRIDE) as usize;

/// A square, the same on every board: file `a` is at the first player's left, rank 1 is nearest to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PalaceSquare(u8);

impl PalaceSquare {
    /// The square on `file` (0 is `a`), below 9, and `rank` (0 is the first player's first rank), below 10.
    pub const fn new(file: u8, rank: u8) -> PalaceSquare {
        debug_assert!(file < FILES && rank < STRIDE);
        PalaceSquare(file * STRIDE + rank)
    }

    /// The file, counted from 0 at the first player's left.
    pub const fn file(self) -> u8 {
        self.0 / STRIDE
    }

    /// The rank, counted from 0 at the first player's side.
    pub const fn rank(self) -> u8 {
        self.0 % STRIDE
    }

    /// The place in a table by square.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square at `index`, which is below 90.
    #[inline(always)]
    pub const fn from_index(index: usize) -> PalaceSquare {
        debug_assert!(index < SQUARES);
        PalaceSquare(index as u8)
    }
}

impl fmt::Display for PalaceSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

/// A set of squares, bit `i` for the square with index `i`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Set(pub u128);

impl Set {
    /// No square.
    pub const EMPTY: Set = Set(0);

    /// The set of `square` alone.
    #[inline(always)]
    pub const fn of(square: PalaceSquare) -> Set {
        Set(1 << square.0)
    }

    /// Whether there is no square.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `square` is in it.
    #[inline(always)]
    pub const fn contains(self, square: PalaceSquare) -> bool {
        self.0 >> square.0 & 1 != 0
    }

    /// How many squares.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The square with the smallest index; the set must not be empty.
    #[inline(always)]
    pub const fn first(self) -> PalaceSquare {
        debug_assert!(self.0 != 0);
        PalaceSquare(self.0.trailing_zeros() as u8)
    }

    /// The set less the square with the smallest index.
    #[inline(always)]
    pub const fn without_first(self) -> Set {
        Set(self.0 & self.0.wrapping_sub(1))
    }

    /// Whether there are two squares or more.
    #[inline(always)]
    pub const fn is_several(self) -> bool {
        !self.without_first().is_empty()
    }

    /// Tells every square, and in which of two other sets it lies.
    #[inline(always)]
    pub fn for_each_marked(self, marks: [Set; 2], mut tell: impl FnMut(PalaceSquare, [bool; 2])) {
        for first in [0, u64::BITS] {
            let half = |set: Set| (set.0 >> first) as u64;
            let (mut left, marks) = (half(self), marks.map(half));
            while left != 0 {
                let place = left.trailing_zeros();
                tell(PalaceSquare((first + place) as u8), marks.map(|mark| mark >> place & 1 != 0));
                left &= left - 1;
            }
        }
    }

    /// The squares, smallest index first.
    #[inline(always)]
    pub const fn squares(self) -> PalaceSquares {
        PalaceSquares(self)
    }
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.squares().map(|square| square.to_string())).finish()
    }
}

/// The squares of a set, smallest index first.
#[derive(Clone, Debug)]
pub struct PalaceSquares(Set);

impl Iterator for PalaceSquares {
    type Item = PalaceSquare;

    #[inline(always)]
    fn next(&mut self) -> Option<PalaceSquare> {
        if self.0.is_empty() {
            return None;
        }
        let square = self.0.first();
        self.0 = self.0.without_first();
        Some(square)
    }
}

impl FromIterator<PalaceSquare> for Set {
    fn from_iter<I: IntoIterator<Item = PalaceSquare>>(squares: I) -> Set {
        squares.into_iter().fold(Set::EMPTY, |set, square| set | Set::of(square))
    }
}

macro_rules! impl_operators {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl $operator for Set {
            type Output = Set;

            #[inline(always)]
            fn $method(self, other: Set) -> Set {
                Set($operator::$method(self.0, other.0))
            }
        }

        impl $assign for Set {
            #[inline(always)]
            fn $assign_method(&mut self, other: Set) {
                $assign::$assign_method(&mut self.0, other.0);
            }
        }
    )*};
}

impl_operators! {
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
}

impl Not for Set {
    type Output = Set;

    /// Also sets the bits that are no squares: mask them.
    #[inline(always)]
    fn not(self) -> Set {
        Set(!self.0)
    }
}

impl Shl<u32> for Set {
    type Output = Set;

    #[inline(always)]
    fn shl(self, by: u32) -> Set {
        Set(self.0 << by)
    }
}

impl Shr<u32> for Set {
    type Output = Set;

    #[inline(always)]
    fn shr(self, by: u32) -> Set {
        Set(self.0 >> by)
    }
}
