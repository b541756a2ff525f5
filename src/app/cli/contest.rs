//! What matches and ladders have in common: how games are played, from where, and where they are kept.

use std::{
    io::Write,
    num::NonZero,
    path::{Path, PathBuf},
    sync::atomic::Ordering,
    time::Duration,
};

use anyhow::{Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use super::{
    CliError, interrupt,
    output::Force,
    players::{Terms, parse_clock},
    position::SetupArg,
    shell, stdout,
};
use crate::{
    arena::{
        Broken, Conditions, Forfeits, GameCheck, GameClock, MOST_MATCH_GAMES, MatchFolder, MatchGame,
        Opening, PlayerBudget, check_moves, embedded, extend_openings, handicap_openings, next_number,
        read_openings,
    },
    base::store::write_atomic,
    games::{
        encode::Encode,
        notation::Notate,
        rules::{Game, GameId, Handicap, RuleSet, Setup},
    },
    net::Backend,
};

/// How games are played.
#[derive(Debug, clap::Args)]
pub struct ContestArgs {
    /// A file of positions to start from, in its order, each played from both sides: FEN, SFEN or EPD, one
    /// per line [default: the game's 512 built-in ones, or up to 512 with the handicap named]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    #[command(flatten)]
    setup: SetupArg,
    /// Simulations per move, for players without a budget of their own [default: 32]
    #[arg(long, group = "budget")]
    sims: Option<NonZero<u32>>,
    /// The same as --sims: a simulation adds one node
    #[arg(long, group = "budget")]
    nodes: Option<NonZero<u32>>,
    /// Milliseconds per move, for players without a budget of their own
    #[arg(long, group = "budget", value_name = "MS")]
    movetime: Option<NonZero<u32>>,
    /// A clock, for players without a budget of their own: seconds for the game, and seconds that each move
    /// adds
    #[arg(long, group = "budget", value_name = "SECONDS+SECONDS", value_parser = parse_clock)]
    tc: Option<GameClock>,
    /// The seed for the openings and for the players' random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Adjudicate games that last this many plies from their opening
    #[arg(long, default_value = "512")]
    max_plies: NonZero<u32>,
    /// Games played at the same time [default: one per core, fewer if a player uses several threads]
    #[arg(long, value_parser = super::threads)]
    threads: Option<NonZero<usize>>,
    /// What computes the nets: native or flex; also wgpu or cuda if they were built in; auto is a GPU if there is one, else native
    #[arg(long, default_value_t, value_parser = crate::app::cli::backend)]
    pub backend: Backend,
    /// The folder of the games; the same command with the same folder continues after a stop
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The file of the report, a page with the results and the games on a board, which is written when no game is
    /// left to play [default: report.html in the folder]
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl ContestArgs {
    /// What the players have in common, in a folder whose games go on too.
    pub fn terms(&self) -> Terms {
        let settings = self.out.as_deref().and_then(MatchFolder::settings::<Settings>);
        let before = settings.map_or(Vec::new(), |settings| settings.players);
        Terms { budget: self.budget(), backend: self.backend, before }
    }

    /// The budget of players without their own.
    fn budget(&self) -> PlayerBudget {
        match (self.sims.or(self.nodes), self.movetime, self.tc) {
            (Some(simulations), ..) => PlayerBudget::Simulations(simulations.get()),
            (_, Some(time), _) => PlayerBudget::MoveTime(Duration::from_millis(time.get().into())),
            (.., Some(clock)) => PlayerBudget::Clock(clock),
            _ => PlayerBudget::Simulations(32),
        }
    }

    /// How the games are played, where a player works on up to `busiest` cores at a time: without other orders there
    /// are as many games as the cores can bear, so that no clock runs while its player waits for one.
    pub fn conditions(&self, busiest: usize) -> Conditions {
        let threads = self.threads.map_or(super::cores().get() / busiest, NonZero::get);
        Conditions { max_plies: self.max_plies.get(), seed: self.seed, threads: threads.max(1) }
    }

    /// Begins the threads that share out what is not a game, such as packing nets: no more of them than there are games at
    /// a time.
    ///
    /// # Errors
    /// When they cannot be started.
    pub fn begin_threads(&self) -> Result<()> {
        super::share_out_on(self.threads.unwrap_or_else(super::cores).get())
    }

    /// The openings, in the order of their use, before [`ContestArgs::enough`].
    pub fn openings<G: Encode + Notate>(&self, rules: RuleSet) -> Result<Vec<Opening<G>>> {
        let setup = self.setup.or::<G>(Setup::Drawn)?;
        match (&self.openings, self.handicap::<G>()?) {
            (None, None) => Ok(embedded::<G>(rules, setup, usize::MAX, self.seed)),
            (None, Some(handicap)) => Ok(handicap_openings::<G>(rules, setup, handicap, self.seed)),
            (Some(_), _) if !self.setup.is_empty() => {
                let message = "--openings says where to start: leave --setup and --handicap out";
                Err(CliError::usage(message).into())
            }
            (Some(path), _) => read_openings::<G>(rules, path),
        }
    }

    /// The handicap of the games, if they have one.
    pub fn handicap<G: Game>(&self) -> Result<Option<&'static Handicap>, CliError> {
        self.setup.handicap::<G>()
    }

    /// The folder of these games and those already in it: the one that the user names, or one of its own below
    /// `parent`. Games that fail `check` or cannot have been played are damaged.
    pub fn folder<G: Encode>(
        &self,
        parent: &Path,
        players: Vec<String>,
        openings: &[Opening<G>],
        rules: RuleSet,
        check: &GameCheck,
    ) -> Result<(MatchFolder, Vec<MatchGame>)> {
        let settings = Settings {
            game: G::ID,
            rules,
            players,
            seed: self.seed,
            max_plies: self.max_plies.get(),
            openings: checksum(openings),
        };
        let root = super::folder_or_dated(self.out.as_deref(), parent, G::ID)?;
        MatchFolder::open(&root, &settings, &|game| {
            check(game)?;
            check_moves::<G>(rules, self.max_plies.get(), game)
        })
    }

    /// `openings` for `games` games and for those that are in the folder: where they are too few and our own, others are
    /// made of them.
    pub fn enough<G: Encode>(&self, mut openings: Vec<Opening<G>>, games: u32) -> Vec<Opening<G>> {
        let pairs = games.div_ceil(2) as usize;
        match &self.openings {
            None => {
                let played = self.played(&openings).div_ceil(2) as usize;
                extend_openings(&mut openings, pairs.max(played), self.seed);
            }
            Some(path) if pairs > openings.len() => super::tell(format_args!(
                "warning: the {} positions of {} are used again for {pairs} pairs; deterministic players repeat \
                 their games, which then prove less than the intervals say",
                openings.len(),
                path.display()
            )),
            Some(_) => {}
        }
        openings
    }

    /// The number behind the last game in the folder that the user names, if it began at one of `openings`, which are our
    /// own, or a little further on: more games may have been asked for then.
    fn played<G: Encode>(&self, openings: &[Opening<G>]) -> u32 {
        let check = |game: &MatchGame| {
            let source = &openings[(game.number / 2) as usize % openings.len()];
            // Otherwise a single damaged number could make millions of openings.
            ensure!(game.number < MOST_MATCH_GAMES && game.opening.starts_with(&source.id), "it is damaged");
            Ok(())
        };
        self.out.as_deref().map_or(0, |root| next_number(root, &check))
    }

    /// Whether a report can be written where the user wants it: better said before the games than after them.
    ///
    /// # Errors
    /// Those of [`Force::check`].
    pub fn check_html(&self) -> Result<(), CliError> {
        self.html.as_deref().map_or(Ok(()), |path| self.force.check(path))
    }

    /// Writes the report of the games in the folder `root`, and gives its path. Where games are left to play, it is in
    /// the folder: in the user's place, which is not written over, it would keep the same command from going on.
    ///
    /// This comes before anything is printed, which nobody may read.
    pub fn write_report(&self, root: &Path, page: &str, stage: ContestStage) -> Result<PathBuf> {
        let own = root.join("report.html");
        let named = self.html.as_ref().filter(|_| stage == ContestStage::Over);
        match named {
            Some(path) => self.force.write(path, page.as_bytes())?,
            None => write_atomic(&own, page.as_bytes())?,
        }
        Ok(named.cloned().unwrap_or(own))
    }

    /// Says to a person where the folder of the games and the report are.
    pub fn print_places(&self, root: &Path, report: &Path) -> Result<()> {
        if !self.json {
            writeln!(stdout(), "games: {}\nreport: {}", root.display(), report.display())?;
        }
        Ok(())
    }
}

/// How far a contest has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContestStage {
    /// Games are left to play.
    Unfinished,
    /// None is.
    Over,
}

/// What must be the same for games to go on in a folder. How many are wanted may change.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    game: GameId,
    rules: RuleSet,
    /// With what tells them from others of their names.
    players: Vec<String>,
    seed: u64,
    max_plies: u32,
    /// A checksum of the positions.
    openings: String,
}

fn checksum<G: Encode>(openings: &[Opening<G>]) -> String {
    let mut hasher = crc32fast::Hasher::new();
    openings.iter().for_each(|opening| hasher.update(opening.game.fen().as_bytes()));
    format!("{:08x}", hasher.finalize())
}

/// Reads a number of games.
pub fn games() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=i64::from(MOST_MATCH_GAMES))
}

/// The error after Ctrl-C, if there was one and games are left: what was played is kept.
pub fn stopped(root: &Path, is_over: bool) -> Result<(), CliError> {
    if is_over || !interrupt::flag().load(Ordering::Relaxed) {
        return Ok(());
    }
    let message = "stopped: the result is that of the finished games";
    let help = format!("the same command with --out {} plays the rest", shell::word(root));
    Err(CliError::interrupted(message).help(help))
}

/// The error of games that could not be played, with what can be done where a player is to blame.
pub fn with_advice(error: anyhow::Error) -> anyhow::Error {
    match error.downcast::<Broken>() {
        Err(error) => error,
        Ok(broken) => {
            // A net of ours never fails, so it is an engine.
            let budget = if broken.player.contains("@nodes=") {
                "; an engine that does not know 'go nodes' needs a time instead, as in @movetime=1000"
            } else {
                ""
            };
            let help =
                format!("those games do not count; start the engine by hand to see what it says{budget}");
            CliError::failed(broken).help(help).into()
        }
    }
}

/// Says on stderr where games were not decided on the board.
pub fn warn_of_forfeits(forfeits: Forfeits, games: u32) {
    if let Some(warning) = forfeits.warning(games) {
        super::tell(format_args!("warning: {warning}"));
    }
}

/// A bar on stderr for `games` games, `played` of which were played before.
pub fn progress_bar(games: u32, played: u32) -> ProgressBar {
    let bar = ProgressBar::new(games.into());
    let template = "{bar:24} {pos}/{len} games  {elapsed} of about {duration}  {msg}";
    bar.set_style(ProgressStyle::with_template(template).expect("the template is fixed"));
    bar.set_position(played.into());
    bar.reset_eta();
    bar
}
