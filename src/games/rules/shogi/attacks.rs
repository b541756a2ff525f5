//! Attacks of the pieces that slide.
//!
//! A ray towards larger indices ends at the lowest occupied bit, which a subtraction finds: `o ^ (o - 1)`.
//! A ray the other way ends at the highest one. With files of nine bits, two squares of one rank or of one
//! diagonal never share a byte, so reversing the *bytes* of the word reverses the order of their bits and
//! the same subtraction serves (a form of "o^(o-2r)", here one ray at a time; the byte reversal is
//! the idea of Mizar's "Qugiy" bitboards, 2021). Only the file downwards needs another way: smearing.

use super::{
    boards::ShogiBoard,
    square::{Bits, ShogiSquare},
    tables::Direction,
};
use crate::games::rules::{Side, mover::Mover};

/// The ray up to and including the first occupied square, where bits count away from the slider.
#[inline(always)]
fn until_first<T: Bits>(ray: T, occupied: T) -> T {
    let one = T::of(ShogiSquare::from_index(0));
    let blockers = ray & occupied;
    ray & (blockers ^ blockers.minus(one))
}

/// Squares that a lance of `M` on `from` reaches.
#[inline(always)]
pub(super) fn lance<B: ShogiBoard, M: Mover>(from: ShogiSquare, occupied: B::Bits) -> B::Bits {
    match M::SIDE {
        Side::First => up::<B>(from, occupied),
        Side::Second => down::<B>(from, occupied),
    }
}

/// Squares that a slider on `from` reaches upwards.
#[inline(always)]
fn up<B: ShogiBoard>(from: ShogiSquare, occupied: B::Bits) -> B::Bits {
    until_first(B::TABLES.rays[Direction::Up as usize][from.index()], occupied)
}

/// Squares that a slider on `from` reaches downwards.
#[inline(always)]
fn down<B: ShogiBoard>(from: ShogiSquare, occupied: B::Bits) -> B::Bits {
    let ray = B::TABLES.rays[Direction::Down as usize][from.index()];
    let mut hidden = (ray & occupied) >> 1;
    hidden |= hidden >> 1;
    hidden |= hidden >> 2;
    hidden |= hidden >> 4;
    ray & !hidden
}

/// Squares that a rook on `from` reaches.
#[inline(always)]
pub(super) fn rook<B: ShogiBoard>(from: ShogiSquare, occupied: B::Bits) -> B::Bits {
    let right = until_first(B::TABLES.rays[Direction::Right as usize][from.index()], occupied);
    let left = until_first(B::TABLES.flipped[0][from.index()], occupied.flip());
    up::<B>(from, occupied) | down::<B>(from, occupied) | right | left.flip()
}

/// Squares that a bishop on `from` reaches.
#[inline(always)]
pub(super) fn bishop<B: ShogiBoard>(from: ShogiSquare, occupied: B::Bits) -> B::Bits {
    let up_right = until_first(B::TABLES.rays[Direction::UpRight as usize][from.index()], occupied);
    let down_right = until_first(B::TABLES.rays[Direction::DownRight as usize][from.index()], occupied);
    let flipped = occupied.flip();
    let down_left = until_first(B::TABLES.flipped[1][from.index()], flipped);
    let up_left = until_first(B::TABLES.flipped[2][from.index()], flipped);
    up_right | down_right | (down_left | up_left).flip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::shogi::boards::{FiveByFive, NineByNine};

    /// The squares reached step by step.
    fn walk<B: ShogiBoard>(from: ShogiSquare, occupied: B::Bits, steps: &[(i8, i8)]) -> B::Bits {
        let mut reached = B::Bits::EMPTY;
        for (file_step, rank_step) in steps {
            let (mut file, mut rank) = (from.file() as i8, from.rank() as i8);
            loop {
                (file, rank) = (file + file_step, rank + rank_step);
                if file < 0 || rank < 0 || file >= B::FILES as i8 || rank >= B::RANKS as i8 {
                    break;
                }
                let square = B::Bits::of(ShogiSquare::new(file as u8, rank as u8));
                reached |= square;
                if !(square & occupied).is_empty() {
                    break;
                }
            }
        }
        reached
    }

    fn compare<B: ShogiBoard>(random_bits: impl Fn(u64) -> B::Bits) {
        for square in B::TABLES.board.squares() {
            for seed in 0..200 {
                let occupied = random_bits(seed) & random_bits(seed + 1000) & B::TABLES.board;
                let orthogonal = [(0, 1), (1, 0), (0, -1), (-1, 0)];
                assert_eq!(rook::<B>(square, occupied), walk::<B>(square, occupied, &orthogonal));
                let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
                assert_eq!(bishop::<B>(square, occupied), walk::<B>(square, occupied, &diagonal));
                assert_eq!(up::<B>(square, occupied), walk::<B>(square, occupied, &[(0, 1)]));
                assert_eq!(down::<B>(square, occupied), walk::<B>(square, occupied, &[(0, -1)]));
            }
        }
    }

    #[test]
    fn sliders_reach_what_a_walk_reaches() {
        let word = |seed: u64| seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31);
        compare::<NineByNine>(|seed| u128::from(word(seed)) << 64 | u128::from(word(seed + 7777)));
        compare::<FiveByFive>(word);
    }
}
