//! What differs between two trees of settings.

use std::fmt;

/// A setting that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its dotted key.
    pub key: String,
    /// Its value before, as TOML, if there was one.
    pub before: Option<String>,
    /// Its value now.
    pub now: Option<String>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "as usual".into());
        write!(f, "{}: {} -> {}", self.key, text(&self.before), text(&self.now))
    }
}

/// Adds what differs between two trees to `changes`.
pub(super) fn differences(
    path: &str,
    before: Option<&toml::Value>,
    now: Option<&toml::Value>,
    changes: &mut Vec<Change>,
) {
    let table = |value: Option<&toml::Value>| value.and_then(toml::Value::as_table).cloned();
    match (table(before), table(now)) {
        (None, None) if before == now => {}
        (None, None) => {
            let text = |value: Option<&toml::Value>| value.map(in_words);
            changes.push(Change { key: path.to_owned(), before: text(before), now: text(now) });
        }
        (before, now) => {
            let (before, now) = (before.unwrap_or_default(), now.unwrap_or_default());
            let keys = before.keys().chain(now.keys().filter(|key| !before.contains_key(*key)));
            for key in keys {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                differences(&path, before.get(key), now.get(key), changes);
            }
        }
    }
}

/// A value as TOML. Fractions are held in 32 bits, and are written with no more digits than those have.
fn in_words(value: &toml::Value) -> String {
    match value {
        toml::Value::Float(number) => (*number as f32).to_string(),
        value => value.to_string(),
    }
}
