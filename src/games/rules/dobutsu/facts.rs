//! What the program has to know of dobutsu beside its rules.

use crate::games::rules::{
    facts::{Colour, Facts, Family, PlayFacts},
    handicap::Handicaps,
    rule_set::RuleSet,
};

/// Dobutsu shogi, 3x4.
pub static DOBUTSU: Facts = Facts {
    name: "dobutsu",
    title: "Dobutsu",
    family: Family::Shogi,
    rule_sets: &[RuleSet::Standard, RuleSet::Threefold],
    variants: &[("dobutsu", RuleSet::Standard)],
    colours: [Colour::Yellow, Colour::Cyan],
    has_river: false,
    setups: &[],
    handicaps: Handicaps::NONE,
    has_passes: false,
    has_declarations: false,
    play: PlayFacts {
        temperature: 3.0,
        mate_visits: 0,
        levels: [
            0.0, 0.32, 0.64, 0.96, 1.24, 1.52, 1.79, 2.07, 2.36, 2.65, 2.95, 3.49, 4.18, 9.14, 9.76, 11.03,
            12.27, 13.29, 14.0,
        ],
    },
    #[cfg(feature = "program")]
    config: include_str!("../../../../configs/dobutsu.toml"),
    #[cfg(feature = "program")]
    openings: include_str!("../../../arena/openings/data/dobutsu.epd"),
};
