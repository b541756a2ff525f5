//! Where runs, matches and games lie, and the names below them.

use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};

use crate::training::run::RunDir;

/// The folders that the page shows; those that `sanki train`, `sanki match` and `sanki play` use by themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    /// Runs, a folder each.
    pub runs: PathBuf,
    /// Matches and ladders, a folder each.
    pub matches: PathBuf,
    /// Games that were played on the page, or brought to it, a file each.
    pub games: PathBuf,
}

/// Letters of a name at most.
const LONGEST: usize = 120;

/// What stands for itself in every part of an address; all else is encoded.
const ENCODED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'@');

/// The name of an entry of a folder, from outside: it leads nowhere else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct FolderName(String);

/// A text that is no [`FolderName`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "“{0}” is no name of a folder: up to {LONGEST} letters, digits, spaces and . _ - + @ are allowed, not at its \
     beginning a dot"
)]
pub struct BadName(String);

impl TryFrom<String> for FolderName {
    type Error = BadName;

    fn try_from(text: String) -> Result<Self, BadName> {
        let is_plain = |letter: char| letter.is_alphanumeric() || " ._-+@".contains(letter);
        let begins = text.chars().next().is_some_and(|first| first != '.' && first != ' ' && first != '-');
        let is_name = begins && text.chars().count() <= LONGEST && text.chars().all(is_plain);
        if is_name && !text.ends_with([' ', '.']) { Ok(FolderName(text)) } else { Err(BadName(text)) }
    }
}

impl fmt::Display for FolderName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FolderName {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As a part of an address, in its path or its query (RFC 3986, 2.1).
    pub fn in_address(&self) -> String {
        utf8_percent_encode(&self.0, &ENCODED).to_string()
    }

    /// The entry of `folder` that has the name.
    pub fn of(&self, folder: &Path) -> PathBuf {
        folder.join(&self.0)
    }

    /// The entries of `folder` whose names can be asked for; none where there is no such folder.
    pub fn all_in(folder: &Path) -> Vec<FolderName> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter_map(|name| FolderName::try_from(name).ok()).collect()
    }
}

/// Which match or ladder is meant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub enum MatchId {
    /// That of this name among the matches.
    Match(FolderName),
    /// That of a run, where `sanki ladder` puts it by itself.
    Ladder {
        /// The run.
        run: FolderName,
        /// The name of the ladder's folder.
        name: FolderName,
    },
}

/// Between the two names of a ladder of a run in an address: no name has it.
const BETWEEN: char = '~';

impl TryFrom<String> for MatchId {
    type Error = BadName;

    fn try_from(text: String) -> Result<Self, BadName> {
        match text.split_once(BETWEEN) {
            None => Ok(MatchId::Match(text.try_into()?)),
            Some((run, name)) => {
                Ok(MatchId::Ladder { run: run.to_owned().try_into()?, name: name.to_owned().try_into()? })
            }
        }
    }
}

/// For people.
impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            MatchId::Match(name) => name.fmt(f),
            MatchId::Ladder { run, name } => write!(f, "{run} – {name}"),
        }
    }
}

impl MatchId {
    /// As a part of an address, in its path or its query.
    pub fn in_address(&self) -> String {
        match self {
            MatchId::Match(name) => name.in_address(),
            MatchId::Ladder { run, name } => format!("{}{BETWEEN}{}", run.in_address(), name.in_address()),
        }
    }

    /// Its folder.
    pub fn root(&self, folders: &Folders) -> PathBuf {
        match self {
            MatchId::Match(name) => name.of(&folders.matches),
            MatchId::Ladder { run, name } => name.of(&RunDir::at(&run.of(&folders.runs)).ladders()),
        }
    }

    /// What may be one: the folders among the matches and those of ladders in runs.
    pub fn all_in(folders: &Folders) -> Vec<MatchId> {
        let matches = FolderName::all_in(&folders.matches).into_iter().map(MatchId::Match);
        let ladders = FolderName::all_in(&folders.runs).into_iter().flat_map(|run| {
            let names = FolderName::all_in(&RunDir::at(&run.of(&folders.runs)).ladders());
            names.into_iter().map(move |name| MatchId::Ladder { run: run.clone(), name })
        });
        matches.chain(ladders).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ladders_lie_in_their_runs() {
        let root = tempfile::tempdir().unwrap();
        let folders = Folders {
            runs: root.path().join("runs"),
            matches: root.path().join("matches"),
            games: root.path().join("games"),
        };
        fs::create_dir_all(folders.matches.join("one")).unwrap();
        fs::create_dir_all(folders.runs.join("a b/ladders/two")).unwrap();
        let ids = MatchId::all_in(&folders);
        let addresses: Vec<String> = ids.iter().map(MatchId::in_address).collect();
        assert_eq!(addresses, ["one", "a%20b~two"]);
        for id in ids {
            assert!(id.root(&folders).is_dir(), "{id}");
            let decoded =
                percent_encoding::percent_decode_str(&id.in_address()).decode_utf8().unwrap().into_owned();
            assert_eq!(MatchId::try_from(decoded), Ok(id));
        }
        for bad in ["../one", "run~../one", "~one", "run~", "a~b~c"] {
            assert!(MatchId::try_from(bad.to_owned()).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_lead_nowhere_else() {
        for good in ["first", "janggi-20261122-193252", "내 장기", "a.b+c@d_e", "7"] {
            assert_eq!(FolderName::try_from(good.to_owned()).unwrap().as_str(), good);
        }
        let long = "x".repeat(LONGEST + 1);
        for bad in [
            "", ".", "..", ".hidden", "a/b", "a\\b", "/etc", "c:x", "-o", " a", "a ", "a.", "a\0", "a\n",
            &long,
        ] {
            assert_eq!(FolderName::try_from(bad.to_owned()), Err(BadName(bad.to_owned())));
        }
        assert!(BadName(long).to_string().contains("up to 120 letters"));
    }

    #[test]
    fn names_stand_in_addresses() {
        let name = FolderName::try_from("내 a+b@3".to_owned()).unwrap();
        assert_eq!(name.in_address(), "%EB%82%B4%20a%2Bb@3");
    }

    #[test]
    fn a_folder_that_is_not_there_has_no_entries() {
        let folder = tempfile::tempdir().unwrap();
        assert!(FolderName::all_in(&folder.path().join("none")).is_empty());
        fs::create_dir(folder.path().join("one")).unwrap();
        fs::create_dir(folder.path().join(".two")).unwrap();
        assert_eq!(FolderName::all_in(folder.path()), [FolderName("one".to_owned())]);
    }
}
