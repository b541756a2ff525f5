//! Books of openings: for positions, moves with weights, as text that people and scripts can read.
//!
//! ```text
//! sanki book 1 shogi
//! lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w<tab>g3g4 120 c3c4 80
//! ```
//!
//! The first line names the format and the game. Each line behind it has the board and the side to move, as in the game's
//! FEN, a tab, and pairs of a move in UCI and its weight. Lines that begin with `#` are comments.

mod yaneuraou;

use std::{cmp::Reverse, collections::BTreeMap, fmt::Write as _};

use rand::{Rng, RngExt};

use super::rules::{Game, GameId, ParseError};
use crate::{base::store::without_mark, with_game};

/// What the first line begins with.
const HEADER: &str = "sanki book 1 ";

/// A book of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    game: GameId,
    /// By board and side to move: moves and their weights.
    positions: BTreeMap<String, BTreeMap<String, u32>>,
}

impl Book {
    /// One without positions.
    pub fn new(game: GameId) -> Self {
        Book { game, positions: BTreeMap::new() }
    }

    /// The game that it is for.
    pub fn game(&self) -> GameId {
        self.game
    }

    /// How many positions it has.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Adds the position of a FEN, or of its key, with its moves and their weights. Weights of 0 are left out; where a move
    /// is there already, as in a book that has the position at several plies, its weights add up.
    pub fn add(&mut self, fen: &str, moves: impl IntoIterator<Item = (String, u32)>) {
        let mut added = moves.into_iter().filter(|(_, weight)| *weight > 0).peekable();
        if added.peek().is_none() {
            return;
        }
        let known = self.positions.entry(position_key(fen)).or_default();
        for (mv, weight) in added {
            let sum = known.entry(mv).or_default();
            *sum = sum.saturating_add(weight);
        }
    }

    /// The legal moves that it has for the position of `game`, with their weights.
    pub fn moves<G: Game>(&self, game: &G) -> Vec<(G::Move, u32)> {
        if G::ID != self.game {
            return Vec::new();
        }
        let Some(moves) = self.positions.get(&position_key(&game.fen())) else { return Vec::new() };
        let mut legal = Vec::new();
        game.legal_moves(&mut legal);
        let named = |text: &String| legal.iter().copied().find(|mv| mv.to_string() == *text);
        heaviest_first(moves).into_iter().filter_map(|(text, weight)| Some((named(text)?, weight))).collect()
    }

    /// One of its moves for the position of `game` that are among `allowed`, each as likely as its weight says.
    pub fn draw<G: Game>(&self, game: &G, allowed: &[G::Move], rng: &mut impl Rng) -> Option<G::Move> {
        let mut moves = self.moves(game);
        moves.retain(|(mv, _)| allowed.contains(mv));
        let sum: u64 = moves.iter().map(|(_, weight)| u64::from(*weight)).sum();
        if sum == 0 {
            return None;
        }
        let mut left = rng.random_range(0..sum);
        moves.into_iter().find_map(|(mv, weight)| match left.checked_sub(weight.into()) {
            Some(rest) => {
                left = rest;
                None
            }
            None => Some(mv),
        })
    }

    /// Reads a book for `game`: our own, or one of YaneuraOu for shogi and minishogi.
    ///
    /// # Errors
    /// Shows the line that is wrong, or says which game the book is for.
    pub fn read_for(game: GameId, text: &str) -> Result<Self, ParseError> {
        if text.trim_start_matches('\u{feff}').starts_with(yaneuraou::HEADER) {
            if !Self::has_yaneuraou(game) {
                let first = text.lines().next().unwrap_or_default();
                return Err(ParseError::new("book", first, "it is for shogi"));
            }
            return with_game!(game, G => yaneuraou::read::<G>(text));
        }
        let book = Self::read(text)?;
        if book.game != game {
            let first = text.lines().next().unwrap_or_default();
            return Err(ParseError::new("book", first, format!("it is for {}", book.game)));
        }
        Ok(book)
    }

    /// Whether YaneuraOu's books are for `game`.
    pub fn has_yaneuraou(game: GameId) -> bool {
        matches!(game, GameId::Shogi | GameId::Minishogi)
    }

    /// The book as one of YaneuraOu, for a game that [has](Book::has_yaneuraou) such books.
    pub fn to_yaneuraou(&self) -> String {
        with_game!(self.game, G => yaneuraou::write::<G>(self))
    }

    /// Reads a book of our own.
    ///
    /// # Errors
    /// Shows the line that is wrong.
    pub fn read(text: &str) -> Result<Self, ParseError> {
        let mut lines = without_mark(text).lines();
        let first = lines.next().unwrap_or_default();
        let name = first.strip_prefix(HEADER).ok_or_else(|| {
            let why = format!("a book begins with '{HEADER}' and the name of its game");
            ParseError::new("book", first, why)
        })?;
        let game =
            name.trim().parse().map_err(|_| ParseError::new("book", first, "the game is not known"))?;
        let mut book = Book::new(game);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let bad = |why: &str| ParseError::new("line of a book", line, why);
            let (position, moves) = line.split_once('\t').ok_or_else(|| bad("it has no tab"))?;
            let key = position_key(position);
            if key.is_empty() || key.starts_with('#') {
                return Err(bad("no position stands before its tab"));
            }
            let words: Vec<&str> = moves.split_ascii_whitespace().collect();
            let pairs = words.chunks(2).map(|pair| match pair {
                [mv, weight] => weight.parse().ok().map(|weight| ((*mv).to_owned(), weight)),
                _ => None,
            });
            let pairs: Option<Vec<(String, u32)>> = pairs.collect();
            book.add(&key, pairs.ok_or_else(|| bad("moves and their weights stand in pairs"))?);
        }
        Ok(book)
    }

    /// The book as text that [`Book::read`] reads back: the same book, the same bytes.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEADER}{}\n", self.game);
        for (position, moves) in &self.positions {
            let moves = heaviest_first(moves).into_iter().map(|(mv, weight)| format!("{mv} {weight}"));
            let moves: Vec<String> = moves.collect();
            writeln!(text, "{position}\t{}", moves.join(" ")).expect("writing to a string");
        }
        text
    }
}

/// Moves and their weights, the heaviest first, and of those alike in the order of their texts.
fn heaviest_first(moves: &BTreeMap<String, u32>) -> Vec<(&String, u32)> {
    let mut moves: Vec<(&String, u32)> = moves.iter().map(|(mv, &weight)| (mv, weight)).collect();
    moves.sort_by_key(|(_, weight)| Reverse(*weight));
    moves
}

/// What books know a position by: the board and the side to move of a FEN.
pub fn position_key(fen: &str) -> String {
    fen.split_ascii_whitespace().take(2).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::{
        base::rng::Rng as Seeded,
        games::rules::{
            RuleSet, Setup,
            shogi::{Minishogi, Shogi},
        },
    };

    fn start() -> Shogi {
        Shogi::start(RuleSet::Csa27, Setup::Standard, &mut Seeded::seed_from_u64(1))
    }

    fn book() -> Book {
        let mut book = Book::new(GameId::Shogi);
        let moves = [("c3c4", 1), ("g3g4", 3), ("a1a9", 5), ("i3i4", 0)];
        book.add(&start().fen(), moves.map(|(mv, weight)| (mv.to_owned(), weight)));
        book
    }

    #[test]
    fn a_book_is_read_back() {
        let text = book().to_text();
        assert_eq!(Book::read(&text), Ok(book()));
        let commented = text.replacen('\n', "\n# a comment\n\n", 1);
        assert_eq!(Book::read(&commented).unwrap().to_text(), text);
        let marked = format!("\u{feff}{text}");
        assert_eq!(Book::read(&marked), Ok(book()));
        assert_eq!(Book::read_for(GameId::Shogi, &marked), Ok(book()));
        assert_eq!(book().len(), 1);
        for bad in [
            "",
            "sanki book 2 shogi\n",
            "sanki book 1 chess\n",
            "sanki book 1 shogi\nx g3g4 1\n",
            "sanki book 1 shogi\nx\tg3g4\n",
            "sanki book 1 shogi\nx\tg3g4 -1\n",
            "sanki book 1 shogi\n #x\tg3g4 1\n",
            "sanki book 1 shogi\n\tg3g4 1\n",
        ] {
            assert!(Book::read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_position_that_comes_again_keeps_all_its_moves() {
        let line = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w";
        let text = format!("{HEADER}shogi\n{line}\tc3c4 2 g3g4 3\n{line}\tc3c4 4294967295 h3h4 1 g3g4 1\n");
        let book = Book::read(&text).unwrap();
        assert_eq!(book.to_text(), format!("{HEADER}shogi\n{line}\tc3c4 4294967295 g3g4 4 h3h4 1\n"));
        // YaneuraOu counts plies, so that one position stands there several times.
        let board = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
        let text = format!(
            "#YANEURAOU-DB2016 1.00\n{board} 1\n7g7f none 0 0 100\n2g2f none 0 0 7\n{board} 5\n9g9f none 0 0 1\n2g2f none 0 0 2\n"
        );
        let book = Book::read_for(GameId::Shogi, &text).unwrap();
        let moves: Vec<(String, u32)> =
            book.moves(&start()).into_iter().map(|(mv, weight)| (mv.to_string(), weight)).collect();
        assert_eq!(
            moves,
            [("c3c4", 100), ("h3h4", 9), ("a3a4", 1)].map(|(mv, weight)| (mv.to_owned(), weight))
        );
    }

    #[test]
    fn yaneuraous_books_are_read_and_written() {
        let text = "#YANEURAOU-DB2016 1.00\n# a comment\n\
            sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
            7g7f 3c3d 50 32 8\n2g2f none 45 32 3\n5g5f none 10 32 9\n9g9f\n\
            sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\r\n3c3d\r\n";
        let book = Book::read_for(GameId::Shogi, text).unwrap();
        assert_eq!(book.len(), 2);
        let moves = |game: &Shogi| -> Vec<(String, u32)> {
            book.moves(game).into_iter().map(|(mv, weight)| (mv.to_string(), weight)).collect()
        };
        let expected = [("c3c4", 8), ("h3h4", 3)].map(|(mv, weight)| (mv.to_owned(), weight));
        assert_eq!(moves(&start()), expected, "others score too far below");
        let mut game = start();
        game.play(game.parse_move("c3c4").unwrap());
        assert_eq!(moves(&game), [("g7g6".to_owned(), 1)]);
        let written = book.to_yaneuraou();
        assert!(
            written.starts_with("#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/"),
            "{written}"
        );
        assert!(written.contains("7g7f none 0 0 8\n2g2f none 0 0 3\n"), "{written}");
        assert_eq!(Book::read_for(GameId::Shogi, &written), Ok(book));
        for (game, bad) in [
            (GameId::Xiangqi, "#YANEURAOU-DB2016 1.00\n"),
            (GameId::Shogi, "#YANEURAOU-DB2016 1.00\n7g7f none 0 0 1\n"),
            (GameId::Shogi, "#YANEURAOU-DB2016 1.00\nsfen nonsense\n"),
            (GameId::Minishogi, text),
            (GameId::Shogi, &text.replace("2g2f", "2g2e")),
            (GameId::Shogi, &text.replace("50 32 8", "50 x 8")),
            (GameId::Xiangqi, &self::book().to_text()),
        ] {
            assert!(Book::read_for(game, bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn moves_are_drawn_by_their_weights() {
        let (book, game) = (book(), start());
        let names: Vec<String> = book.moves(&game).iter().map(|(mv, _)| mv.to_string()).collect();
        assert_eq!(names, ["g3g4", "c3c4"], "legal ones, the heaviest first");
        let mut legal = Vec::new();
        game.legal_moves(&mut legal);
        let mut rng = Seeded::seed_from_u64(2);
        let drawn = |allowed: &[_], rng: &mut Seeded| book.draw(&game, allowed, rng).map(|mv| mv.to_string());
        let often = (0..1000).filter(|_| drawn(&legal, &mut rng).unwrap() == "g3g4").count();
        assert!((690..810).contains(&often), "{often} of 1000");
        let only: Vec<_> = legal.iter().copied().filter(|mv| mv.to_string() == "c3c4").collect();
        assert_eq!(drawn(&only, &mut rng).as_deref(), Some("c3c4"));
        assert_eq!(drawn(&[], &mut rng), None);
        let other = Minishogi::start(RuleSet::Standard, Setup::Standard, &mut rng);
        assert!(book.moves(&other).is_empty());
    }
}
