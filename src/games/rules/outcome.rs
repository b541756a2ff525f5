//! Who plays, who won and why.

use serde::{Deserialize, Serialize};

/// The two players, in the order they move from the starting position.
///
/// `First` is `w` in a FEN (uppercase, at the bottom) and `b` in an SFEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Moves first from the starting position.
    First,
    /// Moves second.
    Second,
}

impl Side {
    /// 0 for `First`, 1 for `Second`.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl std::ops::Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// That side won.
    Win(Side),
    /// A draw.
    Draw,
}

impl Verdict {
    /// `1-0` (the first player won), `0-1` or `1/2-1/2`.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Win(Side::First) => "1-0",
            Verdict::Win(Side::Second) => "0-1",
            Verdict::Draw => "1/2-1/2",
        }
    }

    /// What [`Verdict::as_str`] writes so; `None` of any other text.
    pub fn of_text(text: &str) -> Option<Self> {
        let all = [Verdict::Win(Side::First), Verdict::Win(Side::Second), Verdict::Draw];
        all.into_iter().find(|verdict| verdict.as_str() == text)
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Who won.
    pub verdict: Verdict,
    /// The rule that decided it.
    pub reason: Reason,
    /// `[first, second]`, where points decided.
    pub points: Option<[f32; 2]>,
}

impl Outcome {
    /// `side` won by `reason`.
    pub const fn win(side: Side, reason: Reason) -> Self {
        Outcome { verdict: Verdict::Win(side), reason, points: None }
    }

    /// A draw by `reason`.
    pub const fn draw(reason: Reason) -> Self {
        Outcome { verdict: Verdict::Draw, reason, points: None }
    }
}

/// Every way in which a game can end: a closed list, the same in records, matches and `show`. Records name a
/// reason by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Reason {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// A lion was taken (dobutsu).
    LionCaptured,
    /// A lion reached the last rank and could not be taken (dobutsu).
    LionHome,
    /// The same position too often.
    Repetition,
    /// One side gave check throughout a repetition.
    PerpetualCheck,
    /// One side chased a piece throughout a repetition.
    PerpetualChase,
    /// One side shuffled a piece to and fro.
    ToAndFro,
    /// The kings faced each other and that was accepted.
    Bikjang,
    /// Both sides passed.
    DoublePass,
    /// Too many plies without progress.
    MoveLimit,
    /// Neither side has a piece left that could attack.
    BareAttackers,
    /// The kings were bared: by both sides, by the one that mates, or with no way out; or only the threat of that
    /// saves the mating piece (janggi as the 1995 text has it).
    BaredKings,
    /// A side declared its win (nyugyoku).
    Declaration,
    /// Both kings entered (impasse), decided by points.
    Impasse,
    /// Stopped from outside, at the ply cap.
    Adjudicated,
    /// A side resigned.
    Resignation,
    /// A side used up its time.
    Timeout,
    /// A side played a move that is not legal.
    IllegalMove,
    /// A side's program ended or stopped answering.
    Crash,
}

impl Reason {
    /// All reasons, in the order of their discriminants.
    pub const ALL: [Reason; 20] = [
        Reason::Checkmate,
        Reason::Stalemate,
        Reason::LionCaptured,
        Reason::LionHome,
        Reason::Repetition,
        Reason::PerpetualCheck,
        Reason::PerpetualChase,
        Reason::ToAndFro,
        Reason::Bikjang,
        Reason::DoublePass,
        Reason::MoveLimit,
        Reason::BareAttackers,
        Reason::BaredKings,
        Reason::Declaration,
        Reason::Impasse,
        Reason::Adjudicated,
        Reason::Resignation,
        Reason::Timeout,
        Reason::IllegalMove,
        Reason::Crash,
    ];

    /// The name in JSON and in messages, e.g. `perpetual_check`.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::LionCaptured => "lion_captured",
            Reason::LionHome => "lion_home",
            Reason::Repetition => "repetition",
            Reason::PerpetualCheck => "perpetual_check",
            Reason::PerpetualChase => "perpetual_chase",
            Reason::ToAndFro => "to_and_fro",
            Reason::Bikjang => "bikjang",
            Reason::DoublePass => "double_pass",
            Reason::MoveLimit => "move_limit",
            Reason::BareAttackers => "bare_attackers",
            Reason::BaredKings => "bared_kings",
            Reason::Declaration => "declaration",
            Reason::Impasse => "impasse",
            Reason::Adjudicated => "adjudicated",
            Reason::Resignation => "resignation",
            Reason::Timeout => "timeout",
            Reason::IllegalMove => "illegal_move",
            Reason::Crash => "crash",
        }
    }

    /// What the rule says, as a sentence for players.
    pub fn sentence(self) -> &'static str {
        match self {
            Reason::Checkmate => "The king is in check and no move saves it.",
            Reason::Stalemate => "The side to move is not in check and has no legal move.",
            Reason::LionCaptured => "A lion was taken.",
            Reason::LionHome => "A lion reached the last rank, where nothing can take it.",
            Reason::Repetition => "The same position came back too often.",
            Reason::PerpetualCheck => "One side gave check all through a repetition, which loses.",
            Reason::PerpetualChase => "One side chased a piece all through a repetition, which loses.",
            Reason::ToAndFro => "One side moved a piece to and fro, which loses.",
            Reason::Bikjang => "The kings faced each other and the side to move passed (bikjang).",
            Reason::DoublePass => "Both sides passed, one after the other.",
            Reason::MoveLimit => "Too many moves went by without progress.",
            Reason::BareAttackers => "Neither side has a piece left that could attack.",
            Reason::BaredKings => "The kings were bared, so nobody can win.",
            Reason::Declaration => "A side declared its king's entry (nyugyoku).",
            Reason::Impasse => "Both kings entered, so pieces were counted (impasse).",
            Reason::Adjudicated => "The game was stopped at its longest length.",
            Reason::Resignation => "A side resigned.",
            Reason::Timeout => "A side used up its time.",
            Reason::IllegalMove => "A side played a move that is not legal.",
            Reason::Crash => "A program stopped answering.",
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What one move leads to at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The place of the move in the list of legal moves.
    pub place: usize,
    /// How the game ends by it.
    pub verdict: Verdict,
}
