//! What tells one board of the family from the other.

use std::fmt::Debug;

use super::{size::Size, tables::XiangqiTables};
use crate::games::rules::{GameId, palace::KINDS};

/// The board, the set of pieces and the start of one game of the family.
pub trait XiangqiBoard: Copy + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// The game that is played on it.
    const ID: GameId;
    /// Files.
    const FILES: u8;
    /// Ranks.
    const RANKS: u8;
    /// The pieces of one side: kings, guards, bishops, knights, rooks, cannons, pawns.
    const SET: [u8; KINDS];
    /// The starting position.
    const START: &'static str;
    /// Its tables.
    const TABLES: &'static XiangqiTables;
}

/// Xiangqi's board: nine files, ten ranks, a river.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NineByTen;

/// Minixiangqi's board: seven files, seven ranks, no river.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SevenBySeven;

static NINE: XiangqiTables = Size { files: 9, ranks: 10, river: Some(5), pawns: 3 }.tables();
static SEVEN: XiangqiTables = Size { files: 7, ranks: 7, river: None, pawns: 1 }.tables();

impl XiangqiBoard for NineByTen {
    const ID: GameId = GameId::Xiangqi;
    const FILES: u8 = 9;
    const RANKS: u8 = 10;
    const SET: [u8; KINDS] = [1, 2, 2, 2, 2, 2, 5];
    const START: &'static str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    const TABLES: &'static XiangqiTables = &NINE;
}

impl XiangqiBoard for SevenBySeven {
    const ID: GameId = GameId::Minixiangqi;
    const FILES: u8 = 7;
    const RANKS: u8 = 7;
    const SET: [u8; KINDS] = [1, 0, 0, 2, 2, 2, 5];
    const START: &'static str = "rcnkncr/p1ppp1p/7/7/7/P1PPP1P/RCNKNCR w - - 0 1";
    const TABLES: &'static XiangqiTables = &SEVEN;
}
