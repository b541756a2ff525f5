//! The arguments of `sanki engine` and of the program `sanki-engine`.

use std::{
    io::{self, BufReader},
    num::NonZero,
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context, Result};
use clap::Parser;

use super::{EngineConfig, Session, net_folders};
use crate::{
    app::console::{CliError, finish, refuse, threads},
    net::PlayTable,
};

/// What both ways to start the engine say of it.
macro_rules! about {
    () => {
        "\
Other programs start the engine. To try it by hand, type `uci`, `isready` (loads the net), \
`position startpos`, `go movetime 1000`, and `quit` after the answer. Without --model it looks for a net named \
GAME.sanki: beside the program, in a folder `checkpoints` beside or above the program, in `checkpoints` of the folder \
where it is called, and in the user's data folder."
    };
}

/// Play in other programs: speak UCI, USI or UCCI on stdin and stdout, whichever the other program speaks
#[derive(Debug, clap::Args)]
#[command(after_help = concat!(about!(), "

Examples:
  sanki engine
  sanki engine --model runs/first --threads 2 --hash 512"))]
pub struct EngineArgs {
    /// A checkpoint, a run's folder or an exported model; the engine plays its game until the other program
    /// chooses another
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Threads that search a move [default: as the model says, else 1]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZero<usize>>,
    /// Memory for the search, in MiB [default: as the model says, else 256]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
    hash: Option<u32>,
}

/// Play in other programs: speak UCI, USI or UCCI on stdin and stdout, whichever the other program speaks
#[derive(Debug, Parser)]
#[command(
    name = "sanki-engine",
    version,
    after_help = concat!(about!(), "\n\nExample: sanki-engine --model janggi.sanki --threads 2 --hash 512")
)]
struct Program {
    #[command(flatten)]
    args: EngineArgs,
}

/// Plays until the input ends.
///
/// # Errors
/// When the arguments make no sense, or the input cannot be read.
pub fn run(args: EngineArgs) -> Result<()> {
    let play = PlayTable {
        threads: args.threads.map(|threads| threads.get() as u32),
        memory: args.hash,
        ..PlayTable::default()
    };
    play.check().map_err(CliError::usage)?;
    let config = EngineConfig { model: args.model, play, folders: net_folders() };
    let session = Session::new(config, Box::new(io::stdout()), Box::new(io::stderr()))?;
    session.run(&mut BufReader::new(io::stdin())).context("cannot read the input")
}

/// Runs the program `sanki-engine` with its arguments, prints its error, if any, and gives the exit code.
pub fn run_program() -> ExitCode {
    match Program::try_parse() {
        Ok(program) => finish(|| run(program.args)),
        Err(error) => refuse(error),
    }
}
