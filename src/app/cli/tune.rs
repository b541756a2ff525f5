//! `sanki tune`: the settings that suit this machine, written into a config.

use std::{
    io::{self, BufRead, Write},
    num::NonZero,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::{CliError, interrupt, output::Force, shell, stdout, tell, train::hours_budget};
use crate::{
    base::store::read_text,
    games::{encode::Encode, rules::GameId},
    net::{Backend, NetConfig},
    training::run::{ConfigFile, Machine, Measured, RunConfig, scale_row},
    with_game,
};

/// A setting is taken if it is faster by this factor, twice: measurements of seconds differ by a few percent.
const BETTER: f64 = 1.05;
/// The hours of a run unless told otherwise: a night.
const NIGHT: f64 = 8.0;

/// Measure this machine for a minute and write a config that suits it
///
/// Trains for some seconds with each of several settings that change the speed and hardly what is learnt, and keeps the faster
/// ones: games that a worker plays at the same time, the number format, playing ahead of learning, threads.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  sanki tune --game shogi
  sanki tune --ask
  sanki tune --game janggi --hours 1 -o hour.toml
  sanki train --config shogi.toml")]
pub struct TuneArgs {
    /// The game [default: minishogi]
    #[arg(long, value_name = "GAME", conflicts_with = "config")]
    game: Option<GameId>,
    /// The settings to begin with [default: the game's]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Ask what is to be trained and for how long
    #[arg(long, conflicts_with_all = ["game", "config", "hours", "json"])]
    ask: bool,
    /// Hours that the run may take [default: 8]
    #[arg(long, value_name = "H", value_parser = super::improve::hours)]
    hours: Option<f64>,
    /// The config to write [default: GAME.toml]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Seconds to measure in all
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = super::bench::seconds)]
    seconds: f64,
    /// Threads at most [default: one per core]
    #[arg(long, value_name = "N", value_parser = super::threads)]
    threads: Option<NonZero<usize>>,
    #[command(flatten)]
    force: Force,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A way to run: settings, and threads.
#[derive(Clone, Debug, PartialEq)]
struct Trial {
    /// `key=value`, each.
    settings: Vec<String>,
    threads: usize,
}

/// Runs the command.
pub fn run(args: TuneArgs) -> Result<()> {
    let (game, hours) = if args.ask { ask(&mut io::stdin().lock())? } else { (args.game, args.hours) };
    let text = match &args.config {
        Some(path) => read_text(path, RunConfig::MOST_BYTES)
            .with_context(|| format!("cannot read {}", path.display()))?,
        None => game.unwrap_or(GameId::Minishogi).facts().config.to_owned(),
    };
    let hours = hours.unwrap_or(NIGHT);
    let cores = args.threads.unwrap_or_else(super::cores).get();
    let config = ConfigFile::parse(&text, &hours_budget(hours))?.choose(cores, None).config;
    let output = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.toml", config.game)));
    args.force.check(&output)?;
    with_game!(config.game, G => tune::<G>(&args, &text, &config, hours, &output))
}

/// Asks a person for a game and hours; an empty line takes what stands in brackets.
fn ask(input: &mut impl BufRead) -> Result<(Option<GameId>, Option<f64>)> {
    let games = GameId::ALL.map(GameId::as_str).join(", ");
    let game = answer(input, &format!("game ({games}) [shogi]: "), "shogi", |text| {
        text.parse::<GameId>().map_err(|error| error.to_string())
    })?;
    let hours = answer(input, &format!("hours [{NIGHT}]: "), &NIGHT.to_string(), super::improve::hours)?;
    Ok((Some(game), Some(hours)))
}

/// Asks until an answer is understood.
fn answer<T>(
    input: &mut impl BufRead,
    question: &str,
    default: &str,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T> {
    loop {
        write!(io::stderr(), "{question}")?;
        let mut line = String::new();
        ensure!(input.read_line(&mut line)? > 0, "the input ended");
        let text = if line.trim().is_empty() { default } else { line.trim() };
        match read(text) {
            Ok(value) => return Ok(value),
            Err(error) => tell(error),
        }
    }
}

fn tune<G: Encode>(args: &TuneArgs, text: &str, config: &RunConfig, hours: f64, output: &Path) -> Result<()> {
    let cores = args.threads.unwrap_or_else(super::cores).get();
    let found = try_all::<G>(config, cores, args.seconds)?;
    let settings = [found.best.settings.clone(), hours_budget(hours)].concat();
    let source = match &args.config {
        Some(path) => path.display().to_string(),
        None => format!("the config of {}", config.game),
    };
    args.force.write(output, with_settings(text, &source, &settings, cores)?.as_bytes())?;
    let mut out = stdout();
    if args.json {
        writeln!(out, "{}", found.to_json(output))?;
        return Ok(());
    }
    found.print(&mut out)?;
    let threads = found.best.threads;
    let threads = if threads == cores { String::new() } else { format!(" --threads {threads}") };
    writeln!(out, "train: sanki train --config {}{threads}", shell::word(output))?;
    Ok(())
}

/// What the measurements found.
struct Found {
    best: Trial,
    /// Positions of self-play a second with the best settings.
    speed: f64,
    /// What was changed, and the positions a second with it.
    measured: Vec<(String, f64)>,
}

/// Measures every alternative, for `seconds` in all, and takes those that are faster.
fn try_all<G: Encode>(config: &RunConfig, cores: usize, seconds: f64) -> Result<Found> {
    let rounds = alternatives(config, cores);
    let count = 1 + rounds.iter().map(Vec::len).sum::<usize>();
    let each = seconds / count as f64;
    let RunConfig { game, rules, net, .. } = config;
    tell(format!(
        "{game} ({rules}), a {net} net: {count} settings, {each:.0} s each; threads: up to {cores}"
    ));
    let mut best = Trial { settings: Vec::new(), threads: cores };
    let mut speed = measure::<G>(config, &best, each)?;
    let mut measured = vec![("as it is".to_owned(), speed)];
    for round in rounds {
        let before = best.clone();
        for change in round {
            let trial = change.after(&before);
            let first = measure::<G>(config, &trial, each)?;
            measured.push((change.to_string(), first));
            if first > BETTER * speed {
                // A machine is not always as fast: a second look at both.
                let (again, second) =
                    (measure::<G>(config, &best, each)?, measure::<G>(config, &trial, each)?);
                let (old, new) = (0.5 * (speed + again), 0.5 * (first + second));
                (best, speed) = if new > BETTER * old { (trial, new) } else { (best, old) };
            }
        }
    }
    Ok(Found { best, speed, measured })
}

impl Found {
    /// As one JSON object; the config was written to `file`.
    fn to_json(&self, file: &Path) -> Value {
        let Found { best, speed, measured } = self;
        let measured: Vec<_> = measured
            .iter()
            .map(|(name, speed)| json!({ "setting": name, "positions_per_s": speed }))
            .collect();
        json!({ "file": file.to_string_lossy(), "threads": best.threads, "set": best.settings,
                "positions_per_s": speed, "measured": measured })
    }

    /// As lines for a person.
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let Found { best, speed, measured } = self;
        for (name, speed) in measured {
            writeln!(out, "{name:40} {speed:9.0} positions/s")?;
        }
        let taken = if best.settings.is_empty() { "none".to_owned() } else { best.settings.join(" ") };
        writeln!(out, "taken: {taken}; threads: {}", best.threads)?;
        let millions = |hours: f64| 3600.0 * hours * speed / 1e6;
        let (hour, night) = (millions(1.0), millions(NIGHT));
        writeln!(out, "an hour is about {hour:.1} million positions, a night {night:.0} million")
    }
}

/// What is tried, one after another; of each group at most one is taken.
fn alternatives(config: &RunConfig, cores: usize) -> Vec<Vec<Change>> {
    let now = config.selfplay.games_per_worker;
    let games = [1, 2, 4].into_iter().filter(|&games| games != now);
    let mut rounds =
        vec![games.map(|games| Change::Setting(format!("selfplay.games_per_worker={games}"))).collect()];
    if let NetConfig::Sparse(_) = config.net {
        let other = if config.selfplay.precision.to_string() == "int16" { "fp32" } else { "int16" };
        rounds.push(vec![Change::Setting(format!("selfplay.precision={other}"))]);
    }
    if cores > 1 {
        rounds.push(vec![Change::Setting(format!("selfplay.lag={}", 1 - config.selfplay.lag.min(1)))]);
    }
    if cores > 2 {
        // Two threads of a core may be no faster than one.
        rounds.push(vec![Change::Threads(cores / 2)]);
    }
    rounds
}

/// What differs from the best so far.
#[derive(Clone, Debug)]
enum Change {
    Setting(String),
    Threads(usize),
}

impl Change {
    fn after(&self, before: &Trial) -> Trial {
        let mut trial = before.clone();
        match self {
            Change::Setting(setting) => trial.settings.push(setting.clone()),
            Change::Threads(threads) => trial.threads = *threads,
        }
        trial
    }
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Change::Setting(setting) => f.write_str(setting),
            Change::Threads(threads) => write!(f, "threads: {threads}"),
        }
    }
}

/// Positions of self-play a second in a whole run.
fn measure<G: Encode>(config: &RunConfig, trial: &Trial, seconds: f64) -> Result<f64> {
    let config = RunConfig::parse(&config.to_toml(), &trial.settings)?;
    let folder = tempfile::tempdir().context("cannot make a folder for the run")?;
    let machine = Machine { workers: trial.threads, backend: Backend::Native };
    let row = scale_row::<G>(&config, machine, folder.path(), Measured::Seconds(seconds), interrupt::flag())?;
    row.map(|row| row.positions_per_s())
        .ok_or_else(|| CliError::interrupted("the measurement was stopped").into())
}

/// A config's text, which is from `source`, with these settings, each `key=value`; the value `none` removes a line. Comments
/// stay, unless lines cannot say it: what a text has from a config that it extends cannot be removed by a line, for
/// example. Then it is all settings that a run on `threads` threads takes.
fn with_settings(text: &str, source: &str, settings: &[String], threads: usize) -> Result<String> {
    let taken = |text: &str, settings: &[String]| -> Result<RunConfig> {
        Ok(ConfigFile::parse(text, settings)?.choose(threads, None).config)
    };
    let wanted = taken(text, settings)?;
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for setting in settings {
        let (key, value) = setting.split_once('=').context("a setting is key=value")?;
        let (table, name) = key.rsplit_once('.').unwrap_or(("", key));
        set_line(&mut lines, table, name, value);
    }
    let written = lines.join("\n") + "\n";
    if taken(&written, &[]).is_ok_and(|read| read == wanted) {
        return Ok(written);
    }
    let source = source.escape_debug();
    Ok(format!("# All settings of a run, which sanki tune made of {source}.\n{}", wanted.to_toml()))
}

fn set_line(lines: &mut Vec<String>, table: &str, name: &str, value: &str) {
    let header = format!("[{table}]");
    let begin = if table.is_empty() {
        0
    } else {
        lines.iter().position(|line| line.trim() == header).map_or(lines.len(), |at| at + 1)
    };
    let end = (begin..lines.len()).find(|&at| lines[at].starts_with('[')).unwrap_or(lines.len());
    let is_it = |line: &String| line.split_once('=').is_some_and(|(key, _)| key.trim() == name);
    let place = (begin..end).find(|&at| is_it(&lines[at]));
    let is_word = value.parse::<f64>().is_err() && !["true", "false"].contains(&value);
    let line = if is_word { format!("{name} = \"{value}\"") } else { format!("{name} = {value}") };
    match (place, value) {
        (Some(at), "none") => drop(lines.remove(at)),
        (None, "none") => {}
        (Some(at), _) => lines[at] = line,
        (None, _) if begin == lines.len() => lines.extend([String::new(), header, line]),
        (None, _) => lines.insert(begin, line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_written_and_comments_stay() {
        for game in GameId::ALL {
            let text = game.facts().config;
            let settings = [
                "selfplay.games_per_worker=4",
                "selfplay.precision=fp32",
                "budget.positions=none",
                "budget.minutes=60",
            ];
            let written = with_settings(text, "a file", &settings.map(str::to_owned), 2).unwrap();
            let comments = |text: &str| text.lines().filter(|line| line.starts_with('#')).count();
            assert_eq!(comments(&written), comments(text), "{game}");
            let read = RunConfig::parse(&written, &[]).unwrap();
            assert_eq!((read.selfplay.games_per_worker, read.budget.minutes), (4, Some(60.0)));
            assert_eq!(read.budget.positions, None);
        }
    }

    #[test]
    fn what_lines_cannot_say_is_written_whole() {
        let settings = [hours_budget(1.0), vec!["selfplay.games_per_worker=4".to_owned()]].concat();
        let short = "extends = \"shogi\"\n[short.selfplay]\ngames_per_worker = 1\n";
        for text in [
            "extends = \"dobutsu\"\n[learner]\nbatch = 64\n",
            "extends = \"minishogi\"\nselfplay = { games_per_worker = 8 }\n",
            short,
            GameId::Janggi.facts().gpu_config.unwrap(),
        ] {
            let written = with_settings(text, "own\n.toml", &settings, 2).unwrap();
            let read = ConfigFile::parse(&written, &[]).unwrap();
            let wanted = ConfigFile::parse(text, &settings).unwrap().choose(2, None).config;
            assert_eq!(read.choose(2, None).config, wanted, "{written}");
            assert_eq!((wanted.budget.positions, wanted.budget.minutes), (None, Some(60.0)));
            assert_eq!(wanted.selfplay.games_per_worker, 4);
            let first = written.lines().next().unwrap();
            assert!(first.starts_with('#') && first.contains("own\\n.toml"), "{first}");
            assert!(!written.contains("extends"), "{written}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_no_utf_8_is_reported() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

        let best = Trial { settings: Vec::new(), threads: 1 };
        let found = Found { best, speed: 1.0, measured: Vec::new() };
        let report = found.to_json(Path::new(OsStr::from_bytes(b"a\xff.toml")));
        assert_eq!(report["file"], "a\u{fffd}.toml");
    }

    #[test]
    fn questions_are_asked_until_they_are_answered() {
        let mut input = &b"chess\njanggi\n-1\n\n"[..];
        assert_eq!(ask(&mut input).unwrap(), (Some(GameId::Janggi), Some(NIGHT)));
        assert!(ask(&mut &b"shogi\n"[..]).is_err(), "the input ends");
    }
}
