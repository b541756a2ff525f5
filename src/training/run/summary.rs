//! What a generation's games say, before anything is learnt from them.

use std::collections::BTreeMap;

use crate::{
    games::rules::Reason,
    search::Wdl,
    training::selfplay::{GameRecord, SearchDepth},
};

/// Figures over the games of a generation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameSummary {
    /// Games.
    pub games: usize,
    /// Searched positions.
    pub positions: usize,
    /// Plies a game, openings counted.
    pub mean_plies: f64,
    /// Mean score of the player who moves first, in `0.0..=1.0`.
    pub first_score: f64,
    /// Share of drawn games.
    pub draws: f64,
    /// Share of the games that ended by each reason.
    pub reasons: BTreeMap<Reason, f64>,
    /// Expected calibration error of the searched value: the mean over tenths of the predicted score, weighted
    /// by their positions, of how far prediction and result lie apart (Naeini et al. 2015), in `0.0..=1.0`.
    pub calibration_error: f64,
}

impl GameSummary {
    /// Sums up `games`.
    pub fn of(games: &[GameRecord]) -> Self {
        let count = games.len().max(1) as f64;
        let share = |n: usize| n as f64 / count;
        let mut reasons: BTreeMap<Reason, f64> = BTreeMap::new();
        for game in games {
            *reasons.entry(game.reason).or_default() += 1.0 / count;
        }
        let first_score =
            games.iter().map(|game| score(Wdl::of(game.verdict, crate::games::rules::Side::First)));
        GameSummary {
            games: games.len(),
            positions: games.iter().map(GameRecord::positions).sum(),
            mean_plies: share(games.iter().map(|game| game.plies.len()).sum()),
            first_score: first_score.sum::<f64>() / count,
            draws: share(
                games.iter().filter(|game| game.verdict == crate::games::rules::Verdict::Draw).count(),
            ),
            reasons,
            calibration_error: calibration_error(games),
        }
    }
}

/// Expected score in `0.0..=1.0`.
fn score(wdl: Wdl) -> f64 {
    f64::from(wdl.win) + 0.5 * f64::from(wdl.draw)
}

fn calibration_error(games: &[GameRecord]) -> f64 {
    // Of each tenth: positions, sum of predictions, sum of results.
    let mut tenths = [(0u32, 0.0f64, 0.0f64); 10];
    for game in games {
        for (i, ply) in game.plies.iter().enumerate().filter(|(_, ply)| ply.search == SearchDepth::Full) {
            let first = game.first_mover();
            let side = if i % 2 == 0 { first } else { !first };
            let predicted = score(ply.root_wdl());
            let tenth = &mut tenths[((predicted * 10.0) as usize).min(9)];
            tenth.0 += 1;
            tenth.1 += predicted;
            tenth.2 += score(Wdl::of(game.verdict, side));
        }
    }
    let positions: u32 = tenths.iter().map(|tenth| tenth.0).sum();
    tenths.iter().map(|&(_, predicted, result)| (predicted - result).abs()).sum::<f64>()
        / f64::from(positions.max(1))
}
