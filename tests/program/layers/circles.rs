//! No file uses one that uses it, by however many others between.
//!
//! A `mod.rs` stands for its folder: its files may use it, and it uses them. What it only passes on from a file counts as
//! that file's.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use super::sources;

/// A module as its path below the crate.
type Module = Vec<String>;
/// A name with all modules before it.
type Name = Vec<String>;

struct File {
    /// Whether it is a `mod.rs`.
    is_folder: bool,
    /// All that it names of this crate, as far as that can be read.
    names: Vec<Name>,
}

/// The source of the program: without comments, and without the tests at the end.
fn without_tests(text: &str) -> String {
    let end = text.find("#[cfg(test)]\nmod ").unwrap_or(text.len());
    let lines = text[..end].lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The names of a tree of `use`, such as `super::{a, b::{self, c}}`, each behind `before`.
fn expand(tree: &str, before: &[String], names: &mut Vec<Name>) {
    let (path, group) = match tree.find('{') {
        None => (tree.split(" as ").next().unwrap_or_default(), None),
        Some(at) => (&tree[..at], tree[at + 1..].rfind('}').map(|end| &tree[at + 1..at + 1 + end])),
    };
    let words = path.split("::").map(str::trim).filter(|word| !word.is_empty() && *word != "self");
    // A `self` at the beginning is this module, which `absolute` assumes; one at the end is what stands before.
    let mut name: Vec<String> = before.iter().cloned().chain(words.map(str::to_owned)).collect();
    if before.is_empty() && path.trim_start().starts_with("self::") {
        name.insert(0, "self".to_owned());
    }
    let Some(group) = group else { return names.push(name) };
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(&group[start..at], &name, names);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !group[start..].trim().is_empty() {
        expand(&group[start..], &name, names);
    }
}

/// All names with `::` in a source.
fn names(text: &str) -> Vec<Name> {
    let (mut names, mut body) = (Vec::new(), String::new());
    for statement in text.split_inclusive(';') {
        // An attribute, a visibility or the end of a block may stand before.
        match statement.rfind("use ").filter(|&at| {
            let before = statement[..at].trim_end();
            before.is_empty() || before.ends_with([']', '}', ')', '{']) || before.ends_with("pub")
        }) {
            Some(at) => {
                expand(statement[at + 4..].trim_end_matches(';'), &[], &mut names);
                body.push_str(&statement[..at]);
            }
            None => body.push_str(statement),
        }
    }
    let is_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let paths = body.split(|letter| !is_path(letter)).filter(|word| word.contains("::"));
    names.extend(paths.map(|path| path.split("::").map(str::to_owned).collect::<Name>()));
    names
}

/// `name` from the crate on, as `module` means it; `None` where it is of another crate.
fn absolute(files: &BTreeMap<Module, File>, module: &Module, name: &Name) -> Option<Name> {
    let up = name.iter().take_while(|word| *word == "super").count();
    match name.first()?.as_str() {
        "crate" => Some(name[1..].to_vec()),
        "self" => Some([module, &name[1..]].concat()),
        _ if up > 0 => Some([&module[..module.len().checked_sub(up)?], &name[up..]].concat()),
        child => {
            let inner = [module.as_slice(), &[child.to_owned()]].concat();
            files.contains_key(&inner).then(|| [module.as_slice(), name].concat())
        }
    }
}

/// The module that has `name`; what a module only passes on is looked for where that has it from.
fn owner(files: &BTreeMap<Module, File>, name: &Name, hops: usize) -> Option<Module> {
    let length = (1..=name.len()).rev().find(|&length| files.contains_key(&name[..length]))?;
    let (module, rest) = (name[..length].to_vec(), &name[length..]);
    let Some(wanted) = rest.first().filter(|_| hops < 8) else { return Some(module) };
    let passed_on = files[&module].names.iter().find(|used| used.len() > 1 && used.last() == Some(wanted));
    let from = passed_on.and_then(|used| absolute(files, &module, used)).filter(|from| from != name);
    from.and_then(|from| owner(files, &from, hops + 1)).or(Some(module))
}

/// The files that each file uses.
fn uses() -> BTreeMap<Module, BTreeSet<Module>> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = BTreeMap::new();
    for (_, path) in sources() {
        let text = without_tests(&fs::read_to_string(&path).expect("a source file"));
        let inner = path.strip_prefix(&src).expect("below src").with_extension("");
        let mut module: Module = inner.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let is_folder = module.pop_if(|last| last == "mod").is_some();
        files.insert(module, File { is_folder, names: names(&text) });
    }
    let used = |module: &Module| -> BTreeSet<Module> {
        let absolute = files[module].names.iter().filter_map(|name| absolute(&files, module, name));
        let owners = absolute.filter_map(|name| owner(&files, &name, 0));
        owners.filter(|owner| owner != module && !files[owner].is_folder).collect()
    };
    files
        .keys()
        .filter(|module| !files[*module].is_folder)
        .map(|module| (module.clone(), used(module)))
        .collect()
}

/// A way from the last module of `way` back to one that is on it.
fn circle(
    uses: &BTreeMap<Module, BTreeSet<Module>>,
    way: &mut Vec<Module>,
    done: &mut BTreeSet<Module>,
) -> Option<Vec<Module>> {
    let here = way.last().expect("a beginning").clone();
    for next in &uses[&here] {
        if let Some(start) = way.iter().position(|module| module == next) {
            return Some(way[start..].to_vec());
        }
        if !done.contains(next) {
            way.push(next.clone());
            if let Some(found) = circle(uses, way, done) {
                return Some(found);
            }
            way.pop();
        }
    }
    done.insert(here);
    None
}

#[test]
fn no_file_uses_itself_by_way_of_others() {
    let uses = uses();
    let mut done = BTreeSet::new();
    for module in uses.keys() {
        let found = circle(&uses, &mut vec![module.clone()], &mut done);
        let shown = found.map(|circle| circle.iter().map(|module| module.join("/")).collect::<Vec<_>>());
        assert_eq!(shown, None, "each uses the next, and the last the first");
    }
}

#[test]
fn the_reading_of_names_is_right() {
    let source =
        "use super::{a, b::{self, c as d}};\npub use self::e::F;\nfn f() { crate::g::h(); i::j::<K>() }";
    let read: Vec<String> = names(source).iter().map(|name| name.join("::")).collect();
    assert_eq!(read, ["super::a", "super::b", "super::b::c", "self::e::F", "crate::g::h", "i::j::"]);

    let uses = uses();
    let module = |path: &str| -> Module { path.split('/').map(str::to_owned).collect() };
    let does_use = |user: &str, used: &str| uses[&module(user)].contains(&module(used));
    assert!(does_use("games/rules/xiangqi/movegen", "games/rules/xiangqi/position"));
    assert!(
        does_use("training/run/trainer", "training/run/machine")
            && does_use("app/cli/matches/plain", "arena/matches")
    );
    assert!(
        does_use("games/rules/perft", "games/rules/mover")
            && !does_use("games/rules/mover", "games/rules/perft")
    );
}
