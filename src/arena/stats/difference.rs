//! A difference in Elo, and how it is told.

use super::logistic::MOST_ELO;

/// A difference in Elo with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The most likely difference.
    pub elo: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Elo {
    /// The ends of the interval, the lower one first; `None` of one that is open. Beyond 1200 Elo scores do not tell
    /// differences apart, so an end out there is open.
    pub fn ends(&self) -> [Option<f64>; 2] {
        let Elo { low, high, .. } = *self;
        [(low > -MOST_ELO).then_some(low), (high < MOST_ELO).then_some(high)]
    }

    /// The difference and its interval as `+12 [-3, +27]`; an end that is open is infinite.
    pub fn in_brackets(&self) -> String {
        let end = |end: Option<f64>, open: &str| end.map_or(open.to_owned(), |elo| format!("{elo:+.0}"));
        let [low, high] = self.ends();
        format!("{:+.0} [{}, {}]", self.elo, end(low, "-∞"), end(high, "+∞"))
    }

    /// The difference and its interval in words.
    pub fn in_words(&self) -> String {
        let elo = self.elo;
        match self.ends() {
            [Some(low), None] if elo >= MOST_ELO => format!("above {low:+.0} (95%)"),
            [None, Some(high)] if elo <= -MOST_ELO => format!("below {high:+.0} (95%)"),
            [None, None] => "unknown after so few games".to_owned(),
            _ => format!("{elo:+.0}, 95% interval {}", self.interval_in_words()),
        }
    }

    /// The interval in words.
    pub fn interval_in_words(&self) -> String {
        match self.ends() {
            [Some(low), Some(high)] => format!("{low:+.0} to {high:+.0}"),
            [Some(low), None] => format!("{low:+.0} and up"),
            [None, Some(high)] => format!("{high:+.0} and down"),
            [None, None] => "open".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_that_no_game_bounds_is_open() {
        let in_words = |[low, elo, high]: [f64; 3]| Elo { elo, low, high }.in_words();
        assert_eq!(in_words([90.2, 123.4, 156.0]), "+123, 95% interval +90 to +156");
        assert_eq!(in_words([692.0, 1199.8, 1199.8]), "above +692 (95%)");
        assert_eq!(in_words([-1199.8, -1199.8, -692.0]), "below -692 (95%)");
        assert_eq!(in_words([645.5, 798.3, 1199.8]), "+798, 95% interval +646 and up");
        assert_eq!(in_words([-1199.8, -798.3, -645.5]), "-798, 95% interval -646 and down");
        assert_eq!(in_words([-1199.8, 0.0, 1199.8]), "unknown after so few games");
        let in_brackets = |[low, elo, high]: [f64; 3]| Elo { elo, low, high }.in_brackets();
        assert_eq!(in_brackets([-3.2, 11.9, 27.0]), "+12 [-3, +27]");
        assert_eq!(in_brackets([692.0, 1199.8, 1199.8]), "+1200 [+692, +∞]");
        assert_eq!(in_brackets([-1199.8, -1199.8, -692.0]), "-1200 [-∞, -692]");
        assert_eq!(in_words([1199.8, 1199.8, 1199.8]), "above +1200 (95%)", "tens of thousands of games");
    }
}
