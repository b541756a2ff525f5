//! Finished games as the programs and players of each game keep them: PGN, KIF, KI2, CSA, `.gib`, lines of USI.
//!
//! From text to [`Record`] and back. Knows no files.

mod csa;
mod dhtmlxq;
mod diagram;
mod encoding;
mod ending;
mod gib;
mod ki2;
mod kif;
mod pgn;
mod reading;
mod replay;
mod results;
mod tags;
mod usi;
mod wxf;

use anyhow::{Result, ensure};

use self::replay::{Replay, rules_of};
pub use self::{
    encoding::Encoding,
    reading::{Failure, Note, Reading},
};
use crate::{
    base::store::{TextLanguage, decode, decode_from, printable},
    games::rules::{
        Family, Game, GameId, Outcome, RuleSet,
        shogi::{Minishogi, Shogi},
    },
    with_game,
};

/// A game as records keep it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The game played.
    pub game: GameId,
    /// The rule set in force.
    pub rules: RuleSet,
    /// Its number among others, from 1.
    pub number: u32,
    /// What it began with, where that has a name.
    pub opening: Option<String>,
    /// What else is said of it, by the names of PGN's tags: the event, the place, the date, and of a PGN all others.
    pub tags: Vec<(String, String)>,
    /// Who played the first side, and who the second.
    pub players: [String; 2],
    /// Where it began, in Fairy-Stockfish's FEN.
    pub start: String,
    /// The moves, as [`crate::games::rules::Move`] writes them.
    pub moves: Vec<String>,
    /// How it ended; `None` where that is not known.
    pub outcome: Option<Outcome>,
}

impl Record {
    /// The same with names and tags in which every character can be printed on one line, and with our own FEN of its
    /// start.
    ///
    /// # Errors
    /// When its rules are those of another game, or its start is no position.
    fn normalized(&self) -> Result<Self> {
        let (game, rules) = (self.game, self.rules);
        ensure!(game.rule_sets().contains(&rules), "{rules} is no rule set of {game}");
        let plain = |text: &String| printable(text).into_owned();
        Ok(Record {
            opening: self.opening.as_ref().map(plain),
            tags: self.tags.iter().map(|(name, value)| (plain(name), plain(value))).collect(),
            players: self.players.each_ref().map(plain),
            start: with_game!(game, G => G::from_fen(rules, &self.start)?.fen()),
            ..self.clone()
        })
    }
}

/// What the caller knows of the games in a text that the text may not say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    /// The game played.
    pub game: Option<GameId>,
    /// The rule set in force, which must be one of the game's; else its default.
    pub rules: Option<RuleSet>,
}

/// A format of texts with records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Portable Game Notation, for janggi, xiangqi and minixiangqi, with the moves and FENs of Fairy-Stockfish.
    Pgn,
    /// KIF, for shogi and minishogi: each move with the square where it comes from.
    Kif,
    /// KI2, for the same: moves as books print them.
    Ki2,
    /// Shogi's CSA.
    Csa,
    /// `position …`, a line for each game, for the games of the shogi family.
    Usi,
    /// The file format of the World Xiangqi Federation; only read.
    Wxf,
    /// The text of dpxq.com's boards, for xiangqi; only read.
    Dhtmlxq,
    /// Janggi's `.gib` of Korean programs.
    Gib,
}

/// What the names of files end with, the format, and the encoding in which such files are written. A `.bod` is a position
/// of KIF.
const ENDS: [(&str, Format, Encoding); 11] = [
    ("pgn", Format::Pgn, Encoding::Utf8),
    ("kif", Format::Kif, Encoding::ShiftJis),
    ("kifu", Format::Kif, Encoding::Utf8),
    ("bod", Format::Kif, Encoding::ShiftJis),
    ("ki2", Format::Ki2, Encoding::ShiftJis),
    ("ki2u", Format::Ki2, Encoding::Utf8),
    ("csa", Format::Csa, Encoding::Utf8),
    ("usi", Format::Usi, Encoding::Utf8),
    ("gib", Format::Gib, Encoding::Cp949),
    ("wxf", Format::Wxf, Encoding::Utf8),
    ("ubb", Format::Dhtmlxq, Encoding::Utf8),
];

impl Format {
    /// That of a file, by the end of its name, or else by what stands in it; `None` where neither says.
    pub fn of(name: &str, bytes: &[u8]) -> Option<Self> {
        let named = name.rsplit_once('.').and_then(|(_, end)| Self::called(end));
        if let Some((format, _)) = named {
            return Some(format);
        }
        if gib::is_one(&Format::Gib.decode(bytes).ok()?) {
            return Some(Format::Gib);
        }
        Self::of_text(&decode(bytes).ok()?)
    }

    /// That of files whose names end so, in capitals or not, and the encoding in which such files are written.
    pub fn called(end: &str) -> Option<(Self, Encoding)> {
        let (_, format, encoding) = ENDS.into_iter().find(|(known, ..)| known.eq_ignore_ascii_case(end))?;
        Some((format, encoding))
    }

    /// That of a text, by how its lines begin.
    fn of_text(text: &str) -> Option<Self> {
        let lines = || text.trim_start_matches('\u{feff}').lines().map(str::trim_start);
        let begins = |words: &[&str]| lines().any(|line| words.iter().any(|word| line.starts_with(word)));
        if text.contains("DhtmlXQ_") {
            Some(Format::Dhtmlxq)
        } else if begins(&["START{", "FORMAT"]) {
            Some(Format::Wxf)
        } else if begins(&[
            "[Event ",
            "[White ",
            "[Variant ",
            "[FEN ",
            "[Site ",
            "[Game ",
            "[Red ",
            "[Black ",
        ]) {
            Some(Format::Pgn)
        } else if begins(&["position ", "startpos", "sfen "]) {
            Some(Format::Usi)
        } else if begins(&["手合割", "手数----", "先手：", "先手:", "下手：", "下手:", "後手の持駒", "#KIF"])
        {
            Some(Format::Kif)
        } else if begins(&["▲", "☗"]) {
            Some(Format::Ki2)
        } else if lines().any(csa::is_told_by) {
            Some(Format::Csa)
        } else {
            None
        }
    }

    /// The text of a file, in any encoding of the language whose programs write the format ([`decode_from`]).
    ///
    /// # Errors
    /// When it is no text.
    pub fn decode(self, bytes: &[u8]) -> Result<String> {
        let language = match self {
            Format::Pgn => TextLanguage::Any,
            Format::Kif | Format::Ki2 | Format::Csa | Format::Usi => TextLanguage::Japanese,
            Format::Wxf | Format::Dhtmlxq => TextLanguage::Chinese,
            Format::Gib => TextLanguage::Korean,
        };
        if self == Format::Gib && std::str::from_utf8(bytes).is_err() && !bytes.contains(&0) {
            // Some programs leave such bytes in their files.
            let bytes: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0xff).collect();
            return Ok(decode_from(language, &bytes)?);
        }
        Ok(decode_from(language, bytes)?)
    }

    /// The end of the names of its files.
    pub fn end(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Kif => "kifu",
            Format::Ki2 => "ki2u",
            Format::Csa => "csa",
            Format::Usi => "usi",
            Format::Wxf => "wxf",
            Format::Dhtmlxq => "ubb",
            Format::Gib => "gib",
        }
    }

    /// The encoding of a file whose name ends with [`Format::end`].
    pub fn encoding(self) -> Encoding {
        if self == Format::Gib { Encoding::Cp949 } else { Encoding::Utf8 }
    }

    /// All of them.
    pub const ALL: [Format; 8] = [
        Format::Pgn,
        Format::Kif,
        Format::Ki2,
        Format::Csa,
        Format::Usi,
        Format::Gib,
        Format::Wxf,
        Format::Dhtmlxq,
    ];

    /// The games that can be written in it.
    pub fn games(self) -> Vec<GameId> {
        let is_written = |game: &GameId| match self {
            Format::Pgn => game.facts().family == Family::Palace,
            Format::Kif | Format::Ki2 => matches!(game, GameId::Shogi | GameId::Minishogi),
            Format::Csa => *game == GameId::Shogi,
            Format::Gib => *game == GameId::Janggi,
            Format::Usi => game.facts().family == Family::Shogi,
            // Others write such games as PGN.
            Format::Wxf | Format::Dhtmlxq => false,
        };
        GameId::ALL.into_iter().filter(is_written).collect()
    }

    /// Whether a text holds any number of games, and not one.
    pub fn holds_several(self) -> bool {
        matches!(self, Format::Pgn | Format::Usi | Format::Gib)
    }

    /// Reads all games of `text`.
    ///
    /// # Errors
    /// Names the first game that cannot be read, and what is wrong with it.
    pub fn read(self, text: &str, given: Given) -> Result<Vec<Record>> {
        self.read_each(text, given)?.whole()
    }

    /// Reads the games of `text`, each for itself: one that cannot be read costs no other.
    ///
    /// # Errors
    /// When the rule set given is none of the game's.
    pub fn read_each(self, text: &str, given: Given) -> Result<Reading> {
        match self {
            Format::Pgn => pgn::read(text, given),
            Format::Wxf => wxf::read(text, given),
            Format::Dhtmlxq => dhtmlxq::read(text, given),
            Format::Kif | Format::Ki2 => kif::read(text, given),
            Format::Csa => csa::read(text, given),
            Format::Usi => usi::read(text, given),
            Format::Gib => gib::read(text, given),
        }
    }

    /// Writes a game, which must be one of [`Format::games`]. Names and tags become [`printable`]: a line break in one
    /// would end its line of the file. The start may be given as an SFEN.
    ///
    /// # Errors
    /// When its rules are those of another game, its start is no position, or its moves cannot be played.
    pub fn write(self, record: &Record) -> Result<String> {
        let record = &record.normalized()?;
        match (self, record.game) {
            (Format::Pgn, game) => with_game!(game, G => pgn::write::<G>(record)),
            (Format::Kif, GameId::Minishogi) => kif::write::<Minishogi>(record),
            (Format::Kif, _) => kif::write::<Shogi>(record),
            (Format::Ki2, GameId::Minishogi) => ki2::write::<Minishogi>(record),
            (Format::Ki2, _) => ki2::write::<Shogi>(record),
            (Format::Csa, _) => csa::write(record),
            (Format::Usi, game) => with_game!(game, G => usi::write::<G>(record)),
            (Format::Gib, _) => gib::write(record),
            (Format::Wxf | Format::Dhtmlxq, _) => anyhow::bail!("the format is only read: write .pgn"),
        }
    }
}

/// The rule set of a record of shogi or minishogi.
///
/// # Errors
/// When the one given is none of that game's.
fn shogi_rules(given: Given) -> Result<RuleSet> {
    let game = if given.game == Some(GameId::Minishogi) { GameId::Minishogi } else { GameId::Shogi };
    rules_of(game, given)
}

/// The game of which `record` could be one: its start is a position of it, and its moves can be played. `None` where
/// that holds of none or several.
pub fn guess(start: &str, moves: &[String]) -> Option<GameId> {
    let is_one = |game: GameId| {
        let rules = game.rule_sets()[0];
        with_game!(game, G => Replay::<G>::of(rules, Some(start), moves).is_ok())
    };
    let mut games = GameId::ALL.into_iter().filter(|&game| is_one(game));
    games.next().filter(|_| games.next().is_none())
}
