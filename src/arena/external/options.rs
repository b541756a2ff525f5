//! The options that an engine announces.

/// An option as announced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Announced {
    pub(super) name: String,
    /// What holds if it is not set; empty where the engine does not say.
    pub(super) default: String,
    /// The values of a choice.
    pub(super) choices: Vec<String>,
}

/// The words that end a value in a line about an option.
const KEYWORDS: [&str; 5] = ["type", "default", "min", "max", "var"];

impl Announced {
    /// Reads `option name NAME type … default … var …`; UCCI has no word `name`. `None` for any other line.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("option ")?.trim_start();
        let rest = rest.strip_prefix("name ").unwrap_or(rest);
        let (name, rest) = rest.split_once(" type ")?;
        let mut option =
            Announced { name: name.trim().to_owned(), default: String::new(), choices: Vec::new() };
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        for (at, word) in words.iter().enumerate() {
            let value = || {
                let value = words[at + 1..].iter().take_while(|word| !KEYWORDS.contains(word));
                value.copied().collect::<Vec<_>>().join(" ")
            };
            match *word {
                "default" => option.default = value(),
                "var" => option.choices.push(value()),
                _ => {}
            }
        }
        Some(option)
    }
}

/// The option called `name`, in upper or lower case.
pub(super) fn find<'a>(options: &'a [Announced], name: &str) -> Option<&'a Announced> {
    options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// The names most like `name`, the closest first.
pub(super) fn closest<'a>(options: &'a [Announced], name: &str) -> Vec<&'a str> {
    let name = name.to_ascii_lowercase();
    let mut names: Vec<&str> = options.iter().map(|option| option.name.as_str()).collect();
    names.sort_by_cached_key(|other| distance(&other.to_ascii_lowercase(), &name));
    names.truncate(3);
    names
}

/// The fewest letters to be added, left out or replaced that make one text of the other (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, &other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let parse = |line| Announced::parse(line).unwrap();
        let level = parse("option name Skill Level type spin default 20 min -20 max 20");
        assert_eq!((level.name.as_str(), level.default.as_str()), ("Skill Level", "20"));
        let variant = parse("option name UCI_Variant type combo default chess var chess var janggi");
        assert_eq!(
            (variant.default.as_str(), variant.choices),
            ("chess", vec!["chess".into(), "janggi".into()])
        );
        let file = parse("option name EvalFile type string default my net.nnue");
        assert_eq!(file.default, "my net.nnue");
        assert_eq!(parse("option name Debug File type string default ").default, "");
        assert_eq!(parse("option usemillisec type check default false").name, "usemillisec");
        assert_eq!(Announced::parse("id name option type x"), None);
        assert_eq!(Announced::parse("option name Hash"), None);
    }

    #[test]
    fn close_names_are_found() {
        let options: Vec<Announced> = ["Hash", "Threads", "Skill Level", "MultiPV"]
            .map(|name| Announced { name: name.into(), default: String::new(), choices: Vec::new() })
            .into();
        assert_eq!(closest(&options, "thread")[0], "Threads");
        assert_eq!(closest(&options, "Skill_Level")[0], "Skill Level");
        assert!(find(&options, "hash").is_some() && find(&options, "Has").is_none());
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }
}
