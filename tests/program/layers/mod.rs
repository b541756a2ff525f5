//! Modules stand in layers, and each uses only those above it; and no files use each other.

mod circles;
mod ways;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The modules from the top, each as its layer and its place in it: a module uses itself and those before it. A layer
/// without modules of its own here is one module.
const ORDER: [&str; 26] = [
    "base::splitmix",
    "base::rng",
    "base::maths",
    "base::store",
    "games::rules",
    "games::notation",
    "games::book",
    "games::records",
    "games::encode",
    "search",
    "net",
    "protocol",
    "arena",
    "training::selfplay",
    "training::replay",
    "training::learner",
    "training::run",
    "training::improve",
    "training::remote",
    "app::console",
    "app::report",
    "app::web",
    "app::engine",
    "app::terminal",
    "app::serve",
    "app::cli",
];
/// The most layers that a newcomer takes in at a glance.
const MOST_LAYERS: usize = 8;
/// Uses that the order would allow, `(module, what it must not use)`: the tree knows moves, not indices.
const FORBIDDEN: [(&str, &str); 1] = [("search", "games::encode")];
/// Macros stand at the root of the crate, whoever owns them.
const MACROS: [&str; 1] = ["with_game"];

/// The module and the path of every source file in one, without `lib.rs`, the programs and the lists of a layer's modules.
fn sources() -> Vec<(String, PathBuf)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    let mut folders = vec![src.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let inner = path.strip_prefix(&src).expect("below src").with_extension("");
                let parts: Vec<String> =
                    inner.iter().map(|part| part.to_string_lossy().into_owned()).collect();
                let is_list = parts.len() == 2 && parts[1] == "mod" && is_divided(&parts[0]);
                if parts.len() > 1 && !is_list {
                    files.push((module(&parts[0], Some(&parts[1])), path));
                }
            }
        }
    }
    files
}

/// Whether the modules of a layer have an order of their own.
fn is_divided(layer: &str) -> bool {
    ORDER.iter().any(|known| known.strip_prefix(layer).is_some_and(|rest| rest.starts_with("::")))
}

/// The module of ORDER that has `layer::inner`.
fn module(layer: &str, inner: Option<&str>) -> String {
    match inner {
        Some(inner) if is_divided(layer) => format!("{layer}::{inner}"),
        _ => layer.to_owned(),
    }
}

/// The modules right behind each `crate::`, those in a group `crate::{a::b, c::{d, e}}` included.
fn used(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, prefix) in source.match_indices("crate::") {
        for (layer, rest) in items(&source[at + prefix.len()..]) {
            match rest.strip_prefix("::") {
                Some(inner) if is_divided(layer) => {
                    names.extend(items(inner).into_iter().map(|(inner, _)| module(layer, Some(inner))));
                }
                _ => names.push(module(layer, None)),
            }
        }
    }
    names
}

/// The first name of each item of a tree of `use`, with what follows it.
fn items(tree: &str) -> Vec<(&str, &str)> {
    let Some(group) = tree.strip_prefix('{') else { return vec![first_name(tree)] };
    let mut items = vec![first_name(group.trim_start())];
    let mut depth = 0;
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => items.push(first_name(group[at + 1..].trim_start())),
            _ => {}
        }
    }
    // A trailing comma is followed by no name.
    items.retain(|(name, _)| !name.is_empty());
    items
}

fn first_name(text: &str) -> (&str, &str) {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    text.split_at(end)
}

fn place(module: &str) -> Option<usize> {
    ORDER.iter().position(|&known| known == module)
}

fn may_use(module: &str, used: &str) -> bool {
    match (place(module), place(used)) {
        (Some(own), Some(other)) => other <= own && !FORBIDDEN.contains(&(module, used)),
        (_, None) => MACROS.contains(&used),
        (None, _) => false,
    }
}

#[test]
fn modules_use_only_what_stands_above_them() {
    let sources = sources();
    assert!(sources.len() > 5, "{sources:?}");
    for (module, path) in sources {
        assert!(place(&module).is_some(), "{}: '{module}' has no place in the order", path.display());
        let source = fs::read_to_string(&path).expect("a source file");
        for name in used(&source) {
            assert!(may_use(&module, &name), "{}: '{module}' must not use '{name}'", path.display());
        }
    }
}

#[test]
fn the_layers_are_few() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folders: BTreeSet<String> = fs::read_dir(src)
        .expect("the sources")
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    assert!(folders.len() <= MOST_LAYERS, "{folders:?}");
    let layers: BTreeSet<String> =
        ORDER.iter().map(|module| module.split("::").next().expect("a layer").to_owned()).collect();
    assert_eq!(folders, layers);
}

/// The types of a source that other modules can name: of these a reader who meets one must know which is meant.
fn public_types(source: &str) -> Vec<&str> {
    let end = source.find("#[cfg(test)]\nmod ").unwrap_or(source.len());
    source[..end].lines().filter_map(public_type).collect()
}

fn public_type(line: &str) -> Option<&str> {
    let item = line.strip_prefix("pub ").or_else(|| line.strip_prefix("pub(crate) "))?;
    let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
    let name = kinds.iter().find_map(|kind| item.strip_prefix(kind))?;
    Some(first_name(name).0)
}

#[test]
fn public_types_have_names_of_their_own() {
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for (_, path) in sources() {
        let source = fs::read_to_string(&path).expect("a source file");
        for name in public_types(&source) {
            places.entry(name.to_owned()).or_default().push(path.clone());
        }
    }
    assert!(places.len() > 300, "{} types", places.len());
    places.retain(|_, paths| paths.len() > 1);
    assert!(places.is_empty(), "{places:#?}");
}

#[test]
fn the_reading_of_types_is_right() {
    let source = "pub struct A<T>(T);\npub(crate) enum B {\n    pub type C = u8;\n}\nstruct D;\npub(super) trait E {}\n\
                  pub trait F: G {}\npub fn h() {}\n#[cfg(test)]\nmod tests {\n}\npub struct I;\n";
    assert_eq!(public_types(source), ["A", "B", "F"]);
}

#[test]
fn the_reading_of_uses_is_right() {
    let source = "use crate::games::rules::Game;\nuse crate::{\n    base::rng,\n    games::{encode::{Encode, Features}, \
                  rules},\n    search::{self, Search},\n};\n$crate::net!(); crate::with_game!()";
    let expected =
        ["games::rules", "base::rng", "games::encode", "games::rules", "search", "net", "with_game"];
    assert_eq!(used(source), expected);
    assert!(may_use("training::learner", "net") && may_use("search", "games::rules"));
    assert!(may_use("app::cli", "with_game"));
    assert!(!may_use("games::rules", "games::encode") && !may_use("search", "games::encode"));
    assert!(!may_use("search", "net") && !may_use("app::cli", "unknown"));
}
