//! Commands that are printed for the user to copy.

use std::{borrow::Cow, path::Path};

/// `path` as one word of a command, quoted where it has spaces or other letters that a shell reads in its own way.
pub fn word(path: &Path) -> String {
    quoted(&path.to_string_lossy()).into_owned()
}

#[cfg(not(windows))]
fn quoted(text: &str) -> Cow<'_, str> {
    // Only a byte of 0 cannot be quoted, and no path has one.
    shlex::try_quote(text).unwrap_or(Cow::Borrowed(text))
}

/// Both shells of Windows take double quotes, which no path there can hold.
#[cfg(windows)]
fn quoted(text: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| letter.is_alphanumeric() || r"\/:._-".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) { text.into() } else { format!("\"{text}\"").into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(not(windows))]
    fn a_path_stays_one_word() {
        for path in ["runs/first", "my runs/it's", "장기/초 한", "a$HOME", "", "a;b&c"] {
            let command = format!("sanki play --model {}", word(Path::new(path)));
            let words = shlex::split(&command).expect("a command");
            assert_eq!(words[3..], [path], "{command}");
        }
        assert_eq!(word(Path::new("runs/xiangqi-2026")), "runs/xiangqi-2026", "no quotes without need");
    }
}
