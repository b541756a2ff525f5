//! A game judged, move by move.

use super::{Analyst, Assessment, Effort};
use crate::games::{encode::Encode, rules::Side};

/// A move that costs less than this share of a game is not held against anybody: two searches of one position differ by as
/// much. Untuned.
const NOISE: f32 = 0.02;

/// What a move was worth.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedMove {
    /// Its place in the game, from 1.
    pub ply: usize,
    /// Who played it.
    pub side: Side,
    /// The move, as it is written.
    pub mv: String,
    /// The position before it.
    pub before: Assessment,
    /// The position after it.
    pub after: Assessment,
    /// How much of the mover's expected score it cost, in `0.0..=1.0`; nothing where it was the best.
    pub loss: f32,
    /// What would have been best, and the line that is expected behind it; the move itself where it was.
    pub best: Vec<String>,
    /// Simulations that this says.
    pub simulations: u32,
}

/// A game judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Its moves.
    pub moves: Vec<JudgedMove>,
    /// The position at the end.
    pub end: Assessment,
}

impl Analysis {
    /// The first player's expected score at the start and after each move.
    pub fn scores(&self) -> impl Iterator<Item = f32> {
        self.moves.iter().map(|mv| mv.before.score).chain([self.end.score])
    }

    /// The moves that lost most, at most `most`, the worst first.
    pub fn worst(&self, most: usize) -> Vec<&JudgedMove> {
        let mut worst: Vec<&JudgedMove> = self.moves.iter().filter(|mv| mv.loss >= NOISE).collect();
        worst.sort_by(|a, b| b.loss.total_cmp(&a.loss).then(a.ply.cmp(&b.ply)));
        worst.truncate(most);
        worst
    }

    /// What a move of `side` cost on average; `None` where it made none.
    pub fn mean_loss(&self, side: Side) -> Option<f32> {
        let losses: Vec<f32> = self.moves.iter().filter(|mv| mv.side == side).map(|mv| mv.loss).collect();
        (!losses.is_empty()).then(|| losses.iter().sum::<f32>() / losses.len() as f32)
    }
}

/// Judges the `moves` since `start`, each of which must be legal; `on_position` hears how many positions were looked at.
/// `None` as soon as `is_stopped` says so.
pub fn analyse<G: Encode>(
    analyst: &mut Analyst<G>,
    start: &G,
    moves: &[G::Move],
    effort: Effort,
    on_position: &mut dyn FnMut(usize),
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Option<Analysis> {
    let mut game = start.clone();
    let mut judged: Vec<JudgedMove> = Vec::with_capacity(moves.len());
    for (number, &mv) in moves.iter().enumerate() {
        let look = analyst.look(&game, effort, is_stopped);
        if is_stopped() {
            return None;
        }
        on_position(number + 1);
        finish(judged.last_mut(), look.assessment);
        judged.push(JudgedMove {
            ply: number + 1,
            side: game.side_to_move(),
            mv: mv.to_string(),
            before: look.assessment,
            after: look.assessment,
            loss: 0.0,
            best: look.line.iter().map(ToString::to_string).collect(),
            simulations: look.simulations,
        });
        game.play(mv);
    }
    let end = match game.outcome_or_declaration() {
        Some(outcome) => Assessment::ended(&outcome),
        None => analyst.look(&game, effort, is_stopped).assessment,
    };
    finish(judged.last_mut(), end);
    (!is_stopped()).then_some(Analysis { moves: judged, end })
}

/// Judges a move by the position that it led to.
fn finish(mv: Option<&mut JudgedMove>, after: Assessment) {
    let Some(mv) = mv else { return };
    mv.after = after;
    if mv.best[0] != mv.mv {
        mv.loss = (mv.before.for_side(mv.side) - after.for_side(mv.side)).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::{Game, GameId, dobutsu::Dobutsu};

    /// The first side's lion stands where the giraffe takes it, unless it moves.
    #[test]
    fn a_lion_left_to_be_taken_is_the_worst_move() {
        let start = Dobutsu::from_fen(GameId::Dobutsu.rule_sets()[0], "1l1/3/1g1/1LG[] w - - 0 1").unwrap();
        let mut game = start.clone();
        let moves: Vec<_> = ["c1c2", "b2b1"]
            .into_iter()
            .map(|text| {
                let mv = game.parse_move(text).unwrap();
                game.play(mv);
                mv
            })
            .collect();
        let mut analyst = Analyst::new(None).unwrap();
        let mut seen = 0;
        let analysis =
            analyse(&mut analyst, &start, &moves, Effort::Simulations(50), &mut |n| seen = n, &|| false)
                .unwrap();
        assert_eq!((analysis.moves.len(), seen), (2, 2));
        let worst = analysis.worst(3);
        assert_eq!((worst.len(), &*worst[0].mv), (1, "c1c2"));
        assert!(worst[0].loss > 0.3, "{worst:?}");
        assert_eq!(analysis.scores().count(), 3);
        assert_eq!(analysis.end.score, 0.0);
        assert_eq!(analysis.mean_loss(Side::Second), Some(0.0));
        assert!(
            analyse(&mut analyst, &start, &moves, Effort::Simulations(1), &mut |_| (), &|| true).is_none()
        );
    }
}
