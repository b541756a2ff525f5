//! How records say that a game ended.

use super::replay::Stated;
use crate::rules::{Outcome, Reason, Side, Verdict};

/// What begins the comment with the result, in formats whose own words for it say less than ours.
const COMMENT: &str = "result:";

/// The comment with the result.
pub(super) fn comment(outcome: Outcome) -> String {
    format!("{COMMENT} {} by {}", outcome.verdict.as_str(), outcome.reason)
}

/// What such a comment says; `None` of any other.
pub(super) fn read_comment(text: &str) -> Option<Stated> {
    let (result, reason) = text.trim().strip_prefix(COMMENT)?.split_once(" by ")?;
    Some(Stated::new(verdict(result.trim())?, reason_called(reason.trim())?))
}

/// The result written so in PGN.
pub(super) fn verdict(text: &str) -> Option<Verdict> {
    [Verdict::Win(Side::First), Verdict::Win(Side::Second), Verdict::Draw]
        .into_iter()
        .find(|verdict| verdict.as_str() == text)
}

/// The reason of that name.
pub(super) fn reason_called(name: &str) -> Option<Reason> {
    Reason::ALL.into_iter().find(|reason| reason.as_str() == name)
}

/// How a game ends in shogi's formats: the words of KIF and of CSA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) kif: &'static str,
    pub(super) csa: &'static str,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// The side to move has lost.
    Loss(Reason),
    /// It has won.
    Win(Reason),
    Draw(Reason),
    /// Nobody knows.
    Open,
}

/// Every end; the first of its kind is written.
const ENDS: [End; 11] = [
    End { kif: "投了", csa: "%TORYO", what: What::Loss(Reason::Resignation) },
    End { kif: "詰み", csa: "%TSUMI", what: What::Loss(Reason::Checkmate) },
    End { kif: "切れ負け", csa: "%TIME_UP", what: What::Loss(Reason::Timeout) },
    End { kif: "反則負け", csa: "%ILLEGAL_MOVE", what: What::Loss(Reason::IllegalMove) },
    End { kif: "反則勝ち", csa: "%ILLEGAL_ACTION", what: What::Win(Reason::PerpetualCheck) },
    End { kif: "入玉勝ち", csa: "%KACHI", what: What::Win(Reason::Declaration) },
    End { kif: "千日手", csa: "%SENNICHITE", what: What::Draw(Reason::Repetition) },
    End { kif: "持将棋", csa: "%JISHOGI", what: What::Draw(Reason::Impasse) },
    End { kif: "引き分け", csa: "%HIKIWAKE", what: What::Draw(Reason::Adjudicated) },
    End { kif: "中断", csa: "%CHUDAN", what: What::Open },
    End { kif: "不詰", csa: "%FUZUMI", what: What::Open },
];

impl End {
    /// That of a game with this outcome, where it is the turn of `side`.
    pub(super) fn of(outcome: Option<Outcome>, side: Side) -> End {
        let has = |what: What| ENDS.into_iter().find(|end| end.what == what);
        let open = || has(What::Open).expect("it is in the list");
        let Some(Outcome { verdict, reason, .. }) = outcome else { return open() };
        match (verdict, reason) {
            // Whoever is left without a move.
            (Verdict::Win(winner), Reason::Stalemate) if winner != side => has(What::Loss(Reason::Checkmate)),
            (Verdict::Win(winner), _) if winner == side => has(What::Win(reason)),
            // The side that has given check throughout is the one to move.
            (Verdict::Win(_), Reason::PerpetualCheck) => has(What::Loss(Reason::IllegalMove)),
            (Verdict::Win(_), _) => has(What::Loss(reason)),
            (Verdict::Draw, _) => has(What::Draw(reason)),
        }
        .unwrap_or_else(open)
    }

    /// The one with these words of KIF.
    pub(super) fn of_kif(text: &str) -> Option<End> {
        ENDS.into_iter().find(|end| end.kif == text)
    }

    /// The one with this word of CSA; an illegal action is that of the side whose sign it has.
    pub(super) fn of_csa(text: &str) -> Option<End> {
        ENDS.into_iter().find(|end| end.csa == text)
    }

    /// What it says of a game where it is the turn of `side`.
    pub(super) fn stated(self, side: Side) -> Stated {
        match self.what {
            What::Loss(reason) => Stated::new(Verdict::Win(!side), reason),
            What::Win(reason) => Stated::new(Verdict::Win(side), reason),
            What::Draw(reason) => Stated::new(Verdict::Draw, reason),
            What::Open => Stated::default(),
        }
    }
}
