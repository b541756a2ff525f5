//! A file of named sections, each with its checksum.
//!
//! ```text
//! magic    8 bytes   "SANKI\r\n\x1a": a text-mode copy damages it at once
//! version  u32       of this layout, little endian as all numbers
//! header   u32, u32  length and CRC-32 of the JSON that follows
//!                    {"kind": "...", "sections": [{"name", "length", "crc"}, ...]}
//! sections           their bytes, one after the other, to the end of the file
//! ```

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::read_whole;
#[cfg(feature = "program")]
use super::write_atomic;

const MAGIC: &[u8; 8] = b"SANKI\r\n\x1a";
const VERSION: u32 = 1;
const PREFIX: usize = MAGIC.len() + 12;

#[derive(Serialize, Deserialize)]
struct Header {
    kind: String,
    sections: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    name: String,
    length: u64,
    crc: u32,
}

/// Named byte strings in one file, in the order they were added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    kind: String,
    sections: Vec<(String, Vec<u8>)>,
}

impl Container {
    /// An empty one; `kind` says what it holds and is checked when it is read.
    pub fn new(kind: &str) -> Self {
        Container { kind: kind.to_owned(), sections: Vec::new() }
    }

    /// Adds a section.
    #[must_use]
    pub fn with(mut self, name: &str, bytes: Vec<u8>) -> Self {
        self.sections.push((name.to_owned(), bytes));
        self
    }

    /// The section called `name`.
    ///
    /// # Errors
    /// When there is none.
    pub fn section(&self, name: &str) -> Result<&[u8]> {
        let found = self.sections.iter().find(|(n, _)| n == name);
        found.map(|(_, bytes)| bytes.as_slice()).with_context(|| format!("section '{name}' is missing"))
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    /// Names the path.
    #[cfg(feature = "program")]
    pub fn write(&self, path: &Path) -> Result<()> {
        write_atomic(path, &self.to_bytes())
    }

    /// Reads a file of this `kind` and checks every byte of it.
    ///
    /// # Errors
    /// Names the path and says whether the file is unreadable, foreign, of another version, truncated or damaged.
    pub fn read(path: &Path, kind: &str) -> Result<Self> {
        let container = Container::from_bytes(&read_whole(path)?).and_then(|read| read.of_kind(kind));
        container.with_context(|| format!("cannot use {}", path.display()))
    }

    /// The same, if it is of this `kind`.
    ///
    /// # Errors
    /// Says of which it is.
    pub fn of_kind(self, kind: &str) -> Result<Self> {
        ensure!(self.kind == kind, "it holds a {}, not a {kind}", self.kind);
        Ok(self)
    }

    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let entry = |(name, bytes): &(String, Vec<u8>)| Entry {
            name: name.clone(),
            length: bytes.len() as u64,
            crc: crc32fast::hash(bytes),
        };
        let header = Header { kind: self.kind.clone(), sections: self.sections.iter().map(entry).collect() };
        let header = serde_json::to_vec(&header).expect("a header is plain JSON");
        let sections: usize = self.sections.iter().map(|(_, bytes)| bytes.len()).sum();
        let mut out = Vec::with_capacity(PREFIX + header.len() + sections);
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        out.extend((header.len() as u32).to_le_bytes());
        out.extend(crc32fast::hash(&header).to_le_bytes());
        out.extend(header);
        self.sections.iter().for_each(|(_, bytes)| out.extend(bytes));
        out
    }

    /// Reads what [`Container::to_bytes`] wrote.
    ///
    /// # Errors
    /// Says what is wrong: foreign, another version, truncated, damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        ensure!(bytes.starts_with(MAGIC), "not a file of this program");
        ensure!(bytes.len() >= PREFIX, "the file is truncated");
        let word = |i: usize| u32::from_le_bytes(bytes[i..i + 4].try_into().expect("four bytes"));
        ensure!(word(8) == VERSION, "file version {}, this program reads {VERSION}", word(8));
        let (length, crc) = (word(12) as usize, word(16));
        let Some(header) = bytes[PREFIX..].get(..length) else { bail!("the file is truncated") };
        ensure!(crc32fast::hash(header) == crc, "the header is damaged");
        let header: Header = serde_json::from_slice(header).context("the header is damaged")?;

        let mut rest = &bytes[PREFIX + length..];
        let mut sections = Vec::with_capacity(header.sections.len());
        for Entry { name, length, crc } in header.sections {
            let length = usize::try_from(length).context("the header is damaged")?;
            ensure!(rest.len() >= length, "the file is truncated in section '{name}'");
            let (section, after) = rest.split_at(length);
            ensure!(crc32fast::hash(section) == crc, "section '{name}' is damaged");
            sections.push((name, section.to_vec()));
            rest = after;
        }
        ensure!(rest.is_empty(), "{} bytes too many at the end", rest.len());
        Ok(Container { kind: header.kind, sections })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Container {
        Container::new("model").with("meta", b"{}".to_vec()).with("weights", (0..=255).collect())
    }

    #[test]
    fn what_was_written_is_read() {
        let read = Container::from_bytes(&example().to_bytes()).unwrap();
        assert_eq!(read, example());
        assert_eq!(read.section("meta").unwrap(), b"{}");
        assert!(read.section("optimizer").unwrap_err().to_string().contains("'optimizer' is missing"));
    }

    #[test]
    fn every_truncation_and_every_flipped_bit_is_noticed() {
        let bytes = example().to_bytes();
        for length in 0..bytes.len() {
            assert!(Container::from_bytes(&bytes[..length]).is_err(), "cut to {length} bytes");
        }
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(Container::from_bytes(&damaged).is_err(), "bit {bit} flipped");
        }
    }

    #[cfg(feature = "program")]
    #[test]
    fn another_kind_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        example().write(&path).unwrap();
        let error = format!("{:#}", Container::read(&path, "checkpoint").unwrap_err());
        assert!(error.contains("it holds a model, not a checkpoint"), "{error}");
    }

    #[cfg(feature = "program")]
    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("a");
        let error = example().write(&path).unwrap_err();
        assert!(format!("{error:#}").contains("missing"), "{error:#}");
        assert!(!path.exists());
    }
}
