//! The two faces of the pieces: outlines of characters, so that no font is needed, and pictograms for those who read
//! none of them. `glyphs/make` makes the first from fonts, the second are drawings of our own.

use std::{collections::BTreeMap, sync::LazyLock};

static CHARACTERS: LazyLock<Paths> = LazyLock::new(|| Paths::read(include_str!("glyphs/outlines.txt")));
static PICTOGRAMS: LazyLock<Paths> = LazyLock::new(|| Paths::read(include_str!("glyphs/pictograms.txt")));

/// Paths of SVG by name.
struct Paths(BTreeMap<&'static str, &'static str>);

impl Paths {
    /// Reads lines of a name and a path; those that begin with `#` are comments.
    fn read(text: &'static str) -> Self {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        Paths(lines.map(|line| line.split_once(' ').expect("a name and a path, as tested")).collect())
    }

    fn of<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> BTreeMap<&'static str, &'static str> {
        let entry = |name: &str| {
            let (name, path) = self.0.get_key_value(name).unwrap_or_else(|| panic!("no path of {name}"));
            (*name, *path)
        };
        names.into_iter().map(entry).collect()
    }
}

/// The outlines with these names: the hand that wrote the character, and the character. Their ink is centred at 0,0, and
/// its longer side is about 900 units.
///
/// # Panics
/// Where there is none of that name: a test looks up those of all games.
pub(super) fn characters<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> BTreeMap<&'static str, &'static str> {
    CHARACTERS.of(names)
}

/// The pictograms with these names. They are within 40 units of 0,0.
///
/// # Panics
/// Those of [`characters`].
pub(super) fn pictograms<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> BTreeMap<&'static str, &'static str> {
    PICTOGRAMS.of(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many numbers each command wants; an arc's two flags are numbers here.
    fn arguments(command: char) -> usize {
        match command.to_ascii_lowercase() {
            'z' => 0,
            'h' | 'v' => 1,
            'm' | 'l' => 2,
            'q' => 4,
            'c' => 6,
            'a' => 7,
            _ => panic!("no command {command}"),
        }
    }

    /// The commands of a path with their numbers.
    fn commands(path: &str) -> Vec<(char, Vec<f32>)> {
        let mut commands = Vec::new();
        let mut rest = path;
        while let Some(command) = rest.chars().next() {
            let end =
                rest[1..].find(|letter: char| letter.is_ascii_alphabetic()).map_or(rest.len(), |at| at + 1);
            let spaced = rest[1..end].replace(',', " ").replace('-', " -");
            commands
                .push((command, spaced.split_whitespace().map(|number| number.parse().unwrap()).collect()));
            rest = &rest[end..];
        }
        commands
    }

    #[test]
    fn every_path_can_be_read() {
        for (name, path) in CHARACTERS.0.iter().chain(&PICTOGRAMS.0) {
            let commands = commands(path);
            assert!(commands.len() > 3 && path.starts_with(['m', 'M']) && path.ends_with('z'), "{name}");
            for (command, numbers) in commands {
                let wanted = arguments(command);
                let fits = if wanted == 0 {
                    numbers.is_empty()
                } else {
                    !numbers.is_empty() && numbers.len() % wanted == 0
                };
                assert!(fits, "{name}: {command}{numbers:?}");
                assert!(numbers.iter().all(|number| number.abs() <= 1000.0), "{name}: {command}{numbers:?}");
            }
        }
    }

    #[test]
    fn the_files_are_small() {
        assert!(include_str!("glyphs/outlines.txt").len() < 80_000);
        assert!(include_str!("glyphs/pictograms.txt").len() < 12_000);
    }
}
