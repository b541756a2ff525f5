//! What both programs do with a person at the console: they read arguments, say what went wrong, and end with an exit code.

mod error;
#[cfg(feature = "program")]
mod stdout;

use std::{
    fmt,
    io::{self, Write},
    num::NonZero,
    process::ExitCode,
};

use anyhow::Result;
use clap::error::ErrorKind;
pub use error::CliError;
#[cfg(feature = "program")]
pub use stdout::stdout;

use crate::{
    base::store::printable,
    net::{Isa, MOST_THREADS},
};

/// Reads a number of threads.
pub(super) fn threads(text: &str) -> Result<NonZero<usize>, String> {
    let number = text.parse().ok().filter(|number: &NonZero<usize>| number.get() <= MOST_THREADS as usize);
    number.ok_or_else(|| format!("the number of threads must be in 1..={MOST_THREADS}"))
}

/// Says something to a person: a line on stderr. What is done does not depend on a reader.
pub(super) fn tell(line: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{}", printable(&line.to_string()));
}

/// Prints what keeps a command from running: the help that was asked for or that helps where no command is named, or what is
/// wrong with the arguments.
pub(super) fn refuse(error: clap::Error) -> ExitCode {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        // On stderr: nothing was asked for.
        let _ = error.print();
        return CliError::usage("").code();
    }
    if error.use_stderr() {
        return CliError::from(error).print();
    }
    // Nothing is left to do where even the help cannot be printed.
    let _ = error.print();
    ExitCode::SUCCESS
}

/// Runs a command, prints its error, if any, and gives the exit code.
pub(super) fn finish(run: impl FnOnce() -> Result<()>) -> ExitCode {
    // Here, for the user to see an error: what loads nets panics.
    if let Err(bad) = Isa::from_env() {
        return CliError::usage(bad).help("without it the program chooses the fastest").print();
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => CliError::from(error).print(),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
