//! Who is asked about positions.

use std::{
    fmt,
    time::{Duration, Instant},
};

use anyhow::Result;

use super::Assessment;
use crate::{
    base::rng::{Purpose, stream},
    games::{encode::Encode, rules::Game},
    net::{AnyEvaluator, LoadedNet, ModelFile, PlaySearch, PlayTable},
    search::{Noise, Search, run_together},
};

/// How long a position is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A number of simulations: the result then depends on nothing else.
    Simulations(u32),
    /// So much wall time.
    Time(Duration),
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effort::Simulations(simulations) => write!(f, "{simulations} simulations a position"),
            Effort::Time(time) => write!(f, "{} ms a position", time.as_millis()),
        }
    }
}

/// What a search says of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Look<M> {
    /// What the position is worth, by its best move.
    pub assessment: Assessment,
    /// The best move, and behind it what both sides are expected to play. Never empty.
    pub line: Vec<M>,
    /// Simulations done.
    pub simulations: u32,
    /// Plies of the longest line looked at.
    pub deepest: usize,
}

/// A tree search with a net, or by the rules alone, that is asked about one position after another.
pub struct Analyst<G: Game> {
    search: Search<G>,
    judges: Vec<AnyEvaluator>,
    batch: usize,
}

impl<G: Encode> Analyst<G> {
    /// One that asks `model`, with its settings of play; without a model it knows the rules alone. It searches by PUCT
    /// with any search of the model: a tree has a value and a line at any time.
    ///
    /// # Errors
    /// When the model plays another game, or this machine cannot load it.
    pub fn new(model: Option<&ModelFile>) -> Result<Self> {
        let table = PlayTable { search: Some(PlaySearch::Puct), ..PlayTable::default() };
        let play = match model {
            Some(model) => {
                model.check::<G>()?;
                model.play(&table)
            }
            None => table.complete_without_net(G::ID),
        };
        let load = |model: &ModelFile| LoadedNet::native_on(play.threads, &model.model, play.precision);
        let net = model.map(load).transpose()?;
        Ok(Analyst {
            search: Search::with_memory(play.search, play.memory),
            judges: (0..play.threads).map(|_| AnyEvaluator::of::<G>(net.as_ref())).collect(),
            batch: play.batch,
        })
    }

    /// Looks at `game`, which must not be over, as long as `effort` says, or until `is_stopped`.
    pub fn look(
        &mut self,
        game: &G,
        effort: Effort,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Look<G::Move> {
        let (simulations, until) = match effort {
            Effort::Simulations(simulations) => (simulations, None),
            Effort::Time(time) => (u32::MAX, Some(Instant::now() + time)),
        };
        // Without noise the search draws no random numbers.
        let mut rng = stream(0, Purpose::Evaluation, &[]);
        self.search.start(game, simulations, Noise::None, &mut rng);
        let goes_on = || until.is_none_or(|until| Instant::now() < until) && !is_stopped();
        run_together(&mut self.search, &mut self.judges, self.batch, &goes_on);
        let best = self.search.variations(1).swap_remove(0);
        Look {
            assessment: Assessment::of(best.wdl, best.certain, game.side_to_move()),
            line: best.moves,
            simulations: self.search.simulations(),
            deepest: self.search.deepest(),
        }
    }
}
