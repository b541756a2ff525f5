//! Whether a terminal shows colours.

use std::{env, ffi::OsStr, io::IsTerminal};

/// Whether what is written to `stream` may be in colours: it is a terminal that shows them, and the user wants them. The
/// console of Windows 10 shows them once it is told to, which this does. A terminal of another kind says there by `TERM`
/// that it shows them.
pub(super) fn are_shown(stream: &impl IsTerminal) -> bool {
    let [refused, terminal] = ["NO_COLOR", "TERM"].map(env::var_os);
    stream.is_terminal()
        && are_wanted(refused.as_deref(), terminal.as_deref())
        && (anstyle_query::windows::enable_ansi_colors() != Some(false)
            || anstyle_query::term_supports_ansi_color())
}

/// Whether the values of `NO_COLOR` and `TERM` leave room for colours.
fn are_wanted(refused: Option<&OsStr>, terminal: Option<&OsStr>) -> bool {
    refused.is_none_or(OsStr::is_empty) && terminal.is_none_or(|name| name != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_can_be_refused() {
        let are_wanted = |refused: Option<&str>, terminal: Option<&str>| {
            are_wanted(refused.map(OsStr::new), terminal.map(OsStr::new))
        };
        assert!(are_wanted(None, None) && are_wanted(Some(""), Some("xterm-256color")));
        assert!(!are_wanted(Some("1"), Some("xterm-256color")), "by the user");
        assert!(!are_wanted(None, Some("dumb")), "by the terminal");
        assert!(!are_shown(&std::fs::File::open("Cargo.toml").unwrap()), "a file has none");
    }
}
