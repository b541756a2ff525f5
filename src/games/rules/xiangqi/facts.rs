//! What the program has to know of xiangqi and minixiangqi beside their rules.

use crate::games::rules::{
    facts::{Colour, Facts, Family, PlayFacts},
    rule_set::RuleSet,
};

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
    has_passes: false,
    has_declarations: false,
    play: PlayFacts { temperature: 2.5, mate_visits: 0, levels: PlayFacts::EVEN_LEVELS },
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
    has_passes: false,
    has_declarations: false,
    play: PlayFacts { temperature: 3.5, mate_visits: 0, levels: PlayFacts::EVEN_LEVELS },
    #[cfg(feature = "program")]
    config: include_str!("../../../../configs/minixiangqi.toml"),
    #[cfg(feature = "program")]
    openings: include_str!("../../../arena/openings/data/minixiangqi.epd"),
};
