//! `sanki train`: the main job.

mod screen;
mod settings;

use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::Instant,
};

use anyhow::Result;

pub(super) use self::settings::{config_of, hours_budget};
use self::{
    screen::Screen,
    settings::{config_file, settle},
};
use super::{CliError, interrupt, log, nats::NatsArgs, plan, shell};
use crate::{
    base::{
        rng::{self, Purpose},
        store::{read_text, write_atomic},
    },
    games::{encode::Encode, rules::GameId},
    net::{Backend, ModelFile, file::newest},
    training::{
        remote::{RemoteGames, RemoteOptions, is_name},
        run::{
            Bytes, DiskFull, EvaluationConfig, Health, Keep, LostRecords, Machine, ProgressMatches,
            RecordsLost, RunConfig, RunEnd, Trainer, bytes_a_position, peek_figures,
        },
    },
    with_game,
};

/// Games of the match that ends a run: enough for an interval of about 50 Elo.
const FINAL_GAMES: u32 = 200;
/// Train a net by self-play until the budget in the config is spent
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The same command with the same --out continues a run, also one that --init-from began. One that --branch began \
continues without --branch. Without a config it trains minishogi, in minutes.

Examples:
  sanki train
  sanki train --game shogi --hours 1
  sanki train --config configs/dobutsu.toml --out runs/first
  sanki train --out runs/first --hours 2
  sanki train --out runs/second --branch runs/first@100
  sanki train --out runs/best --branch runs/first --cool-down 500
  sanki train --config configs/shogi.toml --init-from checkpoints/shogi.sanki \\
      --set learner.schedule.peak=0.000375 \\
      --set learner.schedule.decay_from=0.3 \\
      --set learner.schedule.last_fraction=0.05
  sanki train --out runs/first --nats nats://sanki:PASSWORD@127.0.0.1
  sanki train --plan 256 --config configs/xiangqi.toml")]
pub struct TrainArgs {
    /// The run's settings [default: those in the run's folder, else the built-in ones]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Train this game with its built-in settings
    #[arg(long, value_name = "GAME", conflicts_with_all = ["config", "branch"])]
    game: Option<GameId>,
    /// How long the run may take in all, in hours of wall time, instead of the budget in the settings; with --branch the
    /// hours of the other run count. A short run takes the settings for short runs, if there are any
    #[arg(long, value_name = "H", value_parser = super::improve::hours, conflicts_with = "cool_down")]
    hours: Option<f64>,
    /// The run's folder; a run that is already in it continues [default: runs/<game>-<date>-<time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Change one setting, e.g. budget.minutes=30; the value none removes it
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = super::setting)]
    set: Vec<String>,
    /// Start a new run with the weights of a checkpoint; a tower's may be of a smaller board of the same family
    #[arg(long, value_name = "CHECKPOINT")]
    init_from: Option<PathBuf>,
    /// Start a new run from a checkpoint of another run, from its newest unless a generation is given; the
    /// other run does not change
    #[arg(long, value_name = "RUN[@GENERATION]", conflicts_with = "init_from")]
    branch: Option<PathBuf>,
    /// Let the learning rate of the branch fall over this many generations, at least 2, then end it: the result
    /// is the net to publish. Over 20 or more the rate falls below a fiftieth
    #[arg(long, value_name = "GENERATIONS", requires = "branch")]
    cool_down: Option<std::num::NonZero<u32>>,
    /// Continue even if game records are lost that the run would learn from; without this it stops
    #[arg(long)]
    without_lost_records: bool,
    /// Threads; with the native backend the results do not depend on their number [default: one per core]
    #[arg(long, value_name = "N", value_parser = super::threads)]
    threads: Option<std::num::NonZero<usize>>,
    /// What computes the net: native or flex; also wgpu or cuda if they were built in; auto is a GPU if there is one, else native
    #[arg(long, default_value_t, value_parser = crate::app::cli::backend)]
    backend: Backend,
    #[command(flatten)]
    nats: NatsArgs,
    /// With --nats: threads of this machine that play games too; with 0 it only learns [default: as
    /// --threads]
    #[arg(long, value_name = "N", requires = "nats", value_parser = clap::value_parser!(u16).range(..=1024))]
    workers: Option<u16>,
    /// With --nats: accept games from other versions of the program and other processors too; the run is then
    /// not repeatable
    #[arg(long, requires = "nats")]
    allow_other_machines: bool,
    /// Measure this machine for some seconds and print the settings for a run with this many worker cores, such as
    /// those of other machines with --nats; no run begins
    #[arg(long, value_name = "CORES", value_parser = clap::value_parser!(u32).range(1..=10_000),
        conflicts_with_all = ["out", "branch", "init_from", "nats", "workers"])]
    plan: Option<u32>,
    /// Print one JSON object per generation
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: TrainArgs) -> Result<()> {
    if let Some(cores) = args.plan {
        let machine = Machine { workers: threads(&args), backend: args.backend };
        return plan::run(
            config_file(args.config.as_deref(), args.game, &args.set)?.config,
            cores,
            machine,
            args.json,
        );
    }
    // Refused before anything is made.
    args.nats.server()?;
    let (config, branch) = settle(&args)?;
    config.check_precisions(args.backend)?;
    let out = super::folder_or_dated(args.out.as_deref(), Path::new("runs"), config.game)?;
    let ended = match &branch {
        Some(branch) => branch.make(&config, &out).map_err(|error| args.advise(error)),
        None => Ok(()),
    };
    let ended = ended.and_then(|()| with_game!(config.game, G => train::<G>(&args, config, &out)));
    if ended.is_err() && args.out.is_none() {
        super::remove_unused(&out);
    }
    ended
}

impl TrainArgs {
    /// Why a run cannot begin, with the advice to go on with the one that is in the folder already.
    fn advise(&self, error: anyhow::Error) -> anyhow::Error {
        match self.out.as_deref().filter(|out| newest(out).is_ok()) {
            Some(out) => {
                let going_on =
                    format!("sanki train --out {} continues the run that is there", shell::word(out));
                CliError::from(error).help(going_on).into()
            }
            None => error,
        }
    }
}

fn train<G: Encode>(args: &TrainArgs, config: RunConfig, out: &Path) -> Result<()> {
    let stop = interrupt::flag();
    let workers = threads(args);
    let mut trainer = open::<G>(args, &config, out)?;
    log::to_file(&trainer.dir().log())?;
    if let Some(games) = remote_games(args, &config, out)? {
        trainer = trainer.with_games(games);
    }
    // All that are listed: those that come after the newest checkpoint are made again, but not told again.
    let health = Health::after(&peek_figures(&trainer.dir().metrics()));
    let mut screen = Screen::new(args.json, health);
    let RunConfig { game, rules, net, .. } = &config;
    screen.say(&format!("{game} ({rules}), a {net} net; threads: {workers}"));
    screen.say(&format!("folder: {}", out.display()));
    let before = trainer.state().generation;
    if args.init_from.is_some() && before > 0 {
        screen.note("goes on with the run in the folder: --init-from was for its beginning");
    }
    let settled = trainer.config().selfplay.precision;
    if config.selfplay.precision != settled {
        screen.note(&format!(
            "precision: {settled}, for the whole run (the settings have {})",
            config.selfplay.precision
        ));
    }
    tell_of_the_disk(&trainer, &screen);
    screen.begin();
    let ending = trainer.run(stop, &mut screen);
    screen.end();
    match ending.map_err(|error| with_advice(error, out))? {
        RunEnd::Interrupted => {
            let resume = format!("stopped; sanki train --out {} resumes it", shell::word(out));
            Err(CliError::interrupted(resume).into())
        }
        RunEnd::Done => {
            if trainer.state().generation == before {
                screen.say(&match args.hours {
                    Some(hours) => format!("{hours} hours were spent already: more --hours train longer"),
                    None => {
                        let spent = trainer.spent_limits().join(" and ");
                        format!("{spent} was spent already: --set a larger one to train longer")
                    }
                });
            }
            final_match(&trainer, args, &config, &screen, stop)
        }
    }
}

/// Refuses weights of another game that cannot begin a run of `G`.
fn check_fits<G: Encode>(init: &ModelFile) -> Result<(), CliError> {
    let game = init.meta.game;
    if game == G::ID || init.check_family::<G>().is_ok() {
        return Ok(());
    }
    let message = format!("the model plays {game}, the run {}", G::ID);
    Err(CliError::usage(message).help(format!("--game {game} trains that game")))
}

/// Opens the run in its folder.
fn open<G: Encode>(args: &TrainArgs, config: &RunConfig, out: &Path) -> Result<Trainer<G>> {
    let workers = threads(args);
    let init =
        args.init_from.as_deref().map(ModelFile::read).transpose().map_err(|error| args.advise(error))?;
    if let Some(init) = &init {
        check_fits::<G>(init)?;
    }
    // What is not a game or a gradient, such as making samples, runs on the global pool.
    super::share_out_on(workers)?;
    let machine = Machine { workers, backend: args.backend };
    let lost = if args.without_lost_records { LostRecords::DoWithout } else { LostRecords::Refuse };
    let opened = Trainer::<G>::open_with(config.clone(), out, machine, init.as_ref(), lost);
    opened.map_err(|error| match error.downcast::<RecordsLost>() {
        Ok(lost) => {
            // The branch is made by now: --branch would not continue it.
            let going_on = match &args.branch {
                Some(_) => format!("sanki train --out {} ", shell::word(out)),
                None => String::new(),
            };
            let help =
                "--without-lost-records learns from the others; --branch starts from an older checkpoint";
            CliError::failed(lost).help(going_on + help).into()
        }
        Err(error) if args.init_from.is_some() => args.advise(error),
        Err(error) => error,
    })
}

/// The games of the run's workers, where a server is named.
fn remote_games(args: &TrainArgs, config: &RunConfig, out: &Path) -> Result<Option<RemoteGames>> {
    let Some(server) = args.nats.server()? else { return Ok(None) };
    let options = RemoteOptions {
        run: run_name(out, config.game)?,
        backend: args.backend.for_play(&config.net),
        others: args.allow_other_machines,
        threads: args.workers.map_or_else(|| threads(args), usize::from),
    };
    tracing::info!("run {} on {server}", options.run);
    if options.others {
        tracing::warn!("accepts games from other versions and processors: the run is not repeatable");
    }
    Ok(Some(RemoteGames::open(&server, options)?))
}

/// Says what the run will take on the disk, and what it keeps there.
fn tell_of_the_disk<G: Encode>(trainer: &Trainer<G>, screen: &Screen) {
    let config = trainer.config();
    let of = match trainer.disk_use() {
        Some(all) => format!("about {} at the end of the budget", Bytes(all.total())),
        None => {
            format!("{} of records for a million positions", Bytes(1_000_000 * bytes_a_position(config.game)))
        }
    };
    let kept = match config.keeps() {
        Keep::Window => {
            "games are kept while the window or a kept checkpoint needs them (records.keep = \"window\")"
        }
        Keep::All => "all games are kept (records.keep = \"all\")",
    };
    let free = trainer.free_bytes();
    let room = free.map_or_else(String::new, |free| format!(", {} are free", Bytes(free)));
    screen.note(&format!("disk: {of}{room}; {kept}"));
    if !trainer.has_room() {
        screen.note(
            "warning: the disk may not have the room; the run stops before it is full, and can go on later",
        );
    }
}

/// What to do about an error that ended the run.
fn with_advice(error: anyhow::Error, out: &Path) -> anyhow::Error {
    match error.downcast::<DiskFull>() {
        Ok(full) => CliError::failed(full)
            .help(format!(
                "make room, then sanki train --out {0} continues the run; with --set records.keep=window it removes \
                 records that no checkpoint needs, and a larger checkpoints.milestone_every keeps fewer checkpoints",
                shell::word(out)
            ))
            .into(),
        Err(error) => error,
    }
}

/// What the run is called on servers: drawn once, and kept in its folder.
fn run_name(out: &Path, game: GameId) -> Result<String> {
    let path = out.join("run-name");
    if let Ok(name) = read_text(&path, 1 << 10)
        && is_name(name.trim())
    {
        return Ok(name.trim().to_owned());
    }
    let name = format!("{game}-{:08x}", rand::random::<u32>());
    write_atomic(&path, name.as_bytes())?;
    Ok(name)
}

fn threads(args: &TrainArgs) -> usize {
    args.threads.unwrap_or_else(super::cores).get()
}

/// What the run trained against what it began with.
fn final_match<G: Encode>(
    trainer: &Trainer<G>,
    args: &TrainArgs,
    config: &RunConfig,
    screen: &Screen,
    stop: &AtomicBool,
) -> Result<()> {
    let matches = ProgressMatches {
        config: &EvaluationConfig { games: FINAL_GAMES, ..config.evaluation.clone() },
        play: trainer.play(),
        rules: config.rules,
        max_plies: config.selfplay.max_plies,
        seed: rng::stream_seed(config.seed, Purpose::Evaluation, &[u64::MAX]),
        workers: threads(args),
    };
    let start = ModelFile::read(&trainer.dir().checkpoint(0))?;
    let nets = (trainer.load(&trainer.model().model)?, trainer.load(&start.model)?);
    let begin = Instant::now();
    let Some((uniform, untrained)) = matches.play::<G>(&nets.0, &nets.1, stop)? else {
        return Err(CliError::interrupted("the run is finished; its final match was stopped").into());
    };
    let out = shell::word(trainer.dir().root());
    let clock = trainer.clock();
    let idle = clock
        .idle
        .share()
        .map(|share| format!(" (threads idle {:.1}% of it)", 100.0 * share))
        .unwrap_or_default();
    screen.say(&format!(
        "time: {:.0} s of self-play and learning{idle}, {:.1} s of evaluation, {:.1} s of the final match",
        clock.seconds,
        clock.evaluation_seconds,
        begin.elapsed().as_secs_f64()
    ));
    let sims = config.evaluation.simulations;
    screen.say(&format!(
        "trained: {:.1}% against where it started, {:.1}% against uniform",
        100.0 * untrained.score,
        100.0 * uniform.score
    ));
    screen.say(&format!("         ({FINAL_GAMES} games each, {sims} simulations a move)"));
    for line in what_next(&out, config, clock.seconds) {
        screen.say(&line);
    }
    Ok(())
}

/// Commands for the run in the folder `out`, which has trained for so many seconds. One that ends by generations, as a
/// cool-down does, is not to go on: its rate would rise again.
fn what_next(out: &str, config: &RunConfig, seconds: f64) -> Vec<String> {
    let hours = (2.0 * seconds / 3600.0).ceil().max(1.0);
    let longer = config.budget.generations.is_none();
    let longer = longer.then(|| format!("train longer:  sanki train --out {out} --hours {hours}"));
    let others = [
        format!("play it:       sanki play --game {} --model {out}", config.game),
        format!("how strong:    sanki ladder {out}"),
        format!("take it away:  sanki export {out} --format sanki -o my.sanki"),
    ];
    longer.into_iter().chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::run::Budget;

    #[test]
    fn a_run_is_told_to_go_on_for_longer_than_it_took() {
        let config = RunConfig::parse(GameId::Minishogi.facts().config, &[]).unwrap();
        for (seconds, hours) in [(180.0, 1), (1800.0, 1), (1900.0, 2), (7200.0, 4)] {
            let lines = what_next("runs/first", &config, seconds);
            assert_eq!(lines[0], format!("train longer:  sanki train --out runs/first --hours {hours}"));
        }
        let budget = Budget { generations: Some(5), ..config.budget.clone() };
        let cooled = what_next("runs/first", &RunConfig { budget, ..config }, 180.0);
        assert!(cooled.len() == 3 && cooled[0].starts_with("play it"), "{cooled:?}");
    }

    #[test]
    fn the_advice_for_a_full_disk_is_a_command() {
        let out = Path::new("my runs/first one");
        let full = DiskFull { folder: out.display().to_string(), free: 0, needed: 1 };
        let (_, help) = CliError::from(with_advice(full.into(), out)).lines();
        let command = format!("sanki train --out {} continues", shell::word(out));
        assert!(help.as_ref().is_some_and(|help| help.contains(&command)), "{help:?}");
    }
}
