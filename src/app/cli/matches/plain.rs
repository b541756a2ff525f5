//! A match of two players as they are.

use std::{
    io::{self, Write},
    path::Path,
};

use anyhow::{Result, ensure};
use indicatif::ProgressBar;
use serde::Serialize;

use super::{args::MatchArgs, words::reasons};
use crate::{
    app::{
        cli::{
            contest::{ContestArgs, ContestStage, progress_bar, stopped, warn_of_forfeits, with_advice},
            interrupt,
            players::Entrant,
            stdout,
        },
        report::{MatchPage, match_page},
    },
    arena::{Forfeits, Match, MatchConfig, MatchGame, MatchResult, Tally, check_start},
    games::{
        encode::Encode,
        notation::Notate,
        rules::{RuleSet, Side},
    },
    net::ModelFile,
};

/// Plays the match and prints its result.
pub fn run<G: Encode + Notate>(
    args: &MatchArgs,
    rules: RuleSet,
    models: &[Option<ModelFile>; 2],
) -> Result<()> {
    let contest = &args.contest;
    let terms = contest.terms();
    let entrant = |spec, model: &Option<_>| Entrant::new::<G>(spec, rules, model.as_ref(), &terms);
    let (a, b) = (entrant(&args.a, &models[0])?, entrant(&args.b, &models[1])?);
    let openings = contest.openings::<G>(rules)?;
    let players = vec![a.description(), b.description()];
    let conditions = contest.conditions(a.cores().max(b.cores()));
    let b = b.beside(a.name());
    let field = [a.competitor::<G>(), b.competitor()];
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
    let mut forfeits = played.result().forfeits.total();
    let on_game = &mut |played: &Match, game: &MatchGame| {
        folder.append(game)?;
        forfeits += u32::from(game.forfeiter().is_some());
        show_progress(&bar, played, forfeits);
        Ok(())
    };
    let ended = played.play(&field, &all, interrupt::flag(), on_game);
    bar.finish_and_clear();
    ended.map_err(with_advice)?;
    let (root, result) = (folder.root().to_owned(), played.result());
    let games: Vec<MatchGame> = played.games().cloned().collect();
    let players = field.each_ref().map(|competitor| competitor.name.as_str());
    let title = format!("{} against {}", players[0], players[1]);
    let page = MatchPage { title: &title, game: G::ID, rules, players, result: &result, games: &games };
    let giver = G::ID.facts().handicaps.giver;
    let as_giver = contest.handicap::<G>()?.map(|_| players.map(|name| score_as(giver, name, &games)));
    let stage = if played.is_over() { ContestStage::Over } else { ContestStage::Unfinished };
    let report = contest.write_report(&root, &match_page(&page)?, stage);
    let printed = print(contest, &result, players, as_giver);
    let report = report?;
    let printed = printed.and_then(|()| contest.print_places(&root, &report));
    // That it was stopped counts even where nobody reads the result.
    stopped(&root, played.is_over())?;
    printed
}

/// `forfeits` of the games were not decided on the board.
fn show_progress(bar: &ProgressBar, played: &Match, forfeits: u32) {
    let tally = played.tally();
    bar.set_position(tally.games().into());
    let mut message =
        format!("+{} ={} -{}  Elo {}", tally.wins, tally.draws, tally.losses, tally.elo().in_brackets());
    if let Some(sprt) = played.sprt() {
        message += &format!("  LLR {:.2} in {:.2} to {:.2}", sprt.llr, sprt.lower, sprt.upper);
    }
    if forfeits > 0 {
        message += &format!("  {forfeits} not decided on the board");
    }
    bar.set_message(message);
}

/// What `--json` prints.
#[derive(Serialize)]
struct Printed<'a> {
    #[serde(flatten)]
    result: &'a MatchResult,
    /// In a handicap match, by player: its score in the games in which it gave the pieces, in `0.0..=1.0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    as_giver: Option<[Option<f64>; 2]>,
}

/// The score of the player called `name` in the games that it played as `side`, in `0.0..=1.0`; `None` if there are none.
fn score_as(side: Side, name: &str, games: &[MatchGame]) -> Option<f64> {
    let at = |game: &MatchGame| [&game.first, &game.second][side.index()] == name;
    let points: Vec<u32> =
        games.iter().filter(|game| at(game)).filter_map(|game| game.half_points(name)).collect();
    (!points.is_empty()).then(|| f64::from(points.iter().sum::<u32>()) / (2.0 * points.len() as f64))
}

fn print(
    contest: &ContestArgs,
    result: &MatchResult,
    players: [&str; 2],
    as_giver: Option<[Option<f64>; 2]>,
) -> Result<()> {
    let mut out = stdout();
    if contest.json {
        warn_of_forfeits(result.forfeits, result.games);
        writeln!(out, "{}", serde_json::to_string(&Printed { result, as_giver })?)?;
    } else {
        write_result(&mut out, result)?;
        writeln!(out, "players: {} against {}", players[0], players[1])?;
        if let Some(scores) = as_giver {
            write_givers(&mut out, players, scores)?;
        }
    }
    Ok(())
}

fn write_givers(out: &mut impl Write, players: [&str; 2], scores: [Option<f64>; 2]) -> io::Result<()> {
    for (name, score) in players.into_iter().zip(scores) {
        if let Some(score) = score {
            writeln!(out, "score of {name} where it gives the pieces: {:.1}%", 100.0 * score)?;
        }
    }
    Ok(())
}

fn write_result(out: &mut impl Write, result: &MatchResult) -> io::Result<()> {
    let Tally { wins, draws, losses, pentanomial } = result.tally;
    write!(out, "games {} from {} openings: +{wins} ={draws} -{losses}", result.games, result.openings)?;
    match result.forfeits {
        Forfeits { wins: 0, losses: 0 } => writeln!(out)?,
        Forfeits { wins, losses } => {
            writeln!(out, ", of which +{wins} -{losses} were not decided on the board")?
        }
    }
    writeln!(out, "score {:.1}%", 100.0 * result.score)?;
    let elo = result.tally.elo().in_words();
    writeln!(out, "Elo {elo}; stronger with a likelihood of {:.1}%", 100.0 * result.los)?;
    if let Some(warning) = result.forfeits.warning(result.games) {
        writeln!(out, "warning: {warning}")?;
    }
    if let Some(sprt) = &result.sprt {
        writeln!(out, "{sprt}")?;
    }
    writeln!(out, "pairs by points (0, 1/2, 1, 1 1/2, 2): {pentanomial:?}")?;
    writeln!(out, "plies a game: {:.1}", result.mean_plies)?;
    writeln!(out, "ended by {}", reasons(&result.reasons))
}
