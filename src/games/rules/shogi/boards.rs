//! What tells one board of the family from another.

use std::fmt::Debug;

use super::{
    piece::BASE_KINDS,
    square::{Bits, ShogiSquare},
    tables::ShogiTables,
};
use crate::games::rules::{GameId, Side};

/// The board, the set of pieces and the start of one game of the family.
pub trait ShogiBoard: Copy + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// The word that holds a set of its squares.
    type Bits: Bits;

    /// The game that is played on it.
    const ID: GameId;
    /// Files.
    const FILES: u8;
    /// Ranks.
    const RANKS: u8;
    /// The pieces of both sides together: pawns, lances, knights, silvers, golds, bishops, rooks, kings.
    const SET: [u8; BASE_KINDS];
    /// The starting position.
    const START: &'static str;
    /// Where a king stands that is missing: off the board, with a bit of its own in the word.
    const NOWHERE: ShogiSquare;
    /// The side that loses at the fourth occurrence of a position when neither side gave check throughout.
    const REPETITION_LOSER: Option<Side>;
    /// Its tables.
    const TABLES: &'static ShogiTables<Self::Bits>;

    /// Whether the square is on the board.
    fn contains(square: ShogiSquare) -> bool {
        square.file() < Self::FILES && square.rank() < Self::RANKS
    }
}

/// Shogi's board, 9x9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NineByNine;

/// Minishogi's board, 5x5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FiveByFive;

static NINE: ShogiTables<u128> = ShogiTables::<u128>::new(9, 9, 3);
static FIVE: ShogiTables<u64> = ShogiTables::narrow(&ShogiTables::<u128>::new(5, 5, 1));

impl ShogiBoard for NineByNine {
    type Bits = u128;

    const ID: GameId = GameId::Shogi;
    const FILES: u8 = 9;
    const RANKS: u8 = 9;
    const SET: [u8; BASE_KINDS] = [18, 4, 4, 4, 4, 2, 2, 2];
    const START: &'static str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w - - 0 1";
    const NOWHERE: ShogiSquare = ShogiSquare::NOWHERE;
    const REPETITION_LOSER: Option<Side> = None;
    const TABLES: &'static ShogiTables<u128> = &NINE;
}

impl ShogiBoard for FiveByFive {
    type Bits = u64;

    const ID: GameId = GameId::Minishogi;
    const FILES: u8 = 5;
    const RANKS: u8 = 5;
    const SET: [u8; BASE_KINDS] = [2, 0, 0, 2, 2, 2, 2, 2];
    const START: &'static str = "rbsgk/4p/5/P4/KGSBR[] w - - 0 1";
    const NOWHERE: ShogiSquare = ShogiSquare::new(Self::FILES, 0);
    const REPETITION_LOSER: Option<Side> = Some(Side::First);
    const TABLES: &'static ShogiTables<u64> = &FIVE;
}
