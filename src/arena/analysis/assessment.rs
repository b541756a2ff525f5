//! What a position is worth, from the first player's view.

use serde::Serialize;

use crate::{
    games::rules::{Outcome, Side, Verdict},
    search::{Certain, Wdl},
};

/// What a position is worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Assessment {
    /// The first player's expected score in `0.0..=1.0`: a win counts 1, a draw one half.
    pub score: f32,
    /// The result that is proven, and in how many plies it comes if the loser holds out; `None` while nothing is.
    #[serde(skip)]
    pub certain: Option<(Verdict, u32)>,
}

/// From here on a side stands slightly better, better, and winning. Untuned.
const SLIGHTLY: f32 = 0.55;
const BETTER: f32 = 0.65;
const WINNING: f32 = 0.85;

impl Assessment {
    /// What `wdl` and `certain` say to `side`.
    pub(super) fn of(wdl: Wdl, certain: Option<Certain>, side: Side) -> Self {
        let certain = certain.map(|certain| match certain {
            Certain::Win(plies) => (Verdict::Win(side), plies),
            Certain::Loss(plies) => (Verdict::Win(!side), plies),
            Certain::Draw => (Verdict::Draw, 0),
        });
        match certain {
            Some((verdict, _)) => Assessment { certain, ..Self::decided(verdict) },
            None => {
                let own = (0.5 + 0.5 * wdl.q()).clamp(0.0, 1.0);
                Assessment { score: if side == Side::First { own } else { 1.0 - own }, certain }
            }
        }
    }

    /// What alpha-beta's expected score `q` in `-1.0..=1.0` says to `side`, and the plies to a win or loss that is
    /// certain.
    pub(super) fn of_q(q: f32, end: Option<u32>, side: Side) -> Self {
        let certain = end.map(|plies| if q > 0.0 { Certain::Win(plies) } else { Certain::Loss(plies) });
        Self::of(Wdl { win: 0.5 + 0.5 * q, draw: 0.0, loss: 0.5 - 0.5 * q }, certain, side)
    }

    /// The same, seen so many plies before.
    pub(super) fn later(self, plies: u32) -> Self {
        let certain = self.certain.map(|(verdict, after)| match verdict {
            Verdict::Win(_) => (verdict, after + plies),
            Verdict::Draw => (verdict, after),
        });
        Assessment { certain, ..self }
    }

    /// That of a game that is over.
    pub fn ended(outcome: &Outcome) -> Self {
        Assessment { certain: Some((outcome.verdict, 0)), ..Self::decided(outcome.verdict) }
    }

    fn decided(verdict: Verdict) -> Self {
        let score = match verdict {
            Verdict::Win(Side::First) => 1.0,
            Verdict::Win(Side::Second) => 0.0,
            Verdict::Draw => 0.5,
        };
        Assessment { score, certain: None }
    }

    /// The expected score of `side`.
    pub fn for_side(&self, side: Side) -> f32 {
        match side {
            Side::First => self.score,
            Side::Second => 1.0 - self.score,
        }
    }

    /// In words, where the sides are called `names`, the first before the second: `Red is better`.
    pub fn words(&self, names: [&str; 2]) -> String {
        match self.certain {
            Some((Verdict::Win(side), 0)) => return format!("{} has won", names[side.index()]),
            Some((Verdict::Win(side), plies)) => {
                let moves = plies.div_ceil(2);
                let plural = if moves == 1 { "" } else { "s" };
                return format!("{} wins in {moves} move{plural}", names[side.index()]);
            }
            Some((Verdict::Draw, _)) => return "a certain draw".to_owned(),
            None => {}
        }
        let (name, score) =
            if self.score >= 0.5 { (names[0], self.score) } else { (names[1], 1.0 - self.score) };
        match score {
            _ if score < SLIGHTLY => "even".to_owned(),
            _ if score < BETTER => format!("{name} is slightly better"),
            _ if score < WINNING => format!("{name} is better"),
            _ => format!("{name} is winning"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_is_the_first_players() {
        let wdl = Wdl { win: 0.6, draw: 0.2, loss: 0.2 };
        let first = Assessment::of(wdl, None, Side::First);
        let second = Assessment::of(wdl, None, Side::Second);
        assert!((first.score - 0.7).abs() < 1e-6 && (second.score - 0.3).abs() < 1e-6);
        assert!((second.for_side(Side::Second) - 0.7).abs() < 1e-6);
        let names = ["Red", "Black"];
        assert_eq!(first.words(names), "Red is better");
        assert_eq!(second.words(names), "Black is better");
        assert_eq!(Assessment::of(Wdl::DRAW, None, Side::First).words(names), "even");
        let lost = Assessment::of(wdl, Some(Certain::Loss(4)), Side::First);
        assert_eq!((lost.score, lost.words(names)), (0.0, "Black wins in 2 moves".to_owned()));
        let won = Assessment::of(wdl, Some(Certain::Win(1)), Side::Second);
        assert_eq!((won.score, won.words(names)), (0.0, "Black wins in 1 move".to_owned()));
    }
}
