//! Boards drawn in a text, and the pieces in hand beside them.

use anyhow::{Context, Result, ensure};

use super::NUMERALS;
use crate::games::{
    notation::{Piece, piece_of_kanji, piece_to_kanji},
    records::diagram::{Diagram, HAND},
    rules::Side,
};

/// Draws the position of a FEN that we wrote.
pub(super) fn write(out: &mut String, fen: &str) {
    let diagram = Diagram::of_fen(fen);
    let size = diagram.size();
    let files: Vec<String> = (1..=size).rev().map(|file| wide(file).to_string()).collect();
    let edge = format!("+{}+\n", "-".repeat(3 * size));
    *out += &format!("後手の持駒：{}\n  {}\n{edge}", hand(&diagram, Side::Second), files.join(" "));
    for (row, rank) in diagram.cells.iter().zip(&NUMERALS[1..]) {
        let cells = row.iter().map(|cell| match cell {
            Some((Side::First, piece)) => format!(" {}", one_character(*piece)),
            Some((Side::Second, piece)) => format!("v{}", one_character(*piece)),
            None => " ・".to_owned(),
        });
        *out += &format!("|{}|{rank}\n", cells.collect::<String>());
    }
    *out += &format!("{edge}先手の持駒：{}\n", hand(&diagram, Side::First));
    if diagram.side == Side::Second {
        *out += "後手番\n";
    }
}

fn hand(diagram: &Diagram, side: Side) -> String {
    let counts = HAND.iter().zip(diagram.hands[side.index()]).filter(|(_, count)| *count > 0);
    let held: Vec<String> = counts
        .map(|(&letter, count)| {
            let count = if count > 1 { numeral(count) } else { String::new() };
            format!("{}{count}", piece_to_kanji(Piece { letter, promoted: false }))
        })
        .collect();
    if held.is_empty() { "なし".to_owned() } else { held.join("　") }
}

fn wide(digit: usize) -> char {
    char::from_u32('０' as u32 + digit as u32).expect("a digit")
}

/// The character on a board.
fn one_character(piece: Piece) -> &'static str {
    match (piece.letter, piece.promoted) {
        ('L', true) => "杏",
        ('N', true) => "圭",
        ('S', true) => "全",
        _ => piece_to_kanji(piece),
    }
}

/// 2 to 18.
fn numeral(count: u8) -> String {
    let ones = usize::from(count % 10);
    let tens = if count >= 10 { "十" } else { "" };
    if ones > 0 { format!("{tens}{}", NUMERALS[ones]) } else { tens.to_owned() }
}

/// 0 to 19, in Chinese or other digits.
fn number(text: &str) -> Option<u8> {
    let plain: String = text.chars().map(|letter| narrow(letter).unwrap_or(letter)).collect();
    if let Ok(number) = plain.parse() {
        return Some(number);
    }
    let ones = text.strip_prefix('十')?;
    let mut letters = ones.chars();
    let one = match letters.next() {
        None => 0,
        Some(letter) => narrow(letter)?.to_digit(10)? as u8,
    };
    letters.next().is_none().then_some(10 + one)
}

fn narrow(letter: char) -> Option<char> {
    match letter {
        '０'..='９' => Some(char::from(b'0' + (letter as u32 - '０' as u32) as u8)),
        '0'..='9' => Some(letter),
        _ => {
            let place = NUMERALS.iter().position(|&numeral| numeral == letter)?;
            Some(char::from(b'0' + place as u8))
        }
    }
}

/// Reads the pieces in the hand of `side`: `飛二　歩十七`, with or without spaces.
pub(super) fn read_hand(diagram: &mut Diagram, side: Side, text: &str) -> Result<()> {
    let plain: String = text.chars().filter(|letter| !letter.is_whitespace() && *letter != '、').collect();
    if matches!(plain.as_str(), "" | "なし" | "無し" | "無") {
        return Ok(());
    }
    let starts: Vec<usize> = plain
        .char_indices()
        .filter(|(_, letter)| narrow(*letter).is_none() && *letter != '十')
        .map(|(at, _)| at)
        .collect();
    ensure!(starts.first() == Some(&0), "'{text}' begins with a number");
    for (place, &start) in starts.iter().enumerate() {
        let item = &plain[start..starts.get(place + 1).copied().unwrap_or(plain.len())];
        let mut letters = item.chars();
        let piece = letters.next().map(String::from).and_then(|name| piece_of_kanji(&name));
        let count = if letters.as_str().is_empty() { Some(1) } else { number(letters.as_str()) };
        let holds = match (piece, count) {
            (Some(piece), Some(count)) if !piece.promoted => diagram.hold(side, piece.letter, count),
            _ => false,
        };
        ensure!(holds, "'{item}' cannot be held");
    }
    Ok(())
}

/// Reads the rank numbered `rank` from 1 at the top, behind its first `|`.
pub(super) fn read_row(diagram: &mut Diagram, rank: usize, row: &str) -> Result<()> {
    let cells: Vec<char> = cells(row).collect();
    let size = diagram.size();
    ensure!(cells.len() == 2 * size, "a rank has {} cells, not {size}", cells.len() / 2);
    for (pair, file) in cells.chunks(2).zip((1..=size).rev()) {
        let [side, name] = pair else { anyhow::bail!("a cell is incomplete") };
        let side = if matches!(side, 'v' | 'V' | 'ｖ') { Side::Second } else { Side::First };
        let piece = match name {
            '・' | '･' | '.' | '．' | '　' | ' ' => None,
            name => Some((side, piece_of_kanji(&name.to_string()).context("there is no such piece")?)),
        };
        *diagram.cell(file, rank).context("there are too many ranks")? = piece;
    }
    Ok(())
}

fn cells(row: &str) -> impl Iterator<Item = char> {
    row.split_once('|').map_or(row, |(cells, _)| cells).chars()
}

/// How many cells a rank has, behind its first `|`.
pub(super) fn width(row: &str) -> usize {
    cells(row).count() / 2
}
