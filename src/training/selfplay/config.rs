//! The settings of self-play.

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::{
    games::rules::{GameId, Handicap},
    net::Precision,
    search::SearchConfig,
};

/// Simulations of a search at most.
pub const MOST_SIMULATIONS: u32 = 1 << 16;

/// How self-play games are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayConfig {
    /// Positions that a generation plays, about: games are played to their end.
    pub positions_per_generation: u32,
    /// Games in flight for each worker, hence positions in a batch.
    pub games_per_worker: usize,
    /// Generations that are played ahead of learning, 0 or 1. With 0 play and learning take turns. With 1 a generation is
    /// played while the one before it is learnt, so by a net that is one generation older.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lag: u32,
    /// Simulations of a full search.
    pub simulations: u32,
    /// Simulations of a quick search (playout-cap randomisation, KataGo, Wu 2019, section 3.1).
    pub quick_simulations: u32,
    /// Share of the moves that get a full search, in `0.0..=1.0`; 1 turns quick searches off.
    pub full_share: f32,
    /// A game begins with a random number of random moves, from none to this many.
    pub opening_plies: u32,
    /// Plies after which a game is adjudicated.
    pub max_plies: u32,
    /// Positions whose evaluation is remembered, over all workers; 0 turns the cache off.
    pub cache_positions: usize,
    /// The numbers that the net is judged with. A run settles [`Precision::Auto`] at its start, once and for all.
    #[serde(default = "auto")]
    pub precision: Precision,
    /// Which games begin with a handicap.
    #[serde(default, skip_serializing_if = "HandicapConfig::is_off")]
    pub handicap: HandicapConfig,
    /// When a hopeless side gives up.
    pub resign: ResignConfig,
    /// The tree search.
    pub search: SearchConfig,
}

fn auto() -> Precision {
    Precision::Auto
}

/// Whether there is no lag: settings without one are those of runs from before there was a choice.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(lag: &u32) -> bool {
    *lag == 0
}

/// When a hopeless side gives up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignConfig {
    /// Share of wrong resignations to allow, in `0.0..1.0`; 0 turns resigning off.
    pub max_error: f32,
    /// Share of the games that are played out all the same, to measure that error.
    pub played_out: f32,
    /// Resignations that must have been measured before the first is allowed.
    pub min_measured: u32,
}

/// Which games begin with a handicap.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HandicapConfig {
    /// Share of the games that do, in `0.0..=1.0`.
    pub share: f32,
    /// The handicaps, each as likely, by their names; all of the game's if empty.
    pub names: Vec<String>,
}

impl HandicapConfig {
    /// Whether no game does: settings without handicaps are those of runs from before there were any.
    fn is_off(&self) -> bool {
        *self == Self::default()
    }

    /// Whether `game` has the handicaps named.
    ///
    /// # Errors
    /// Names the first that it has not.
    pub fn check(&self, game: GameId) -> Result<(), String> {
        if self.share > 0.0 && game.facts().handicaps.list.is_empty() {
            return Err(format!("selfplay.handicap.share = {}: {game} has no handicaps", self.share));
        }
        for name in &self.names {
            game.handicap(name).map_err(|error| format!("selfplay.handicap.names: {error} of {game}"))?;
        }
        Ok(())
    }

    /// That of the next game of `game`, which has passed [`HandicapConfig::check`]. Draws nothing where there is none.
    pub(super) fn draw(&self, game: GameId, rng: &mut impl Rng) -> Option<&'static Handicap> {
        if self.share <= 0.0 || rng.random::<f32>() >= self.share {
            return None;
        }
        let all = game.facts().handicaps.list;
        Some(match self.names.len() {
            0 => &all[rng.random_range(0..all.len())],
            count => game.handicap(&self.names[rng.random_range(0..count)]).expect("checked with the config"),
        })
    }
}

impl SelfPlayConfig {
    /// Whether every value is in its range.
    ///
    /// # Errors
    /// Names the key and its range.
    pub fn validate(&self) -> Result<(), String> {
        let share = |key: &str, value: f32| {
            if (0.0..=1.0).contains(&value) {
                Ok(())
            } else {
                Err(format!("{key} = {value}: must lie in 0..1"))
            }
        };
        let positive = |key: &str, value: u64| {
            if value > 0 { Ok(()) } else { Err(format!("{key} = 0: must be at least 1")) }
        };
        positive("selfplay.positions_per_generation", self.positions_per_generation.into())?;
        positive("selfplay.games_per_worker", self.games_per_worker as u64)?;
        positive("selfplay.simulations", self.simulations.into())?;
        positive("selfplay.quick_simulations", self.quick_simulations.into())?;
        positive("selfplay.max_plies", self.max_plies.into())?;
        let at_most = |key: &str, value: usize, most: usize| {
            if value <= most { Ok(()) } else { Err(format!("{key} = {value}: must be at most {most}")) }
        };
        at_most("selfplay.lag", self.lag as usize, 1)?;
        at_most("selfplay.games_per_worker", self.games_per_worker, 1 << 16)?;
        at_most("selfplay.simulations", self.simulations as usize, MOST_SIMULATIONS as usize)?;
        at_most("selfplay.quick_simulations", self.quick_simulations as usize, MOST_SIMULATIONS as usize)?;
        at_most("selfplay.max_plies", self.max_plies as usize, usize::from(u16::MAX))?;
        at_most("selfplay.cache_positions", self.cache_positions, 1 << 28)?;
        share("selfplay.full_share", self.full_share)?;
        share("selfplay.handicap.share", self.handicap.share)?;
        share("selfplay.resign.max_error", self.resign.max_error)?;
        share("selfplay.resign.played_out", self.resign.played_out)?;
        if self.opening_plies >= self.max_plies {
            return Err(format!(
                "selfplay.opening_plies = {}: must be less than max_plies = {}",
                self.opening_plies, self.max_plies
            ));
        }
        self.search.check().map_err(|error| format!("selfplay.search.{error}"))
    }
}
