//! Players as they are named on the command line: `random`, `uniform@sims=256`, `runs/first@movetime=100`.

use std::{path::PathBuf, str::FromStr, time::Duration};

use anyhow::Result;

use super::CliError;
use crate::{
    arena::{MoveBudget, Player, RandomPlayer, SearchPlayer, UniformPlayer},
    encode::Encode,
    net::{Backend, LoadedNet, ModelFile, NetEvaluator},
    search::{PuctConfig, SearchConfig},
};

/// A player and its budget, as typed.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    kind: Kind,
    budget: Option<MoveBudget>,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Random,
    Uniform,
    Model(PathBuf),
}

impl FromStr for PlayerSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, budget) = match text.rsplit_once('@') {
            Some((name, budget)) if budget.contains('=') => (name, Some(parse_budget(budget)?)),
            _ => (text, None),
        };
        let kind = match name {
            "random" => Kind::Random,
            "uniform" => Kind::Uniform,
            "" => return Err(format!("'{text}' names no player")),
            _ if ["uci:", "usi:", "ucci:"].iter().any(|dialect| name.starts_with(dialect)) => {
                return Err(format!("'{name}': external engines cannot play here yet"));
            }
            path => Kind::Model(path.into()),
        };
        match (&kind, budget) {
            (Kind::Random, Some(_)) => Err(format!("'{text}': random takes no budget")),
            (Kind::Uniform, Some(MoveBudget::MoveTime(_))) => {
                Err(format!("'{text}': uniform takes simulations, as in uniform@sims=256"))
            }
            _ => Ok(PlayerSpec { kind, budget }),
        }
    }
}

fn parse_budget(text: &str) -> Result<MoveBudget, String> {
    let bad = || format!("'{text}' is no budget: sims=N, nodes=N or movetime=MS");
    let (key, value) = text.split_once('=').ok_or_else(bad)?;
    let number: u32 = value.parse().ok().filter(|&number| number > 0).ok_or_else(bad)?;
    match key {
        // A simulation adds one node, so the two are the same here.
        "sims" | "nodes" => Ok(MoveBudget::Simulations(number)),
        "movetime" => Ok(MoveBudget::MoveTime(Duration::from_millis(number.into()))),
        _ => Err(bad()),
    }
}

impl PlayerSpec {
    /// The model that it needs, read and checked for damage; `None` for players without one.
    pub fn model(&self) -> Result<Option<ModelFile>> {
        match &self.kind {
            Kind::Model(path) => ModelFile::read(path).map(Some),
            Kind::Random | Kind::Uniform => Ok(None),
        }
    }
}

/// A player that is ready to be made, once a thread.
pub enum Entrant {
    /// Any legal move.
    Random,
    /// The frozen yardstick, with its simulations.
    Uniform(u32),
    /// A net behind our search.
    Net(LoadedNet, MoveBudget),
}

impl Entrant {
    /// The player `spec`, which has `model` if it needs one, with its own budget or else `budget`, its net
    /// on `backend`.
    pub fn new<G: Encode>(
        spec: &PlayerSpec,
        model: Option<&ModelFile>,
        budget: MoveBudget,
        backend: Backend,
    ) -> Result<Self> {
        let budget = spec.budget.unwrap_or(budget);
        match (&spec.kind, model, budget) {
            (Kind::Random, ..) => Ok(Entrant::Random),
            (Kind::Uniform, _, MoveBudget::Simulations(simulations)) => Ok(Entrant::Uniform(simulations)),
            (Kind::Uniform, _, MoveBudget::MoveTime(_)) => Err(CliError::usage("uniform has no clock")
                .help("give it simulations of its own, as in uniform@sims=256")
                .into()),
            (Kind::Model(path), model, budget) => {
                let model = match model {
                    Some(model) => model,
                    None => &ModelFile::read(path)?,
                };
                model.check::<G>()?;
                Ok(Entrant::Net(backend.load(&model.model), budget))
            }
        }
    }

    /// One player, for one thread.
    pub fn player<G: Encode>(&self) -> Box<dyn Player<G>> {
        match self {
            Entrant::Random => Box::new(RandomPlayer::new()),
            Entrant::Uniform(simulations) => Box::new(UniformPlayer::new(*simulations)),
            Entrant::Net(net, budget) => {
                let search = SearchConfig::Puct(PuctConfig::default());
                Box::new(SearchPlayer::new(search, *budget, NetEvaluator::new(net.evaluator(G::SHAPE))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_and_bad_ones_refused() {
        let read = |text: &str| text.parse::<PlayerSpec>();
        assert_eq!(read("random"), Ok(PlayerSpec { kind: Kind::Random, budget: None }));
        let uniform = PlayerSpec { kind: Kind::Uniform, budget: Some(MoveBudget::Simulations(256)) };
        assert_eq!(read("uniform@sims=256"), Ok(uniform));
        let model = |path: &str, budget| Ok(PlayerSpec { kind: Kind::Model(path.into()), budget });
        assert_eq!(read("a@b/run"), model("a@b/run", None));
        let movetime = Some(MoveBudget::MoveTime(Duration::from_millis(100)));
        assert_eq!(read("a@b/run@movetime=100"), model("a@b/run", movetime));
        assert_eq!(read("x@nodes=7"), model("x", Some(MoveBudget::Simulations(7))));
        for bad in
            ["", "random@sims=3", "uniform@movetime=5", "x@sims=0", "x@sims=-1", "x@depth=3", "uci:stockfish"]
        {
            let error = read(bad).unwrap_err();
            assert!(!error.is_empty(), "{bad}");
        }
    }
}
