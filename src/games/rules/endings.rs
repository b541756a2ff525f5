//! Which moves end the game at once.

use super::{Ending, Game, Verdict};

/// What a game sees in a move without a look at the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuickVerdict {
    /// It does not end the game.
    GoesOn,
    /// It ends the game so.
    Ends(Verdict),
    /// It has to be played to know.
    Unclear,
}

/// Appends the `moves` that end `game`, by what `glance` sees in each that `may_end` it. The latter is asked of all
/// moves, and should not branch.
#[inline(always)]
pub(super) fn collect<G: Game>(
    game: &G,
    moves: &[G::Move],
    endings: &mut Vec<Ending>,
    may_end: impl Fn(G::Move) -> bool,
    glance: impl Fn(G::Move) -> QuickVerdict,
) {
    let mut scratch = None;
    for (start, chunk) in (0..).step_by(CHUNK).zip(moves.chunks(CHUNK)) {
        let mut unclear = chunk.iter().rev().fold(0u64, |bits, &mv| bits << 1 | u64::from(may_end(mv)));
        while unclear != 0 {
            let place = start + unclear.trailing_zeros() as usize;
            unclear &= unclear - 1;
            let verdict = match glance(moves[place]) {
                QuickVerdict::GoesOn => None,
                QuickVerdict::Ends(verdict) => Some(verdict),
                QuickVerdict::Unclear => play(game, moves[place], &mut scratch),
            };
            endings.extend(verdict.map(|verdict| Ending { place, verdict }));
        }
    }
}

/// Moves that a word has a bit for.
const CHUNK: usize = u64::BITS as usize;

/// Appends the `moves` that end `game`, by playing every one.
pub(super) fn collect_plainly<G: Game>(game: &G, moves: &[G::Move], endings: &mut Vec<Ending>) {
    collect(game, moves, endings, |_| true, |_| QuickVerdict::Unclear);
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
