//! Xiangqi's notations by files: each side counts them from its own right, and names the piece, the file that it
//! leaves, whether it advances, goes sideways or retreats, and how far or to which file.
//!
//! Two pieces of a kind on one file are told apart as the front and the rear one, pawns by the rules of the Asian
//! federation (<http://www.wxf.org/xq/computer/wxf_notation.html>) and of Chinese records.

use super::{MoveInfo, Notate, candidates::Candidates};
use crate::games::rules::{Point, Side};

/// One of several pieces of a kind on a file, as their side sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Among {
    Front,
    Middle,
    Rear,
    /// Counted from 1 at the front: on its file, or over all files that have several, from the right.
    Number(u8),
}

/// The letters of the Asian federation.
fn letter(move_info: &MoveInfo) -> char {
    match move_info.piece.letter {
        'N' => 'H',
        'B' => 'E',
        letter => letter,
    }
}

/// The character, simplified.
fn character(move_info: &MoveInfo, side: Side) -> char {
    let [first, second] = match move_info.piece.letter {
        'K' => ['帅', '将'],
        'A' => ['仕', '士'],
        'B' => ['相', '象'],
        'N' => ['马', '马'],
        'R' => ['车', '车'],
        'C' => ['炮', '炮'],
        _ => ['兵', '卒'],
    };
    if side == Side::First { first } else { second }
}

const KANJI: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Red's numbers are Chinese, black's Arabic.
fn numeral(number: u8, side: Side) -> char {
    match side {
        Side::First => KANJI[usize::from(number) - 1],
        Side::Second => char::from(b'0' + number),
    }
}

/// The file from 1 at the right of `side`.
pub(super) fn file<G: Notate>(point: Point, side: Side) -> u8 {
    match side {
        Side::First => G::FILES as u8 - point.file,
        Side::Second => point.file + 1,
    }
}

/// Which way a piece goes, as its side sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Forward,
    Sideways,
    Back,
}

/// The way, and the number behind it: the points of a straight move along the file, else the file that it ends on.
pub(super) fn way<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo) -> (Way, u8) {
    let from = move_info.from.expect("there are no drops");
    let ahead = |point: Point| match candidates.side {
        Side::First => i16::from(point.rank),
        Side::Second => -i16::from(point.rank),
    };
    let climb = ahead(move_info.to) - ahead(from);
    let number = if from.file == move_info.to.file {
        climb.unsigned_abs() as u8
    } else {
        file::<G>(move_info.to, candidates.side)
    };
    let way = match climb {
        1.. => Way::Forward,
        0 => Way::Sideways,
        _ => Way::Back,
    };
    (way, number)
}

/// Where a piece stands among those of its kind.
enum Place {
    /// Alone on its file, or of a kind whose moves tell which it is.
    Alone,
    /// `index` from the front among `count` on the file, while no other file has two.
    Tandem { index: usize, count: usize },
    /// The same of a pawn, while another file has two as well; `number` counts the pawns of all such files, from the
    /// right and on each from the front.
    Two { index: usize, count: usize, number: usize },
}

/// The files on which several pieces of this kind stand, from the right as the side to move sees it, and on each its
/// pieces from the front.
fn columns<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo) -> Vec<Vec<Point>> {
    let mut files: Vec<Vec<Point>> = (0..G::FILES as u8)
        .map(|file| {
            let own =
                candidates.pieces.iter().filter(|(piece, at)| *piece == move_info.piece && at.file == file);
            own.map(|(_, at)| *at).collect()
        })
        .collect();
    for column in &mut files {
        column.sort_by_key(|at| at.rank);
        if candidates.side == Side::First {
            column.reverse();
        }
    }
    if candidates.side == Side::First {
        files.reverse();
    }
    files.retain(|column| column.len() > 1);
    files
}

fn place<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo) -> Place {
    if tells_by_moves(move_info) {
        return Place::Alone;
    }
    let from = move_info.from.expect("there are no drops");
    let files = columns(candidates, move_info);
    let Some(own) = files.iter().position(|column| column.contains(&from)) else {
        return Place::Alone;
    };
    let index = files[own].iter().position(|&at| at == from).expect("it stands there");
    let count = files[own].len();
    if files.len() == 1 {
        return Place::Tandem { index, count };
    }
    let number = files[..own].iter().map(Vec::len).sum::<usize>() + index;
    Place::Two { index, count, number }
}

/// Whether the piece that goes is this one of several on its file.
pub(super) fn is_among<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo, among: Among) -> bool {
    let files = columns(candidates, move_info);
    let Some(from) = move_info.from else { return false };
    let Some(own) = files.iter().position(|column| column.contains(&from)) else { return false };
    let index = files[own].iter().position(|&at| at == from).expect("it stands there");
    let count = files[own].len();
    let number = files[..own].iter().map(Vec::len).sum::<usize>() + index;
    match among {
        Among::Front => index == 0,
        Among::Rear => index + 1 == count,
        Among::Middle => index > 0 && index + 1 < count,
        Among::Number(said) => [index + 1, number + 1].contains(&usize::from(said)),
    }
}

/// Whether these notations cannot tell the move from others, as in composed problems: where a side has more pieces of a
/// kind than a set has, or where another guard or elephant on the file goes the same way to the same file.
pub(super) fn has_no_words<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo) -> bool {
    let set = if move_info.piece.letter == 'P' { 5 } else { 2 };
    let is_crowded = candidates.pieces.iter().filter(|(piece, _)| *piece == move_info.piece).count() > set;
    is_crowded || tells_by_moves(move_info) && has_twin(candidates, move_info)
}

/// Whether it is of a kind whose moves tell which of several on a file it is: the notations have no other words for that.
fn tells_by_moves(move_info: &MoveInfo) -> bool {
    matches!(move_info.piece.letter, 'K' | 'A' | 'B')
}

/// Whether another piece of the kind on the same file goes the same way with the same number behind it.
fn has_twin<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo) -> bool {
    let file = |of: &MoveInfo| of.from.map(|from| from.file);
    candidates.steps.iter().any(|(_, other)| {
        other.piece == move_info.piece
            && other.from != move_info.from
            && file(other) == file(move_info)
            && way(candidates, other) == way(candidates, move_info)
    })
}

/// As the World Xiangqi Federation writes it.
pub(super) fn wxf<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo) -> String {
    let letter = letter(move_info);
    let own_file = file::<G>(move_info.from.expect("there are no drops"), candidates.side);
    let piece = match place(candidates, move_info) {
        Place::Alone => format!("{letter}{own_file}"),
        Place::Tandem { index, count } => match (index, count - 1 - index) {
            (0, _) if count > 3 => "++".to_owned(),
            (_, 0) if count > 3 => "--".to_owned(),
            (index, behind) if index == behind => format!("{letter}{own_file}"),
            (index, behind) => format!("{letter}{}", if index < behind { '+' } else { '-' }),
        },
        Place::Two { index: 0, .. } => format!("{own_file}+"),
        Place::Two { index, count, .. } if index + 1 == count => format!("{own_file}-"),
        Place::Two { .. } => format!("{own_file}{own_file}"),
    };
    let (way, number) = way(candidates, move_info);
    format!("{piece}{}{number}", way_mark(way))
}

/// The way as the World Xiangqi Federation writes it.
pub(super) fn way_mark(way: Way) -> char {
    match way {
        Way::Forward => '+',
        Way::Sideways => '.',
        Way::Back => '-',
    }
}

/// In four Chinese characters.
pub(super) fn chinese<G: Notate>(candidates: &Candidates<G>, move_info: &MoveInfo) -> String {
    let (side, character) = (candidates.side, character(move_info, candidates.side));
    let piece = match place(candidates, move_info) {
        Place::Alone => {
            let own_file = file::<G>(move_info.from.expect("there are no drops"), side);
            format!("{character}{}", numeral(own_file, side))
        }
        Place::Tandem { index: 0, count: 2 | 3 } => format!("前{character}"),
        Place::Tandem { index, count: count @ (2 | 3) } if index + 1 == count => format!("后{character}"),
        Place::Tandem { count: 3, .. } => format!("中{character}"),
        Place::Tandem { index: number, .. } | Place::Two { number, .. } => {
            format!("{}{character}", KANJI[number])
        }
    };
    let (way, number) = way(candidates, move_info);
    let way = match way {
        Way::Forward => '进',
        Way::Sideways => '平',
        Way::Back => '退',
    };
    format!("{piece}{way}{}", numeral(number, side))
}
