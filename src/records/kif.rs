//! KIF, as Kifu for Windows and the programs after it write it.

use std::fmt::Write;

use anyhow::{Context, Result, ensure};

use super::{
    Given, Record,
    diagram::{Diagram, HAND, START},
    ending::{self, End},
    replay::{Replay, Stated, rules_of, texts},
};
use crate::{
    notation::{Piece, Style, piece_of_kanji, piece_to_kanji},
    rules::{Game, GameId, Outcome, RuleSet, Side, Verdict, shogi::Shogi},
};

const NUMERALS: [char; 10] = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
const EDGE: &str = "+---------------------------+";

/// The text of a game. A comment at its end has the result with our reason.
pub(super) fn write(record: &Record) -> Result<String> {
    let (moves, game) = texts::<Shogi>(record, Style::Kif)?;
    let [first, second] = &record.players;
    let diagram = Diagram::of_fen(&record.start);
    let mut out = String::new();
    if diagram == Diagram::of_fen(START) {
        out += "手合割：平手\n";
    } else {
        write_board(&mut out, &diagram);
    }
    write!(out, "先手：{first}\n後手：{second}\n手数----指手---------消費時間--\n")?;
    for (mv, number) in moves.iter().zip(1..) {
        writeln!(out, "{number:4} {mv}")?;
    }
    let end = End::of(record.outcome, game.side_to_move());
    writeln!(out, "{:4} {}", moves.len() + 1, end.kif)?;
    if let Some(outcome) = record.outcome {
        writeln!(out, "*{}", ending::comment(outcome))?;
    }
    writeln!(out, "まで{}手で{}", moves.len(), closing(end, record.outcome))?;
    Ok(out)
}

/// How the last line ends.
fn closing(end: End, outcome: Option<Outcome>) -> String {
    match outcome.map(|outcome| outcome.verdict) {
        Some(Verdict::Win(winner)) => {
            let name = if winner == Side::First { "先手" } else { "後手" };
            let how = if end.kif.ends_with("勝ち") { end.kif } else { "勝ち" };
            format!("{name}の{how}")
        }
        _ => end.kif.to_owned(),
    }
}

fn write_board(out: &mut String, diagram: &Diagram) {
    let hand = |side: Side| {
        let counts = HAND.iter().zip(diagram.hands[side.index()]).filter(|(_, count)| *count > 0);
        let held: Vec<String> = counts
            .map(|(&letter, count)| {
                let count = if count > 1 { numeral(count) } else { String::new() };
                format!("{}{count}", piece_to_kanji(Piece { letter, promoted: false }))
            })
            .collect();
        if held.is_empty() { "なし".to_owned() } else { held.join("　") }
    };
    *out += &format!("後手の持駒：{}\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n{EDGE}\n", hand(Side::Second));
    for (row, rank) in diagram.cells.iter().zip(&NUMERALS[1..]) {
        let cells = row.iter().map(|cell| match cell {
            Some((Side::First, piece)) => format!(" {}", one_character(*piece)),
            Some((Side::Second, piece)) => format!("v{}", one_character(*piece)),
            None => " ・".to_owned(),
        });
        *out += &format!("|{}|{rank}\n", cells.collect::<String>());
    }
    *out += &format!("{EDGE}\n先手の持駒：{}\n", hand(Side::First));
    if diagram.side == Side::Second {
        *out += "後手番\n";
    }
}

/// The character on a board.
fn one_character(piece: Piece) -> &'static str {
    match (piece.letter, piece.promoted) {
        ('L', true) => "杏",
        ('N', true) => "圭",
        ('S', true) => "全",
        _ => piece_to_kanji(piece),
    }
}

/// 2 to 18.
fn numeral(count: u8) -> String {
    let ones = usize::from(count % 10);
    let tens = if count >= 10 { "十" } else { "" };
    if ones > 0 { format!("{tens}{}", NUMERALS[ones]) } else { tens.to_owned() }
}

fn number(text: &str) -> Option<u8> {
    let (tens, ones) = match text.strip_prefix('十') {
        Some(rest) => (10, rest),
        None => (0, text),
    };
    let mut letters = ones.chars();
    let one = match letters.next() {
        None if tens > 0 => 0,
        letter => NUMERALS.iter().position(|&numeral| Some(numeral) == letter)?,
    };
    letters.next().is_none().then_some(tens + one as u8)
}

/// The starts that have names, in SFEN.
const HANDICAPS: [(&str, &str); 12] = [
    ("平手", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"),
    ("香落ち", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("右香落ち", "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("角落ち", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("飛車落ち", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("飛香落ち", "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("二枚落ち", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("三枚落ち", "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("四枚落ち", "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("六枚落ち", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("八枚落ち", "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("十枚落ち", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
];

/// The game of `text`; variations are left out.
pub(super) fn read(text: &str, given: Given) -> Result<Vec<Record>> {
    let rules = rules_of(GameId::Shogi, given)?;
    let mut reader = Reader::new(rules);
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1..) {
        if line.starts_with("変化：") {
            break;
        }
        let shown = || format!("line {number}: '{}'", line.chars().take(80).collect::<String>());
        reader.take(line.trim()).with_context(shown)?;
    }
    reader.finish().map(|record| vec![record])
}

/// What was read of a game so far.
struct Reader {
    rules: RuleSet,
    players: [String; 2],
    start: Option<&'static str>,
    diagram: Diagram,
    rows: usize,
    /// Begun by the first move or end.
    replay: Option<Replay<Shogi>>,
    end: Option<Stated>,
    comment: Option<Stated>,
}

impl Reader {
    fn new(rules: RuleSet) -> Self {
        Reader {
            rules,
            players: ["?".to_owned(), "?".to_owned()],
            start: None,
            diagram: Diagram::empty(),
            rows: 0,
            replay: None,
            end: None,
            comment: None,
        }
    }

    fn take(&mut self, line: &str) -> Result<()> {
        if let Some(comment) = line.strip_prefix('*') {
            self.comment = ending::read_comment(comment).or(self.comment);
            return Ok(());
        }
        if line.starts_with(['#', '&']) {
            return Ok(());
        }
        if let Some(row) = line.strip_prefix('|') {
            return self.take_row(row);
        }
        match line {
            "後手番" | "上手番" => self.diagram.side = Side::Second,
            _ if line.starts_with(|first: char| first.is_ascii_digit()) => return self.take_move(line),
            _ => {}
        }
        match line.split_once('：') {
            Some((key, value)) => self.take_entry(key, value.trim()),
            None => Ok(()),
        }
    }

    fn take_entry(&mut self, key: &str, value: &str) -> Result<()> {
        match key {
            "先手" | "下手" => self.players[0] = value.to_owned(),
            "後手" | "上手" => self.players[1] = value.to_owned(),
            "先手の持駒" | "下手の持駒" => return self.take_hand(Side::First, value),
            "後手の持駒" | "上手の持駒" => return self.take_hand(Side::Second, value),
            "手合割" if value != "その他" => {
                let found = HANDICAPS.iter().find(|(name, _)| *name == value);
                self.start = Some(found.context("this start is not known")?.1);
            }
            _ => {}
        }
        Ok(())
    }

    fn take_hand(&mut self, side: Side, text: &str) -> Result<()> {
        let held = text.split_whitespace().filter(|item| *item != "なし");
        for item in held {
            let mut letters = item.chars();
            let piece = letters.next().map(String::from).and_then(|name| piece_of_kanji(&name));
            let count = if letters.as_str().is_empty() { Some(1) } else { number(letters.as_str()) };
            let holds = match (piece, count) {
                (Some(piece), Some(count)) if !piece.promoted => self.diagram.hold(side, piece.letter, count),
                _ => false,
            };
            ensure!(holds, "'{item}' cannot be held");
        }
        Ok(())
    }

    fn take_row(&mut self, row: &str) -> Result<()> {
        let cells: Vec<char> = row.split_once('|').map_or(row, |(cells, _)| cells).chars().collect();
        self.rows += 1;
        for (pair, file) in cells.chunks(2).zip((1..=9).rev()) {
            let [side, name] = pair else { anyhow::bail!("a cell is incomplete") };
            let side = if *side == 'v' { Side::Second } else { Side::First };
            let piece = match name {
                '・' => None,
                name => Some((side, piece_of_kanji(&name.to_string()).context("there is no such piece")?)),
            };
            *self.diagram.cell(file, self.rows).context("there are more than nine ranks")? = piece;
        }
        Ok(())
    }

    fn replay(&mut self) -> Result<&mut Replay<Shogi>> {
        if self.replay.is_none() {
            let drawn = (self.rows > 0).then(|| self.diagram.fen());
            self.replay = Some(Replay::new(self.rules, drawn.as_deref().or(self.start))?);
        }
        Ok(self.replay.as_mut().expect("it was just made"))
    }

    fn take_move(&mut self, line: &str) -> Result<()> {
        let text = line.trim_start_matches(|digit: char| digit.is_ascii_digit()).trim_start();
        let text = move_of(text);
        match End::of_kif(text) {
            Some(end) => {
                let side = self.replay()?.side();
                self.end = Some(end.stated(side));
                Ok(())
            }
            None => self.replay()?.play(text, &[Style::Kif]),
        }
    }

    fn finish(mut self) -> Result<Record> {
        self.replay()?;
        let replay = self.replay.expect("it was just made");
        Ok(replay.into_record(self.players, self.comment.or(self.end).unwrap_or_default()))
    }
}

/// The move at the start of `text`, without the time behind it.
fn move_of(text: &str) -> &str {
    let origin = text.split_once('(').and_then(|(before, after)| {
        let (digits, _) = after.split_once(')')?;
        let is_square = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_square.then_some(before.len() + digits.len() + 2)
    });
    match origin {
        Some(end) => &text[..end],
        None => text.split([' ', '(']).next().unwrap_or(text),
    }
}
