//! A position as notations look at it: who can go where.

use super::{Notate, Style, algebraic, janggi, shogi, usi, xiangqi};
use crate::rules::{Game, Side};

/// A square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// From 0 at the first player's left.
    pub file: u8,
    /// From 0 at the first player's side.
    pub rank: u8,
}

/// What a piece is: the capital of its kind in a FEN, and whether it is promoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The letter of the unpromoted kind.
    pub letter: char,
    /// Whether it has promoted.
    pub promoted: bool,
}

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The piece as it stands before the move.
    pub piece: Piece,
    /// Where it comes from; `None` for a drop.
    pub from: Option<Point>,
    /// Where it goes.
    pub to: Point,
    /// Whether it takes a piece.
    pub captures: bool,
    /// Whether it promotes.
    pub promotes: bool,
}

/// A position with its legal moves.
pub(super) struct Scene<G: Game> {
    pub(super) side: Side,
    pub(super) steps: Vec<(G::Move, Step)>,
    /// The pieces on the board of the side to move.
    pub(super) pieces: Vec<(Piece, Point)>,
    /// Where the move before went.
    pub(super) last: Option<Point>,
}

impl<G: Notate> Scene<G> {
    pub(super) fn of(game: &G, last: Option<G::Move>) -> Self {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let side = game.side_to_move();
        Scene {
            side,
            steps: moves.into_iter().map(|mv| (mv, game.step(mv))).collect(),
            pieces: game.pieces_of(side),
            last: last.map(G::target),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.steps.is_empty()
    }

    /// The legal move in `style`, without a mark of check.
    pub(super) fn written(&self, mv: G::Move, style: Style) -> String {
        let (_, step) = self.steps.iter().find(|(legal, _)| *legal == mv).expect("a legal move");
        self.spellings(mv, step, style).swap_remove(0)
    }

    /// The moves of which a spelling in one of `styles` is `text`, both brought to one form.
    pub(super) fn meant(
        &self,
        styles: &[Style],
        text: &str,
        form: impl Fn(&str, Style) -> String,
    ) -> Vec<G::Move> {
        let texts: Vec<String> = styles.iter().map(|&style| form(text, style)).collect();
        let is_meant = |mv: G::Move, step: &Step| {
            let mut asked = styles.iter().zip(&texts);
            asked.any(|(&style, text)| {
                self.spellings(mv, step, style).iter().any(|spelling| form(spelling, style) == *text)
            })
        };
        self.steps.iter().filter(|(mv, step)| is_meant(*mv, step)).map(|(mv, _)| *mv).collect()
    }

    /// How the move may be written, the way we write it first.
    fn spellings(&self, mv: G::Move, step: &Step, style: Style) -> Vec<String> {
        match style {
            Style::Uci => vec![mv.to_string()],
            Style::Usi => vec![usi::<G>(mv)],
            Style::Kif => shogi::kif(self, step),
            Style::Csa => vec![shogi::csa(self, step)],
            Style::Western => vec![shogi::western(self, step)],
            Style::San => algebraic::san(self, step),
            Style::Wxf => vec![xiangqi::wxf(self, step)],
            Style::Chinese => vec![xiangqi::chinese(self, step)],
            Style::Korean => vec![janggi::korean(self, step)],
            Style::Numbers => vec![janggi::numbers(step)],
        }
    }

    /// The origins of the moves by which other pieces of the same kind can go to the same square.
    pub(super) fn rivals(&self, step: &Step) -> Vec<Point> {
        let is_rival =
            |other: &Step| other.piece == step.piece && other.to == step.to && other.from != step.from;
        self.steps.iter().filter(|(_, other)| is_rival(other)).filter_map(|(_, other)| other.from).collect()
    }

    /// Whether the same piece could promote by going there.
    pub(super) fn could_promote(&self, step: &Step) -> bool {
        self.steps.iter().any(|(_, other)| {
            other.promotes && other.from == step.from && other.to == step.to && step.from.is_some()
        })
    }
}
