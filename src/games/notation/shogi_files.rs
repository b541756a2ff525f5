//! The games of the shogi family in xiangqi's notation by files, as programs for many games write them (pyffish calls it
//! `XIANGQI_WXF`).
//!
//! A piece may go straight on by as many points as the number of a file beside it says, so some moves have one text:
//! `G2+1` is a step forward, or one to file 1.

use super::{
    MoveInfo, Notate, Piece,
    candidates::Candidates,
    xiangqi::{file, way, way_mark},
};
use crate::games::rules::{Point, Side};

impl<G: Notate> Candidates<G> {
    /// The legal moves that are written as `text` by files, which is brought to one form.
    pub(super) fn by_files(&self, text: &str) -> Vec<G::Move> {
        let moves = self.steps.iter().filter(|(_, move_info)| written(self, move_info) == text);
        moves.map(|(mv, _)| *mv).collect()
    }
}

/// The move by files: `S4+5`, `G-.3` for the rear of two golds on a file, `24+3` for the second from the front of more,
/// `B4+2.H` where it promotes, and `B@45` for a drop on file 4 and rank 5, both as its side counts them.
fn written<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo) -> String {
    let (side, letter) = (candidates.side, letter(move_info.piece));
    let Some(from) = move_info.from else {
        let rank = match side {
            Side::First => usize::from(move_info.to.rank) + 1,
            Side::Second => G::RANKS - usize::from(move_info.to.rank),
        };
        return format!("{letter}@{}{rank}", file::<G>(move_info.to, side));
    };
    let own_file = file::<G>(from, side);
    let (ahead, behind) = others(candidates, move_info, from);
    let piece = match (&ahead[..], &behind[..]) {
        (&[other], &[]) if both_can_step::<G>(from, move_info.to, other) => format!("{letter}-"),
        (&[], &[other]) if both_can_step::<G>(from, move_info.to, other) => format!("{letter}+"),
        _ if ahead.len() + behind.len() < 2 => format!("{letter}{own_file}"),
        _ => format!("{}{own_file}", ahead.len() + 1),
    };
    let (way, number) = way(candidates, move_info);
    let promotion = match move_info.promotes {
        true => format!(".{}", self::letter(Piece { promoted: true, ..move_info.piece })),
        false => String::new(),
    };
    format!("{piece}{}{number}{promotion}", way_mark(way))
}

/// The letter of a piece: what moves like a gold is one, and the horse, the hen and the dragon have their own.
fn letter(piece: Piece) -> char {
    match (piece.letter, piece.promoted) {
        (letter, false) => letter,
        ('B' | 'C', true) => 'H',
        ('R', true) => 'D',
        (_, true) => 'G',
    }
}

/// The other pieces with its letter on its file: those ahead of it, and those behind it.
fn others<G: Notate>(
    candidates: &Candidates<G>,
    move_info: &MoveInfo,
    from: Point,
) -> (Vec<Point>, Vec<Point>) {
    let is_other = |(piece, at): &&(Piece, Point)| {
        letter(*piece) == letter(move_info.piece) && at.file == from.file && *at != from
    };
    let others = candidates.pieces.iter().filter(is_other).map(|(_, at)| *at);
    others.partition(|at| (at.rank > from.rank) == (candidates.side == Side::First))
}

/// Whether a step like that of `from` to `to` would leave `other` on the board.
fn both_can_step<G: Notate>(from: Point, to: Point, other: Point) -> bool {
    // Both stand on one file.
    let rank = i16::from(other.rank) + i16::from(to.rank) - i16::from(from.rank);
    (0..G::RANKS as i16).contains(&rank)
}
