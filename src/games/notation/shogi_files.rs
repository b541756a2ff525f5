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
        let fits = |move_info: &MoveInfo| {
            written(self, move_info) == text
                || numbered_drop(self, move_info).is_some_and(|drop| drop == text)
        };
        self.steps.iter().filter(|(_, move_info)| fits(move_info)).map(|(mv, _)| *mv).collect()
    }
}

/// The move by files: `S4+5`; `G-.3` for the rear of two golds on a file, where either could go so; `24+3` for the second
/// from the front on file 4, where more are or several files have two; `B4+2.H` where it promotes; and `B@45` for a drop
/// on file 4 and rank 5, both as its side counts them.
fn written<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo) -> String {
    let (side, letter) = (candidates.side, letter(move_info.piece));
    let Some(from) = move_info.from else { return drop_of(letter, candidates, move_info) };
    let own_file = file::<G>(from, side);
    let alike = alike(candidates, move_info);
    let is_ahead = |at: &Point| (at.rank > from.rank) == (side == Side::First);
    let (ahead, behind): (Vec<Point>, Vec<Point>) =
        alike.iter().filter(|at| at.file == from.file && **at != from).partition(|at| is_ahead(at));
    let piece = match (&ahead[..], &behind[..]) {
        ([], []) => format!("{letter}{own_file}"),
        ([_], []) | ([], [_]) if files_of_several(&alike) > 1 => format!("{}{own_file}", ahead.len() + 1),
        (&[other], []) if both_can_step::<G>(from, move_info.to, other) => format!("{letter}-"),
        ([], &[other]) if both_can_step::<G>(from, move_info.to, other) => format!("{letter}+"),
        ([_], []) | ([], [_]) => format!("{letter}{own_file}"),
        _ => format!("{}{own_file}", ahead.len() + 1),
    };
    let (way, number) = way(candidates, move_info);
    let promotion = match move_info.promotes {
        true => format!(".{}", self::letter(Piece { promoted: true, ..move_info.piece })),
        false => String::new(),
    };
    format!("{piece}{}{number}{promotion}", way_mark(way))
}

/// A drop of `piece`.
fn drop_of<G: Notate>(piece: char, candidates: &Candidates<G>, move_info: &MoveInfo) -> String {
    let rank = match candidates.side {
        Side::First => usize::from(move_info.to.rank) + 1,
        Side::Second => G::RANKS - usize::from(move_info.to.rank),
    };
    format!("{piece}@{}{rank}", file::<G>(move_info.to, candidates.side))
}

/// A drop as pyffish writes it where the side has three or more of the piece on the file that UCI calls `a`: `1@45`. It
/// takes a piece in hand for the foremost of those.
fn numbered_drop<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo) -> Option<String> {
    let on_file_a = alike(candidates, move_info).iter().filter(|at| at.file == 0).count();
    (move_info.from.is_none() && on_file_a > 2).then(|| drop_of('1', candidates, move_info))
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

/// The pieces of the side that have the letter of the one that goes, itself among them.
fn alike<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo) -> Vec<Point> {
    let alike = candidates.pieces.iter().filter(|(piece, _)| letter(*piece) == letter(move_info.piece));
    alike.map(|(_, at)| *at).collect()
}

/// How many files have two or more of these.
fn files_of_several(points: &[Point]) -> usize {
    let on_file = |file: u8| points.iter().filter(|at| at.file == file).count();
    let mut files: Vec<u8> = points.iter().map(|at| at.file).filter(|&file| on_file(file) > 1).collect();
    files.sort_unstable();
    files.dedup();
    files.len()
}

/// Whether a step like that of `from` to `to` would leave `other` on the board.
fn both_can_step<G: Notate>(from: Point, to: Point, other: Point) -> bool {
    // Both stand on one file.
    let rank = i16::from(other.rank) + i16::from(to.rank) - i16::from(from.rank);
    (0..G::RANKS as i16).contains(&rank)
}
