//! What is said, in each dialect. Pure: from what was found to lines.

use std::{fmt::Write, time::Duration};

use crate::{
    arena::Dialect,
    base::maths::ln,
    search::{self, Certain, Variation, Wdl, odds},
};

/// What a line is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// An expected score in `-1.0..=1.0`.
    Value(f32),
    /// A win in so many plies.
    Win(u32),
    /// A loss in so many plies; 0 where no move is left.
    Loss(u32),
}

/// What a search says while it goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Plies that were searched; of a tree, which has no depth of its own, the binary logarithm of its simulations.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub deepest: usize,
    /// The place of this line, from 1, where several are wanted.
    pub place: Option<usize>,
    /// What it is worth.
    pub score: Score,
    /// The same as probabilities, where that is wanted.
    pub wdl: Option<Wdl>,
    /// Positions looked at; of a tree its simulations.
    pub nodes: u64,
    /// Since the `go`.
    pub elapsed: Duration,
    /// How full the memory is, in thousandths.
    pub full: u32,
    /// The moves that are expected.
    pub line: Vec<String>,
}

/// The answer to a `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Best {
    /// A move, and the one that is expected then.
    Move(String, Option<String>),
    /// No move is legal.
    Nothing,
    /// A declaration that wins.
    Win,
}

impl Score {
    /// Of a value in `-1.0..=1.0`, where `end` says after how many plies the game is certain to be won or lost.
    pub fn of_end(end: Option<u32>, q: f32) -> Self {
        match end {
            Some(plies) if q > 0.0 => Score::Win(plies),
            Some(plies) => Score::Loss(plies),
            None => Score::Value(q),
        }
    }

    /// That of a line.
    pub fn of<M>(variation: &Variation<M>) -> Self {
        match variation.certain {
            Some(Certain::Win(plies)) => Score::Win(plies),
            Some(Certain::Loss(plies)) => Score::Loss(plies),
            Some(Certain::Draw) => Score::Value(0.0),
            None => Score::Value(variation.wdl.q()),
        }
    }

    /// As it is written: UCI counts mates in moves, USI in plies, and UCCI knows numbers only.
    fn text(self, dialect: Dialect) -> String {
        match (dialect, self) {
            (Dialect::Ucci, Score::Value(q)) => centipawns(q, dialect).to_string(),
            (_, Score::Value(q)) => format!("cp {}", centipawns(q, dialect)),
            (Dialect::Uci, Score::Win(plies)) => format!("mate {}", plies.div_ceil(2)),
            (Dialect::Uci, Score::Loss(0)) => "mate 0".to_owned(),
            (Dialect::Uci, Score::Loss(plies)) => format!("mate -{}", plies.div_ceil(2)),
            (Dialect::Usi, Score::Win(plies)) => format!("mate {plies}"),
            (Dialect::Usi, Score::Loss(plies)) => format!("mate -{plies}"),
            (Dialect::Ucci, Score::Win(plies)) => (MATE - plies as i32).to_string(),
            (Dialect::Ucci, Score::Loss(plies)) => (plies as i32 - MATE).to_string(),
        }
    }
}

/// What a mate counts in UCCI, as in other engines of xiangqi; far from it are all other scores.
const MATE: i32 = 10_000;

/// An expected score as the nearest thing to a pawn's hundredths: the difference in Elo that stands for it; in USI what
/// shogi programs turn into chances with `1 / (1 + exp(-cp / 600))`.
fn centipawns(q: f32, dialect: Dialect) -> i32 {
    match dialect {
        Dialect::Usi => (600.0 * ln(odds(q))).round() as i32,
        Dialect::Uci | Dialect::Ucci => search::centipawns(q),
    }
}

/// Three shares of a thousand, which they sum to.
fn per_mille(Wdl { win, draw, loss }: Wdl) -> [i32; 3] {
    let share = |part: f32| (1000.0 * part / (win + draw + loss)).round() as i32;
    let win = share(win);
    let loss = share(loss).min(1000 - win);
    [win, 1000 - win - loss, loss]
}

impl Info {
    /// As a line.
    pub fn line(&self, dialect: Dialect) -> String {
        let millis = self.elapsed.as_millis();
        let mut line = format!("info depth {}", self.depth);
        // Writing to a string cannot fail.
        let _ = if dialect == Dialect::Ucci {
            write!(line, " score {} nodes {} time {millis}", self.score.text(dialect), self.nodes)
        } else {
            let _ = write!(line, " seldepth {}", self.deepest);
            let _ = self.place.map_or(Ok(()), |place| write!(line, " multipv {place}"));
            let _ = write!(line, " score {}", self.score.text(dialect));
            if let Some([win, draw, loss]) = self.wdl.map(per_mille) {
                let _ = write!(line, " wdl {win} {draw} {loss}");
            }
            let speed = self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-3);
            let full = self.full;
            write!(line, " nodes {} nps {speed:.0} hashfull {full} time {millis}", self.nodes)
        };
        if !self.line.is_empty() {
            let _ = write!(line, " pv {}", self.line.join(" "));
        }
        line
    }
}

impl Best {
    /// As a line.
    pub fn line(&self, dialect: Dialect) -> String {
        match (self, dialect) {
            (Best::Move(mv, None), _) => format!("bestmove {mv}"),
            (Best::Move(mv, Some(answer)), _) => format!("bestmove {mv} ponder {answer}"),
            (Best::Win, _) => "bestmove win".to_owned(),
            (Best::Nothing, Dialect::Uci) => "bestmove (none)".to_owned(),
            (Best::Nothing, Dialect::Usi) => "bestmove resign".to_owned(),
            (Best::Nothing, Dialect::Ucci) => "nobestmove".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(score: Score) -> Info {
        Info {
            depth: 7,
            deepest: 12,
            place: None,
            score,
            wdl: None,
            nodes: 200,
            elapsed: Duration::from_millis(100),
            full: 3,
            line: vec!["h3e3".to_owned(), "h10g8".to_owned()],
        }
    }

    #[test]
    fn a_search_is_told_in_every_dialect() {
        let even = info(Score::Value(0.0));
        let wdl = Wdl { win: 0.25, draw: 0.5, loss: 0.25 };
        let full = Info { place: Some(2), wdl: Some(wdl), ..even.clone() };
        let line = "info depth 7 seldepth 12 multipv 2 score cp 0 wdl 250 500 250 \
                    nodes 200 nps 2000 hashfull 3 time 100 pv h3e3 h10g8";
        assert_eq!(full.line(Dialect::Uci), line);
        assert_eq!(even.line(Dialect::Ucci), "info depth 7 score 0 nodes 200 time 100 pv h3e3 h10g8");
        assert!(!even.line(Dialect::Usi).contains("multipv"));
        let nothing = Info { line: Vec::new(), ..info(Score::Loss(0)) };
        assert!(nothing.line(Dialect::Uci).ends_with("score mate 0 nodes 200 nps 2000 hashfull 3 time 100"));
    }

    #[test]
    fn mates_are_counted_in_moves_or_in_plies() {
        use Dialect::{Ucci, Uci, Usi};
        for (score, dialect, text) in [
            (Score::Win(1), Uci, "mate 1"),
            (Score::Win(5), Uci, "mate 3"),
            (Score::Loss(2), Uci, "mate -1"),
            (Score::Loss(4), Uci, "mate -2"),
            (Score::Win(5), Usi, "mate 5"),
            (Score::Loss(4), Usi, "mate -4"),
            (Score::Win(5), Ucci, "9995"),
            (Score::Loss(4), Ucci, "-9996"),
            (Score::Value(1.0), Ucci, "1320"),
        ] {
            assert_eq!(score.text(dialect), text);
        }
    }

    #[test]
    fn values_grow_with_chances() {
        let scores = [-1.0, -0.5, 0.0, 0.1, 0.9, 1.0].map(|q| centipawns(q, Dialect::Uci));
        assert!(scores.is_sorted() && scores[2] == 0 && scores[0] == -scores[5], "{scores:?}");
        // 1 / (1 + exp(-659 / 600)) = 0.75
        assert_eq!(centipawns(0.5, Dialect::Usi), 659);
        assert_eq!(centipawns(f32::NAN, Dialect::Uci), 0);
        assert_eq!(per_mille(Wdl { win: 1.0 / 3.0, draw: 1.0 / 3.0, loss: 1.0 / 3.0 }), [333, 334, 333]);
    }

    #[test]
    fn answers_are_those_of_the_dialects() {
        use Dialect::{Ucci, Uci, Usi};
        let mv = Best::Move("a1a2".into(), Some("b1b2".into()));
        assert_eq!(mv.line(Ucci), "bestmove a1a2 ponder b1b2");
        assert_eq!(Best::Move("7g7f".into(), None).line(Usi), "bestmove 7g7f");
        assert_eq!(Best::Nothing.line(Uci), "bestmove (none)");
        assert_eq!(Best::Nothing.line(Usi), "bestmove resign");
        assert_eq!(Best::Nothing.line(Ucci), "nobestmove");
        assert_eq!(Best::Win.line(Usi), "bestmove win");
    }
}
