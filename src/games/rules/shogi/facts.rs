//! What the program has to know of shogi and minishogi beside their rules.

use crate::games::rules::{
    facts::{Colour, Facts, Family, PlayFacts},
    handicap::{Handicap, Handicaps},
    outcome::Side,
    rule_set::RuleSet,
};

/// The stronger player (uwate) has White, and moves first.
const HANDICAPS: [Handicap; 15] = [
    Handicap::left("lance", "香落ち", "l"),
    Handicap::both("right-lance", "右香落ち", "", "l"),
    Handicap::left("bishop", "角落ち", "b"),
    Handicap::left("rook", "飛車落ち", "r"),
    Handicap::left("rook-lance", "飛香落ち", "rl"),
    Handicap::left("two-piece", "二枚落ち", "rb"),
    Handicap::left("three-piece", "三枚落ち", "rbl"),
    Handicap::left("four-piece", "四枚落ち", "rbll"),
    Handicap::both("five-piece", "五枚落ち", "rbl", "ln"),
    Handicap::both("left-five-piece", "左五枚落ち", "rbln", "l"),
    Handicap::left("six-piece", "六枚落ち", "rbllnn"),
    Handicap::both("seven-piece", "右七枚落ち", "rbln", "lns"),
    Handicap::both("left-seven-piece", "左七枚落ち", "rblns", "ln"),
    Handicap::left("eight-piece", "八枚落ち", "rbllnnss"),
    Handicap::left("ten-piece", "十枚落ち", "rbllnnssgg"),
];

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
    handicaps: Handicaps { giver: Side::Second, mover: Side::Second, list: &HANDICAPS },
    has_passes: false,
    has_declarations: true,
    play: PlayFacts {
        temperature: 3.0,
        mate_visits: 64,
        levels: [
            1.75, 2.03, 2.6, 3.13, 3.38, 4.05, 4.39, 4.66, 4.93, 5.27, 5.46, 5.65, 5.8, 6.01, 6.16, 6.5,
            6.83, 7.23, 7.53,
        ],
    },
    #[cfg(feature = "program")]
    config: include_str!("../../../../configs/shogi.toml"),
    #[cfg(feature = "program")]
    gpu_config: Some(include_str!("../../../../configs/shogi-gpu.toml")),
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
    handicaps: Handicaps::NONE,
    has_passes: false,
    has_declarations: false,
    play: PlayFacts {
        temperature: 3.0,
        mate_visits: 64,
        levels: [
            1.0, 1.17, 1.32, 1.49, 1.63, 1.77, 1.88, 1.96, 2.71, 3.62, 4.49, 5.62, 6.59, 7.8, 8.83, 9.65,
            10.32, 11.17, 12.04,
        ],
    },
    #[cfg(feature = "program")]
    config: include_str!("../../../../configs/minishogi.toml"),
    #[cfg(feature = "program")]
    gpu_config: None,
    #[cfg(feature = "program")]
    openings: include_str!("../../../arena/openings/data/minishogi.epd"),
};
