//! How the programs of xiangqi and janggi say which game was played and how it ended.

use super::{
    ending,
    reading::{Note, shown},
};
use crate::games::rules::{GameId, Reason, RuleSet, Side, Verdict};

/// The result that `text` states: as in PGN, or in words.
pub(super) fn verdict(text: &str) -> Option<Verdict> {
    let text = text.trim();
    if let Some(verdict) = Verdict::of_text(text) {
        return Some(verdict);
    }
    Some(match &*text.to_lowercase() {
        "红胜" | "紅勝" | "红方胜" | "紅方勝" | "红先胜" | "紅先勝" | "先胜" | "先勝" | "黑负" | "黑負"
        | "red" | "red wins" | "1:0" => Verdict::Win(Side::First),
        "黑胜" | "黑勝" | "黑方胜" | "黑方勝" | "红先负" | "紅先負" | "先负" | "先負" | "红负" | "紅負"
        | "black" | "black wins" | "0:1" => Verdict::Win(Side::Second),
        "和" | "和棋" | "平局" | "和局" | "红先和" | "紅先和" | "先和" | "draw" | "1/2" | "½-½" => {
            Verdict::Draw
        }
        _ => return None,
    })
}

/// Whether `text` says that there is no result, or none that is known.
pub(super) fn is_open(text: &str) -> bool {
    matches!(text.trim(), "" | "*" | "?" | "-" | "未知" | "未完" | "未完成" | "不明")
}

/// What there is to say of a result in words that are not known.
pub(super) fn unknown(text: &str) -> String {
    format!("the result '{}' is not known", shown(text))
}

/// The verdict of a line or tag of a file; a note where its words are not known.
pub(super) fn verdict_on(line: usize, text: &str, notes: &mut Vec<Note>) -> Option<Verdict> {
    let verdict = verdict(text);
    if verdict.is_none() && !is_open(text) {
        notes.push(Note::new(line, unknown(text)));
    }
    verdict
}

/// Whether `Termination` has a word of the PGN standard that gives no reason, or says nothing.
pub(super) fn is_usual_end(text: &str) -> bool {
    const WORDS: [&str; 8] = ["", "?", "-", "normal", "unterminated", "abandoned", "emergency", "death"];
    WORDS.contains(&&*text.trim().to_lowercase())
}

/// The reason that a PGN's `Termination` names: ours, or a usual word.
pub(super) fn reason(text: &str) -> Option<Reason> {
    let name = text.trim().to_lowercase().replace([' ', '-'], "_");
    match &*name {
        "time_forfeit" | "time" => Some(Reason::Timeout),
        "rules_infraction" | "illegal" => Some(Reason::IllegalMove),
        "resign" | "resigns" => Some(Reason::Resignation),
        "adjudication" => Some(Reason::Adjudicated),
        name => ending::reason_called(name),
    }
}

/// The game that a tag names: by Fairy-Stockfish's name or the English one.
pub(super) fn variant(name: &str) -> Option<(GameId, RuleSet)> {
    let name = match name {
        "chinese chess" | "xiang qi" | "cchess" | "chinesechess" => "xiangqi",
        "korean chess" | "changgi" | "koreanchess" => "janggi",
        name => name,
    };
    GameId::of_variant(name)
}

/// Whether a word has a number, as every move has that is no pass.
pub(super) fn has_digit(word: &str) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit() || ('０'..='９').contains(&letter);
    word.contains(is_digit) || word.contains(['一', '二', '三', '四', '五', '六', '七', '八', '九'])
}
