//! Scripts of the pages: modules, which import one another by their names.

use std::collections::BTreeMap;

use data_encoding::BASE64;
use maud::{Markup, PreEscaped, html};
use serde_json::json;

/// A script: a module of ECMAScript.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Script {
    /// Its file's name. Other scripts import it as `./` and this.
    pub(crate) name: &'static str,
    /// Its text.
    pub(crate) text: &'static str,
}

impl Script {
    pub(crate) const fn new(name: &'static str, text: &'static str) -> Self {
        Script { name, text }
    }

    /// The script as a URL, for a page that is one file. Nothing is relative to such a URL, so that `./board.js` becomes
    /// `board.js`, which the page's import map has.
    fn url(&self) -> String {
        let text = self.text.replace("from \"./", "from \"").replace("import \"./", "import \"");
        format!("data:text/javascript;charset=utf-8;base64,{}", BASE64.encode(text.as_bytes()))
    }
}

/// Runs the last of `scripts` in a page that is one file; the others are those that it imports. Its policy has to let
/// scripts come from `'unsafe-inline'` and `data:`.
///
/// A browser loads no module from the disk for a page from there, so an import map gives each one as a `data:` URL.
/// Scripts run as soon as they are read: elements that they use stand before them.
///
/// # Panics
/// When there are none.
pub(crate) fn inline(scripts: &[Script]) -> Markup {
    let main = scripts.last().expect("a script");
    let urls: BTreeMap<&str, String> = scripts.iter().map(|script| (script.name, script.url())).collect();
    html! {
        script type="importmap" { (PreEscaped(json!({ "imports": urls }).to_string())) }
        script type="module" async { (PreEscaped(format!("import {:?};", main.name))) }
    }
}

/// What `scripts` import although none of them exports it.
#[cfg(test)]
pub(crate) fn broken_imports(scripts: &[Script]) -> Vec<String> {
    let exports = |from: &str, name: &str| {
        let kinds = ["const", "let", "function", "async function"];
        let named = kinds.map(|kind| format!("\nexport {kind} {name}"));
        let texts = scripts.iter().filter(|script| script.name == from).map(|script| script.text);
        let mut rests =
            texts.flat_map(|text| named.iter().filter_map(|named| Some(text.split_once(named)?.1)));
        rests.any(|rest| !rest.starts_with(|next: char| next.is_ascii_alphanumeric()))
    };
    let mut broken = Vec::new();
    for Script { name: importer, text } in scripts {
        for statement in text.split("\nimport ").skip(1) {
            let statement = statement.split_once(';').expect("an import ends").0;
            let from =
                statement.split('"').nth(1).and_then(|from| from.strip_prefix("./")).expect("a neighbour");
            let names = statement.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
            let names = names.map_or(Vec::new(), |(names, _)| names.split(',').map(str::trim).collect());
            if scripts.iter().all(|script| script.name != from) {
                broken.push(format!("{importer} imports {from}"));
            }
            let missing = names.into_iter().filter(|name| !name.is_empty() && !exports(from, name));
            broken.extend(missing.map(|name| format!("{importer} imports {name} from {from}")));
        }
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Script = Script::new("one.js", "// One.\n\nimport { two } from \"./two.js\";\n\ntwo();\n");
    const TWO: Script = Script::new("two.js", "\nexport function two() {}\n");

    #[test]
    fn a_page_that_is_one_file_has_its_scripts_by_their_names() {
        let page = inline(&[TWO, ONE]).into_string();
        assert!(page.contains(r#"<script type="module" async>import "one.js";</script>"#), "{page}");
        let url = page.split("\"one.js\":\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        let text = BASE64.decode(url.rsplit(',').next().unwrap().as_bytes()).unwrap();
        assert_eq!(text, b"// One.\n\nimport { two } from \"two.js\";\n\ntwo();\n");
    }

    #[test]
    fn an_import_of_nothing_is_found() {
        assert!(broken_imports(&[TWO, ONE]).is_empty());
        assert_eq!(broken_imports(&[ONE]), ["one.js imports two.js", "one.js imports two from two.js"]);
        let longer = Script::new("two.js", "\nexport const twoThirds = 1;\n");
        assert_eq!(broken_imports(&[longer, ONE]), ["one.js imports two from two.js"]);
    }
}
