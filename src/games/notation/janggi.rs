//! Janggi's notation by numbers: a point is its rank from the top and its file from the left, the tenth rank 0.

use super::{Notate, Point, Step, scene::Scene};
use crate::games::rules::Side;

const RANKS: u8 = 10;

/// As in Korean records; a pass is `한수쉼`.
pub(super) fn korean<G: Notate>(scene: &Scene<G>, step: &Step) -> String {
    match step.from {
        Some(from) if from != step.to => {
            format!("{}{}{}", number(from), piece_to_hangul(step.piece.letter, scene.side), number(step.to))
        }
        _ => "한수쉼".to_owned(),
    }
}

/// With Latin letters.
pub(super) fn numbers(step: &Step) -> String {
    let link = if step.captures { 'x' } else { '-' };
    let from = step.from.map_or(String::new(), number);
    format!("{}{from}{link}{}", step.piece.letter, number(step.to))
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
