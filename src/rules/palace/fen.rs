//! The parts of a FEN that every game of the palace has: `BOARD w|b [- -] [CLOCK [MOVE]]`.

use super::Square;
use crate::rules::{ParseError, Side};

/// What a FEN says, its letters already read.
#[derive(Clone, Debug)]
pub struct Setting<Kind> {
    /// The pieces, in the order of the text.
    pub pieces: Vec<(Side, Kind, Square)>,
    /// Whose turn it is.
    pub side: Side,
    /// Plies since the last capture.
    pub clock: u32,
    /// Plies before the position, as its move number tells.
    pub plies: u32,
}

/// Reads `text` for a board of `files` and `ranks`; `kind` knows the letters, in lower case.
///
/// # Errors
/// Shows the part that is wrong: a board of another size, an unknown letter, a side, a counter.
pub fn parse<Kind>(
    text: &str,
    (files, ranks): (u8, u8),
    kind: impl Fn(char) -> Option<Kind>,
) -> Result<Setting<Kind>, ParseError> {
    let bad = |why: &str| ParseError::new("FEN", text, why);
    if !text.is_ascii() {
        return Err(bad("it has characters beyond ASCII"));
    }
    let mut fields = text.split_ascii_whitespace();
    let board = fields.next().ok_or_else(|| bad("it is empty"))?;
    // Some programs write the empty hands of games that have hands.
    let board = board.strip_suffix("[]").unwrap_or(board);
    let pieces = parse_board(board, (files, ranks), kind)?;
    let side = parse_side(fields.next().ok_or_else(|| bad("the side to move is missing"))?)?;
    let counters: Vec<&str> = fields.collect();
    let counters = counters.strip_prefix(&["-", "-"]).unwrap_or(&counters);
    let (clock, number) = match counters {
        [] => (0, 1),
        [clock] => (parse_counter(clock)?, 1),
        [clock, number] => (parse_counter(clock)?, parse_counter(number)?),
        _ => return Err(bad("it has too many fields")),
    };
    let plies = 2 * number.saturating_sub(1) + side.index() as u32;
    Ok(Setting { pieces, side, clock, plies })
}

fn parse_board<Kind>(
    text: &str,
    (files, ranks): (u8, u8),
    kind: impl Fn(char) -> Option<Kind>,
) -> Result<Vec<(Side, Kind, Square)>, ParseError> {
    let bad = |why: String| ParseError::new("board", text, why);
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(ranks) {
        return Err(bad(format!("it has {} ranks, not {ranks}", rows.len())));
    }
    let mut pieces = Vec::new();
    for (rank, row) in (0..ranks).rev().zip(rows) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10).filter(|&empty| empty > 0) {
                file += empty as u8;
            } else {
                let kind = kind(letter.to_ascii_lowercase())
                    .ok_or_else(|| bad(format!("'{letter}' in rank '{row}' is no piece here")))?;
                if file < files {
                    pieces.push((side_of(letter), kind, Square::new(file, rank)));
                }
                file += 1;
            }
            if file > files {
                return Err(bad(format!("rank '{row}' has more than {files} files")));
            }
        }
        if file < files {
            return Err(bad(format!("rank '{row}' has {file} files, not {files}")));
        }
    }
    Ok(pieces)
}

fn side_of(letter: char) -> Side {
    if letter.is_ascii_uppercase() { Side::First } else { Side::Second }
}

fn parse_side(text: &str) -> Result<Side, ParseError> {
    match text {
        "w" => Ok(Side::First),
        "b" => Ok(Side::Second),
        _ => Err(ParseError::new("side to move", text, "it is neither 'w' nor 'b'")),
    }
}

/// Counters are small, so that adding the plies of any game to them cannot overflow.
fn parse_counter(text: &str) -> Result<u32, ParseError> {
    let number: u16 =
        text.parse().map_err(|_| ParseError::new("counter", text, "it is not a number in 0 to 65535"))?;
    Ok(number.into())
}

/// Writes a FEN that [`parse`] reads back; `letter` gives the piece on a square, if there is one, in the case of
/// its side.
pub fn write(
    (files, ranks): (u8, u8),
    letter: impl Fn(Square) -> Option<char>,
    side: Side,
    clock: u32,
    plies: u32,
) -> String {
    let mut text = String::new();
    for rank in (0..ranks).rev() {
        let mut empty = 0;
        for file in 0..files {
            match letter(Square::new(file, rank)) {
                None => empty += 1,
                Some(letter) => {
                    push_count(&mut text, &mut empty);
                    text.push(letter);
                }
            }
        }
        push_count(&mut text, &mut empty);
        text.push(if rank > 0 { '/' } else { ' ' });
    }
    let side = if side == Side::First { 'w' } else { 'b' };
    text + &format!("{side} - - {clock} {}", 1 + plies / 2)
}

/// Appends the number of empty squares, if any, and begins anew.
fn push_count(text: &mut String, empty: &mut u32) {
    if *empty > 0 {
        text.push_str(&empty.to_string());
        *empty = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Setting<char>, ParseError> {
        parse(text, (3, 2), |letter| "kp".contains(letter).then_some(letter))
    }

    #[test]
    fn what_is_written_is_read_back() {
        for text in ["k2/1PK w - - 0 1", "3/KPp b - - 7 12", "pkp/3 w - - 100 5"] {
            let setting = read(text).expect(text);
            let letter = |square| {
                let (side, kind, _) = setting.pieces.iter().find(|piece| piece.2 == square)?;
                Some(if *side == Side::First { kind.to_ascii_uppercase() } else { *kind })
            };
            assert_eq!(write((3, 2), letter, setting.side, setting.clock, setting.plies), text);
        }
    }

    #[test]
    fn the_offending_part_is_shown() {
        let cases = [
            ("", "FEN", ""),
            ("k2/1PK", "FEN", "k2/1PK"),
            ("k2 w", "board", "k2"),
            ("k3/3 w", "board", "k3/3"),
            ("k1/3 w", "board", "k1/3"),
            ("kkkk/3 w", "board", "kkkk/3"),
            ("kx1/3 w", "board", "kx1/3"),
            ("k0p1/3 w", "board", "k0p1/3"),
            ("k2/3 r", "side to move", "r"),
            ("k2/3 w - - x", "counter", "x"),
            ("k2/3 w - - 0 70000", "counter", "70000"),
            ("k2/3 w - - 0 1 2", "FEN", "k2/3 w - - 0 1 2"),
        ];
        for (text, what, part) in cases {
            let error = read(text).expect_err(text);
            assert_eq!((error.what, error.text.as_str()), (what, part), "{text}");
        }
    }
}
