//! The books of YaneuraOu, which many programs for shogi read and write:
//!
//! ```text
//! #YANEURAOU-DB2016 1.00
//! sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
//! 7g7f 3c3d 50 32 8
//! ```
//!
//! Behind each position stand its moves: a move, the reply that is expected or `none`, the score in centipawns, the depth of
//! the search, and how often it was played. Only the move must be there. Lines that begin with `#` or `//` are comments.

use std::fmt::Write as _;

use super::{Book, position_key};
use crate::games::{
    notation::{sfen, usi},
    rules::{Game, ParseError},
};

/// What the first line begins with.
pub(super) const HEADER: &str = "#YANEURAOU-DB2016";
/// How much less than the best a move may score, in centipawns: YaneuraOu's own default (`BookEvalDiff`).
const MOST_BELOW: i64 = 30;

/// A move of a position.
struct Entry {
    /// In UCI.
    mv: String,
    score: i64,
    times: u32,
}

/// Reads such a book for `G`. The weight of a move is how often it was played, at least one; those that score too far
/// below the best are left out.
///
/// # Errors
/// Shows the line that is wrong.
pub(super) fn read<G: Game>(text: &str) -> Result<Book, ParseError> {
    let mut book = Book::new(G::ID);
    let mut position: Option<(G, Vec<Entry>)> = None;
    let lines = text.lines().map(|line| line.trim_start_matches('\u{feff}').trim());
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#') && !line.starts_with("//")) {
        let bad = |why: &str| ParseError::new("line of a book", line, why);
        if let Some(text) = line.strip_prefix("sfen ") {
            add(&mut book, position.take());
            let game = G::from_fen(G::ID.rule_sets()[0], text)?;
            position = Some((game, Vec::new()));
        } else {
            let (game, entries) = position.as_mut().ok_or_else(|| bad("no position stands before it"))?;
            entries.push(entry(game, line).map_err(bad)?);
        }
    }
    add(&mut book, position);
    Ok(book)
}

/// The move of a line.
fn entry<G: Game>(game: &G, line: &str) -> Result<Entry, &'static str> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let number = |at: usize, otherwise: i64| match words.get(at) {
        None => Ok(otherwise),
        Some(word) => word.parse().map_err(|_| "its score, depth and count are numbers"),
    };
    let (score, _, times): (i64, i64, i64) = (number(2, 0)?, number(3, 0)?, number(4, 1)?);
    let mut legal = Vec::new();
    game.legal_moves(&mut legal);
    let mv = legal.into_iter().find(|&mv| usi::<G>(mv) == words[0]).ok_or("no legal move is written so")?;
    Ok(Entry { mv: mv.to_string(), score, times: times.clamp(1, u32::MAX.into()) as u32 })
}

/// Adds a position that is complete.
fn add<G: Game>(book: &mut Book, position: Option<(G, Vec<Entry>)>) {
    let Some((game, entries)) = position else { return };
    let best = entries.iter().map(|entry| entry.score).max().unwrap_or(0);
    let kept = entries.into_iter().filter(|entry| entry.score >= best.saturating_sub(MOST_BELOW));
    book.add(&game.fen(), kept.map(|Entry { mv, times, .. }| (mv, times)));
}

/// `book` as such a file, which must be for `G`: sorted, as some readers want it, without scores. Positions and moves that `G`
/// does not know are left out.
pub(super) fn write<G: Game>(book: &Book) -> String {
    let mut positions: Vec<String> =
        book.positions.keys().filter_map(|key| position::<G>(book, key)).collect();
    positions.sort_unstable();
    format!("{HEADER} 1.00\n{}", positions.concat())
}

fn position<G: Game>(book: &Book, key: &str) -> Option<String> {
    let game = G::from_fen(G::ID.rule_sets()[0], key).ok()?;
    debug_assert_eq!(position_key(&game.fen()), key);
    let mut text = format!("sfen {}\n", sfen(&game.fen()));
    for (mv, weight) in book.moves(&game) {
        writeln!(text, "{} none 0 0 {weight}", usi::<G>(mv)).expect("writing to a string");
    }
    Some(text)
}
