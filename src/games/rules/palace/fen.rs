//! The FEN of the games of the palace: `BOARD [w|b [- -] [CLOCK [MOVE]]]`.

use super::{PalaceKind, PalaceSquare, Pieces};
use crate::games::rules::{ParseError, Side};

/// A position with the counters of its FEN.
#[derive(Clone, Copy, Debug)]
pub struct Setting<Position> {
    /// The position; at first only the pieces and whose turn it is.
    pub position: Position,
    /// Plies since the last capture.
    pub clock: u32,
    /// Plies before the position, as its move number tells.
    pub plies: u32,
}

/// Reads `text` for a board of `files` and `ranks`; `kind` knows the letters, in lower case.
///
/// What other programs leave out or write otherwise is read too: `r` for red, the first side; the first side where none
/// is named; any spaces.
///
/// # Errors
/// Shows the part that is wrong: a board of another size, an unknown letter, a side, a counter.
pub fn parse(
    text: &str,
    (files, ranks): (u8, u8),
    kind: impl Fn(char) -> Option<PalaceKind>,
) -> Result<Setting<Pieces>, ParseError> {
    let bad = |why: &str| ParseError::new("FEN", text, why);
    let mut fields = text.split_whitespace();
    let board = fields.next().ok_or_else(|| bad("it is empty"))?;
    // Some programs write the empty hands of games that have hands.
    let board = board.strip_suffix("[]").or_else(|| board.strip_suffix("[-]")).unwrap_or(board);
    let mut pieces = parse_board(board, (files, ranks), kind)?;
    let side = fields.next().map_or(Ok(Side::First), parse_side)?;
    if side != pieces.side {
        pieces.pass();
    }
    let counters: Vec<&str> = fields.collect();
    let dashes = counters.iter().take_while(|&&field| field == "-").count();
    let (clock, number) = match counters[dashes.min(2)..] {
        [] => (0, 1),
        [clock] => (parse_counter(clock)?, 1),
        [clock, number] => (parse_counter(clock)?, parse_counter(number)?),
        _ => return Err(bad("it has too many fields")),
    };
    let plies = 2 * number.saturating_sub(1) + side.index() as u32;
    Ok(Setting { position: pieces, clock, plies })
}

fn parse_board(
    text: &str,
    (files, ranks): (u8, u8),
    kind: impl Fn(char) -> Option<PalaceKind>,
) -> Result<Pieces, ParseError> {
    let bad = |why: String| ParseError::new("board", text, why);
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(ranks) {
        return Err(bad(format!("it has {} ranks, not {ranks}", rows.len())));
    }
    let mut pieces = Pieces::none();
    for (rank, row) in (0..ranks).rev().zip(rows) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10).filter(|&empty| empty > 0) {
                file += empty as u8;
            } else {
                let kind = kind(letter.to_ascii_lowercase())
                    .ok_or_else(|| bad(format!("'{letter}' in rank '{row}' is no piece here")))?;
                if file < files {
                    pieces.put(side_of(letter), kind, PalaceSquare::new(file, rank));
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
        "w" | "W" | "r" | "R" => Ok(Side::First),
        "b" | "B" => Ok(Side::Second),
        _ => Err(ParseError::new("side to move", text, "it is neither 'w' nor 'b'")),
    }
}

/// Counters are small, so that adding the plies of any game to them cannot overflow. Those that a game reaches
/// beyond that are written as the greatest.
fn parse_counter(text: &str) -> Result<u32, ParseError> {
    let number: u16 =
        text.parse().map_err(|_| ParseError::new("counter", text, "it is not a number in 0 to 65535"))?;
    Ok(number.into())
}

/// Writes a FEN that [`parse`] reads back.
pub fn write((files, ranks): (u8, u8), pieces: &Pieces, clock: u32, plies: u32) -> String {
    let mut text = String::new();
    for rank in (0..ranks).rev() {
        let mut empty = 0;
        for file in 0..files {
            match pieces.on(PalaceSquare::new(file, rank)) {
                None => empty += 1,
                Some((side, kind)) => {
                    push_count(&mut text, &mut empty);
                    text.push(kind.letter_of(side));
                }
            }
        }
        push_count(&mut text, &mut empty);
        text.push(if rank > 0 { '/' } else { ' ' });
    }
    let side = if pieces.side == Side::First { 'w' } else { 'b' };
    let [clock, number] = [clock, 1 + plies / 2].map(|counter| counter.min(u16::MAX.into()));
    text + &format!("{side} - - {clock} {number}")
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

    fn read(text: &str) -> Result<Setting<Pieces>, ParseError> {
        parse(text, (3, 2), |letter| match letter {
            'k' => Some(PalaceKind::King),
            'p' => Some(PalaceKind::Pawn),
            _ => None,
        })
    }

    #[test]
    fn what_is_written_is_read_back() {
        for text in ["k2/1PK w - - 0 1", "3/KPp b - - 7 12", "pkp/3 w - - 100 5"] {
            let Setting { position, clock, plies } = read(text).expect(text);
            assert_eq!(write((3, 2), &position, clock, plies), text);
        }
    }

    #[test]
    fn counters_that_cannot_be_read_are_not_written() {
        let Setting { position, .. } = read("k2/1PK w - - 65535 65535").expect("the greatest");
        let text = write((3, 2), &position, 65_536, 2 * 65_535);
        assert_eq!(text, "k2/1PK w - - 65535 65535");
    }

    #[test]
    fn what_others_leave_out_or_write_otherwise_is_read() {
        let cases = [
            ("k2/1PK", "k2/1PK w - - 0 1"),
            ("k2/1PK r", "k2/1PK w - - 0 1"),
            ("k2/1PK W", "k2/1PK w - - 0 1"),
            (" \t k2/1PK[]   r - - 3 4\u{a0}", "k2/1PK w - - 3 4"),
            ("k2/1PK[-] b 3", "k2/1PK b - - 3 1"),
            ("k2/1PK b - 3 4", "k2/1PK b - - 3 4"),
        ];
        for (text, whole) in cases {
            let Setting { position, clock, plies } = read(text).expect(text);
            assert_eq!(write((3, 2), &position, clock, plies), whole);
        }
    }

    #[test]
    fn the_offending_part_is_shown() {
        let cases = [
            ("", "FEN", ""),
            ("k2 w", "board", "k2"),
            ("k3/3 w", "board", "k3/3"),
            ("k1/3 w", "board", "k1/3"),
            ("kkkk/3 w", "board", "kkkk/3"),
            ("kx1/3 w", "board", "kx1/3"),
            ("k0p1/3 w", "board", "k0p1/3"),
            ("k2/3 g", "side to move", "g"),
            ("k２/3 w", "board", "k２/3"),
            ("k2/3 w - - - 0 1", "FEN", "k2/3 w - - - 0 1"),
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
