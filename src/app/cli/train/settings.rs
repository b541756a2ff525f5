//! The settings of a run, by the command line, a config, a folder or a checkpoint.

use std::path::Path;

use anyhow::{Context, Result};

use super::{
    super::{CliError, tell},
    TrainArgs, threads,
};
use crate::{
    base::store::read_text,
    games::rules::GameId,
    training::run::{Branch, Chosen, ConfigFile, RunConfig, RunDir, saved_config},
};

/// The embedded default.
const QUICKSTART: &str = include_str!("../../../../configs/quickstart.toml");

/// The settings of the run, and the checkpoint of another one that it is to begin from, if there is one.
pub(super) fn settle(args: &TrainArgs) -> Result<(RunConfig, Option<Branch>)> {
    let branch = args.branch.as_deref().map(read_branch).transpose().map_err(|error| args.advise(error))?;
    let cooling =
        branch.as_ref().zip(args.cool_down).map(|(branch, generations)| branch.cool_down(generations));
    let hours = args.hours.map(hours_budget).unwrap_or_default();
    let set = [cooling.transpose()?.unwrap_or_default(), hours, args.set.clone()].concat();
    Ok((read_config(args, &set, branch.as_ref())?, branch))
}

/// The checkpoint that `RUN@GENERATION` or `RUN` names. A folder may be called so itself: then it is the run.
fn read_branch(text: &Path) -> Result<Branch> {
    if text.is_file() {
        let message = format!("{} is a file: --branch wants the folder of a run", text.display());
        return Err(CliError::usage(message)
            .help("RUN@GENERATION names a checkpoint of a run; --init-from begins a run with a model")
            .into());
    }
    let named = text.to_str().filter(|_| !text.is_dir()).and_then(|text| text.rsplit_once('@'));
    match named.and_then(|(run, generation)| Some((run, generation.parse().ok()?))) {
        Some((run, generation)) => Branch::read(Path::new(run), Some(generation)),
        None => Branch::read(text, None),
    }
}

/// The settings that make `hours` of wall time the only limit of a run.
pub fn hours_budget(hours: f64) -> Vec<String> {
    let others = ["positions", "generations", "cpu_minutes"].map(|key| format!("budget.{key}=none"));
    others.into_iter().chain([format!("budget.minutes={:?}", 60.0 * hours)]).collect()
}

/// The config file, or the settings of the run to begin from or to go on with, or the embedded default; with the
/// overrides applied, and those for a short run if this is one.
fn read_config(args: &TrainArgs, set: &[String], branch: Option<&Branch>) -> Result<RunConfig> {
    let saved = match (&args.out, branch) {
        (_, Some(branch)) => Some((branch.source(), branch.config().to_owned())),
        (Some(out), None) => saved_config(out)?.map(|text| (out.as_path(), text)),
        (None, None) => None,
    };
    if args.config.is_none()
        && args.game.is_none()
        && let Some((run, text)) = saved
    {
        return parse(&RunDir::at(run).config(), &text, set);
    }
    let file = config_file(args.config.as_deref(), args.game, set)?;
    if args.init_from.is_some() {
        // It goes on with a net that is there already.
        return Ok(file.config);
    }
    let saved = saved.and_then(|(_, text)| RunConfig::parse(&text, &[]).ok());
    let names_time = file.config.budget.cpu_minutes_on(threads(args)).is_some();
    let at_most = file.short.as_ref().map(|short| short.cpu_minutes);
    let Chosen { config, short } = file.choose(threads(args), saved.as_ref());
    if let (Some(minutes), None, false) = (at_most, &saved, names_time) {
        tell(format!(
            "the budget names no time, so the run takes the settings for long runs; --hours gives it one, and up to \
             {minutes} minutes of processor time the settings for short runs"
        ));
    }
    if let Some(minutes) = short {
        tell(format!(
            "takes the settings for short runs, which are those of at most {minutes} minutes of processor time"
        ));
    }
    Ok(config)
}

/// The config file, or the embedded one of the game, or the embedded default, with the overrides applied.
pub(super) fn config_file(path: Option<&Path>, game: Option<GameId>, set: &[String]) -> Result<ConfigFile> {
    let Some(path) = path else {
        return ConfigFile::parse(game.map_or(QUICKSTART, |game| game.facts().config), set);
    };
    let text =
        read_text(path, RunConfig::MOST_BYTES).with_context(|| format!("cannot read {}", path.display()))?;
    ConfigFile::parse(&text, set).with_context(|| format!("cannot use {}", path.display()))
}

/// The config file, or the embedded default, with the overrides applied: the settings for a run of any length.
pub fn config_of(path: Option<&Path>, set: &[String]) -> Result<RunConfig> {
    Ok(config_file(path, None, set)?.config)
}

fn parse(path: &Path, text: &str, set: &[String]) -> Result<RunConfig> {
    RunConfig::parse(text, set).with_context(|| format!("cannot use {}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_run_may_be_called_as_if_it_had_a_generation() {
        let root = tempfile::tempdir().unwrap();
        let run = root.path().join("a@5");
        let named = || format!("{:#}", read_branch(&run).unwrap_err());
        assert!(!named().contains("a@5"), "it is generation 5 of another run: {}", named());
        fs::create_dir(&run).unwrap();
        assert!(named().contains("a@5"), "{}", named());
    }
}
