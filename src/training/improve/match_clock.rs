//! The time that a cycle's matches take.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::Result;

use crate::base::store::{read_text, write_atomic};

/// In a cycle's folder, the seconds of its matches so far.
const SECONDS: &str = "match-seconds";
/// How often the file is written, so that a kill loses no more of it.
const EVERY: Duration = Duration::from_secs(10);
/// Bytes of that file at most.
const MOST_SECONDS: u64 = 1 << 6;

/// Counts the seconds of a cycle's matches, also over stops and kills.
pub(super) struct MatchClock {
    path: PathBuf,
    /// Those of earlier calls.
    before: f64,
    begin: Instant,
    saved: Instant,
}

impl MatchClock {
    /// Goes on from what the cycle's `folder` says; from 0 where it says nothing.
    pub fn start(folder: &Path) -> Self {
        let path = folder.join(SECONDS);
        let read = || read_text(&path, MOST_SECONDS).ok()?.trim().parse().ok();
        let saved = read().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0);
        let begin = Instant::now();
        MatchClock { before: saved.unwrap_or(0.0), path, begin, saved: begin }
    }

    /// The seconds until now.
    pub fn seconds(&self) -> f64 {
        self.before + self.begin.elapsed().as_secs_f64()
    }

    /// Writes them to the folder, if they were not written for some seconds.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save_at_times(&mut self) -> Result<()> {
        if self.saved.elapsed() >= EVERY { self.save() } else { Ok(()) }
    }

    /// Writes them to the folder.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&mut self) -> Result<()> {
        self.saved = Instant::now();
        write_atomic(&self.path, self.seconds().to_string().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_time_of_earlier_calls_counts() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(SECONDS);
        assert!(MatchClock::start(folder.path()).seconds() < 50.0);
        for damaged in ["", "hello", "NaN", "-100", "inf"] {
            fs::write(&file, damaged).unwrap();
            assert!((0.0..50.0).contains(&MatchClock::start(folder.path()).seconds()), "{damaged}");
        }
        fs::write(&file, "100.5\n").unwrap();
        for _ in 0..2 {
            let mut clock = MatchClock::start(folder.path());
            clock.save().unwrap();
            assert!((100.5..150.0).contains(&clock.seconds()), "{}", clock.seconds());
        }
    }
}
