//! Players as they are named on the command line: `random`, `uniform@sims=256`, `runs/first@movetime=100`,
//! `runs/first?temperature=2&threads=2`, `uci:fairy-stockfish?Skill Level=0@nodes=1000`.

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use anyhow::Result;

use crate::{
    app::cli::CliError,
    arena::{EngineSpec, GameClock, PlayerBudget},
    net::{ModelFile, PlayTable},
};

/// A player and its budget, as typed.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    pub(super) kind: Kind,
    pub(super) budget: Option<PlayerBudget>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Random,
    Uniform,
    Model(PathBuf, Box<PlayTable>),
    External(Box<EngineSpec>),
}

impl FromStr for PlayerSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, budget) = match text.rsplit_once('@') {
            Some((name, budget)) if looks_like_a_budget(budget) => (name, Some(parse_budget(budget)?)),
            _ => (text, None),
        };
        let kind = match name {
            "random" => Kind::Random,
            "uniform" => Kind::Uniform,
            "" => return Err(format!("'{text}' does not name a player")),
            _ if EngineSpec::is_meant(name) => Kind::External(Box::new(name.parse()?)),
            model => match model.rsplit_once('?') {
                Some((path, settings)) => {
                    let table = PlayTable::parse(settings).map_err(|error| format!("'{text}': {error}"))?;
                    Kind::Model(path.into(), Box::new(table))
                }
                None => Kind::Model(model.into(), Box::default()),
            },
        };
        match (&kind, budget) {
            (Kind::Random, Some(_)) => Err(format!("'{text}': random takes no budget")),
            (Kind::Uniform, Some(PlayerBudget::MoveTime(_) | PlayerBudget::Clock(_))) => {
                Err(format!("'{text}': uniform takes only simulations, as in uniform@sims=256"))
            }
            _ => Ok(PlayerSpec { kind, budget }),
        }
    }
}

/// A word, then `=`: an `@` may stand in a path or in an engine's options too.
fn looks_like_a_budget(text: &str) -> bool {
    text.split_once('=').is_some_and(|(key, _)| key.chars().all(char::is_alphanumeric))
}

fn parse_budget(text: &str) -> Result<PlayerBudget, String> {
    let bad = || format!("'{text}' is not a budget: sims=N, nodes=N, movetime=MS or tc=SECONDS[+SECONDS]");
    let (key, value) = text.split_once('=').ok_or_else(bad)?;
    if key == "tc" {
        return parse_clock(value).map(PlayerBudget::Clock);
    }
    let number: u32 = value.parse().ok().filter(|&number| number > 0).ok_or_else(bad)?;
    match key {
        // A simulation adds one node, so the two are the same here.
        "sims" | "nodes" => Ok(PlayerBudget::Simulations(number)),
        "movetime" => Ok(PlayerBudget::MoveTime(Duration::from_millis(number.into()))),
        _ => Err(bad()),
    }
}

/// Reads a clock: seconds for the game, and behind a `+` those that every move adds.
///
/// # Errors
/// Shows the text that is none.
pub fn parse_clock(text: &str) -> Result<GameClock, String> {
    let seconds = |text: &str| -> Option<Duration> {
        Duration::try_from_secs_f64(text.parse().ok()?).ok().filter(|time| time.as_secs() < 1_000_000)
    };
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    match (seconds(base), seconds(increment)) {
        (Some(base), Some(increment)) if !(base + increment).is_zero() => Ok(GameClock { base, increment }),
        _ => Err(format!("'{text}' is not a clock: SECONDS or SECONDS+SECONDS, as in 60+0.6")),
    }
}

/// A budget as it is typed behind the `@`.
pub struct BudgetText(pub PlayerBudget);

impl fmt::Display for BudgetText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            PlayerBudget::Simulations(simulations) => write!(f, "sims={simulations}"),
            PlayerBudget::MoveTime(time) => write!(f, "movetime={}", time.as_millis()),
            PlayerBudget::Clock(GameClock { base, increment }) => {
                write!(f, "tc={}+{}", base.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

impl PlayerSpec {
    /// The model at `path`, without a budget of its own.
    pub fn of_model(path: &Path) -> Self {
        PlayerSpec { kind: Kind::Model(path.to_owned(), Box::default()), budget: None }
    }

    /// The same at this level, if it is a net that has none of its own.
    #[must_use]
    pub fn at_level(mut self, level: Option<u32>) -> Self {
        if let Kind::Model(_, table) = &mut self.kind
            && table.strength.is_none()
        {
            table.level = table.level.or(level);
        }
        self
    }

    /// Whether it plays with a net, which a level can weaken.
    pub fn has_levels(&self) -> bool {
        matches!(self.kind, Kind::Model(..))
    }

    /// The model that it needs, read and checked for damage; `None` for players without one.
    pub fn model(&self) -> Result<Option<ModelFile>> {
        match &self.kind {
            Kind::Model(path, _) if matches!(path.try_exists(), Ok(false)) => {
                let engine = format!("other engines: uci:COMMAND, as in uci:{}", path.display());
                let help = match (path.components().count(), path.extension()) {
                    (1, None) => engine,
                    _ => "other engines: uci:COMMAND".to_owned(),
                };
                let message = format!("there is no file {}", path.display());
                Err(CliError::failed(message).help(help + "; also random, uniform, a model, a run").into())
            }
            Kind::Model(path, _) => ModelFile::read(path).map(Some),
            Kind::Random | Kind::Uniform | Kind::External(_) => Ok(None),
        }
    }

    /// Whether it can be given any number of nodes.
    ///
    /// # Errors
    /// When it has a budget of its own, or takes none.
    pub fn takes_any_nodes(&self) -> Result<(), CliError> {
        match (&self.kind, self.budget) {
            (Kind::Random, _) => Err(CliError::usage("random searches no nodes, so it has no N50")),
            (_, Some(budget)) => {
                let message =
                    format!("B has a budget of its own, @{}, but N50 varies its nodes", BudgetText(budget));
                Err(CliError::usage(message).help("leave its budget out"))
            }
            (_, None) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_and_bad_ones_refused() {
        let clock = |base, increment| {
            let seconds = Duration::from_secs_f64;
            PlayerBudget::Clock(GameClock { base: seconds(base), increment: seconds(increment) })
        };
        let run = || Kind::Model("a@b/run".into(), Box::default());
        let table = |text: &str| Kind::Model("run".into(), Box::new(PlayTable::parse(text).unwrap()));
        let engine = |text: &str| Kind::External(Box::new(text.parse().unwrap()));
        for (text, kind, budget) in [
            ("random", Kind::Random, None),
            ("uniform@sims=256", Kind::Uniform, Some(PlayerBudget::Simulations(256))),
            ("a@b/run", run(), None),
            ("a@b/run@nodes=7", run(), Some(PlayerBudget::Simulations(7))),
            ("a@b/run@movetime=100", run(), Some(PlayerBudget::MoveTime(Duration::from_millis(100)))),
            ("a@b/run@tc=60+0.6", run(), Some(clock(60.0, 0.6))),
            ("a@b/run@tc=5", run(), Some(clock(5.0, 0.0))),
            ("run?precision=bf16", table("precision=bf16"), None),
            ("run?search=alphabeta", table("search=alphabeta"), None),
            (
                "run?threads=2&c_init=1@sims=9",
                table("threads=2&c_init=1"),
                Some(PlayerBudget::Simulations(9)),
            ),
            ("uci:a@b?Hash=1", engine("uci:a@b?Hash=1"), None),
            ("usi:x y?Hash=1@nodes=9", engine("usi:x y?Hash=1"), Some(PlayerBudget::Simulations(9))),
        ] {
            let spec: PlayerSpec = text.parse().expect(text);
            assert_eq!(spec, PlayerSpec { kind, budget });
        }
        for bad in [
            "",
            "random@sims=3",
            "uniform@movetime=5",
            "uniform@tc=5",
            "x@sims=0",
            "x@sims=-1",
            "x@depth=3",
            "x?precision=int4",
            "x@tc=",
            "x@tc=0",
            "x@tc=-1+2",
            "x@tc=1e300",
            "uci:",
            "ucci:?Hash=1",
        ] {
            let error = bad.parse::<PlayerSpec>().unwrap_err();
            assert!(!error.is_empty(), "{bad}");
        }
    }
}
