//! Players as they are named on the command line: `random`, `uniform@sims=256`, `runs/first@movetime=100`,
//! `runs/first?temperature=2&threads=2`, `uci:fairy-stockfish?Skill Level=0@nodes=1000`.

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
    sync::atomic::Ordering,
    time::Duration,
};

use anyhow::Result;

use super::{CliError, interrupt};
use crate::{
    arena::{
        AlphaBetaPlayer, Competitor, EngineSpec, EngineTimeouts, ExternalPlayer, GameClock, Player,
        PlayerBudget, RandomPlayer, SearchPlayer, UniformPlayer, check_engine,
    },
    games::{encode::Encode, rules::RuleSet},
    net::{Backend, LoadedNet, ModelFile, NetEvaluator, PlayConfig, PlaySearch, PlayTable},
};

/// A player and its budget, as typed.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    kind: Kind,
    budget: Option<PlayerBudget>,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
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

/// A player that is ready to be made, once a thread.
pub struct Entrant {
    /// As typed, with the budget that it has.
    name: String,
    /// What tells it from another player of that name: a checksum of its weights, an engine's own name.
    identity: String,
    kind: EntrantKind,
}

enum EntrantKind {
    /// Any legal move.
    Random,
    /// The frozen yardstick, with its simulations.
    Uniform(u32),
    /// A net behind our search.
    Net(LoadedNet, PlayConfig, PlayerBudget),
    /// Another program, under these rules.
    External(EngineSpec, RuleSet, PlayerBudget),
}

impl Entrant {
    /// The player `spec` for games under `rules`, which has `model` if it needs one, with its own budget or else
    /// `budget`, its net on `backend`. An external engine is started once, to see whether it can play.
    pub fn new<G: Encode>(
        spec: &PlayerSpec,
        rules: RuleSet,
        model: Option<&ModelFile>,
        budget: PlayerBudget,
        backend: Backend,
    ) -> Result<Self> {
        let budget = spec.budget.unwrap_or(budget);
        let with_budget = |name: &str| format!("{name}@{}", BudgetText(budget));
        let (name, identity, kind) = match (&spec.kind, model) {
            (Kind::Random, _) => ("random".to_owned(), String::new(), EntrantKind::Random),
            (Kind::Uniform, _) => {
                let PlayerBudget::Simulations(simulations) = budget else {
                    return Err(CliError::usage("uniform has no clock")
                        .help("give it simulations instead, as in uniform@sims=256")
                        .into());
                };
                (with_budget("uniform"), String::new(), EntrantKind::Uniform(simulations))
            }
            (Kind::Model(path, table), model) => {
                let model = match model {
                    Some(model) => model,
                    None => &ModelFile::read(path)?,
                };
                model.check::<G>()?;
                let checksum = crc32fast::hash(&model.model.to_bytes());
                let identity = format!("generation {}, weights {checksum:08x}", model.meta.generation);
                let play = model.play(table);
                check_budget(&play, budget)?;
                let precision = backend.precision_of(&model.model, play.precision);
                // Another time, or with another backend, it may be another one.
                let is_settled = precision == play.precision;
                let identity = if is_settled { identity } else { format!("{identity}, {precision}") };
                let net = backend.load_in(&model.model, precision).map_err(CliError::usage)?;
                let name = format!("{}{table}", path.display());
                (with_budget(&name), identity, EntrantKind::Net(net, play, budget))
            }
            (Kind::External(spec), _) => {
                // From here on Ctrl-C ends us in a way that ends the engine too.
                interrupt::flag();
                let checked = check_engine(spec, G::ID, rules);
                if interrupt::flag().load(Ordering::Relaxed) {
                    return Err(CliError::interrupted("stopped before the first game").into());
                }
                let identity = checked?;
                let budget_text = match budget {
                    PlayerBudget::Simulations(nodes) => format!("nodes={nodes}"),
                    PlayerBudget::MoveTime(_) | PlayerBudget::Clock(_) => BudgetText(budget).to_string(),
                };
                let engine = EntrantKind::External(EngineSpec::clone(spec), rules, budget);
                (format!("{spec}@{budget_text}"), identity, engine)
            }
        };
        Ok(Entrant { name, identity, kind })
    }

    /// Its name and what else tells it from others, for comparison with those of another time.
    pub fn description(&self) -> String {
        format!("{} {}", self.name, self.identity).trim_end().to_owned()
    }

    /// Cores that it works on at a time, as far as its options tell.
    pub fn cores(&self) -> usize {
        match &self.kind {
            EntrantKind::External(spec, ..) => spec.threads(),
            EntrantKind::Net(_, play, _) => play.threads,
            EntrantKind::Random | EntrantKind::Uniform(_) => 1,
        }
    }

    /// The same under another name.
    pub fn named(self, name: String) -> Self {
        Entrant { name, ..self }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same as somebody who takes part.
    pub fn competitor<G: Encode>(self) -> Competitor<'static, G> {
        Competitor::new(self.name.clone(), move || self.player())
    }

    /// The same with a name that is not `other`.
    pub fn beside(self, other: &str) -> Self {
        if self.name == other { Entrant { name: self.name + " (2)", ..self } } else { self }
    }

    /// One player, for one thread.
    pub fn player<G: Encode>(&self) -> Box<dyn Player<G>> {
        match &self.kind {
            EntrantKind::Random => Box::new(RandomPlayer::new()),
            EntrantKind::Uniform(simulations) => Box::new(UniformPlayer::new(*simulations)),
            EntrantKind::Net(net, play, budget) => {
                let evaluator = || NetEvaluator::new(net.evaluator(G::SHAPE));
                let is_alpha_beta = match play.kind {
                    PlaySearch::AlphaBeta => true,
                    _ if play.strength.is_some() => true,
                    PlaySearch::Auto => !matches!(budget, PlayerBudget::Simulations(_)),
                    PlaySearch::Puct | PlaySearch::Gumbel => false,
                };
                if is_alpha_beta {
                    Box::new(AlphaBetaPlayer::new(play, *budget, evaluator))
                } else {
                    Box::new(SearchPlayer::new(play.clone(), *budget, evaluator))
                }
            }
            EntrantKind::External(spec, rules, budget) => {
                Box::new(ExternalPlayer::<G>::new(spec.clone(), *rules, *budget, EngineTimeouts::default()))
            }
        }
    }
}

/// Gumbel's search divides its simulations among the moves before the first one. A weaker player does without it.
fn check_budget(play: &PlayConfig, budget: PlayerBudget) -> Result<(), CliError> {
    let halves = play.kind == PlaySearch::Gumbel && play.strength.is_none();
    if !halves || matches!(budget, PlayerBudget::Simulations(_)) {
        return Ok(());
    }
    let error = CliError::usage("search=gumbel needs a number of simulations, not a time");
    Err(error.help("give it one, as in @sims=400, or another search, as in ?search=puct"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{games::rules::dobutsu::Dobutsu, net::Model};

    #[test]
    fn a_sparse_net_plays_on_a_backend_without_int16() {
        let net = Model::init(&"sparse-32".parse().unwrap(), Dobutsu::SHAPE, 1);
        let net = ModelFile::untrained::<Dobutsu>(RuleSet::Standard, net);
        for text in ["net", "net?precision=int16"] {
            let (spec, budget) = (text.parse().unwrap(), PlayerBudget::Simulations(2));
            let entrant =
                Entrant::new::<Dobutsu>(&spec, RuleSet::Standard, Some(&net), budget, Backend::Flex);
            let description = entrant.unwrap().description();
            assert!(description.ends_with(", fp32"), "{description}");
        }
    }

    #[test]
    fn gumbel_is_refused_a_time() {
        let net = Model::init(&"sparse-32".parse().unwrap(), Dobutsu::SHAPE, 1);
        let net = ModelFile::untrained::<Dobutsu>(RuleSet::Standard, net);
        let budget = PlayerBudget::MoveTime(Duration::from_millis(5));
        let refusal = |text: &str| {
            let spec = text.parse().unwrap();
            let made = Entrant::new::<Dobutsu>(&spec, RuleSet::Standard, Some(&net), budget, Backend::Native);
            made.err().map_or(String::new(), |error| error.to_string())
        };
        assert!(refusal("net?search=gumbel").contains("simulations"));
        assert!(refusal("net?search=gumbel@tc=5").contains("simulations"));
        assert_eq!([refusal("net?search=gumbel@sims=2"), refusal("net?search=puct")], ["", ""]);
    }

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
