//! The window of a search.

use super::score::{SearchScore, WIN};

/// More than any score.
pub const INFINITE: SearchScore = WIN + 1;

/// The window of a search: scores between the two have to be exact.
#[derive(Clone, Copy, Debug)]
pub struct SearchWindow {
    /// The side to move has this already.
    pub alpha: SearchScore,
    /// The opponent avoids the position if it is worth this or more.
    pub beta: SearchScore,
}

impl SearchWindow {
    /// All scores.
    pub const OPEN: SearchWindow = SearchWindow { alpha: -INFINITE, beta: INFINITE };

    /// A null window: it only asks whether a score is more than `alpha`.
    pub fn above(alpha: SearchScore) -> Self {
        SearchWindow { alpha, beta: alpha + 1 }
    }

    /// The opponent's view.
    pub fn flip(self) -> Self {
        SearchWindow { alpha: -self.beta, beta: -self.alpha }
    }

    /// Whether it is a null window, as at all nodes but those of the principal variation.
    pub fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }
}
