//! A text cut into its games and their lines, none of which is played yet.

use crate::games::{
    notation::{JapaneseMove, SIDE_MARKS},
    records::{ending, reading::Note, replay::Stated, tags},
    rules::Side,
};

/// A line of a text: its number, from 1, and what stands there.
pub(super) type Line<T> = (usize, T);

/// The lines of a game.
#[derive(Debug, Default)]
pub(super) struct Sheet<'a> {
    pub(super) players: [Option<&'a str>; 2],
    /// The event, the place and the date, by the names of a record's tags.
    pub(super) tags: Vec<(String, String)>,
    pub(super) start: Option<Line<&'a str>>,
    /// The ranks of a board, each behind its first `|`.
    pub(super) ranks: Vec<Line<&'a str>>,
    pub(super) hands: [Option<Line<&'a str>>; 2],
    pub(super) side: Option<Side>,
    pub(super) rows: Vec<Line<Row<'a>>>,
    /// Our own comment with the result.
    pub(super) comment: Option<Stated>,
    /// Lines that say something of the game.
    pub(super) known: usize,
    /// The lines that are not understood.
    pub(super) unknown: Vec<Note>,
    in_variation: bool,
}

/// What happens in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row<'a> {
    /// A move, or a word for how the game ends.
    Move(&'a str),
    /// The last line, which begins with まで.
    Closing(&'a str),
}

/// The games of `text`, one at least.
pub(super) fn split(text: &str) -> Vec<Sheet<'_>> {
    let mut sheets = Vec::new();
    let mut sheet = Sheet::default();
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1..) {
        let line = line.trim();
        if sheet.ends_before(line) {
            sheets.push(std::mem::take(&mut sheet));
        }
        sheet.take(line, number);
    }
    // What stands behind the last game is no game of its own.
    match sheets.last_mut() {
        Some(last) if sheet.is_bare() => last.unknown.append(&mut sheet.unknown),
        _ => sheets.push(sheet),
    }
    sheets
}

/// Whether a line stands before the moves of a game.
fn begins_game(line: &str) -> bool {
    const HEADS: [&str; 5] = ["#KIF", "手合割", "手数--", "|", "｜"];
    HEADS.iter().any(|head| line.starts_with(head)) || Field::of(line).is_some() || turn(line).is_some()
}

/// What a line `key：value` says of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Player(Side),
    Hand(Side),
    Start,
    /// One of a record's tags.
    Tag(&'static str),
}

/// The event, the place and the date: the keys of KIF, and the tags of a record.
pub(super) const TAGS: [(&str, &str); 3] = [("開始日時", "Date"), ("棋戦", "Event"), ("場所", "Site")];

impl Field {
    fn called(key: &str) -> Option<Self> {
        Some(match key {
            "先手" | "下手" => Field::Player(Side::First),
            "後手" | "上手" => Field::Player(Side::Second),
            "先手の持駒" | "下手の持駒" | "先手の持ち駒" | "下手の持ち駒" => {
                Field::Hand(Side::First)
            }
            "後手の持駒" | "上手の持駒" | "後手の持ち駒" | "上手の持ち駒" => {
                Field::Hand(Side::Second)
            }
            "手合割" | "手合" => Field::Start,
            _ => Field::Tag(TAGS.into_iter().find(|(own, _)| *own == key)?.1),
        })
    }

    fn of(line: &str) -> Option<Self> {
        entry(line).and_then(|(key, _)| Field::called(key))
    }
}

/// Whose turn a line says it is.
fn turn(line: &str) -> Option<Side> {
    match line {
        "先手番" | "下手番" => Some(Side::First),
        "後手番" | "上手番" => Some(Side::Second),
        _ => None,
    }
}

/// The key and the value of a line `key：value`.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(['：', ':'])?;
    let is_key = !key.is_empty() && !key.contains(char::is_whitespace) && !key.starts_with(SIDE_MARKS);
    is_key.then_some((key, value.trim()))
}

impl<'a> Sheet<'a> {
    /// Whether its moves have begun.
    fn is_begun(&self) -> bool {
        !self.rows.is_empty()
    }

    /// Whether `line` is the first of the next game: one that stands before moves, where moves are there already, or one
    /// that says again what is said.
    fn ends_before(&self, line: &str) -> bool {
        let is_said = Field::of(line).is_some_and(|field| match field {
            Field::Player(side) => self.players[side.index()].is_some(),
            Field::Hand(side) => self.hands[side.index()].is_some(),
            Field::Start => self.start.is_some(),
            // Some programs say such things twice.
            Field::Tag(_) => false,
        });
        is_said || self.is_begun() && begins_game(line)
    }

    /// Whether it has nothing that makes a game.
    pub(super) fn is_bare(&self) -> bool {
        self.rows.is_empty() && self.ranks.is_empty() && self.start.is_none() && self.known == 0
    }

    fn take(&mut self, line: &'a str, number: usize) {
        if line.is_empty() || line.starts_with(['#', '&']) || is_drawing(line) || self.skips(line) {
            return;
        }
        if let Some(comment) = line.strip_prefix('*') {
            self.comment = ending::read_comment(comment).or(self.comment);
        } else if let Some(rank) = line.strip_prefix(['|', '｜']) {
            self.ranks.push((number, rank));
        } else if line.starts_with("まで") {
            self.rows.push((number, Row::Closing(line)));
        } else if line.starts_with(SIDE_MARKS) {
            self.take_book_line(line, number);
        } else if let Some(text) = numbered(line) {
            self.rows.push((number, Row::Move(text)));
        } else if !self.take_word(line) {
            match entry(line) {
                Some((key, value)) => self.take_entry(key, value, number),
                None => self.unknown.push(Note::unknown(number, line)),
            }
        }
    }

    /// Whether `line` belongs to a variation.
    fn skips(&mut self, line: &str) -> bool {
        let begins = entry(line).is_some_and(|(key, _)| key == "変化") || line.starts_with("変化");
        // A stray one may stand in the header.
        self.in_variation |= begins && self.is_begun();
        self.in_variation || begins
    }

    fn take_word(&mut self, line: &str) -> bool {
        match line {
            _ if turn(line).is_some() => self.side = turn(line),
            "盤面回転" => {}
            // Of a position: how many moves were played before.
            _ if line.starts_with("手数＝") || line.starts_with("手数=") || line.starts_with("手数--") =>
                {}
            _ => return false,
        }
        true
    }

    fn take_entry(&mut self, key: &str, value: &'a str, number: usize) {
        let Some(field) = Field::called(key) else {
            // Times, openings and the like.
            if key.is_ascii() {
                self.unknown.push(Note::unknown(number, key));
            }
            return;
        };
        // A date alone makes no game.
        self.known += usize::from(!matches!(field, Field::Tag(_)));
        match field {
            Field::Player(side) => self.players[side.index()] = Some(value),
            Field::Hand(side) => self.hands[side.index()] = Some((number, value)),
            Field::Start => self.start = Some((number, value)),
            Field::Tag(name) => {
                if let Some(tag) = tags::tag(name, value) {
                    tags::add(&mut self.tags, tag);
                }
            }
        }
    }

    /// A line of KI2: moves, each behind its mark.
    fn take_book_line(&mut self, line: &'a str, number: usize) {
        let marks: Vec<usize> = line.match_indices(SIDE_MARKS).map(|(at, _)| at).collect();
        for (place, &at) in marks.iter().enumerate() {
            let part = &line[at..marks.get(place + 1).copied().unwrap_or(line.len())];
            let (part, closing) = match part.find("まで") {
                Some(at) => part.split_at(at),
                None => (part, ""),
            };
            let text = part.trim();
            if text.trim_start_matches(SIDE_MARKS).is_empty() {
                self.unknown.push(Note::unknown(number, text));
            } else {
                self.rows.push((number, Row::Move(text)));
            }
            if !closing.is_empty() {
                self.rows.push((number, Row::Closing(closing)));
                return;
            }
        }
    }
}

/// Whether a line is the edge of a board, its files or a rule.
fn is_drawing(line: &str) -> bool {
    let is_digit = |letter: char| matches!(letter, '１'..='９' | '1'..='9') || letter.is_whitespace();
    let is_files = line.chars().all(is_digit) && line.contains(char::is_whitespace);
    is_files || line.chars().all(|letter| "-+=―─━－＋＝＊ ".contains(letter))
}

/// What stands behind the number of a row of KIF.
fn numbered(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() == line.len() {
        return None;
    }
    let rest = rest.strip_prefix(['.', '手', ':']).unwrap_or(rest);
    let text = rest.trim_start();
    let is_row = text.len() < rest.len() || JapaneseMove::read(text).is_some();
    (is_row && !text.is_empty()).then_some(text)
}
