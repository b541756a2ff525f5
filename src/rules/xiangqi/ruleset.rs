//! What the rule sets say where they differ.

use super::history::Customs;
use crate::rules::RuleSet;

/// One rule set, as the shared rules read it.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) name: RuleSet,
    /// Whether a side without a move loses even when it is not in check (X10).
    pub(super) stalemate_loses: bool,
    /// Whether the game is drawn when no piece that could attack is left (X11).
    pub(super) bare_attackers_draw: bool,
    /// What it makes of repetitions and of plies without a capture.
    pub(super) past: Customs,
}

static AXF: Rules = Rules {
    name: RuleSet::Axf,
    stalemate_loses: true,
    bare_attackers_draw: false,
    past: Customs::of(RuleSet::Axf),
};

/// Otherwise "exactly like Western chess", as the text of 1994 says: so stalemate draws.
static WANG1994: Rules = Rules {
    name: RuleSet::Wang1994,
    stalemate_loses: false,
    bare_attackers_draw: true,
    past: Customs::of(RuleSet::Wang1994),
};

/// Minixiangqi's.
static STANDARD: Rules = Rules {
    name: RuleSet::Standard,
    stalemate_loses: true,
    bare_attackers_draw: false,
    past: Customs::of(RuleSet::Standard),
};

impl Rules {
    /// The rule set of that name, which must be one of this family.
    pub(super) fn of(name: RuleSet) -> &'static Rules {
        match name {
            RuleSet::Axf => &AXF,
            RuleSet::Wang1994 => &WANG1994,
            RuleSet::Standard => &STANDARD,
            other => unreachable!("{other} is no rule set of this family"),
        }
    }
}
