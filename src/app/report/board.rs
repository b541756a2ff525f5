//! What the boards and pieces of the games look like.

use std::collections::BTreeMap;

use serde::Serialize;

use super::glyphs;
use crate::{
    games::{
        notation::Style,
        rules::{Game, GameId, Side, janggi, xiangqi},
    },
    with_game,
};

/// All that the script must know to draw a game.
#[derive(Serialize)]
pub(crate) struct BoardData {
    game: GameId,
    files: usize,
    ranks: usize,
    /// Whether a player may pass, and declare.
    passes: bool,
    declares: bool,
    shape: Shape,
    /// What the sides are called, the first one before the second.
    pub(super) sides: [&'static str; 2],
    /// What is written on the two halves of the river, where there is one: names of `characters`.
    #[serde(skip_serializing_if = "Option::is_none")]
    river: Option<[[&'static str; 2]; 2]>,
    /// The middles of the palaces, as file and rank from 0.
    palaces: Vec<[usize; 2]>,
    /// Points with ticks around them, or squares with a dot at the lower left corner, as file and rank from 0.
    marks: Vec<[usize; 2]>,
    /// What stands at the edges, where the page lists moves in a notation with coordinates of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<Labels>,
    /// The pieces that a hand can hold, as players list them.
    hand: &'static str,
    /// By the piece's letter in a FEN: uppercase for the first side, with a `+` where promoted.
    pieces: BTreeMap<String, Face>,
    /// The outlines of the characters, by name.
    characters: BTreeMap<&'static str, &'static str>,
    /// The pictograms, by name.
    pictograms: BTreeMap<&'static str, &'static str>,
}

/// Coordinates as a notation has them, as the first side sees them.
#[derive(Serialize)]
struct Labels {
    /// Below the board, from the left.
    near: Vec<String>,
    /// Above it, from the left, where the second side counts for itself.
    far: Vec<String>,
    /// Beside it, from the top.
    ranks: Vec<String>,
}

impl Labels {
    /// Those of `style` on a board of so many files and ranks; `None` where files have letters and ranks numbers.
    fn of(style: Style, files: usize, ranks: usize) -> Option<Self> {
        const KANJI: [&str; 9] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];
        let kanji =
            |numbers: &mut dyn Iterator<Item = usize>| numbers.map(|n| KANJI[n - 1].to_owned()).collect();
        let digits =
            |numbers: &mut dyn Iterator<Item = usize>| numbers.map(|n| (n % 10).to_string()).collect();
        let letters =
            |count: usize| (b'a'..).take(count).map(|letter| char::from(letter).to_string()).collect();
        let from_right = &mut (1..=files).rev();
        match style {
            Style::Kif => {
                Some(Labels { near: digits(from_right), far: Vec::new(), ranks: kanji(&mut (1..=ranks)) })
            }
            Style::Western => {
                Some(Labels { near: digits(from_right), far: Vec::new(), ranks: letters(ranks) })
            }
            Style::Chinese => {
                Some(Labels { near: kanji(from_right), far: digits(&mut (1..=files)), ranks: Vec::new() })
            }
            Style::Wxf => {
                Some(Labels { near: digits(from_right), far: digits(&mut (1..=files)), ranks: Vec::new() })
            }
            Style::Korean | Style::Numbers => Some(Labels {
                near: digits(&mut (1..=files)),
                far: Vec::new(),
                ranks: digits(&mut (1..=ranks)),
            }),
            Style::Uci | Style::Usi | Style::Csa | Style::San => None,
        }
    }
}

/// Pieces are round or octagonal on the points of lines, pentagons or tiles on squares.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Shape {
    Circle,
    Octagon,
    Pentagon,
    Tile,
}

/// What a piece looks like.
#[derive(Serialize)]
struct Face {
    /// What is written on it.
    text: char,
    /// The name of that character's outline.
    character: String,
    /// The name of its pictogram.
    pictogram: &'static str,
    /// Where it can step, as dots around its pictogram: `n` is forward. Marked are pieces that need it: dobutsu's, as on
    /// its real ones, gold and silver, and what a promotion gives.
    #[serde(skip_serializing_if = "str::is_empty")]
    steps: &'static str,
    /// The key of its name in the texts of a page.
    name: String,
    /// Of the largest piece's.
    size: f32,
}

/// Who wrote the characters, as the outlines are named: the hand for each side. Cho's pieces are in grass script, as in
/// every janggi set.
const XIANGQI_HANDS: [&str; 2] = ["kai", "kai"];
const JANGGI_HANDS: [&str; 2] = ["grass", "kai"];
const SHOGI_HANDS: [&str; 2] = ["brush", "brush"];
const DOBUTSU_HANDS: [&str; 2] = ["round", "round"];

const GOLD: &str = "nw n ne w e s";
const SILVER: &str = "nw n ne sw se";
const DIAGONAL: &str = "nw ne sw se";
const STRAIGHT: &str = "n w e s";

/// A kind of piece: its letter, the characters of both sides, the pictogram, its steps and the size.
type Kind = (&'static str, [char; 2], &'static str, &'static str, f32);

/// Shogi's pieces; promoted ones have one character, as in diagrams.
const SHOGI: [Kind; 14] = [
    ("K", ['玉', '王'], "king", "", 1.0),
    ("R", ['飛', '飛'], "rook", "", 0.96),
    ("B", ['角', '角'], "bishop", "", 0.96),
    ("G", ['金', '金'], "gold", GOLD, 0.92),
    ("S", ['銀', '銀'], "silver", SILVER, 0.92),
    ("N", ['桂', '桂'], "horse", "", 0.88),
    ("L", ['香', '香'], "lance", "", 0.88),
    ("P", ['歩', '歩'], "pawn", "", 0.84),
    ("+R", ['龍', '龍'], "rook", DIAGONAL, 0.96),
    ("+B", ['馬', '馬'], "bishop", STRAIGHT, 0.96),
    ("+S", ['全', '全'], "silver", GOLD, 0.92),
    ("+N", ['圭', '圭'], "horse", GOLD, 0.88),
    ("+L", ['杏', '杏'], "lance", GOLD, 0.88),
    ("+P", ['と', 'と'], "pawn", GOLD, 0.84),
];

/// Dobutsu's pieces by the first syllable: raion, kirin, zou, hiyoko and niwatori.
const DOBUTSU: [Kind; 5] = [
    ("L", ['ら', 'ら'], "lion", "nw n ne w e sw s se", 1.0),
    ("G", ['き', 'き'], "giraffe", STRAIGHT, 1.0),
    ("E", ['ぞ', 'ぞ'], "elephant", DIAGONAL, 1.0),
    ("C", ['ひ', 'ひ'], "chick", "n", 1.0),
    ("+C", ['に', 'に'], "hen", GOLD, 1.0),
];

/// The characters on the pieces of `game`, by their letters in a FEN: uppercase for the first side, with a `+` where
/// promoted.
pub fn piece_characters(game: GameId) -> BTreeMap<String, char> {
    BoardData::of(game).pieces.into_iter().map(|(letter, face)| (letter, face.text)).collect()
}

/// The keys of the pieces' names in the texts of a page, for both sides of `game`.
#[cfg(test)]
pub(crate) fn piece_names(game: GameId) -> Vec<String> {
    BoardData::of(game).pieces.into_values().map(|face| face.name).collect()
}

/// What the sides of `game` are called, the first one before the second.
pub fn side_names(game: GameId) -> [&'static str; 2] {
    BoardData::of(game).sides
}

impl BoardData {
    /// That of `game`.
    pub(crate) fn of(game: GameId) -> Self {
        let (files, ranks) = with_game!(game, G => (G::FILES, G::RANKS));
        let squares = |pieces| BoardData {
            game,
            passes: game.facts().has_passes,
            declares: game.facts().has_declarations,
            files,
            ranks,
            shape: Shape::Pentagon,
            sides: ["Sente", "Gote"],
            river: None,
            palaces: Vec::new(),
            marks: Vec::new(),
            labels: None,
            hand: "RBGSNLP",
            pieces,
            characters: BTreeMap::new(),
            pictograms: BTreeMap::new(),
        };
        let points = |pieces| BoardData {
            shape: Shape::Circle,
            sides: ["Red", "Black"],
            palaces: vec![[files / 2, 1], [files / 2, ranks - 2]],
            hand: "",
            ..squares(pieces)
        };
        let board = match game {
            GameId::Shogi => BoardData {
                marks: vec![[3, 3], [6, 3], [3, 6], [6, 6]],
                ..squares(faces("shogi", SHOGI_HANDS, &SHOGI))
            },
            GameId::Minishogi => {
                let pieces = without(faces("shogi", SHOGI_HANDS, &SHOGI), "NL");
                BoardData { hand: "RBGSP", ..squares(pieces) }
            }
            GameId::Dobutsu => BoardData {
                shape: Shape::Tile,
                sides: ["First", "Second"],
                hand: "LGEC",
                ..squares(faces("dobutsu", DOBUTSU_HANDS, &DOBUTSU))
            },
            GameId::Xiangqi => BoardData {
                river: Some([["kai楚", "kai河"], ["kai漢", "kai界"]]),
                marks: cannons_and_pawns(),
                ..points(xiangqi_faces())
            },
            GameId::Minixiangqi => points(without(xiangqi_faces(), "AB")),
            GameId::Guest(_) => squares(BTreeMap::new()),
            GameId::Janggi => BoardData {
                shape: Shape::Octagon,
                sides: ["Cho", "Han"],
                marks: cannons_and_pawns(),
                ..points(janggi_faces())
            },
        };
        board.with_paths()
    }

    /// With the coordinates of moves that are written in `style`.
    pub(crate) fn labelled(self, style: Style) -> Self {
        BoardData { labels: Labels::of(style, self.files, self.ranks), ..self }
    }

    /// With the paths that its pieces and its river name.
    fn with_paths(self) -> Self {
        let faces = self.pieces.values();
        let river = self.river.iter().flatten().flatten().copied();
        let characters = glyphs::characters(faces.clone().map(|face| &*face.character).chain(river));
        let pictograms = glyphs::pictograms(faces.map(|face| face.pictogram));
        BoardData { characters, pictograms, ..self }
    }
}

/// The faces of a small board, which lacks the pieces with these `letters`.
fn without(faces: BTreeMap<String, Face>, letters: &str) -> BTreeMap<String, Face> {
    let is_there = |key: &str| !letters.contains(key.trim_start_matches('+').to_uppercase().as_str());
    faces.into_iter().filter(|(key, _)| is_there(key)).collect()
}

/// Where cannons and pawns of the large boards start.
fn cannons_and_pawns() -> Vec<[usize; 2]> {
    let cannons = [[1, 2], [7, 2], [1, 7], [7, 7]];
    let pawns = [3, 6].into_iter().flat_map(|rank| [0, 2, 4, 6, 8].map(|file| [file, rank]));
    cannons.into_iter().chain(pawns).collect()
}

/// Janggi's sizes: the king the largest, guards and pawns the smallest.
fn janggi_faces() -> BTreeMap<String, Face> {
    use janggi::PalaceKind::{Guard, King, Pawn};
    let size = |kind| match kind {
        King => 1.0,
        Guard | Pawn => 0.75,
        _ => 0.88,
    };
    let kinds = janggi::PalaceKind::ALL.map(|kind| {
        let characters = [Side::First, Side::Second].map(|side| janggi::NAMES.character(kind, side));
        (kind.letter(), characters, size(kind))
    });
    palace_faces("janggi", JANGGI_HANDS, &kinds, "P")
}

fn xiangqi_faces() -> BTreeMap<String, Face> {
    let kinds = xiangqi::PalaceKind::ALL.map(|kind| {
        let characters = [Side::First, Side::Second].map(|side| xiangqi::NAMES.character(kind, side));
        (kind.letter(), characters, 0.92)
    });
    palace_faces("xiangqi", XIANGQI_HANDS, &kinds, "KABP")
}

/// The faces of a game with palaces; those of the second side have names of their own for the letters `renamed`.
fn palace_faces(
    family: &str,
    hands: [&str; 2],
    kinds: &[(char, [char; 2], f32)],
    renamed: &str,
) -> BTreeMap<String, Face> {
    let pictogram = |letter| match letter {
        'K' => "king",
        'A' => "guard",
        'B' => "elephant",
        'N' => "horse",
        'R' => "chariot",
        'C' => "cannon",
        _ => "pawn",
    };
    let mut faces = BTreeMap::new();
    for &(letter, characters, size) in kinds {
        let small = letter.to_ascii_lowercase();
        for (side, of_side) in [letter, small].into_iter().enumerate() {
            let second = if side == 1 && renamed.contains(letter) { "_second" } else { "" };
            let face = Face {
                text: characters[side],
                character: format!("{}{}", hands[side], characters[side]),
                pictogram: pictogram(letter),
                steps: "",
                name: format!("{family}_{small}{second}"),
                size,
            };
            faces.insert(of_side.to_string(), face);
        }
    }
    faces
}

/// The faces of a game with hands.
fn faces(family: &str, hands: [&str; 2], kinds: &[Kind]) -> BTreeMap<String, Face> {
    let mut faces = BTreeMap::new();
    for &(letter, characters, pictogram, steps, size) in kinds {
        let small = letter.to_ascii_lowercase();
        let name = match small.strip_prefix('+') {
            Some(kind) => format!("{family}_{kind}_promoted"),
            None => format!("{family}_{small}"),
        };
        for (side, of_side) in [letter, &*small].into_iter().enumerate() {
            let face = Face {
                text: characters[side],
                character: format!("{}{}", hands[side], characters[side]),
                pictogram,
                steps,
                name: name.clone(),
                size,
            };
            faces.insert(of_side.to_owned(), face);
        }
    }
    faces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_has_both_faces_and_no_page_has_more() {
        for game in GameId::ALL {
            let board = BoardData::of(game);
            for (letter, face) in &board.pieces {
                assert!(face.character.ends_with(face.text), "{game} {letter}");
                assert!(board.characters.contains_key(&*face.character), "{game} {letter}");
                assert!(board.pictograms.contains_key(face.pictogram), "{game} {letter}");
            }
            let river = board.river.iter().flatten().flatten();
            assert!(river.clone().all(|name| board.characters.contains_key(name)), "{game}");
            assert!(board.characters.len() <= board.pieces.len() + river.count(), "{game}");
            let bytes = serde_json::to_string(&board).expect("it serialises").len();
            assert!(bytes < 40_000, "{game}: {bytes} bytes");
        }
    }
    #[test]
    fn the_edges_have_the_coordinates_of_the_moves() {
        let labels = |game, style| {
            let labels = BoardData::of(game).labelled(style).labels;
            labels.map(|labels| [labels.near, labels.far, labels.ranks].map(|edge| edge.concat()))
        };
        let shogi = labels(GameId::Shogi, Style::Kif).expect("its own");
        assert_eq!(shogi, ["987654321", "", "一二三四五六七八九"]);
        assert_eq!(labels(GameId::Minishogi, Style::Western).expect("its own"), ["54321", "", "abcde"]);
        let xiangqi = labels(GameId::Xiangqi, Style::Chinese).expect("its own");
        assert_eq!(xiangqi, ["九八七六五四三二一", "123456789", ""]);
        assert_eq!(labels(GameId::Minixiangqi, Style::Wxf).expect("its own"), ["7654321", "1234567", ""]);
        let janggi = labels(GameId::Janggi, Style::Korean).expect("its own");
        assert_eq!(janggi, ["123456789", "", "1234567890"]);
        assert_eq!(labels(GameId::Janggi, Style::Uci), None);
    }
}
