//! The names of the options in each dialect.

/// An option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OptionKey {
    Variant,
    Rules,
    Setup,
    Weights,
    Threads,
    Hash,
    Search,
    MultiPv,
    Ponder,
    Batch,
    CPuct,
    Temperature,
    Level,
    LimitStrength,
    Elo,
    OwnBook,
    BookFile,
    ShowWdl,
    MoveStats,
    MaxMoves,
    Overhead,
    ByoyomiMargin,
    FirstRank,
    Milliseconds,
    NewGame,
}

/// The name of each in UCI, USI and UCCI; where it is empty the option is not announced, and is read all the same.
/// Without spaces, which some programs cannot read.
pub(super) const NAMES: [(OptionKey, [&str; 3]); 25] = [
    // In the other dialects it confuses programs that translate between them.
    (OptionKey::Variant, ["UCI_Variant", "", ""]),
    (OptionKey::Rules, ["Rules"; 3]),
    (OptionKey::Setup, ["Setup", "", ""]),
    (OptionKey::Weights, ["WeightsFile"; 3]),
    (OptionKey::Threads, ["Threads", "Threads", "threads"]),
    (OptionKey::Hash, ["Hash", "USI_Hash", "hashsize"]),
    (OptionKey::Search, ["Search"; 3]),
    (OptionKey::MultiPv, ["MultiPV", "MultiPV", ""]),
    (OptionKey::Ponder, ["Ponder", "USI_Ponder", ""]),
    (OptionKey::Batch, ["MinibatchSize"; 3]),
    (OptionKey::CPuct, ["CPuct"; 3]),
    (OptionKey::Temperature, ["Temperature"; 3]),
    (OptionKey::Level, ["Skill_Level"; 3]),
    (OptionKey::LimitStrength, ["UCI_LimitStrength", "", ""]),
    (OptionKey::Elo, ["UCI_Elo", "", ""]),
    (OptionKey::OwnBook, ["OwnBook", "USI_OwnBook", "usebook"]),
    (OptionKey::BookFile, ["BookFile", "BookFile", "bookfiles"]),
    (OptionKey::ShowWdl, ["UCI_ShowWDL", "", ""]),
    (OptionKey::MoveStats, ["VerboseMoveStats", "", ""]),
    (OptionKey::MaxMoves, ["", "MaxMovesToDraw", ""]),
    (OptionKey::Overhead, ["Move_Overhead"; 3]),
    (OptionKey::ByoyomiMargin, ["", "Byoyomi_Margin", ""]),
    (OptionKey::FirstRank, ["FirstRank", "", ""]),
    (OptionKey::Milliseconds, ["", "", "usemillisec"]),
    (OptionKey::NewGame, ["", "", "newgame"]),
];

/// Other names that are read.
const ALIASES: [(OptionKey, &str); 6] = [
    (OptionKey::Variant, "USI_Variant"),
    (OptionKey::Variant, "UCCI_Variant"),
    (OptionKey::Weights, "DNN_Model"),
    (OptionKey::MaxMoves, "Draw_Ply"),
    (OptionKey::Overhead, "Move Overhead"),
    (OptionKey::Level, "Skill Level"),
];

/// The option of that name, whatever its case.
pub(super) fn key(name: &str) -> Option<OptionKey> {
    let is_called = |other: &&str| !other.is_empty() && other.eq_ignore_ascii_case(name);
    let announced = NAMES.iter().find(|(_, names)| names.iter().any(&is_called)).map(|it| it.0);
    announced.or_else(|| ALIASES.iter().find(|(_, alias)| is_called(alias)).map(|it| it.0))
}
