//! What the learner learns from: plain data, without tensors.

use crate::{games::encode::Features, search::Wdl};

/// A legal move and how often it should be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveWeight {
    /// Policy index.
    pub index: u16,
    /// Not negative; only the ratio to the other moves of the same position counts.
    pub weight: f32,
}

/// One position with its targets, all from the point of view of the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// The position.
    pub features: Features,
    /// **Every** legal move, those without weight too: the softmax runs over the moves listed, as it does in
    /// the search. Empty where no policy is known.
    pub policy: Vec<MoveWeight>,
    /// The same for the opponent's next move: every legal move of the position that followed, in the opponent's
    /// move planes and on this side's squares. Empty where unknown.
    pub reply: Vec<MoveWeight>,
    /// The result, or a mix of the result and a search's opinion.
    pub wdl: Wdl,
    /// Plies to the end of the game; `None` where unknown.
    pub moves_left: Option<f32>,
}
