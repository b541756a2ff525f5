//! What the rule sets say where they differ.

use crate::games::rules::RuleSet;

/// One rule set, as the shared rules read it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) name: RuleSet,
    /// Whether a side without a move loses even when it is not in check (X10).
    pub(super) stalemate_loses: bool,
    /// Whether the game is drawn when no piece that could attack is left (X11).
    pub(super) bare_attackers_draw: bool,
    /// The occurrence of a position that ends the game (X12).
    pub(super) occurrences: u32,
    /// Who loses by it.
    pub(super) fault: Fault,
    /// Plies without a capture that end the game, not counting those that checks add.
    pub(super) move_limit: Option<u32>,
    /// Plies that each check beyond the tenth of the busier side adds to the limit.
    pub(super) plies_per_check: u32,
}

/// Which side loses when a position comes back too often; where both do, or neither, it is a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The one that gave check at every move.
    Checking,
    /// The same, else the one that chased a piece at every move.
    CheckingElseChasing,
    /// The one that gave check or threatened the same piece at every move, unless no side had a choice.
    Attacking,
}

static AXF: Rules = Rules {
    name: RuleSet::Axf,
    stalemate_loses: true,
    bare_attackers_draw: false,
    occurrences: 3,
    fault: Fault::CheckingElseChasing,
    move_limit: Some(100),
    plies_per_check: 2,
};

/// Otherwise "exactly like Western chess", as the text of 1994 says: so stalemate draws. A loop has to end after
/// its third time, when its first position stands for the fourth time; at the fifth it has not.
static WANG1994: Rules = Rules {
    name: RuleSet::Wang1994,
    stalemate_loses: false,
    bare_attackers_draw: true,
    occurrences: 5,
    fault: Fault::Attacking,
    move_limit: None,
    plies_per_check: 0,
};

/// Minixiangqi's.
static STANDARD: Rules = Rules { name: RuleSet::Standard, fault: Fault::Checking, plies_per_check: 0, ..AXF };

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
