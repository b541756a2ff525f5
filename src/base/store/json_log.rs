//! A log of JSON, a value a line, that mends itself.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde::{Serialize, de::DeserializeOwned};

use super::{keep_damaged, read_at_most, retry_open, write_atomic};

/// A file to which values are added as they come, so that a kill costs the one in flight and no other.
#[derive(Debug)]
pub struct JsonLog {
    path: PathBuf,
    /// Open since the first value that was added: without any, no file is made.
    file: Option<File>,
}

/// A log with what it holds.
#[derive(Debug)]
pub struct OpenedLog<T> {
    /// The log, to be added to.
    pub log: JsonLog,
    /// Its values.
    pub values: Vec<T>,
    /// What was wrong with it, if anything was.
    pub damage: Option<LogDamage>,
}

/// Lines of a log that could not be used. The log goes on without them.
#[derive(Debug)]
pub struct LogDamage {
    /// The first problem, beginning with the number of its line.
    pub problem: String,
    /// How many lines.
    pub lines: usize,
    /// Where the log as it was is kept.
    pub kept: PathBuf,
}

impl JsonLog {
    /// Opens the log at `path`, which may have `most` bytes; where there is none, the first value makes it. A last line that a kill cut short
    /// is removed. Where other lines are no values, or fail `check`, the file is kept under another name and goes on
    /// without them.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn open<T: DeserializeOwned>(
        path: &Path,
        most: u64,
        check: impl FnMut(&T) -> Result<()>,
    ) -> Result<OpenedLog<T>> {
        let open = || -> Result<OpenedLog<T>> {
            let text = match read_at_most(path, most) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
                text => text?,
            };
            let Lines { values, good, bad } = Lines::of(&text, check);
            let damage = match bad.first() {
                None => None,
                Some(problem) => {
                    let kept = keep_damaged(path)?;
                    Some(LogDamage { problem: problem.clone(), lines: bad.len(), kept })
                }
            };
            if good != text {
                write_atomic(path, &good)?;
            }
            Ok(OpenedLog { log: JsonLog { path: path.to_owned(), file: None }, values, damage })
        };
        open().with_context(|| format!("cannot use {}", path.display()))
    }

    /// The values in the log at `path` as far as they can be read and pass `check`; the log stays as it is.
    pub fn peek<T: DeserializeOwned>(path: &Path, most: u64, check: impl FnMut(&T) -> Result<()>) -> Vec<T> {
        Lines::of(&read_at_most(path, most).unwrap_or_default(), check).values
    }

    /// Adds a value.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append<T: Serialize>(&mut self, value: &T) -> Result<()> {
        let line = line(value)?;
        let mut write = || -> io::Result<()> {
            let file = match &mut self.file {
                Some(file) => file,
                none => {
                    none.insert(retry_open(|| File::options().create(true).append(true).open(&self.path))?)
                }
            };
            file.write_all(&line)
        };
        write().with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Writes a log anew.
    ///
    /// # Errors
    /// Names the path.
    pub fn write<T: Serialize>(path: &Path, values: &[T]) -> Result<()> {
        let lines: Result<Vec<Vec<u8>>> = values.iter().map(line).collect();
        write_atomic(path, &lines?.concat())
    }
}

fn line<T: Serialize>(value: &T) -> Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value).context("a line of a log does not serialise")?;
    line.push(b'\n');
    Ok(line)
}

/// What the text of a log holds.
struct Lines<T> {
    values: Vec<T>,
    /// Their lines, each with its end.
    good: Vec<u8>,
    /// What is wrong with the others, but for a last one that was cut short.
    bad: Vec<String>,
}

impl<T: DeserializeOwned> Lines<T> {
    fn of(text: &[u8], mut check: impl FnMut(&T) -> Result<()>) -> Self {
        let mut lines = Lines { values: Vec::new(), good: Vec::new(), bad: Vec::new() };
        let mut read = |line: &[u8]| -> Result<T> {
            let value = serde_json::from_slice(line).context("does not read")?;
            check(&value).context("cannot be")?;
            Ok(value)
        };
        for (line, number) in text.split_inclusive(|&byte| byte == b'\n').zip(1..) {
            let body = line.strip_suffix(b"\n");
            match (read(body.unwrap_or(line)), body) {
                (Ok(value), _) => {
                    lines.values.push(value);
                    lines.good.extend_from_slice(body.unwrap_or(line));
                    lines.good.push(b'\n');
                }
                (Err(_), None) => {}
                (Err(error), Some(_)) => lines.bad.push(format!("line {number} {error:#}")),
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use anyhow::ensure;

    use super::*;

    /// Numbers that rise.
    fn open(path: &Path) -> OpenedLog<u32> {
        let mut last = 0;
        JsonLog::open(path, 1 << 20, |number: &u32| {
            ensure!(*number > last, "{number} comes after {last}");
            last = *number;
            Ok(())
        })
        .unwrap()
    }

    #[test]
    fn a_torn_line_is_dropped_and_nothing_is_kept_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.jsonl");
        let mut opened = open(&path);
        assert!(opened.values.is_empty() && !path.exists());
        [100, 200].iter().for_each(|number| opened.log.append(number).unwrap());
        let whole = fs::read(&path).unwrap();
        assert_eq!(whole, b"100\n200\n");
        for torn in ["100\n200\n{", "100\n200"] {
            fs::write(&path, torn).unwrap();
            let mut opened = open(&path);
            assert_eq!(opened.values, [100, 200], "{torn}");
            assert!(opened.damage.is_none());
            opened.log.append(&300).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"100\n200\n300\n");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "a kill leaves nothing to keep");
    }

    #[test]
    fn what_does_not_read_or_cannot_be_is_kept_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("numbers.jsonl");
        for (text, problem) in [
            ("1\nhello\n3\n", "line 2 does not read"),
            ("1\n3\n2\n", "line 3 cannot be"),
            ("\n1\n3\n", "line 1"),
        ] {
            fs::write(&path, text).unwrap();
            assert_eq!(
                JsonLog::peek::<u32>(&path, 1 << 20, |_| Ok(())).len(),
                if text.contains('2') { 3 } else { 2 }
            );
            let opened = open(&path);
            let damage = opened.damage.expect("it is damaged");
            assert_eq!((opened.values, damage.lines), (vec![1, 3], 1));
            assert!(damage.problem.starts_with(problem), "{}", damage.problem);
            assert_eq!(fs::read_to_string(&damage.kept).unwrap(), text);
            fs::remove_file(damage.kept).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"1\n3\n");
        }
    }
}
