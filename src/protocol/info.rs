//! What an engine reports of a search: `info`.

use std::{fmt::Write, time::Duration};

use super::Dialect;
use crate::{
    base::maths::ln,
    games::rules::{Side, Verdict},
    search::{self, Certain, Variation, Wdl, odds},
};

/// What a line is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InfoScore {
    /// An expected score in `-1.0..=1.0`.
    Value(f32),
    /// A win in this many plies.
    Win(u32),
    /// A loss in this many plies; 0 where the game is lost already.
    Loss(u32),
}

/// What an engine reports while it searches.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Plies that were searched; of a tree, which has no depth of its own, the binary logarithm of its simulations.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub seldepth: usize,
    /// The place of this line, from 1, where the place is reported.
    pub multipv: Option<usize>,
    /// What it is worth.
    pub score: InfoScore,
    /// The same as probabilities, where that is wanted.
    pub wdl: Option<Wdl>,
    /// Positions looked at; of a tree its simulations.
    pub nodes: u64,
    /// The time since the `go`.
    pub elapsed: Duration,
    /// How full the memory of the search is, in thousandths.
    pub hashfull: u32,
    /// The moves that are expected.
    pub pv: Vec<String>,
}

impl Default for Info {
    /// That nothing was searched yet.
    fn default() -> Self {
        Info {
            depth: 0,
            seldepth: 0,
            multipv: None,
            score: InfoScore::Value(0.0),
            wdl: None,
            nodes: 0,
            elapsed: Duration::ZERO,
            hashfull: 0,
            pv: Vec::new(),
        }
    }
}

impl InfoScore {
    /// Of a value in `-1.0..=1.0`, where `end` says after how many plies the game is certain to be won or lost.
    pub fn of_end(end: Option<u32>, q: f32) -> Self {
        match end {
            Some(plies) if q > 0.0 => InfoScore::Win(plies),
            Some(plies) => InfoScore::Loss(plies),
            None => InfoScore::Value(q),
        }
    }

    /// That of a game that has ended with `verdict`, for `side`, whose turn it is. No protocol has a word for a game that is
    /// won already: that is the highest value.
    pub fn of_verdict(verdict: Verdict, side: Side) -> Self {
        match verdict {
            Verdict::Draw => InfoScore::Value(0.0),
            Verdict::Win(winner) if winner == side => InfoScore::Value(1.0),
            Verdict::Win(_) => InfoScore::Loss(0),
        }
    }

    /// That of a line.
    pub fn of<M>(variation: &Variation<M>) -> Self {
        match variation.certain {
            Some(Certain::Win(plies)) => InfoScore::Win(plies),
            Some(Certain::Loss(plies)) => InfoScore::Loss(plies),
            Some(Certain::Draw) => InfoScore::Value(0.0),
            None => InfoScore::Value(variation.wdl.q()),
        }
    }

    /// As it is written: UCI counts mates in moves, USI in plies, and UCCI knows numbers only.
    fn text(self, dialect: Dialect) -> String {
        match (dialect, self) {
            (Dialect::Ucci, InfoScore::Value(q)) => centipawns(q, dialect).to_string(),
            (_, InfoScore::Value(q)) => format!("cp {}", centipawns(q, dialect)),
            (Dialect::Uci, InfoScore::Win(plies)) => format!("mate {}", plies.div_ceil(2)),
            (Dialect::Uci, InfoScore::Loss(0)) => "mate 0".to_owned(),
            (Dialect::Uci, InfoScore::Loss(plies)) => format!("mate -{}", plies.div_ceil(2)),
            (Dialect::Usi, InfoScore::Win(plies)) => format!("mate {plies}"),
            (Dialect::Usi, InfoScore::Loss(plies)) => format!("mate -{plies}"),
            (Dialect::Ucci, InfoScore::Win(plies)) => (MATE - plies as i32).to_string(),
            (Dialect::Ucci, InfoScore::Loss(plies)) => (plies as i32 - MATE).to_string(),
        }
    }
}

/// The score of a mate in UCCI, as in other engines of xiangqi; all other scores are far from it.
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
    pub fn write(&self, dialect: Dialect) -> String {
        let millis = self.elapsed.as_millis();
        let mut line = format!("info depth {}", self.depth);
        // Writing to a string cannot fail.
        let _ = if dialect == Dialect::Ucci {
            write!(line, " score {} nodes {} time {millis}", self.score.text(dialect), self.nodes)
        } else {
            let _ = write!(line, " seldepth {}", self.seldepth);
            let _ = self.multipv.map_or(Ok(()), |place| write!(line, " multipv {place}"));
            let _ = write!(line, " score {}", self.score.text(dialect));
            if let Some([win, draw, loss]) = self.wdl.map(per_mille) {
                let _ = write!(line, " wdl {win} {draw} {loss}");
            }
            let speed = self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-3);
            let hashfull = self.hashfull;
            write!(line, " nodes {} nps {speed:.0} hashfull {hashfull} time {millis}", self.nodes)
        };
        if !self.pv.is_empty() {
            let _ = write!(line, " pv {}", self.pv.join(" "));
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(score: InfoScore) -> Info {
        Info {
            depth: 7,
            seldepth: 12,
            multipv: None,
            score,
            wdl: None,
            nodes: 200,
            elapsed: Duration::from_millis(100),
            hashfull: 3,
            pv: vec!["h3e3".to_owned(), "h10g8".to_owned()],
        }
    }

    #[test]
    fn a_search_is_told_in_every_dialect() {
        let even = info(InfoScore::Value(0.0));
        let wdl = Wdl { win: 0.25, draw: 0.5, loss: 0.25 };
        let full = Info { multipv: Some(2), wdl: Some(wdl), ..even.clone() };
        let line = "info depth 7 seldepth 12 multipv 2 score cp 0 wdl 250 500 250 \
                    nodes 200 nps 2000 hashfull 3 time 100 pv h3e3 h10g8";
        assert_eq!(full.write(Dialect::Uci), line);
        assert_eq!(even.write(Dialect::Ucci), "info depth 7 score 0 nodes 200 time 100 pv h3e3 h10g8");
        assert!(!even.write(Dialect::Usi).contains("multipv"));
        let nothing = Info { pv: Vec::new(), ..info(InfoScore::Loss(0)) };
        assert!(nothing.write(Dialect::Uci).ends_with("score mate 0 nodes 200 nps 2000 hashfull 3 time 100"));
    }

    #[test]
    fn mates_are_counted_in_moves_or_in_plies() {
        use Dialect::{Ucci, Uci, Usi};
        for (score, dialect, text) in [
            (InfoScore::Win(1), Uci, "mate 1"),
            (InfoScore::Win(5), Uci, "mate 3"),
            (InfoScore::Loss(2), Uci, "mate -1"),
            (InfoScore::Loss(4), Uci, "mate -2"),
            (InfoScore::Win(5), Usi, "mate 5"),
            (InfoScore::Loss(4), Usi, "mate -4"),
            (InfoScore::Win(5), Ucci, "9995"),
            (InfoScore::Loss(4), Ucci, "-9996"),
            (InfoScore::Value(1.0), Ucci, "1320"),
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
}
