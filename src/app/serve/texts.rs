//! What the page says, in every language: `texts/*.toml`, which all have the same keys.

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::{Map, Value};

use crate::{
    app::web::PageWords,
    games::rules::{GameId, Reason, RuleSet},
};

/// A language of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// English.
    English,
    /// 한국어.
    Korean,
    /// 中文, in simplified characters.
    Chinese,
    /// 日本語.
    Japanese,
}

impl Language {
    /// All of them, as the page lists them.
    pub const ALL: [Language; 4] =
        [Language::English, Language::Korean, Language::Chinese, Language::Japanese];

    /// The code of ISO 639-1.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Korean => "ko",
            Language::Chinese => "zh",
            Language::Japanese => "ja",
        }
    }

    /// What its speakers call it.
    pub fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Korean => "한국어",
            Language::Chinese => "中文",
            Language::Japanese => "日本語",
        }
    }

    /// The language with this code.
    pub fn of_code(code: &str) -> Option<Self> {
        Language::ALL.into_iter().find(|language| language.code() == code)
    }

    fn source(self) -> &'static str {
        match self {
            Language::English => include_str!("texts/en.toml"),
            Language::Korean => include_str!("texts/ko.toml"),
            Language::Chinese => include_str!("texts/zh.toml"),
            Language::Japanese => include_str!("texts/ja.toml"),
        }
    }
}

/// Texts by section and key.
type Sections = BTreeMap<String, BTreeMap<String, String>>;

static TABLES: LazyLock<BTreeMap<Language, Sections>> = LazyLock::new(|| {
    let table =
        |language: Language| toml::from_str(language.source()).expect("the texts are embedded, and tested");
    Language::ALL.into_iter().map(|language| (language, table(language))).collect()
});

/// The texts of one language.
#[derive(Clone, Copy, Debug)]
pub struct Texts {
    language: Language,
}

impl Texts {
    /// Those of `language`.
    pub fn new(language: Language) -> Self {
        Texts { language }
    }

    /// The language.
    pub fn language(self) -> Language {
        self.language
    }

    /// The text of `key`, such as `run.stop`.
    ///
    /// # Panics
    /// Where there is none: a test looks up every key that the sources name.
    pub fn text(self, key: &str) -> &'static str {
        self.find(key).unwrap_or_else(|| panic!("no text {key}"))
    }

    /// The text of `key`, or nothing: for keys that are made of names from elsewhere, such as an alarm's.
    pub fn find(self, key: &str) -> Option<&'static str> {
        let (section, name) = key.split_once('.')?;
        Some(TABLES[&self.language].get(section)?.get(name)?)
    }

    /// The text of `key` with `{name}` replaced by what stands beside the name.
    ///
    /// # Panics
    /// Those of [`Texts::text`].
    pub fn fill(self, key: &str, parts: &[(&str, &str)]) -> String {
        let mut text = self.text(key).to_owned();
        for (name, part) in parts {
            text = text.replace(&format!("{{{name}}}"), part);
        }
        text
    }

    /// What a game is called.
    pub fn game(self, game: GameId) -> &'static str {
        self.text(&format!("games.{game}"))
    }

    /// What a rule set is called.
    pub fn rules(self, rules: RuleSet) -> &'static str {
        self.text(&format!("rules.{rules}"))
    }

    /// What a reason for the end of a game is called.
    pub fn reason(self, reason: Reason) -> &'static str {
        self.text(&format!("reasons.{reason}"))
    }

    /// Sections for a script: an object of objects.
    pub fn sections(self, names: &[&str]) -> Value {
        let table = &TABLES[&self.language];
        let section = |name: &&str| {
            let texts = table.get(*name).unwrap_or_else(|| panic!("no section {name}"));
            ((*name).to_owned(), serde_json::to_value(texts).expect("plain strings"))
        };
        Value::Object(names.iter().map(section).collect::<Map<_, _>>())
    }

    /// What a page to play on says.
    pub fn for_playing(self) -> PageWords {
        PageWords { language: self.language.code(), sections: self.sections(&PageWords::SECTIONS) }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;
    use crate::app::report::{piece_names, side_names};

    /// The parts that a text wants filled.
    fn parts(text: &str) -> Vec<String> {
        let mut parts: Vec<String> = text
            .split('{')
            .skip(1)
            .map(|rest| rest.split('}').next().unwrap_or_default().to_owned())
            .collect();
        parts.sort();
        parts
    }

    #[test]
    fn every_language_says_all_with_the_same_parts() {
        let english = &TABLES[&Language::English];
        for language in Language::ALL {
            let other = &TABLES[&language];
            assert_eq!(english.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>(), "{language:?}");
            for (section, texts) in english {
                let others = &other[section];
                let keys = |texts: &BTreeMap<String, String>| texts.keys().cloned().collect::<Vec<_>>();
                assert_eq!(keys(texts), keys(others), "{language:?} [{section}]");
                for (key, text) in texts {
                    let translated = &others[key];
                    assert!(!translated.trim().is_empty(), "{language:?} {section}.{key}");
                    assert_eq!(parts(text), parts(translated), "{language:?} {section}.{key}");
                }
            }
        }
    }

    /// Every text that a source of the page names, in the form `text("section.key"` or `fill("section.key"`, and in
    /// scripts `TEXTS.section.key`.
    fn named() -> Vec<(String, String)> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (mut found, mut folders) =
            (Vec::new(), vec![root.join("src/app/serve"), root.join("src/app/web")]);
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let Ok(source) = fs::read_to_string(&path) else { continue };
                let name = path.display().to_string();
                let is_key = |letter: char| letter.is_ascii_alphanumeric() || "._".contains(letter);
                for call in ["text(\"", "fill(\"", "TEXTS."] {
                    for (at, _) in source.match_indices(call) {
                        // `context("…")` is none.
                        if source[..at].ends_with(char::is_alphanumeric) {
                            continue;
                        }
                        let rest = source[at + call.len()..].chars();
                        found.push((name.clone(), rest.take_while(|&letter| is_key(letter)).collect()));
                    }
                }
            }
        }
        found
    }

    #[test]
    fn every_text_that_is_named_exists() {
        let texts = Texts::new(Language::English);
        for (file, key) in named() {
            // A sentence may end with it.
            let mut parts = key.trim_end_matches('.').split('.');
            let (section, name) = (parts.next().unwrap_or_default(), parts.next());
            // A script may take a whole section.
            let exists = match name {
                Some(name) => texts.find(&format!("{section}.{name}")).is_some(),
                None => TABLES[&Language::English].contains_key(section),
            };
            // The tests of this file name some that are none.
            assert!(exists || file.ends_with("texts.rs"), "{file} names {key}");
        }
    }

    #[test]
    fn games_rules_and_reasons_have_names() {
        let texts = Texts::new(Language::English);
        for game in GameId::ALL {
            assert!(!texts.game(game).is_empty());
            game.rule_sets().iter().for_each(|rules| assert!(!texts.rules(*rules).is_empty()));
        }
        Reason::ALL.into_iter().for_each(|reason| assert!(!texts.reason(reason).is_empty()));
        assert_eq!(texts.for_playing().sections["sides"]["janggi0"], "Cho");
    }

    #[test]
    fn every_piece_and_side_has_a_name() {
        let texts = Texts::new(Language::English);
        for game in GameId::ALL {
            for name in piece_names(game) {
                assert!(texts.find(&format!("pieces.{name}")).is_some(), "{game}: {name}");
            }
            // As the page looks them up.
            let family = game.as_str().trim_start_matches("mini");
            for side in 0..2 {
                assert!(texts.find(&format!("sides.{family}{side}")).is_some(), "{game}: {side}");
            }
            for handicap in game.facts().handicaps.list {
                let key = format!("handicaps.{}", handicap.name);
                assert!(texts.find(&key).is_some(), "{game}: {key}");
            }
            for side in side_names(game) {
                let key = format!("board.side_{}", side.to_lowercase());
                assert!(texts.find(&key).is_some(), "{game}: {key}");
            }
        }
    }

    #[test]
    fn parts_are_filled_in() {
        let texts = Texts::new(Language::English);
        assert_eq!(texts.fill("page.version", &[("version", "1.2")]), "Sanki 1.2");
        assert_eq!(texts.find("page.none"), None);
        assert_eq!(texts.sections(&["page"])["page"]["start"], "Start");
    }
}
