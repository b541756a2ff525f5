//! `sanki ladder`: a run's checkpoints and reference players on one rating list.

use std::{
    fs,
    io::{self, Write},
    num::NonZero,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use indicatif::ProgressBar;
use serde::Serialize;

use super::{
    CliError,
    contest::{ContestArgs, ContestStage, games, progress_bar, stopped, warn_of_forfeits, with_advice},
    interrupt,
    players::{Entrant, PlayerSpec},
    stdout,
};
use crate::{
    app::report::{LadderPage, LadderRung, Progress, ladder_page},
    arena::{Competitor, Forfeits, Ladder, LadderConfig, MatchGame, Rank, check_start},
    games::{encode::Encode, notation::Notate, rules::RuleSet},
    net::{
        ModelFile,
        file::{CHECKPOINTS, newest},
    },
    training::run::{Checkpoint, RunDir},
    with_game,
};

/// The players beside the checkpoints, before those that the user names.
const REFERENCES: [&str; 5] =
    ["random", "uniform@sims=8", "uniform@sims=32", "uniform@sims=128", "uniform@sims=512"];

/// The player whose rating is 0: one of the references.
const ANCHOR: &str = "uniform@sims=32";

/// Rate a run's checkpoints and reference players in one list, by games between the most informative pairs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The reference players are random, uniform at 8, 32, 128 and 512 simulations, and those given with \
--opponent. Ratings are relative to uniform at 32. The same command with the same --out continues a ladder \
that was stopped.

Examples:
  sanki ladder runs/first
  sanki ladder runs/first --games 2000 --html ladder.html
  sanki ladder runs/first --opponent uci:fairy-stockfish@nodes=100 \\
      --opponent uci:fairy-stockfish@nodes=1000")]
pub struct LadderArgs {
    /// The run's folder
    #[arg(value_name = "DIR")]
    run: PathBuf,
    /// Games, two from each opening
    #[arg(long, default_value = "1000", value_parser = games())]
    games: u32,
    /// How many checkpoints at most: the first, the newest, and others evenly spaced between them
    #[arg(long, default_value = "12")]
    checkpoints: NonZero<usize>,
    /// Another player, with its budget; may be given several times
    #[arg(long = "opponent", value_name = "PLAYER")]
    opponents: Vec<PlayerSpec>,
    #[command(flatten)]
    contest: ContestArgs,
}

/// The list with the keys of `ladder --json`.
#[derive(Serialize)]
struct Summary<'a> {
    games: u32,
    /// Games that were not decided on the board.
    forfeits: u32,
    players: &'a [LadderRung],
}

/// Somebody on the ladder.
struct Climber {
    entrant: Entrant,
    /// How far training had come, if it is a checkpoint.
    progress: Option<Progress>,
}

/// Runs the command.
pub fn run(args: LadderArgs) -> Result<()> {
    args.contest.begin_threads()?;
    args.contest.check_html()?;
    if args.run.is_file() {
        let message = format!("{} is a file: a ladder has the checkpoints of a run", args.run.display());
        return Err(CliError::usage(message).help("name the folder of a run").into());
    }
    newest(&args.run)?;
    let nets = nets(&args.run, args.checkpoints.get())?;
    let meta = nets.last().expect("a run has checkpoints").model.meta.clone();
    with_game!(meta.game, G => play::<G>(&args, meta.rules, &nets))
}

/// A checkpoint that takes part.
struct Net {
    path: PathBuf,
    model: ModelFile,
    progress: Progress,
}

/// How often checkpoints are looked for anew where a run that goes on removes one of them.
const LOOKS: usize = 100;

/// At most `most` checkpoints of a run, the oldest first.
fn nets(run: &Path, most: usize) -> Result<Vec<Net>> {
    let mut looks = 0;
    loop {
        let paths = checkpoints(run)?;
        let chosen = chosen(&paths, most);
        let read: Result<Vec<Net>> = chosen.iter().map(|path| read_net(path)).collect();
        looks += 1;
        if read.is_ok() || looks == LOOKS || chosen.iter().all(|path| path.exists()) {
            return read;
        }
    }
}

fn read_net(path: &Path) -> Result<Net> {
    let Checkpoint { model, state, clock, .. } = Checkpoint::read(path)?;
    let progress =
        Progress { generation: state.generation, positions: state.positions, seconds: clock.seconds };
    Ok(Net { path: path.to_owned(), model, progress })
}

/// Plays the ladder and prints the list.
fn play<G: Encode + Notate>(args: &LadderArgs, rules: RuleSet, nets: &[Net]) -> Result<()> {
    let contest = &args.contest;
    let climbers = climbers::<G>(args, rules, nets)?;
    let openings = contest.openings::<G>(rules)?;
    let players = climbers.iter().map(|climber| climber.entrant.description()).collect();
    let busiest = climbers.iter().map(|climber| climber.entrant.cores()).max().unwrap_or(1);
    let conditions = contest.conditions(busiest);
    let names: Vec<String> = climbers.iter().map(|climber| climber.entrant.name().to_owned()).collect();
    let anchor = names.iter().position(|name| name == ANCHOR).expect("it is a reference");
    let progress: Vec<Option<Progress>> = climbers.iter().map(|climber| climber.progress).collect();
    let field: Vec<Competitor<G>> =
        climbers.into_iter().map(|climber| climber.entrant.competitor()).collect();

    let config = LadderConfig { games: args.games, conditions };
    let all = contest.enough(openings.clone(), args.games);
    let check = |game: &MatchGame| {
        let known = [&game.first, &game.second].iter().all(|name| names.contains(name));
        ensure!(known, "game {} has players who are not on this ladder", game.number);
        ensure!(game.first != game.second, "game {} is of a player against itself", game.number);
        check_start(game, &all)
    };
    let (mut folder, played) =
        contest.folder(&RunDir::at(&args.run).ladders(), players, &openings, rules, &check)?;
    let mut ladder = Ladder::new(config, names.clone(), anchor, played)?;
    let bar = progress_bar(ladder.wanted(), ladder.games().count() as u32);
    let on_game = &mut |ladder: &Ladder, game: &_| {
        folder.append(game)?;
        show_progress(&bar, ladder);
        Ok(())
    };
    let ended = ladder.play(&field, &all, interrupt::flag(), on_game);
    bar.finish_and_clear();
    ended.map_err(with_advice)?;
    let root = folder.root().to_owned();
    let rungs = rungs(&ladder, &progress);
    let games: Vec<MatchGame> = ladder.games().cloned().collect();
    let title = format!("Ladder of {}", args.run.display());
    let forfeits = Forfeits::of(&names[anchor], &games);
    warn_of_forfeits(forfeits, games.len() as u32);
    let page = LadderPage { title: &title, game: G::ID, rules, rungs: &rungs, games: &games };
    let stage = if ladder.is_over() { ContestStage::Over } else { ContestStage::Unfinished };
    let report = contest.write_report(&root, &ladder_page(&page)?, stage);
    let printed = if contest.json {
        let summary = Summary { games: games.len() as u32, forfeits: forfeits.total(), players: &rungs };
        writeln!(stdout(), "{}", serde_json::to_string(&summary)?)
    } else {
        write_list(&mut stdout(), &rungs)
    };
    let report = report?;
    let printed = printed.map_err(Into::into).and_then(|()| contest.print_places(&root, &report));
    // That it was stopped counts even where nobody reads the list.
    stopped(&root, ladder.is_over())?;
    printed
}

/// The checkpoints, the reference players and those that the user names.
fn climbers<G: Encode>(args: &LadderArgs, rules: RuleSet, nets: &[Net]) -> Result<Vec<Climber>> {
    let terms = args.contest.terms();
    let entrant =
        |spec: &PlayerSpec, model: Option<&ModelFile>| Entrant::new::<G>(spec, rules, model, &terms);
    let mut climbers = Vec::new();
    for Net { path, model, progress } in nets {
        let entrant = entrant(&PlayerSpec::of_model(path), Some(model))?;
        let entrant = entrant.named(format!("generation {}", progress.generation));
        climbers.push(Climber { entrant, progress: Some(*progress) });
    }
    let references = REFERENCES.map(|text| text.parse().expect("players of ours"));
    for spec in references.iter().chain(&args.opponents) {
        let climber = Climber { entrant: entrant(spec, spec.model()?.as_ref())?, progress: None };
        // The user may name a reference.
        if climbers.iter().all(|other: &Climber| other.entrant.name() != climber.entrant.name()) {
            climbers.push(climber);
        }
    }
    Ok(climbers)
}

/// A run's checkpoints, the oldest first.
fn checkpoints(run: &Path) -> Result<Vec<PathBuf>> {
    let folder = run.join(CHECKPOINTS);
    let read = || -> io::Result<Vec<PathBuf>> {
        fs::read_dir(&folder)?.map(|entry| entry.map(|entry| entry.path())).collect()
    };
    let mut paths = read().with_context(|| format!("cannot read {}", folder.display()))?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "sanki"));
    paths.sort();
    if paths.is_empty() {
        let message = format!("{} has no checkpoints", run.display());
        return Err(CliError::failed(message)
            .help("give the folder of a run, as sanki train makes it")
            .into());
    }
    Ok(paths)
}

/// At most `most` of `all`: the first, the last, and others evenly between them.
fn chosen<T>(all: &[T], most: usize) -> Vec<&T> {
    let count = all.len().min(most);
    match count {
        0 | 1 => all.last().into_iter().collect(),
        _ => (0..count).map(|i| &all[i * (all.len() - 1) / (count - 1)]).collect(),
    }
}

fn show_progress(bar: &ProgressBar, ladder: &Ladder) {
    bar.inc(1);
    // Fitting the list is too much work for every game of a fast one.
    if bar.position().is_multiple_of(16)
        && let Some(first) = ladder.ranks().first()
    {
        let name = &ladder.names()[first.player];
        bar.set_message(format!(
            "first {name} {:+.0} [{:+.0}, {:+.0}]",
            first.elo.elo, first.elo.low, first.elo.high
        ));
    }
}

fn rungs(ladder: &Ladder, progress: &[Option<Progress>]) -> Vec<LadderRung> {
    let rung = |Rank { player, elo, tally }| LadderRung {
        name: ladder.names()[player].clone(),
        elo: elo.elo,
        low: elo.low,
        high: elo.high,
        games: tally.games(),
        score: tally.score(),
        checkpoint: progress[player],
    };
    ladder.ranks().into_iter().map(rung).collect()
}

fn write_list(out: &mut impl Write, rungs: &[LadderRung]) -> io::Result<()> {
    let width = rungs.iter().map(|rung| rung.name.chars().count()).max().unwrap_or(0);
    writeln!(out, "{:>4}  {:<width$}  {:>6}  {:^16}  games  score", "rank", "player", "Elo", "95% interval")?;
    for (rung, rank) in rungs.iter().zip(1..) {
        let interval = if rung.name == ANCHOR {
            String::new()
        } else {
            format!("{:+.0} to {:+.0}", rung.low, rung.high)
        };
        writeln!(
            out,
            "{rank:>4}  {:<width$}  {:>+6.0}  {interval:^16}  {:>5}  {:>4.1}%",
            rung.name,
            rung.elo,
            rung.games,
            100.0 * rung.score
        )?;
    }
    writeln!(out, "Elo is relative to {ANCHOR}")
}

#[cfg(test)]
mod tests {
    use super::chosen;

    #[test]
    fn the_first_and_the_newest_checkpoint_are_always_among_those_chosen() {
        let all: Vec<u32> = (0..30).collect();
        assert_eq!(chosen(&all, 4), [&0, &9, &19, &29]);
        assert_eq!(chosen(&all, 30), all.iter().collect::<Vec<_>>());
        assert_eq!(chosen(&all, 99).len(), 30);
        assert_eq!(chosen(&all, 1), [&29]);
        assert_eq!(chosen(&all[..1], 5), [&0]);
        assert_eq!(chosen(&all[..0], 5), Vec::<&u32>::new());
    }
}
