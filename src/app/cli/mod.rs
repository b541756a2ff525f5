//! The command line: one file for each command, errors printed here.
//!
//! Results go to stdout, everything else to stderr. The exit code is 0 when done, 1 when it failed, 2 for
//! wrong usage and 130 when interrupted.

mod analyse;
mod analysis;
mod bench;
mod browser;
mod contest;
mod convert;
mod devices;
mod engine;
mod error;
mod evaluate;
mod export;
mod features;
mod improve;
mod interrupt;
mod ladder;
mod log;
mod manual;
mod matches;
mod nats;
mod openings;
mod output;
mod perft;
mod plan;
mod play;
mod players;
mod position;
mod record;
mod serve;
mod shell;
mod show;
mod train;
mod tune;
mod work;

use std::{
    fmt, fs,
    io::{self, Write},
    num::NonZero,
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
};

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

#[doc(hidden)]
pub use analysis::count_analysis_requests;
pub use engine::run_program as run_engine;
pub use error::CliError;
#[doc(hidden)]
pub use show::answer_requests;

use crate::{
    base::store::printable,
    games::rules::GameId,
    net::{Backend, Isa},
};

/// Trains engines for janggi, xiangqi, shogi and their small boards from nothing but their rules.
#[derive(Debug, Parser)]
#[command(name = "sanki", version, arg_required_else_help = false)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Train(Box<train::TrainArgs>),
    Improve(Box<improve::ImproveArgs>),
    Tune(tune::TuneArgs),
    Work(work::WorkArgs),
    Match(Box<matches::MatchArgs>),
    Ladder(ladder::LadderArgs),
    Openings(openings::OpeningsArgs),
    Export(export::ExportArgs),
    Convert(convert::ConvertArgs),
    Engine(engine::EngineArgs),
    Play(Box<play::PlayArgs>),
    Analyse(Box<analyse::AnalyseArgs>),
    Analysis(analysis::AnalysisArgs),
    Serve(serve::ServeArgs),
    Show(show::ShowArgs),
    Perft(perft::PerftArgs),
    Bench(bench::BenchArgs),
    Devices(devices::DevicesArgs),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

impl Command {
    fn run(self) -> Result<()> {
        match self {
            Command::Train(args) => train::run(*args),
            Command::Improve(args) => improve::run(*args),
            Command::Tune(args) => tune::run(args),
            Command::Work(args) => work::run(args),
            Command::Match(args) => matches::run(*args),
            Command::Ladder(args) => ladder::run(args),
            Command::Openings(args) => openings::run(args),
            Command::Export(args) => export::run(args),
            Command::Convert(args) => convert::run(args),
            Command::Engine(args) => engine::run(args),
            Command::Play(args) => play::run(*args),
            Command::Analyse(args) => analyse::run(&args),
            Command::Analysis(args) => analysis::run(&args),
            Command::Serve(args) => serve::run(args),
            Command::Show(args) => show::run(args),
            Command::Perft(args) => perft::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Devices(args) => devices::run(&args),
            Command::Completions(args) => manual::completions(&args),
            Command::Man(args) => manual::man(&args),
        }
    }
}

/// Runs the command that the program's arguments name, prints its error, if any, and gives the exit code.
pub fn run() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => finish(|| cli.command.run()),
        Err(error) => refuse(error),
    }
}

/// Prints what keeps a command from running: the help that was asked for, or what is wrong with the arguments.
fn refuse(error: clap::Error) -> ExitCode {
    if error.use_stderr() {
        return CliError::from(error).print();
    }
    // Nothing is left to do where even the help cannot be printed.
    let _ = error.print();
    ExitCode::SUCCESS
}

/// Runs a command, prints its error, if any, and gives the exit code.
fn finish(run: impl FnOnce() -> Result<()>) -> ExitCode {
    log::begin();
    // Here, for the user to see an error: what loads nets panics.
    if let Err(bad) = Isa::from_env() {
        return CliError::usage(bad).help("without it the program chooses the fastest").print();
    }
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => CliError::from(error).print(),
    }
}

/// Reads a backend: one whose device is there. `auto` is a GPU if there is one, and otherwise this processor.
fn backend(text: &str) -> Result<Backend, String> {
    if text == "auto" {
        #[cfg(feature = "wgpu")]
        if crate::net::gpu::Gpu::list().first().is_some_and(|gpu| gpu.kind != "processor") {
            return Ok(Backend::Wgpu);
        }
        return Ok(Backend::Native);
    }
    let backend: Backend =
        text.parse().map_err(|error: crate::games::rules::UnknownName| error.to_string())?;
    backend.check().map_err(|error| format!("{error}; see sanki devices"))?;
    Ok(backend)
}

/// Threads to work on where the user names no number: one a core.
fn cores() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// The most threads that can be asked for: several times what machines have.
const MOST_THREADS: usize = 1024;

/// Reads a number of threads.
fn threads(text: &str) -> Result<NonZero<usize>, String> {
    let number = text.parse().ok().filter(|number: &NonZero<usize>| number.get() <= MOST_THREADS);
    number.ok_or_else(|| format!("the number of threads must be in 1..={MOST_THREADS}"))
}

/// The folder that the user names, or one below `kind` for what begins now, made here, so that nobody else gets it.
///
/// # Errors
/// Names the folder that cannot be made.
fn folder_or_dated(named: Option<&Path>, kind: &Path, game: GameId) -> Result<PathBuf> {
    if let Some(folder) = named {
        return Ok(folder.to_owned());
    }
    fs::create_dir_all(kind).with_context(|| format!("cannot make {}", kind.display()))?;
    let now = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S");
    let name = format!("{game}-{now}");
    let names = std::iter::once(name.clone()).chain((2..).map(|number| format!("{name}-{number}")));
    for folder in names.map(|name| kind.join(name)) {
        match fs::create_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => {
                made.with_context(|| format!("cannot make {}", folder.display()))?;
                return Ok(folder);
            }
        }
    }
    unreachable!("there is always another number")
}

/// Says something to a person: a line on stderr. What is done does not depend on anybody reading it.
fn tell(line: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{}", printable(&line.to_string()));
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use clap::CommandFactory;

    use super::*;

    #[test]
    fn every_command_is_sound_and_has_an_example() {
        let mut cli = Cli::command();
        cli.build();
        cli.clone().debug_assert();
        for command in cli.get_subcommands().filter(|command| command.get_name() != "help") {
            let example = format!("  sanki {} ", command.get_name());
            let after = command.get_after_help().unwrap_or_default().to_string();
            assert!(after.contains(&example), "{} has no example", command.get_name());
        }
    }

    #[test]
    fn what_begins_at_once_has_folders_of_its_own() {
        let parent = tempfile::tempdir().unwrap();
        let begin = || folder_or_dated(None, parent.path(), GameId::Dobutsu).unwrap();
        let folders: HashSet<PathBuf> = thread::scope(|scope| {
            let threads: Vec<_> =
                (0..8).map(|_| scope.spawn(|| (0..20).map(|_| begin()).collect())).collect();
            threads.into_iter().flat_map(|thread| -> Vec<PathBuf> { thread.join().unwrap() }).collect()
        });
        assert_eq!(folders.len(), 160);
        let named = parent.path().join("named");
        assert_eq!(folder_or_dated(Some(&named), parent.path(), GameId::Dobutsu).unwrap(), named);
        assert!(!named.exists());
    }
}
