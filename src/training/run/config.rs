//! A run's settings: one TOML file, one tree of structs that mirrors the modules.

use std::fmt;

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};

use super::{
    budget::Budget,
    change::{Change, differences},
    evaluation::EvaluationConfig,
};
use crate::training::learner::LearnerConfig;
use crate::{
    games::{
        encode::Encode,
        rules::{GameId, RuleSet},
    },
    net::{Backend, NetConfig, PlayTable, Precision, Sizes},
    training::{replay::ReplayConfig, selfplay::SelfPlayConfig},
    with_game,
};

/// All settings of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// The game.
    pub game: GameId,
    /// The rule set.
    pub rules: RuleSet,
    /// Every random choice depends on it.
    pub seed: u64,
    /// When the run ends.
    pub budget: Budget,
    /// Kind and size of the network.
    pub net: NetConfig,
    /// How games are made.
    pub selfplay: SelfPlayConfig,
    /// Which positions are learnt.
    pub replay: ReplayConfig,
    /// How they are learnt.
    pub learner: LearnerConfig,
    /// How the net is played, where that is not as usual: carried by checkpoints and exported models.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub play: PlayTable,
    /// How progress is measured.
    pub evaluation: EvaluationConfig,
    /// When checkpoints are written, and which are kept.
    pub checkpoints: CheckpointConfig,
    /// Which records of games are kept; [`RunConfig::settled`] says what it means if this is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<RecordsConfig>,
}

/// Which records of games are kept on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordsConfig {
    /// Which.
    pub keep: Keep,
}

/// Which records of games are kept on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// Those that the run learns from, now or when it goes on from one of its checkpoints.
    Window,
    /// All of them.
    All,
}

fn is_empty(table: &PlayTable) -> bool {
    *table == PlayTable::default()
}

/// When checkpoints are written, and which are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckpointConfig {
    /// Generations from one to the next. Runs from before there was a choice have one a generation.
    #[serde(default = "every_generation")]
    pub every: u32,
    /// How many of the newest are kept.
    pub keep: usize,
    /// Generations from one checkpoint that is kept for good to the next.
    pub milestone_every: u32,
}

fn every_generation() -> u32 {
    1
}

impl CheckpointConfig {
    fn validate(&self) -> Result<(), String> {
        let CheckpointConfig { every, keep, milestone_every } = *self;
        let zeros = [("every", every == 0), ("keep", keep == 0), ("milestone_every", milestone_every == 0)];
        match zeros.iter().find(|(_, is_zero)| *is_zero) {
            Some((key, _)) => Err(format!("checkpoints.{key} = 0: must be at least 1")),
            None => Ok(()),
        }
    }

    /// Whether `generation` gets a checkpoint in any case.
    pub fn is_due(&self, generation: u32) -> bool {
        generation.is_multiple_of(self.every) || self.is_milestone(generation)
    }

    /// Whether the checkpoint of `generation` is kept for good.
    pub fn is_milestone(&self, generation: u32) -> bool {
        generation.is_multiple_of(self.milestone_every)
    }
}

impl RunConfig {
    /// Bytes of a config file at most.
    pub const MOST_BYTES: u64 = 1 << 20;

    /// The settings in a table, with overrides applied.
    pub(super) fn from_table(mut table: toml::Table, overrides: &[String]) -> Result<Self> {
        for item in overrides {
            apply_override(&mut table, item)?;
        }
        // Through text again, so that an error can show the line.
        let text = toml::to_string(&table).context("config does not serialise")?;
        let config: RunConfig =
            toml::from_str(&text).map_err(|error| anyhow!(with_keys(&table, one_line(error))))?;
        config.validate()?;
        Ok(config)
    }

    /// The config as TOML, every key given.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a config is plain TOML")
    }

    /// The config with what is left open settled, as it is for the run from then on. A run that goes on with what `saved`
    /// began keeps what that took; one from before records were removed keeps them all. A new run takes the precision that
    /// was `measured`, and keeps the records of its windows.
    #[must_use]
    pub fn settled(mut self, saved: Option<&RunConfig>, measured: impl FnOnce() -> Precision) -> Self {
        if self.selfplay.precision == Precision::Auto {
            self.selfplay.precision = match saved.map(|saved| saved.selfplay.precision) {
                None => measured(),
                // Settings that do not name it are of a time when there was nothing else.
                Some(Precision::Auto) => Precision::Fp32,
                Some(taken) => taken,
            };
        }
        let before = saved.map(|saved| saved.records.unwrap_or(RecordsConfig { keep: Keep::All }));
        self.records = self.records.or(before).or(Some(RecordsConfig { keep: Keep::Window }));
        self
    }

    /// Which records of games are kept.
    pub fn keeps(&self) -> Keep {
        self.records.map_or(Keep::Window, |records| records.keep)
    }

    fn validate(&self) -> Result<()> {
        ensure!(
            self.game.rule_sets().contains(&self.rules),
            "rules = \"{}\": {} has {}",
            self.rules,
            self.game,
            self.game.rule_sets().iter().map(RuleSet::to_string).collect::<Vec<_>>().join(", ")
        );
        let checks = [
            self.budget.validate(),
            self.check_net(),
            self.selfplay.validate(),
            self.selfplay.handicap.check(self.game),
            self.replay.validate(),
            self.learner.validate(),
            self.play.check().map_err(|error| format!("play.{error}")),
            self.evaluation.validate(),
            self.checkpoints.validate(),
        ];
        checks.into_iter().collect::<Result<(), String>>().map_err(|error| anyhow!(error))?;
        for (table, precision) in self.precisions() {
            let net = &self.net;
            ensure!(net.has(precision), "{table}.precision = \"{precision}\": a {net} net has none");
        }
        Ok(())
    }

    /// Whether the net can be played in the precisions of the settings on a machine with `backend`.
    ///
    /// # Errors
    /// Names the first setting whose precision is not to be had.
    pub fn check_precisions(&self, backend: Backend) -> Result<()> {
        let plays = backend.for_play(&self.net);
        self.precisions().try_for_each(|(table, precision)| {
            plays.check_precision(&self.net, precision).with_context(|| format!("{table}.precision"))
        })
    }

    /// The precisions that are given, each with its table.
    fn precisions(&self) -> impl Iterator<Item = (&'static str, Precision)> {
        let given = [("selfplay", Some(self.selfplay.precision)), ("play", self.play.precision)];
        given.into_iter().filter_map(|(table, precision)| Some((table, precision?)))
    }

    /// Whether the net fits the game. Of a game of another crate that is known when its run begins.
    fn check_net(&self) -> Result<(), String> {
        if let GameId::Guest(_) = self.game {
            return Ok(());
        }
        with_game!(self.game, G => self.net.check_for(&Sizes::of(&self.net, &G::SHAPE)))
            .map_err(|error| error.to_string())
    }

    /// Whether `self` may carry on what `saved` began: the game, its rules, the seed and the net stay.
    ///
    /// # Errors
    /// Names the first setting that differs.
    pub fn check_resumes(&self, saved: &RunConfig) -> Result<()> {
        let is_fixed = |key: &str| FIXED.contains(&key.split('.').next().unwrap_or_default());
        match self.changes(saved).into_iter().find(|change| is_fixed(&change.key)) {
            None => Ok(()),
            Some(Change { key, before, now }) => {
                let [before, now] = [before, now].map(|value| value.unwrap_or_else(|| "not set".to_owned()));
                bail!(
                    "{key} differs from the one that this run was started with: it was {before}, now it is {now}"
                )
            }
        }
    }

    /// A checksum of the settings that a run's games and weights depend on.
    pub fn fingerprint(&self) -> u32 {
        let text = toml::to_string(&self.essence()).expect("a config is plain TOML");
        crc32fast::hash(text.as_bytes())
    }

    /// What differs from `before` of the settings that a run's games and weights depend on.
    pub fn changes(&self, before: &RunConfig) -> Vec<Change> {
        let [before, own] = [before, self].map(|config| toml::Value::Table(config.essence()));
        let mut changes = Vec::new();
        differences("", Some(&before), Some(&own), &mut changes);
        changes
    }

    /// Whether a checkpoint with the settings `saved` has all of these, but for the budget. A new budget may wait: games that
    /// came after the checkpoint were planned by the one in it, and may have to be played again.
    pub(super) fn is_saved_in(&self, saved: &RunConfig) -> bool {
        *self == RunConfig { budget: self.budget.clone(), ..saved.clone() }
    }

    /// The settings that a run's games and weights depend on, beside where it ends.
    fn essence(&self) -> toml::Table {
        let mut table = toml::Table::try_from(self).expect("a config is plain TOML");
        ["budget", "play", "evaluation", "checkpoints", "records"].iter().for_each(|key| {
            table.remove(*key);
        });
        table
    }
}

/// The keys of what cannot change within a run.
const FIXED: [&str; 4] = ["game", "rules", "seed", "net"];

fn apply_override(table: &mut toml::Table, item: &str) -> Result<()> {
    let (key, value) = item.split_once('=').with_context(|| format!("'{item}' is not key=value"))?;
    // A bare word is a string, so that `--set rules=jsa24` needs no quotes within quotes.
    let value: toml::Value = match toml::from_str::<toml::Table>(&format!("v = {value}")) {
        Ok(mut parsed) => parsed.remove("v").context("no value")?,
        Err(_) => toml::Value::String(value.to_owned()),
    };
    let mut parts: Vec<&str> = key.trim().split('.').collect();
    let last =
        parts.pop().filter(|last| !last.is_empty()).with_context(|| format!("'{item}' names no key"))?;
    let mut at = table;
    for part in parts {
        let next = at.entry(part).or_insert_with(|| toml::Value::Table(toml::Table::new()));
        at = next.as_table_mut().with_context(|| format!("'{key}': {part} is no table"))?;
    }
    match value.as_str() {
        Some("none") => at.remove(last),
        _ => at.insert(last.to_owned(), value),
    };
    Ok(())
}

/// `error` with the key at fault, or those that are meant where that is unknown.
fn with_keys(table: &toml::Table, error: String) -> String {
    // Among the tables of a config, of which `game` is the first key. In a table, the error names the few keys that it has.
    let outermost = "`, expected one of `game`";
    let unknown = error.split_once("unknown field `").and_then(|(_, rest)| rest.split_once(outermost));
    let Some((name, _)) = unknown else { return with_key(table, error) };
    let mut keys = keys_called(table, name);
    // A budget has one of them, and may have each.
    if ["positions", "generations", "minutes", "cpu_minutes"].contains(&name) {
        keys = vec![format!("budget.{name}")];
    }
    match keys.as_slice() {
        [] => error,
        keys => format!("config: there is no key {name}; there is {}", keys.join(", ")),
    }
}

/// The keys in the tables of `table` that end with `name`.
fn keys_called(table: &toml::Table, name: &str) -> Vec<String> {
    let tables = table.iter().filter_map(|(key, inner)| Some((key, inner.as_table()?)));
    let keys = tables.flat_map(|(key, inner)| {
        let own = inner.contains_key(name).then(|| format!("{key}.{name}"));
        own.into_iter().chain(keys_called(inner, name).into_iter().map(move |inner| format!("{key}.{inner}")))
    });
    keys.collect()
}

/// `error` with the key at fault, where it names its table alone, as it does in tables of several kinds: the key
/// without which the error is another.
fn with_key(table: &toml::Table, error: String) -> String {
    let named = error.strip_suffix("]`)").and_then(|start| start.rsplit_once("(in `["));
    let Some((message, path)) =
        named.filter(|(message, _)| message.contains("invalid ") || message.contains("unknown variant"))
    else {
        return error;
    };
    let without = |key: &str| -> Option<String> {
        let mut rest = table.clone();
        path.split('.').try_fold(&mut rest, |at, part| at.get_mut(part)?.as_table_mut())?.remove(key)?;
        let text = toml::to_string(&rest).ok()?;
        Some(toml::from_str::<RunConfig>(&text).err().map(one_line).unwrap_or_default())
    };
    let inner = path.split('.').try_fold(table, |at, part| at.get(part)?.as_table());
    let mut keys: Vec<&String> = inner.into_iter().flatten().map(|(key, _)| key).collect();
    // Without its kind a table means nothing, so the kind comes first.
    keys.sort_by_key(|key| *key == "kind");
    match keys.into_iter().find(|key| without(key).is_some_and(|other| other != error)) {
        Some(key) => format!("{message}(in `{path}.{key}`)"),
        None => error,
    }
}

/// A TOML error without its picture of the source.
pub(super) fn one_line(error: impl fmt::Display) -> String {
    let text = error.to_string();
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let place = lines.clone().find(|line| line.contains(" | ") && !line.trim_start().starts_with('|'));
    let source = place.and_then(|line| line.split_once(" | ")).map(|(_, source)| source.trim());
    let message = lines.rfind(|line| !line.contains(" | ") && !line.trim_start().starts_with('|'));
    match (source, message) {
        (Some(source), Some(message)) => {
            format!("config: {} (in `{}`)", cut(&in_words(message), 600), cut(source, 100))
        }
        _ => format!("config: {}", cut(&text.trim().replace('\n', " "), 600)),
    }
}

/// The error with the kind of number that was expected in usual words.
fn in_words(message: &str) -> String {
    let words = |kind: &str| match kind {
        "f32" | "f64" => Some("a number"),
        "u8" | "u16" | "u32" | "u64" | "usize" => Some("a whole number that is not negative"),
        _ => None,
    };
    let is_large = |found: &str| found.starts_with("invalid value: integer `") && !found.contains('-');
    match message.rsplit_once(", expected ") {
        Some((found, kind)) if is_large(found) && words(kind).is_some() => {
            format!("{found}, which is too large")
        }
        Some((found, kind)) => format!("{found}, expected {}", words(kind).unwrap_or(kind)),
        None => message.to_owned(),
    }
}

/// `text` without what is in its middle, if it has more than `most` letters.
fn cut(text: &str, most: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= most {
        return text.to_owned();
    }
    let (start, end) = (&letters[..most / 2], &letters[letters.len() - most / 2..]);
    start.iter().chain(&['…']).chain(end).collect()
}
