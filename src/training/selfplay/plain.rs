//! Positions of self-play as text, for the trainers of other programs.
//!
//! A position is a block of lines, as the tools of Stockfish and of its variants read them ("plain"):
//!
//! ```text
//! fen lns2gsnl/r2gk2b1/ppppppppp/9/9/P8/1PPPPPPPP/LB3R3/1NSGKGSNL[] b - - 7 4
//! move g7g6
//! score 31
//! ply 7
//! result 1
//! e
//! ```

use std::fmt::Write;

use super::{GameRecord, Ply, SearchDepth};
use crate::{
    games::rules::{Game, Move, ParseError},
    search::{Wdl, centipawns},
};

/// Which positions are written. Those after random moves are left out always: no search has seen them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlainFilter {
    /// Those of full searches.
    #[default]
    Full,
    /// Those of quick searches too, whose scores are worth less.
    Searched,
    /// Those of full searches that are not in check and whose move takes nothing, for nets that are asked only there.
    Quiet,
}

impl PlainFilter {
    fn keeps<G: Game>(self, ply: &Ply, game: &G, after: &G) -> bool {
        match (self, ply.search) {
            (_, SearchDepth::Random) | (PlainFilter::Full | PlainFilter::Quiet, SearchDepth::Quick) => false,
            (PlainFilter::Quiet, SearchDepth::Full) => !game.is_check() && pieces(after) >= pieces(game),
            (PlainFilter::Full | PlainFilter::Searched, _) => true,
        }
    }
}

/// Pieces on the board.
fn pieces<G: Game>(game: &G) -> usize {
    let fen = game.fen();
    let board = fen.split_whitespace().next().unwrap_or_default();
    let board = board.split_once('[').map_or(board, |(board, _)| board);
    board.chars().filter(char::is_ascii_alphabetic).count()
}

/// Tells `write` the block of each position of `record` that `filter` keeps, in their order.
///
/// `score` is that of the search for the side to move, in hundredths of a pawn by which 100 are odds of 64 to 36, as the
/// engine tells it over UCI. `ply` counts from the start of the game. `result` is 1, 0 or -1 for the side to move.
///
/// # Errors
/// When a move is not legal.
pub fn plain_positions<G: Game>(
    record: &GameRecord,
    filter: PlainFilter,
    write: &mut impl FnMut(&str),
) -> Result<(), ParseError> {
    let mut game = G::from_fen(record.rules, &record.start)?;
    let mut moves = Vec::new();
    let mut block = String::new();
    for (ply, number) in record.plies.iter().zip(0..) {
        moves.clear();
        game.legal_moves(&mut moves);
        let mv = moves.iter().find(|mv| mv.bits() == ply.mv).copied().ok_or_else(|| {
            ParseError::new("record", format!("game {}", record.index), "it has an illegal move")
        })?;
        let after = game.after(mv);
        if filter.keeps(ply, &game, &after) {
            block.clear();
            let score = centipawns(ply.root_wdl().q());
            let result = Wdl::of(record.verdict, game.side_to_move()).q();
            let fen = game.fen();
            write!(block, "fen {fen}\nmove {mv}\nscore {score}\nply {number}\nresult {result}\ne\n")
                .expect("a string takes all");
            write(&block);
        }
        game = after;
    }
    Ok(())
}
