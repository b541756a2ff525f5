//! The list of a run's figures, `metrics.jsonl`: a generation a line.

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
};

use anyhow::{Context, Result};

use super::report::GenerationReport;
use crate::base::store::{keep_damaged, read_at_most, write_atomic};

/// Bytes of a list at most: a million generations.
const MOST_BYTES: u64 = 1 << 31;

/// The figures in the list at `path`, none where there is no list. A line that a kill cut short is removed. Where
/// other lines do not read, or are not of generations up to `newest` in their order, the list is kept under another
/// name, with a warning, and goes on without them.
///
/// # Errors
/// When the list cannot be read or written.
pub fn open(path: &Path, newest: u32) -> Result<Vec<GenerationReport>> {
    let text = match read_at_most(path, MOST_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.with_context(|| format!("cannot read {}", path.display()))?,
    };
    let Lines { good, bad, is_whole } = Lines::of(&text, newest);
    if bad > 0 {
        let kept = keep_damaged(path)?;
        tracing::warn!(
            "{} is damaged: kept as {}, and {bad} of its lines are lost",
            path.display(),
            kept.display()
        );
    }
    if !is_whole {
        write(path, &good)?;
    }
    Ok(good)
}

/// The figures in the list at `path` as far as they can be read; the list stays as it is.
pub fn peek(path: &Path) -> Vec<GenerationReport> {
    Lines::of(&read_at_most(path, MOST_BYTES).unwrap_or_default(), u32::MAX).good
}

/// Writes a list.
///
/// # Errors
/// Names the path.
pub fn write(path: &Path, reports: &[GenerationReport]) -> Result<()> {
    let mut text = Vec::new();
    for report in reports {
        serde_json::to_writer(&mut text, report).context("figures do not serialise")?;
        text.push(b'\n');
    }
    write_atomic(path, &text)
}

/// Adds a generation to a list that was opened.
///
/// # Errors
/// Names the path.
pub fn append(path: &Path, report: &GenerationReport) -> Result<()> {
    let mut line = serde_json::to_vec(report).context("figures do not serialise")?;
    line.push(b'\n');
    let append = || File::options().create(true).append(true).open(path)?.write_all(&line);
    append().with_context(|| format!("cannot write {}", path.display()))
}

/// What a list holds.
struct Lines {
    good: Vec<GenerationReport>,
    /// How many lines cannot be used, but for a last one that was cut short.
    bad: usize,
    /// Whether all of it can stay.
    is_whole: bool,
}

impl Lines {
    fn of(text: &[u8], newest: u32) -> Self {
        let mut lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
        let last = lines.pop().unwrap_or_default();
        let mut before = 0;
        let mut read = |line: &[u8]| {
            let report: GenerationReport = serde_json::from_slice(line).ok()?;
            let is_next = before < report.generation && report.generation <= newest;
            before = if is_next { report.generation } else { before };
            is_next.then_some(report)
        };
        let mut good: Vec<GenerationReport> = lines.iter().filter_map(|line| read(line)).collect();
        let bad = lines.len() - good.len();
        good.extend(read(last));
        Lines { good, bad, is_whole: bad == 0 && last.is_empty() }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn figures_of_other_generations_are_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        for (listed, kept) in [
            ([1, 2, 7], &[1, 2][..]),
            ([1, 7, 3], &[1, 3]),
            ([1, 2, 2], &[1, 2]),
            ([0, 2, 3], &[2, 3]),
            ([2, 1, 3], &[2, 3]),
        ] {
            write(&path, &listed.map(|generation| GenerationReport { generation, ..Default::default() }))
                .unwrap();
            let left: Vec<u32> = open(&path, 3).unwrap().iter().map(|report| report.generation).collect();
            assert_eq!(left, kept, "{listed:?}");
        }
    }

    #[test]
    fn what_reads_is_kept_and_what_does_not_is_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        assert!(open(&path, 3).unwrap().is_empty());
        let reports = [1, 2, 3].map(|generation| GenerationReport { generation, ..Default::default() });
        reports.iter().for_each(|report| append(&path, report).unwrap());
        let whole = fs::read(&path).unwrap();
        assert_eq!(open(&path, 3).unwrap(), reports);
        assert_eq!(peek(&path), reports);

        for cut in 1..whole.len() / 3 {
            fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            let left = open(&path, 3).unwrap();
            // Without the end of its line it is whole all the same.
            assert_eq!(left, reports[..if cut == 1 { 3 } else { 2 }]);
            let next = GenerationReport { generation: 4, ..Default::default() };
            append(&path, &next).unwrap();
            assert_eq!(open(&path, 4).unwrap().last(), Some(&next));
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "a kill leaves nothing to keep");

        let mut damaged = whole.clone();
        damaged[whole.len() / 2] = 0xff;
        fs::write(&path, &damaged).unwrap();
        assert_eq!(open(&path, 3).unwrap(), [reports[0].clone(), reports[2].clone()]);
        assert_eq!(fs::read(folder.path().join("metrics.jsonl.damaged")).unwrap(), damaged);
        assert_eq!(open(&path, 3).unwrap().len(), 2, "the list is mended");
    }
}
