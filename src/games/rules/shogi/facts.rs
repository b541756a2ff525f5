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
    handicaps: Handicaps::NONE,
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
