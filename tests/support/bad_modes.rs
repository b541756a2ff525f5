//! What the bad engine does wrong: read by the engine and by the tests that play against it.

/// A way to misbehave, at the turn that [`Mode::of_game`] names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// Nothing: it plays on.
    Honest,
    /// Ends with a message and code 3.
    Exit,
    /// Aborts.
    Abort,
    /// Kills itself.
    KillItself,
    /// Panics.
    Panic,
    /// Ends, while a process that it started holds its output open.
    ExitLeavingChild,
    /// Closes its output and lives on.
    CloseOutput,
    /// Says nothing any more, deaf to signals.
    Silent,
    /// Says nothing any more, and neither does a process that it started.
    SilentWithChild,
    /// Plays, and reads no more from then on.
    StopReading,
    /// Writes and writes, and never answers.
    EndlessInfo,
    /// Writes a line without an end.
    EndlessLine,
    /// Answers twice, the second time with nonsense.
    StaleAnswer,
    /// Writes long lines and garbage, then plays.
    Garbage,
    /// Claims to have won.
    ClaimWin,
    /// Says that it has no move.
    NoMove,
    /// Answers nothing at all, in a line.
    EmptyAnswer,
    /// Plays a piece onto its own square.
    IllegalMove,
    /// Plays what is no move.
    Nonsense,
    /// Gives up.
    Resign,
}

impl Mode {
    pub const ALL: [Mode; 20] = [
        Mode::Honest,
        Mode::Exit,
        Mode::Abort,
        Mode::KillItself,
        Mode::Panic,
        Mode::ExitLeavingChild,
        Mode::CloseOutput,
        Mode::Silent,
        Mode::SilentWithChild,
        Mode::StopReading,
        Mode::EndlessInfo,
        Mode::EndlessLine,
        Mode::StaleAnswer,
        Mode::Garbage,
        Mode::ClaimWin,
        Mode::NoMove,
        Mode::EmptyAnswer,
        Mode::IllegalMove,
        Mode::Nonsense,
        Mode::Resign,
    ];

    /// The mode of the game from the opening with that move number in its FEN, and before how many turns of its own
    /// the engine behaves.
    pub fn of_game(number: usize) -> (Mode, usize) {
        (Mode::ALL[number % Mode::ALL.len()], number / Mode::ALL.len() % 3)
    }
}

/// The move number at the end of a FEN.
pub fn number_of(fen: &str) -> usize {
    fen.split_whitespace().next_back().and_then(|number| number.parse().ok()).expect("a move number")
}
