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
    play: PlayFacts { temperature: 3.0, mate_visits: 64, levels: PlayFacts::EVEN_LEVELS },
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
    play: PlayFacts { temperature: 3.0, mate_visits: 64, levels: PlayFacts::EVEN_LEVELS },
    #[cfg(feature = "program")]
    config: include_str!("../../../../configs/minishogi.toml"),
    #[cfg(feature = "program")]
    openings: include_str!("../../../arena/openings/data/minishogi.epd"),
};
