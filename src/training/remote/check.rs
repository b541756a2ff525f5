//! Whether a game that came from elsewhere can be one that the run's plan leads to.
//!
//! All is checked that can be without searching: the opening, which the seed decides; every move and every candidate,
//! by the rules; visits and shares, by what a search can spend; and the end of the game, by the rules again.

use std::collections::HashSet;

use anyhow::{Result, ensure};

use crate::{
    games::rules::{Game, Move, Outcome, Reason},
    training::selfplay::{Candidate, GameRecord, Plan, Ply, Resigning, SearchDepth, SearchStats, opening},
};

/// What shares and values sum to.
const WHOLE: u32 = 65535;
/// How far a sum of numbers that were rounded, and added up in single precision, can be off beside half a unit each.
const ROUNDING: u32 = 4;

/// Checks a game of `plan`.
///
/// # Errors
/// Says what is wrong with it.
pub fn check_game<G: Game>(record: &GameRecord, plan: &Plan) -> Result<()> {
    ensure!(record.game == G::ID, "a game of {}", record.game);
    ensure!(record.rules == plan.rules, "a game by the rules {}", record.rules);
    ensure!(record.generation == plan.generation, "a game of generation {}", record.generation);
    ensure!(record.index < plan.games, "a game with number {}", record.index);
    ensure!(record.plies.len() <= plan.config.max_plies as usize, "a game of {} plies", record.plies.len());
    let candidates: usize = record.plies.iter().map(|ply| usize::from(ply.candidates)).sum();
    ensure!(candidates == record.candidates.len(), "plies and candidates that do not match");

    let (mut game, opened) = opening::<G>(plan, record.index);
    let random = opened.plies.len();
    let is_begun = record.start == opened.start
        && record.resigning == opened.resigning
        && record.plies.get(..random) == Some(&opened.plies[..]);
    ensure!(is_begun, "an opening that is not that of game {}", record.index);
    let mut moves = Vec::new();
    for (number, (ply, candidates)) in record.plies().enumerate().skip(random) {
        ensure!(end(&game, plan).is_none(), "moves after the end of the game");
        moves.clear();
        game.legal_moves(&mut moves);
        let place = number + 1;
        ensure!(moves.iter().any(|mv| mv.bits() == ply.mv), "an illegal move at ply {place}");
        let legal: HashSet<u16> = moves.iter().map(|mv| mv.bits()).collect();
        check_search(ply, candidates, &legal, plan).map_err(|error| error.context(format!("ply {place}")))?;
        game.play(G::Move::from_bits(ply.mv));
    }
    let ended = match end(&game, plan) {
        Some(outcome) => outcome,
        None => {
            let may_resign = plan.resign_below.is_some() && record.resigning == Resigning::Open;
            ensure!(may_resign && record.reason == Reason::Resignation, "a game that is not over");
            Outcome::win(!game.side_to_move(), Reason::Resignation)
        }
    };
    ensure!(record.outcome() == ended, "an outcome that the rules do not give");
    Ok(())
}

/// How a game of the plan is over, if it is.
fn end<G: Game>(game: &G, plan: &Plan) -> Option<Outcome> {
    let is_long = game.ply() >= plan.config.max_plies;
    game.outcome_or_declaration().or_else(|| is_long.then(|| game.adjudicate()))
}

/// Checks what a search says of a position with these legal moves.
fn check_search(ply: &Ply, candidates: &[Candidate], legal: &HashSet<u16>, plan: &Plan) -> Result<()> {
    ensure!(ply.search != SearchDepth::Random, "a random move behind the opening");
    let [win, loss] = ply.wdl.map(u32::from);
    ensure!(win + loss <= WHOLE + 1, "a value of {win} and {loss}");
    let mut named = HashSet::new();
    ensure!(candidates.iter().all(|candidate| named.insert(candidate.mv)), "a candidate named twice");
    ensure!(named.is_subset(legal), "a candidate that is no legal move");
    if ply.search == SearchDepth::Quick {
        ensure!(candidates.is_empty(), "candidates of a quick search");
        return Ok(());
    }
    let visits: u32 = candidates.iter().map(|candidate| u32::from(candidate.visits)).sum();
    let simulations = plan.config.simulations;
    ensure!(visits <= simulations, "{visits} visits of {simulations} simulations");
    let share: u32 = candidates.iter().map(|candidate| u32::from(candidate.share)).sum();
    let slack = legal.len() as u32 / 2 + ROUNDING;
    ensure!(share.abs_diff(WHOLE) <= slack, "shares that sum to {share} of {WHOLE}");
    Ok(())
}

/// Checks the sums of a game's searches, which are figures and teach nothing.
///
/// # Errors
/// When a run cannot add them up.
pub fn check_stats(stats: &SearchStats) -> Result<()> {
    let sums = [stats.policy_kl, stats.policy_entropy, stats.breadth, stats.value_shift];
    let counts = [stats.searches, stats.full, stats.evaluations, stats.simulations];
    let is_sane = sums.iter().all(|sum| sum.is_finite() && sum.abs() < 1e12)
        && counts.iter().all(|&count| count < 1 << 40);
    ensure!(is_sane, "figures out of their range");
    Ok(())
}
