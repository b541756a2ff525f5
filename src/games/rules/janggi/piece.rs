//! What the pieces count, and what players call them.

use super::PalaceKind::{self, *};
use crate::games::rules::{
    Side,
    palace::{KINDS, PieceNames},
};

/// How many of each kind a side starts with: the most that it has in a game from the start.
pub(super) const SET: [u32; KINDS] = [1, 2, 2, 2, 2, 2, 5];

/// What each kind counts where points decide: 13 for a rook, 7 for a cannon, 5 for a knight, 3 for a bishop or a
/// guard, 2 for a pawn, nothing for the king.
pub(super) const POINTS: [u32; KINDS] = [0, 3, 3, 5, 13, 7, 2];

/// What players call the pieces, in English and then in Korean. The pawn of Cho is jol, that of Han byung. On
/// Han's bishop sets for xiangqi have `相`.
pub const NAMES: PieceNames = PieceNames {
    words: [
        &["king", "general", "emperor", "jang", "wang", "koung", "tyang", "tjyang"],
        &["guard", "advisor", "counsellor", "sa"],
        &["bishop", "elephant", "minister", "prime minister", "sang", "syang", "相"],
        &["knight", "horse", "ma"],
        &["rook", "chariot", "car", "tank", "cha", "tcha"],
        &["cannon", "catapult", "po", "hpo"],
        &["pawn", "soldier", "foot soldier", "byung", "pyeng", "jol", "tjol"],
    ],
    characters: [
        ['楚', '漢'],
        ['士', '士'],
        ['象', '象'],
        ['馬', '馬'],
        ['車', '車'],
        ['包', '包'],
        ['卒', '兵'],
    ],
};

/// The kind with that letter, in lowercase; `e`, `h` and `g`, which others write for elephant, horse and guard,
/// are read too.
pub(super) fn from_letter(letter: char) -> Option<PalaceKind> {
    Some(match letter {
        'k' => King,
        'a' | 'g' => Guard,
        'b' | 'e' => Bishop,
        'n' | 'h' => Knight,
        'r' => Rook,
        'c' => Cannon,
        'p' => Pawn,
        _ => return None,
    })
}

/// What Korean players call it, romanised.
pub(super) const fn korean(kind: PalaceKind, side: Side) -> &'static str {
    match (kind, side) {
        (King, _) => "wang",
        (Guard, _) => "sa",
        (Bishop, _) => "sang",
        (Knight, _) => "ma",
        (Rook, _) => "cha",
        (Cannon, _) => "po",
        (Pawn, Side::First) => "jol",
        (Pawn, Side::Second) => "byung",
    }
}
