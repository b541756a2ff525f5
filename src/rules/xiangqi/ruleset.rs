//! What the rule sets say where they differ.

use crate::rules::RuleSet;

/// One rule set, as the shared rules read it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) name: RuleSet,
    /// Whether a side without a move loses even when it is not in check (X10).
    pub(super) stalemate_loses: bool,
    /// Whether the game is drawn when no piece that could attack is left (X11).
    pub(super) bare_attackers_draw: bool,
    /// Plies without a capture that end the game, not counting those that checks add.
    pub(super) move_limit: Option<u32>,
}

static AXF: Rules =
    Rules { name: RuleSet::Axf, stalemate_loses: true, bare_attackers_draw: false, move_limit: Some(100) };

/// Otherwise "exactly like Western chess", as the text of 1994 says: so stalemate draws.
static WANG1994: Rules =
    Rules { name: RuleSet::Wang1994, stalemate_loses: false, bare_attackers_draw: true, move_limit: None };

/// Minixiangqi's.
static STANDARD: Rules = Rules { name: RuleSet::Standard, ..AXF };

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
