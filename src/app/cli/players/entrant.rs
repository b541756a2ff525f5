//! Players that are ready to play in matches, ladders and games at the terminal.

use std::sync::atomic::Ordering;

use anyhow::Result;

use super::spec::{BudgetText, Kind, PlayerSpec};
use crate::{
    app::cli::{CliError, interrupt, position},
    arena::{
        AlphaBetaPlayer, Competitor, EngineSpec, EngineTimeouts, ExternalPlayer, Player, PlayerBudget,
        RandomPlayer, SearchPlayer, UniformPlayer, check_engine,
    },
    games::{encode::Encode, rules::RuleSet},
    net::{Backend, LoadedNet, Model, ModelFile, NetEvaluator, PlayConfig, PlaySearch, Precision},
};

/// What players have in common.
#[derive(Clone, Debug)]
pub struct Terms {
    /// For players without a budget of their own.
    pub budget: PlayerBudget,
    /// What computes the nets.
    pub backend: Backend,
    /// The [descriptions](Entrant::description) of the players in the folder whose games go on; empty at a beginning. Nets
    /// whose numbers are [`Precision::Auto`] take those that they had there, whatever is measured today.
    pub before: Vec<String>,
}

impl Terms {
    /// Those of games that begin, on the default backend.
    pub fn of_budget(budget: PlayerBudget) -> Self {
        Terms { budget, backend: Backend::default(), before: Vec::new() }
    }

    /// The numbers in which `model` plays where `wanted` is asked for; `identity` is what else tells it from others.
    fn precision(&self, model: &Model, wanted: Precision, identity: &str) -> Precision {
        let had = |precision: &Precision| {
            let end = in_numbers(identity, *precision);
            self.before.iter().any(|player| player.ends_with(&end))
                && self.backend.check_precision(model.net(), *precision).is_ok()
        };
        match (wanted, Precision::ALL.into_iter().find(had)) {
            (Precision::Auto, Some(precision)) => precision,
            _ => self.backend.precision_of(model, wanted),
        }
    }
}

/// A player's identity with the numbers that it took.
fn in_numbers(identity: &str, precision: Precision) -> String {
    format!("{identity}, {precision}")
}

/// A player that is ready to be made, once a thread.
#[derive(Clone)]
pub struct Entrant {
    /// As typed, without its budget.
    typed: String,
    /// As typed, with the budget that it has.
    name: String,
    /// What tells it from another player of that name: a checksum of its weights, an engine's own name.
    identity: String,
    kind: EntrantKind,
}

#[derive(Clone)]
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

impl EntrantKind {
    /// The name of such a player: `typed`, with the budget that it has.
    fn name(&self, typed: &str) -> String {
        match *self {
            EntrantKind::Random => typed.to_owned(),
            EntrantKind::Uniform(simulations) => {
                format!("{typed}@{}", BudgetText(PlayerBudget::Simulations(simulations)))
            }
            EntrantKind::External(.., PlayerBudget::Simulations(nodes)) => format!("{typed}@nodes={nodes}"),
            EntrantKind::Net(_, ref play, PlayerBudget::Simulations(nodes))
                if plays_alpha_beta(play, PlayerBudget::Simulations(nodes)) =>
            {
                format!("{typed}@nodes={nodes}")
            }
            EntrantKind::Net(.., budget) | EntrantKind::External(.., budget) => {
                format!("{typed}@{}", BudgetText(budget))
            }
        }
    }
}

impl Entrant {
    /// The player `spec` for games under `rules`, which has `model` if it needs one. An external engine is started once, to
    /// see whether it can play.
    pub fn new<G: Encode>(
        spec: &PlayerSpec,
        rules: RuleSet,
        model: Option<&ModelFile>,
        terms: &Terms,
    ) -> Result<Self> {
        let budget = spec.budget.unwrap_or(terms.budget);
        let (typed, identity, kind) = match (&spec.kind, model) {
            (Kind::Random, _) => ("random".to_owned(), String::new(), EntrantKind::Random),
            (Kind::Uniform, _) => {
                let PlayerBudget::Simulations(simulations) = budget else {
                    return Err(CliError::usage("uniform has no clock")
                        .help("give it simulations instead, as in uniform@sims=256")
                        .into());
                };
                ("uniform".to_owned(), String::new(), EntrantKind::Uniform(simulations))
            }
            (Kind::Model(path, table), model) => {
                let model = match model {
                    Some(model) => model,
                    None => &ModelFile::read(path)?,
                };
                position::check_game(G::ID, &model.meta)?;
                model.check::<G>()?;
                let checksum = crc32fast::hash(&model.model.to_bytes());
                let identity = format!("generation {}, weights {checksum:08x}", model.meta.generation);
                let play = model.play(table);
                check_budget(&play, budget)?;
                let precision = terms.precision(&model.model, play.precision, &identity);
                // In another folder, or with another backend, it may be another one.
                let is_settled = precision == play.precision;
                let identity = if is_settled { identity } else { in_numbers(&identity, precision) };
                let net = terms.backend.load_in(&model.model, precision).map_err(CliError::usage)?;
                (format!("{}{table}", path.display()), identity, EntrantKind::Net(net, play, budget))
            }
            (Kind::External(spec), _) => {
                // From here on Ctrl-C ends us in a way that ends the engine too.
                interrupt::flag();
                let checked = check_engine(spec, G::ID, rules);
                if interrupt::flag().load(Ordering::Relaxed) {
                    return Err(CliError::interrupted("stopped before the first game").into());
                }
                let engine = EntrantKind::External(EngineSpec::clone(spec), rules, budget);
                (spec.to_string(), checked?, engine)
            }
        };
        Ok(Entrant { name: kind.name(&typed), typed, identity, kind })
    }

    /// The same with `nodes` a move; random searches none.
    pub fn with_nodes(&self, nodes: u32) -> Self {
        let budget = PlayerBudget::Simulations(nodes);
        let kind = match self.kind.clone() {
            EntrantKind::Random => EntrantKind::Random,
            EntrantKind::Uniform(_) => EntrantKind::Uniform(nodes),
            EntrantKind::Net(net, play, _) => EntrantKind::Net(net, play, budget),
            EntrantKind::External(spec, rules, _) => EntrantKind::External(spec, rules, budget),
        };
        Entrant {
            name: kind.name(&self.typed),
            kind,
            typed: self.typed.clone(),
            identity: self.identity.clone(),
        }
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
                if plays_alpha_beta(play, *budget) {
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

/// Whether a net that plays so with this budget plays by alpha-beta.
fn plays_alpha_beta(play: &PlayConfig, budget: PlayerBudget) -> bool {
    match play.kind {
        PlaySearch::AlphaBeta => true,
        _ if play.strength.is_some() => true,
        PlaySearch::Auto => !matches!(budget, PlayerBudget::Simulations(_)),
        PlaySearch::Puct | PlaySearch::Gumbel => false,
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
    use std::time::Duration;

    use super::*;
    use crate::games::rules::dobutsu::Dobutsu;

    fn net(kind: &str) -> ModelFile {
        let net = Model::init(&kind.parse().unwrap(), Dobutsu::SHAPE, 1);
        ModelFile::untrained::<Dobutsu>(RuleSet::Standard, net)
    }

    fn terms(budget: PlayerBudget, backend: Backend) -> Terms {
        Terms { backend, ..Terms::of_budget(budget) }
    }

    #[test]
    fn a_sparse_net_plays_on_a_backend_without_int16() {
        let net = net("sparse-32");
        let terms = terms(PlayerBudget::Simulations(2), Backend::Flex);
        for text in ["net", "net?precision=int16"] {
            let spec = text.parse().unwrap();
            let entrant = Entrant::new::<Dobutsu>(&spec, RuleSet::Standard, Some(&net), &terms);
            let description = entrant.unwrap().description();
            assert!(description.ends_with(", fp32"), "{description}");
        }
    }

    #[test]
    fn a_net_keeps_the_numbers_that_it_had_in_the_folder() {
        let net = net("1x16");
        let taken = |text: &str, before: &[String], backend: Backend| {
            let terms = Terms { before: before.to_vec(), ..terms(PlayerBudget::Simulations(2), backend) };
            let spec = text.parse().unwrap();
            let entrant = Entrant::new::<Dobutsu>(&spec, RuleSet::Standard, Some(&net), &terms);
            entrant.unwrap().description()
        };
        let auto = "net?precision=auto";
        let first = taken(auto, &[], Backend::Native);
        let (identity, _) = first.rsplit_once(", ").unwrap();
        for precision in ["fp32", "bf16"] {
            let before = ["random".to_owned(), format!("{identity}, {precision}")];
            assert_eq!(taken(auto, &before, Backend::Native), before[1]);
            assert!(!taken("net?precision=fp32", &before, Backend::Native).contains("bf16"));
        }
        // What is not to be had here: the games are those of another player then.
        assert!(taken(auto, &[format!("{identity}, bf16")], Backend::Flex).ends_with(", fp32"));
        assert_eq!(taken(auto, &["another, generation 1, bf16".to_owned()], Backend::Native), first);
    }

    #[test]
    fn alpha_beta_counts_nodes_and_the_tree_simulations() {
        let net = net("sparse-32");
        let terms = terms(PlayerBudget::Simulations(2), Backend::Native);
        for (text, name) in [
            ("net?search=alphabeta", "net?search=alphabeta@nodes=2"),
            ("net?search=alphabeta@sims=3", "net?search=alphabeta@nodes=3"),
            ("net", "net@sims=2"),
            ("net?search=puct@nodes=3", "net?search=puct@sims=3"),
        ] {
            let spec = text.parse().unwrap();
            let entrant = Entrant::new::<Dobutsu>(&spec, RuleSet::Standard, Some(&net), &terms).unwrap();
            assert_eq!(entrant.name(), name);
        }
    }

    #[test]
    fn gumbel_is_refused_a_time() {
        let net = net("sparse-32");
        let terms = terms(PlayerBudget::MoveTime(Duration::from_millis(5)), Backend::Native);
        let refusal = |text: &str| {
            let spec = text.parse().unwrap();
            let made = Entrant::new::<Dobutsu>(&spec, RuleSet::Standard, Some(&net), &terms);
            made.err().map_or(String::new(), |error| error.to_string())
        };
        assert!(refusal("net?search=gumbel").contains("simulations"));
        assert!(refusal("net?search=gumbel@tc=5").contains("simulations"));
        assert_eq!([refusal("net?search=gumbel@sims=2"), refusal("net?search=puct")], ["", ""]);
    }
}
