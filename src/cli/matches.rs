//! `sanki match`: two players against each other.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
};

use anyhow::{Result, ensure};
use indicatif::ProgressBar;

use super::{
    CliError,
    contest::{ContestArgs, games, progress_bar, stopped},
    interrupt, node_match,
    players::{Entrant, PlayerSpec},
    position,
};
use crate::{
    arena::{Match, MatchConfig, MatchGame, MatchResult, Sprt, Tally, check_start},
    encode::Encode,
    net::ModelFile,
    report::{MatchPage, match_page},
    rules::{GameId, Reason, RuleSet},
    with_game,
};

/// Play two players against each other, from paired openings with colours swapped
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Players: random; uniform, the yardstick (a search that knows nothing); a checkpoint; a run's folder;
uci:COMMAND, usi:COMMAND or ucci:COMMAND, another engine, its options behind a ? and separated by & (Ranks=0 is for
a UCI engine that counts ranks from 0, as Pikafish does).
A net's settings of play stand behind a ?, too: precision, search (auto, puct, gumbel or alphabeta), temperature,
uniform_share, root_widening, c_init, c_base, fpu_reduction, tree (kept or fresh), threads, batch, memory (MiB); the
configs explain them under [play]. What is not given is as the net's own config has it, or as usual for the game.
Each may carry its own budget: @sims=N, @nodes=N, @movetime=MS or @tc=SECONDS+SECONDS (for the game, and what a
move adds). The same command with the same --out goes on with a match that was stopped.

Examples:
  sanki match runs/first uniform --sims 32
  sanki match runs/first/checkpoints/gen-000040.sanki uniform@sims=256 --games 400 --json
  sanki match runs/first runs/second --sprt 0,10 --games 20000 --out matches/first-second
  sanki match runs/first \"uci:fairy-stockfish?Skill Level=0&Threads=1@nodes=1000\"
  sanki match \"runs/first?temperature=2&threads=2\" runs/first --movetime 100
  sanki match runs/first uci:fairy-stockfish --movetime 100 --find-n50
  sanki match random uniform@sims=8 --game dobutsu")]
pub struct Args {
    /// The first player: the result is from its view
    #[arg(value_name = "A")]
    pub(super) a: PlayerSpec,
    /// The second player
    #[arg(value_name = "B")]
    pub(super) b: PlayerSpec,
    /// The game; by default that of a model among the players
    #[arg(long)]
    game: Option<GameId>,
    /// The rule set; by default that of a model, or the game's first
    #[arg(long)]
    rules: Option<String>,
    /// Games, two from each opening; rounded up to whole pairs, with --find-n50 to twenties
    #[arg(long, default_value = "400", value_parser = games())]
    pub(super) games: u32,
    /// Ends the match as soon as a sequential test tells these differences in Elo apart (error rates 5%)
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Finds the node count at which B scores one half against A, which keeps its own budget, by bisection on the
    /// logarithm
    #[arg(long, conflicts_with_all = ["sprt", "html"])]
    find_n50: bool,
    #[command(flatten)]
    pub(super) contest: ContestArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    let models = [args.a.model()?, args.b.model()?];
    let known = models.iter().flatten().next().map(|model| &model.meta);
    let game = args.game.or(known.map(|model| model.game)).ok_or_else(|| {
        CliError::usage("no game is named").help("add --game, since neither player is a model")
    })?;
    let rules = position::rule_set_for(game, args.rules.as_deref(), known)?;
    args.contest.check_html()?;
    if args.find_n50 {
        with_game!(game, G => node_match::run::<G>(&args, rules, &models))
    } else {
        with_game!(game, G => play::<G>(&args, rules, &models))
    }
}

/// Plays the match and prints its result.
fn play<G: Encode>(args: &Args, rules: RuleSet, models: &[Option<ModelFile>; 2]) -> Result<()> {
    let contest = &args.contest;
    let entrant = |spec, model: &Option<_>| {
        Entrant::new::<G>(spec, rules, model.as_ref(), contest.budget(), contest.backend)
    };
    let (a, b) = (entrant(&args.a, &models[0])?, entrant(&args.b, &models[1])?);
    let openings = contest.openings::<G>(rules)?;
    let players = vec![a.description(), b.description()];
    let conditions = contest.conditions(a.cores().max(b.cores()));
    let b = b.beside(a.name());
    let field = [a.contender::<G>(), b.contender()];
    let config = MatchConfig { games: args.games, sprt: args.sprt, conditions };
    let all = contest.enough(openings.clone(), config.games);
    let check = |game: &MatchGame| {
        let known = field.iter().all(|player| game.half_points(&player.name).is_some());
        ensure!(known, "game {} has other players", game.number);
        check_start(game, &all)
    };
    let (mut folder, games) = contest.folder(Path::new("matches"), players, &openings, rules, &check)?;
    let mut played = Match::new(config, &field[0].name, games)?;
    let bar = progress_bar(config.games.next_multiple_of(2), played.tally().games());
    let on_game = &mut |played: &Match, game: &_| {
        folder.append(game)?;
        show_progress(&bar, played);
        Ok(())
    };
    played.play(&field, &all, interrupt::flag(), on_game)?;
    bar.finish_and_clear();
    let (root, result) = (folder.root().to_owned(), played.result());
    let games: Vec<MatchGame> = played.games().cloned().collect();
    let players = field.each_ref().map(|contender| contender.name.as_str());
    let title = format!("{} against {}", players[0], players[1]);
    let page = MatchPage { title: &title, game: G::ID, rules, players, result: &result, games: &games };
    if contest.json {
        writeln!(io::stdout(), "{}", serde_json::to_string(&result)?)?;
    } else {
        write_result(&mut io::stdout().lock(), &result)?;
    }
    contest.write_report(&root, &match_page(&page)?)?;
    Ok(stopped(&root, played.is_over())?)
}

fn show_progress(bar: &ProgressBar, played: &Match) {
    let tally = played.tally();
    let elo = tally.elo();
    bar.set_position(tally.games().into());
    let mut message = format!(
        "+{} ={} -{}  Elo {:+.0} [{:+.0}, {:+.0}]",
        tally.wins, tally.draws, tally.losses, elo.elo, elo.low, elo.high
    );
    if let Some(sprt) = played.sprt() {
        message += &format!("  LLR {:.2} in {:.2} to {:.2}", sprt.llr, sprt.lower, sprt.upper);
    }
    bar.set_message(message);
}

fn write_result(out: &mut impl Write, result: &MatchResult) -> io::Result<()> {
    let Tally { wins, draws, losses, pentanomial } = result.tally;
    writeln!(out, "games {} from {} openings: +{wins} ={draws} -{losses}", result.games, result.openings)?;
    writeln!(out, "score {:.1}%", 100.0 * result.score)?;
    writeln!(
        out,
        "Elo {:+.1}, 95% interval {:+.1} to {:+.1}; stronger with a likelihood of {:.1}%",
        result.elo,
        result.elo_low,
        result.elo_high,
        100.0 * result.los
    )?;
    if let Some(sprt) = &result.sprt {
        writeln!(out, "{sprt}")?;
    }
    writeln!(out, "pairs by points (0, 1/2, 1, 1 1/2, 2): {pentanomial:?}")?;
    writeln!(out, "plies a game {:.1}; ended by {}", result.mean_plies, reasons(&result.reasons))
}

/// How games ended, in words.
pub(super) fn reasons(reasons: &BTreeMap<Reason, u32>) -> String {
    let reasons: Vec<String> = reasons.iter().map(|(reason, games)| format!("{reason} {games}")).collect();
    reasons.join(", ")
}
