//! Moves as KIF and KI2 write them: `７六歩(77)`, `同　銀直`, `５五角打`, `２二飛成`.

use super::{MoveInfo, Notate, Piece, candidates::Candidates, piece_of_kanji};
use crate::games::rules::{Point, Side};

/// What a Japanese text says of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JapaneseMove {
    /// File and rank, from 1; `None` for the square of the move before.
    to: Option<(u32, u32)>,
    piece: Piece,
    /// 左, 右 or 直: which one of several, as its side sees them.
    place: Option<Place>,
    /// 上, 寄 or 引: how it moves.
    motion: Option<Motion>,
    /// 成, 不成, or neither.
    promotes: Option<bool>,
    is_drop: bool,
    /// File and rank where it comes from.
    from: Option<(u32, u32)>,
}

/// Which piece of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Left,
    Straight,
    Right,
}

/// How it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Motion {
    Up,
    Sideways,
    Down,
}

/// Marks of the side before a move in Japanese.
pub const SIDE_MARKS: [char; 8] = ['▲', '△', '▼', '▽', '☗', '☖', '⛊', '⛉'];
const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// 1 to 9, in any form.
fn digit(letter: char) -> Option<u32> {
    let number = match letter {
        '1'..='9' => letter as u32 - '0' as u32,
        '１'..='９' => letter as u32 - '０' as u32,
        letter => NUMERALS.iter().position(|&numeral| numeral == letter)? as u32 + 1,
    };
    Some(number)
}

impl JapaneseMove {
    /// The move at the beginning of `text`, and what follows; `None` where none stands there.
    pub fn read(text: &str) -> Option<(JapaneseMove, &str)> {
        let text = text.trim_start().trim_start_matches(SIDE_MARKS).trim_start();
        let (to, rest) = match text.strip_prefix('同').map(str::trim_start) {
            // The square may stand behind it all the same.
            Some(rest) => match read_square(rest) {
                Some((square, rest)) => (Some(square), rest),
                None => (None, rest),
            },
            None => {
                let (square, rest) = read_square(text)?;
                (Some(square), rest)
            }
        };
        let (piece, mut rest) = read_piece(rest)?;
        let mut words =
            JapaneseMove { to, piece, place: None, motion: None, promotes: None, is_drop: false, from: None };
        // Some fill the place of a missing word with a wide space.
        while let Some(after) = words.read_word(rest.trim_start_matches('\u{3000}')) {
            rest = after;
        }
        if let Some((origin, after)) = read_origin(rest) {
            rest = after;
            match origin {
                Some(square) => words.from = Some(square),
                None => words.is_drop = true,
            }
        }
        Some((words, rest))
    }

    /// Takes a word that says more of the move, and returns what follows.
    fn read_word<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        for word in ["不成", "成らず", "ならず", "生"] {
            if let Some(rest) = text.strip_prefix(word) {
                self.promotes = Some(false);
                return Some(rest);
            }
        }
        let mut letters = text.chars();
        match letters.next()? {
            '左' => self.place = Some(Place::Left),
            '右' => self.place = Some(Place::Right),
            '直' => self.place = Some(Place::Straight),
            '上' | '行' | '入' => self.motion = Some(Motion::Up),
            '寄' => self.motion = Some(Motion::Sideways),
            '引' | '下' => self.motion = Some(Motion::Down),
            '成' => self.promotes = Some(true),
            '打' => self.is_drop = true,
            _ => return None,
        }
        Some(letters.as_str())
    }

    /// The square where it goes, if the board has it; `last` is where the move before went.
    pub fn target<G: Notate>(&self, last: Option<Point>) -> Option<Point> {
        match self.to {
            Some(square) => point::<G>(square),
            None => last,
        }
    }

    /// The legal moves of `game` that it may mean; `last` is the move before.
    pub fn moves<G: Notate>(&self, game: &G, last: Option<G::Move>) -> Vec<G::Move> {
        self.fitting(&Candidates::of(game, last))
    }

    /// The legal moves of a position that it may mean.
    pub(super) fn fitting<G: Notate>(&self, candidates: &Candidates<G>) -> Vec<G::Move> {
        let Some(to) = self.target::<G>(candidates.last) else { return Vec::new() };
        let mut found = candidates.steps.clone();
        found.retain(|(_, move_info)| move_info.piece == self.piece && move_info.to == to);
        if self.is_drop {
            found.retain(|(_, move_info)| move_info.from.is_none());
        }
        if let Some(square) = self.from {
            found.retain(|(_, move_info)| move_info.from.is_some() && move_info.from == point::<G>(square));
        }
        if let Some(promotes) = self.promotes {
            found.retain(|(_, move_info)| move_info.promotes == promotes);
        }
        prefer(&mut found, |move_info| move_info.from.is_some());
        prefer(&mut found, |move_info| !move_info.promotes);
        self.keep_meant(&mut found, candidates.side);
        found.into_iter().map(|(mv, _)| mv).collect()
    }

    /// Keeps of several pieces those that the words for their place and their motion mean.
    fn keep_meant<M>(&self, found: &mut Vec<(M, MoveInfo)>, side: Side) {
        let relation =
            |move_info: &MoveInfo| move_info.from.map_or((0, 0), |from| relation(from, move_info.to, side));
        if let Some(motion) = self.motion {
            found.retain(|(_, move_info)| Motion::of(relation(move_info).1) == motion);
        }
        let Some(place) = self.place else { return };
        let motions: Vec<Motion> =
            found.iter().map(|(_, move_info)| Motion::of(relation(move_info).1)).collect();
        let sign = match place {
            Place::Straight => {
                return found
                    .retain(|(_, move_info)| relation(move_info).0 == 0 && relation(move_info).1 > 0);
            }
            Place::Left => -1,
            Place::Right => 1,
        };
        // Of dragons and horses, which are two, one may stand right behind the square.
        let is_great = self.piece.promoted && matches!(self.piece.letter, 'R' | 'B');
        found.retain(|(_, move_info)| {
            let across = relation(move_info).0 * sign;
            across > 0 || is_great && across == 0
        });
        let outermost = found.iter().map(|(_, move_info)| relation(move_info).0 * sign).max();
        found.retain(|(_, move_info)| Some(relation(move_info).0 * sign) == outermost);
        // Where several are left, none is meant whose motion alone would tell it from all others.
        prefer(found, |move_info| {
            let own = Motion::of(relation(move_info).1);
            motions.iter().filter(|&&motion| motion == own).count() > 1
        });
    }
}

impl Motion {
    fn of(ahead: i16) -> Motion {
        match ahead {
            1.. => Motion::Up,
            0 => Motion::Sideways,
            _ => Motion::Down,
        }
    }
}

/// Keeps what `wanted` holds of, if it holds of any.
fn prefer<M>(found: &mut Vec<(M, MoveInfo)>, wanted: impl Fn(&MoveInfo) -> bool) {
    if found.iter().any(|(_, move_info)| wanted(move_info)) {
        found.retain(|(_, move_info)| wanted(move_info));
    }
}

/// Where a piece of `side` stands, as its side sees it from the square that it goes to, positive to the right; and how far
/// ahead it goes.
pub fn relation(from: Point, to: Point, side: Side) -> (i16, i16) {
    let across = i16::from(from.file) - i16::from(to.file);
    let ahead = i16::from(to.rank) - i16::from(from.rank);
    if side == Side::First { (across, ahead) } else { (-across, -ahead) }
}

/// The point with this file from the right and this rank from the top, if the board has it.
fn point<G: Notate>((file, rank): (u32, u32)) -> Option<Point> {
    let file = (G::FILES as u32).checked_sub(file)?;
    let rank = (G::RANKS as u32).checked_sub(rank)?;
    Some(Point { file: file as u8, rank: rank as u8 })
}

/// File and rank at the beginning of `text`, and what follows.
fn read_square(text: &str) -> Option<((u32, u32), &str)> {
    let mut letters = text.chars();
    let square = (digit(letters.next()?)?, digit(letters.next()?)?);
    Some((square, letters.as_str()))
}

/// The piece at the beginning of `text`, and what follows.
fn read_piece(text: &str) -> Option<(Piece, &str)> {
    let text = text.trim_start_matches('\u{3000}');
    // 成銀 is a piece, and 成 behind a piece its promotion.
    let lengths: &[usize] = if text.starts_with('成') { &[2] } else { &[1] };
    lengths.iter().find_map(|&count| {
        let end = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
        let (name, rest) = text.split_at(end);
        Some((piece_of_kanji(name)?, rest))
    })
}

/// The origin in brackets at the beginning of `text`, `None` in it for the hand, and what follows.
fn read_origin(text: &str) -> Option<(Option<(u32, u32)>, &str)> {
    let inner = text.trim_start_matches('\u{3000}').strip_prefix(['(', '（'])?;
    if let Some(after) = inner.strip_prefix("00").or(inner.strip_prefix("００")) {
        return Some((None, after.strip_prefix([')', '）'])?));
    }
    let (square, after) = read_square(inner)?;
    Some((Some(square), after.strip_prefix([')', '）'])?))
}
