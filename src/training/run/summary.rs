//! What a generation's games say, before anything is learnt from them.

use std::collections::BTreeMap;

use crate::{
    games::rules::{Reason, Verdict},
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
        let first_score = games.iter().map(|game| score(Wdl::of(game.verdict, game.first_mover())));
        GameSummary {
            games: games.len(),
            positions: games.iter().map(GameRecord::positions).sum(),
            mean_plies: share(games.iter().map(|game| game.plies.len()).sum()),
            first_score: first_score.sum::<f64>() / count,
            draws: share(games.iter().filter(|game| game.verdict == Verdict::Draw).count()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::rules::{GameId, RuleSet, Side},
        training::selfplay::Resigning,
    };

    #[test]
    fn the_first_score_is_that_of_the_side_that_moves_first() {
        let game = |start: &str, verdict| GameRecord {
            game: GameId::Shogi,
            rules: RuleSet::Csa27,
            generation: 1,
            index: 0,
            start: start.to_owned(),
            plies: Vec::new(),
            candidates: Vec::new(),
            verdict,
            reason: Reason::Checkmate,
            points: None,
            resigning: Resigning::Open,
        };
        let first_score = |games: &[GameRecord]| GameSummary::of(games).first_score;
        let won = Verdict::Win;
        assert_eq!(first_score(&[game("4k4/9/9/9/9/9/9/9/4K4[] w 0 1", won(Side::First))]), 1.0);
        // Of odds the giver is the second side, and moves first.
        assert_eq!(first_score(&[game("4k4/9/9/9/9/9/9/9/4K4[] b 0 1", won(Side::Second))]), 1.0);
        assert_eq!(first_score(&[game("4k4/9/9/9/9/9/9/9/4K4[] b 0 1", won(Side::First))]), 0.0);
    }
}
