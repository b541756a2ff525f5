//! A config file: the settings of a run, and what is other in a short one. A file may have only what is other than in the
//! config of a game.

use anyhow::{Context, Result, anyhow, ensure};
use serde::Deserialize;

use super::config::{RunConfig, one_line};
use crate::games::rules::GameId;

/// The table of a config file that a short run takes. It is written as the file is: `[short.net]` for what is other in
/// `[net]`.
const SHORT: &str = "short";
/// The key of a config file that names the game from whose config it takes what it does not have itself.
const EXTENDS: &str = "extends";
/// What a run, however short, takes from the rest of the file.
const NOT_IN_SHORT: [&str; 4] = ["game", "rules", "seed", "budget"];

/// The settings in a config file, with overrides applied.
#[derive(Clone, Debug)]
pub struct ConfigFile {
    /// Those of a run of any length.
    pub config: RunConfig,
    /// Those of a short one, where the file has some.
    pub short: Option<ShortRun>,
}

/// The settings of a short run.
#[derive(Clone, Debug)]
pub struct ShortRun {
    /// How long it may be: minutes of processor time.
    pub cpu_minutes: f64,
    /// The settings.
    pub config: RunConfig,
}

#[derive(Deserialize)]
struct ShortTable {
    cpu_minutes: f64,
    #[serde(flatten)]
    settings: toml::Table,
}

impl ConfigFile {
    /// Reads a config file; each of `overrides` is `key=value`, as [`RunConfig::parse`] has them, and applies whatever the
    /// length of the run.
    ///
    /// # Errors
    /// Names the key that is unknown, missing, of the wrong type or out of its range, also among those for a short run.
    pub fn parse(text: &str, overrides: &[String]) -> Result<Self> {
        let mut table = whole_table(text)?;
        let short = table.remove(SHORT);
        let config = RunConfig::from_table(table.clone(), overrides)?;
        let short = match short {
            Some(short) => Some(ShortRun::read(short, table, overrides).context(SHORT)?),
            None => None,
        };
        Ok(ConfigFile { config, short })
    }

    /// The settings of a run on `threads` threads: those of a short run if its budget is one, by processor time. A run that
    /// goes on with what `saved` began keeps its net, even if its budget has grown.
    pub fn choose(self, threads: usize, saved: Option<&RunConfig>) -> Chosen {
        let ConfigFile { config, short } = self;
        let Some(short) = short else { return Chosen { config, short: None } };
        let minutes = config.budget.cpu_minutes_on(threads);
        let by_budget = minutes.is_some_and(|minutes| minutes <= short.cpu_minutes);
        let resumes = |config: &RunConfig| saved.is_some_and(|saved| config.check_resumes(saved).is_ok());
        let takes_short = match (resumes(&short.config), resumes(&config)) {
            (true, false) => true,
            (false, true) => false,
            _ => by_budget,
        };
        match takes_short {
            true => Chosen { config: short.config, short: Some(short.cpu_minutes) },
            false => Chosen { config, short: None },
        }
    }
}

impl RunConfig {
    /// Reads a config and applies `overrides`, each `key=value` with a dotted key and a TOML value; the value
    /// `none` removes a key, such as one of the limits of a budget. What the file has for short runs is left aside:
    /// [`ConfigFile`] chooses.
    ///
    /// # Errors
    /// Names the key that is unknown, missing, of the wrong type or out of its range.
    pub fn parse(text: &str, overrides: &[String]) -> Result<Self> {
        Ok(ConfigFile::parse(text, overrides)?.config)
    }
}

/// The settings that a run takes.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The settings.
    pub config: RunConfig,
    /// If they are those of a short run: how long one may be, in minutes of processor time.
    pub short: Option<f64>,
}

impl ShortRun {
    fn read(short: toml::Value, mut table: toml::Table, overrides: &[String]) -> Result<Self> {
        let ShortTable { cpu_minutes, settings } =
            short.try_into().map_err(|error| anyhow!(one_line(error)))?;
        ensure!(cpu_minutes > 0.0, "cpu_minutes = {cpu_minutes}: must be above 0");
        let foreign = NOT_IN_SHORT.into_iter().find(|&key| settings.contains_key(key));
        ensure!(foreign.is_none(), "{}: is the same for every run", foreign.unwrap_or_default());
        merge(&mut table, settings);
        Ok(ShortRun { cpu_minutes, config: RunConfig::from_table(table, overrides)? })
    }
}

/// The table of a config file, with what it takes from the config that it extends.
fn whole_table(text: &str) -> Result<toml::Table> {
    let mut own: toml::Table = toml::from_str(text).map_err(|error| anyhow!(one_line(error)))?;
    let Some(base) = own.remove(EXTENDS) else { return Ok(own) };
    let game = base.as_str().with_context(|| format!("{EXTENDS} = {base}: is not the name of a game"))?;
    let game: GameId = game.parse().context(EXTENDS)?;
    let mut table: toml::Table =
        toml::from_str(game.facts().config).with_context(|| format!("the config of {game}"))?;
    if let (Some(net), Some(own)) = (table.get("net"), own.get("net"))
        && is_of_another_kind(net, own)
    {
        // What is other in a short run is meant for the net that was there.
        table.remove(SHORT);
    }
    merge(&mut table, own);
    Ok(table)
}

/// Puts what `from` has over what `into` has, table by table. A table of another kind has other keys, and replaces the one
/// that was there.
fn merge(into: &mut toml::Table, from: toml::Table) {
    for (key, value) in from {
        match into.get_mut(&key) {
            Some(inner) if !is_of_another_kind(inner, &value) => match (inner, value) {
                (toml::Value::Table(inner), toml::Value::Table(value)) => merge(inner, value),
                (inner, value) => *inner = value,
            },
            _ => drop(into.insert(key, value)),
        }
    }
}

/// Whether `new` names a `kind`, and it is not that of `old`.
fn is_of_another_kind(old: &toml::Value, new: &toml::Value) -> bool {
    new.get("kind").is_some_and(|kind| old.get("kind") != Some(kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Backend;

    const DOBUTSU: &str = include_str!("../../../configs/dobutsu.toml");

    fn file(short: &str, set: &[&str]) -> Result<ConfigFile> {
        let set: Vec<String> = set.iter().map(|&item| item.to_owned()).collect();
        ConfigFile::parse(&format!("{DOBUTSU}\n{short}"), &set)
    }

    const NARROW: &str =
        "[short]\ncpu_minutes = 60\n[short.net]\nhidden = 32\n[short.learner.schedule]\npeak = 0.5\n";

    /// The rate and the width of the net that a run takes.
    fn taken(set: &[&str], threads: usize, saved: Option<&RunConfig>) -> (f32, usize) {
        let config = file(NARROW, set).unwrap().choose(threads, saved).config;
        let crate::net::NetConfig::Sparse(net) = &config.net else {
            panic!("{} is no sparse net", config.net)
        };
        (config.learner.schedule.peak, net.hidden)
    }

    #[test]
    fn a_short_run_takes_the_settings_for_short_runs() {
        let long = taken(&[], 2, None);
        assert_ne!(long, (0.5, 32));
        assert_eq!(taken(&["budget.cpu_minutes=60"], 2, None), (0.5, 32));
        assert_eq!(taken(&["budget.cpu_minutes=61"], 2, None), long);
        assert_eq!(taken(&["budget.minutes=30"], 2, None), (0.5, 32), "30 minutes of two threads");
        assert_eq!(taken(&["budget.minutes=30"], 3, None), long, "30 minutes of three");
    }

    #[test]
    fn what_is_set_for_a_run_applies_to_a_short_one_too() {
        assert_eq!(taken(&["budget.cpu_minutes=60", "net.hidden=64"], 2, None), (0.5, 64));
    }

    #[test]
    fn a_run_that_goes_on_for_longer_keeps_its_net() {
        let begun = file(NARROW, &["budget.cpu_minutes=60"]).unwrap().choose(2, None);
        assert_eq!(begun.short, Some(60.0));
        assert_eq!(taken(&["budget.cpu_minutes=600"], 2, Some(&begun.config)), (0.5, 32));
        let long = file(NARROW, &[]).unwrap().config;
        assert_ne!(taken(&["budget.cpu_minutes=60"], 2, Some(&long)).1, 32);
    }

    #[test]
    fn a_file_may_have_only_what_is_other() {
        let text = "extends = \"shogi\"\n[learner]\nbatch = 4096\n[short.learner]\nbatch = 512\n";
        let file = ConfigFile::parse(text, &["learner.schedule.warmup_steps=7".to_owned()]).unwrap();
        let base = ConfigFile::parse(GameId::Shogi.facts().config, &[]).unwrap();
        let mut expected = base.config;
        (expected.learner.batch, expected.learner.schedule.warmup_steps) = (4096, 7);
        assert_eq!(file.config, expected);
        let (short, base) = (file.short.unwrap(), base.short.unwrap());
        assert_eq!((short.config.learner.batch, short.cpu_minutes), (512, base.cpu_minutes));
        assert_eq!(short.config.net, base.config.net);

        for (text, part) in [("extends = \"chess\"", "chess"), ("extends = 3", "extends = 3: is not")] {
            let error = format!("{:#}", ConfigFile::parse(text, &[]).unwrap_err());
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn the_configs_for_a_gpu_are_those_of_their_game_but_for_the_speed() {
        for game in GameId::ALL {
            let Some(text) = game.facts().gpu_config else { continue };
            let config = ConfigFile::parse(text, &[]).unwrap().config;
            let base = RunConfig::parse(game.facts().config, &[]).unwrap();
            assert_eq!((config.learner.backend, config.selfplay.lag), (Some(Backend::Wgpu), 1), "{game}");
            for part in ["rules", "seed", "budget", "net", "replay"] {
                let of = |config: &RunConfig| toml::Table::try_from(config).unwrap()[part].clone();
                assert_eq!(of(&config), of(&base), "{game}: {part}");
            }
        }
    }

    #[test]
    fn a_file_may_have_a_net_of_another_kind_than_the_one_it_extends() {
        let text = "extends = \"shogi\"\n[net]\nkind = \"conv\"\nblocks = 4\nchannels = 32\n\
                    [selfplay]\nprecision = \"fp32\"\n";
        let file = ConfigFile::parse(text, &[]).unwrap();
        assert_eq!(file.config.net.to_string(), "4x32");
        assert!(file.short.is_none());
    }

    #[test]
    fn what_is_no_number_is_told_in_usual_words() {
        for (set, words) in [
            ("budget.minutes=abc", "expected a number"),
            ("learner.batch=abc", "expected a whole number"),
            ("learner.batch=-1", "expected a whole number"),
            ("budget.generations=5000000000", "too large"),
        ] {
            let error = format!("{:#}", file("", &[set]).unwrap_err());
            assert!(error.contains(words), "{set}: {error}");
        }
    }

    #[test]
    fn what_is_wrong_among_them_is_named() {
        for (short, part) in [
            ("[short]\ncpu_minutes = 0\n", "short: cpu_minutes"),
            ("[short.net]\nhidden = 64\n", "cpu_minutes"),
            ("[short]\ncpu_minutes = 60\nseed = 2\n", "short: seed"),
            ("[short]\ncpu_minutes = 60\n[short.net]\nwidth = 2\n", "width"),
            ("[short]\ncpu_minutes = 60\n[short.learner]\nbatch = 0\n", "learner.batch"),
        ] {
            let error = format!("{:#}", file(short, &[]).unwrap_err());
            assert!(error.contains(part), "{short}: {error}");
        }
        assert!(file("", &[]).unwrap().short.is_none());
    }
}
