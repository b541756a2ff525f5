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

/// A net by its name: `published:janggi`, `run:first` (its newest) or `run:first@40`.
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
        let run = text.strip_prefix("run:").ok_or(())?;
        let (name, generation) = match run.rsplit_once('@').map(|(name, at)| (name, at.parse())) {
            Some((name, Ok(generation))) => (name, Some(generation)),
            _ => (run, None),
        };
        Ok(NetId::Run(FolderName::try_from(name.to_owned()).map_err(|_| ())?, generation))
    }
}

impl fmt::Display for NetId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NetId::Published(game) => write!(f, "published:{game}"),
            NetId::Run(name, None) => write!(f, "run:{name}"),
            NetId::Run(name, Some(generation)) => write!(f, "run:{name}@{generation}"),
        }
    }
}

impl NetId {
    /// As a part of an address.
    pub(super) fn in_address(&self) -> String {
        match self {
            NetId::Published(_) => self.to_string(),
            NetId::Run(name, None) => format!("run:{}", name.in_address()),
            NetId::Run(name, Some(generation)) => format!("run:{}@{generation}", name.in_address()),
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
    if !is_sparse(&run.config.net) {
        return Vec::new();
    }
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
    fn addresses_of_nets_are_ascii() {
        let name = FolderName::try_from("내 a+b".to_owned()).unwrap();
        assert_eq!(NetId::Run(name, Some(3)).file(), "/nets/run:%EB%82%B4%20a%2Bb@3");
    }
}
