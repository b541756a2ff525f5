//! Squares and sets of squares.
//!
//! Every board is laid out file by file with a stride of nine, so a square, a move and its text are the same
//! on all of them; a smaller board leaves bits unused.

use std::{
    fmt,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr},
};

/// Bits from one file to the next.
pub(super) const STRIDE: u8 = 9;
/// One more than the largest square of the largest board.
pub(super) const SQUARES: usize = 81;
/// The length of every table by square: the squares, and one place for [`ShogiSquare::NOWHERE`] of the largest board.
pub(super) const PLACES: usize = SQUARES + 1;

/// A square, the same on every board: file `a` is at the first player's left, rank 1 is nearest to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShogiSquare(u8);

impl ShogiSquare {
    /// The square on `file` (0 is `a`) and `rank` (0 is the first player's first rank), both below 9.
    pub const fn new(file: u8, rank: u8) -> ShogiSquare {
        debug_assert!(file < STRIDE && rank < STRIDE);
        ShogiSquare(file * STRIDE + rank)
    }

    /// The file, counted from 0 at the first player's left.
    pub const fn file(self) -> u8 {
        self.0 / STRIDE
    }

    /// The rank, counted from 0 at the first player's side.
    pub const fn rank(self) -> u8 {
        self.0 % STRIDE
    }

    /// Where a king stands that is on no square of a board of nine files. Nothing leads there, so nothing attacks it.
    pub(super) const NOWHERE: ShogiSquare = ShogiSquare(SQUARES as u8);

    /// The place in a table by square.
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square at `index`, which is below [`PLACES`].
    pub(super) const fn from_index(index: usize) -> ShogiSquare {
        debug_assert!(index < PLACES);
        ShogiSquare(index as u8)
    }
}

impl fmt::Display for ShogiSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

/// A set of squares in one machine word, bit `i` for the square with index `i`.
pub trait Bits:
    Copy
    + Eq
    + fmt::Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// No square.
    const EMPTY: Self;

    /// The set of `square` alone.
    fn of(square: ShogiSquare) -> Self;

    /// How many squares.
    fn count(self) -> u32;

    /// The square with the smallest index; the set must not be empty.
    fn first(self) -> ShogiSquare;

    /// Subtraction as whole numbers, wrapping.
    fn minus(self, other: Self) -> Self;

    /// The bytes in reverse order.
    fn flip(self) -> Self;

    /// Whether there is no square.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// The set less the square with the smallest index; it must not be empty.
    #[inline(always)]
    fn without_first(self) -> Self {
        self & self.minus(Self::of(ShogiSquare(0)))
    }

    /// Whether there are two squares or more.
    #[inline(always)]
    fn is_several(self) -> bool {
        !self.is_empty() && !self.without_first().is_empty()
    }

    /// The squares, smallest index first.
    #[inline(always)]
    fn squares(self) -> ShogiSquares<Self> {
        ShogiSquares(self)
    }
}

/// The squares of a set, smallest index first.
pub struct ShogiSquares<T>(T);

impl<T: Bits> Iterator for ShogiSquares<T> {
    type Item = ShogiSquare;

    #[inline(always)]
    fn next(&mut self) -> Option<ShogiSquare> {
        if self.0.is_empty() {
            return None;
        }
        let square = self.0.first();
        self.0 = self.0.without_first();
        Some(square)
    }
}

macro_rules! impl_bits {
    ($word:ty) => {
        impl Bits for $word {
            const EMPTY: $word = 0;

            #[inline(always)]
            fn of(square: ShogiSquare) -> $word {
                1 << square.0
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn first(self) -> ShogiSquare {
                debug_assert!(self != 0);
                ShogiSquare(self.trailing_zeros() as u8)
            }

            #[inline(always)]
            fn minus(self, other: $word) -> $word {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn flip(self) -> $word {
                self.swap_bytes()
            }
        }
    };
}

impl_bits!(u128);
impl_bits!(u64);
