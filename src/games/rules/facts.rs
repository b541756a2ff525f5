//! What the program has to know of a game beside its rules: a table for each game, in the game's folder.

use std::hash::{Hash, Hasher};

use super::{handicap::Handicaps, rule_set::RuleSet};

/// Games whose positions are written alike and that share protocols and formats of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Shogi's: pieces that are taken change sides and are dropped again. Written in SFEN, played over USI.
    Shogi,
    /// Xiangqi's and janggi's: a king or general in a palace, and nothing is dropped. Written in FEN and PGN.
    Palace,
}

/// A colour that shows on light and on dark ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Green.
    Green,
    /// Red.
    Red,
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
    /// Cyan.
    Cyan,
}

/// The facts of a game. Two games are the same if they have the same name.
#[derive(Debug)]
pub struct Facts {
    /// The name on the command line, in configs and in the names of files.
    pub name: &'static str,
    /// The name in PGN's tag `Variant`.
    pub title: &'static str,
    /// The kind of game.
    pub family: Family,
    /// The rule sets, at least one; the first is the default.
    pub rule_sets: &'static [RuleSet],
    /// Fairy-Stockfish's names of the game, each with the rule set it stands for: at least one, for the default rules,
    /// or none if it does not know the game. It knows pawn-drop mates, declarations and chases only in part.
    pub variants: &'static [(&'static str, RuleSet)],
    /// The colours of both sides' pieces in a terminal.
    pub colours: [Colour; 2],
    /// Whether a river halves the board.
    pub has_river: bool,
    /// How the pieces may stand at the start, each way by its name, the standard one first; empty if there is only one.
    /// The players choose.
    pub setups: &'static [&'static str],
    /// The handicaps that have names.
    pub handicaps: Handicaps,
    /// Whether a player may pass.
    pub has_passes: bool,
    /// Whether a player may declare that their king has entered the opponent's camp.
    pub has_declarations: bool,
    /// How a net plays, unless its config or the player's name says something else.
    pub play: PlayFacts,
    /// The config that comes with the program.
    #[cfg(feature = "program")]
    pub config: &'static str,
    /// A config for a machine whose graphics card learns, which extends the other one.
    #[cfg(feature = "program")]
    pub gpu_config: Option<&'static str>,
    /// The openings that matches begin with: EPD, one in a line.
    #[cfg(feature = "program")]
    pub openings: &'static str,
}

impl PartialEq for Facts {
    fn eq(&self, other: &Facts) -> bool {
        self.name == other.name
    }
}

impl Eq for Facts {}

impl Hash for Facts {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// Settings of play that differ from game to game; `docs/search.md` has the matches for some.
#[derive(Debug)]
pub struct PlayFacts {
    /// Flattens the net's policy; 1 leaves it as it is. Above 0.
    pub temperature: f32,
    /// Visits of a node after which a mate is looked for; 0: never.
    pub mate_visits: u32,
    /// The strengths of the levels of play below full strength, the weakest first, as the search's `Strength` has them;
    /// `docs/levels.md` has the matches.
    pub levels: [f32; 19],
}

impl PlayFacts {
    /// For a game whose levels were not measured: strengths one after another.
    pub const EVEN_LEVELS: [f32; 19] = [
        0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0,
        18.0,
    ];
}
