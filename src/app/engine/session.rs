//! A conversation: lines in, one after another, and what comes of them.

use std::{
    io::{self, BufRead, Write},
    mem,
    path::PathBuf,
    time::{Duration, Instant},
};

use super::{
    Thinker,
    clock::{Clocks, Terms},
    command::{self, Command, Go, MateGo, shortened},
    options::{Change, Settings, announce},
    position::PositionText,
    seat::{Asked, Seat},
    task::{Refused, Task, Time, Voice, Waits, Work},
};
use crate::{
    arena::{Dialect, Notation},
    base::store::{LineRead, printable, read_line},
    games::rules::{Family, Game, GameId, RuleSet, Side},
    net::{ModelFile, PlayTable},
    with_game,
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

/// Bytes of a line, at most: a game of many thousand moves.
const LONGEST_LINE: usize = 1 << 20;

/// Whether a conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The next line, please.
    Next,
    /// It is over.
    End,
}

/// The engine's side of a conversation. It ends a search that is under way when it is dropped.
pub struct Session {
    folders: Vec<PathBuf>,
    settings: Settings,
    voice: Voice,
    notes: Box<dyn Write + Send>,
    /// The game and the rules of the net that was named.
    named: Option<(GameId, RuleSet)>,
    /// The game that an SFEN told.
    shogi: Option<GameId>,
    /// How UCI writes moves, as far as the moves have told.
    ranks: Notation,
    banned: Vec<String>,
    /// What was said to be unusual about the position.
    unusual: Option<String>,
    /// Why the last position was refused: until one is understood, nothing is searched.
    refused: Option<String>,
    seat: Option<Seat>,
}

impl Session {
    /// Says its lines to `out`, and to `notes` what is for people.
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
            settings: Settings::new(config.play),
            voice: Voice::new(out),
            notes,
            named: None,
            shogi: None,
            ranks: Notation::Own,
            banned: Vec::new(),
            unusual: None,
            refused: None,
            seat: None,
        };
        if let Some(path) = config.model {
            let meta = ModelFile::read(&path)?.meta;
            session.named = Some((meta.game, meta.rules));
            session.settings.weights = Some(path);
        }
        Ok(session)
    }

    /// Carries out a line. What is wrong with it is noted, and nothing else comes of it.
    pub fn hear(&mut self, line: &str) -> Flow {
        match command::parse(line, self.voice.dialect) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => return Flow::End,
            Ok(Some(command)) => {
                if let Err(why) = self.carry_out(command) {
                    self.note(&format!("ignored '{}': {why}", shortened(line)));
                }
            }
            Err(why) => self.note(&format!("ignored '{}': {why}", shortened(line))),
        }
        if self.voice.is_unheard() { Flow::End } else { Flow::Next }
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
                    if self.hear(&String::from_utf8_lossy(&bytes)) == Flow::End {
                        break;
                    }
                }
            }
        }
        self.end();
        Ok(())
    }

    /// Skips a line that was cut. What it sets cannot be known.
    fn skip_cut(&mut self, line: &str) {
        let why = format!("it has more than {LONGEST_LINE} bytes");
        self.note(&format!("ignored '{}': {why}", shortened(line)));
        if command::is_position(line) {
            self.rest();
            self.refused = Some(why);
        }
    }

    /// Takes its leave: a search under way is ended and says its answer.
    pub fn end(mut self) {
        self.rest();
        if self.voice.dialect == Dialect::Ucci {
            self.voice.say("bye");
        }
    }

    fn carry_out(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Hello(dialect) => self.greet(dialect),
            Command::IsReady => {
                if !self.seat.as_ref().is_some_and(Seat::is_busy) {
                    self.prepare();
                }
                self.voice.say("readyok");
            }
            Command::SetOption(name, value) => {
                self.rest();
                return self.set_option(&name, value.as_deref());
            }
            Command::NewGame | Command::GameOver => self.begin_game(),
            Command::Position(text) => {
                self.rest();
                let read = text.and_then(|text| self.set_position(&text));
                self.refused = read.as_ref().err().cloned();
                return read;
            }
            Command::Go(go, skipped) => {
                if !skipped.is_empty() {
                    self.note(&format!("go: skipped '{}'", shortened(&skipped.join(" "))));
                }
                self.go(go);
            }
            Command::Stop => self.stop(),
            Command::PonderHit(clocks) => self.ponder_hit(&clocks),
            Command::BanMoves(moves) => self.banned = moves,
            Command::Show => {
                let lines = self.idle().show();
                if let Some(why) = &self.refused {
                    let text = format!("info string the position before the refused one: {}", printable(why));
                    self.voice.say(&text);
                }
                lines.iter().for_each(|line| self.voice.say(line));
            }
            Command::Quit => {}
        }
        Ok(())
    }

    fn greet(&mut self, dialect: Dialect) {
        self.rest();
        self.voice.dialect = dialect;
        self.shogi = None;
        self.ranks = self.usual_ranks();
        self.voice.say(concat!("id name Sanki ", env!("CARGO_PKG_VERSION")));
        self.voice.say("id author the authors of Sanki");
        let (game, _) = self.game();
        announce(dialect, game, &self.settings).iter().for_each(|line| self.voice.say(line));
        self.voice.say(&format!("{dialect}ok"));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let Settings { weights, ranks, .. } = self.settings.clone();
        match self.settings.set(name, value)? {
            Change::NewGame => self.begin_game(),
            Change::Set => {
                if self.settings.ranks != ranks {
                    self.ranks = self.usual_ranks();
                }
                if self.settings.weights != weights {
                    let model = self.settings.weights.as_ref().and_then(|path| ModelFile::read(path).ok());
                    self.named = model.map(|model| (model.meta.game, model.meta.rules));
                }
            }
        }
        Ok(())
    }

    fn begin_game(&mut self) {
        self.rest();
        self.banned.clear();
        self.idle().forget();
    }

    fn set_position(&mut self, text: &PositionText) -> Result<(), String> {
        let told = text.shogi_game().filter(|_| self.voice.dialect == Dialect::Usi);
        let before = mem::replace(&mut self.shogi, told);
        let meant = self.game();
        // Where the game changes, what is on the desk stays until the position is read.
        let kept = self.seat.take_if(|seat| !seat.is_for(meant));
        if meant.0 == GameId::Xiangqi && self.settings.ranks.is_none() && text.is_of_rank_zero() {
            self.ranks = Notation::RanksFromZero;
        }
        let notations = self.notations();
        match self.idle().read(text, &notations) {
            Ok(notation) => {
                self.banned.clear();
                if notation != Notation::Shogi {
                    self.ranks = notation;
                }
                self.tell_unusual();
                Ok(())
            }
            Err(why) => {
                self.shogi = before;
                self.seat = kept.or(self.seat.take());
                Err(why)
            }
        }
    }

    /// Says once what is unusual about the position.
    fn tell_unusual(&mut self) {
        let unusual = self.idle().unusual();
        if let Some(why) = unusual.as_ref().filter(|_| unusual != self.unusual) {
            self.note(&format!("an unusual position: {why}"));
        }
        self.unusual = unusual;
    }

    /// The notations in which moves may come, the likeliest first.
    fn notations(&self) -> Vec<Notation> {
        match (self.voice.dialect, self.game().0) {
            (Dialect::Usi, _) => vec![Notation::Shogi],
            (_, game) if game.facts().family == Family::Shogi => vec![Notation::Own],
            // On its board many a text is a move in both numberings.
            (_, game) if with_game!(game, G => G::RANKS < 10) => vec![self.usual_ranks()],
            (..) => match self.ranks {
                Notation::RanksFromZero => vec![Notation::RanksFromZero, Notation::Own],
                _ => vec![Notation::Own, Notation::RanksFromZero],
            },
        }
    }

    /// How ranks are counted before the moves have told.
    fn usual_ranks(&self) -> Notation {
        match self.voice.dialect {
            Dialect::Ucci => Notation::RanksFromZero,
            Dialect::Uci | Dialect::Usi => self.settings.ranks.unwrap_or(Notation::Own),
        }
    }

    /// The game and its rules that are meant, by all that was said.
    fn game(&self) -> (GameId, RuleSet) {
        let usual = match self.voice.dialect {
            Dialect::Usi => GameId::Shogi,
            Dialect::Uci | Dialect::Ucci => GameId::Xiangqi,
        };
        let plays = |meant: &(GameId, RuleSet)| self.voice.dialect.plays(meant.0);
        let meant = self.settings.variant.or(self.named).filter(plays);
        let game = self.shogi.or(meant.map(|meant| meant.0)).unwrap_or(usual);
        let rules = self.settings.rules.filter(|rules| game.rule_sets().contains(rules));
        let rules = rules.or(meant.filter(|meant| meant.0 == game).map(|meant| meant.1));
        (game, rules.unwrap_or(game.rule_sets()[0]))
    }

    fn go(&mut self, go: Go) {
        // The clock runs while a net is loaded.
        let began = Instant::now();
        self.rest();
        if go.perft.is_none() && self.refused.is_none() {
            self.prepare();
        }
        self.voice.notation = self.notations()[0];
        let (side, ply) = self.idle().turn();
        let work = match (self.refused.clone(), go.perft, go.mate, self.voice.dialect) {
            (Some(why), None, Some(_), Dialect::Usi) => Work::Refusal(why, Refused::Mate),
            (Some(why), ..) => Work::Refusal(why, Refused::Move),
            (None, Some(depth), ..) => Work::Perft(depth.clamp(1, 30) as u32),
            (None, None, Some(MateGo::Within(millis)), Dialect::Usi) => {
                Work::Mate(Some(Duration::from_millis(millis)))
            }
            (None, None, Some(MateGo::Infinite), Dialect::Usi) => Work::Mate(None),
            (None, None, ..) => Work::Move,
        };
        let waits = match () {
            () if go.ponder => Waits::ForHit,
            () if go.is_unlimited() => Waits::ForStop,
            () => Waits::No,
        };
        let Settings { lines, show_wdl, move_stats, .. } = self.settings;
        let task = Task {
            work,
            began,
            nodes: go.nodes.map(|nodes| nodes.max(1)),
            depth: go.depth.map(|depth| depth.clamp(1, 100) as u32),
            time: self.time(&go, &go.clocks, side, ply),
            waits,
            only: go.searchmoves.clone(),
            banned: self.banned.clone(),
            lines,
            show_wdl,
            move_stats,
        };
        let voice = self.voice.clone();
        if let Some(seat) = &mut self.seat {
            seat.think(task, Asked { go, side, ply }, voice);
        }
    }

    /// The time for a move of `side` after `ply` plies.
    fn time(&self, go: &Go, clocks: &Clocks, side: Side, ply: u32) -> Time {
        let Settings { overhead, byoyomi_margin, max_moves, clock_unit, .. } = self.settings;
        let millisecond = Duration::from_millis(1);
        if let Some(time) = go.movetime {
            let time = millisecond * time.min(u32::MAX.into()) as u32;
            return Time::Fixed(time - overhead.min(time / 20));
        }
        let unit = if self.voice.dialect == Dialect::Ucci { clock_unit } else { millisecond };
        let moves_left = (max_moves > 0).then(|| max_moves.saturating_sub(ply) / 2 + 1);
        let terms = Terms { unit, overhead, byoyomi_margin, moves_left };
        if go.infinite {
            return Time::Free;
        }
        clocks.allotment(side, &terms).map_or(Time::Free, Time::Clock)
    }

    fn stop(&mut self) {
        if let Some((_, control)) = self.seat.as_ref().and_then(Seat::asked) {
            control.stop();
        }
    }

    fn ponder_hit(&mut self, clocks: &Clocks) {
        let Some((Asked { go, side, ply }, control)) = self.seat.as_ref().and_then(Seat::asked) else {
            return;
        };
        let clocks = if clocks.is_empty() { &go.clocks } else { clocks };
        control.hit(match self.time(go, clocks, *side, *ply) {
            // Nothing says how long, so it has thought long enough.
            Time::Free if go.nodes.or(go.depth).is_none() => Time::Fixed(Duration::ZERO),
            time => time,
        });
    }

    /// Ends a search that is under way, which says its answer.
    fn rest(&mut self) {
        if !self.seat.as_mut().is_none_or(Seat::rest) {
            self.seat = None;
            self.note("the search has failed: the position is that of the start again");
        }
    }

    /// The desk of the game that is meant, once nothing is searched.
    fn idle(&mut self) -> &mut dyn Thinker {
        self.rest();
        let meant = self.game();
        if self.seat.as_ref().is_none_or(|seat| !seat.is_for(meant)) {
            self.seat = Some(Seat::new(meant.0, meant.1));
            self.ranks = self.usual_ranks();
        }
        self.seat.as_mut().and_then(Seat::idle).expect("it rests").as_mut()
    }

    /// Makes the net that is meant play.
    fn prepare(&mut self) {
        self.idle();
        let Settings { weights, play, .. } = &self.settings;
        let seat = self.seat.as_mut().expect("it has a desk");
        for text in seat.play_with(weights.as_deref(), play, &self.folders) {
            // In the other dialects a line that nobody asked for may disturb.
            if self.voice.dialect == Dialect::Uci {
                self.voice.say(&format!("info string {}", printable(&text)));
            }
            self.note(&text);
        }
    }

    /// Tells people something.
    fn note(&mut self, text: &str) {
        // What is done does not depend on anybody reading it.
        let _ = writeln!(self.notes, "{}", printable(text));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.rest();
    }
}
