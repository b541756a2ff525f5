//! What the pieces of dobutsu shogi reach, and the numbers that positions are hashed with.

use super::Kind;
use crate::{base::splitmix::next, games::rules::Side};

/// A set of squares: bit `rank * 3 + file`, file a and rank 1 first.
pub type Bitboard = u16;

/// Files of the board.
pub const FILES: usize = 3;
/// Ranks of the board.
pub const RANKS: usize = 4;
/// Squares of the board.
pub const SQUARES: usize = FILES * RANKS;
/// Every square.
pub const ALL: Bitboard = (1 << SQUARES) - 1;
/// The last rank of each side, where its lion wants to go and its chick promotes.
pub const LAST_RANK: [Bitboard; 2] = [0b111 << (SQUARES - FILES), 0b111];

/// Steps of a piece of the first player as (files to the right, ranks forward).
const fn steps(kind: Kind) -> &'static [(isize, isize)] {
    match kind {
        Kind::Chick => &[(0, 1)],
        Kind::Elephant => &[(-1, 1), (1, 1), (-1, -1), (1, -1)],
        Kind::Giraffe => &[(0, 1), (-1, 0), (1, 0), (0, -1)],
        Kind::Lion => &[(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)],
        Kind::Hen => &[(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (0, -1)],
    }
}

const fn reach_from(kind: Kind, side: usize, square: usize) -> Bitboard {
    let forward = if side == 0 { 1 } else { -1 };
    let (file, rank) = ((square % FILES) as isize, (square / FILES) as isize);
    let (steps, mut reached, mut i) = (steps(kind), 0, 0);
    while i < steps.len() {
        let (file, rank) = (file + steps[i].0, rank + steps[i].1 * forward);
        if file >= 0 && file < FILES as isize && rank >= 0 && rank < RANKS as isize {
            reached |= 1 << (rank * FILES as isize + file);
        }
        i += 1;
    }
    reached
}

/// `[side][kind][square]`: where a piece could go on an empty board.
static REACH: [[[Bitboard; SQUARES]; Kind::COUNT]; 2] = {
    let mut table = [[[0; SQUARES]; Kind::COUNT]; 2];
    let mut i = 0;
    while i < 2 * Kind::COUNT * SQUARES {
        let (side, kind, square) = (i / SQUARES / Kind::COUNT, i / SQUARES % Kind::COUNT, i % SQUARES);
        table[side][kind][square] = reach_from(Kind::ALL[kind], side, square);
        i += 1;
    }
    table
};

/// Where a piece could go on an empty board.
pub fn reach(side: Side, kind: Kind, square: usize) -> Bitboard {
    REACH[side.index()][kind as usize][square]
}

/// Random numbers, one for each thing that can be true of a position (Zobrist 1970).
pub struct Zobrist {
    /// `[side][kind][square]`.
    pub piece: [[[u64; SQUARES]; Kind::COUNT]; 2],
    /// `[side][kind][count]`; nothing for none.
    pub hand: [[[u64; 3]; Kind::IN_HAND]; 2],
    /// The second player is to move.
    pub second_to_move: u64,
}

/// The numbers of this game, the same in every run: SplitMix64 (Steele, Lea and Flood 2014) from a fixed seed.
pub static ZOBRIST: Zobrist = {
    let mut state = 0x646f_6275_7473_7500;
    let mut table = Zobrist {
        piece: [[[0; SQUARES]; Kind::COUNT]; 2],
        hand: [[[0; 3]; Kind::IN_HAND]; 2],
        second_to_move: next(&mut state),
    };
    let mut i = 0;
    while i < 2 * Kind::COUNT * SQUARES {
        table.piece[i / SQUARES / Kind::COUNT][i / SQUARES % Kind::COUNT][i % SQUARES] = next(&mut state);
        i += 1;
    }
    let mut i = 0;
    while i < 2 * Kind::IN_HAND * 2 {
        table.hand[i / 2 / Kind::IN_HAND][i / 2 % Kind::IN_HAND][1 + i % 2] = next(&mut state);
        i += 1;
    }
    table
};
