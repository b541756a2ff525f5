//! Shogi's notations, on every board of the family: files are counted from the first player's right, ranks from the
//! top.

use super::{MoveInfo, Notate, Piece, candidates::Candidates};
use crate::games::rules::{Point, Side};

/// A file and a rank, both from 1.
fn numbers<G: Notate>(point: Point) -> (usize, usize) {
    (G::FILES - usize::from(point.file), G::RANKS - usize::from(point.rank))
}

const FULL_WIDTH: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const KANJI: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The piece with that name, of those that `name` gives.
fn piece_called(text: &str, name: fn(Piece) -> &'static str) -> Option<Piece> {
    let plain = "PLNSGBRK".chars().map(|letter| Piece { letter, promoted: false });
    let promoted = "PLNSBR".chars().map(|letter| Piece { letter, promoted: true });
    plain.chain(promoted).find(|&piece| name(piece) == text)
}

/// The piece called so in KIF, or on a board there.
pub fn piece_of_kanji(text: &str) -> Option<Piece> {
    let text = match text {
        "王" => "玉",
        "竜" => "龍",
        "杏" => "成香",
        "圭" => "成桂",
        "全" => "成銀",
        text => text,
    };
    piece_called(text, piece_to_kanji)
}

/// The piece called so in CSA.
pub fn piece_of_csa(text: &str) -> Option<Piece> {
    piece_called(text, piece_to_csa)
}

/// The piece as in KIF.
pub fn piece_to_kanji(piece: Piece) -> &'static str {
    match (piece.letter, piece.promoted) {
        ('P', false) => "歩",
        ('L', false) => "香",
        ('N', false) => "桂",
        ('S', false) => "銀",
        ('G', false) => "金",
        ('B', false) => "角",
        ('R', false) => "飛",
        ('P', true) => "と",
        ('L', true) => "成香",
        ('N', true) => "成桂",
        ('S', true) => "成銀",
        ('B', true) => "馬",
        ('R', true) => "龍",
        _ => "玉",
    }
}

/// The piece as in CSA.
pub fn piece_to_csa(piece: Piece) -> &'static str {
    match (piece.letter, piece.promoted) {
        ('P', false) => "FU",
        ('L', false) => "KY",
        ('N', false) => "KE",
        ('S', false) => "GI",
        ('G', false) => "KI",
        ('B', false) => "KA",
        ('R', false) => "HI",
        ('P', true) => "TO",
        ('L', true) => "NY",
        ('N', true) => "NK",
        ('S', true) => "NG",
        ('B', true) => "UM",
        ('R', true) => "RY",
        _ => "OU",
    }
}

/// As in KIF, with the origin; then without it, and a drop without 打 where no piece of the kind can go there, as players
/// write what is clear. Onto the square of the move before it is 同, or the square as well.
pub(super) fn kif<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo) -> Vec<String> {
    let (file, rank) = numbers::<G>(move_info.to);
    let target = format!("{}{}", FULL_WIDTH[file - 1], KANJI[rank - 1]);
    let targets =
        if candidates.last == Some(move_info.to) { vec!["同　".to_owned(), target] } else { vec![target] };
    let piece = piece_to_kanji(move_info.piece);
    let promotion = if move_info.promotes { "成" } else { "" };
    let tail = match move_info.from.map(numbers::<G>) {
        Some((file, rank)) => format!("({file}{rank})"),
        None => "打".to_owned(),
    };
    let write = |tail: &str| -> Vec<String> {
        targets.iter().map(|target| format!("{target}{piece}{promotion}{tail}")).collect()
    };
    match move_info.from {
        None if !candidates.rivals(move_info).is_empty() => write(&tail),
        _ => [write(&tail), write("")].concat(),
    }
}

/// As in CSA: `00` for the hand, and the piece as it stands after the move.
pub(super) fn csa<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo) -> String {
    let sign = if candidates.side == Side::First { '+' } else { '-' };
    let (from_file, from_rank) = move_info.from.map_or((0, 0), numbers::<G>);
    let (file, rank) = numbers::<G>(move_info.to);
    let after = Piece { promoted: move_info.piece.promoted || move_info.promotes, ..move_info.piece };
    format!("{sign}{from_file}{from_rank}{file}{rank}{}", piece_to_csa(after))
}

/// After Hodges: the origin only where another piece of the kind can go there too. Then after Hosking, who writes no hyphen
/// without an origin, and an apostrophe for a drop.
pub(super) fn western<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo) -> Vec<String> {
    let square = |point: Point| {
        let (file, rank) = numbers::<G>(point);
        format!("{file}{}", char::from(b'a' + rank as u8 - 1))
    };
    let plus = if move_info.piece.promoted { "+" } else { "" };
    let origin =
        move_info.from.filter(|_| !candidates.rivals(move_info).is_empty()).map_or(String::new(), square);
    let links = match move_info.from {
        None => ["*", "'"],
        Some(_) if move_info.captures => ["x", "x"],
        Some(_) if origin.is_empty() => ["-", ""],
        Some(_) => ["-", "-"],
    };
    let promotion = match move_info.promotes {
        true => "+",
        false if candidates.could_promote(move_info) => "=",
        false => "",
    };
    let (letter, target) = (move_info.piece.letter, square(move_info.to));
    links.map(|link| format!("{plus}{letter}{origin}{link}{target}{promotion}")).to_vec()
}
