//! The games of all files, and what could not be read of them.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

use anyhow::{Error, Result, anyhow};

use super::{CliError, tell};
use crate::games::records::{Reading, Record};

/// A game, and where it comes from.
#[derive(Debug)]
pub(in super::super) struct FoundGame {
    pub(in super::super) record: Record,
    path: PathBuf,
    /// Its number there.
    place: u32,
}

impl FoundGame {
    /// That it could not be used, because of `error`.
    pub(in super::super) fn failure(&self, error: Error) -> Error {
        about(error, format!("{}: game {}", self.path.display(), self.place))
    }
}

/// `error`, saying first what it is about: an error of our own keeps its advice and its exit code.
pub(super) fn about(error: Error, what: String) -> Error {
    match error.downcast::<CliError>() {
        Ok(error) => error.about(what).into(),
        Err(error) => error.context(what),
    }
}

/// What was found in files.
#[derive(Debug, Default)]
pub(in super::super) struct Found {
    pub(in super::super) games: Vec<FoundGame>,
    /// Why games, or whole files, were left out.
    pub(in super::super) failures: Vec<Error>,
}

impl Found {
    /// Adds what was read of the file at `path`, and tells what was not understood there.
    ///
    /// # Errors
    /// Those of arguments that make no sense.
    pub(super) fn add(&mut self, path: &Path, reading: Result<Reading>) -> Result<()> {
        let reading = match reading {
            Ok(reading) => reading,
            Err(error) if error.downcast_ref::<CliError>().is_some_and(CliError::is_usage) => {
                return Err(error);
            }
            Err(error) => {
                self.failures.push(error);
                return Ok(());
            }
        };
        for note in &reading.notes {
            tell(format!("warning: {}: {note}", path.display()));
        }
        self.failures.extend(reading.failures.iter().map(|failure| anyhow!("{}: {failure}", path.display())));
        self.games.extend(reading.records.into_iter().map(|record| FoundGame {
            path: path.to_owned(),
            place: record.number,
            record,
        }));
        Ok(())
    }

    /// Gives the games numbers of their own: those of several files, or of none that counts, would share one.
    pub(super) fn number(&mut self) {
        let numbers: HashSet<u32> = self.games.iter().map(|game| game.record.number).collect();
        if numbers.len() < self.games.len() {
            (1..).zip(&mut self.games).for_each(|(number, game)| game.record.number = number);
        }
    }
}

/// Names what was left out while `converted` games were not.
///
/// # Errors
/// When something was.
pub(super) fn conclude(converted: usize, mut failures: Vec<Error>) -> Result<()> {
    let count = failures.len();
    match count {
        0 => Ok(()),
        1 if converted == 0 => Err(failures.swap_remove(0)),
        _ => {
            for failure in failures {
                tell(format!("error: {failure:#}"));
            }
            let games =
                if count == 1 { "1 game or file was" } else { &format!("{count} games or files were") };
            Err(CliError::failed(format!("{games} left out, {converted} converted")).into())
        }
    }
}
