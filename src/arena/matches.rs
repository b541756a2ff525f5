//! A match: every opening twice, colours swapped, games in parallel.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

use rand::Rng;
use serde::Serialize;

use super::{Player, Tally};
use crate::{
    rng::{Purpose, stream},
    rules::{Game, Reason, Side, Verdict},
};

/// Makes a player; every thread makes its own.
pub type Factory<'a, G> = dyn Fn() -> Box<dyn Player<G>> + Sync + 'a;

/// How a match is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchConfig {
    /// Games to play, two from an opening; an odd number is rounded up.
    pub games: u32,
    /// A game that has lasted so many plies, those of its opening included, is adjudicated.
    pub max_plies: u32,
    /// Of the players' random numbers.
    pub seed: u64,
    /// Threads to play on, at least one. The result does not depend on it.
    pub threads: usize,
}

/// The result of a match from the first player's view, with the keys of `match --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchResult {
    /// Games played.
    pub games: u32,
    /// Wins, draws, losses and pairs.
    #[serde(flatten)]
    pub tally: Tally,
    /// Share of the points, in `0.0..=1.0`.
    pub score: f64,
    /// The difference in Elo: see [`Tally::elo`].
    pub elo: f64,
    /// Lower end of its 95% interval.
    pub elo_low: f64,
    /// Upper end of its 95% interval.
    pub elo_high: f64,
    /// Different openings among those played.
    pub openings: usize,
    /// Mean length of a game in plies, the opening included.
    pub mean_plies: f64,
    /// Games by the rule that ended them.
    pub reasons: BTreeMap<Reason, u32>,
}

/// A finished game.
#[derive(Clone, Copy, Debug)]
struct Finished {
    /// Half points of the first player of the match: 0, 1 or 2.
    half_points: u32,
    reason: Reason,
    plies: u32,
}

/// Plays a match of `a` against `b`. The first game from each opening has `a` as the side to move there, the
/// second has `b`; with fewer openings than pairs they are used again. `progress` is told the tally after every
/// game; once `stop` is set no further move is played, and the games that were finished count.
///
/// # Panics
/// Without openings, or when an opening is over.
pub fn play_match<G: Game>(
    openings: &[G],
    config: &MatchConfig,
    a: &Factory<'_, G>,
    b: &Factory<'_, G>,
    progress: &(dyn Fn(&Tally) + Sync),
    stop: &AtomicBool,
) -> MatchResult {
    assert!(!openings.is_empty(), "a match without openings");
    let pairs = config.games.div_ceil(2);
    let next = AtomicU32::new(0);
    let finished = Mutex::new(vec![[None; 2]; pairs as usize]);
    let work = || {
        let (mut a, mut b) = (a(), b());
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let (pair, swapped) = (index / 2, index % 2);
            if pair >= pairs {
                return;
            }
            let opening = &openings[pair as usize % openings.len()];
            let mover = opening.side_to_move();
            let side_of_a = if swapped == 0 { mover } else { !mover };
            let mut rng = stream(config.seed, Purpose::Match, &[pair.into(), swapped.into()]);
            let players: [&mut dyn Player<G>; 2] = match side_of_a {
                Side::First => [&mut *a, &mut *b],
                Side::Second => [&mut *b, &mut *a],
            };
            let Some(game) = play_game(opening.clone(), players, config.max_plies, &mut rng, stop) else {
                return;
            };
            let mut finished = finished.lock().expect("no player panicked");
            finished[pair as usize][swapped as usize] = Some(Finished::of(game, side_of_a));
            progress(&tally(&finished));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..config.threads.max(1) {
            scope.spawn(work);
        }
    });
    summarise(&finished.into_inner().expect("no player panicked"), openings.len())
}

/// Plays `game` to its end, with the player of the first side first; `None` when stopped.
fn play_game<G: Game>(
    mut game: G,
    players: [&mut dyn Player<G>; 2],
    max_plies: u32,
    rng: &mut dyn Rng,
    stop: &AtomicBool,
) -> Option<(Verdict, Reason, u32)> {
    loop {
        let capped = || (game.ply() >= max_plies).then(|| game.adjudicate());
        if let Some(outcome) = game.outcome_or_declaration().or_else(capped) {
            return Some((outcome.verdict, outcome.reason, game.ply()));
        }
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let mv = players[game.side_to_move().index()].choose(&game, rng);
        game.play(mv);
    }
}

impl Finished {
    fn of((verdict, reason, plies): (Verdict, Reason, u32), side: Side) -> Finished {
        let half_points = match verdict {
            Verdict::Draw => 1,
            Verdict::Win(winner) if winner == side => 2,
            Verdict::Win(_) => 0,
        };
        Finished { half_points, reason, plies }
    }
}

fn tally(pairs: &[[Option<Finished>; 2]]) -> Tally {
    let mut tally = Tally::default();
    for pair in pairs {
        for game in pair.iter().flatten() {
            match game.half_points {
                0 => tally.losses += 1,
                1 => tally.draws += 1,
                _ => tally.wins += 1,
            }
        }
        if let [Some(first), Some(second)] = pair {
            tally.pentanomial[(first.half_points + second.half_points) as usize] += 1;
        }
    }
    tally
}

fn summarise(pairs: &[[Option<Finished>; 2]], openings: usize) -> MatchResult {
    let tally = tally(pairs);
    let games = pairs.iter().flatten().flatten();
    let mut reasons = BTreeMap::new();
    for game in games.clone() {
        *reasons.entry(game.reason).or_default() += 1;
    }
    let plies: u64 = games.map(|game| u64::from(game.plies)).sum();
    let played = pairs.iter().take(openings).filter(|pair| pair.iter().any(Option::is_some)).count();
    let elo = tally.elo();
    MatchResult {
        games: tally.games(),
        tally,
        score: tally.score(),
        elo: elo.elo,
        elo_low: elo.low,
        elo_high: elo.high,
        openings: played,
        mean_plies: plies as f64 / f64::from(tally.games().max(1)),
        reasons,
    }
}
