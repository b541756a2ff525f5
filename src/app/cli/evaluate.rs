//! What a model says about a position: the net alone, and a search with it.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    io::{self, Write},
    num::NonZero,
    path::Path,
};

use anyhow::{Result, ensure};
use serde::Serialize;

use crate::{
    base::rng::{self, Purpose},
    games::encode::Encode,
    net::{Backend, LoadedNet, ModelFile, ModelMeta, NetEvaluator, PlayConfig, PlayTable},
    search::{Noise, Search, Wdl, run_together},
};

/// Moves in the table for people.
const SHOWN: usize = 10;

/// A model that is asked about positions.
pub struct Adviser {
    model: ModelFile,
    net: LoadedNet,
    play: PlayConfig,
    simulations: Option<NonZero<u32>>,
}

/// What a model says about a position; the keys of the JSON object.
#[derive(Debug, Serialize)]
pub struct Opinion {
    /// Win, draw and loss for the side to move, as the net sees them.
    wdl: [f32; 3],
    /// The net's probability of each legal move.
    policy: BTreeMap<String, f32>,
    #[serde(flatten)]
    search: Option<Searched>,
}

/// What a search found, without noise, as in matches.
#[derive(Debug, Serialize)]
struct Searched {
    /// Simulations that began with each legal move.
    visits: BTreeMap<String, u32>,
    best: String,
    /// As `wdl`, after the search.
    search_wdl: [f32; 3],
}

impl Adviser {
    /// Reads the model at `path`; with `simulations` it searches, too.
    pub fn read(path: &Path, simulations: Option<NonZero<u32>>) -> Result<Self> {
        let model = ModelFile::read(path)?;
        let play = model.play(&PlayTable::default());
        let net = Backend::default().load_in(&model.model, play.precision)?;
        Ok(Adviser { net, play, model, simulations })
    }

    /// What the model is.
    pub fn meta(&self) -> &ModelMeta {
        &self.model.meta
    }

    /// Its opinion of `game`; `None` once that is over.
    pub fn opinion<G: Encode>(&self, game: &G) -> Result<Option<Opinion>> {
        self.model.check::<G>()?;
        if game.outcome().is_some() {
            return Ok(None);
        }
        let mut search = Search::with_memory(self.play.search.clone(), self.play.memory);
        // Without noise the search draws no random numbers; with no simulations it judges the root alone.
        let mut rng = rng::stream(0, Purpose::Evaluation, &[]);
        search.start(game, self.simulations.map_or(0, NonZero::get), Noise::None, &mut rng);
        let mut evaluators: Vec<NetEvaluator> =
            (0..self.play.threads).map(|_| NetEvaluator::new(self.net.evaluator(G::SHAPE))).collect();
        run_together(&mut search, &mut evaluators, self.play.batch, &|| true);
        let wdl = triple(search.root_prior_wdl());
        let policy: BTreeMap<String, f32> =
            search.root_moves().map(|root| (root.mv.to_string(), root.prior)).collect();
        let are_numbers = wdl.iter().chain(policy.values()).all(|p| p.is_finite());
        ensure!(are_numbers, "the net's answer is no number: its weights are too large");
        Ok(Some(Opinion {
            wdl,
            policy,
            search: self.simulations.map(|_| Searched {
                visits: search.root_moves().map(|root| (root.mv.to_string(), root.visits)).collect(),
                best: search.best_move().to_string(),
                search_wdl: triple(search.root_wdl()),
            }),
        }))
    }
}

fn triple(Wdl { win, draw, loss }: Wdl) -> [f32; 3] {
    [win, draw, loss]
}

impl Opinion {
    /// The net's probability of the legal move that is written so.
    pub fn policy_of(&self, mv: &str) -> Option<f32> {
        self.policy.get(mv).copied()
    }

    /// Writes the values and the moves that count most, the best first.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "\nnet: {}", percentages(self.wdl))?;
        if let Some(search) = &self.search {
            writeln!(out, "search: {}; best {}", percentages(search.search_wdl), search.best)?;
        }
        let visits = |mv: &String| self.search.as_ref().map(|search| search.visits[mv]);
        let mut moves: Vec<_> = self.policy.iter().map(|(mv, &p)| (mv, visits(mv), p)).collect();
        moves.sort_by(|a, b| Reverse(a.1).cmp(&Reverse(b.1)).then(b.2.total_cmp(&a.2)));
        let visits = |text: Option<String>| text.map(|text| format!("{text:>8}")).unwrap_or_default();
        let heading = self.search.as_ref().map(|_| "visits".to_owned());
        writeln!(out, "\n{:<8}{:>8}{}", "move", "net", visits(heading))?;
        for (mv, count, p) in moves.iter().take(SHOWN) {
            let count = visits(count.map(|count| count.to_string()));
            writeln!(out, "{mv:<8}{:>7.1}%{count}", 100.0 * p)?;
        }
        match moves.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => writeln!(out, "and {more} more"),
        }
    }
}

fn percentages(wdl: [f32; 3]) -> String {
    let [win, draw, loss] = wdl.map(|p| 100.0 * p);
    format!("win {win:.1}%, draw {draw:.1}%, loss {loss:.1}% for the side to move")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::rules::{Game, RuleSet, Setup, dobutsu::Dobutsu},
        net::{Model, Precision},
    };

    #[test]
    fn an_answer_that_is_no_number_is_an_error() {
        let model = Model::init(&"sparse-32".parse().unwrap(), Dobutsu::SHAPE, 1);
        let mut weights = Vec::new();
        for (spec, values) in model.layout().split(model.weights()) {
            let is_huge = spec.name.starts_with("value.wdl") || spec.name == "value.hidden_bias";
            weights.extend(values.iter().map(|&value| if is_huge { f32::MAX } else { value }));
        }
        let model = ModelFile::untrained::<Dobutsu>(RuleSet::Standard, model.with_weights(weights));
        let net = Backend::Native.load_in(&model.model, Precision::Fp32).unwrap();
        let play = model.play(&PlayTable::default());
        let adviser = Adviser { model, net, play, simulations: None };
        let mut rng = rng::stream(0, Purpose::Evaluation, &[]);
        let game = Dobutsu::start(RuleSet::Standard, Setup::Drawn, &mut rng);
        let error = adviser.opinion(&game).unwrap_err().to_string();
        assert!(error.contains("no number"), "{error}");
    }
}
