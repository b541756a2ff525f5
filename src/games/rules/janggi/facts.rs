//! What the program has to know of janggi beside its rules.

use crate::games::rules::{
    facts::{Colour, Facts, Family, PlayFacts},
    handicap::{Handicap, Handicaps},
    outcome::Side,
    rule_set::RuleSet,
};

/// All set-ups, as [`Formations`](super::Formations) are written and in their order.
pub(super) const SETUPS: [&str; 16] = [
    "nbbn/nbbn",
    "nbbn/bnnb",
    "nbbn/nbnb",
    "nbbn/bnbn",
    "bnnb/nbbn",
    "bnnb/bnnb",
    "bnnb/nbnb",
    "bnnb/bnbn",
    "nbnb/nbbn",
    "nbnb/bnnb",
    "nbnb/nbnb",
    "nbnb/bnbn",
    "bnbn/nbbn",
    "bnbn/bnnb",
    "bnbn/nbnb",
    "bnbn/bnbn",
];

/// The stronger player has Han, and Cho moves first as always.
const HANDICAPS: [Handicap; 6] = [
    Handicap::left("elephant", "상 떼기", "b"),
    Handicap::left("horse", "마 떼기", "n"),
    Handicap::left("cannon", "포 떼기", "c"),
    Handicap::left("chariot", "차 떼기", "r"),
    Handicap::left("chariot-horse", "차마 떼기", "rn"),
    Handicap::left("two-chariots", "양차 떼기", "rr"),
];

/// Janggi, 9x10.
pub static JANGGI: Facts = Facts {
    name: "janggi",
    title: "Janggi",
    family: Family::Palace,
    rule_sets: &[RuleSet::Points, RuleSet::Traditional, RuleSet::Kakao, RuleSet::Casual, RuleSet::Martin1995],
    variants: &[
        ("janggi", RuleSet::Points),
        ("janggitraditional", RuleSet::Traditional),
        ("janggimodern", RuleSet::Kakao),
        ("janggicasual", RuleSet::Casual),
    ],
    colours: [Colour::Green, Colour::Red],
    has_river: false,
    setups: &SETUPS,
    handicaps: Handicaps { giver: Side::Second, mover: Side::First, list: &HANDICAPS },
    has_passes: true,
    has_declarations: false,
    play: PlayFacts {
        temperature: 2.5,
        mate_visits: 0,
        levels: [
            1.4, 1.59, 1.71, 1.83, 1.94, 2.35, 2.89, 3.43, 3.93, 4.42, 4.73, 5.09, 5.44, 5.7, 6.01, 6.36,
            6.74, 6.99, 7.49,
        ],
    },
    #[cfg(feature = "program")]
    config: include_str!("../../../../configs/janggi.toml"),
    #[cfg(feature = "program")]
    gpu_config: Some(include_str!("../../../../configs/janggi-gpu.toml")),
    #[cfg(feature = "program")]
    openings: include_str!("../../../arena/openings/data/janggi.epd"),
};
