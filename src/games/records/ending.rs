//! How records say that a game ended.

use super::replay::Stated;
use crate::games::rules::{Outcome, Reason, Side, Verdict};

/// What begins the comment with the result, in formats whose own words for it say less than ours.
const COMMENT: &str = "result:";

/// The comment with the result.
pub(super) fn comment(outcome: Outcome) -> String {
    format!("{COMMENT} {} by {}", outcome.verdict.as_str(), outcome.reason)
}

/// What such a comment says; `None` of any other.
pub(super) fn read_comment(text: &str) -> Option<Stated> {
    let (result, reason) = text.trim().strip_prefix(COMMENT)?.split_once(" by ")?;
    Some(Stated::new(Verdict::of_text(result.trim())?, reason_called(reason.trim())?))
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
    /// Unknown.
    Open,
}

/// The ends that are written.
const ENDS: [End; 12] = [
    End { kif: "投了", csa: "%TORYO", what: What::Loss(Reason::Resignation) },
    End { kif: "詰み", csa: "%TSUMI", what: What::Loss(Reason::Checkmate) },
    End { kif: "切れ負け", csa: "%TIME_UP", what: What::Loss(Reason::Timeout) },
    End { kif: "反則負け", csa: "%ILLEGAL_MOVE", what: What::Loss(Reason::IllegalMove) },
    End { kif: "反則勝ち", csa: "%ILLEGAL_ACTION", what: What::Win(Reason::IllegalMove) },
    End { kif: "入玉勝ち", csa: "%KACHI", what: What::Win(Reason::Declaration) },
    End { kif: "千日手", csa: "%SENNICHITE", what: What::Draw(Reason::Repetition) },
    End { kif: "持将棋", csa: "%JISHOGI", what: What::Draw(Reason::Impasse) },
    End { kif: "引き分け", csa: "%HIKIWAKE", what: What::Draw(Reason::Adjudicated) },
    End { kif: "最大手数", csa: "%MAX_MOVES", what: What::Draw(Reason::MoveLimit) },
    End { kif: "中断", csa: "%CHUDAN", what: What::Open },
    End { kif: "不詰", csa: "%FUZUMI", what: What::Open },
];

/// Other words for these ends. A walkover is decided from outside; in a sealed move the game is to be continued.
const OTHER_WORDS: [(&str, What); 34] = [
    ("投", What::Loss(Reason::Resignation)),
    ("詰", What::Loss(Reason::Checkmate)),
    ("時間切れ", What::Loss(Reason::Timeout)),
    ("時間切れ負け", What::Loss(Reason::Timeout)),
    ("切れ勝ち", What::Win(Reason::Timeout)),
    ("時間切れ勝ち", What::Win(Reason::Timeout)),
    ("反則負", What::Loss(Reason::IllegalMove)),
    ("反則手", What::Loss(Reason::IllegalMove)),
    ("反則勝", What::Win(Reason::IllegalMove)),
    ("入玉", What::Win(Reason::Declaration)),
    ("入玉宣言", What::Win(Reason::Declaration)),
    ("入玉宣言勝ち", What::Win(Reason::Declaration)),
    ("宣言勝ち", What::Win(Reason::Declaration)),
    ("勝ち宣言", What::Win(Reason::Declaration)),
    ("不戦敗", What::Loss(Reason::Adjudicated)),
    ("不戦負", What::Loss(Reason::Adjudicated)),
    ("不戦勝", What::Win(Reason::Adjudicated)),
    ("不戦勝ち", What::Win(Reason::Adjudicated)),
    ("引分", What::Draw(Reason::Adjudicated)),
    ("引分け", What::Draw(Reason::Adjudicated)),
    ("引き分", What::Draw(Reason::Adjudicated)),
    ("中断手", What::Open),
    ("封じ手", What::Open),
    ("封手", What::Open),
    ("指し掛け", What::Open),
    ("指掛け", What::Open),
    ("打ち掛け", What::Open),
    ("無勝負", What::Open),
    ("不詰め", What::Open),
    ("待った", What::Open),
    ("エラー", What::Open),
    ("対局中", What::Open),
    ("%MATTA", What::Open),
    ("%ERROR", What::Open),
];

impl End {
    /// That of a game with this outcome, where it is the turn of `side`.
    pub(super) fn of(outcome: Option<Outcome>, side: Side) -> End {
        let has = |what: What| ENDS.into_iter().find(|end| end.what == what);
        let open = || has(What::Open).expect("it is in the list");
        let Some(Outcome { verdict, reason, .. }) = outcome else { return open() };
        // Perpetual check is a foul of the side that gives it, and who is left without a move is mated.
        let foul = if reason == Reason::PerpetualCheck { Reason::IllegalMove } else { reason };
        match (verdict, foul) {
            (Verdict::Win(winner), Reason::Stalemate) if winner != side => has(What::Loss(Reason::Checkmate)),
            (Verdict::Win(winner), reason) if winner == side => has(What::Win(reason)),
            (Verdict::Win(_), reason) => has(What::Loss(reason)),
            (Verdict::Draw, reason) => has(What::Draw(reason)),
        }
        .unwrap_or_else(open)
    }

    /// The one with this word of KIF or CSA.
    pub(super) fn called(word: &str) -> Option<End> {
        let written = ENDS.into_iter().find(|end| end.kif == word || end.csa == word);
        written.or_else(|| {
            let (_, what) = OTHER_WORDS.into_iter().find(|(other, _)| *other == word)?;
            Some(End { kif: "", csa: "", what })
        })
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

/// What the line at the end of KIF and KI2 says: `まで84手で後手の勝ち`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Closing {
    /// How many moves there were, if it says so.
    pub(super) plies: Option<usize>,
    /// How it ended; `None` where the words are not known.
    pub(super) stated: Option<Stated>,
}

/// The names of the sides, the weaker one of a handicap moving second.
const SIDES: [(&str, Side); 6] = [
    ("先手", Side::First),
    ("下手", Side::First),
    ("☗", Side::First),
    ("後手", Side::Second),
    ("上手", Side::Second),
    ("☖", Side::Second),
];

/// Words of that line and the reasons that they give, the first that occurs counts.
const REASONS: [(&str, Reason); 12] = [
    ("切れ", Reason::Timeout),
    ("王手の千日手", Reason::PerpetualCheck),
    ("反則", Reason::IllegalMove),
    ("入玉", Reason::Declaration),
    ("宣言", Reason::Declaration),
    ("詰", Reason::Checkmate),
    ("不戦", Reason::Adjudicated),
    ("投了", Reason::Resignation),
    ("千日手", Reason::Repetition),
    ("持将棋", Reason::Impasse),
    ("引き分", Reason::Adjudicated),
    ("引分", Reason::Adjudicated),
];

impl Closing {
    /// What `line` says, which begins with `まで`, where it is the turn of `side`.
    pub(super) fn of(line: &str, side: Side) -> Closing {
        let letters = line.chars().filter(|letter| !letter.is_whitespace());
        let text: String = letters
            .map(|letter| match letter {
                '０'..='９' => char::from(b'0' + (letter as u32 - '０' as u32) as u8),
                letter => letter,
            })
            .collect();
        let text = text.trim_start_matches("まで").trim_start_matches(['、', ',', '：', ':']);
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = text.split_at(digits);
        let plies = number.parse().ok().filter(|_| rest.starts_with('手'));
        let rest = if plies.is_some() { rest.trim_start_matches('手') } else { rest };
        let words = rest.trim_start_matches("にて").trim_start_matches('で').trim_end_matches(['。', '.']);
        Closing { plies, stated: Self::stated(words, side) }
    }

    fn stated(words: &str, side: Side) -> Option<Stated> {
        if let Some(end) = End::called(words) {
            return Some(end.stated(side));
        }
        let found = REASONS.into_iter().find(|(word, _)| words.contains(word)).map(|(_, reason)| reason);
        let named_before = |end: usize| {
            let places = SIDES.iter().filter_map(|(name, side)| Some((words[..end].rfind(name)?, *side)));
            places.max_by_key(|(place, _)| *place).map(|(_, side)| side)
        };
        let won = words.rfind('勝').and_then(named_before);
        let lost = words.rfind(['負', '敗']).and_then(named_before);
        if let Some(winner) = won.or(lost.map(|loser| !loser)) {
            return Some(Stated { verdict: Some(Verdict::Win(winner)), reason: found, points: None });
        }
        match found? {
            Reason::Repetition => Some(Stated::new(Verdict::Draw, Reason::Repetition)),
            Reason::Impasse => Some(Stated::new(Verdict::Draw, Reason::Impasse)),
            Reason::Adjudicated if words.contains('引') => {
                Some(Stated::new(Verdict::Draw, Reason::Adjudicated))
            }
            Reason::Checkmate => Some(Stated::new(Verdict::Win(!side), Reason::Checkmate)),
            _ => None,
        }
    }
}

/// The words of Floodgate's server for how a game ended.
const SUMMARIES: [(&str, Option<Reason>); 11] = [
    ("toryo", Some(Reason::Resignation)),
    ("time up", Some(Reason::Timeout)),
    ("time_up", Some(Reason::Timeout)),
    ("illegal move", Some(Reason::IllegalMove)),
    ("illegal_move", Some(Reason::IllegalMove)),
    ("uchifuzume", Some(Reason::IllegalMove)),
    ("kachi", Some(Reason::Declaration)),
    ("sennichite", Some(Reason::Repetition)),
    ("oute_sennichite", Some(Reason::PerpetualCheck)),
    ("max_moves", Some(Reason::MoveLimit)),
    ("abnormal", Some(Reason::Crash)),
];

/// What a comment of Floodgate's server says, `summary:toryo:one lose:two win`, the first player first; `None` of any
/// other.
pub(super) fn read_summary(text: &str) -> Option<Stated> {
    let (how, players) = text.trim().strip_prefix("summary:")?.split_once(':')?;
    let reason = SUMMARIES.into_iter().find(|(word, _)| *word == how).and_then(|(_, reason)| reason);
    let (first, second) = players.rsplit_once(':')?;
    let says = |player: &str| player.rsplit(' ').next().map(str::to_owned);
    let verdict = match (says(first)?.as_str(), says(second)?.as_str()) {
        ("win", _) | (_, "lose") => Verdict::Win(Side::First),
        ("lose", _) | (_, "win") => Verdict::Win(Side::Second),
        ("draw", "draw") => Verdict::Draw,
        _ => return None,
    };
    Some(Stated { verdict: Some(verdict), reason, points: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_says_who_won_and_why() {
        let win = |side, reason| Some(Stated { verdict: Some(Verdict::Win(side)), reason, points: None });
        let draw = |reason| Some(Stated::new(Verdict::Draw, reason));
        for (line, plies, stated) in [
            ("まで2手で後手の勝ち", Some(2), win(Side::Second, None)),
            ("まで１０手で 上手の勝ち", Some(10), win(Side::Second, None)),
            ("まで、7手で先手の反則負け", Some(7), win(Side::Second, Some(Reason::IllegalMove))),
            ("まで8手で時間切れにより先手の勝ち", Some(8), win(Side::First, Some(Reason::Timeout))),
            ("まで8手で後手の切れ負け", Some(8), win(Side::First, Some(Reason::Timeout))),
            ("まで8手で先手の反則により後手の勝ち", Some(8), win(Side::Second, Some(Reason::IllegalMove))),
            ("まで8手で下手の入玉勝ち", Some(8), win(Side::First, Some(Reason::Declaration))),
            ("まで8手で反則勝ち", Some(8), win(Side::First, Some(Reason::IllegalMove))),
            ("まで8手で千日手", Some(8), draw(Reason::Repetition)),
            ("まで8手で持将棋", Some(8), draw(Reason::Impasse)),
            ("まで8手で持将棋成立", Some(8), draw(Reason::Impasse)),
            ("まで7手詰", Some(7), win(Side::Second, Some(Reason::Checkmate))),
            ("まで2手で封じ手", Some(2), Some(Stated::default())),
            ("まで2手で中断", Some(2), Some(Stated::default())),
            ("まで先手の勝ち", None, win(Side::First, None)),
            ("まで", None, None),
            ("まで3手で何か", Some(3), None),
        ] {
            assert_eq!(Closing::of(line, Side::First), Closing { plies, stated }, "{line}");
        }
    }

    #[test]
    fn floodgate_says_it_in_a_comment() {
        let read = |text| read_summary(text).map(|stated| (stated.verdict, stated.reason));
        let (first, second) = (Verdict::Win(Side::First), Verdict::Win(Side::Second));
        assert_eq!(read("summary:toryo:a b lose:c win"), Some((Some(second), Some(Reason::Resignation))));
        assert_eq!(read("summary:illegal move:a win:b lose"), Some((Some(first), Some(Reason::IllegalMove))));
        assert_eq!(
            read("summary:max_moves:a draw:b draw"),
            Some((Some(Verdict::Draw), Some(Reason::MoveLimit)))
        );
        assert_eq!(read("summary:other:a win:b lose"), Some((Some(first), None)));
        assert_eq!((read("summary:toryo:a"), read("summary"), read("rating:a:b")), (None, None, None));
    }
}
