//! The rule sets by name.

use std::fmt;

use serde::{Deserialize, Serialize};

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
