//! The letters of the pieces and their names.

use super::PalaceKind::{self, *};
use crate::games::rules::palace::PieceNames;

/// What players call the pieces, in English.
pub const NAMES: PieceNames = PieceNames {
    words: [
        &["general", "king"],
        &["adviser", "guard", "advisor"],
        &["elephant", "bishop"],
        &["horse", "knight"],
        &["tank", "rook", "chariot"],
        &["cannon"],
        &["soldier", "pawn"],
    ],
    characters: [
        ['帥', '將'],
        ['仕', '士'],
        ['相', '象'],
        ['傌', '馬'],
        ['俥', '車'],
        ['炮', '砲'],
        ['兵', '卒'],
    ],
};

/// The kind that is written with this letter, in lowercase: those of FEN, and those of the English words
/// elephant, horse, tank, soldier and general.
pub(super) const fn from_letter(letter: char) -> Option<PalaceKind> {
    Some(match letter {
        'k' | 'g' => King,
        'a' => Guard,
        'b' | 'e' => Bishop,
        'n' | 'h' => Knight,
        'r' | 't' => Rook,
        'c' => Cannon,
        'p' | 's' => Pawn,
        _ => return None,
    })
}
