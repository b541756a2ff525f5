//! What the boards and pieces of the games look like.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    rules::{Game, GameId, Side, janggi, xiangqi},
    with_game,
};

/// All that the script must know to draw a game.
#[derive(Serialize)]
pub(crate) struct Board {
    game: GameId,
    /// The language whose forms of the characters are meant.
    lang: &'static str,
    files: usize,
    ranks: usize,
    shape: Shape,
    /// What the sides are called, the first one before the second.
    pub(super) sides: [&'static str; 2],
    /// What is written on the river, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    river: Option<[&'static str; 2]>,
    /// The middles of the palaces, as file and rank from 0.
    palaces: Vec<[usize; 2]>,
    /// Points with ticks around them, or squares with a dot at the lower left corner, as file and rank from 0.
    marks: Vec<[usize; 2]>,
    /// The pieces that a hand can hold, as players list them.
    hand: &'static str,
    /// By the piece's letter in a FEN: uppercase for the first side, with a `+` where promoted.
    pieces: BTreeMap<String, Face>,
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

/// What is written on a piece.
#[derive(Serialize)]
struct Face {
    text: char,
    /// Of the largest piece's.
    size: f32,
}

/// A kind of piece: its letter, the characters of both sides and the size.
type Kind<'a> = (&'a str, [char; 2], f32);

/// Shogi's pieces; promoted ones have one character, as in diagrams.
const SHOGI: [Kind; 14] = [
    ("K", ['玉', '王'], 1.0),
    ("R", ['飛', '飛'], 0.96),
    ("B", ['角', '角'], 0.96),
    ("G", ['金', '金'], 0.92),
    ("S", ['銀', '銀'], 0.92),
    ("N", ['桂', '桂'], 0.88),
    ("L", ['香', '香'], 0.88),
    ("P", ['歩', '歩'], 0.84),
    ("+R", ['龍', '龍'], 0.96),
    ("+B", ['馬', '馬'], 0.96),
    ("+S", ['全', '全'], 0.92),
    ("+N", ['圭', '圭'], 0.88),
    ("+L", ['杏', '杏'], 0.88),
    ("+P", ['と', 'と'], 0.84),
];

/// Dobutsu's pieces by the first syllable: raion, kirin, zou, hiyoko and niwatori.
const DOBUTSU: [Kind; 5] = [
    ("L", ['ら', 'ら'], 1.0),
    ("G", ['き', 'き'], 1.0),
    ("E", ['ぞ', 'ぞ'], 1.0),
    ("C", ['ひ', 'ひ'], 1.0),
    ("+C", ['に', 'に'], 1.0),
];

/// The characters on the pieces of `game`, by their letters in a FEN: uppercase for the first side, with a `+` where
/// promoted.
pub fn piece_characters(game: GameId) -> BTreeMap<String, char> {
    Board::of(game).pieces.into_iter().map(|(letter, face)| (letter, face.text)).collect()
}

/// What the sides of `game` are called, the first one before the second.
pub fn side_names(game: GameId) -> [&'static str; 2] {
    Board::of(game).sides
}

impl Board {
    /// That of `game`.
    pub(crate) fn of(game: GameId) -> Self {
        let (files, ranks) = with_game!(game, G => (G::FILES, G::RANKS));
        let squares = |pieces| Board {
            game,
            lang: "ja",
            files,
            ranks,
            shape: Shape::Pentagon,
            sides: ["Sente", "Gote"],
            river: None,
            palaces: Vec::new(),
            marks: Vec::new(),
            hand: "RBGSNLP",
            pieces,
        };
        let points = |pieces| Board {
            lang: "zh-Hant",
            shape: Shape::Circle,
            sides: ["Red", "Black"],
            palaces: vec![[files / 2, 1], [files / 2, ranks - 2]],
            hand: "",
            ..squares(pieces)
        };
        match game {
            GameId::Shogi => Board { marks: vec![[3, 3], [6, 3], [3, 6], [6, 6]], ..squares(faces(&SHOGI)) },
            GameId::Minishogi => Board { hand: "RBGSP", ..squares(faces(&SHOGI)) },
            GameId::Dobutsu => Board {
                shape: Shape::Tile,
                sides: ["First", "Second"],
                hand: "LGEC",
                ..squares(faces(&DOBUTSU))
            },
            GameId::Xiangqi => {
                Board {
                    river: Some(["楚河", "漢界"]), marks: cannons_and_pawns(), ..points(xiangqi_faces())
                }
            }
            GameId::Minixiangqi => points(xiangqi_faces()),
            GameId::Janggi => Board {
                lang: "ko",
                shape: Shape::Octagon,
                sides: ["Cho", "Han"],
                marks: cannons_and_pawns(),
                ..points(janggi_faces())
            },
        }
    }
}

/// Where cannons and pawns of the large boards start.
fn cannons_and_pawns() -> Vec<[usize; 2]> {
    let cannons = [[1, 2], [7, 2], [1, 7], [7, 7]];
    let pawns = [3, 6].into_iter().flat_map(|rank| [0, 2, 4, 6, 8].map(|file| [file, rank]));
    cannons.into_iter().chain(pawns).collect()
}

/// Janggi's sizes: the king the largest, guards and pawns the smallest.
fn janggi_faces() -> BTreeMap<String, Face> {
    use janggi::PieceKind::{Guard, King, Pawn};
    let size = |kind| match kind {
        King => 1.0,
        Guard | Pawn => 0.75,
        _ => 0.88,
    };
    let kind = |kind: janggi::PieceKind| {
        both_sides(kind.letter(), |side| janggi::NAMES.character(kind, side), size(kind))
    };
    janggi::PieceKind::ALL.into_iter().flat_map(kind).collect()
}

fn xiangqi_faces() -> BTreeMap<String, Face> {
    let kind = |kind: xiangqi::PieceKind| {
        both_sides(kind.letter(), |side| xiangqi::NAMES.character(kind, side), 0.92)
    };
    xiangqi::PieceKind::ALL.into_iter().flat_map(kind).collect()
}

fn both_sides(letter: char, character: impl Fn(Side) -> char, size: f32) -> [(String, Face); 2] {
    [(letter, Side::First), (letter.to_ascii_lowercase(), Side::Second)]
        .map(|(letter, side)| (letter.to_string(), Face { text: character(side), size }))
}

fn faces(kinds: &[Kind<'_>]) -> BTreeMap<String, Face> {
    let mut faces = BTreeMap::new();
    for &(letter, [first, second], size) in kinds {
        faces.insert(letter.to_owned(), Face { text: first, size });
        faces.insert(letter.to_ascii_lowercase(), Face { text: second, size });
    }
    faces
}
