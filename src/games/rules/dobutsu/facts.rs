//! What the program has to know of dobutsu beside its rules.

use crate::games::rules::{
    facts::{Colour, Facts, Family, PlayFacts},
    handicap::Handicaps,
    rule_set::RuleSet,
};

/// Dobutsu shogi, 3x4.
#[expect(clippy::approx_constant, reason = "one of the levels happens to be near a full turn")]
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
            0.0, 0.27, 0.43, 0.54, 0.91, 1.27, 1.54, 1.68, 1.82, 1.93, 2.23, 3.27, 4.31, 5.05, 6.28, 8.64,
            9.77, 11.74, 14.0,
        ],
    },
    #[cfg(feature = "program")]
    config: include_str!("../../../../configs/dobutsu.toml"),
    #[cfg(feature = "program")]
    gpu_config: None,
    #[cfg(feature = "program")]
    openings: include_str!("../../../arena/openings/data/dobutsu.epd"),
};
