//! The folder of an improvement: what is where, and how it begins.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};

use super::cycle::CycleReport;
use crate::{
    base::store::{JsonLog, LogDamage, OpenedLog, is_free, keep_replaced, read_text, write_atomic},
    games::encode::Encode,
    net::ModelFile,
    training::run::RunConfig,
};

/// The settings of every cycle's run.
const CONFIG: &str = "config.toml";
/// The net that all began with, and the best one so far.
const START: &str = "start.sanki";
pub(super) const BEST: &str = "best.sanki";
/// A line a cycle.
const CYCLES: &str = "cycles.jsonl";
/// Bytes of the log at most: a hundred thousand cycles.
const MOST_LOG: u64 = 1 << 26;

/// What an improvement began with.
pub struct BegunImprovement {
    /// The net.
    pub start: ModelFile,
    /// The settings of every cycle's run, as TOML.
    pub config: String,
}

impl BegunImprovement {
    /// That of the improvement in `root`; `None` where there is none.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn read(root: &Path) -> Result<Option<Self>> {
        let (start, path) = (root.join(START), root.join(CONFIG));
        if !start.exists() {
            return Ok(None);
        }
        let config = read_text(&path, RunConfig::MOST_BYTES)
            .with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Some(BegunImprovement { start: ModelFile::read(&start)?, config }))
    }
}

/// Refuses a folder with other files in it.
pub(super) fn check_ours(root: &Path) -> Result<()> {
    if root.join(START).exists() {
        return Ok(());
    }
    let is_free = is_free(root, &[CONFIG]).with_context(|| format!("cannot read {}", root.display()))?;
    ensure!(
        is_free,
        "{} is no folder of an improvement and has files in it: name a new folder",
        root.display()
    );
    Ok(())
}

/// The net that the improvement in `root` began with; where none has begun, one of `given` begins. The settings there are
/// those of `base` from now on.
pub(super) fn start_net<G: Encode>(
    root: &Path,
    given: Option<ModelFile>,
    base: &RunConfig,
) -> Result<ModelFile> {
    let path = root.join(START);
    let has_begun = path.exists();
    let start = match given {
        _ if has_begun => ModelFile::read(&path)?,
        Some(ref given) => given.clone(),
        None => bail!("{} holds no improvement yet: name the net to improve", root.display()),
    };
    let is_same = given.is_none_or(|given| given.model == start.model);
    ensure!(is_same, "{} began with another net", root.display());
    start.check::<G>()?;
    let (played, set) = (start.meta.rules, base.rules);
    ensure!(played == set, "the net plays by the rules {played}, the settings are for {set}");
    // A cycle may be under way, whose runs keep their seed and net.
    let before = read_text(&root.join(CONFIG), RunConfig::MOST_BYTES).ok();
    if let Some(before) = before.and_then(|text| RunConfig::parse(&text, &[]).ok()).filter(|_| has_begun) {
        base.check_resumes(&before)?;
    }
    write_atomic(&root.join(CONFIG), base.to_toml().as_bytes())?;
    if !has_begun {
        write_atomic(&path, &start.to_container().to_bytes())?;
    }
    Ok(start)
}

/// The log of the cycles, which follow each other.
pub(super) fn open_cycles(root: &Path) -> Result<OpenedLog<CycleReport>> {
    let mut last = 0;
    let opened = JsonLog::open(&root.join(CYCLES), MOST_LOG, |report: &CycleReport| {
        ensure!(report.cycle == last + 1, "cycle {} after {last}", report.cycle);
        last += 1;
        Ok(())
    })?;
    if let Some(LogDamage { problem, kept, .. }) = &opened.damage {
        tracing::warn!("{CYCLES}: {problem}: kept as {}; later cycles are made again", kept.display());
    }
    Ok(opened)
}

/// The net that a cycle made the best one.
pub(super) fn net_of(root: &Path, cycle: u32) -> PathBuf {
    root.join(format!("best-{cycle:03}.sanki"))
}

/// The promising net of a cycle, which the next one trains.
pub(super) fn promising_of(root: &Path, cycle: u32) -> PathBuf {
    folder_of(root, cycle).join("promising.sanki")
}

/// The folder of a cycle: its runs and its matches.
pub(super) fn folder_of(root: &Path, cycle: u32) -> PathBuf {
    root.join(format!("cycle-{cycle:03}"))
}

/// A run of a cycle, counted from 1, in the cycle's `folder`, until the cycle is done.
pub(super) fn run_of(folder: &Path, run: u32) -> PathBuf {
    folder.join(format!("run-{run}"))
}

/// Keeps the nets and folders of cycles after `last`, which are made again, under other names, with a warning.
pub(super) fn keep_later(root: &Path, last: u32) -> Result<()> {
    let names = || -> io::Result<Vec<String>> {
        let names = fs::read_dir(root)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        names.collect()
    };
    let mut names = names().with_context(|| format!("cannot read {}", root.display()))?;
    names.sort_unstable();
    let number_of = |name: &str| -> Option<u32> {
        let net = || name.strip_prefix("best-")?.strip_suffix(".sanki");
        net().or_else(|| name.strip_prefix("cycle-"))?.parse().ok()
    };
    for name in names.iter().filter(|name| number_of(name).is_some_and(|number| number > last)) {
        let kept = keep_replaced(&root.join(name))?;
        tracing::warn!("{name} is of a cycle that is made again: kept as {}", kept.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_files_of_others_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for name in [CONFIG, "desktop.ini"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        check_ours(folder.path()).unwrap();
        fs::write(folder.path().join("letter.txt"), "hello").unwrap();
        let error = check_ours(folder.path()).unwrap_err().to_string();
        assert!(error.ends_with("name a new folder"), "{error}");
    }
}
