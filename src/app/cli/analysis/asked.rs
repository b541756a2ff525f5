//! A request that is being answered: its game, and what is asked of each position.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use super::answer::{Answer, Remark, line};
use crate::{
    app::cli::CliError,
    arena::analysis::{AnalysisDesk, AnalysisNet, Effort, LookLimits},
    games::{
        encode::Encode,
        notation::{self, Notate},
    },
};

/// A request, its game read.
pub(super) struct AskedGame<G: Encode> {
    /// What the answers are called.
    pub id: String,
    /// Who judges.
    pub net: Arc<AnalysisNet<G>>,
    /// Where the game began.
    pub start: G,
    /// The moves since.
    pub moves: Vec<G::Move>,
    /// The only moves that are looked at, in any notation of the game, if any are given.
    pub allow: Vec<String>,
    /// Moves that are not looked at.
    pub avoid: Vec<String>,
    /// How long each position is looked at.
    pub effort: Effort,
    /// How many lines are wanted.
    pub lines: usize,
}

impl<G: Encode + Notate> AskedGame<G> {
    /// The line that answers for the position after so many moves, or as much as was found when `stop` was set.
    pub fn answer(&self, turn: usize, desk: &mut AnalysisDesk, stop: &AtomicBool) -> String {
        let mut game = self.start.clone();
        self.moves[..turn].iter().for_each(|&mv| game.play(mv));
        let about = (&*self.id, turn);
        if let Some(outcome) = game.outcome_or_declaration() {
            return line(&Answer::ended(about, &game, outcome));
        }
        let last = turn.checked_sub(1).map(|before| self.moves[before]);
        let mut ignored = Vec::new();
        let only = match self.only(&game, last, &mut ignored) {
            Ok(only) => only,
            Err(error) => return line(&Remark::error((*self.id).into(), Some(turn), &error)),
        };
        let limits = LookLimits { effort: self.effort, only: &only, lines: self.lines };
        let look = desk.analyst(&self.net).look(&game, &limits, &|| stop.load(Relaxed));
        line(&Answer::of(about, &game, &look, self.effort, &ignored))
    }

    /// The only moves that are looked at; none where all are. Texts that are no move of this position go to `ignored`.
    ///
    /// # Errors
    /// When no move is left.
    fn only<'a>(
        &'a self,
        game: &G,
        last: Option<G::Move>,
        ignored: &mut Vec<&'a str>,
    ) -> Result<Vec<G::Move>, CliError> {
        if self.allow.is_empty() && self.avoid.is_empty() {
            return Ok(Vec::new());
        }
        let mut read = |texts: &'a [String]| -> Vec<G::Move> {
            let legal = |text: &'a String| match notation::read(game, last, text) {
                Ok(mv) => Some(mv),
                Err(_) => {
                    ignored.push(text);
                    None
                }
            };
            texts.iter().filter_map(legal).collect()
        };
        let (allowed, avoided) = (read(&self.allow), read(&self.avoid));
        let mut only = Vec::new();
        game.legal_moves(&mut only);
        let all = only.len();
        only.retain(|mv| (self.allow.is_empty() || allowed.contains(mv)) && !avoided.contains(mv));
        match only.len() {
            0 => Err(CliError::failed(format!(
                "no move is left: allow and avoid exclude all {all} legal moves"
            ))),
            left if left == all => Ok(Vec::new()),
            _ => Ok(only),
        }
    }
}
