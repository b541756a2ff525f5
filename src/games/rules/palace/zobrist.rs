//! Random numbers that name positions (Zobrist 1970): the exclusive or of one for each piece on the board and
//! one for the side to move.

use super::{KINDS, PalaceSquare, SQUARES};
use crate::{base::splitmix::next, games::rules::Side};

struct Numbers {
    pieces: [[[u64; SQUARES]; KINDS]; 2],
    second: u64,
}

static NUMBERS: Numbers = numbers();

/// Draws all numbers from one stream. The seed never changes: caches and records
/// of one build must name positions as the next one does.
const fn numbers() -> Numbers {
    let mut state = 0x7a1a_ce00_7a1a_ce00_u64;
    let mut numbers = Numbers { pieces: [[[0; SQUARES]; KINDS]; 2], second: 0 };
    let mut side = 0;
    while side < 2 {
        let mut kind = 0;
        while kind < KINDS {
            let mut square = 0;
            while square < SQUARES {
                numbers.pieces[side][kind][square] = next(&mut state);
                square += 1;
            }
            kind += 1;
        }
        side += 1;
    }
    numbers.second = next(&mut state);
    numbers
}

/// The number of a piece on the board; `kind` is below [`KINDS`].
#[inline(always)]
pub fn piece(side: Side, kind: usize, square: PalaceSquare) -> u64 {
    NUMBERS.pieces[side.index()][kind][square.index()]
}

/// The number that is in the key when the second player is to move.
#[inline(always)]
pub fn second_to_move() -> u64 {
    NUMBERS.second
}
