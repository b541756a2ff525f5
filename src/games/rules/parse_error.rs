//! Texts that are none.

/// Why a text is no position or no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad {what} '{text}': {why}")]
pub struct ParseError {
    /// The part that is wrong: `FEN`, `board`, `hand`, `side to move`, `move`…
    pub what: &'static str,
    /// The offending text.
    pub text: String,
    /// What is wrong with it.
    pub why: String,
}

impl ParseError {
    /// An error about `text`, which should have been a `what`.
    pub fn new(what: &'static str, text: impl Into<String>, why: impl Into<String>) -> Self {
        ParseError { what, text: text.into(), why: why.into() }
    }
}
