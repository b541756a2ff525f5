//! Matches of a candidate against the best net.

use std::{path::Path, sync::atomic::AtomicBool, time::Duration};

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use super::plan::ImproveConfig;
use crate::{
    arena::{
        AlphaBetaPlayer, Competitor, Conditions, Hypothesis, Match, MatchConfig, MatchFolder, MatchGame,
        MatchResult, Player, PlayerBudget, SearchPlayer, Sprt, check_moves, check_start, embedded,
        extend_openings,
    },
    games::{
        encode::Encode,
        rules::{GameId, RuleSet, Setup},
    },
    net::{LoadedNet, ModelFile, NetEvaluator, PlayConfig, PlaySearch},
    training::run::Machine,
};

/// The hypotheses of the sequential test, in Elo.
const WORSE: f64 = 0.0;
const BETTER: f64 = 20.0;
/// Nets of two sizes have this time a move, since the wider one is slower.
const MOVE_TIME: Duration = Duration::from_millis(50);

/// Two nets and how they meet.
pub struct Judge<'a> {
    pub config: &'a ImproveConfig,
    pub rules: RuleSet,
    pub max_plies: u32,
    pub seed: u64,
    pub machine: Machine,
    pub best: &'a ModelFile,
}

/// What a match is of: a folder with another one is refused.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Settings {
    game: GameId,
    rules: RuleSet,
    /// Checksums of the weights of the candidate and of the best net.
    weights: [u32; 2],
    nodes: u32,
    max_plies: u32,
    seed: u64,
}

impl Judge<'_> {
    /// The match of `candidate`, played or continued; `None` when stopped. Its folder is called `folder` and what it is of:
    /// a cycle that trains on after a stop has another candidate, and another match.
    ///
    /// # Errors
    /// When the folder cannot be written, and those of `on_game`.
    pub fn play<G: Encode>(
        &self,
        candidate: &ModelFile,
        folder: &Path,
        stop: &AtomicBool,
        on_game: &mut dyn FnMut(&Match) -> Result<()>,
    ) -> Result<Option<MatchResult>> {
        let checksum = |file: &ModelFile| crc32fast::hash(&file.model.to_bytes());
        let (rules, max_plies, seed, nodes) = (self.rules, self.max_plies, self.seed, self.config.nodes);
        let weights = [checksum(candidate), checksum(self.best)];
        let settings = Settings { game: G::ID, rules, weights, nodes, max_plies, seed };
        let pairs = self.config.games.div_ceil(2) as usize;
        let mut openings = embedded::<G>(rules, Setup::Drawn, pairs, seed);
        extend_openings(&mut openings, pairs, seed);
        let check = |game: &MatchGame| {
            ensure!(game.half_points("candidate").is_some(), "game {} has other players", game.number);
            check_start(game, &openings)?;
            check_moves::<G>(rules, max_plies, game)
        };
        let root = format!("{}-{:08x}-{nodes}", folder.display(), weights[0]);
        let (mut log, games) = MatchFolder::open(Path::new(&root), &settings, &check)?;
        let budget = self.budget(candidate);
        let nets = (self.load(candidate, budget)?, self.load(self.best, budget)?);
        let field = [
            Competitor::new("candidate", || player::<G>(&nets.0, budget)),
            Competitor::new("best", || player::<G>(&nets.1, budget)),
        ];
        let conditions = Conditions { max_plies, seed, threads: self.machine.workers };
        let sprt = Some(Sprt::new(WORSE, BETTER));
        let config = MatchConfig { games: self.config.games, sprt, conditions };
        let mut played = Match::new(config, "candidate", games)?;
        played.play(&field, &openings, stop, &mut |played, game| {
            log.append(game)?;
            on_game(played)
        })?;
        Ok(played.is_over().then(|| played.result()))
    }

    /// What both nets may spend on a move.
    fn budget(&self, candidate: &ModelFile) -> PlayerBudget {
        let is_one_size = candidate.model.net() == self.best.model.net();
        if is_one_size {
            PlayerBudget::Simulations(self.config.nodes)
        } else {
            PlayerBudget::MoveTime(MOVE_TIME)
        }
    }

    /// Both nets play as the best one does, so that nets are compared and not settings.
    fn load(&self, file: &ModelFile, budget: PlayerBudget) -> Result<(LoadedNet, PlayConfig)> {
        let table = self.best.meta.play.clone();
        let table = match budget {
            PlayerBudget::Simulations(_) => table,
            PlayerBudget::MoveTime(_) | PlayerBudget::Clock(_) => table.for_any_time(),
        };
        let play = table.complete(file.meta.game, file.model.net());
        let play = PlayConfig { threads: 1, strength: None, ..play };
        Ok((self.machine.load(&file.model, play.precision)?, play))
    }
}

/// Sparse nets play by alpha-beta, as they do with a clock.
fn player<G: Encode>((net, play): &(LoadedNet, PlayConfig), budget: PlayerBudget) -> Box<dyn Player<G>> {
    let evaluator = || NetEvaluator::new(net.evaluator(G::SHAPE));
    match play.kind {
        PlaySearch::Auto | PlaySearch::AlphaBeta => Box::new(AlphaBetaPlayer::new(play, budget, evaluator)),
        PlaySearch::Puct | PlaySearch::Gumbel => Box::new(SearchPlayer::new(play.clone(), budget, evaluator)),
    }
}

/// Whether a candidate takes the best net's place.
pub fn is_better(result: &MatchResult) -> bool {
    match result.sprt.as_ref().and_then(|sprt| sprt.accepted) {
        Some(accepted) => accepted == Hypothesis::H1,
        None => result.elo_low > WORSE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::rules::dobutsu::Dobutsu,
        net::{Backend, Model},
    };

    fn net(kind: &str) -> ModelFile {
        let model = Model::init(&kind.parse().unwrap(), Dobutsu::SHAPE, 1);
        ModelFile::untrained::<Dobutsu>(RuleSet::Standard, model)
    }

    fn judge<'a>(config: &'a ImproveConfig, best: &'a ModelFile) -> Judge<'a> {
        let machine = Machine { workers: 1, backend: Backend::Native };
        Judge { config, rules: RuleSet::Standard, max_plies: 60, seed: 1, machine, best }
    }

    /// One by the tree and one by alpha-beta would compare searches.
    #[test]
    fn both_nets_play_as_the_best_one() {
        let mut best = net("sparse-32");
        (best.meta.play.temperature, best.meta.play.level) = (Some(2.0), Some(3));
        let config = ImproveConfig::default();
        let judge = judge(&config, &best);
        let play_of = |file: &ModelFile| judge.load(file, judge.budget(file)).unwrap().1;
        assert_eq!((play_of(&best).kind, play_of(&best).strength), (PlaySearch::Puct, None));
        for kind in ["sparse-32", "sparse-64"] {
            assert_eq!(play_of(&net(kind)), play_of(&best), "{kind}");
        }
    }

    #[test]
    fn nets_that_play_by_time_do_not_search_as_gumbel() {
        let mut best = net("sparse-32");
        best.meta.play.search = Some(PlaySearch::Gumbel);
        let config = ImproveConfig::default();
        let judge = judge(&config, &best);
        let search_with = |candidate: &ModelFile| {
            let budget = judge.budget(candidate);
            [candidate, &best].map(|file| judge.load(file, budget).unwrap().1.kind)
        };
        assert_eq!(search_with(&net("sparse-32")), [PlaySearch::Gumbel; 2], "both have so many simulations");
        assert_eq!(search_with(&net("sparse-64")), [PlaySearch::Puct; 2], "both have a time");
    }
}
