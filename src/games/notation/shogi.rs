//! Shogi's notations, on every board of the family: files are counted from the first player's right, ranks from the
//! top.

use super::{Notate, Piece, Point, Step, scene::Scene};
use crate::games::rules::Side;

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

/// As in KIF, with the origin; then without it, and a drop without 打, as players write what is clear. Onto the
/// square of the move before it is 同, or the square as well.
pub(super) fn kif<G: Notate>(scene: &Scene<G>, step: &Step) -> Vec<String> {
    let (file, rank) = numbers::<G>(step.to);
    let target = format!("{}{}", FULL_WIDTH[file - 1], KANJI[rank - 1]);
    let targets = if scene.last == Some(step.to) { vec!["同　".to_owned(), target] } else { vec![target] };
    let piece = piece_to_kanji(step.piece);
    let promotion = if step.promotes { "成" } else { "" };
    let tail = match step.from.map(numbers::<G>) {
        Some((file, rank)) => format!("({file}{rank})"),
        None => "打".to_owned(),
    };
    let write = |tail: &str| -> Vec<String> {
        targets.iter().map(|target| format!("{target}{piece}{promotion}{tail}")).collect()
    };
    [write(&tail), write("")].concat()
}

/// As in CSA: `00` for the hand, and the piece as it stands after the move.
pub(super) fn csa<G: Notate>(scene: &Scene<G>, step: &Step) -> String {
    let sign = if scene.side == Side::First { '+' } else { '-' };
    let (from_file, from_rank) = step.from.map_or((0, 0), numbers::<G>);
    let (file, rank) = numbers::<G>(step.to);
    let after = Piece { promoted: step.piece.promoted || step.promotes, ..step.piece };
    format!("{sign}{from_file}{from_rank}{file}{rank}{}", piece_to_csa(after))
}

/// After Hodges: the origin only where another piece of the kind can go there too.
pub(super) fn western<G: Notate>(scene: &Scene<G>, step: &Step) -> String {
    let square = |point: Point| {
        let (file, rank) = numbers::<G>(point);
        format!("{file}{}", char::from(b'a' + rank as u8 - 1))
    };
    let plus = if step.piece.promoted { "+" } else { "" };
    let origin = step.from.filter(|_| !scene.rivals(step).is_empty()).map_or(String::new(), square);
    let link = match step.from {
        None => '*',
        Some(_) if step.captures => 'x',
        Some(_) => '-',
    };
    let promotion = match step.promotes {
        true => "+",
        false if scene.could_promote(step) => "=",
        false => "",
    };
    format!("{plus}{}{origin}{link}{}{promotion}", step.piece.letter, square(step.to))
}
