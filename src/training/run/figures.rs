//! The list of a run's figures, `metrics.jsonl`: a generation a line.

use std::path::Path;

use anyhow::{Result, ensure};

use super::report::GenerationReport;
use crate::base::store::{JsonLog, LogDamage};

/// Bytes of a list at most: a million generations.
const MOST_BYTES: u64 = 1 << 31;

/// Opens the list at `path`, making it where there is none, and returns the figures in it: see [`JsonLog::open`]. Lines
/// that are not of generations up to `newest` in their order are lost, with a warning.
///
/// # Errors
/// When the list cannot be read or written.
pub fn open(path: &Path, newest: u32) -> Result<(JsonLog, Vec<GenerationReport>)> {
    let opened = JsonLog::open(path, MOST_BYTES, in_order(newest))?;
    if let Some(LogDamage { lines, kept, .. }) = opened.damage {
        tracing::warn!(
            "{} is damaged: kept as {}, and {lines} of its lines are lost",
            path.display(),
            kept.display()
        );
    }
    Ok((opened.log, opened.values))
}

/// The figures in the list at `path` as far as they can be read; the list stays as it is.
pub fn peek(path: &Path) -> Vec<GenerationReport> {
    JsonLog::peek(path, MOST_BYTES, in_order(u32::MAX))
}

/// Whether a generation comes after those before it, and not after `newest`.
fn in_order(newest: u32) -> impl FnMut(&GenerationReport) -> Result<()> {
    let mut before = 0;
    move |report| {
        let generation = report.generation;
        ensure!(before < generation && generation <= newest, "generation {generation} after {before}");
        before = generation;
        Ok(())
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
            let reports = listed.map(|generation| GenerationReport { generation, ..Default::default() });
            JsonLog::write(&path, &reports).unwrap();
            let left: Vec<u32> = open(&path, 3).unwrap().1.iter().map(|report| report.generation).collect();
            assert_eq!(left, kept, "{listed:?}");
        }
    }

    #[test]
    fn what_reads_is_kept_and_what_does_not_is_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let (mut log, none) = open(&path, 3).unwrap();
        assert!(none.is_empty());
        let reports = [1, 2, 3].map(|generation| GenerationReport { generation, ..Default::default() });
        reports.iter().for_each(|report| log.append(report).unwrap());
        let whole = fs::read(&path).unwrap();
        assert_eq!(open(&path, 3).unwrap().1, reports);
        assert_eq!(peek(&path), reports);

        for cut in 1..whole.len() / 3 {
            fs::write(&path, &whole[..whole.len() - cut]).unwrap();
            let (mut log, left) = open(&path, 3).unwrap();
            // Without the end of its line it is whole all the same.
            assert_eq!(left, reports[..if cut == 1 { 3 } else { 2 }]);
            let next = GenerationReport { generation: 4, ..Default::default() };
            log.append(&next).unwrap();
            assert_eq!(open(&path, 4).unwrap().1.last(), Some(&next));
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "a kill leaves nothing to keep");

        let mut damaged = whole.clone();
        damaged[whole.len() / 2] = 0xff;
        fs::write(&path, &damaged).unwrap();
        assert_eq!(open(&path, 3).unwrap().1, [reports[0].clone(), reports[2].clone()]);
        assert_eq!(fs::read(folder.path().join("metrics.jsonl.damaged")).unwrap(), damaged);
        assert_eq!(open(&path, 3).unwrap().1.len(), 2, "the list is mended");
    }
}
