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
                let words = name.split("::");
                assert!(words.clone().all(|word| has_word(&source, word)), "{name} is not in {file}");
            }
        }
        let said = part.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(&way.counts()), "it is {}: {part}", way.counts());
        ways += 1;
    }
    assert_eq!(ways, 3);
}
