//! What a reader found in a text.

use std::fmt;

use anyhow::{Error, Result};

use super::Record;

/// The games of a text, those that had to be left out, and what was not understood.
#[derive(Debug, Default)]
pub struct Reading {
    /// The games that were read whole.
    pub records: Vec<Record>,
    /// Those that were not.
    pub failures: Vec<Failure>,
    /// What was not understood and left out, or read in another way than it is written.
    pub notes: Vec<Note>,
}

/// A game that was left out.
#[derive(Debug)]
pub struct Failure {
    /// Its number among the games of the text, from 1.
    pub game: u32,
    /// The line of the text, from 1, where it is known.
    pub line: Option<usize>,
    /// Why.
    pub error: Error,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}: ", self.game)?;
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "{:#}", self.error)
    }
}

/// A remark on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The line of the text, from 1.
    pub line: usize,
    /// What there is to say.
    pub text: String,
}

impl Note {
    pub(super) fn new(line: usize, text: impl Into<String>) -> Self {
        Note { line, text: text.into() }
    }

    /// That `text` is left out.
    pub(super) fn unknown(line: usize, text: &str) -> Self {
        Note::new(line, format!("'{}' is not understood and left out", shown(text)))
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

impl Reading {
    /// All games, if none was left out.
    ///
    /// # Errors
    /// The first failure.
    pub fn whole(self) -> Result<Vec<Record>> {
        match self.failures.into_iter().next() {
            None => Ok(self.records),
            Some(failure) => {
                let place = match failure.line {
                    Some(line) => format!("game {}: line {line}", failure.game),
                    None => format!("game {}", failure.game),
                };
                Err(failure.error.context(place))
            }
        }
    }

    /// Games read and games left out.
    pub fn games(&self) -> usize {
        self.records.len() + self.failures.len()
    }

    /// The number of the next game.
    pub(super) fn next_game(&self) -> u32 {
        self.games() as u32 + 1
    }

    /// Adds a game, under the next number, or what is wrong with it.
    pub(super) fn add(&mut self, read: Result<Record, Wrong>) {
        let game = self.next_game();
        match read {
            Ok(record) => self.records.push(Record { number: game, ..record }),
            Err(Wrong { line, error }) => self.failures.push(Failure { game, line, error }),
        }
    }
}

/// What is wrong with a game, and where.
#[derive(Debug)]
pub(super) struct Wrong {
    /// The line, from 1.
    pub(super) line: Option<usize>,
    pub(super) error: Error,
}

impl Wrong {
    /// On `line`, which reads `text`.
    pub(super) fn on(line: usize, text: &str, error: Error) -> Self {
        Wrong { line: Some(line), error: error.context(format!("'{}'", shown(text))) }
    }
}

/// Letters of a line that are shown at most.
const LONGEST: usize = 80;

/// The beginning of `text`.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}
