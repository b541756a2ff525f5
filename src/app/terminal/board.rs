//! The board as it stands in a terminal.

use std::fmt::Write;

use anstyle::{AnsiColor, Effects, Style};

use super::names::legend;
use crate::{
    app::report::{PlacedPiece, Placement, piece_characters, side_names},
    games::rules::{Colour, Family, Game, GameId, Side},
};

/// Whether the terminal shows colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// It does.
    Ansi,
    /// Text alone: no terminal, or colours are unwanted.
    Plain,
}

/// How pieces are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum PieceStyle {
    /// As in a FEN: uppercase for the first side, lowercase for the second.
    Letters,
    /// The Chinese or Japanese characters on the pieces; `v` marks those of the second side, as in shogi's diagrams.
    Characters,
}

/// How a board is looked at.
#[derive(Clone, Copy, Debug)]
pub struct BoardView {
    /// The side that sits below.
    pub bottom: Side,
    /// How pieces are written.
    pub pieces: PieceStyle,
    /// Whether there are colours.
    pub colours: Colours,
    /// Whether the names of the pieces stand beside the board.
    pub legend: Legend,
}

/// What stands beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legend {
    /// The names of the pieces.
    Shown,
    /// Nothing.
    Hidden,
}

impl PieceStyle {
    /// The other one.
    pub(super) fn other(self) -> Self {
        match self {
            PieceStyle::Letters => PieceStyle::Characters,
            PieceStyle::Characters => PieceStyle::Letters,
        }
    }
}

impl Legend {
    /// The other one.
    pub(super) fn other(self) -> Self {
        match self {
            Legend::Shown => Legend::Hidden,
            Legend::Hidden => Legend::Shown,
        }
    }
}

/// Where the legend begins.
const LEGEND: usize = 46;

/// A square by file and rank, from 0.
pub(super) type BoardPoint = (usize, usize);

/// The squares that a move's text names, from `a1`; one alone for a drop.
pub(super) fn points(text: &str) -> Vec<BoardPoint> {
    let mut points = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let mut rank = 0;
        while let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(10)) {
            rank = 10 * rank + digit as usize;
            letters.next();
        }
        if letter.is_ascii_lowercase() && (1..100).contains(&rank) {
            points.push(((letter as u8 - b'a') as usize, rank - 1));
        }
    }
    points
}

impl BoardView {
    /// `game` with the squares of its `last` move in brackets: the ranks from the top, what stands in hand, and the names
    /// of the pieces at the side. At most 80 columns.
    pub(super) fn draw<G: Game>(&self, game: &G, last: Option<G::Move>) -> String {
        let drawing = Drawing {
            view: *self,
            game: G::ID,
            files: G::FILES,
            ranks: G::RANKS,
            placement: Placement::of(game),
            last: last.map(|mv| points(&mv.to_string())).unwrap_or_default(),
            checked: game.is_check().then(|| game.side_to_move()),
        };
        drawing.lines()
    }

    /// The name of a side in its colour.
    pub(super) fn side<G: Game>(&self, side: Side) -> String {
        self.paint(side_style(G::ID, side), side_names(G::ID)[side.index()])
    }

    /// What must not be overlooked.
    pub(super) fn alarm(&self, text: &str) -> String {
        self.paint(AnsiColor::Red.on_default() | Effects::BOLD, text)
    }

    fn paint(&self, style: Style, text: &str) -> String {
        match self.colours {
            Colours::Ansi => format!("{style}{text}{style:#}"),
            Colours::Plain => text.to_owned(),
        }
    }
}

fn side_style(game: GameId, side: Side) -> Style {
    let colour = match game.facts().colours[side.index()] {
        Colour::Green => AnsiColor::Green,
        Colour::Red => AnsiColor::Red,
        Colour::Blue => AnsiColor::Blue,
        Colour::Yellow => AnsiColor::Yellow,
        Colour::Cyan => AnsiColor::Cyan,
    };
    colour.on_default() | Effects::BOLD
}

struct Drawing {
    view: BoardView,
    game: GameId,
    files: usize,
    ranks: usize,
    placement: Placement,
    last: Vec<BoardPoint>,
    /// The side in check.
    checked: Option<Side>,
}

impl Drawing {
    fn lines(&self) -> String {
        let files: String = self.file_order().map(|file| format!("  {} ", letter_of(file))).collect();
        let mut lines = vec![format!("    {files}")];
        let has_hands = self.game.facts().family == Family::Shogi;
        let order: Vec<usize> = match self.view.bottom {
            Side::First => (0..self.ranks).rev().collect(),
            Side::Second => (0..self.ranks).collect(),
        };
        for (place, &rank) in order.iter().enumerate() {
            if self.game.facts().has_river && place == self.ranks / 2 {
                lines.push(format!("    {:-^36}", " river "));
            }
            lines.push(self.rank(rank));
        }
        lines.push(format!("    {files}"));
        if has_hands {
            lines.insert(0, self.hand(!self.view.bottom));
            lines.push(self.hand(self.view.bottom));
        }
        if self.view.legend == Legend::Shown {
            let first = usize::from(has_hands) + 1;
            for (line, entry) in legend(self.game).iter().enumerate() {
                if lines.len() <= first + line {
                    lines.push(String::new());
                }
                let text = &mut lines[first + line];
                let gap = LEGEND.saturating_sub(width(text));
                write!(text, "{:gap$}{entry}", "").expect("writing to a string");
            }
        }
        lines.iter().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    fn file_order(&self) -> Box<dyn Iterator<Item = usize>> {
        match self.view.bottom {
            Side::First => Box::new(0..self.files),
            Side::Second => Box::new((0..self.files).rev()),
        }
    }

    /// Four columns for a square: a bracket, or the end of the one before, and the piece.
    fn rank(&self, rank: usize) -> String {
        let mut line = format!("{:>3} ", rank + 1);
        let mut closing = ' ';
        for file in self.file_order() {
            let opening = self.bracket((file, rank)).map(|[opening, _]| opening);
            line.push(match (closing, opening) {
                (' ', None) => ' ',
                (' ', Some(opening)) => opening,
                (closing, None) => closing,
                (..) => '|',
            });
            line += &self.cell((file, rank));
            closing = self.bracket((file, rank)).map_or(' ', |[_, closing]| closing);
        }
        line.push(closing);
        line + &format!(" {}", rank + 1)
    }

    /// What stands around a square: the last move's are in brackets, the king in check between exclamation marks.
    fn bracket(&self, point: BoardPoint) -> Option<[char; 2]> {
        let king = self.at(point).filter(|piece| piece.letter.eq_ignore_ascii_case(&'k'));
        match king {
            Some(king) if self.checked == Some(side_of(king)) => Some(['!', '!']),
            _ => self.last.contains(&point).then_some(['[', ']']),
        }
    }

    fn at(&self, (file, rank): BoardPoint) -> Option<PlacedPiece> {
        self.placement.squares[(self.ranks - 1 - rank) * self.files + file]
    }

    /// Three columns.
    fn cell(&self, point: BoardPoint) -> String {
        let Some(piece) = self.at(point) else { return format!(" {} ", self.empty(point)) };
        let side = side_of(piece);
        let code = format!("{}{}", if piece.promoted { "+" } else { "" }, piece.letter);
        let text = match (self.view.pieces, side) {
            (PieceStyle::Letters, _) => format!("{code:>2} "),
            (PieceStyle::Characters, Side::First) => format!(" {}", self.character(&code)),
            (PieceStyle::Characters, Side::Second) => format!("v{}", self.character(&code)),
        };
        self.view.paint(side_style(self.game, side), &text)
    }

    fn character(&self, code: &str) -> char {
        piece_characters(self.game)[code]
    }

    /// An empty square: those of a palace, where lines run aslant, are crosses.
    fn empty(&self, (file, rank): BoardPoint) -> char {
        let has_palaces = self.game.facts().family == Family::Palace;
        let is_palace =
            (self.files / 2).abs_diff(file) <= 1 && (rank < 3 || rank >= self.ranks - 3) && has_palaces;
        if is_palace { '+' } else { '.' }
    }

    /// What a side holds, the strongest first.
    fn hand(&self, side: Side) -> String {
        const ORDER: &str = "RBGSNLPEC";
        let held = ORDER.chars().filter_map(|kind| {
            let letter = if side == Side::First { kind } else { kind.to_ascii_lowercase() };
            let count = *self.placement.hands.get(&letter).filter(|count| **count > 0)?;
            let piece = match self.view.pieces {
                PieceStyle::Letters => letter,
                PieceStyle::Characters => self.character(&letter.to_string()),
            };
            Some(if count == 1 { piece.to_string() } else { format!("{piece}{count}") })
        });
        let held: Vec<String> = held.collect();
        let held = if held.is_empty() { "-".to_owned() } else { held.join(" ") };
        format!("    {} in hand: {held}", side_names(self.game)[side.index()])
    }
}

fn side_of(piece: PlacedPiece) -> Side {
    if piece.letter.is_ascii_uppercase() { Side::First } else { Side::Second }
}

/// The letter of a file.
pub(super) fn letter_of(file: usize) -> char {
    (b'a' + file as u8) as char
}

/// Columns that a text takes, without what turns colours on and off: the characters of pieces are two wide.
fn width(text: &str) -> usize {
    let mut columns = 0;
    let mut is_code = false;
    for letter in text.chars() {
        match letter {
            '\x1b' => is_code = true,
            'm' if is_code => is_code = false,
            _ if is_code => {}
            letter if letter.is_ascii() => columns += 1,
            _ => columns += 2,
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::{
        base::rng::Rng,
        games::rules::{Setup, janggi::Janggi, shogi::Shogi},
        with_game,
    };

    const VIEW: BoardView = BoardView {
        bottom: Side::First,
        pieces: PieceStyle::Letters,
        colours: Colours::Plain,
        legend: Legend::Shown,
    };

    fn start<G: Game>() -> G {
        G::start(G::ID.rule_sets()[0], Setup::Standard, &mut Rng::seed_from_u64(0))
    }

    #[test]
    fn every_board_fits_into_eighty_columns_and_24_lines() {
        for game in GameId::ALL {
            for pieces in [PieceStyle::Letters, PieceStyle::Characters] {
                for bottom in [Side::First, Side::Second] {
                    let view = BoardView { pieces, bottom, colours: Colours::Ansi, ..VIEW };
                    let text = with_game!(game, G => view.draw(&start::<G>(), None));
                    assert!(text.lines().count() <= 15, "{text}");
                    assert!(text.lines().all(|line| width(line) <= 80), "{text}");
                    assert!(text.contains("\x1b["), "{text}");
                }
            }
        }
    }

    #[test]
    fn last_moves_and_checks_are_marked() {
        let mut game: Janggi = start();
        let mv = game.parse_move("a4b4").unwrap();
        game.play(mv);
        let text = VIEW.draw(&game, Some(mv));
        assert!(text.contains("  4 [ . | P ] P"), "{text}");
        let game =
            Shogi::from_fen(Shogi::ID.rule_sets()[0], "4k4/9/4R4/9/9/9/9/9/4K4[PP] b - - 0 1").unwrap();
        let text = VIEW.draw(&game, None);
        assert!(text.contains("! k !") && text.contains("Sente in hand: P2"), "{text}");
        let view = BoardView { bottom: Side::Second, pieces: PieceStyle::Characters, ..VIEW };
        let text = view.draw(&game, None);
        assert!(text.contains("!v王!") && text.lines().nth(2).unwrap().starts_with("  1"), "{text}");
    }

    #[test]
    fn squares_are_read_from_moves() {
        assert_eq!(points("h3e10"), [(7, 2), (4, 9)]);
        assert_eq!((points("P@e5"), points("c7c8+")), (vec![(4, 4)], vec![(2, 6), (2, 7)]));
    }
}
