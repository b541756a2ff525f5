//! What was ordered on the page: how `sanki` is started for it, and started again to go on.
//!
//! An order is kept beside the folders of the matches, not within: `sanki match` takes no folder that has files of others.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::{
    app::serve::{
        engines::Engines,
        folders::{FolderName, Folders},
        state::ServerState,
        texts::Texts,
    },
    base::store::{read_at_most, write_atomic},
    games::rules::GameId,
};

/// The folder of the orders, among those of the matches.
const ORDERS: &str = ".orders";
/// Bytes of an order at most.
const MOST_BYTES: u64 = 1 << 16;
/// Names that are tried at most.
const MOST_NAMES: u32 = 10_000;

/// What a player may use for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum MoveBudget {
    /// Simulations.
    Sims(u32),
    /// Milliseconds.
    Movetime(u32),
}

/// What is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum What {
    /// Two players, as `sanki match` takes them; the game where neither tells it.
    Match { players: [String; 2], game: Option<GameId> },
    /// The checkpoints of the run in this folder.
    Ladder { run: PathBuf },
}

/// An order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MatchOrder {
    /// What is played.
    pub(super) what: What,
    /// What the players have for a move.
    pub(super) budget: MoveBudget,
    /// Games.
    pub(super) games: u32,
    /// Games at once.
    pub(super) cores: usize,
}

impl MatchOrder {
    /// What `sanki` is started with to play in the folder `root`.
    fn arguments(&self, root: &Path) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = match &self.what {
            What::Match { players: [a, b], .. } => vec!["match".into(), a.into(), b.into()],
            What::Ladder { run } => vec!["ladder".into(), run.into()],
        };
        if let What::Match { game: Some(game), .. } = self.what {
            arguments.extend(["--game".into(), game.as_str().into()]);
        }
        let (budget, number) = match self.budget {
            MoveBudget::Sims(number) => ("--sims", number),
            MoveBudget::Movetime(number) => ("--movetime", number),
        };
        arguments.extend([budget.into(), number.to_string().into()]);
        arguments.extend(["--games".into(), self.games.to_string().into()]);
        arguments.extend(["--threads".into(), self.cores.to_string().into()]);
        arguments.extend(["--out".into(), root.into()]);
        arguments
    }

    /// The order as one that may be carried out, wherever it comes from: a form, or a file of another day.
    ///
    /// # Errors
    /// The engine of another program that it has and that may not be started.
    pub(super) fn permit(self, engines: &Engines) -> Result<Permitted, Forbidden> {
        let players = match &self.what {
            What::Match { players, .. } => &players[..],
            What::Ladder { .. } => &[],
        };
        match players.iter().find(|player| !engines.may_play(player)) {
            Some(player) => Err(Forbidden(player.clone())),
            None => Ok(Permitted(self)),
        }
    }

    /// The order of the contest `name`, if it was ordered here.
    pub(super) fn read(folders: &Folders, name: &FolderName) -> Option<Self> {
        let bytes = read_at_most(&path(folders, name), MOST_BYTES).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    fn write(&self, folders: &Folders, name: &FolderName) -> Result<()> {
        let path = path(folders, name);
        let folder = path.parent().expect("it is in a folder");
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        write_atomic(&path, &serde_json::to_vec_pretty(self).context("an order does not serialise")?)
    }
}

/// The engine of another program that an order has and that may not be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Forbidden(String);

impl Forbidden {
    /// What to do about it.
    pub(super) fn words(&self, texts: Texts) -> String {
        texts.fill("contests.forbidden_engine", &[("engine", &self.0)])
    }
}

/// An order that may be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Permitted(MatchOrder);

impl Permitted {
    /// Begins it in a new folder, whose name begins with `name`.
    ///
    /// # Errors
    /// When the folder cannot be made or `sanki` not be started.
    pub(super) fn begin(&self, state: &ServerState, name: &str) -> Result<FolderName> {
        let name = free_name(&state.folders.matches, name)?;
        self.go_on(state, &name)?;
        Ok(name)
    }

    /// Goes on in the folder that it was begun in.
    ///
    /// # Errors
    /// When `sanki` cannot be started.
    pub(super) fn go_on(&self, state: &ServerState, name: &FolderName) -> Result<()> {
        let root = name.of(&state.folders.matches);
        self.0.write(&state.folders, name)?;
        state.processes.start(&root, &self.0.arguments(&root))
    }
}

fn path(folders: &Folders, name: &FolderName) -> PathBuf {
    folders.matches.join(ORDERS).join(format!("{name}.json"))
}

/// Makes a folder whose name begins with `name`, and that is not taken yet.
fn free_name(folder: &Path, name: &str) -> Result<FolderName> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for number in 1..MOST_NAMES {
        let name = FolderName::try_from(format!("{name}-{number}"))?;
        let path = name.of(folder);
        match fs::create_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => {
                made.with_context(|| format!("cannot make {}", path.display()))?;
                return Ok(name);
            }
        }
    }
    anyhow::bail!("no name is free in {}", folder.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(matches: &Path) -> Folders {
        Folders { runs: "runs".into(), matches: matches.into(), games: "games".into() }
    }

    #[test]
    fn an_order_is_kept_and_says_the_same_command() {
        let folder = tempfile::tempdir().unwrap();
        let folders = folders(folder.path());
        let players = ["runs/a@1".to_owned(), "random".to_owned()];
        let order = MatchOrder {
            what: What::Match { players, game: Some(GameId::Dobutsu) },
            budget: MoveBudget::Movetime(50),
            games: 20,
            cores: 2,
        };
        let name = free_name(&folders.matches, "dobutsu").unwrap();
        assert_eq!(MatchOrder::read(&folders, &name), None);
        order.write(&folders, &name).unwrap();
        assert_eq!(MatchOrder::read(&folders, &name), Some(order.clone()));
        assert_eq!(FolderName::all_in(&folders.matches), [name], "orders are no contests");
        let arguments = order.arguments(Path::new("m/x"));
        let words = arguments.join(" ".as_ref());
        assert_eq!(
            words,
            "match runs/a@1 random --game dobutsu --movetime 50 --games 20 --threads 2 --out m/x"
        );
    }

    #[test]
    fn orders_with_foreign_engines_need_leave() {
        let order = |players: [&str; 2]| MatchOrder {
            what: What::Match { players: players.map(str::to_owned), game: None },
            budget: MoveBudget::Sims(1),
            games: 2,
            cores: 1,
        };
        let engines = Engines { listed: vec!["uci:good".to_owned()], any: false };
        assert!(order(["random", "uci:good"]).permit(&engines).is_ok());
        let refused = order(["random", "uci:good?a=b"]).permit(&engines);
        assert_eq!(refused, Err(Forbidden("uci:good?a=b".to_owned())));
        assert!(order(["usi:x", "uci:good"]).permit(&engines).is_err());
        let ladder = MatchOrder { what: What::Ladder { run: "runs/a".into() }, ..order(["", ""]) };
        assert!(ladder.permit(&Engines::default()).is_ok());
    }

    #[test]
    fn each_contest_has_a_folder_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let names = [1, 2, 3].map(|_| free_name(folder.path(), "shogi").unwrap().to_string());
        assert_eq!(names, ["shogi-1", "shogi-2", "shogi-3"]);
        assert!(free_name(folder.path(), "../x").is_err());
    }
}
