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
            1.0, 1.30, 1.61, 1.96, 2.18, 2.29, 2.35, 2.42, 2.48, 2.86, 3.36, 3.85, 4.31, 4.75, 5.33, 6.13,
            7.33, 9.16, 10.12,
        ],
    },
    #[cfg(feature = "program")]
    config: include_str!("../../../../configs/xiangqi.toml"),
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
            0.30, 0.75, 1.17, 1.42, 1.83, 2.13, 2.28, 2.36, 2.44, 2.70, 3.37, 3.99, 4.68, 5.70, 6.81, 9.07,
            9.70, 10.38, 11.17,
        ],
    },
    #[cfg(feature = "program")]
    config: include_str!("../../../../configs/minixiangqi.toml"),
    #[cfg(feature = "program")]
    openings: include_str!("../../../arena/openings/data/minixiangqi.epd"),
};
