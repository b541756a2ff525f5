//! The formats of books that are written.

use std::path::Path;

use super::CliError;
use crate::games::book::Book;

/// A format of books.
#[derive(Clone, Copy, Debug)]
pub(super) enum BookFormat {
    /// Ours.
    Own,
    /// YaneuraOu's, for shogi and minishogi.
    YaneuraOu,
}

impl BookFormat {
    /// That which the name of a file asks for.
    pub(super) fn of(path: &Path) -> Self {
        let is_db = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("db"));
        if is_db { BookFormat::YaneuraOu } else { BookFormat::Own }
    }

    /// The text of `book`.
    pub(super) fn write(self, book: &Book) -> Result<String, CliError> {
        match self {
            BookFormat::Own => Ok(book.to_text()),
            BookFormat::YaneuraOu if Book::has_yaneuraou(book.game()) => Ok(book.to_yaneuraou()),
            BookFormat::YaneuraOu => {
                let message =
                    format!("{} has no books of this kind: .db is for shogi and minishogi", book.game());
                Err(CliError::usage(message).help("name it .book"))
            }
        }
    }
}
