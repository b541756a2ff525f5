//! The games by name.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{
    dobutsu::facts::DOBUTSU,
    facts::Facts,
    janggi::facts::JANGGI,
    rule_set::RuleSet,
    shogi::facts::{MINISHOGI, SHOGI},
    xiangqi::facts::{MINIXIANGQI, XIANGQI},
};

/// A game this crate knows. New ones go to the end: records name them by their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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
}

impl GameId {
    /// Every game, the largest board of each kind first.
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
        }
    }

    /// The name on the command line and in configs.
    pub fn as_str(self) -> &'static str {
        self.facts().name
    }

    /// The rule sets of this game; the first is the default.
    pub fn rule_sets(self) -> &'static [RuleSet] {
        self.facts().rule_sets
    }

    /// Fairy-Stockfish's names of all games, each under the rule sets that it has.
    pub fn variants() -> impl Iterator<Item = (&'static str, GameId, RuleSet)> {
        Self::ALL
            .into_iter()
            .flat_map(|game| game.facts().variants.iter().map(move |&(name, rules)| (name, game, rules)))
    }

    /// What Fairy-Stockfish calls `name`, in letters of any size.
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
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for GameId {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        UnknownName::look_up("game", name, &GameId::ALL, GameId::as_str)
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
