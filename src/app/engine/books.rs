//! The book that is asked for.

use std::path::Path;

use crate::{
    base::store::read_at_most,
    games::{book::Book, rules::GameId},
};

/// Bytes of a book at most.
const LARGEST_BOOK: u64 = 1 << 26;

/// Reads a book of `game`.
///
/// # Errors
/// Says why it cannot.
pub(super) fn read_book(path: &Path, game: GameId) -> Result<Book, String> {
    let bytes = read_at_most(path, LARGEST_BOOK).map_err(|error| format!("{error:#}"))?;
    let text = String::from_utf8(bytes).map_err(|_| "it is no text".to_owned())?;
    Book::read_for(game, &text).map_err(|error| error.to_string())
}
