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
    ///
    /// # Errors
    /// When it is not that of a book.
    pub(super) fn of(path: &Path) -> Result<Self, CliError> {
        let end = path.extension().map(|end| end.to_string_lossy().to_lowercase());
        match end.as_deref() {
            Some("book") => Ok(BookFormat::Own),
            Some("db") => Ok(BookFormat::YaneuraOu),
            _ => Err(CliError::usage(format!("{} is not named as a book is", path.display()))
                .help("name it .book, or .db for one of YaneuraOu")),
        }
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
