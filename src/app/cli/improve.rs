//! `sanki improve`: a net that gets better by itself.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};

use super::{CliError, interrupt, log, shell, tell};
use crate::{
    app::report::{ImprovePage, improve_page},
    arena::Match,
    base::store::{read_text, write_atomic},
    games::{
        encode::Encode,
        rules::{GameId, RuleSet},
    },
    net::{Backend, ModelFile, NetConfig},
    training::{
        improve::{
            BegunImprovement, CYCLE_COLUMNS, CycleReport, ImproveConfig, ImproveObserver, Improver, Step,
        },
        run::{Checkpoint, Machine, RunConfig, RunEnd, saved_config},
    },
    with_game,
};

const SCALE: u64 = 1000;

/// Improve a net by itself for some hours: train, compare with the best net so far, keep the better one, repeat
///
/// Each cycle trains the best net further in two runs with different seeds, at a low learning rate that falls to almost zero.
/// The mean of the two trained nets, and the mean of them and the best net, then play against the best net, each in a
/// sequential test (0 against 20 Elo). The stronger one takes its place. If it only looks stronger, the next cycle trains it
/// further. The rate is halved after a cycle in which neither scores more than half, and after the second cycle in a row that
/// only looks stronger. After two such cycles a net of twice the width is tried. The best net is always in best.sanki in the
/// folder.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The same command with the same --out goes on where it was stopped, also after a kill, and with more hours.

Examples:
  sanki improve checkpoints/shogi.sanki --hours 8
  sanki improve runs/first --hours 2 --out runs/better
  sanki improve --hours 20 --out runs/better
  sanki match runs/better/best.sanki checkpoints/shogi.sanki --movetime 100")]
pub struct ImproveArgs {
    /// The net to begin with: a checkpoint, an exported model, or a run's folder; not needed to go on
    #[arg(value_name = "NET")]
    net: Option<PathBuf>,
    /// Hours of wall time, those of earlier calls counted
    #[arg(long, value_name = "H", value_parser = hours)]
    hours: f64,
    /// The folder [default: runs/<game>-<date>-<time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The settings of the cycles' runs [default: the run's, those in a .toml file beside the net, else the game's; when it
    /// goes on, those that it has]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Change one setting, as in `sanki train`; later calls keep it
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = super::setting)]
    set: Vec<String>,
    /// Minutes of training in the first cycle
    #[arg(long, value_name = "MINUTES", default_value_t = ImproveConfig::default().cycle_minutes, value_parser = minutes)]
    cycle: f64,
    /// Games per match, at most
    #[arg(long, value_name = "N", default_value_t = ImproveConfig::default().games,
        value_parser = clap::value_parser!(u32).range(2..=100_000))]
    games: u32,
    /// Nodes per move in these games
    #[arg(long, value_name = "N", default_value_t = ImproveConfig::default().nodes,
        value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    nodes: u32,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = super::threads)]
    threads: Option<std::num::NonZero<usize>>,
    /// What computes the net, as in `sanki train`
    #[arg(long, default_value_t, value_parser = crate::app::cli::backend)]
    backend: Backend,
    /// Print one JSON object per cycle
    #[arg(long)]
    json: bool,
}

pub(super) fn hours(text: &str) -> Result<f64, String> {
    positive(text, "hours")
}

fn minutes(text: &str) -> Result<f64, String> {
    positive(text, "minutes")
}

fn positive(text: &str, of: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| format!("'{text}' is no number of {of} above 0"))
}

/// Runs the command.
pub fn run(args: ImproveArgs) -> Result<()> {
    let given = args.net.as_deref().map(ModelFile::read).transpose()?;
    let begun = args.out.as_deref().map(BegunImprovement::read).transpose()?.flatten();
    let config = match (&begun, &given) {
        (Some(begun), _) if args.config.is_none() => RunConfig::parse(&begun.config, &args.set)?,
        (Some(begun), _) => {
            // Those that are named, with the seed that it has.
            let seed = RunConfig::parse(&begun.config, &[])?.seed;
            config_for(&args, &begun.start, Some(seed))?
        }
        (None, Some(net)) => config_for(&args, net, None)?,
        (None, None) => {
            return Err(nothing_to_improve(args.out.as_deref()).into());
        }
    };
    config.check_precisions(args.backend)?;
    let out = super::folder_or_dated(args.out.as_deref(), Path::new("runs"), config.game)?;
    let ended = with_game!(config.game, G => improve::<G>(&args, given, config, &out));
    if ended.is_err() && args.out.is_none() {
        super::remove_unused(&out);
    }
    ended
}

/// What is said where no net is named, and `out`, if it is, holds no improvement.
fn nothing_to_improve(out: Option<&Path>) -> CliError {
    match out {
        Some(out) => CliError::usage(format!("{} holds no improvement, and no net is named", out.display()))
            .help("name the net to improve, or the folder of an improvement to go on"),
        None => CliError::usage("no net is named").help("name the net to improve, or --out to go on"),
    }
}

/// The settings for a net: those given, its run's, those beside it, its own, or the game's, with the net's size and this
/// `seed`, if there is one. Those that are not given have the net's rules.
fn config_for(args: &ImproveArgs, net: &ModelFile, seed: Option<u64>) -> Result<RunConfig> {
    let text = match (&args.config, &args.net) {
        (Some(file), _) => read(file)?,
        (None, Some(path)) => settings_of(path)?.unwrap_or_else(|| default_config(net.meta.game)),
        (None, None) => default_config(net.meta.game),
    };
    let mut config = RunConfig::parse(&text, &[])?;
    if config.game == net.meta.game {
        config.net = net.model.net().clone();
        config.seed = seed.unwrap_or(config.seed);
        if args.config.is_none() {
            config.rules = net.meta.rules;
            config.play = net.meta.play.clone();
            raise_rate(&mut config)?;
        }
        config = RunConfig::parse(&config.to_toml(), &args.set)?;
    }
    check_plays_by(&config, net, args.config.as_deref())?;
    Ok(config)
}

/// Whether `config`, which is that of the file `named` if one is, has the game and the rules of `net`.
fn check_plays_by(config: &RunConfig, net: &ModelFile, named: Option<&Path>) -> Result<(), CliError> {
    let (game, rules) = (net.meta.game, net.meta.rules);
    if config.game != game {
        let help = match named {
            Some(file) => format!("{} is of another game: name settings for {game}", file.display()),
            None => "name settings with --config".to_owned(),
        };
        let message = format!("the net plays {game}, the settings are for {}", config.game);
        return Err(CliError::usage(message).help(help));
    }
    if config.rules != rules {
        let message = format!("the net plays by the rules {rules}, the settings are for {}", config.rules);
        return Err(CliError::failed(message).help(format!("--set rules={rules} takes the net's")));
    }
    Ok(())
}

/// The settings of the run in the folder `path` or, where that is a file, those beside it or, of a checkpoint, in it.
fn settings_of(path: &Path) -> Result<Option<String>> {
    let beside = path.with_extension("toml");
    if path.is_dir() {
        saved_config(path)
    } else if beside.is_file() {
        read(&beside).map(Some)
    } else {
        // An exported model has none.
        Ok(Checkpoint::read(path).ok().map(|checkpoint| checkpoint.config))
    }
}

/// Raises the learning rate to the game's own, which is for a sparse net, where that is higher. A run that went on from a
/// net had only a part of it, and a cycle takes a part of what it is given.
fn raise_rate(config: &mut RunConfig) -> Result<()> {
    if let NetConfig::Sparse(_) = config.net {
        let own = RunConfig::parse(&default_config(config.game), &[])?;
        let peak = &mut config.learner.schedule.peak;
        *peak = peak.max(own.learner.schedule.peak);
    }
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    read_text(path, RunConfig::MOST_BYTES).with_context(|| format!("cannot read {}", path.display()))
}

fn default_config(game: GameId) -> String {
    game.facts().config.to_owned()
}

/// The command that goes on for `hours`, with what is not as usual.
fn command_for(args: &ImproveArgs, hours: f64, out: &Path) -> String {
    let usual = ImproveConfig::default();
    let options = [
        (args.cycle != usual.cycle_minutes).then(|| format!(" --cycle {}", args.cycle)),
        (args.games != usual.games).then(|| format!(" --games {}", args.games)),
        (args.nodes != usual.nodes).then(|| format!(" --nodes {}", args.nodes)),
        args.threads.map(|threads| format!(" --threads {threads}")),
        (args.backend != Backend::default()).then(|| format!(" --backend {}", args.backend)),
    ];
    let options: String = options.into_iter().flatten().collect();
    format!("sanki improve --hours {hours}{options} --out {}", shell::word(out))
}

fn improve<G: Encode>(
    args: &ImproveArgs,
    start: Option<ModelFile>,
    config: RunConfig,
    out: &Path,
) -> Result<()> {
    let stop = interrupt::flag();
    let workers = args.threads.unwrap_or_else(super::cores).get();
    super::share_out_on(workers)?;
    let machine = Machine { workers, backend: args.backend };
    let plan = ImproveConfig { cycle_minutes: args.cycle, games: args.games, nodes: args.nodes };
    let mut improver = Improver::<G>::open(out, start, config, plan, machine)?;
    log::to_file(&out.join("improve.log"))?;
    let mut screen = Screen::new(args.json, out.join("improve.html"), improver.start());
    let net = improver.start().model.net();
    screen.say(&format!("{} ({}), from a {net} net; threads: {workers}", G::ID, improver.start().meta.rules));
    screen.say(&format!("folder: {}", out.display()));
    screen.columns();
    for report in improver.cycles() {
        screen.line(report);
        screen.cycles.push(report.clone());
    }
    let before = improver.cycles().len();
    let ended = improver.run(args.hours, stop, &mut screen);
    screen.bar.finish_and_clear();
    match ended? {
        RunEnd::Interrupted => {
            let resume = format!("stopped; {} goes on", command_for(args, args.hours, out));
            Err(CliError::interrupted(resume).into())
        }
        RunEnd::Done => {
            let elo = improver.cycles().last().map_or(0.0, |report| report.elo);
            if improver.cycles().len() == before {
                tell(
                    "no cycle was begun: the time that is left is less than half of one; --cycle makes shorter ones",
                );
            }
            let best = improver.best_path();
            tell(format_args!("best net: {} (Elo {elo:+.0} since the start, summed)", best.display()));
            tell(format_args!("go on:    {}", command_for(args, 2.0 * args.hours, out)));
            tell("          (the hours count from the beginning, those of earlier calls too)");
            Ok(())
        }
    }
}

/// A progress bar on stderr, and a line a cycle on stdout.
struct Screen {
    bar: ProgressBar,
    json: bool,
    doing: String,
    /// Where the page is, and what it shows.
    page: PathBuf,
    game: (GameId, RuleSet),
    cycles: Vec<CycleReport>,
}

impl Screen {
    fn new(json: bool, page: PathBuf, start: &ModelFile) -> Self {
        let bar = ProgressBar::new(SCALE);
        let style = ProgressStyle::with_template("{bar:24} {percent:>3}%  {elapsed}  {msg}");
        bar.set_style(style.expect("the template is fixed"));
        bar.enable_steady_tick(Duration::from_secs(1));
        let game = (start.meta.game, start.meta.rules);
        Screen { bar, json, doing: String::new(), page, game, cycles: Vec::new() }
    }

    fn say(&self, message: &str) {
        self.bar.suspend(|| tell(message));
    }

    fn columns(&self) {
        if !self.json {
            self.bar.suspend(|| writeln!(io::stdout(), "{CYCLE_COLUMNS}").ok());
        }
    }

    fn line(&self, report: &CycleReport) {
        let line = match self.json {
            true => serde_json::to_string(report).expect("figures are plain JSON"),
            false => report.to_string(),
        };
        self.bar.suspend(|| writeln!(io::stdout(), "{line}").ok());
    }
}

impl ImproveObserver for Screen {
    fn begin(&mut self, cycle: u32, step: &Step) {
        self.doing = format!("cycle {cycle}");
        tracing::info!(
            "cycle {cycle}: a {} net, {} minutes, {} of the rate",
            step.net,
            step.minutes,
            step.rate
        );
    }

    fn training(&mut self, done: f64, doing: &str) {
        self.bar.set_position((done * SCALE as f64) as u64);
        self.bar.set_message(format!("{}: {doing}", self.doing));
    }

    fn game(&mut self, candidate: &str, played: &Match) {
        let tally = played.tally();
        self.bar.set_message(format!(
            "{}: {candidate} against the best net: +{} ={} -{}",
            self.doing, tally.wins, tally.draws, tally.losses
        ));
    }

    fn cycle(&mut self, report: &CycleReport) {
        tracing::info!("{report}");
        self.line(report);
        self.cycles.push(report.clone());
        let (game, rules) = self.game;
        let shown = ImprovePage { game, rules, cycles: &self.cycles };
        // The log has all that the page shows.
        if let Err(error) = improve_page(&shown).and_then(|page| write_atomic(&self.page, page.as_bytes())) {
            tracing::warn!("no page is written: {error:#}");
        }
    }
}
