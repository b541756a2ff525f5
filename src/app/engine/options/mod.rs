//! The options of our engine: their values here, and in files of their own their names in each dialect and how they are
//! announced.

mod declarations;
mod names;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

pub use declarations::declarations;

use self::names::{OptionKey, key};
use crate::{
    games::rules::{GameId, ParseError, RuleSet, janggi::Formations},
    net::{LEVELS, MOST_MEMORY, MOST_THREADS, PlaySearch, PlayTable},
    protocol::Notation,
    search::TimeReserve,
};

/// The value that means no file.
const EMPTY: &str = "<empty>";
/// The value that leaves the choice to the engine.
const AUTO: &str = "auto";
/// The greatest values of the options: lines, milliseconds that are kept back, and plies after which a game is drawn.
const MOST_LINES: usize = 500;
const MOST_MARGIN: u64 = 60_000;
const MOST_PLIES: u32 = 100_000;

/// The options with their values.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSettings {
    /// The game and its rules, by the variant chosen.
    pub variant: Option<(GameId, RuleSet)>,
    /// A rule set that was named by itself. It holds if it is one of the game's.
    pub rules: Option<RuleSet>,
    /// The set-up with which janggi begins.
    pub setup: Formations,
    /// The net.
    pub weights: Option<PathBuf>,
    /// Settings of the search that were given.
    pub play: PlayTable,
    /// Whether [`EngineSettings::elo`] limits it.
    limits_elo: bool,
    /// How strong it is, by `UCI_Elo`.
    elo: u32,
    /// Whether it plays from its book.
    own_book: bool,
    /// The book.
    book: Option<PathBuf>,
    /// How many lines are reported.
    pub multipv: usize,
    /// Whether lines report probabilities.
    pub show_wdl: bool,
    /// Whether every move of the root is reported before the answer.
    pub move_stats: bool,
    /// Plies after which a game is drawn; 0 if it never is.
    pub max_moves: u32,
    /// What is kept back of clocks.
    pub reserve: TimeReserve,
    /// How UCI writes the moves of xiangqi and janggi, if `FirstRank` says so.
    pub ranks: Option<Notation>,
    /// What UCCI counts clocks in.
    pub clock_unit: Duration,
}

/// What came of setting an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionEffect {
    /// A setting has its value.
    Set,
    /// A new game begins.
    NewGame,
}

impl EngineSettings {
    /// As they are at first, the search's as `play` says.
    pub fn new(play: PlayTable) -> Self {
        EngineSettings {
            variant: None,
            rules: None,
            setup: Formations::default(),
            weights: None,
            play,
            limits_elo: false,
            elo: elo_of_level(LEVELS - 1),
            own_book: false,
            book: None,
            multipv: 1,
            show_wdl: false,
            move_stats: false,
            max_moves: 0,
            reserve: TimeReserve::DEFAULT,
            ranks: None,
            clock_unit: Duration::from_secs(1),
        }
    }

    /// Sets the option `name`, whatever its case.
    ///
    /// # Errors
    /// Says what is unknown or out of range; nothing has changed then.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<OptionEffect, String> {
        let key = key(name).ok_or("there is no such option")?;
        let value = value.unwrap_or_default().trim();
        match key {
            OptionKey::NewGame => return Ok(OptionEffect::NewGame),
            // The other program decides when to ponder.
            OptionKey::Ponder => drop(check(value)?),
            OptionKey::Variant => {
                let known = GameId::of_variant(value);
                self.variant = Some(known.ok_or_else(|| format!("there is no variant '{value}'"))?);
            }
            OptionKey::Rules if value.eq_ignore_ascii_case(AUTO) => self.rules = None,
            OptionKey::Rules => {
                let known = rule_sets().into_iter().find(|rules| rules.as_str().eq_ignore_ascii_case(value));
                self.rules = Some(known.ok_or_else(|| format!("there is no rule set '{value}'"))?);
            }
            OptionKey::Setup => {
                self.setup = value.parse().map_err(|error: ParseError| error.to_string())?;
            }
            OptionKey::Weights => self.weights = file(value),
            OptionKey::OwnBook => self.own_book = check(value)?,
            OptionKey::BookFile => self.book = file(value),
            OptionKey::Threads => self.play.threads = Some(number(value, 1, MOST_THREADS)?),
            OptionKey::Hash => self.play.memory = Some(number(value, 1, MOST_MEMORY)?),
            OptionKey::Search => self.play.search = search(value)?,
            OptionKey::MultiPv => self.multipv = number(value, 1, MOST_LINES)?,
            OptionKey::Batch => self.play.batch = Some(number(value, 1, MOST_THREADS)?),
            OptionKey::CPuct => self.set_play(|play, value| play.c_init = value, value)?,
            OptionKey::Temperature => self.set_play(|play, value| play.temperature = value, value)?,
            OptionKey::Level => self.play.level = Some(number(value, 1, LEVELS)?),
            OptionKey::LimitStrength => self.limits_elo = check(value)?,
            OptionKey::Elo => self.elo = number(value, elo_of_level(1), elo_of_level(LEVELS - 1))?,
            OptionKey::ShowWdl => self.show_wdl = check(value)?,
            OptionKey::MoveStats => self.move_stats = check(value)?,
            OptionKey::MaxMoves => self.max_moves = number(value, 0, MOST_PLIES)?,
            OptionKey::Overhead => self.reserve.overhead = milliseconds(value)?,
            OptionKey::ByoyomiMargin => self.reserve.byoyomi = milliseconds(value)?,
            OptionKey::FirstRank if value.eq_ignore_ascii_case(AUTO) => self.ranks = None,
            OptionKey::FirstRank => {
                self.ranks = Some([Notation::RanksFromZero, Notation::Own][number(value, 0, 1)?]);
            }
            OptionKey::Milliseconds => {
                self.clock_unit =
                    if check(value)? { Duration::from_millis(1) } else { Duration::from_secs(1) };
            }
        }
        Ok(OptionEffect::Set)
    }

    /// The book that it plays from, if it does.
    pub fn own_book(&self) -> Option<&Path> {
        self.book.as_deref().filter(|_| self.own_book)
    }

    /// The settings of the search that hold: the lower one of the level and of the one that `UCI_Elo` means.
    pub fn search_settings(&self) -> PlayTable {
        let level_of_elo = self.limits_elo.then(|| level_of_elo(self.elo));
        let level = self.play.level.into_iter().chain(level_of_elo).min();
        PlayTable { level, ..self.play.clone() }
    }

    /// Sets a constant of the search, or leaves it to the net.
    fn set_play(&mut self, set: impl Fn(&mut PlayTable, Option<f32>), value: &str) -> Result<(), String> {
        let mut play = self.play.clone();
        let is_auto = value.is_empty() || value.eq_ignore_ascii_case(AUTO);
        let constant = value.parse().map_err(|_| format!("'{value}' is no number"));
        set(&mut play, if is_auto { None } else { Some(constant?) });
        play.check()?;
        self.play = play;
        Ok(())
    }
}

/// The Elo of the first level, and how far levels are apart: on a scale of our own, where they were measured against each
/// other (`docs/levels.md`), not on one of people.
const FIRST_ELO: u32 = 500;
const ELO_A_LEVEL: u32 = 100;

fn elo_of_level(level: u32) -> u32 {
    FIRST_ELO + ELO_A_LEVEL * (level - 1)
}

/// The level nearest to `elo`.
fn level_of_elo(elo: u32) -> u32 {
    1 + (elo - FIRST_ELO + ELO_A_LEVEL / 2) / ELO_A_LEVEL
}

/// The searches that can be chosen.
const SEARCHES: [(&str, PlaySearch); 2] = [("alphabeta", PlaySearch::AlphaBeta), ("puct", PlaySearch::Puct)];

/// The search of that name; `None` where it is left to the net.
fn search(value: &str) -> Result<Option<PlaySearch>, String> {
    if value.eq_ignore_ascii_case(AUTO) {
        return Ok(None);
    }
    let known =
        SEARCHES.iter().find(|(name, _)| name.eq_ignore_ascii_case(value)).map(|search| Some(search.1));
    known.ok_or_else(|| format!("'{value}' is none of {AUTO}, alphabeta, puct"))
}

/// The file of that name, unless the value means none.
fn file(value: &str) -> Option<PathBuf> {
    (!value.is_empty() && value != EMPTY && value != AUTO).then(|| value.into())
}

fn check(value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "on" | "1" => Ok(true),
        "false" | "off" | "0" => Ok(false),
        _ => Err(format!("'{value}' is neither true nor false")),
    }
}

fn number<T: std::str::FromStr + PartialOrd + std::fmt::Display>(
    value: &str,
    least: T,
    most: T,
) -> Result<T, String> {
    let number = value.parse().ok().filter(|number| (&least..=&most).contains(&number));
    number.ok_or_else(|| format!("'{value}' is no number in {least}..={most}"))
}

/// Milliseconds to be kept back.
fn milliseconds(value: &str) -> Result<Duration, String> {
    number(value, 0, MOST_MARGIN).map(Duration::from_millis)
}

/// Every rule set of every game, each once.
fn rule_sets() -> Vec<RuleSet> {
    let mut all: Vec<RuleSet> = GameId::ALL.iter().flat_map(|game| game.rule_sets()).copied().collect();
    all.sort_unstable_by_key(|rules| rules.as_str());
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(options: &[(&str, &str)]) -> EngineSettings {
        let mut settings = EngineSettings::new(PlayTable::default());
        for (name, value) in options {
            settings.set(name, Some(value)).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        settings
    }

    #[test]
    fn options_are_set_by_any_of_their_names() {
        let settings = set(&[("uci_variant", "janggimodern"), ("USI_Hash", "16"), ("THREADS", "3")]);
        assert_eq!(settings.variant, Some((GameId::Janggi, RuleSet::Kakao)));
        assert_eq!((settings.play.memory, settings.play.threads), (Some(16), Some(3)));
        assert_eq!(set(&[("DNN_Model", "a b.sanki")]).weights, Some("a b.sanki".into()));
        assert_eq!(set(&[("DNN_Model", "a"), ("WeightsFile", "<empty>")]).weights, None);
        assert_eq!(set(&[("BookFile", "a.book")]).own_book(), None, "it was not asked for");
        let book = set(&[("BookFile", "a.book"), ("USI_OwnBook", "true")]);
        assert_eq!(book.own_book(), Some(Path::new("a.book")));
        assert_eq!(set(&[("FirstRank", "0")]).ranks, Some(Notation::RanksFromZero));
        assert_eq!(set(&[("FirstRank", "0"), ("FirstRank", "auto")]).ranks, None);
        assert_eq!(set(&[("CPuct", "2.5"), ("Temperature", "auto")]).play.c_init, Some(2.5));
        assert_eq!(set(&[("usemillisec", "true")]).clock_unit, Duration::from_millis(1));
        assert_eq!(set(&[("Search", "AlphaBeta")]).play.search, Some(PlaySearch::AlphaBeta));
        assert_eq!(set(&[("Search", "puct"), ("Search", "auto")]).play.search, None);
        assert_eq!(set(&[("Rules", "wang1994")]).rules, Some(RuleSet::Wang1994));
        assert_eq!(set(&[("Setup", "bnbn/nbnb")]).setup.to_string(), "bnbn/nbnb");
        let mut settings = set(&[]);
        assert_eq!(settings.set("newgame", None), Ok(OptionEffect::NewGame));
    }

    #[test]
    fn a_level_or_an_elo_limits_the_strength() {
        let level = |options: &[(&str, &str)]| set(options).search_settings().level;
        assert_eq!(level(&[]), None);
        assert_eq!(level(&[("Skill Level", "3")]), Some(3));
        assert_eq!(level(&[("UCI_Elo", "900")]), None, "it was not asked for");
        assert_eq!(level(&[("UCI_LimitStrength", "true"), ("UCI_Elo", "900")]), Some(5));
        assert_eq!(level(&[("UCI_LimitStrength", "true"), ("UCI_Elo", "949")]), Some(5));
        assert_eq!(
            level(&[("UCI_LimitStrength", "true"), ("UCI_Elo", "500"), ("Skill_Level", "7")]),
            Some(1)
        );
        assert_eq!(level(&[("UCI_LimitStrength", "true")]), Some(LEVELS - 1));
    }

    #[test]
    fn bad_values_change_nothing() {
        let mut settings = set(&[]);
        for (name, value) in [
            ("Hash", "0"),
            ("Hash", "much"),
            ("Threads", "-1"),
            ("MultiPV", "501"),
            ("UCI_Variant", "chess"),
            ("Rules", "fide"),
            ("CPuct", "0"),
            ("Skill_Level", "0"),
            ("Skill_Level", "21"),
            ("UCI_Elo", "499"),
            ("CPuct", "NaN"),
            ("Temperature", "warm"),
            ("UCI_ShowWDL", "maybe"),
            ("FirstRank", "2"),
            ("OwnBook", "often"),
            ("Search", "minimax"),
            ("Contempt", "0"),
            ("", ""),
        ] {
            assert!(settings.set(name, Some(value)).is_err(), "{name} {value}");
        }
        assert_eq!(settings, set(&[]));
    }
}
