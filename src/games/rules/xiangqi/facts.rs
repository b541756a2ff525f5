//! What the program has to know of xiangqi and minixiangqi beside their rules.

use crate::games::rules::{
    facts::{Colour, Facts, Family, PlayFacts},
    handicap::{Handicap, Handicaps},
    outcome::Side,
    rule_set::RuleSet,
};

/// The stronger player has Red, and moves first as always.
const HANDICAPS: [Handicap; 4] = [
    Handicap::left("horse", "让单马", "n"),
    Handicap::left("two-horses", "让双马", "nn"),
    Handicap::left("chariot", "让单车", "r"),
    Handicap::left("nine-pieces", "让九子", "pppppaabb"),
];

/// Xiangqi, 9x10.
#[expect(clippy::approx_constant, reason = "one of the levels happens to be near a full turn")]
pub static XIANGQI: Facts = Facts {
    name: "xiangqi",
    title: "Xiangqi",
    family: Family::Palace,
    rule_sets: &[RuleSet::Axf, RuleSet::Wang1994],
    variants: &[("xiangqi", RuleSet::Axf)],
    colours: [Colour::Red, Colour::Blue],
    has_river: true,
    setups: &[],
    handicaps: Handicaps { giver: Side::First, mover: Side::First, list: &HANDICAPS },
    has_passes: false,
    has_declarations: false,
    play: PlayFacts {
        temperature: 2.5,
        mate_visits: 0,
        levels: [
            1.4, 1.59, 1.74, 1.85, 1.98, 2.51, 3.07, 3.44, 3.95, 4.5, 4.88, 5.13, 5.48, 5.92, 6.28, 6.58,
            7.08, 7.71, 8.21,
        ],
    },
    #[cfg(feature = "program")]
    config: include_str!("../../../../configs/xiangqi.toml"),
    #[cfg(feature = "program")]
    gpu_config: Some(include_str!("../../../../configs/xiangqi-gpu.toml")),
    #[cfg(feature = "program")]
    openings: include_str!("../../../arena/openings/data/xiangqi.epd"),
};

/// Minixiangqi, 7x7.
pub static MINIXIANGQI: Facts = Facts {
    name: "minixiangqi",
    title: "Minixiangqi",
    family: Family::Palace,
    rule_sets: &[RuleSet::Standard],
    variants: &[("minixiangqi", RuleSet::Standard)],
    colours: [Colour::Red, Colour::Blue],
    has_river: false,
    setups: &[],
    handicaps: Handicaps::NONE,
    has_passes: false,
    has_declarations: false,
    play: PlayFacts {
        temperature: 3.5,
        mate_visits: 0,
        levels: [
            1.1, 1.3, 1.52, 1.7, 1.83, 1.96, 2.32, 3.07, 3.64, 4.13, 4.62, 5.24, 5.76, 6.17, 6.75, 7.46,
            8.31, 8.83, 9.31,
        ],
    },
    #[cfg(feature = "program")]
    config: include_str!("../../../../configs/minixiangqi.toml"),
    #[cfg(feature = "program")]
    gpu_config: None,
    #[cfg(feature = "program")]
    openings: include_str!("../../../arena/openings/data/minixiangqi.epd"),
};
