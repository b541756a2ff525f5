//! How cases end, and the counts of that.

use std::fmt;

use rayon::prelude::*;

/// How a case ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// As if nothing had happened.
    Survived,
    /// An error says what is wrong and where; nothing is lost.
    Refused,
    /// Anything else, and what.
    Lost(String),
}

/// Cases of one kind.
pub struct Tally {
    what: &'static str,
    tried: usize,
    survived: usize,
    refused: usize,
    lost: Vec<String>,
}

impl Tally {
    /// Tries all cases, on all cores.
    pub fn of<C: Sync + fmt::Debug>(
        what: &'static str,
        cases: &[C],
        test: impl Fn(&C) -> Fate + Sync,
    ) -> Tally {
        let fates: Vec<(&C, Fate)> = cases.par_iter().map(|case| (case, test(case))).collect();
        let mut tally = Tally { what, tried: fates.len(), survived: 0, refused: 0, lost: Vec::new() };
        for (case, fate) in fates {
            match fate {
                Fate::Survived => tally.survived += 1,
                Fate::Refused => tally.refused += 1,
                Fate::Lost(how) => tally.lost.push(format!("{case:?}: {how:.1500}")),
            }
        }
        tally
    }

    /// Prints its row of the table, and checks that nothing was lost and `wanted` cases were tried.
    pub fn check(self, wanted: usize) -> Tally {
        let Tally { what, tried, survived, refused, lost } = &self;
        println!("| {what} | {tried} | {survived} | {refused} | {} |", lost.len());
        let shown = lost.iter().take(20).map(String::as_str).collect::<Vec<_>>().join("\n");
        assert!(lost.is_empty(), "{what}: {} of {tried} were lost:\n{shown}", lost.len());
        assert!(*tried >= wanted, "{what}: {tried} of {wanted}");
        self
    }

    /// None of these can be refused.
    pub fn all_survive(self) -> Tally {
        assert_eq!(self.survived, self.tried, "{}: some were refused", self.what);
        self
    }

    /// None of these can be gone on with.
    pub fn all_refused(self) -> Tally {
        assert_eq!(self.refused, self.tried, "{}: some were not noticed", self.what);
        self
    }
}
