//! The options: what they are called in each dialect, their values and what is announced of them.

use std::{path::PathBuf, time::Duration};

use crate::{
    arena::{Dialect, Notation},
    net::{PlaySearch, PlayTable},
    rules::{GameId, RuleSet},
};

/// Everything that can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    Variant,
    Rules,
    Weights,
    Threads,
    Hash,
    Search,
    Lines,
    Ponder,
    Batch,
    CPuct,
    Temperature,
    ShowWdl,
    MoveStats,
    MaxMoves,
    Overhead,
    ByoyomiMargin,
    FirstRank,
    Milliseconds,
    NewGame,
}

/// The name of each in UCI, USI and UCCI; where it is empty the option is not announced, and is read all the same.
/// Without spaces, which some programs cannot read.
const NAMES: [(Key, [&str; 3]); 19] = [
    // In the other dialects it confuses programs that translate between them.
    (Key::Variant, ["UCI_Variant", "", ""]),
    (Key::Rules, ["Rules"; 3]),
    (Key::Weights, ["WeightsFile"; 3]),
    (Key::Threads, ["Threads", "Threads", "threads"]),
    (Key::Hash, ["Hash", "USI_Hash", "hashsize"]),
    (Key::Search, ["Search"; 3]),
    (Key::Lines, ["MultiPV", "MultiPV", ""]),
    (Key::Ponder, ["Ponder", "USI_Ponder", ""]),
    (Key::Batch, ["MinibatchSize"; 3]),
    (Key::CPuct, ["CPuct"; 3]),
    (Key::Temperature, ["Temperature"; 3]),
    (Key::ShowWdl, ["UCI_ShowWDL", "", ""]),
    (Key::MoveStats, ["VerboseMoveStats", "", ""]),
    (Key::MaxMoves, ["", "MaxMovesToDraw", ""]),
    (Key::Overhead, ["Move_Overhead"; 3]),
    (Key::ByoyomiMargin, ["", "Byoyomi_Margin", ""]),
    (Key::FirstRank, ["FirstRank", "", ""]),
    (Key::Milliseconds, ["", "", "usemillisec"]),
    (Key::NewGame, ["", "", "newgame"]),
];

/// Other names that are read.
const ALIASES: [(Key, &str); 5] = [
    (Key::Variant, "USI_Variant"),
    (Key::Variant, "UCCI_Variant"),
    (Key::Weights, "DNN_Model"),
    (Key::MaxMoves, "Draw_Ply"),
    (Key::Overhead, "Move Overhead"),
];

/// What stands for no file.
const EMPTY: &str = "<empty>";
/// What stands for the usual.
const AUTO: &str = "auto";
/// Most lines, threads, positions in a batch and MiB.
const MOST_LINES: usize = 500;
const MOST_THREADS: u32 = 1024;
const MOST_MEMORY: u32 = 1 << 20;
/// Milliseconds of a clock that are kept back unless something else is said. With 50, 2 of 12 games at 1 s and 10 ms a move
/// were lost by up to 16 ms on a machine with seven to ten busy threads on two cores (2026-11-22).
const OVERHEAD: u64 = 100;
/// Most milliseconds that are kept back.
const MOST_MARGIN: u64 = 60_000;
/// Most plies after which a game is drawn.
const MOST_PLIES: u32 = 100_000;

/// The options with their values.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The game and its rules, by the variant chosen.
    pub variant: Option<(GameId, RuleSet)>,
    /// A rule set named apart; it holds where it is one of the game's.
    pub rules: Option<RuleSet>,
    /// The net.
    pub weights: Option<PathBuf>,
    /// Settings of the search that were given.
    pub play: PlayTable,
    /// So many lines are told.
    pub lines: usize,
    /// Whether lines tell probabilities.
    pub show_wdl: bool,
    /// Whether every move of the root is told before the answer.
    pub move_stats: bool,
    /// Plies after which games are drawn; 0 for never.
    pub max_moves: u32,
    /// Kept back of clocks.
    pub overhead: Duration,
    /// Kept back of a byoyomi.
    pub byoyomi_margin: Duration,
    /// How UCI writes the moves of the games without hands, if that was said.
    pub ranks: Option<Notation>,
    /// What UCCI counts clocks in.
    pub clock_unit: Duration,
}

/// What setting an option came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A setting has its value.
    Set,
    /// A new game begins.
    NewGame,
}

impl Settings {
    /// As they are at first, the search's as `play` says.
    pub fn new(play: PlayTable) -> Self {
        Settings {
            variant: None,
            rules: None,
            weights: None,
            play,
            lines: 1,
            show_wdl: false,
            move_stats: false,
            max_moves: 0,
            overhead: Duration::from_millis(OVERHEAD),
            byoyomi_margin: Duration::from_millis(100),
            ranks: None,
            clock_unit: Duration::from_secs(1),
        }
    }

    /// Sets the option `name`, whatever its case.
    ///
    /// # Errors
    /// Says what is unknown or out of range; nothing has changed then.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, String> {
        let key = key(name).ok_or("there is no such option")?;
        let value = value.unwrap_or_default().trim();
        match key {
            Key::NewGame => return Ok(Change::NewGame),
            // Whether to ponder is for others to decide.
            Key::Ponder => drop(check(value)?),
            Key::Variant => {
                let known = GameId::of_variant(value);
                self.variant = Some(known.ok_or_else(|| format!("there is no variant '{value}'"))?);
            }
            Key::Rules if value.eq_ignore_ascii_case(AUTO) => self.rules = None,
            Key::Rules => {
                let known = rule_sets().into_iter().find(|rules| rules.as_str().eq_ignore_ascii_case(value));
                self.rules = Some(known.ok_or_else(|| format!("there is no rule set '{value}'"))?);
            }
            Key::Weights => {
                self.weights = (!value.is_empty() && value != EMPTY && value != AUTO).then(|| value.into());
            }
            Key::Threads => self.play.threads = Some(number(value, 1, MOST_THREADS)?),
            Key::Hash => self.play.memory = Some(number(value, 1, MOST_MEMORY)?),
            Key::Search => self.play.search = search(value)?,
            Key::Lines => self.lines = number(value, 1, MOST_LINES)?,
            Key::Batch => self.play.batch = Some(number(value, 1, MOST_THREADS)?),
            Key::CPuct => self.set_play(|play, value| play.c_init = value, value)?,
            Key::Temperature => self.set_play(|play, value| play.temperature = value, value)?,
            Key::ShowWdl => self.show_wdl = check(value)?,
            Key::MoveStats => self.move_stats = check(value)?,
            Key::MaxMoves => self.max_moves = number(value, 0, MOST_PLIES)?,
            Key::Overhead => self.overhead = Duration::from_millis(number(value, 0, MOST_MARGIN)?),
            Key::ByoyomiMargin => self.byoyomi_margin = Duration::from_millis(number(value, 0, MOST_MARGIN)?),
            Key::FirstRank if value.eq_ignore_ascii_case(AUTO) => self.ranks = None,
            Key::FirstRank => {
                self.ranks = Some([Notation::RanksFromZero, Notation::Own][number(value, 0, 1)?]);
            }
            Key::Milliseconds => {
                self.clock_unit =
                    if check(value)? { Duration::from_millis(1) } else { Duration::from_secs(1) };
            }
        }
        Ok(Change::Set)
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

fn key(name: &str) -> Option<Key> {
    let is_called = |other: &&str| !other.is_empty() && other.eq_ignore_ascii_case(name);
    let announced = NAMES.iter().find(|(_, names)| names.iter().any(&is_called)).map(|it| it.0);
    announced.or_else(|| ALIASES.iter().find(|(_, alias)| is_called(alias)).map(|it| it.0))
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

/// Every rule set of every game, each once.
fn rule_sets() -> Vec<RuleSet> {
    let mut all: Vec<RuleSet> = GameId::ALL.iter().flat_map(|game| game.rule_sets()).copied().collect();
    all.sort_unstable_by_key(|rules| rules.as_str());
    all.dedup();
    all
}

/// The lines that announce the options, where the usual variant is that of `game`: what `settings` are is the default.
pub fn announce(dialect: Dialect, game: GameId, settings: &Settings) -> Vec<String> {
    let place = [Dialect::Uci, Dialect::Usi, Dialect::Ucci].iter().position(|&it| it == dialect);
    let name = |names: &[&'static str; 3]| names[place.expect("there are three")];
    let word = if dialect == Dialect::Ucci { "option" } else { "option name" };
    let announced = NAMES.iter().filter(|(_, names)| !name(names).is_empty());
    announced
        .map(|(key, names)| {
            format!("{word} {} type {}", name(names), describe(*key, dialect, game, settings))
        })
        .collect()
}

/// The type of an option with its range.
fn describe(key: Key, dialect: Dialect, game: GameId, settings: &Settings) -> String {
    let play = &settings.play;
    let spin = |default: u64, least: u64, most: u64| format!("spin default {default} min {least} max {most}");
    let combo = |default: &str, all: Vec<&str>| {
        let vars: Vec<String> = all.iter().map(|name| format!("var {name}")).collect();
        format!("combo default {default} {}", vars.join(" "))
    };
    let constant = |value: Option<f32>| {
        format!("string default {}", value.map_or(AUTO.to_owned(), |value| value.to_string()))
    };
    match key {
        Key::Variant => {
            let usual = game.facts().variants.first().map_or("xiangqi", |variant| variant.0);
            combo(usual, GameId::variants().map(|variant| variant.0).collect())
        }
        Key::Rules => {
            let sets = rule_sets();
            let names = sets.iter().map(|rules| rules.as_str());
            combo(AUTO, std::iter::once(AUTO).chain(names).collect())
        }
        Key::Weights => {
            let kind = if dialect == Dialect::Usi { "filename" } else { "string" };
            let path = settings.weights.as_ref().map(|path| path.display().to_string());
            format!("{kind} default {}", path.unwrap_or_else(|| EMPTY.to_owned()))
        }
        Key::Threads => spin(play.threads.unwrap_or(1).into(), 1, MOST_THREADS.into()),
        Key::Hash => spin(play.memory.unwrap_or(crate::search::DEFAULT_MEMORY).into(), 1, MOST_MEMORY.into()),
        Key::Search => {
            let chosen = SEARCHES.iter().find(|search| play.search == Some(search.1));
            let names = SEARCHES.iter().map(|search| search.0);
            combo(chosen.map_or(AUTO, |search| search.0), std::iter::once(AUTO).chain(names).collect())
        }
        Key::Lines => spin(1, 1, MOST_LINES as u64),
        Key::Batch => spin(play.batch.unwrap_or(1).into(), 1, MOST_THREADS.into()),
        Key::CPuct => constant(play.c_init),
        Key::Temperature => constant(play.temperature),
        Key::Ponder | Key::ShowWdl | Key::MoveStats | Key::Milliseconds => "check default false".to_owned(),
        Key::MaxMoves => spin(0, 0, MOST_PLIES.into()),
        Key::Overhead => spin(OVERHEAD, 0, MOST_MARGIN),
        Key::ByoyomiMargin => spin(100, 0, MOST_MARGIN),
        // Some programs set every option to its default, which must then be none.
        Key::FirstRank => combo(AUTO, vec![AUTO, "0", "1"]),
        Key::NewGame => "button".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(options: &[(&str, &str)]) -> Settings {
        let mut settings = Settings::new(PlayTable::default());
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
        assert_eq!(set(&[("FirstRank", "0")]).ranks, Some(Notation::RanksFromZero));
        assert_eq!(set(&[("FirstRank", "0"), ("FirstRank", "auto")]).ranks, None);
        assert_eq!(set(&[("CPuct", "2.5"), ("Temperature", "auto")]).play.c_init, Some(2.5));
        assert_eq!(set(&[("usemillisec", "true")]).clock_unit, Duration::from_millis(1));
        assert_eq!(set(&[("Search", "AlphaBeta")]).play.search, Some(PlaySearch::AlphaBeta));
        assert_eq!(set(&[("Search", "puct"), ("Search", "auto")]).play.search, None);
        assert_eq!(set(&[("Rules", "wang1994")]).rules, Some(RuleSet::Wang1994));
        let mut settings = set(&[]);
        assert_eq!(settings.set("newgame", None), Ok(Change::NewGame));
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
            ("CPuct", "NaN"),
            ("Temperature", "warm"),
            ("UCI_ShowWDL", "maybe"),
            ("FirstRank", "2"),
            ("Search", "minimax"),
            ("Contempt", "0"),
            ("", ""),
        ] {
            assert!(settings.set(name, Some(value)).is_err(), "{name} {value}");
        }
        assert_eq!(settings, set(&[]));
    }

    #[test]
    fn what_is_announced_can_be_read_by_everybody() {
        for dialect in [Dialect::Uci, Dialect::Usi, Dialect::Ucci] {
            let lines = announce(dialect, GameId::Janggi, &set(&[]));
            for line in &lines {
                let words: Vec<&str> = line.split(' ').collect();
                let name = if dialect == Dialect::Ucci { words[1] } else { words[2] };
                assert!(words.iter().position(|&word| word == "type").is_some_and(|at| at > 1), "{line}");
                assert!(key(name).is_some(), "{line}");
                let at = words.iter().position(|&word| word == "default");
                // What is announced as the default can be set.
                if let Some(at) = at {
                    let value = words[at + 1];
                    assert!(Settings::new(PlayTable::default()).set(name, Some(value)).is_ok(), "{line}");
                }
            }
            let has = |name: &str| lines.iter().any(|line| line.contains(name));
            assert_eq!(has("Variant"), dialect == Dialect::Uci);
            assert_eq!(has("MaxMovesToDraw"), dialect == Dialect::Usi);
            assert_eq!(has("usemillisec"), dialect == Dialect::Ucci);
            // Who sets every option to its default keeps the net that was named.
            let named = announce(dialect, GameId::Janggi, &set(&[("WeightsFile", "my nets/a.sanki")]));
            assert!(named.iter().any(|line| line.ends_with(" default my nets/a.sanki")), "{named:?}");
        }
    }
}
