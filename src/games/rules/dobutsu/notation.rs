//! Positions of dobutsu shogi as text: FEN, SFEN and a drawn board.

use std::fmt::Write;

use super::{
    Kind, Position,
    tables::{FILES, RANKS},
};
use crate::games::rules::{ParseError, Side};

/// A position and the counters that a FEN gives with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenRecord {
    /// The position.
    pub position: Position,
    /// Plies since the last capture, promotion or drop, as Fairy-Stockfish counts them.
    pub quiet_plies: u16,
    /// 1 at the start, one more after each move of the second player.
    pub move_number: u16,
}

/// Kinds in hand in the order in which Fairy-Stockfish writes them.
const HAND_ORDER: [Kind; Kind::IN_HAND] = [Kind::Lion, Kind::Giraffe, Kind::Chick, Kind::Elephant];

/// Reads a FEN (`gle/1c1/1C1/ELG[-] w 0 1`) or an SFEN (`gle/1c1/1C1/ELG b - 1`): the brackets tell, or else the dashes of
/// a FEN whose hands are empty (`gle/1c1/1C1/ELG w - - 0 1`). Where fields are missing, the first side is to move and the
/// hands are empty.
pub fn parse(text: &str) -> Result<FenRecord, ParseError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let Some((&board, rest)) = fields.split_first() else {
        return Err(ParseError::new("FEN", text, "it is empty"));
    };
    let (board, hand, side, counters) = match (board.split_once('['), rest) {
        (Some((board, hand)), rest) => {
            let hand =
                hand.strip_suffix(']').ok_or_else(|| ParseError::new("hand", hand, "the ] is missing"))?;
            let side = rest.first().map_or(Ok(Side::First), |side| fen_side(side))?;
            (board, hand, side, fen_counters(rest.get(1..).unwrap_or_default())?)
        }
        // As a FEN of a game without hands.
        (None, &[side, "-", "-", ref counters @ ..]) if !counters.is_empty() => {
            (board, "-", fen_side(side)?, fen_counters(counters)?)
        }
        (None, rest) => {
            let side = rest.first().map_or(Ok(Side::First), |side| sfen_side(side))?;
            let hand = rest.get(1).copied().unwrap_or("-");
            (board, hand, side, sfen_counters(rest.get(2..).unwrap_or_default())?)
        }
    };
    let mut position = Position::empty(side);
    read_board(board, &mut position)?;
    read_hands(hand, &mut position)?;
    check_pieces(&position, text)?;
    Ok(FenRecord { position, quiet_plies: counters.0, move_number: counters.1.max(1) })
}

fn fen_side(text: &str) -> Result<Side, ParseError> {
    match text {
        "w" => Ok(Side::First),
        "b" => Ok(Side::Second),
        _ => Err(ParseError::new("side to move", text, "expected w or b")),
    }
}

fn sfen_side(text: &str) -> Result<Side, ParseError> {
    fen_side(text).map(|side| !side)
}

/// `[- -] [quiet plies] [move number]`.
fn fen_counters(fields: &[&str]) -> Result<(u16, u16), ParseError> {
    let dashes = fields.iter().take_while(|&&field| field == "-").count();
    match &fields[dashes.min(2)..] {
        [] => Ok((0, 1)),
        [quiet] => Ok((counter(quiet)?, 1)),
        [quiet, number] => Ok((counter(quiet)?, counter(number)?)),
        [_, _, rest, ..] => Err(ParseError::new("FEN", *rest, "nothing may follow the move number")),
    }
}

/// `[plies + 1]`.
fn sfen_counters(fields: &[&str]) -> Result<(u16, u16), ParseError> {
    match fields {
        [] => Ok((0, 1)),
        [plies] => Ok((0, counter(plies)?.saturating_sub(1) / 2 + 1)),
        [_, rest, ..] => Err(ParseError::new("SFEN", *rest, "nothing may follow the move number")),
    }
}

fn counter(text: &str) -> Result<u16, ParseError> {
    text.parse().map_err(|_| ParseError::new("counter", text, "expected a number from 0 to 65535"))
}

fn piece(letter: char) -> Option<(Side, Kind)> {
    let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
    let kind = match letter.to_ascii_uppercase() {
        'C' => Kind::Chick,
        'E' => Kind::Elephant,
        'G' => Kind::Giraffe,
        'L' => Kind::Lion,
        'H' => Kind::Hen,
        _ => return None,
    };
    Some((side, kind))
}

fn read_board(text: &str, position: &mut Position) -> Result<(), ParseError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != RANKS {
        return Err(ParseError::new("board", text, format!("expected {RANKS} ranks, got {}", ranks.len())));
    }
    for (rank, text) in (0..RANKS).rev().zip(ranks) {
        read_rank(text, rank * FILES, position)?;
    }
    Ok(())
}

fn read_rank(text: &str, first_square: usize, position: &mut Position) -> Result<(), ParseError> {
    let error = |why: String| ParseError::new("rank", text, why);
    let mut file = 0;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if let Some(empty @ 1..) = letter.to_digit(10) {
            file += empty as usize;
            continue;
        }
        let found = match letter {
            '+' => match letters.next().and_then(piece) {
                Some((side, Kind::Chick)) => Some((side, Kind::Hen)),
                _ => return Err(error("only a chick promotes".to_owned())),
            },
            _ => piece(letter),
        };
        let (side, kind) = found.ok_or_else(|| error(format!("unknown piece '{letter}'")))?;
        if file < FILES {
            position.toggle(side, kind, first_square + file);
        }
        file += 1;
    }
    if file == FILES { Ok(()) } else { Err(error(format!("expected {FILES} squares"))) }
}

/// Letters, each with an optional count before it; `-` or nothing for empty hands.
fn read_hands(text: &str, position: &mut Position) -> Result<(), ParseError> {
    if text == "-" {
        return Ok(());
    }
    let error = |why: String| ParseError::new("hand", text, why);
    let mut count = None;
    for letter in text.chars() {
        if let Some(digit) = letter.to_digit(10) {
            count = Some(count.unwrap_or(0) * 10 + digit as u8).filter(|&count| count > 0 && count < 10);
            if count.is_none() {
                return Err(error("a hand holds 1 or 2 of a kind".to_owned()));
            }
            continue;
        }
        let (side, kind) = piece(letter).ok_or_else(|| error(format!("unknown piece '{letter}'")))?;
        if kind == Kind::Hen {
            return Err(error("a hen in hand is a chick".to_owned()));
        }
        let held = position.hand(side, kind) + count.take().unwrap_or(1);
        if held > 2 {
            return Err(error(format!("a hand holds at most 2 of '{letter}'")));
        }
        position.set_hand(side, kind, held);
    }
    if count.is_some() { Err(error("a count without a piece".to_owned())) } else { Ok(()) }
}

/// Two of each kind at most; a lion each, or the one that the side to move has just lost.
fn check_pieces(position: &Position, text: &str) -> Result<(), ParseError> {
    let sides = [Side::First, Side::Second];
    let on_board = |side, kind| position.pieces(side, kind).count_ones() as u8;
    for kind in Kind::DROPPABLE {
        let promoted = if kind == Kind::Chick { Kind::Hen } else { kind };
        let count = |side| on_board(side, kind) + position.hand(side, kind);
        let hens = if promoted == kind { 0 } else { sides.map(|side| on_board(side, promoted)).iter().sum() };
        if sides.map(count).iter().sum::<u8>() + hens > 2 {
            return Err(ParseError::new("FEN", text, format!("more than two of '{}'", kind.letter())));
        }
    }
    for side in sides {
        let why = match (on_board(side, Kind::Lion), position.hand(!side, Kind::Lion)) {
            (1, 0) => continue,
            (0, 1) if position.side() == side && position.hand(side, Kind::Lion) == 0 => continue,
            (0, 0) => "a lion is missing",
            _ => "too many lions, or one was taken long ago",
        };
        return Err(ParseError::new("FEN", text, why));
    }
    Ok(())
}

/// A piece as in a FEN: uppercase for the first player, a hen as `+C`.
fn write_piece(out: &mut String, side: Side, kind: Kind) {
    if kind == Kind::Hen {
        out.push('+');
    }
    let letter = kind.letter();
    out.push(if side == Side::First { letter } else { letter.to_ascii_lowercase() });
}

fn write_hand(out: &mut String, position: &Position, side: Side) {
    for kind in HAND_ORDER {
        (0..position.hand(side, kind)).for_each(|_| write_piece(out, side, kind));
    }
}

/// The piece on `square`, of either side.
fn piece_at(position: &Position, square: usize) -> Option<(Side, Kind)> {
    [Side::First, Side::Second]
        .into_iter()
        .find_map(|side| position.kind_at(side, square).map(|kind| (side, kind)))
}

/// The FEN of `record` as Fairy-Stockfish writes it.
pub fn fen(record: &FenRecord) -> String {
    let position = &record.position;
    let mut out = String::with_capacity(40);
    for rank in (0..RANKS).rev() {
        let mut empty = 0;
        for square in rank * FILES..(rank + 1) * FILES {
            let Some((side, kind)) = piece_at(position, square) else {
                empty += 1;
                continue;
            };
            write_count(&mut out, &mut empty);
            write_piece(&mut out, side, kind);
        }
        write_count(&mut out, &mut empty);
        out.push(if rank > 0 { '/' } else { '[' });
    }
    write_hand(&mut out, position, Side::First);
    write_hand(&mut out, position, Side::Second);
    let side = if position.side() == Side::First { 'w' } else { 'b' };
    write!(out, "] {side} - - {} {}", record.quiet_plies, record.move_number).expect("writing to a string");
    out
}

fn write_count(out: &mut String, empty: &mut u8) {
    if *empty > 0 {
        out.push(char::from(b'0' + std::mem::take(empty)));
    }
}

/// The board from rank 4 down, between the hands, and whose turn it is.
pub fn draw(position: &Position) -> String {
    let mut out = String::new();
    let hand_of = |out: &mut String, side| {
        let mut hand = String::new();
        write_hand(&mut hand, position, side);
        out.push_str(if hand.is_empty() { "-" } else { &hand });
        out.push('\n');
    };
    out.push_str("hand: ");
    hand_of(&mut out, Side::Second);
    for rank in (0..RANKS).rev() {
        write!(out, "{}", rank + 1).expect("writing to a string");
        for square in rank * FILES..(rank + 1) * FILES {
            let mut cell = String::new();
            match piece_at(position, square) {
                Some((side, kind)) => write_piece(&mut cell, side, kind),
                None => cell.push('.'),
            }
            write!(out, "{cell:>3}").expect("writing to a string");
        }
        out.push('\n');
    }
    out.push_str("   a  b  c\nhand: ");
    hand_of(&mut out, Side::First);
    out.push_str(match position.side() {
        Side::First => "first player to move",
        Side::Second => "second player to move",
    });
    out
}
