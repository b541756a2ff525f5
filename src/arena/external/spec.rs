//! Engines as they are named on the command line.

use std::{fmt, str::FromStr};

use crate::protocol::{Dialect, Notation, OptionSetting};

/// An engine as it is named: `uci:fairy-stockfish?Skill Level=0&Threads=2`.
///
/// The words before the `?` are the program and its arguments; a word with spaces stands between double quotes, as in
/// `usi:"C:\Program Files\engine.exe" -quiet`. Behind it are options, separated by `&`. An option without a value is a
/// button that is pressed. `Ranks=0`, in UCI, is not for the engine: it says that the engine counts ranks from 0, as
/// Pikafish does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    dialect: Dialect,
    command: String,
    arguments: Vec<String>,
    options: Vec<OptionSetting>,
    notation: Notation,
}

/// The option that is ours: the number of an engine's first rank.
const RANKS: &str = "Ranks";

impl EngineSpec {
    /// Whether `text` names an engine, well or badly: it begins with a dialect and a colon.
    pub fn is_meant(text: &str) -> bool {
        text.split_once(':').is_some_and(|(dialect, _)| Dialect::from_name(dialect).is_some())
    }

    /// What it speaks.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The program.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The program's arguments.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// The options to be set, in the order given and by the names given, which may differ from the engine's in case.
    pub fn options(&self) -> &[OptionSetting] {
        &self.options
    }

    /// How many threads its options let it search with; one where they say nothing.
    pub fn threads(&self) -> usize {
        let option = self.options.iter().find(|option| option.name.eq_ignore_ascii_case("Threads"));
        option
            .and_then(|option| option.value.as_ref()?.parse().ok())
            .filter(|&threads| threads > 0)
            .unwrap_or(1)
    }

    pub(super) fn notation(&self) -> Notation {
        self.notation
    }
}

impl FromStr for EngineSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (dialect, rest) = text.split_once(':').unwrap_or((text, ""));
        let dialect = Dialect::from_name(dialect)
            .ok_or_else(|| format!("'{text}' is no engine: uci:COMMAND, usi:COMMAND or ucci:COMMAND"))?;
        let (words, options) = rest.split_once('?').unwrap_or((rest, ""));
        let mut words =
            split(words).ok_or_else(|| format!("'{text}' has a quote that does not end"))?.into_iter();
        let command = words.next().filter(|word| !word.is_empty());
        let command = command.ok_or_else(|| format!("'{text}' names no program, as in {dialect}:COMMAND"))?;
        let options = options.split('&').filter(|option| !option.trim().is_empty());
        let mut options: Vec<OptionSetting> = options.map(parse_option).collect::<Result<_, _>>()?;
        let twice = options.iter().zip(1..).find(|(option, next)| {
            options[*next..].iter().any(|other| other.name.eq_ignore_ascii_case(&option.name))
        });
        if let Some((option, _)) = twice {
            return Err(format!("'{text}' sets {} twice", option.name));
        }
        let ranks = options.iter().position(|option| option.name == RANKS).map(|at| options.remove(at));
        let notation = match ranks {
            None => dialect.notation(),
            Some(_) if dialect != Dialect::Uci => {
                return Err(format!("'{text}': {RANKS} is for uci, the others have their own notation"));
            }
            Some(option) => match option.value.as_deref() {
                Some("0") => Notation::RanksFromZero,
                Some("1") => Notation::Own,
                _ => {
                    return Err(format!("'{text}': {RANKS} is 0 or 1, the number of the first rank"));
                }
            },
        };
        Ok(EngineSpec { dialect, command, arguments: words.collect(), options, notation })
    }
}

/// The words of a command. Quotes keep the spaces between them; nothing else has a meaning of its own, so that paths of
/// every system are written as they are. `None` where a quote does not end.
fn split(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    for letter in command.chars() {
        if letter == '"' {
            is_quoted = !is_quoted;
            word.get_or_insert_default();
        } else if letter.is_whitespace() && !is_quoted {
            words.extend(word.take());
        } else {
            word.get_or_insert_default().push(letter);
        }
    }
    words.extend(word);
    (!is_quoted).then_some(words)
}

/// A word of a command, between quotes where it needs them.
fn quoted(word: &str) -> String {
    if word.is_empty() || word.contains(char::is_whitespace) {
        format!("\"{word}\"")
    } else {
        word.to_owned()
    }
}

fn parse_option(text: &str) -> Result<OptionSetting, String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim().to_owned())),
        None => (text.trim(), None),
    };
    if name.is_empty() || text.contains(['\n', '\r']) {
        return Err(format!("'{text}' is no option: NAME=VALUE"));
    }
    Ok(OptionSetting { name: name.to_owned(), value })
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.dialect, quoted(&self.command))?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {}", quoted(argument)))?;
        let ranks = (self.dialect == Dialect::Uci && self.notation == Notation::RanksFromZero)
            .then(|| format!("{RANKS}=0"));
        let options = self.options.iter().map(|OptionSetting { name, value }| match value {
            Some(value) => format!("{name}={value}"),
            None => name.clone(),
        });
        for (option, separator) in
            options.chain(ranks).zip(std::iter::once('?').chain(std::iter::repeat('&')))
        {
            write!(f, "{separator}{option}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, value: Option<&str>) -> OptionSetting {
        OptionSetting { name: name.into(), value: value.map(str::to_owned) }
    }

    #[test]
    fn a_spec_is_read_and_written_back() {
        let text = "uci:fairy-stockfish load x.ini?Skill Level=0&Threads=2&Clear Hash";
        let spec: EngineSpec = text.parse().unwrap();
        assert_eq!((spec.dialect(), spec.command()), (Dialect::Uci, "fairy-stockfish"));
        assert_eq!(spec.arguments(), ["load", "x.ini"]);
        let options =
            [option("Skill Level", Some("0")), option("Threads", Some("2")), option("Clear Hash", None)];
        assert_eq!(spec.options(), options);
        assert_eq!(spec.threads(), 2);
        assert_eq!("uci:x?Threads=0".parse::<EngineSpec>().unwrap().threads(), 1);
        assert_eq!(spec.to_string(), text);
        for text in ["usi:./engine", "ucci:engine?hashsize=16", "uci:engine?Book=&Ranks=0"] {
            assert_eq!(text.parse::<EngineSpec>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn quotes_keep_spaces() {
        let text = r#"usi:"C:\Program Files\장기 엔진.exe" "" -f "a b"?Hash=1"#;
        let spec: EngineSpec = text.parse().unwrap();
        assert_eq!(spec.command(), r"C:\Program Files\장기 엔진.exe");
        assert_eq!(spec.arguments(), ["", "-f", "a b"]);
        assert_eq!(spec.to_string(), text);
        let spec: EngineSpec = r#"uci:/opt/"my engines"/x"#.parse().unwrap();
        assert_eq!(spec.command(), "/opt/my engines/x");
    }

    #[test]
    fn ranks_are_ours_and_not_the_engines() {
        let spec: EngineSpec = "uci:pikafish?Ranks=0&Threads=1".parse().unwrap();
        assert_eq!(spec.notation(), Notation::RanksFromZero);
        assert_eq!(spec.options(), [option("Threads", Some("1"))]);
        assert_eq!("uci:x?Ranks=1".parse::<EngineSpec>().unwrap().notation(), Notation::Own);
    }

    #[test]
    fn what_is_no_engine_says_why() {
        for (text, part) in [
            ("xboard:gnuchess", "no engine"),
            ("uci", "no program"),
            ("usi:  ?Threads=1", "no program"),
            ("usi:\"\" x", "no program"),
            ("usi:\"C:\\Program Files", "does not end"),
            ("uci:x?=3", "NAME=VALUE"),
            ("uci:x?Ranks=2", "0 or 1"),
            ("uci:x?Ranks", "0 or 1"),
            ("usi:x?Ranks=0", "for uci"),
            ("uci:x?Threads=1&threads=2", "twice"),
            ("uci:x?Ranks=0&Hash=1&Ranks=0", "twice"),
            ("uci:x?A=1\nquit", "NAME=VALUE"),
        ] {
            let error = text.parse::<EngineSpec>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(EngineSpec::is_meant("usi:") && EngineSpec::is_meant("uci:x"));
        assert!(!EngineSpec::is_meant("runs/uci:x") && !EngineSpec::is_meant("uci"));
    }
}
