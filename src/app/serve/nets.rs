//! The nets that can be chosen to play: the published ones, and those of runs at their checkpoints.

use std::{fmt, path::PathBuf, str::FromStr};

use axum::{
    extract,
    http::header,
    response::{IntoResponse, Response},
};

use super::{
    error::PageError,
    folders::{FolderName, Folders},
    runs::Run,
    state::{SharedState, blocking},
    texts::Texts,
};
use crate::{
    app::engine::net_folders,
    games::rules::GameId,
    net::{ModelFile, NetConfig, file::newest},
    training::run::RunDir,
};

/// What stands behind the name of a run where its newest net is meant.
const NEWEST: &str = "newest";

/// A net by its name: `published:janggi`, `run:first` or `run:first@newest` (its newest), or `run:first@40`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NetId {
    /// The one that came with the program.
    Published(GameId),
    /// A run's, at a generation or its newest.
    Run(FolderName, Option<u32>),
}

impl FromStr for NetId {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if let Some(game) = text.strip_prefix("published:") {
            return game.parse().map(NetId::Published).map_err(|_| ());
        }
        let (name, generation) = split(text.strip_prefix("run:").ok_or(())?);
        Ok(NetId::Run(FolderName::try_from(name.to_owned()).map_err(|_| ())?, generation))
    }
}

/// The name of a run and the generation of one of its nets, from the two with perhaps an `@` between.
fn split(text: &str) -> (&str, Option<u32>) {
    match text.rsplit_once('@') {
        Some((name, NEWEST)) => (name, None),
        Some((name, at)) => at.parse().map_or((text, None), |generation| (name, Some(generation))),
        None => (text, None),
    }
}

/// What stands behind the name of a run in the name of its net.
fn end(run: &FolderName, generation: Option<u32>) -> String {
    match generation {
        Some(generation) => format!("@{generation}"),
        None if split(run.as_str()) == (run.as_str(), None) => String::new(),
        // The name itself ends as if it had a generation.
        None => format!("@{NEWEST}"),
    }
}

impl fmt::Display for NetId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NetId::Published(game) => write!(f, "published:{game}"),
            NetId::Run(name, generation) => write!(f, "run:{name}{}", end(name, *generation)),
        }
    }
}

impl NetId {
    /// As a part of an address.
    pub(super) fn in_address(&self) -> String {
        match self {
            NetId::Published(_) => self.to_string(),
            NetId::Run(name, generation) => format!("run:{}{}", name.in_address(), end(name, *generation)),
        }
    }

    /// Where a browser gets its file.
    pub(super) fn file(&self) -> String {
        format!("/nets/{}", self.in_address())
    }

    /// The file that has it: a player of `sanki match`, too. `None` where there is none.
    pub(super) fn path(&self, folders: &Folders) -> Option<PathBuf> {
        match self {
            NetId::Published(game) => published(*game),
            NetId::Run(name, None) => newest(&name.of(&folders.runs)).ok(),
            NetId::Run(name, Some(generation)) => {
                Some(RunDir::at(&name.of(&folders.runs)).checkpoint(*generation))
                    .filter(|path| path.is_file())
            }
        }
    }
}

/// The published net of a game.
fn published(game: GameId) -> Option<PathBuf> {
    let name = format!("{game}.sanki");
    net_folders().into_iter().map(|folder| folder.join(&name)).find(|path| path.is_file())
}

/// A net to choose.
#[derive(Clone, Debug)]
pub(super) struct Net {
    /// Its name.
    pub(super) id: NetId,
    /// What it plays.
    pub(super) game: GameId,
    /// Minutes by the clock that trained it, evaluations apart, as in all that the page says of runs; where that is known.
    pub(super) minutes: Option<f64>,
}

/// The nets that a browser can play with, the published ones first, then the runs' newest.
pub(super) fn all(folders: &Folders) -> Vec<Net> {
    let published = GameId::ALL.into_iter().filter(|&game| published(game).is_some());
    let published = published.map(|game| Net { id: NetId::Published(game), game, minutes: None });
    let runs = Run::all(folders).into_iter().filter(|run| run.has_net() && is_sparse(&run.config.net));
    let runs = runs.map(|run| Net {
        game: run.config.game,
        minutes: run.newest_report().map(|report| report.seconds / 60.0),
        id: NetId::Run(run.name, None),
    });
    published.chain(runs).collect()
}

/// The nets of one run that a browser can play with, the oldest first: one for each checkpoint that is kept.
pub(super) fn of_run(run: &Run) -> Vec<Net> {
    if is_sparse(&run.config.net) { kept_by(run) } else { Vec::new() }
}

/// The nets of one run, of whatever kind, the oldest first: one for each checkpoint that is kept.
pub(super) fn kept_by(run: &Run) -> Vec<Net> {
    let reports = run.reports();
    let minutes = |generation: u32| match generation {
        0 => Some(0.0),
        _ => {
            reports.iter().find(|report| report.generation == generation).map(|report| report.seconds / 60.0)
        }
    };
    let net = |generation: u32| Net {
        id: NetId::Run(run.name.clone(), Some(generation)),
        game: run.config.game,
        minutes: minutes(generation),
    };
    run.generations().into_iter().map(net).collect()
}

fn is_sparse(net: &NetConfig) -> bool {
    matches!(net, NetConfig::Sparse(_))
}

/// Gives a net as a file, as small as it can be: for the module, and to take away.
pub(super) async fn get(
    extract::State(state): SharedState,
    texts: Texts,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, PageError> {
    let id: NetId = id.parse().map_err(|()| PageError::missing(texts))?;
    let path = id.path(&state.folders).ok_or_else(|| PageError::missing(texts))?;
    let bytes = blocking(texts, move || ModelFile::compact(&path)).await?;
    let kind = [(header::CONTENT_TYPE, "application/octet-stream")];
    Ok((kind, bytes).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_nets_are_read_back() {
        for text in ["published:janggi", "run:first", "run:first@40", "run:a@b", "run:a@b@7"] {
            assert_eq!(text.parse::<NetId>().unwrap().to_string(), text);
        }
        for bad in ["", "janggi", "published:chess", "run:", "run:../x", "run:a/b@3", "file:/etc/passwd"] {
            assert!(bad.parse::<NetId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn runs_may_be_called_as_if_they_had_a_generation() {
        for name in ["a@5", "a@+5", "a@newest", "a@5@newest", "a@b", "a@99999999999"] {
            let name = FolderName::try_from(name.to_owned()).unwrap();
            for id in [NetId::Run(name.clone(), None), NetId::Run(name, Some(7))] {
                assert_eq!(id.to_string().parse::<NetId>(), Ok(id.clone()), "{id}");
            }
        }
        let named = FolderName::try_from("a@5".to_owned()).unwrap();
        assert_eq!(NetId::Run(named, None).file(), "/nets/run:a@5@newest");
        // As games name it that are kept already.
        let named = FolderName::try_from("first".to_owned()).unwrap();
        assert_eq!("run:first@newest".parse::<NetId>(), Ok(NetId::Run(named.clone(), None)));
        assert_eq!(NetId::Run(named, None).to_string(), "run:first");
    }

    #[test]
    fn addresses_of_nets_are_ascii() {
        let name = FolderName::try_from("내 a+b".to_owned()).unwrap();
        assert_eq!(NetId::Run(name, Some(3)).file(), "/nets/run:%EB%82%B4%20a%2Bb@3");
    }
}
