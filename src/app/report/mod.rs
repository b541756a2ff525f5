//! Reports: one HTML file for a match or a ladder, with the games to step through.
//!
//! A page needs nothing but itself: no network, no font, script or picture from elsewhere. It knows no rules either:
//! Rust replays every game and writes what each move changed, the script only draws that.

mod analysis;
mod board;
mod chart;
mod crosstable;
mod curve;
mod games;
mod glyphs;
mod ladder;
mod matches;
mod page;
mod replay;
mod rung;
mod scale_curve;
mod score_curve;
mod script;
mod staircase;

pub use analysis::{AnalysisPage, analysis_page};
pub(crate) use board::BoardData;
#[cfg(test)]
pub(crate) use board::piece_names;
pub use board::{piece_characters, side_names};
pub use curve::{Axis, Unit, curve_svg};
pub(crate) use games::{BOARD_SCRIPTS, STEPS_SCRIPT, faces_choice, inert};
pub use ladder::{LadderPage, ladder_page};
pub use matches::{MatchPage, match_page};
pub(crate) use page::{STYLE, head};
pub(crate) use replay::replay;
pub use replay::{PlacedPiece, Placement};
pub use rung::{LadderRung, Progress};
pub use scale_curve::scale_svg;
#[cfg(test)]
pub(crate) use script::broken_imports;
pub(crate) use script::{Script, inline};
pub use staircase::{ImprovePage, improve_page};
