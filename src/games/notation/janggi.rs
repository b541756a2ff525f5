//! Janggi's notation by numbers: a point is its rank from the top and its file from the left, the tenth rank 0.

use super::{MoveInfo, Notate, candidates::Candidates};
use crate::games::rules::{Point, Side};

const RANKS: u8 = 10;

/// As in Korean records; a pass is `한수쉼`.
pub(super) fn korean<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo) -> String {
    match move_info.from {
        Some(from) if from != move_info.to => {
            format!(
                "{}{}{}",
                number(from),
                piece_to_hangul(move_info.piece.letter, candidates.side),
                number(move_info.to)
            )
        }
        _ => "한수쉼".to_owned(),
    }
}

/// With Latin letters.
pub(super) fn numbers(move_info: &MoveInfo) -> String {
    let link = if move_info.captures { 'x' } else { '-' };
    let from = move_info.from.map_or(String::new(), number);
    format!("{}{from}{link}{}", move_info.piece.letter, number(move_info.to))
}

fn number(point: Point) -> String {
    format!("{}{}", (RANKS - point.rank) % 10, point.file + 1)
}

/// The Korean name of the piece with this letter of FEN; the general is called king, 왕.
pub fn piece_to_hangul(letter: char, side: Side) -> char {
    match (letter, side) {
        ('K', _) => '왕',
        ('A', _) => '사',
        ('B', _) => '상',
        ('N', _) => '마',
        ('R', _) => '차',
        ('C', _) => '포',
        (_, Side::First) => '졸',
        (_, Side::Second) => '병',
    }
}
