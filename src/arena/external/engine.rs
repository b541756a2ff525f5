//! The conversation with an engine: the handshake, its options, a position and the answer to `go`.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use tempfile::NamedTempFile;

use super::{
    EngineSpec, EngineTimeouts, options,
    process::{Process, Silence},
    variant,
};
use crate::{
    arena::Forfeit,
    games::rules::{GameId, Reason, RuleSet},
    protocol::{Dialect, OptionDeclaration, OptionSetting},
};

/// An engine that runs, has its options and waits for a game. It ends when it is dropped.
#[derive(Debug)]
pub(super) struct Engine {
    spec: EngineSpec,
    process: Process,
    /// What it calls itself; empty if it does not.
    name: String,
    options: Vec<OptionDeclaration>,
    limits: EngineTimeouts,
}

/// Options that an engine may announce, and the bytes that they may take: ten times what Fairy-Stockfish has.
const MOST_OPTIONS: usize = 1000;
const MOST_BYTES: usize = 1 << 20;
/// Letters of an engine's name that are kept.
const LONGEST_NAME: usize = 100;

fn unfit(why: String) -> Forfeit {
    Forfeit { reason: Reason::Crash, why }
}

fn set(name: &str, value: &str) -> OptionSetting {
    OptionSetting { name: name.to_owned(), value: Some(value.to_owned()) }
}

fn variant_file(definition: &str) -> io::Result<NamedTempFile> {
    let mut file = NamedTempFile::with_suffix(".ini")?;
    file.write_all(definition.as_bytes())?;
    Ok(file)
}

/// How long an answer is waited for.
#[derive(Clone, Copy)]
pub(super) struct Wait<'a> {
    /// Who takes longer has failed.
    pub(super) limit: Duration,
    /// Whether the answer is no longer wanted.
    pub(super) is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl Wait<'_> {
    fn up_to(limit: Duration) -> Self {
        Wait { limit, is_stopped: &|| false }
    }
}

impl Engine {
    /// Starts it, and sets its options for `game`.
    pub(super) fn start(
        spec: &EngineSpec,
        game: GameId,
        rules: RuleSet,
        limits: EngineTimeouts,
    ) -> Result<Self, Forfeit> {
        let dialect = spec.dialect();
        if !dialect.plays(game) {
            return Err(unfit(format!("{game} cannot be written in {dialect}, try uci")));
        }
        let process = Process::start(spec.command(), spec.arguments())
            .map_err(|error| unfit(format!("'{}' does not start: {error}", spec.command())))?;
        let (name, options) = (String::new(), Vec::new());
        let mut engine = Engine { spec: spec.clone(), process, name, options, limits };
        engine.shake_hands()?;
        let mut settings = engine.settings()?;
        let variants = engine.choose_variant(game, rules, &mut settings)?;
        for setting in settings {
            engine.process.send(setting.write(dialect));
        }
        if variants.is_some() {
            // Until then it may not have read the file.
            engine.get_ready(Wait::up_to(limits.handshake))?;
        }
        Ok(engine)
    }

    fn shake_hands(&mut self) -> Result<(), Forfeit> {
        let dialect = self.spec.dialect();
        let welcome = dialect.welcome();
        self.process.send(dialect.to_string());
        let (mut name, mut options, mut bytes) = (String::new(), Vec::new(), 0);
        let is_welcome = self.hear(&welcome, Wait::up_to(self.limits.handshake), |line| {
            if let Some(text) = line.strip_prefix("id name ") {
                name = text.chars().take(LONGEST_NAME).collect();
            }
            if let Some(option) = OptionDeclaration::parse(line) {
                bytes += line.len();
                options.push(option);
            }
            let are_too_many = options.len() > MOST_OPTIONS || bytes > MOST_BYTES;
            (line == welcome || are_too_many).then_some(!are_too_many)
        })?;
        if !is_welcome {
            self.process.kill();
            let why = format!("it announces more than {MOST_OPTIONS} options, or {MOST_BYTES} bytes of them");
            return Err(unfit(why));
        }
        (self.name, self.options) = (name, options);
        Ok(())
    }

    /// The options that the user sets, as the engine spells them, and those that its dialect needs.
    fn settings(&self) -> Result<Vec<OptionSetting>, Forfeit> {
        let mut settings = Vec::new();
        for option in self.spec.options() {
            let Some(announced) = options::find(&self.options, &option.name) else {
                let close = options::closest(&self.options, &option.name).join(", ");
                return Err(unfit(format!("it has no option '{}', but {close}", option.name)));
            };
            settings.push(OptionSetting { name: announced.name.clone(), value: option.value.clone() });
        }
        // Times are in seconds without it.
        if let Some(option) = options::find(&self.options, "usemillisec") {
            settings.push(set(&option.name, "true"));
        }
        Ok(settings)
    }

    /// Adds the variant of `game` under `rules` to `settings`, unless the user has chosen one; and returns the file
    /// that defines it where it is our own.
    fn choose_variant(
        &self,
        game: GameId,
        rules: RuleSet,
        settings: &mut Vec<OptionSetting>,
    ) -> Result<Option<NamedTempFile>, Forfeit> {
        let Some(option) = variant::option(&self.options) else { return Ok(None) };
        let is_set = |wanted: &str| settings.iter().any(|setting| setting.name == wanted);
        if is_set(&option.name) {
            return Ok(None);
        }
        let files = options::find(&self.options, variant::FILE_OPTION).filter(|files| !is_set(&files.name));
        if let (Some(files), Some((name, definition))) = (files, variant::own(game, rules)) {
            let file =
                variant_file(&definition).map_err(|error| unfit(format!("no variant file: {error}")))?;
            settings.push(set(&files.name, &file.path().display().to_string()));
            settings.push(set(&option.name, name));
            return Ok(Some(file));
        }
        let is_known =
            |name: &&str| option.choices.is_empty() || option.choices.iter().any(|known| known == name);
        match variant::name(game, rules).filter(is_known) {
            // The default is not set: not every engine of USI expects this option.
            Some(wanted) if option.default.as_deref() == Some(wanted) => {}
            Some(wanted) => settings.push(set(&option.name, wanted)),
            None => {
                let name = &option.name;
                return Err(unfit(format!(
                    "it has no variant for {game} under {rules}; set {name} to use one"
                )));
            }
        }
        Ok(None)
    }

    /// What it calls itself, else its command.
    pub(super) fn name(&self) -> &str {
        if self.name.is_empty() { self.spec.command() } else { &self.name }
    }

    /// Tells it that a game begins, and waits until it is ready.
    pub(super) fn new_game(&mut self) -> Result<(), Forfeit> {
        match self.spec.dialect() {
            Dialect::Uci => self.process.send("ucinewgame".to_owned()),
            Dialect::Ucci => {
                if let Some(option) = options::find(&self.options, "newgame") {
                    let button = OptionSetting { name: option.name.clone(), value: None };
                    self.process.send(button.write(Dialect::Ucci));
                }
            }
            // First it gets ready.
            Dialect::Usi => {}
        }
        self.get_ready(Wait::up_to(self.limits.handshake))?;
        if self.spec.dialect() == Dialect::Usi {
            self.process.send("usinewgame".to_owned());
        }
        Ok(())
    }

    fn get_ready(&mut self, wait: Wait<'_>) -> Result<(), Forfeit> {
        self.process.send("isready".to_owned());
        self.hear("readyok", wait, |line| (line == "readyok").then_some(()))
    }

    /// Sends a position and a `go`; `read` takes its answer from the line that holds one.
    pub(super) fn ask<T>(
        &mut self,
        position: String,
        go: String,
        wait: Wait<'_>,
        read: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Forfeit> {
        // An answer to an earlier question is none to this one.
        if self.spec.dialect().may_ask_ready_between_moves() {
            self.get_ready(wait)?;
        } else {
            self.process.forget_output();
        }
        self.process.send(position);
        self.process.send(go);
        self.hear("bestmove", wait, read)
    }

    /// Reads lines until one is what is `wanted`.
    fn hear<T>(
        &mut self,
        wanted: &str,
        wait: Wait<'_>,
        mut read: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Forfeit> {
        let deadline = Instant::now() + wait.limit;
        loop {
            match self.process.line(deadline, wait.is_stopped) {
                Ok(line) => {
                    if let Some(found) = read(&line) {
                        return Ok(found);
                    }
                }
                Err(silence) => return Err(self.failed(silence, wanted, wait.limit)),
            }
        }
    }

    /// Ends the process, and says what happened.
    fn failed(&mut self, silence: Silence, wanted: &str, limit: Duration) -> Forfeit {
        let (reason, mut why) = match silence {
            Silence::TimedOut => {
                self.process.kill();
                (Reason::Timeout, format!("no '{wanted}' within {limit:.1?}"))
            }
            Silence::Closed => {
                let why = match self.process.wait() {
                    Some(status) => format!("it ended before '{wanted}': {status}"),
                    None => format!("it closed its output before '{wanted}'"),
                };
                (Reason::Crash, why)
            }
        };
        let words = self.process.last_words();
        if !words.is_empty() {
            why += &format!("; its last words: {words}");
        }
        Forfeit { reason, why }
    }
}
