//! The settings of a tree search.

use serde::{Deserialize, Serialize};

/// Which search, and its constants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, tag = "kind", rename_all = "lowercase")]
pub enum SearchConfig {
    /// For self-play with few simulations.
    Gumbel(GumbelConfig),
    /// For matches and play.
    Puct(PuctConfig),
}

/// Sequential halving over sampled root moves, completed Q-values below the root: Danihelka, Guez,
/// Schrittwieser and Silver, "Policy improvement by planning with Gumbel", ICLR 2022.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GumbelConfig {
    /// Root moves among which the simulations are divided, at most. 16: the paper's and mctx's.
    pub max_considered: u32,
    /// Added to the visits of the most visited move where Q-values are weighed against logits. 50: the paper's.
    pub c_visit: f32,
    /// Weight of the Q-values against the logits: a move that is better by the whole range of the Q-values
    /// of its node gains `(c_visit + most visits) * c_scale` nats. 0.1: mctx's, so 5 to 6 nats.
    pub c_scale: f32,
    /// The least range that Q-values are rescaled by, in units of `q`, of which there are two between a loss
    /// and a win. 0 rescales always, as mctx does, and turns the noise of single visits into certainty where
    /// all moves are about equal; 2 never does, as in the paper's board games (there with `c_scale` 1, where
    /// a single visit that is wrong by 0.4 already costs 10 nats). 0.2 takes the paper's slope for small
    /// differences and mctx's bound for large ones; untuned.
    pub min_q_range: f32,
    /// The improved policy is drawn towards the even one: its logits before the search are divided by this. It keeps
    /// a net from growing ever surer of what it already prefers, since what it learns is added to itself again.
    #[serde(skip_serializing_if = "is_one")]
    pub target_temperature: f32,
}

/// Keys that came later are not written at the value that stands for their absence, so that a run from before them has
/// the same config still.
fn is_one(x: &f32) -> bool {
    *x == 1.0
}

/// The search of AlphaZero: Silver et al., Science 362 (2018), with a value for moves not visited yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PuctConfig {
    /// Weight of exploration at few visits, for Q-values in `-1..=1`. 1.1 with `c_base` 4000: no weaker than 1.5
    /// with AlphaZero's 19652 on any board, and stronger on some (2026-11-25, `docs/search.md`).
    pub c_init: f32,
    /// Visits after which exploration has grown by ln 2.
    pub c_base: f32,
    /// A move not visited yet is taken to be worse than its parent by this, times the root of the prior
    /// probability visited so far. 0.25: 0.1 and 0.5 were no better (as above).
    pub fpu_reduction: f32,
    /// The priors are the softmax of the logits over this: above 1 it leaves more room for moves that the evaluator
    /// does not expect.
    #[serde(skip_serializing_if = "is_one")]
    pub temperature: f32,
    /// Share of the uniform distribution in the priors, so that none is too small to be tried.
    #[serde(skip_serializing_if = "is_zero")]
    pub uniform_share: f32,
    /// Another move of the root is opened once the root has this many visits for each opened one, whatever its prior;
    /// 0: only as the priors have it.
    #[serde(skip_serializing_if = "is_none")]
    pub root_widening: u32,
    /// A mate by checks is looked for in every node when it has this many visits; 0: in none.
    #[serde(skip_serializing_if = "is_none")]
    pub mate_visits: u32,
    /// How deep a mate is looked for: plies, an odd number.
    #[serde(skip_serializing_if = "is_three")]
    pub mate_plies: u32,
    /// Concentration of the Dirichlet noise on the root's priors, summed over its moves. 10.83: KataGo's.
    pub noise_concentration: f32,
    /// Share of that noise in the root's priors; 0: none. Only in searches that explore. 0.25: AlphaZero's.
    pub noise_fraction: f32,
    /// Temperature of the root's priors, in searches that explore. 1.1: KataGo's.
    pub root_temperature: f32,
}

fn is_zero(x: &f32) -> bool {
    *x == 0.0
}

fn is_three(x: &u32) -> bool {
    *x == 3
}

fn is_none(x: &u32) -> bool {
    *x == 0
}

/// When and how far a mate is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MateConfig {
    /// In a node that has this many visits; never where this is 0.
    pub visits: u32,
    /// An odd number of plies.
    pub plies: u32,
}

/// How logits become the probabilities of moves before the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Priors {
    /// The logits are divided by this.
    pub temperature: f32,
    /// Share of the uniform distribution.
    pub uniform_share: f32,
}

impl Priors {
    /// Those of the evaluator itself.
    pub const PLAIN: Priors = Priors { temperature: 1.0, uniform_share: 0.0 };
}

impl SearchConfig {
    /// When a mate is looked for.
    pub(super) fn mates(&self) -> MateConfig {
        match self {
            SearchConfig::Gumbel(_) => MateConfig { visits: 0, plies: 1 },
            SearchConfig::Puct(c) => MateConfig { visits: c.mate_visits, plies: c.mate_plies },
        }
    }

    /// What the priors inside the tree are made by.
    pub(super) fn priors(&self) -> Priors {
        match self {
            SearchConfig::Gumbel(_) => Priors::PLAIN,
            SearchConfig::Puct(c) => Priors { temperature: c.temperature, uniform_share: c.uniform_share },
        }
    }
}

/// Whether the root's moves get noise, so that self-play explores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// No random numbers at all.
    None,
    /// Gumbel: root moves are sampled. PUCT: noise and temperature on the root's priors.
    Explore,
}

/// A setting that no search could run with.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{key} = {value}: must be {range}")]
pub struct BadSetting {
    /// The key inside the search's table.
    pub key: &'static str,
    /// Its value.
    pub value: f32,
    /// What it may be.
    pub range: &'static str,
}

impl Default for GumbelConfig {
    fn default() -> Self {
        GumbelConfig {
            max_considered: 16,
            c_visit: 50.0,
            c_scale: 0.1,
            min_q_range: 0.2,
            target_temperature: 1.0,
        }
    }
}

impl Default for PuctConfig {
    fn default() -> Self {
        PuctConfig {
            c_init: 1.1,
            c_base: 4000.0,
            fpu_reduction: 0.25,
            temperature: 1.0,
            uniform_share: 0.0,
            root_widening: 0,
            mate_visits: 0,
            mate_plies: 3,
            noise_concentration: 10.83,
            noise_fraction: 0.25,
            root_temperature: 1.1,
        }
    }
}

impl SearchConfig {
    /// Checks every value.
    ///
    /// # Errors
    /// The first value out of its range.
    pub fn check(&self) -> Result<(), BadSetting> {
        let positive = |x: f32| x.is_finite() && x > 0.0;
        let not_negative = |x: f32| x.is_finite() && x >= 0.0;
        let check =
            |key, value, ok: bool, range| if ok { Ok(()) } else { Err(BadSetting { key, value, range }) };
        match self {
            SearchConfig::Gumbel(c) => {
                let considered = c.max_considered as f32;
                check("max_considered", considered, c.max_considered > 0, "at least 1")?;
                check("c_visit", c.c_visit, not_negative(c.c_visit), "0 or more")?;
                check("c_scale", c.c_scale, positive(c.c_scale), "above 0")?;
                check("min_q_range", c.min_q_range, (0.0..=2.0).contains(&c.min_q_range), "in 0..=2")?;
                let temperature = c.target_temperature;
                check("target_temperature", temperature, positive(temperature), "above 0")
            }
            SearchConfig::Puct(c) => {
                check("c_init", c.c_init, positive(c.c_init), "above 0")?;
                check("c_base", c.c_base, positive(c.c_base), "above 0")?;
                check("fpu_reduction", c.fpu_reduction, not_negative(c.fpu_reduction), "0 or more")?;
                check("temperature", c.temperature, positive(c.temperature), "above 0")?;
                let share = c.uniform_share;
                check("uniform_share", share, (0.0..=1.0).contains(&share), "in 0..=1")?;
                let plies = c.mate_plies as f32;
                check("mate_plies", plies, c.mate_plies % 2 == 1 && c.mate_plies < 16, "odd and below 16")?;
                let concentration = c.noise_concentration;
                check("noise_concentration", concentration, positive(concentration), "above 0")?;
                let fraction = c.noise_fraction;
                check("noise_fraction", fraction, (0.0..=1.0).contains(&fraction), "in 0..=1")?;
                check("root_temperature", c.root_temperature, positive(c.root_temperature), "above 0")
            }
        }
    }
}
