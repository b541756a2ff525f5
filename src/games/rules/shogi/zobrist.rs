//! Random numbers that name positions (Zobrist 1970): the exclusive or of one for each piece on the board,
//! one for each count in a hand, and one for the side to move.

use super::{ShogiKind, ShogiSquare, piece::HAND_KINDS, square::SQUARES};
use crate::{base::splitmix::next, games::rules::Side};

/// The most of one kind that a hand can hold: all pawns.
pub(super) const MOST: usize = 18;

struct Numbers {
    pieces: [[[u64; SQUARES]; ShogiKind::ALL.len()]; 2],
    hands: [[[u64; MOST + 1]; HAND_KINDS]; 2],
    second: u64,
}

static NUMBERS: Numbers = numbers();

/// Draws all numbers from one stream. The seed never changes: caches and
/// records of one build must name positions as the next one does.
const fn numbers() -> Numbers {
    let mut state = 0x5a17_c0de_5a17_c0de_u64;
    let mut numbers =
        Numbers { pieces: [[[0; SQUARES]; 14]; 2], hands: [[[0; MOST + 1]; HAND_KINDS]; 2], second: 0 };
    let mut side = 0;
    while side < 2 {
        let mut kind = 0;
        while kind < ShogiKind::ALL.len() {
            let mut square = 0;
            while square < SQUARES {
                numbers.pieces[side][kind][square] = next(&mut state);
                square += 1;
            }
            kind += 1;
        }
        let mut kind = 0;
        while kind < HAND_KINDS {
            // No number for an empty hand: it changes nothing.
            let mut count = 1;
            while count <= MOST {
                numbers.hands[side][kind][count] = next(&mut state);
                count += 1;
            }
            kind += 1;
        }
        side += 1;
    }
    numbers.second = next(&mut state);
    numbers
}

/// The number of a piece on the board.
#[inline(always)]
pub(super) fn piece(side: Side, kind: ShogiKind, square: ShogiSquare) -> u64 {
    NUMBERS.pieces[side.index()][kind.index()][square.index()]
}

/// The number of `count` pieces of `kind` in a hand; 0 for none.
#[inline(always)]
pub(super) fn hand(side: Side, kind: ShogiKind, count: u8) -> u64 {
    NUMBERS.hands[side.index()][kind.index()][usize::from(count)]
}

/// The number that is in the key when the second player is to move.
#[inline(always)]
pub(super) fn second_to_move() -> u64 {
    NUMBERS.second
}
