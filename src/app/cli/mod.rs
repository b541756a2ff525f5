//! The command line: one file for each command, errors printed here.
//!
//! Results go to stdout, everything else to stderr. The exit code is 0 when done, 1 when it failed, 2 for
//! wrong usage and 130 when interrupted.

mod analyse;
mod analysis;
mod bench;
mod book;
mod book_format;
mod browser;
#[cfg(windows)]
mod click;
mod colours;
mod contest;
mod convert;
mod devices;
mod evaluate;
mod explore;
mod export;
mod features;
mod improve;
mod interrupt;
mod ladder;
mod levels;
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
    env,
    ffi::OsString,
    fs, io,
    num::NonZero,
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
};

use anyhow::{Context, Result};
use clap::{
    Parser, Subcommand,
    error::{ContextKind, ContextValue},
};
use rayon::ThreadPoolBuilder;

#[doc(hidden)]
pub use analysis::count_analysis_requests;
#[doc(hidden)]
pub use show::answer_requests;

pub use super::console::CliError;
use super::{
    console::{finish, refuse, stdout, tell, threads},
    engine,
};
use crate::{
    base::store::LOCK,
    games::rules::{GameId, UnknownName},
    net::Backend,
};

/// Trains engines for janggi, xiangqi, shogi and their small boards from nothing but their rules.
#[derive(Debug, Parser)]
#[command(name = "sanki", version)]
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
    Levels(levels::LevelsArgs),
    Openings(openings::OpeningsArgs),
    Export(export::ExportArgs),
    Convert(convert::ConvertArgs),
    Explore(explore::ExploreArgs),
    Book(book::BookArgs),
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
            Command::Levels(args) => levels::run(args),
            Command::Openings(args) => openings::run(args),
            Command::Export(args) => export::run(args),
            Command::Convert(args) => convert::run(args),
            Command::Explore(args) => explore::run(&args),
            Command::Book(args) => book::run(&args),
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

/// Runs the command that the program's arguments name, prints its error, if any, and gives the exit code. Opens the page
/// where a double click in Windows has started us.
pub fn run() -> ExitCode {
    #[cfg(windows)]
    if click::is_double_click() {
        return click::open_page();
    }
    run_command(env::args_os())
}

/// Runs the command that these arguments name; the first is the program.
fn run_command(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.collect();
    match Cli::try_parse_from(&arguments) {
        Ok(cli) => {
            log::begin();
            finish(|| cli.command.run())
        }
        Err(error) => refuse(with_advice(error, arguments.get(1))),
    }
}

/// What `sanki train` takes in place of options that other commands have.
const OF_TRAIN: [(&str, &str); 2] = [
    ("--rules", "--set rules=NAME picks the rule set"),
    ("--minutes", "--hours says how long, or --set budget.minutes=N"),
];

/// The error with what to type in place of an argument that `command` does not have, where that is known.
fn with_advice(mut error: clap::Error, command: Option<&OsString>) -> clap::Error {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return error };
    let is_train = command.is_some_and(|command| command == "train");
    let option = OF_TRAIN.iter().find(|(option, _)| is_train && argument == option);
    let advice = match (option, argument.parse::<GameId>()) {
        (Some((_, advice)), _) => (*advice).to_owned(),
        (None, Ok(game)) if is_train => format!("sanki train --game {game} trains that game"),
        _ => return error,
    };
    error.remove(ContextKind::SuggestedArg);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
    error
}

/// Reads a backend: one whose device is there. `auto` is a GPU if there is one, and otherwise this processor.
fn backend(text: &str) -> Result<Backend, String> {
    if text == "auto" {
        #[cfg(feature = "wgpu")]
        if Backend::gpu_name().is_some() {
            return Ok(Backend::Wgpu);
        }
        return Ok(Backend::Native);
    }
    let backend: Backend = text.parse().map_err(|error: UnknownName| error.to_string())?;
    backend.check().map_err(|error| format!("{error}; see sanki devices"))?;
    Ok(backend)
}

/// Reads a setting of a config. Whether there is such a key is seen when it is applied.
fn setting(text: &str) -> Result<String, String> {
    if text.contains('=') { Ok(text.to_owned()) } else { Err("it is not KEY=VALUE".to_owned()) }
}

/// Threads to work on where the user names no number: one a core.
fn cores() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// Begins the pool of threads on which this program shares out its work, such as packing a net.
///
/// # Errors
/// When they cannot be started.
fn share_out_on(threads: usize) -> Result<()> {
    ThreadPoolBuilder::new().num_threads(threads).build_global().context("cannot start threads")
}

/// The folder that the user names, or one below `kind` for what begins now, made here, so that no other process gets it.
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

/// Removes a folder of [`folder_or_dated`] in which nothing began: it holds a lock and empty folders at most.
fn remove_unused(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    let is_empty = |path: &Path| fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
    if !paths.iter().all(|path| *path == folder.join(LOCK) || is_empty(path)) {
        return;
    }
    // What cannot be removed stays, and does no harm.
    for path in &paths {
        let _ = if path.is_dir() { fs::remove_dir(path) } else { fs::remove_file(path) };
    }
    let _ = fs::remove_dir(folder);
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
    fn numbers_that_are_none_are_told_in_usual_words() {
        for (arguments, words) in [
            (["sanki", "play", "--sims", "0"], "it must be more than 0"),
            (["sanki", "play", "--movetime", "abc"], "it must be a whole number"),
            (["sanki", "play", "--movetime", "99999999999"], "it is too large"),
        ] {
            let (message, _) = CliError::from(Cli::try_parse_from(arguments).unwrap_err()).lines();
            assert!(message.contains(words), "{message}");
        }
    }

    #[test]
    fn a_setting_is_a_key_with_a_value() {
        for command in [&["train"][..], &["improve"], &["bench", "scale"]] {
            let arguments = ["sanki"].iter().chain(command).chain(&["--set", "foo"]);
            let error = CliError::from(Cli::try_parse_from(arguments).unwrap_err());
            assert!(error.is_usage() && error.lines().0.contains("it is not KEY=VALUE"), "{error}");
        }
    }

    #[test]
    fn arguments_that_train_does_not_have_are_told_with_those_that_it_has() {
        for (arguments, advice) in [
            (&["train", "shogi"][..], "sanki train --game shogi trains that game"),
            (&["train", "--rules", "jsa24"], "--set rules=NAME picks the rule set"),
            (&["train", "--minutes=5"], "--hours says how long, or --set budget.minutes=N"),
            (&["train", "--nonsense"], "--help"),
        ] {
            let arguments: Vec<OsString> = ["sanki"].iter().chain(arguments).map(OsString::from).collect();
            let error = Cli::try_parse_from(&arguments).unwrap_err();
            let (_, help) = CliError::from(with_advice(error, arguments.get(1))).lines();
            assert!(help.as_ref().is_some_and(|help| help.contains(advice)), "{arguments:?}: {help:?}");
        }
    }

    /// A line that is wrapped cannot be pasted.
    #[test]
    fn examples_fit_a_terminal() {
        fn check(command: &clap::Command) {
            let after = command.get_after_help().unwrap_or_default().to_string();
            for line in after.lines().skip_while(|line| !line.starts_with("Example")) {
                assert!(line.len() <= 80, "{}: {line}", command.get_name());
            }
            command.get_subcommands().for_each(check);
        }
        check(&Cli::command());
    }

    #[test]
    fn a_folder_in_which_nothing_began_goes() {
        let parent = tempfile::tempdir().unwrap();
        for (name, stays) in [("records/gen-000001.records", true), ("lock", false)] {
            let folder = folder_or_dated(None, parent.path(), GameId::Dobutsu).unwrap();
            fs::create_dir(folder.join("records")).unwrap();
            fs::create_dir(folder.join("checkpoints")).unwrap();
            fs::write(folder.join(name), "").unwrap();
            remove_unused(&folder);
            assert_eq!(folder.join(name).exists(), stays, "{name}");
            assert_eq!(folder.exists(), stays, "{name}");
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
