//! The board as text, for people.

use std::fmt::Write;

use super::{
    NAMES, PalaceKind, PalaceSquare, piece::korean, position::Position, ruleset::Count, tables::TABLES,
    verdict::points,
};
use crate::games::rules::Side;

/// Ranks from the top, the lines between the points with the diagonals of the palaces, the letter and the
/// character of each piece; then who is to move, the points where they count, and what the pieces are called.
pub(super) fn draw(position: &Position) -> String {
    let files: String = ('a'..='i').map(|file| format!("   {file}")).collect();
    let mut text = format!("  {files}\n");
    for rank in (0..10).rev() {
        let points: Vec<String> = (0..9).map(|file| cell(position, PalaceSquare::new(file, rank))).collect();
        writeln!(text, "{:2}  {}  {0}", rank + 1, points.join("-")).expect("writing to a string");
        if rank > 0 {
            writeln!(text, "     |{}", (1..9).map(|file| lines_below(file, rank)).collect::<String>())
                .expect("writing to a string");
        }
    }
    let side = match position.pieces.side {
        Side::First => "first (Cho, uppercase, moving up)",
        Side::Second => "second (Han, lowercase, moving down)",
    };
    write!(text, "  {files}\n   to move: {side}\n").expect("writing to a string");
    if position.rules.count == Count::Points {
        let [cho, han] = points(position);
        writeln!(text, "   points: Cho {cho}, Han {han}").expect("writing to a string");
    }
    text + &format!("   {}\n   {}\n", legend(Side::First), legend(Side::Second))
}

/// Three columns for a point, the line through it in the second.
fn cell(position: &Position, square: PalaceSquare) -> String {
    match position.pieces.on(square) {
        Some((side, kind)) => format!("{}{}", kind.letter_of(side), NAMES.character(kind, side)),
        None => match square.file() {
            0 => " +-".to_owned(),
            8 => "-+ ".to_owned(),
            _ => "-+-".to_owned(),
        },
    }
}

/// The four columns below a rank and left of a file's line, and that line.
fn lines_below(file: u8, rank: u8) -> &'static str {
    let drawn = |from: PalaceSquare, to: PalaceSquare| TABLES.diagonal[from.index()].contains(to);
    let (left, right) = (file - 1, file);
    if drawn(PalaceSquare::new(left, rank), PalaceSquare::new(right, rank - 1)) {
        " \\ |"
    } else if drawn(PalaceSquare::new(right, rank), PalaceSquare::new(left, rank - 1)) {
        " / |"
    } else {
        "   |"
    }
}

/// What a side's pieces are called: letter, English, Korean and the character.
fn legend(side: Side) -> String {
    let entries = PalaceKind::ALL.map(|kind| {
        let [letter, character] = [kind.letter_of(side), NAMES.character(kind, side)];
        format!("{letter} {} {} {character}", NAMES.of(kind)[0], korean(kind, side))
    });
    entries.join(", ")
}
