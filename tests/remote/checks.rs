//! What a game that came from elsewhere must be like: every game that this program plays is, and none that was changed.

use std::{collections::HashSet, sync::atomic::AtomicBool};

use anyhow::Result;
use sanki::{
    games::{
        encode::Encode,
        rules::{GameId, Reason, Side, Verdict},
    },
    training::{
        remote::check_game,
        run::RunConfig,
        selfplay::{GameRecord, Plan, SearchDepth, Workers, play},
    },
    with_game,
};

use super::support::Hash;

/// The settings of a game's config, with few simulations.
pub fn config(game: GameId) -> RunConfig {
    let path = format!("{}/configs/{game}.toml", env!("CARGO_MANIFEST_DIR"));
    let set = ["selfplay.simulations=24", "selfplay.max_plies=120", "selfplay.games_per_worker=8"];
    RunConfig::parse(&std::fs::read_to_string(path).unwrap(), &set.map(str::to_owned)).unwrap()
}

pub fn plan(config: &RunConfig, games: u32) -> Plan<'_> {
    Plan {
        config: &config.selfplay,
        rules: config.rules,
        seed: config.seed,
        generation: 1,
        games,
        done: HashSet::new(),
        // Some give up, and some play on.
        resign_below: Some(0.2),
    }
}

pub fn games<G: Encode>(plan: &Plan) -> Vec<GameRecord> {
    let mut games = Vec::new();
    play::<G, _>(
        plan,
        &Workers::all(1),
        || Hash,
        &AtomicBool::new(false),
        |game| {
            games.push(game);
            Ok(())
        },
    )
    .unwrap();
    games.sort_by_key(|game| game.index);
    games
}

#[test]
fn every_game_that_is_played_here_passes() {
    let (mut resigned, mut ended) = (0, 0);
    for game in GameId::ALL {
        let config = config(game);
        let plan = plan(&config, 24);
        with_game!(game, G => for record in games::<G>(&plan) {
            check_game::<G>(&record, &plan).unwrap_or_else(|error| panic!("{game} {}: {error:#}", record.index));
            resigned += usize::from(record.reason == Reason::Resignation);
            ended += usize::from(record.reason != Reason::Resignation);
        });
    }
    assert!(ended > 0 && resigned > 0, "{resigned} resigned, {ended} ended");
}

type Change = fn(&mut GameRecord);

/// What can be wrong with a game, and what is said of it.
pub const CHANGES: [(Change, &str); 14] = [
    (|game| game.plies.last_mut().unwrap().mv = 0xffff, "illegal move"),
    (|game| game.candidates[0].mv = 0xffff, "candidate that is no legal move"),
    (|game| game.candidates[0].visits = 60_000, "visits of"),
    (|game| game.candidates[0].share ^= 0x4000, "shares that sum to"),
    (|game| game.candidates[1].mv = game.candidates[0].mv, "named twice"),
    (|game| game.plies.last_mut().unwrap().wdl = [60_000, 60_000], "a value of"),
    (|game| game.plies.last_mut().unwrap().candidates += 1, "do not match"),
    (|game| game.plies.last_mut().unwrap().search = SearchDepth::Random, "random move behind"),
    (|game| game.start = game.start.replacen(' ', "  ", 1), "opening that is not"),
    (
        |game| {
            let last = game.plies.pop().map_or(0, |ply| usize::from(ply.candidates));
            game.candidates.truncate(game.candidates.len() - last);
        },
        "not over",
    ),
    (|game| game.generation += 1, "of generation"),
    (|game| game.index += 1000, "with number"),
    (|game| game.reason = Reason::Timeout, "outcome"),
    (
        |game| {
            game.verdict = match game.verdict {
                Verdict::Draw => Verdict::Win(Side::First),
                Verdict::Win(_) => Verdict::Draw,
            }
        },
        "outcome",
    ),
];

#[test]
fn no_changed_game_passes() {
    for game in GameId::ALL {
        let config = config(game);
        let plan = Plan { resign_below: None, ..plan(&config, 12) };
        with_game!(game, G => refuses_changes::<G>(&plan).unwrap());
    }
}

fn refuses_changes<G: Encode>(plan: &Plan) -> Result<()> {
    let all = games::<G>(plan);
    for (change, expected) in CHANGES {
        // Any game may be one that a change does not touch: a search with one candidate, say.
        let mut found = Vec::new();
        for record in &all {
            let mut changed = record.clone();
            if changed.candidates.len() < 2 {
                continue;
            }
            change(&mut changed);
            if changed != *record {
                let error = check_game::<G>(&changed, plan).expect_err(expected);
                found.push(format!("{error:#}"));
            }
        }
        assert!(found.iter().any(|error| error.contains(expected)), "{}: '{expected}' in {found:?}", G::ID);
    }
    Ok(())
}
