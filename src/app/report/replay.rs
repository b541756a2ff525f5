//! Games as a page stores them: what stands where at first, and what each move changed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use anyhow::{Context, Result};

use crate::games::rules::{Game, RuleSet, Side};

/// A game that was played again.
pub(crate) struct ReplayData {
    /// Whose turn it was at the start.
    pub(crate) turn: Side,
    /// The start as changes from an empty board, then the changes that each move made, with spaces between. A
    /// change is a square and what stands there now (`e3P`, `e4+p`, `e2.`), or a piece and how many of it
    /// are now in hand (`*P2`). A pass changes nothing.
    pub(crate) changes: String,
}

/// Plays the `moves` since the FEN `start` again.
///
/// # Errors
/// When they were not played by `rules`.
pub(crate) fn replay<G: Game>(rules: RuleSet, start: &str, moves: &str) -> Result<ReplayData> {
    let mut position = G::from_fen(rules, start).context("the start")?;
    let turn = position.side_to_move();
    let mut before = Placement::empty::<G>();
    let mut changes = String::new();
    before.change_to(Placement::of(&position), &mut changes);
    for (text, ply) in moves.split_ascii_whitespace().zip(1..) {
        let mv = position.parse_move(text).with_context(|| format!("ply {ply}"))?;
        position.play(mv);
        changes.push(' ');
        before.change_to(Placement::of(&position), &mut changes);
    }
    Ok(ReplayData { turn, changes })
}

/// A piece by its letter in a FEN, uppercase for the first side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedPiece {
    /// The letter.
    pub letter: char,
    /// Whether a `+` stands before it.
    pub promoted: bool,
}

/// What stands where, and the hands.
#[derive(Debug)]
pub struct Placement {
    files: usize,
    /// In the order of a FEN: by ranks from the top, each from file `a`.
    pub squares: Vec<Option<PlacedPiece>>,
    /// How many of each piece, by its letter; without those of which there is none.
    pub hands: BTreeMap<char, u32>,
}

impl Placement {
    fn empty<G: Game>() -> Self {
        Placement { files: G::FILES, squares: vec![None; G::SQUARES], hands: BTreeMap::new() }
    }

    /// Reads the FEN of `game`.
    pub fn of<G: Game>(game: &G) -> Self {
        let fen = game.fen();
        let field = fen.split(' ').next().expect("a FEN begins with the board");
        let (board, hands) = field.split_once('[').unwrap_or((field, ""));
        let mut placement = Placement { squares: Vec::with_capacity(G::SQUARES), ..Self::empty::<G>() };
        let mut promoted = false;
        for letter in board.chars() {
            match letter {
                '/' => {}
                '+' => promoted = true,
                letter if letter.is_ascii_digit() => {
                    let empty = letter.to_digit(10).expect("a digit");
                    placement.squares.extend((0..empty).map(|_| None));
                }
                letter => {
                    placement.squares.push(Some(PlacedPiece { letter, promoted }));
                    promoted = false;
                }
            }
        }
        for letter in hands.chars().filter(char::is_ascii_alphabetic) {
            *placement.hands.entry(letter).or_default() += 1;
        }
        placement
    }

    /// Becomes `next` and appends the changes.
    fn change_to(&mut self, next: Placement, changes: &mut String) {
        let ranks = self.squares.len() / self.files;
        for (place, (old, new)) in self.squares.iter().zip(&next.squares).enumerate() {
            if old != new {
                let file = (b'a' + (place % self.files) as u8) as char;
                write!(changes, "{file}{}", ranks - place / self.files).expect("writing to a string");
                match new {
                    None => changes.push('.'),
                    Some(piece) => {
                        changes.extend(piece.promoted.then_some('+'));
                        changes.push(piece.letter);
                    }
                }
            }
        }
        let kinds: BTreeSet<&char> = self.hands.keys().chain(next.hands.keys()).collect();
        for kind in kinds {
            let now = next.hands.get(kind).copied().unwrap_or(0);
            if self.hands.get(kind) != Some(&now) {
                write!(changes, "*{kind}{now}").expect("writing to a string");
            }
        }
        *self = next;
    }
}
