//! What a new run is ordered with, and how `sanki` is started for it.

use std::{fs, num::NonZero, path::PathBuf, thread};

use anyhow::{Context, Result, anyhow};
use serde::Deserialize;

use super::{
    cores,
    folders::{FolderName, Folders},
    nets::NetId,
    runs::Run,
    state::ServerState,
};
use crate::{
    games::rules::GameId,
    training::run::{ConfigFile, RunConfig},
};

/// The length that is chosen at first.
const USUAL: u32 = 5;
/// Where the form says that the run begins with the weights of the published net.
pub(super) const PUBLISHED: &str = "published";

/// Where the form says that the GPU learns.
pub(super) const GPU: &str = "gpu";

/// What the form was filled in with.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RunOrder {
    /// The game; [`RunOrder::game`] says which it is without one.
    pub(super) game: Option<GameId>,
    /// The name of its rules; those of the settings without one.
    pub(super) rules: String,
    /// How long, by the clock.
    pub(super) minutes: Option<u32>,
    /// Threads.
    pub(super) cores: Option<NonZero<usize>>,
    /// What the folder is to be called.
    pub(super) name: String,
    /// [`PUBLISHED`], or nothing.
    pub(super) from: String,
    /// What learns: [`GPU`], or the processor.
    pub(super) device: String,
    /// The settings, where they were edited.
    pub(super) config: String,
}

/// The threads of this machine.
pub(super) fn most_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

impl RunOrder {
    /// The game.
    pub(super) fn game(&self) -> GameId {
        self.game.unwrap_or(GameId::Dobutsu)
    }

    /// How long, in minutes.
    pub(super) fn minutes(&self) -> u32 {
        self.minutes.unwrap_or(USUAL)
    }

    /// Threads: all of them, where nothing was chosen.
    pub(super) fn cores(&self) -> usize {
        self.cores.map_or_else(most_cores, NonZero::get)
    }

    /// The settings as they were edited, or else as they are.
    pub(super) fn text(&self) -> &str {
        if self.config.trim().is_empty() { self.own_config() } else { &self.config }
    }

    /// The settings, where they were not edited.
    pub(super) fn own_config(&self) -> &'static str {
        let facts = self.game().facts();
        facts.gpu_config.filter(|_| self.device == GPU).unwrap_or(facts.config)
    }

    /// Whether the settings were edited so that they have another value for `key`, whose tables stand before points.
    fn is_edited(&self, key: &str) -> bool {
        let edited = setting(self.text(), key);
        edited.is_some() && edited != setting(self.own_config(), key)
    }

    /// What `--set` changes of the settings. What was edited in them counts before what else is chosen, but for the time.
    fn changes(&self) -> Vec<String> {
        let mut changes = vec![format!("budget.minutes={}", self.minutes())];
        changes.extend(["positions", "generations", "cpu_minutes"].map(|key| format!("budget.{key}=none")));
        if self.device == GPU && !self.is_edited("learner.backend") {
            changes.push("learner.backend=\"wgpu\"".to_owned());
        }
        // The rules that are chosen belong to the game that is chosen.
        if !self.rules.is_empty() && !self.is_edited("rules") && !self.is_edited("game") {
            changes.push(format!("rules=\"{}\"", self.rules));
        }
        changes
    }

    /// The settings of the run.
    ///
    /// # Errors
    /// Names the key that is wrong.
    pub(super) fn config(&self) -> Result<RunConfig> {
        let file = ConfigFile::parse(self.text(), &self.changes())?;
        Ok(if self.from == PUBLISHED { file.config } else { file.choose(self.cores(), None).config })
    }

    /// The folder of the run: the one that is named, or one of its own.
    fn folder(&self, folders: &Folders, game: GameId) -> Result<(FolderName, PathBuf)> {
        let named = self.name.trim();
        let name = match named {
            "" => {
                (1..).map(|number| format!("{game}-{number}")).find(|name| !folders.runs.join(name).exists())
            }
            named => Some(named.to_owned()),
        };
        let name = FolderName::try_from(name.context("no name is free")?)?;
        let folder = name.of(&folders.runs);
        if folder.exists() {
            return Err(anyhow!("{} exists already", folder.display()));
        }
        Ok((name, folder))
    }

    /// Starts the run.
    ///
    /// # Errors
    /// What is wrong with the order, or why it does not begin.
    pub(super) fn start(&self, state: &ServerState) -> Result<FolderName> {
        let config = self.config()?;
        fs::create_dir_all(&state.folders.runs)
            .with_context(|| format!("cannot make {}", state.folders.runs.display()))?;
        let (name, folder) = self.folder(&state.folders, config.game)?;
        let text =
            tempfile::Builder::new().suffix(".toml").tempfile().context("cannot make a temporary file")?;
        fs::write(text.path(), self.text()).context("cannot write a temporary file")?;
        let mut arguments = vec!["train".into(), "--config".into(), text.path().into()];
        arguments.extend(["--out".into(), folder.clone().into()]);
        arguments.extend(cores::arguments(self.cores()));
        arguments.extend(self.changes().into_iter().flat_map(|change| ["--set".into(), change.into()]));
        if self.from == PUBLISHED {
            let net =
                NetId::Published(config.game).path(&state.folders).context("there is no published net")?;
            arguments.extend(["--init-from".into(), net.into()]);
        }
        cores::keep(&state.folders, &name, self.cores());
        state.processes.start_with(&folder, &arguments, text)?;
        Run::wait_for(&state.folders, &state.processes, &name)?;
        Ok(name)
    }
}

/// The value of `key` in the settings `text`; `None` where they have none or cannot be read.
fn setting(text: &str, key: &str) -> Option<toml::Value> {
    let table: toml::Table = toml::from_str(text).ok()?;
    key.split('.').try_fold(toml::Value::Table(table), |inner, part| inner.get(part).cloned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Backend;

    #[test]
    fn every_games_settings_take_an_order() {
        for game in GameId::ALL {
            for rules in game.rule_sets() {
                let order = RunOrder {
                    game: Some(game),
                    rules: rules.to_string(),
                    minutes: Some(7),
                    ..RunOrder::default()
                };
                let config = order.config().unwrap();
                assert_eq!((config.game, config.rules, config.budget.minutes), (game, *rules, Some(7.0)));
                assert_eq!(config.budget.positions, None);
            }
        }
    }

    #[test]
    fn a_short_run_from_nothing_takes_the_settings_for_short_runs() {
        let order = |minutes, cores, from: &str| RunOrder {
            game: Some(GameId::Shogi),
            minutes: Some(minutes),
            cores: NonZero::new(cores),
            from: from.to_owned(),
            ..RunOrder::default()
        };
        let net = |minutes, cores, from| order(minutes, cores, from).config().unwrap().net.to_string();
        assert_eq!(net(60, 2, ""), "sparse-128-attacks");
        assert_eq!(net(480, 2, ""), "sparse-256-attacks");
        assert_eq!(net(60, 16, ""), "sparse-256-attacks", "an hour of sixteen cores is a night of two");
        assert_eq!(net(60, 2, PUBLISHED), "sparse-256-attacks", "it has the width of the published net");
    }

    #[test]
    fn what_is_edited_in_the_settings_counts_before_what_is_chosen() {
        let janggi = GameId::Janggi.facts().config;
        let order = |rules: &str, config: String| RunOrder {
            game: Some(GameId::Janggi),
            rules: rules.to_owned(),
            config,
            ..RunOrder::default()
        };
        let rules = |order: RunOrder| order.config().unwrap().rules.to_string();
        assert!(janggi.contains("rules = \"points\"") && janggi.contains("seed = 1"));
        let edited = janggi.replace("rules = \"points\"", "rules = \"kakao\"");
        assert_eq!(rules(order("points", edited.clone())), "kakao");
        assert_eq!(rules(order("casual", edited)), "kakao");
        // Where they were not edited, or elsewhere, the choice counts; browsers end their lines in another way.
        assert_eq!(rules(order("kakao", janggi.replace("seed = 1", "seed = 2"))), "kakao");
        assert_eq!(rules(order("kakao", janggi.replace('\n', "\r\n"))), "kakao");
        assert_eq!(rules(order("kakao", String::new())), "kakao");
        assert_eq!(
            rules(order("kakao", GameId::Dobutsu.facts().config.to_owned())),
            "standard",
            "another game"
        );

        let edited = janggi.replace("[learner]\n", "[learner]\nbackend = \"native\"\n");
        let gpu = RunOrder { device: GPU.to_owned(), ..order("points", edited) };
        assert_eq!(gpu.config().unwrap().learner.backend, Some(Backend::Native));
    }

    #[test]
    fn what_learns_on_a_gpu_takes_the_settings_for_it() {
        for game in GameId::ALL {
            let order = RunOrder { game: Some(game), device: GPU.to_owned(), ..RunOrder::default() };
            assert_eq!(order.text(), game.facts().gpu_config.unwrap_or(game.facts().config));
            assert_eq!(order.config().unwrap().learner.backend, Some(Backend::Wgpu), "{game}");
        }
    }

    #[test]
    fn what_is_wrong_with_an_order_is_named() {
        let order = RunOrder { config: "game = \"chess\"".to_owned(), ..RunOrder::default() };
        assert!(format!("{:#}", order.config().unwrap_err()).contains("chess"));
        let order =
            RunOrder { game: Some(GameId::Dobutsu), rules: "x\"\nseed=1".to_owned(), ..RunOrder::default() };
        assert!(order.config().is_err());
    }

    #[cfg(unix)]
    #[test]
    fn the_cores_of_a_run_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let folders = Folders { runs: folder.path().into(), matches: "m".into(), games: "g".into() };
        // A program that ends at once, and badly.
        let state = ServerState::for_tests(folders, "false".into());
        let order = RunOrder { name: "first".to_owned(), cores: NonZero::new(3), ..RunOrder::default() };
        assert!(order.start(&state).is_err());
        let name = FolderName::try_from("first".to_owned()).unwrap();
        assert_eq!(cores::of(&state.folders, &name), Some(3));
        assert!(FolderName::all_in(folder.path()).is_empty(), "they are no run");
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_too_long_for_the_file_of_its_cores_is_one_for_a_run() {
        let folder = tempfile::tempdir().unwrap();
        let folders = Folders { runs: folder.path().into(), matches: "m".into(), games: "g".into() };
        let state = ServerState::for_tests(folders, "false".into());
        let long = "장".repeat(84);
        // The program is started under both names.
        let failed = |name: &str| {
            let order = RunOrder { name: name.to_owned(), ..RunOrder::default() };
            format!("{:#}", order.start(&state).unwrap_err())
        };
        assert_eq!(failed(&long), failed("short"));
    }

    #[test]
    fn a_run_gets_a_folder_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let folders = Folders { runs: folder.path().into(), matches: "m".into(), games: "g".into() };
        let order = |name: &str| RunOrder { name: name.to_owned(), ..RunOrder::default() };
        let named =
            |name: &str| order(name).folder(&folders, GameId::Dobutsu).map(|(name, _)| name.to_string());
        assert_eq!(named("").unwrap(), "dobutsu-1");
        fs::create_dir(folder.path().join("dobutsu-1")).unwrap();
        assert_eq!(named("").unwrap(), "dobutsu-2");
        assert_eq!(named(" first ").unwrap(), "first");
        assert!(named("dobutsu-1").is_err());
        assert!(named("../x").is_err());
    }
}
