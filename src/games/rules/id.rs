//! The games by name.

use std::{
    fmt,
    str::FromStr,
    sync::{PoisonError, RwLock},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{
    dobutsu::facts::DOBUTSU,
    facts::Facts,
    handicap::Handicap,
    janggi::facts::JANGGI,
    rule_set::RuleSet,
    shogi::facts::{MINISHOGI, SHOGI},
    xiangqi::facts::{MINIXIANGQI, XIANGQI},
};

/// A game, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameId {
    /// Shogi, 9x9.
    Shogi,
    /// Minishogi, 5x5.
    Minishogi,
    /// Dobutsu shogi, 3x4.
    Dobutsu,
    /// Janggi, 9x10.
    Janggi,
    /// Xiangqi, 9x10.
    Xiangqi,
    /// Minixiangqi, 7x7.
    Minixiangqi,
    /// A game of another crate, which [introduces](GameId::introduce) it: the library plays and trains it, the program does
    /// not know it.
    Guest(&'static Facts),
}

/// The games of this crate as records number them: new ones go to the end.
const NUMBERED: [GameId; 6] =
    [GameId::Shogi, GameId::Minishogi, GameId::Dobutsu, GameId::Janggi, GameId::Xiangqi, GameId::Minixiangqi];

/// The games of other crates, in the order in which they were introduced; records number them on.
static GUESTS: RwLock<Vec<&'static Facts>> = RwLock::new(Vec::new());

impl GameId {
    /// Every game of this crate, the largest board of each kind first.
    pub const ALL: [GameId; 6] = [
        GameId::Janggi,
        GameId::Xiangqi,
        GameId::Shogi,
        GameId::Minixiangqi,
        GameId::Minishogi,
        GameId::Dobutsu,
    ];

    /// What is to be known of it beside its rules.
    pub fn facts(self) -> &'static Facts {
        match self {
            GameId::Shogi => &SHOGI,
            GameId::Minishogi => &MINISHOGI,
            GameId::Dobutsu => &DOBUTSU,
            GameId::Janggi => &JANGGI,
            GameId::Xiangqi => &XIANGQI,
            GameId::Minixiangqi => &MINIXIANGQI,
            GameId::Guest(facts) => facts,
        }
    }

    /// Makes a game of another crate known, so that its configs, checkpoints and records can be read. `docs/new-game.md`
    /// has an example. If there are several, introduce them in the same order always: records number them by it.
    ///
    /// # Panics
    /// If a game of this crate has the name.
    pub fn introduce(facts: &'static Facts) -> GameId {
        assert!(GameId::ALL.iter().all(|game| game.as_str() != facts.name), "{} is taken", facts.name);
        let mut guests = GUESTS.write().unwrap_or_else(PoisonError::into_inner);
        if !guests.contains(&facts) {
            guests.push(facts);
        }
        GameId::Guest(facts)
    }

    /// The games as records number them.
    fn numbered() -> Vec<GameId> {
        let guests = GUESTS.read().unwrap_or_else(PoisonError::into_inner);
        NUMBERED.into_iter().chain(guests.iter().map(|&facts| GameId::Guest(facts))).collect()
    }

    /// The name on the command line and in configs.
    pub fn as_str(self) -> &'static str {
        self.facts().name
    }

    /// The rule sets of this game; the first is the default.
    pub fn rule_sets(self) -> &'static [RuleSet] {
        self.facts().rule_sets
    }

    /// Fairy-Stockfish's names of the games of this crate: name, game, and the rule set that the name stands for.
    pub fn variants() -> impl Iterator<Item = (&'static str, GameId, RuleSet)> {
        Self::ALL
            .into_iter()
            .flat_map(|game| game.facts().variants.iter().map(move |&(name, rules)| (name, game, rules)))
    }

    /// The game and the rule set that Fairy-Stockfish calls `name`, in capitals or not.
    pub fn of_variant(name: &str) -> Option<(GameId, RuleSet)> {
        let mut variants = Self::variants();
        variants.find(|variant| variant.0.eq_ignore_ascii_case(name)).map(|(_, game, rules)| (game, rules))
    }

    /// The rule set called `name`, or the game's default for `None`.
    ///
    /// # Errors
    /// Names the rule sets of the game when `name` is not one of them.
    pub fn rule_set(self, name: Option<&str>) -> Result<RuleSet, UnknownName> {
        let sets = self.rule_sets();
        let Some(name) = name else { return Ok(sets[0]) };
        UnknownName::look_up("rule set", name, sets, RuleSet::as_str)
    }

    /// The handicap of this game called `name`, in English or in the game's own language.
    ///
    /// # Errors
    /// Names the handicaps of the game when `name` is not one of them.
    pub fn handicap(self, name: &str) -> Result<&'static Handicap, UnknownName> {
        let all: Vec<&'static Handicap> = self.facts().handicaps.list.iter().collect();
        let native = all.iter().copied().find(|handicap| handicap.native == name);
        native.map_or_else(|| UnknownName::look_up("handicap", name, &all, |handicap| handicap.name), Ok)
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for GameId {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let guests = GameId::numbered().into_iter().skip(NUMBERED.len());
        let games: Vec<GameId> = GameId::ALL.into_iter().chain(guests).collect();
        UnknownName::look_up("game", name, &games, GameId::as_str)
    }
}

/// By its name in texts, by its number in records.
impl Serialize for GameId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return serializer.serialize_str(self.as_str());
        }
        let number = GameId::numbered().iter().position(|game| game == self);
        let number = number.ok_or_else(|| serde::ser::Error::custom(format!("{self} was not introduced")))?;
        serializer.serialize_u32(number as u32)
    }
}

impl<'de> Deserialize<'de> for GameId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return String::deserialize(deserializer)?.parse().map_err(de::Error::custom);
        }
        let number = u32::deserialize(deserializer)?;
        let game = GameId::numbered().get(number as usize).copied();
        game.ok_or_else(|| de::Error::custom(format!("there is no game with the number {number}")))
    }
}

/// A name that is none of those known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} '{name}' (known: {})", known.join(", "))]
pub struct UnknownName {
    /// What was to be named.
    pub what: &'static str,
    /// The name given.
    pub name: String,
    /// The names that exist.
    pub known: Vec<&'static str>,
}

impl UnknownName {
    /// The one of `all` that is called `name`, where `name_of` says what each is called.
    ///
    /// # Errors
    /// When none is.
    pub fn look_up<T: Copy>(
        what: &'static str,
        name: &str,
        all: &[T],
        name_of: impl Fn(T) -> &'static str,
    ) -> Result<T, UnknownName> {
        all.iter().copied().find(|&item| name_of(item) == name).ok_or_else(|| UnknownName {
            what,
            name: name.to_owned(),
            known: all.iter().map(|&item| name_of(item)).collect(),
        })
    }
}
