//! What the program has to know of shogi and minishogi beside their rules.

use crate::games::rules::{
    facts::{Colour, Facts, Family, PlayFacts},
    rule_set::RuleSet,
};

/// Shogi, 9x9.
pub static SHOGI: Facts = Facts {
    name: "shogi",
    title: "Shogi",
    family: Family::Shogi,
    rule_sets: &[RuleSet::Csa27, RuleSet::Jsa24, RuleSet::Stouten1990],
    variants: &[("shogi", RuleSet::Csa27)],
    colours: [Colour::Yellow, Colour::Cyan],
    has_river: false,
    setups: &[],
    has_passes: false,
    has_declarations: true,
    play: PlayFacts {
        temperature: 3.0,
        mate_visits: 64,
        levels: [
            1.10, 1.23, 1.36, 1.49, 1.89, 2.31, 2.44, 2.79, 3.26, 3.66, 4.06, 4.46, 4.86, 5.26, 5.66, 6.10,
            6.73, 7.89, 8.69,
        ],
    },
    #[cfg(feature = "program")]
    config: include_str!("../../../../configs/shogi.toml"),
    #[cfg(feature = "program")]
    openings: include_str!("../../../arena/openings/data/shogi.epd"),
};

/// Minishogi, 5x5.
pub static MINISHOGI: Facts = Facts {
    name: "minishogi",
    title: "Minishogi",
    family: Family::Shogi,
    rule_sets: &[RuleSet::Standard],
    variants: &[("minishogi", RuleSet::Standard)],
    colours: [Colour::Yellow, Colour::Cyan],
    has_river: false,
    setups: &[],
    has_passes: false,
    has_declarations: false,
    play: PlayFacts {
        temperature: 3.0,
        mate_visits: 64,
        levels: [
            0.0, 0.50, 1.04, 1.28, 1.53, 1.90, 2.18, 2.30, 2.37, 2.44, 2.59, 3.60, 4.60, 8.02, 10.26, 11.08,
            11.72, 12.71, 14.0,
        ],
    },
    #[cfg(feature = "program")]
    config: include_str!("../../../../configs/minishogi.toml"),
    #[cfg(feature = "program")]
    openings: include_str!("../../../arena/openings/data/minishogi.epd"),
};
