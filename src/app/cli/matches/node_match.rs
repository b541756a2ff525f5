//! `sanki match --find-n50`: how many nodes an opponent needs to hold its own.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
};

use anyhow::{Result, ensure};
use serde::Serialize;

use super::{args::MatchArgs, words::reasons};
use crate::{
    app::cli::{
        contest::{progress_bar, stopped, warn_of_forfeits, with_advice},
        interrupt,
        players::{Entrant, Terms},
        stdout,
    },
    arena::{Forfeits, MatchGame, N50, NodeMatch, NodeMatchConfig, NodeScore, PlayerBudget, check_start},
    games::{
        encode::Encode,
        notation::Notate,
        rules::{Reason, RuleSet},
    },
    net::ModelFile,
};

/// Where the search begins: about what a net of ten minutes is worth. Untuned: the search finds its way from anywhere
/// in a few rounds.
const START: u64 = 64;

/// The most nodes that the search tries. A fast engine needs a few seconds for them; one that needs a minute loses on
/// time.
const MOST_NODES: u64 = 1 << 22;

/// What the folder says of the opponent behind its description.
const AT_ANY: &str = " at any node count";

/// The result with the keys of `match --find-n50 --json`.
#[derive(Serialize)]
struct Summary {
    games: u32,
    /// `null` where the net made every point, or none.
    n50: Option<f64>,
    /// `null` where the interval is open.
    n50_low: Option<f64>,
    n50_high: Option<f64>,
    /// `null` where fewer than two counts have games, which say nothing of it.
    elo_per_doubling: Option<f64>,
    nodes: Vec<Count>,
    /// Games by the rule that ended them.
    reasons: BTreeMap<Reason, u32>,
    /// Games that were not decided on the board, from the view of A.
    forfeits: Forfeits,
}

#[derive(Serialize)]
struct Count {
    nodes: u64,
    games: u32,
    score: f64,
}

/// Plays the games and prints the result.
pub fn run<G: Encode + Notate>(
    args: &MatchArgs,
    rules: RuleSet,
    models: &[Option<ModelFile>; 2],
) -> Result<()> {
    let contest = &args.contest;
    let terms = contest.terms();
    let net = Entrant::new::<G>(&args.a, rules, models[0].as_ref(), &terms)?;
    args.b.takes_any_nodes()?;
    let opponent = Entrant::new::<G>(&args.b, rules, models[1].as_ref(), &terms_of_b(terms))?;
    let openings = contest.openings::<G>(rules)?;
    let players = vec![net.description(), opponent.description() + AT_ANY];
    let conditions = contest.conditions(net.cores().max(opponent.cores()));
    let config = NodeMatchConfig { games: args.games, start: START, range: 1..=MOST_NODES, conditions };
    let all = contest.enough(openings.clone(), config.wanted());
    let check = |game: &MatchGame| {
        let names = [&game.first, &game.second];
        let others: Vec<_> = names.into_iter().filter(|name| *name != net.name()).collect();
        let is_known = others.len() == 1 && is_at_some_count(&opponent, net.name(), others[0]);
        ensure!(is_known, "game {} has other players", game.number);
        check_start(game, &all)
    };
    let (mut folder, games) = contest.folder(Path::new("matches"), players, &openings, rules, &check)?;
    let mut played = NodeMatch::new(config, net.name(), games)?;
    let bar = progress_bar(played.wanted(), played.games().count() as u32);
    let on_game = &mut |played: &NodeMatch, game: &_| {
        folder.append(game)?;
        bar.inc(1);
        if let (Some(nodes), Some(n50)) = (played.nodes(), played.n50()) {
            bar.set_message(format!("at {nodes} nodes  N50 {}", interval(&n50)));
        }
        Ok(())
    };
    let name = net.name().to_owned();
    let at = |nodes: u64| Ok(opponent.with_nodes(nodes as u32).beside(&name).competitor());
    let ended = played.play::<G>(net.competitor(), at, &all, interrupt::flag(), on_game);
    bar.finish_and_clear();
    ended.map_err(with_advice)?;
    let root = folder.root().to_owned();
    let forfeits = Forfeits::of(&name, played.games());
    warn_of_forfeits(forfeits, played.games().count() as u32);
    let printed = if contest.json {
        writeln!(stdout(), "{}", serde_json::to_string(&summary(&played, forfeits))?)
    } else {
        write_result(&mut stdout(), &played, &root)
    };
    // That it was stopped counts even where nobody reads the result.
    stopped(&root, played.is_over())?;
    Ok(printed?)
}

/// The terms of the opponent, which is in the folder without the node count that it happens to have.
fn terms_of_b(terms: Terms) -> Terms {
    let before = terms.before.iter().filter_map(|player| player.strip_suffix(AT_ANY)).map(str::to_owned);
    Terms { budget: PlayerBudget::Simulations(START as u32), before: before.collect(), ..terms }
}

/// Whether `name` is that of `opponent` at some node count, beside the player called `net`.
fn is_at_some_count(opponent: &Entrant, net: &str, name: &str) -> bool {
    let typed = name.strip_suffix(" (2)").unwrap_or(name);
    let nodes = typed.rsplit_once('=').and_then(|(_, nodes)| nodes.parse().ok());
    nodes.is_some_and(|nodes| opponent.with_nodes(nodes).beside(net).name() == name)
}

fn reasons_of(played: &NodeMatch) -> BTreeMap<Reason, u32> {
    let mut reasons = BTreeMap::new();
    played.games().for_each(|game| *reasons.entry(game.reason).or_default() += 1);
    reasons
}

fn summary(played: &NodeMatch, forfeits: Forfeits) -> Summary {
    let known = |nodes: f64| (nodes.is_finite() && nodes > 0.0).then_some(nodes);
    let n50 = played.n50();
    let results = played.results();
    let count = |at: NodeScore| Count { nodes: at.nodes, games: at.tally.games(), score: at.tally.score() };
    Summary {
        games: played.games().count() as u32,
        n50: n50.and_then(|n50| known(n50.nodes)),
        n50_low: n50.and_then(|n50| known(n50.low)),
        n50_high: n50.and_then(|n50| known(n50.high)),
        elo_per_doubling: n50.filter(|_| results.len() > 1).map(|n50| n50.elo_per_doubling),
        nodes: results.into_iter().map(count).collect(),
        reasons: reasons_of(played),
        forfeits,
    }
}

fn write_result(out: &mut impl Write, played: &NodeMatch, folder: &Path) -> io::Result<()> {
    for NodeScore { nodes, tally } in played.results() {
        writeln!(
            out,
            "against {nodes:>9} nodes: +{} ={} -{}  {:.1}%",
            tally.wins,
            tally.draws,
            tally.losses,
            100.0 * tally.score()
        )?;
    }
    let results = played.results();
    match played.n50() {
        // One count says nothing of the slope.
        Some(n50) if results.len() < 2 => writeln!(out, "N50: {}", found(&n50, &results))?,
        Some(n50) => writeln!(
            out,
            "N50: {}; doubling them makes the other {:.0} Elo stronger",
            found(&n50, &results),
            n50.elo_per_doubling
        )?,
        None => writeln!(out, "no game was played")?,
    }
    writeln!(out, "ended by {}", reasons(&reasons_of(played)))?;
    writeln!(out, "games in {}", folder.display())
}

/// The count and its 95% interval; where one side won every game, the last count that was tried.
fn found(n50: &N50, results: &[NodeScore]) -> String {
    let tried = || results.iter().map(|at| at.nodes);
    let [low, high] = ends(n50);
    let (than, extreme) = match n50.nodes {
        0.0 => (format!("fewer than {}", tried().min().unwrap_or_default()), "fewest"),
        nodes if nodes.is_infinite() => (format!("more than {}", tried().max().unwrap_or_default()), "most"),
        _ => return interval(n50),
    };
    format!("{than} nodes, the {extreme} that were tried (95% interval {low} to {high})")
}

/// The count and its 95% interval.
fn interval(n50: &N50) -> String {
    let [low, high] = ends(n50);
    format!("{} nodes (95% interval {low} to {high})", count(n50.nodes))
}

/// The ends of the interval.
fn ends(n50: &N50) -> [String; 2] {
    [n50.low, n50.high].map(count)
}

/// A count; one beyond all counts is open.
fn count(nodes: f64) -> String {
    match nodes {
        0.0 => "fewer than any".to_owned(),
        nodes if nodes.is_infinite() => "more than any".to_owned(),
        nodes => format!("{nodes:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Tally;

    #[test]
    fn a_side_that_won_every_game_is_told_with_the_counts_that_were_tried() {
        let at = |nodes, tally: Tally| NodeScore { nodes, tally };
        let won = Tally { wins: 20, ..Tally::default() };
        let lost = Tally { losses: 20, ..Tally::default() };
        for (tally, words) in [
            (won, "more than 4096 nodes, the most that were tried"),
            (lost, "fewer than 64 nodes, the fewest that were tried"),
        ] {
            let results = [at(64, tally), at(4096, tally)];
            let found = found(&N50::fit(&results).unwrap(), &results);
            assert!(found.starts_with(words), "{found}");
        }
    }
}
