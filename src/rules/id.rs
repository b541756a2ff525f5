//! The games and rule sets by name, and the one place where a game's name becomes a type.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

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

    /// The name on the command line and in configs.
    pub fn as_str(self) -> &'static str {
        match self {
            GameId::Shogi => "shogi",
            GameId::Minishogi => "minishogi",
            GameId::Dobutsu => "dobutsu",
            GameId::Janggi => "janggi",
            GameId::Xiangqi => "xiangqi",
            GameId::Minixiangqi => "minixiangqi",
        }
    }

    /// The rule sets of this game; the first is the default.
    pub fn rule_sets(self) -> &'static [RuleSet] {
        match self {
            GameId::Shogi => &[RuleSet::Csa27, RuleSet::Jsa24, RuleSet::Stouten1990],
            GameId::Minishogi => &[RuleSet::Standard],
            GameId::Dobutsu => &[RuleSet::Standard, RuleSet::Threefold],
            GameId::Janggi => {
                &[RuleSet::Points, RuleSet::Traditional, RuleSet::Kakao, RuleSet::Casual, RuleSet::Martin1995]
            }
            GameId::Xiangqi => &[RuleSet::Axf, RuleSet::Wang1994],
            GameId::Minixiangqi => &[RuleSet::Standard],
        }
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

/// A named set of rules, of any game: a value that the shared rules read. New ones go to the end: records name
/// them by their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleSet {
    /// Minishogi, dobutsu and minixiangqi as they are played today.
    Standard,
    /// Dobutsu, drawn at the third occurrence of a position.
    Threefold,
    /// Shogi with the 27-point declaration.
    Csa27,
    /// Shogi with the 24-point declaration.
    Jsa24,
    /// Shogi with the impasse of the 1990 text.
    Stouten1990,
    /// Janggi, where points decide what would else be drawn.
    Points,
    /// Janggi with draws.
    Traditional,
    /// Janggi without bikjang, as it is played online.
    Kakao,
    /// Janggi without bikjang and points.
    Casual,
    /// Janggi as the 1995 text has it.
    Martin1995,
    /// Xiangqi with the Asian federation's rules for repetition.
    Axf,
    /// Xiangqi as the 1994 text has it.
    Wang1994,
}

impl RuleSet {
    /// The value of `--rules` and of `rules = "…"` in a config.
    pub fn as_str(self) -> &'static str {
        match self {
            RuleSet::Standard => "standard",
            RuleSet::Threefold => "threefold",
            RuleSet::Csa27 => "csa27",
            RuleSet::Jsa24 => "jsa24",
            RuleSet::Stouten1990 => "stouten1990",
            RuleSet::Points => "points",
            RuleSet::Traditional => "traditional",
            RuleSet::Kakao => "kakao",
            RuleSet::Casual => "casual",
            RuleSet::Martin1995 => "martin1995",
            RuleSet::Axf => "axf",
            RuleSet::Wang1994 => "wang1994",
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
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
