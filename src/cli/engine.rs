//! `sanki engine`, and the program `sanki-engine`.

use std::{
    io::{self, BufReader},
    num::NonZero,
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context, Result};
use clap::Parser;

use super::{CliError, threads};
use crate::{
    engine::{EngineConfig, Session, net_folders},
    net::PlayTable,
};

/// Plays in other programs: speaks UCI, USI or UCCI on stdin and stdout, whichever it is greeted in
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  sanki engine
  sanki engine --model runs/first --threads 2 --hash 512

Other programs start it; by hand, type `uci`, `position startpos`, `go movetime 1000`, `quit`.
Without --model the net is GAME.sanki beside the program, in `checkpoints` above it, or in the user's data folder.")]
pub struct Args {
    /// A checkpoint, a run's folder or an exported model; its game is played until another variant is chosen
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Threads that think about a move [default: what the model says, else 1]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZero<usize>>,
    /// MiB that the tree of a search may take [default: what the model says, else 256]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
    hash: Option<u32>,
}

/// The program `sanki-engine`: the engine, for programs that start it without arguments.
#[derive(Debug, Parser)]
#[command(name = "sanki-engine", version)]
struct Program {
    #[command(flatten)]
    args: Args,
}

pub fn run(args: Args) -> Result<()> {
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
        Ok(program) => super::finish(|| run(program.args)),
        Err(error) => super::refuse(error),
    }
}
