//! Which moves end the game at once.

use super::{Game, Verdict};

/// What one move leads to at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The place of the move in the list of legal moves.
    pub place: usize,
    /// How the game ends by it.
    pub verdict: Verdict,
}

/// What a game sees in a move without a look at the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Glance {
    /// It does not end the game.
    GoesOn,
    /// It ends the game so.
    Ends(Verdict),
    /// It has to be played to know.
    Unclear,
}

/// Appends the `moves` that end `game`, by what `glance` sees in each.
#[inline(always)]
pub(super) fn collect<G: Game>(
    game: &G,
    moves: &[G::Move],
    endings: &mut Vec<Ending>,
    glance: impl Fn(G::Move) -> Glance,
) {
    let mut scratch = None;
    for (place, &mv) in moves.iter().enumerate() {
        let verdict = match glance(mv) {
            Glance::GoesOn => None,
            Glance::Ends(verdict) => Some(verdict),
            Glance::Unclear => play(game, mv, &mut scratch),
        };
        endings.extend(verdict.map(|verdict| Ending { place, verdict }));
    }
}

/// How `mv` ends `game`, if it does: played on `scratch`, which may hold any game of the same type.
#[cold]
fn play<G: Game>(game: &G, mv: G::Move, scratch: &mut Option<G>) -> Option<Verdict> {
    match scratch {
        Some(scratch) => scratch.clone_from(game),
        None => *scratch = Some(game.clone()),
    }
    let after = scratch.as_mut()?;
    after.play(mv);
    after.outcome_or_declaration().map(|outcome| outcome.verdict)
}
