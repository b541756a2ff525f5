//! The ways through the source in `docs/how-it-works.md` name what is there, and say how much it is.

use std::{collections::BTreeSet, fs, path::Path};

/// The section with the ways, each below a heading of its own.
const SECTION: &str = "## Files and layers on the way\n";

/// Where a way leads.
#[derive(Default)]
struct Way {
    modules: BTreeSet<String>,
    files: BTreeSet<String>,
    types: BTreeSet<String>,
    /// Files with the names that stand beside them: of functions, and of types that are handed on.
    named: Vec<(String, Vec<String>)>,
}

/// What stands in backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

impl Way {
    /// Adds a row of the table: module, files with what runs in each, types.
    fn add(&mut self, row: &str) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let module = quoted(cells[1]).next().expect("a module");
        self.modules.insert(module.to_owned());
        let types: Vec<String> = quoted(cells[3]).map(str::to_owned).collect();
        let mut module_text = Vec::new();
        for item in cells[2].split("; ") {
            let mut names = quoted(item);
            let file = format!("src/{module}/{}", names.next().expect("a file"));
            self.named.push((file.clone(), names.map(str::to_owned).collect()));
            module_text.push(file.clone());
            self.files.insert(file);
        }
        // A type is handed on by one of the files of its row.
        let source: String = module_text.iter().map(|file| source(file)).collect();
        let missing: Vec<&String> = types.iter().filter(|name| !has_word(&source, name)).collect();
        assert!(missing.is_empty(), "{missing:?} in none of {module_text:?}");
        self.types.extend(types);
    }

    fn counts(&self) -> String {
        let Way { modules, files, types, .. } = self;
        format!("{} files in {} modules, {} types", files.len(), modules.len(), types.len())
    }
}

fn source(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|other| other == word)
}

/// Whether a source has what a way names: a function of a type or trait (`Type::function`), or any other name.
fn has_name(source: &str, name: &str) -> bool {
    match name.split_once("::") {
        None => has_word(source, name),
        Some((of, function)) => {
            let blocks = source.split("\n}");
            let mut blocks = blocks.filter(|block| block.lines().any(|line| opens(line, of)));
            blocks.any(|block| has_function(block, function))
        }
    }
}

/// Whether a line begins an `impl` of the type `of`, or the trait `of`.
fn opens(line: &str, of: &str) -> bool {
    let begins = line.starts_with("impl") || line.starts_with("pub trait ") || line.starts_with("trait ");
    begins
        && ["impl ", "trait ", "> ", " for "].iter().any(|before| has_whole(line, &format!("{before}{of}")))
}

fn has_function(text: &str, name: &str) -> bool {
    has_whole(text, &format!("fn {name}"))
}

/// Whether `part` is in `text`, and no longer word begins with its last one.
fn has_whole(text: &str, part: &str) -> bool {
    let mut rests = text.match_indices(part).map(|(at, _)| &text[at + part.len()..]);
    rests.any(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
}

#[test]
fn a_function_is_looked_for_in_its_type() {
    let source = "struct Wanted;\nimpl<G: Game> Player<G> {\n    fn play<R>(&self) {}\n}\n\
                  pub trait Encode: Game {\n    fn features(&self);\n}\nimpl GameSink for JournalSink {\n    fn keep() {}\n}\n";
    for name in ["Player::play", "Encode::features", "JournalSink::keep", "Wanted", "play"] {
        assert!(has_name(source, name), "{name}");
    }
    for name in ["Wanted::play", "Player::keep", "Play::play", "Player::pl", "Encode::play", "Game::play"] {
        assert!(!has_name(source, name), "{name}");
    }
}

#[test]
fn the_ways_in_the_docs_are_those_of_the_source() {
    let text = source("docs/how-it-works.md");
    let (_, section) = text.split_once(SECTION).expect("the section");
    let section = section.split("\n## ").next().expect("its text");
    let mut ways = 0;
    for part in section.split("\n### ").skip(1) {
        let mut way = Way::default();
        let rows = part.lines().filter(|line| line.starts_with("| `"));
        rows.for_each(|row| way.add(row));
        assert!(way.files.len() > 10, "{part}");
        for (file, names) in &way.named {
            let source = source(file);
            for name in names {
                assert!(has_name(&source, name), "{name} is not in {file}");
            }
        }
        let said = part.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(&way.counts()), "it is {}: {part}", way.counts());
        ways += 1;
    }
    assert_eq!(ways, 3);
}
