//! Short matches that measure a run's progress.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::{
    arena::{
        Competitor, Conditions, Match, MatchConfig, MatchResult, Player, PlayerBudget, SearchPlayer,
        UniformPlayer, embedded,
    },
    games::{
        encode::Encode,
        rules::{RuleSet, Setup},
    },
    net::{LoadedNet, NetEvaluator, PlayConfig},
};

/// How progress is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationConfig {
    /// Generations between two evaluations.
    pub every: u32,
    /// Games of each of the two matches.
    pub games: u32,
    /// Simulations a move, for both players.
    pub simulations: u32,
}

impl EvaluationConfig {
    /// Whether every value is in its range.
    ///
    /// # Errors
    /// Names the key.
    pub fn validate(&self) -> Result<(), String> {
        for (key, value) in [("every", self.every), ("games", self.games), ("simulations", self.simulations)]
        {
            if value == 0 {
                return Err(format!("evaluation.{key} = 0: must be at least 1"));
            }
        }
        for (key, value, most) in
            [("games", self.games, 1_000_000), ("simulations", self.simulations, 1 << 16)]
        {
            if value > most {
                return Err(format!("evaluation.{key} = {value}: must be at most {most}"));
            }
        }
        Ok(())
    }
}

/// Two matches of a net: against `uniform`, and against an earlier net.
#[derive(Clone, Debug)]
pub struct ProgressMatches<'a> {
    /// How many games, and how strong the players.
    pub config: &'a EvaluationConfig,
    /// How both nets play, each with one thread.
    pub play: PlayConfig,
    /// Under which rule set.
    pub rules: RuleSet,
    /// The ply at which games are adjudicated.
    pub max_plies: u32,
    /// Of the openings and of the players' ties.
    pub seed: u64,
    /// Threads; the result does not depend on it.
    pub workers: usize,
}

impl ProgressMatches<'_> {
    /// The results against `uniform` and against `opponent`; `None` when stopped before the end.
    ///
    /// # Errors
    /// When there is no opening to play from.
    pub fn play<G: Encode>(
        &self,
        net: &LoadedNet,
        opponent: &LoadedNet,
        stop: &AtomicBool,
    ) -> Result<Option<(MatchResult, MatchResult)>> {
        let simulations = self.config.simulations;
        let searcher = |net: &LoadedNet| -> Box<dyn Player<G>> {
            let play = PlayConfig { threads: 1, ..self.play.clone() };
            let evaluator = || NetEvaluator::new(net.evaluator(G::SHAPE));
            Box::new(SearchPlayer::new(play, PlayerBudget::Simulations(simulations), evaluator))
        };
        let this = || Competitor::new("this", || searcher(net));
        let uniform = Competitor::new("uniform", || Box::new(UniformPlayer::new(simulations)));
        let earlier = Competitor::new("earlier", || searcher(opponent));
        let against_uniform = self.play_one(&[this(), uniform], stop)?;
        let against_opponent = self.play_one(&[this(), earlier], stop)?;
        Ok((!stop.load(Ordering::Relaxed)).then_some((against_uniform, against_opponent)))
    }

    fn play_one<G: Encode>(&self, field: &[Competitor<G>; 2], stop: &AtomicBool) -> Result<MatchResult> {
        let openings =
            embedded::<G>(self.rules, Setup::Drawn, self.config.games.div_ceil(2) as usize, self.seed);
        let conditions = Conditions { max_plies: self.max_plies, seed: self.seed, threads: self.workers };
        let config = MatchConfig { games: self.config.games, sprt: None, conditions };
        let mut played = Match::new(config, &field[0].name, Vec::new())?;
        played.play(field, &openings, stop, &mut |_, _| Ok(()))?;
        Ok(played.result())
    }
}
