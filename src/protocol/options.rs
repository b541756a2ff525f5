//! The options of an engine: what it announces, and how they are set.

use super::Dialect;

/// An option as an engine announces it: `option name NAME type KIND default … min … max … var …`. UCCI leaves out the word
/// `name`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// What it is called.
    pub name: String,
    /// `check`, `spin`, `combo`, `button`, `string` or `filename`.
    pub kind: String,
    /// What holds if it is not set; `None` where the engine does not say, and for a button.
    pub default: Option<String>,
    /// The least and the greatest number of a `spin`.
    pub range: Option<(i64, i64)>,
    /// The values of a `combo`.
    pub choices: Vec<String>,
}

/// The words that end a value in an announcement.
const KEYWORDS: [&str; 5] = ["type", "default", "min", "max", "var"];

impl OptionDeclaration {
    /// As a line.
    pub fn write(&self, dialect: Dialect) -> String {
        let word = if dialect == Dialect::Ucci { "option" } else { "option name" };
        let mut line = format!("{word} {} type {}", self.name, self.kind);
        if let Some(default) = &self.default {
            line += &format!(" default {default}");
        }
        if let Some((least, most)) = self.range {
            line += &format!(" min {least} max {most}");
        }
        for choice in &self.choices {
            line += &format!(" var {choice}");
        }
        line
    }

    /// Reads a line of any dialect; `None` if it announces no option.
    pub fn parse(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("option ")?.trim_start();
        let rest = rest.strip_prefix("name ").unwrap_or(rest);
        let (name, rest) = rest.split_once(" type ")?;
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let mut option = OptionDeclaration {
            name: name.trim().to_owned(),
            kind: words.first().map_or_else(String::new, |&kind| kind.to_owned()),
            ..OptionDeclaration::default()
        };
        let (mut least, mut most) = (None, None);
        for (at, word) in words.iter().enumerate() {
            let value = || {
                let value = words[at + 1..].iter().take_while(|word| !KEYWORDS.contains(word));
                value.copied().collect::<Vec<_>>().join(" ")
            };
            match *word {
                "default" => option.default = Some(value()),
                "min" => least = value().parse().ok(),
                "max" => most = value().parse().ok(),
                "var" => option.choices.push(value()),
                _ => {}
            }
        }
        option.range = least.zip(most);
        Some(option)
    }
}

/// The value that an option is given: `setoption`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSetting {
    /// What the option is called.
    pub name: String,
    /// `None` for a button.
    pub value: Option<String>,
}

impl OptionSetting {
    /// As a line.
    pub fn write(&self, dialect: Dialect) -> String {
        let name = &self.name;
        match (dialect, &self.value) {
            (Dialect::Uci | Dialect::Usi, Some(value)) => {
                format!("setoption name {name} value {value}")
            }
            (Dialect::Uci | Dialect::Usi, None) => format!("setoption name {name}"),
            (Dialect::Ucci, Some(value)) => format!("setoption {name} {value}"),
            (Dialect::Ucci, None) => format!("setoption {name}"),
        }
    }

    /// Reads what follows the word `setoption`: `name NAME value VALUE`, both of any number of words; in UCCI also
    /// `NAME VALUE`. Some clients of janggi say `option` for `name`. `None` where no option is named.
    pub fn parse(words: &[&str], dialect: Dialect) -> Option<Self> {
        let (name, value) = match words.split_first()? {
            (&"name" | &"option", rest) => match rest.iter().position(|&word| word == "value") {
                Some(at) => (&rest[..at], Some(&rest[at + 1..])),
                None => (rest, None),
            },
            _ if dialect != Dialect::Ucci => return None,
            (_, []) => (words, None),
            (_, rest) => (&words[..1], Some(rest)),
        };
        (!name.is_empty())
            .then(|| OptionSetting { name: name.join(" "), value: value.map(|value| value.join(" ")) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announcements_are_read() {
        let parse = |line| OptionDeclaration::parse(line).unwrap();
        let level = parse("option name Skill Level type spin default 20 min -20 max 20");
        assert_eq!((level.name.as_str(), level.default.as_deref()), ("Skill Level", Some("20")));
        assert_eq!((level.kind.as_str(), level.range), ("spin", Some((-20, 20))));
        let variant = parse("option name UCI_Variant type combo default chess var chess var janggi");
        assert_eq!(variant.default.as_deref(), Some("chess"));
        assert_eq!(variant.choices, ["chess", "janggi"]);
        let file = parse("option name EvalFile type string default my net.nnue");
        assert_eq!(file.default.as_deref(), Some("my net.nnue"));
        assert_eq!(parse("option name Debug File type string default ").default.as_deref(), Some(""));
        assert_eq!(parse("option usemillisec type check default false").name, "usemillisec");
        assert_eq!(OptionDeclaration::parse("id name option type x"), None);
        assert_eq!(OptionDeclaration::parse("option name Hash"), None);
    }

    #[test]
    fn announcements_are_written_and_read_back() {
        for dialect in Dialect::ALL {
            for line in [
                "Skill Level type spin default 20 min -20 max 20",
                "UCI_Variant type combo default chess var chess var janggi",
                "EvalFile type string default my net.nnue",
                "Clear Hash type button",
            ] {
                let word = if dialect == Dialect::Ucci { "option" } else { "option name" };
                let line = format!("{word} {line}");
                assert_eq!(OptionDeclaration::parse(&line).unwrap().write(dialect), line);
            }
        }
    }

    #[test]
    fn settings_are_written_and_read_back() {
        use Dialect::{Ucci, Uci, Usi};
        for (dialect, name, value, line) in [
            (Uci, "Skill Level", Some("0"), "setoption name Skill Level value 0"),
            (Usi, "Clear Hash", None, "setoption name Clear Hash"),
            (Ucci, "hashsize", Some("16"), "setoption hashsize 16"),
            (Ucci, "newgame", None, "setoption newgame"),
        ] {
            let setting = OptionSetting { name: name.into(), value: value.map(str::to_owned) };
            assert_eq!(setting.write(dialect), line);
            let words: Vec<&str> = line.split(' ').skip(1).collect();
            assert_eq!(OptionSetting::parse(&words, dialect), Some(setting));
        }
    }
}
