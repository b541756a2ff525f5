//! Modules stand in layers, and each uses only those above it; and no files use each other.

mod circles;

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The modules from the top: a module uses itself and those before it.
const ORDER: [&str; 22] = [
    "rng",
    "maths",
    "store",
    "rules",
    "notation",
    "records",
    "encode",
    "search",
    "net",
    "fingerprint",
    "selfplay",
    "replay",
    "arena",
    "analysis",
    "report",
    "web",
    "train",
    "remote",
    "engine",
    "terminal",
    "serve",
    "cli",
];
/// Uses that the order would allow, `(module, what it must not use)`: the tree knows moves, not indices.
const FORBIDDEN: [(&str, &str); 1] = [("search", "encode")];
/// Macros stand at the root of the crate, whoever owns them.
const MACROS: [&str; 1] = ["with_game"];

/// The module and the text of every source file in it, without `lib.rs` and the programs.
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
                let module = inner.iter().next().expect("a name").to_string_lossy().into_owned();
                files.push((module, path));
            }
        }
    }
    files.retain(|(module, _)| !["lib", "main", "bin"].contains(&module.as_str()));
    files
}

/// The names right behind each `crate::`, those in a group `crate::{a::b, c}` included.
fn used(source: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for (at, prefix) in source.match_indices("crate::") {
        let rest = &source[at + prefix.len()..];
        match rest.strip_prefix('{') {
            None => names.push(name(rest)),
            Some(group) => names.extend(group_names(group)),
        }
    }
    names
}

fn name(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    &text[..end]
}

/// The first name of each item of a group, up to the brace that closes it.
fn group_names(group: &str) -> Vec<&str> {
    let mut names = vec![name(group.trim_start())];
    let mut depth = 0;
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(name(group[at + 1..].trim_start())),
            _ => {}
        }
    }
    // A trailing comma is followed by no name.
    names.retain(|name| !name.is_empty());
    names
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
            assert!(may_use(&module, name), "{}: '{module}' must not use '{name}'", path.display());
        }
    }
}

#[test]
fn the_reading_of_uses_is_right() {
    let source = "use crate::rules::Game;\nuse crate::{\n    encode::{Encode, Features},\n    search,\n};\n$crate::net!()";
    assert_eq!(used(source), ["rules", "encode", "search", "net"]);
    assert!(may_use("train", "net") && may_use("search", "rules") && may_use("cli", "with_game"));
    assert!(!may_use("rules", "encode") && !may_use("search", "encode") && !may_use("search", "net"));
    assert!(!may_use("cli", "unknown"));
}
