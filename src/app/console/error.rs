//! Errors as the user sees them: `error: …`, then `help: …` where something can be done.

use std::{fmt::Display, process::ExitCode};

/// What a shell reports of a program that Ctrl-C ended.
const INTERRUPTED: u8 = 130;

/// An error with its advice and its exit code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CliError {
    message: String,
    help: Option<String>,
    exit_code: u8,
}

impl CliError {
    /// The command could not be done; exit code 1.
    pub fn failed(message: impl ToString) -> Self {
        CliError { message: message.to_string(), help: None, exit_code: 1 }
    }

    /// The arguments make no sense; exit code 2.
    pub fn usage(message: impl ToString) -> Self {
        CliError { exit_code: 2, ..CliError::failed(message) }
    }

    /// The user stopped it; `message` says where things stand. Exit code 130.
    pub fn interrupted(message: impl ToString) -> Self {
        CliError { exit_code: INTERRUPTED, ..CliError::failed(message) }
    }

    /// Whether the arguments make no sense.
    pub fn is_usage(&self) -> bool {
        self.exit_code == CliError::usage("").exit_code
    }

    /// Its exit code.
    pub(super) fn code(&self) -> ExitCode {
        ExitCode::from(self.exit_code)
    }

    /// The same error, saying what can be done.
    pub fn help(self, help: impl Into<String>) -> Self {
        CliError { help: Some(help.into()), ..self }
    }

    /// The same error, saying first what it is about.
    pub fn about(self, what: impl Display) -> Self {
        CliError { message: format!("{what}: {}", self.message), ..self }
    }

    /// What is wrong and what can be done, each as a line of bounded length.
    pub(in super::super) fn lines(&self) -> (String, Option<String>) {
        (one_line(&self.message), self.help.as_deref().map(one_line))
    }

    /// Prints both lines to stderr.
    pub(super) fn print(&self) -> ExitCode {
        // Being stopped is no error.
        let prefix = if self.exit_code == INTERRUPTED { "" } else { "error: " };
        let (message, help) = self.lines();
        super::tell(format_args!("{prefix}{message}"));
        if let Some(help) = help {
            super::tell(format_args!("help: {help}"));
        }
        self.code()
    }
}

/// Letters of a message at most: what it quotes from outside may be long.
const LONGEST: usize = 2000;

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().map(without_user).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// A word without what stands before the `@` of an address: an argument in the wrong place may hold a password.
fn without_user(word: &str) -> String {
    match word.split_once("://") {
        Some((scheme, rest)) => match rest.rsplit_once('@') {
            Some((_, host)) => format!("{scheme}://{host}"),
            None => word.to_owned(),
        },
        None => word.to_owned(),
    }
}

/// What Rust says of texts that are no such number, and the same in usual words.
const OF_NUMBERS: [(&str, &str); 7] = [
    ("number would be zero for non-zero type", "it must be more than 0"),
    ("invalid digit found in string", "it must be a whole number and not negative"),
    ("cannot parse integer from empty string", "it must be a whole number and not negative"),
    ("number too large to fit in target type", "it is too large"),
    ("number too small to fit in target type", "it is too small"),
    ("invalid float literal", "it is no number"),
    ("cannot parse float from empty string", "it is no number"),
];

fn in_words(message: &str) -> String {
    let found = OF_NUMBERS.iter().find_map(|(of_rust, words)| Some((message.strip_suffix(*of_rust)?, words)));
    found.map_or_else(|| message.to_owned(), |(start, words)| format!("{start}{words}"))
}

impl From<anyhow::Error> for CliError {
    fn from(error: anyhow::Error) -> Self {
        // The causes behind a context belong on the one line.
        error.downcast().unwrap_or_else(|error| CliError::failed(format!("{error:#}")))
    }
}

impl From<clap::Error> for CliError {
    /// Clap's first paragraph is the error, the next its advice, unless that is the usage.
    fn from(error: clap::Error) -> Self {
        let text = error.render().to_string();
        let mut paragraphs = text.split("\n\n").map(str::trim);
        let message = paragraphs.next().unwrap_or_default();
        let tip = paragraphs.find_map(|paragraph| paragraph.strip_prefix("tip: "));
        CliError::usage(in_words(message.strip_prefix("error: ").unwrap_or(message)))
            .help(tip.unwrap_or("--help lists the commands and options"))
    }
}
