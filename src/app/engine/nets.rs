//! The net that is taken: the one that is named, or the one of the game that lies where nets lie.

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::{
    games::rules::{GameId, RuleSet},
    net::ModelFile,
};

/// The folders in which a net is looked for where none is named: those of the program, `checkpoints` where the program
/// was called, and the user's own. The nearer come first.
pub fn net_folders() -> Vec<PathBuf> {
    let mut folders = env::current_exe().map(|program| program_folders(&program)).unwrap_or_default();
    folders.push(PathBuf::from("checkpoints"));
    folders.extend(user_folder());
    folders
}

/// Where the nets lie that came with `program`: its own folder; `checkpoints` in it and in every folder above it, as in
/// an unpacked archive and in a clone; `PREFIX/share/sanki` of a program that is installed in `PREFIX/bin`.
fn program_folders(program: &Path) -> Vec<PathBuf> {
    let above: Vec<&Path> = program.ancestors().skip(1).collect();
    let own = above.first().map(|folder| folder.to_path_buf());
    let checkpoints = above.iter().map(|folder| folder.join("checkpoints"));
    let shared = above.get(1).map(|prefix| prefix.join("share/sanki"));
    own.into_iter().chain(checkpoints).chain(shared).collect()
}

/// Where a user's programs keep their data.
fn user_folder() -> Option<PathBuf> {
    let var = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = if cfg!(windows) {
        var("APPDATA")
    } else if cfg!(target_os = "macos") {
        var("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        var("XDG_DATA_HOME").or_else(|| var("HOME").map(|home| home.join(".local/share")))
    };
    data.map(|data| data.join("sanki"))
}

/// What plays, and what there is to say of it.
#[derive(Clone, Debug, PartialEq)]
pub struct NetChoice {
    /// The net; `None` where the rules alone are known.
    pub model: Option<ModelFile>,
    /// Where it lies.
    pub path: Option<PathBuf>,
    /// What to tell the user, a line each.
    pub notes: Vec<String>,
}

/// The net for `game` under `rules`: the one at `named`, else the first of that game in `folders`.
pub fn choose_net(game: GameId, rules: RuleSet, named: Option<&Path>, folders: &[PathBuf]) -> NetChoice {
    let mut notes = Vec::new();
    if let Some(path) = named {
        match read(game, path) {
            Ok(model) => return chosen(model, rules, path, notes),
            Err(why) => notes.push(format!("{}: {why}", path.display())),
        }
    }
    let name = format!("{game}.sanki");
    for path in folders.iter().map(|folder| folder.join(&name)).filter(|path| path.is_file()) {
        match read(game, &path) {
            Ok(model) => return chosen(model, rules, &path, notes),
            Err(why) => notes.push(format!("{}: {why}", path.display())),
        }
    }
    let place = folders.last().map(|folder| format!(", or put {name} in {}", folder.display()));
    let place = place.unwrap_or_default();
    notes.push(format!("no net for {game} found, so only the rules are known; name one with --model{place}"));
    NetChoice { model: None, path: None, notes }
}

fn read(game: GameId, path: &Path) -> Result<ModelFile, String> {
    let model = ModelFile::read(path).map_err(|error| format!("{error:#}"))?;
    match model.meta.game {
        its if its == game => Ok(model),
        its => Err(format!("it plays {its}, not {game}")),
    }
}

fn chosen(model: ModelFile, rules: RuleSet, path: &Path, mut notes: Vec<String>) -> NetChoice {
    notes.push(format!("net {} ({})", path.display(), model.meta.net));
    if model.meta.rules != rules {
        notes.push(format!("it was trained under the rules {}, and plays under {rules}", model.meta.rules));
    }
    NetChoice { model: Some(model), path: Some(path.to_owned()), notes }
}

#[cfg(feature = "program")]
#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{games::encode::Encode, games::rules::dobutsu::Dobutsu, net::Model};

    fn write(folder: &Path, name: &str) -> PathBuf {
        let net = "sparse-32".parse().unwrap();
        let model = ModelFile::untrained::<Dobutsu>(RuleSet::Standard, Model::init(&net, Dobutsu::SHAPE, 1));
        let path = folder.join(name);
        model.to_container().write(&path).unwrap();
        path
    }

    #[test]
    fn the_named_net_comes_first_and_then_the_nearest() {
        let (near, far) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folders = [near.path().to_owned(), far.path().to_owned()];
        let choose = |named: Option<&Path>, game| choose_net(game, RuleSet::Standard, named, &folders);
        let none = choose(None, GameId::Dobutsu);
        assert!(none.model.is_none() && none.notes[0].contains("only the rules"), "{none:?}");
        write(far.path(), "dobutsu.sanki");
        assert!(choose(None, GameId::Dobutsu).notes[0].contains(far.path().to_str().unwrap()));
        write(near.path(), "dobutsu.sanki");
        assert!(choose(None, GameId::Dobutsu).notes[0].contains(near.path().to_str().unwrap()));
        let named = write(far.path(), "other.sanki");
        assert!(choose(Some(&named), GameId::Dobutsu).notes[0].contains("other.sanki"));
        let foreign = choose(Some(&named), GameId::Minishogi);
        assert!(foreign.model.is_none() && foreign.notes[0].contains("it plays dobutsu"), "{foreign:?}");
    }

    #[test]
    fn damage_and_other_rules_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let folders = [folder.path().to_owned()];
        write(folder.path(), "dobutsu.sanki");
        let other = choose_net(GameId::Dobutsu, RuleSet::Threefold, None, &folders);
        assert!(other.model.is_some() && other.notes[1].contains("plays under threefold"), "{other:?}");
        fs::write(folder.path().join("dobutsu.sanki"), b"no net").unwrap();
        let damaged = choose_net(GameId::Dobutsu, RuleSet::Standard, None, &folders);
        assert!(damaged.model.is_none() && damaged.notes.len() == 2, "{damaged:?}");
    }

    #[test]
    fn nets_of_a_package_are_found_where_it_lies() {
        let folders = |program: &str| program_folders(Path::new(program));
        let unpacked = folders("/home/a/sanki-0.1.0/sanki");
        assert_eq!(
            unpacked[..2],
            ["/home/a/sanki-0.1.0", "/home/a/sanki-0.1.0/checkpoints"].map(PathBuf::from)
        );
        for (program, nets) in [
            ("/usr/local/bin/sanki", "/usr/local/share/sanki"),
            ("/home/a/.local/bin/sanki-engine", "/home/a/.local/share/sanki"),
            ("/home/a/venv/bin/sanki", "/home/a/venv/share/sanki"),
        ] {
            assert_eq!(folders(program).last().unwrap(), Path::new(nets));
        }
        assert_eq!(folders("/sanki"), ["/", "/checkpoints"].map(PathBuf::from));
    }

    #[test]
    fn nets_are_looked_for_beside_the_program_and_in_a_clone() {
        let program = env::current_exe().unwrap();
        let folders = net_folders();
        assert_eq!(folders[0], program.parent().unwrap());
        let clone = Path::new(env!("CARGO_MANIFEST_DIR")).join("checkpoints");
        assert!(folders.contains(&clone) || !program.starts_with(env!("CARGO_MANIFEST_DIR")), "{folders:?}");
    }
}
