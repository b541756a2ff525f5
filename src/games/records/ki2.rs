//! KI2: the moves as books print them, `▲５八金右`, without the squares where they come from.

use crate::games::rules::Point;
use std::fmt::Write;

use anyhow::Result;

use super::{
    Record,
    ending::{self, End},
    kif::{closing, write_header},
    replay::Replay,
};
use crate::games::{
    notation::{MoveInfo, Notate, Piece, piece_to_kanji, relation},
    rules::Side,
};

/// Moves of a line.
const LINE: usize = 6;

/// The text of a game. A comment at its end has the result with our reason.
pub(super) fn write<G: Notate>(record: &Record) -> Result<String> {
    let mut replay = Replay::<G>::new(record.rules, Some(&record.start))?;
    let mut out = write_header(record);
    out.push('\n');
    for (text, number) in record.moves.iter().zip(1..) {
        let (before, last) = (replay.game.clone(), replay.last());
        replay.play(text, &[crate::games::notation::Style::Uci])?;
        let mv = replay.last().expect("a move was played");
        out += &written(&before, last, mv);
        out.push(if number % LINE == 0 || number == record.moves.len() { '\n' } else { ' ' });
    }
    let end = End::of(record.outcome, replay.side());
    writeln!(out, "まで{}手で{}", record.moves.len(), closing(end, record))?;
    if let Some(outcome) = record.outcome {
        writeln!(out, "*{}", ending::comment(outcome))?;
    }
    Ok(out)
}

/// The legal move `mv`, behind the mark of its side.
fn written<G: Notate>(game: &G, last: Option<G::Move>, mv: G::Move) -> String {
    let (side, move_info) = (game.side_to_move(), game.move_info(mv));
    let mark = if side == Side::First { '▲' } else { '△' };
    let target = match last.map(G::target) {
        Some(last) if last == move_info.to => "同　".to_owned(),
        _ => square::<G>(move_info.to),
    };
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let could_promote = move_info.from.is_some()
        && moves
            .iter()
            .map(|&other| game.move_info(other))
            .any(|other| other.promotes && other.from == move_info.from && other.to == move_info.to);
    let promotion = match move_info.promotes {
        true => "成",
        false if could_promote => "不成",
        false => "",
    };
    format!("{mark}{target}{}{}{promotion}", piece_to_kanji(move_info.piece), which_one(game, &move_info))
}

fn square<G: Notate>(point: Point) -> String {
    let file = G::FILES - usize::from(point.file);
    let rank = G::RANKS - usize::from(point.rank);
    let wide = char::from_u32('０' as u32 + file as u32).expect("a file is 1 to 9");
    format!("{wide}{}", super::kif::NUMERALS[rank])
}

/// What tells the piece from others of its kind that reach the square, be they pinned or not.
fn which_one<G: Notate>(game: &G, move_info: &MoveInfo) -> &'static str {
    let side = game.side_to_move();
    let others: Vec<(i16, i16)> = reaching(game, move_info.piece, move_info.to)
        .into_iter()
        .filter(|from| Some(*from) != move_info.from)
        .map(|from| relation(from, move_info.to, side))
        .collect();
    if others.is_empty() {
        return "";
    }
    let Some(from) = move_info.from else { return "打" };
    let (across, ahead) = relation(from, move_info.to, side);
    let same_motion = others.iter().filter(|other| other.1.signum() == ahead.signum()).collect::<Vec<_>>();
    let same_place = others.iter().any(|other| other.0.signum() == across.signum());
    let is_great = move_info.piece.promoted && matches!(move_info.piece.letter, 'R' | 'B');
    let place = match (same_motion.first(), across.signum()) {
        (None, _) => "",
        (_, -1) => "左",
        (_, 1) => "右",
        // Dragons and horses are never 直: the other one stands on one side, this one is that of the other side.
        (Some(other), _) if is_great => {
            if other.0 > 0 {
                "左"
            } else {
                "右"
            }
        }
        _ => return "直",
    };
    if !place.is_empty() && !same_place {
        return place;
    }
    match (place, ahead.signum()) {
        ("左", 1) => "左上",
        ("左", 0) => "左寄",
        ("左", _) => "左引",
        ("右", 1) => "右上",
        ("右", 0) => "右寄",
        ("右", _) => "右引",
        (_, 1) => "上",
        (_, 0) => "寄",
        (_, _) => "引",
    }
}

/// Where pieces of this kind stand, of the side to move, that reach `to`.
fn reaching<G: Notate>(game: &G, piece: Piece, to: Point) -> Vec<Point> {
    let side = game.side_to_move();
    let own = game.pieces_of(side);
    let taken: Vec<Point> = own.iter().copied().chain(game.pieces_of(!side)).map(|(_, at)| at).collect();
    let of_kind = own.iter().filter(|(other, _)| *other == piece).map(|(_, at)| *at);
    of_kind.filter(|&from| reaches(piece, from, to, side, &taken)).collect()
}

/// Whether `piece` of `side` goes from `from` to `to` in one move, with pieces on the squares `taken`.
fn reaches(piece: Piece, from: Point, to: Point, side: Side, taken: &[Point]) -> bool {
    let (across, ahead) = relation(from, to, side);
    let (across, distance) = (across.abs(), across.abs().max(ahead.abs()));
    let is_gold = matches!((across, ahead), (0, 1 | -1) | (1, 0 | 1));
    let is_straight = across == 0 || ahead == 0;
    let is_diagonal = across == ahead.abs();
    let is_free = || {
        (1..distance).all(|part| {
            let between = |from: u8, to: u8| {
                (i16::from(from) + (i16::from(to) - i16::from(from)).signum() * part) as u8
            };
            let at = Point { file: between(from.file, to.file), rank: between(from.rank, to.rank) };
            !taken.contains(&at)
        })
    };
    match (piece.letter, piece.promoted) {
        ('P', false) => (across, ahead) == (0, 1),
        ('L', false) => across == 0 && ahead > 0 && is_free(),
        ('N', false) => (across, ahead) == (1, 2),
        ('S', false) => matches!((across, ahead), (0, 1) | (1, 1 | -1)),
        ('G', _) | ('P' | 'L' | 'N' | 'S', true) => is_gold,
        ('B', promoted) => is_diagonal && is_free() || promoted && distance == 1,
        ('R', promoted) => is_straight && is_free() || promoted && distance == 1,
        _ => distance == 1,
    }
}
