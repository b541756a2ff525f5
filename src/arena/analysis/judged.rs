//! A game judged, move by move.

use std::sync::Arc;

use super::{AnalysisNet, AnalysisOrders, Assessment, look_at_all};
use crate::{
    base::maths,
    games::{encode::Encode, rules::Side},
};

/// A move that costs less than this share of a game is not held against anybody: two searches of one position differ by
/// as much. Untuned.
pub const NOISE: f32 = 0.02;
/// Turning points of a game, at most.
pub const TURNING_POINTS: usize = 3;
/// Whoever expects at least the first of these shares of a game, and less than the second after a move, has missed a win.
/// Untuned.
pub const MISSED_WIN: [f32; 2] = [0.85, 0.65];
/// The accuracy of a move that costs `loss` is `a * exp(-b * loss) - c`, cut to `0.0..=1.0`, with these as `[a, b, c]`:
/// 100% where it costs nothing, 64% where a tenth of a game, 9% where half of one. Sites of chess compute it so.
pub const ACCURACY: [f32; 3] = [1.0317, 4.354, 0.0317];

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
    /// Simulations or nodes that this says.
    pub spent: u64,
}

impl JudgedMove {
    /// How near it came to the best move, in `0.0..=1.0` ([`ACCURACY`]).
    pub fn accuracy(&self) -> f32 {
        let [a, b, c] = ACCURACY;
        (a * maths::exp(-b * self.loss) - c).clamp(0.0, 1.0)
    }
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

    /// The moves that changed the likely result most, at most [`TURNING_POINTS`], in the order of the game.
    pub fn turning_points(&self) -> Vec<&JudgedMove> {
        let mut points = self.worst(TURNING_POINTS);
        points.sort_by_key(|mv| mv.ply);
        points
    }

    /// How near the moves of `side` came to the best ones, in `0.0..=1.0`: the mean of [`JudgedMove::accuracy`]. `None`
    /// where it made none.
    pub fn accuracy(&self, side: Side) -> Option<f32> {
        self.mean_of(side, JudgedMove::accuracy)
    }

    /// What a move of `side` cost on average; `None` where it made none.
    pub fn mean_loss(&self, side: Side) -> Option<f32> {
        self.mean_of(side, |mv| mv.loss)
    }

    fn mean_of(&self, side: Side, figure: impl Fn(&JudgedMove) -> f32) -> Option<f32> {
        let figures: Vec<f32> = self.moves.iter().filter(|mv| mv.side == side).map(figure).collect();
        (!figures.is_empty()).then(|| figures.iter().sum::<f32>() / figures.len() as f32)
    }
}

/// Judges the `moves` since `start`, each of which must be legal, by `net`. `None` as soon as it was to stop.
pub fn analyse<G: Encode>(
    net: &Arc<AnalysisNet<G>>,
    start: &G,
    moves: &[G::Move],
    orders: AnalysisOrders<'_>,
) -> Option<Analysis> {
    let mut games = vec![start.clone()];
    for &mv in moves {
        games.push(games[games.len() - 1].after(mv));
    }
    let end = games[moves.len()].outcome_or_declaration().map(|outcome| Assessment::ended(&outcome));
    if end.is_some() {
        games.pop();
    }
    let looks = look_at_all(net, &games, 1, orders)?;
    let end = end.unwrap_or_else(|| looks[moves.len()].best().assessment);
    let mut judged: Vec<JudgedMove> = Vec::with_capacity(moves.len());
    for (number, &mv) in moves.iter().enumerate() {
        let look = &looks[number];
        let best = look.best();
        finish(judged.last_mut(), best.assessment);
        judged.push(JudgedMove {
            ply: number + 1,
            side: games[number].side_to_move(),
            mv: mv.to_string(),
            before: best.assessment,
            after: best.assessment,
            loss: 0.0,
            best: best.moves.iter().map(ToString::to_string).collect(),
            spent: look.spent,
        });
    }
    finish(judged.last_mut(), end);
    Some(Analysis { moves: judged, end })
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
    use std::num::NonZero;

    use super::*;
    use crate::arena::analysis::Effort;
    use crate::games::rules::{Game, GameId, Outcome, Reason, dobutsu::Dobutsu};

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
        let net = Arc::new(AnalysisNet::load(None).unwrap());
        let analyse = |threads,
                       on_position: &mut dyn FnMut(usize),
                       is_stopped: &(dyn Fn() -> bool + Sync)| {
            let threads = NonZero::new(threads).unwrap();
            let orders = AnalysisOrders { effort: Effort::Simulations(50), threads, on_position, is_stopped };
            analyse(&net, &start, &moves, orders)
        };
        let mut seen = 0;
        let analysis = analyse(1, &mut |n| seen = n, &|| false).unwrap();
        assert_eq!((analysis.moves.len(), seen), (2, 2));
        let worst = analysis.worst(3);
        assert_eq!((worst.len(), &*worst[0].mv), (1, "c1c2"));
        assert!(worst[0].loss > 0.3, "{worst:?}");
        assert_eq!(analysis.turning_points(), worst);
        assert_eq!(analysis.scores().count(), 3);
        assert_eq!(analysis.end.score, 0.0);
        assert_eq!(analysis.mean_loss(Side::Second), Some(0.0));
        assert_eq!(analysis.accuracy(Side::Second), Some(1.0));
        assert!(analysis.accuracy(Side::First).unwrap() < 0.4, "{analysis:?}");
        assert_eq!(analyse(3, &mut |_| (), &|| false), Some(analysis));
        assert!(analyse(2, &mut |_| (), &|| true).is_none());
    }

    #[test]
    fn accuracy_falls_with_the_loss() {
        let assessment = Assessment::ended(&Outcome::draw(Reason::Repetition));
        let accuracy = |loss| {
            let mv = JudgedMove {
                ply: 1,
                side: Side::First,
                mv: String::new(),
                before: assessment,
                after: assessment,
                loss,
                best: Vec::new(),
                spent: 0,
            };
            (100.0 * mv.accuracy()).round()
        };
        assert_eq!([0.0, 0.1, 0.5, 1.0].map(accuracy), [100.0, 64.0, 9.0, 0.0]);
    }
}
