//! Moves by their squares alone, and positions, as protocols write them.

use crate::games::rules::Game;

/// A text of ours with each of its squares, a file's letter and a rank from 1, written by `square`.
pub fn map_squares(text: &str, square: impl Fn(char, usize) -> String) -> String {
    let mut out = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if !letter.is_ascii_lowercase() {
            out.push(letter);
            continue;
        }
        let mut rank = 0;
        while let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(10)) {
            rank = 10 * rank + digit as usize;
            letters.next();
        }
        out += &square(letter, rank);
    }
    out
}

/// A move as in USI: files are numbers from the first player's right, ranks letters from the top: `7g7f`, `P*5e`.
pub fn usi<G: Game>(mv: G::Move) -> String {
    map_squares(&mv.to_string(), shogi_square::<G>).replace('@', "*")
}

/// Whether the move that the rules write as `text` leaves everything where it is.
pub fn is_pass(text: &str) -> bool {
    let (from, to) = text.split_at(text.len() / 2);
    from == to
}

fn shogi_square<G: Game>(file: char, rank: usize) -> String {
    let file = G::FILES - (file as usize - 'a' as usize);
    let rank = char::from(b'a' + (G::RANKS - rank) as u8);
    format!("{file}{rank}")
}

/// The order of the pieces in an SFEN's hands, dobutsu's behind those of shogi.
const HAND_ORDER: &str = "RBGSNLPEC";

/// The SFEN of a FEN that we wrote: `BOARD[HANDS] w|b - - CLOCK MOVE`. Its number is one that can be read: 65535 stands for
/// that and more.
pub fn sfen(fen: &str) -> String {
    let (board, rest) = fen.split_once('[').expect("a game with hands");
    let (hands, rest) = rest.split_once(']').expect("hands end");
    let mut fields = rest.split_whitespace();
    // The first player is black here.
    let (side, plies) = if fields.next() == Some("w") { ("b", 0) } else { ("w", 1) };
    let number: u32 = fields.last().and_then(|number| number.parse().ok()).unwrap_or(1);
    let plies = 2 * number.saturating_sub(1) + plies;
    let mut held = String::new();
    for kind in HAND_ORDER.chars().chain(HAND_ORDER.to_ascii_lowercase().chars()) {
        match hands.matches(kind).count() {
            0 => {}
            1 => held.push(kind),
            count => held += &format!("{count}{kind}"),
        }
    }
    let held = if held.is_empty() { "-" } else { &held };
    format!("{board} {side} {held} {}", (plies + 1).min(u16::MAX.into()))
}
