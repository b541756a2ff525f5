//! The conversation with the other program: each line that comes in, and what the engine does about it.

mod meant;

use std::{
    io::{self, BufRead, Write},
    mem,
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use super::{
    game_engine::AnyGameEngine,
    options::{EngineSettings, OptionEffect, declarations},
    output::{EngineOutput, shortened},
    request::{SearchRequest, time_limit},
    search_thread::SearchThread,
};
use crate::{
    base::store::{LineRead, printable, read_line},
    games::rules::{GameId, RuleSet, Setup, Side},
    net::{ModelFile, PlayTable},
    protocol::{
        Dialect, EngineCommand, GoClocks, GoCommand, Notation, OptionSetting, PositionText, is_position,
    },
    search::TimeLimit,
};

/// What an engine is started with.
#[derive(Clone, Debug, Default)]
pub struct EngineConfig {
    /// The net that was named. Its game is played until another variant is chosen.
    pub model: Option<PathBuf>,
    /// Settings of the search that were given.
    pub play: PlayTable,
    /// Where a net is looked for if none is named.
    pub folders: Vec<PathBuf>,
}

/// A line has at most this many bytes: a game of many thousand moves.
const LONGEST_LINE: usize = 1 << 20;

/// The engine's side of the conversation. When it is dropped, it stops a search that is under way.
pub struct Session {
    folders: Vec<PathBuf>,
    settings: EngineSettings,
    output: EngineOutput,
    notes: Box<dyn Write + Send>,
    /// The game and the rules of the net that was named.
    named: Option<(GameId, RuleSet)>,
    /// The game that the last SFEN is of, by the size of its board.
    shogi: Option<GameId>,
    /// How UCI writes moves, as far as the moves so far have shown.
    ranks: Notation,
    banned: Vec<String>,
    /// What was noted last as unusual about a position.
    unusual: Option<String>,
    /// Why the last position was refused. Until a position is understood, nothing is searched.
    refused: Option<String>,
    /// Why the net that an option named cannot be read. Until it can, or another is named, no move is looked for: whoever
    /// named it does not want another one.
    unread: Option<String>,
    /// The engine of the game that is meant; `None` before the first position, and after a search that has failed.
    thread: Option<SearchThread>,
    /// The last `go`, whose turn it was then, and after how many plies.
    asked: (GoCommand, (Side, u32)),
}

impl Session {
    /// Writes the protocol to `out`, and what is for people to `notes`.
    ///
    /// # Errors
    /// When the net that was named cannot be read.
    pub fn new(
        config: EngineConfig,
        out: Box<dyn Write + Send>,
        notes: Box<dyn Write + Send>,
    ) -> anyhow::Result<Self> {
        let mut session = Session {
            folders: config.folders,
            settings: EngineSettings::new(config.play),
            output: EngineOutput::new(out),
            notes,
            named: None,
            shogi: None,
            ranks: Notation::Own,
            banned: Vec::new(),
            unusual: None,
            refused: None,
            unread: None,
            thread: None,
            asked: (GoCommand::default(), (Side::First, 0)),
        };
        if let Some(path) = config.model {
            let meta = ModelFile::read(&path)?.meta;
            session.named = Some((meta.game, meta.rules));
            session.settings.weights = Some(path);
        }
        Ok(session)
    }

    /// Carries out a line, and returns whether the conversation goes on. A line that is wrong is noted, and changes
    /// nothing.
    pub fn handle_line(&mut self, line: &str) -> ControlFlow<()> {
        let done = match EngineCommand::parse(line, self.output.dialect) {
            Ok(None) => Ok(()),
            Ok(Some(EngineCommand::Quit)) => return ControlFlow::Break(()),
            Ok(Some(command)) => self.carry_out(command),
            Err(why) => Err(why),
        };
        if let Err(why) = done {
            self.note(&format!("ignored '{}': {why}", shortened(line)));
        }
        if self.output.is_closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Reads lines until one ends the conversation, or there are no more.
    ///
    /// # Errors
    /// Those of the input.
    pub fn run(mut self, input: &mut impl BufRead) -> io::Result<()> {
        let mut bytes = Vec::new();
        loop {
            match read_line(input, &mut bytes, LONGEST_LINE)? {
                LineRead::End => break,
                LineRead::Cut => self.skip_cut(&String::from_utf8_lossy(&bytes)),
                LineRead::Whole => {
                    if self.handle_line(&String::from_utf8_lossy(&bytes)).is_break() {
                        break;
                    }
                }
            }
        }
        self.end();
        Ok(())
    }

    /// Skips a line that was cut, since what it sets cannot be known.
    fn skip_cut(&mut self, line: &str) {
        let why = format!("it has more than {LONGEST_LINE} bytes");
        self.note(&format!("ignored '{}': {why}", shortened(line)));
        if is_position(line) {
            self.stop_and_join();
            self.refused = Some(why);
        }
    }

    /// Ends the conversation: a search under way is stopped and answers.
    pub fn end(mut self) {
        self.stop_and_join();
        if self.output.dialect == Dialect::Ucci {
            self.output.say("bye");
        }
    }

    fn carry_out(&mut self, command: EngineCommand) -> Result<(), String> {
        match command {
            EngineCommand::Hello(dialect) => self.greet(dialect),
            EngineCommand::IsReady => {
                if !self.thread.as_ref().is_some_and(SearchThread::is_searching) {
                    self.prepare();
                }
                self.output.say("readyok");
            }
            EngineCommand::SetOption(OptionSetting { name, value }) => {
                self.stop_and_join();
                return self.set_option(&name, value.as_deref());
            }
            EngineCommand::NewGame | EngineCommand::GameOver => self.begin_game(),
            EngineCommand::Position(text) => {
                self.stop_and_join();
                let read = text.and_then(|text| self.set_position(&text));
                self.refused = read.as_ref().err().cloned();
                return read;
            }
            EngineCommand::Go(go, skipped) => {
                if !skipped.is_empty() {
                    self.note(&format!("go: skipped '{}'", shortened(&skipped.join(" "))));
                }
                self.go(go);
            }
            EngineCommand::Stop => self.stop(),
            EngineCommand::PonderHit(clocks) => self.ponder_hit(&clocks),
            EngineCommand::BanMoves(moves) => self.banned = moves,
            EngineCommand::Show => {
                let lines = self.ensure_idle().show();
                if let Some(why) = &self.refused {
                    let text = format!("info string the position before the refused one: {}", printable(why));
                    self.output.say(&text);
                }
                lines.iter().for_each(|line| self.output.say(line));
            }
            EngineCommand::Quit => {}
        }
        Ok(())
    }

    fn greet(&mut self, dialect: Dialect) {
        self.stop_and_join();
        self.output.dialect = dialect;
        self.shogi = None;
        self.ranks = self.usual_ranks();
        self.output.say(concat!("id name Sanki ", env!("CARGO_PKG_VERSION")));
        self.output.say("id author the authors of Sanki");
        for option in declarations(dialect, self.game(), &self.settings) {
            self.output.say(&option.write(dialect));
        }
        self.output.say(&dialect.welcome());
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let EngineSettings { weights, ranks, variant, rules, .. } = self.settings.clone();
        match self.settings.set(name, value)? {
            OptionEffect::NewGame => self.begin_game(),
            OptionEffect::Set => {
                if self.settings.ranks != ranks {
                    self.ranks = self.usual_ranks();
                }
                if (self.settings.variant, self.settings.rules) != (variant, rules) {
                    self.note_unplayed();
                }
                if self.settings.weights != weights {
                    self.read_named_net();
                    let unread = self.unread.clone();
                    unread.iter().for_each(|why| self.warn(why));
                }
            }
        }
        Ok(())
    }

    /// Looks which game the net plays that an option names.
    fn read_named_net(&mut self) {
        let read = self.settings.weights.as_ref().map(|path| {
            ModelFile::read(path).map_err(|why| format!("the net {} cannot be read: {why:#}", path.display()))
        });
        let (named, unread) = match read.transpose() {
            Ok(model) => (model.map(|model| (model.meta.game, model.meta.rules)), None),
            Err(why) => (None, Some(why)),
        };
        (self.named, self.unread) = (named, unread);
    }

    fn begin_game(&mut self) {
        self.stop_and_join();
        self.banned.clear();
        self.ensure_idle().forget();
    }

    fn set_position(&mut self, text: &PositionText) -> Result<(), String> {
        let told = text.shogi_game().filter(|_| self.output.dialect == Dialect::Usi);
        let before = mem::replace(&mut self.shogi, told);
        let meant = self.game();
        // Where the game changes, the engine of the game before stays until the position is read.
        let kept = self.thread.take_if(|thread| !thread.plays(meant));
        let ranks = self.ranks;
        let is_of_rank_zero =
            meant.0 == GameId::Xiangqi && self.settings.ranks.is_none() && text.is_of_rank_zero();
        let notations = self.notations(if is_of_rank_zero { Notation::RanksFromZero } else { ranks });
        let has_setups = !meant.0.facts().setups.is_empty();
        let setup = if has_setups { self.settings.setup.into() } else { Setup::Standard };
        match self.ensure_idle().set_position(text, setup, &notations) {
            Ok(notation) => {
                self.banned.clear();
                if notation != Notation::Shogi {
                    self.ranks = notation;
                }
                self.note_unusual();
                Ok(())
            }
            Err(why) => {
                self.shogi = before;
                if kept.is_some() {
                    (self.thread, self.ranks) = (kept, ranks);
                }
                Err(why)
            }
        }
    }

    /// Notes what is unusual about the position, unless that was noted last.
    fn note_unusual(&mut self) {
        let unusual = self.ensure_idle().unusual();
        if let Some(why) = unusual.as_ref().filter(|_| unusual != self.unusual) {
            self.note(&format!("an unusual position: {why}"));
        }
        self.unusual = unusual;
    }

    fn go(&mut self, go: GoCommand) {
        // The clock runs while the net is loaded.
        let began = Instant::now();
        self.stop_and_join();
        let mut refused = self.refused.as_ref().map(|why| format!("no position to search: {why}"));
        if go.perft.is_none() && refused.is_none() {
            self.prepare();
            refused = self.unread.clone();
        }
        self.output.notation = self.notations(self.ranks)[0];
        let turn = self.ensure_idle().turn();
        let dialect = self.output.dialect;
        let time = time_limit(&go, &go.clocks, turn, dialect, &self.settings);
        let request = SearchRequest {
            began,
            banned: self.banned.clone(),
            ..SearchRequest::new(&go, time, refused.as_deref(), dialect, &self.settings)
        };
        self.asked = (go, turn);
        let output = self.output.clone();
        if let Some(thread) = &mut self.thread {
            thread.start(request, output);
        }
    }

    fn stop(&mut self) {
        if let Some(control) = self.thread.as_ref().and_then(SearchThread::control) {
            control.stop();
        }
    }

    fn ponder_hit(&mut self, clocks: &GoClocks) {
        let Some(control) = self.thread.as_ref().and_then(SearchThread::control) else { return };
        let (go, turn) = &self.asked;
        let clocks = if clocks.is_empty() { &go.clocks } else { clocks };
        control.ponder_hit(match time_limit(go, clocks, *turn, self.output.dialect, &self.settings) {
            // Nothing limits it, so it has thought long enough.
            TimeLimit::None if go.nodes.or(go.depth).is_none() => TimeLimit::Fixed(Duration::ZERO),
            time => time,
        });
    }

    /// Stops a search that is under way, and waits until it has answered.
    fn stop_and_join(&mut self) {
        if !self.thread.as_mut().is_none_or(SearchThread::stop_and_join) {
            self.thread = None;
            self.note("the search has failed: the position is that of the start again");
        }
    }

    /// The engine of the game that is meant, after any search has ended.
    fn ensure_idle(&mut self) -> &mut dyn AnyGameEngine {
        self.stop_and_join();
        let meant = self.game();
        if self.thread.as_ref().is_none_or(|thread| !thread.plays(meant)) {
            self.thread = Some(SearchThread::new(meant.0, meant.1));
            self.ranks = self.usual_ranks();
        }
        self.thread.as_mut().and_then(SearchThread::engine).expect("nothing is searched")
    }

    /// Loads the net that is meant, unless it is loaded.
    fn prepare(&mut self) {
        if self.unread.is_some() {
            self.read_named_net();
        }
        if self.unread.is_some() {
            return;
        }
        let (weights, play) = (self.settings.weights.clone(), self.settings.search_settings());
        let (folders, book) = (self.folders.clone(), self.settings.own_book().map(Path::to_owned));
        let engine = self.ensure_idle();
        let mut notes = engine.load_net(weights.as_deref(), &play, &folders);
        notes.extend(engine.open_book(book.as_deref()));
        notes.iter().for_each(|text| self.warn(text));
    }

    /// Writes a line for people, where the other program may show it.
    fn warn(&mut self, text: &str) {
        // In the other dialects an unexpected line may confuse the other program.
        if self.output.dialect == Dialect::Uci {
            self.output.say(&format!("info string {}", printable(text)));
        }
        self.note(text);
    }

    /// Writes a line for people.
    fn note(&mut self, text: &str) {
        // The engine goes on where it cannot be written.
        let _ = writeln!(self.notes, "{}", printable(text));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.stop_and_join();
    }
}
