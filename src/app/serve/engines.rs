//! Which engines of other programs the page may start: commands that run with the owner's rights.

use crate::arena::EngineSpec;

/// What the owner allowed when the page was started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Engines {
    /// The engines that may be chosen, as `sanki match` takes them: `uci:fairy-stockfish?Threads=2`.
    pub listed: Vec<String>,
    /// Whether any other command may be named as well.
    pub any: bool,
}

impl Engines {
    /// Whether a match may have `player`, which is named as for `sanki match`: everybody who is no engine of another
    /// program, and the engines that are allowed.
    pub(super) fn may_play(&self, player: &str) -> bool {
        !EngineSpec::is_meant(player) || self.any || self.is_listed(player)
    }

    /// Whether it is one of the list.
    pub(super) fn is_listed(&self, player: &str) -> bool {
        self.listed.iter().any(|listed| listed == player)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_allowed_by_their_whole_command() {
        let none = Engines::default();
        let some = Engines { listed: vec!["uci:x?Hash=1".to_owned()], any: false };
        let any = Engines { any: true, ..Engines::default() };
        for player in ["random", "uniform@sims=8", "runs/first@sims=8", "checkpoints/janggi.sanki"] {
            assert!(none.may_play(player) && some.may_play(player), "{player}");
        }
        for player in
            ["uci:x", "usi:x?Hash=1", "ucci:x@sims=8", "uci:", "uci:x?Hash=1&Log=a", "uci:x?Hash=1 "]
        {
            assert!(!none.may_play(player) && !some.may_play(player) && any.may_play(player), "{player}");
        }
        assert!(some.may_play("uci:x?Hash=1"));
    }
}
