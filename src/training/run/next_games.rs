//! How many games the next generations play.

use super::{
    config::RunConfig,
    state::{PlannedGames, State},
};
use crate::training::selfplay::Calibration;

/// How many more positions the last generation is to have than the budget leaves: its games may be shorter than those before,
/// and another generation of one or two games would keep most threads waiting.
const LAST: f64 = 1.1;

/// What a generation is to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NextGames {
    /// How many games.
    pub games: u32,
    /// The threshold below which sides resign, if that is allowed yet.
    pub resign_below: Option<f32>,
}

/// The games of the generation after `state`: as they were planned before; what was not planned follows from the results so far.
pub(super) fn next_games(config: &RunConfig, state: &State) -> NextGames {
    let games = games_wanted(config, state.positions, game_length(config, state));
    match state.planned {
        Some(planned) => {
            NextGames { games: planned.games.unwrap_or(games), resign_below: planned.resign_below }
        }
        None => NextGames { games, resign_below: resign_below(config, state) },
    }
}

/// What is planned at `state` for the generation after the next one, before that has results: so that it can be played on the
/// cores that the last games of the next one leave. `None` without a lag.
pub(super) fn games_after_next(config: &RunConfig, state: &State) -> Option<PlannedGames> {
    if config.selfplay.lag == 0 {
        return None;
    }
    let length = game_length(config, state);
    let next = f64::from(next_games(config, state).games) * length;
    let positions = state.positions.saturating_add(next as u64);
    let is_over = config.budget.generations.is_some_and(|all| state.generation + 2 > all)
        || config.budget.positions.is_some_and(|all| positions >= all);
    let games = (!is_over).then(|| games_wanted(config, positions, length));
    Some(PlannedGames { games, resign_below: resign_below(config, state) })
}

/// Games of a generation that begins after so many `positions`, if games have `length` positions and any of the budget is left.
fn games_wanted(config: &RunConfig, positions: u64, length: f64) -> u32 {
    let wanted = u64::from(config.selfplay.positions_per_generation);
    let left = config.budget.positions.map_or(u64::MAX, |all| all.saturating_sub(positions));
    let planned = if left <= wanted { LAST * left as f64 } else { wanted as f64 };
    ((planned / length) as u32).max(1)
}

/// The threshold below which sides resign by the results so far, if that is allowed yet.
fn resign_below(config: &RunConfig, state: &State) -> Option<f32> {
    let allowed: Option<Calibration> =
        state.resign.filter(|found: &Calibration| found.is_allowed(&config.selfplay.resign));
    allowed.map(|calibration| calibration.threshold)
}

/// Positions of a game, as far as that is known.
fn game_length(config: &RunConfig, state: &State) -> f64 {
    match state.mean_game_length {
        // Before the first game: a guess that only sizes the first generations.
        0.0 => f64::from(config.selfplay.max_plies) / 4.0,
        length => length,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(set: &[&str]) -> RunConfig {
        let text = include_str!("../../../configs/quickstart.toml");
        let mut set: Vec<String> = set.iter().map(|&set| set.to_owned()).collect();
        set.extend(["budget.minutes=none".to_owned(), "selfplay.positions_per_generation=1000".to_owned()]);
        RunConfig::parse(text, &set).unwrap()
    }

    fn at(generation: u32, positions: u64) -> State {
        State { generation, positions, mean_game_length: 50.0, ..State::default() }
    }

    fn games_by_then(config: &RunConfig, state: &State) -> Option<u32> {
        games_after_next(config, state).unwrap().games
    }

    #[test]
    fn the_generation_after_the_next_is_planned_by_what_the_next_will_leave() {
        let config = config(&["selfplay.lag=1", "budget.positions=10000"]);
        let games = |positions| games_by_then(&config, &at(3, positions));
        assert_eq!((games(5000), games(8500), games(9000), games(9900)), (Some(20), Some(11), None, None));
        // A plan that was made before is followed.
        let planned = Some(PlannedGames { games: Some(30), resign_below: Some(0.1) });
        let state = State { planned, ..at(3, 8000) };
        assert_eq!(next_games(&config, &state), NextGames { games: 30, resign_below: Some(0.1) });
        assert_eq!(games_by_then(&config, &state), Some(11));
        // It may leave the number of games open, but not the threshold.
        let planned = Some(PlannedGames { games: None, resign_below: Some(0.1) });
        let state = State { planned, ..at(3, 9500) };
        assert_eq!(next_games(&config, &state), NextGames { games: 11, resign_below: Some(0.1) });
    }

    #[test]
    fn nothing_is_planned_beyond_the_end_or_without_a_lag() {
        let few = config(&["selfplay.lag=1", "budget.generations=5"]);
        assert!(games_by_then(&few, &at(3, 0)).is_some() && games_by_then(&few, &at(4, 0)).is_none());
        let without = config(&["selfplay.lag=0", "budget.generations=5"]);
        assert_eq!(games_after_next(&without, &at(0, 0)), None);
        assert_eq!(next_games(&without, &at(0, 0)).games, 20);
    }
}
