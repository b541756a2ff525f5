//! What each game tells the notations.

use super::{MoveInfo, Piece, Style};
use crate::games::rules::{
    Game, Point, Side,
    dobutsu::{self, Dobutsu, DobutsuMove, Kind, MoveOrigin},
    janggi::Janggi,
    palace::{PalaceKind, PalaceMove, PalaceSquare},
    shogi::{self, ShogiGame, ShogiMove},
    xiangqi::{self, XiangqiGame},
};

/// A game whose moves have notations.
pub trait Notate: Game {
    /// How its moves are written, its community's way first.
    const STYLES: &'static [Style];

    /// The pieces of `side` on the board.
    fn pieces_of(&self, side: Side) -> Vec<(Piece, Point)>;

    /// What the legal move `mv` does.
    fn move_info(&self, mv: Self::Move) -> MoveInfo;

    /// Where `mv` goes.
    fn target(mv: Self::Move) -> Point;
}

impl<B: shogi::ShogiBoard> Notate for ShogiGame<B> {
    const STYLES: &'static [Style] = &[Style::Kif, Style::Csa, Style::Western, Style::Usi, Style::Uci];

    fn pieces_of(&self, side: Side) -> Vec<(Piece, Point)> {
        let own = self.pieces().filter(|piece| piece.0 == side);
        own.map(|(_, kind, at)| (shogi_piece(kind), shogi_point(at))).collect()
    }

    fn move_info(&self, mv: ShogiMove) -> MoveInfo {
        let kind = match mv.from() {
            Some(from) => self.piece_on(from).expect("a legal move").1,
            None => mv.dropped().expect("a drop"),
        };
        MoveInfo {
            piece: shogi_piece(kind),
            from: mv.from().map(shogi_point),
            to: shogi_point(mv.to()),
            captures: self.piece_on(mv.to()).is_some(),
            promotes: mv.promotes(),
        }
    }

    fn target(mv: ShogiMove) -> Point {
        shogi_point(mv.to())
    }
}

fn shogi_piece(kind: shogi::ShogiKind) -> Piece {
    Piece { letter: kind.letter(), promoted: kind.is_promoted() }
}

fn shogi_point(square: shogi::ShogiSquare) -> Point {
    Point { file: square.file(), rank: square.rank() }
}

impl Notate for Dobutsu {
    const STYLES: &'static [Style] = &[Style::Western, Style::Usi, Style::Uci];

    fn pieces_of(&self, side: Side) -> Vec<(Piece, Point)> {
        let of_kind = |kind: Kind| {
            let squares = dobutsu::squares(self.position().pieces(side, kind));
            squares.map(move |square| (dobutsu_piece(kind), dobutsu_point(square)))
        };
        Kind::ALL.into_iter().flat_map(of_kind).collect()
    }

    fn move_info(&self, mv: DobutsuMove) -> MoveInfo {
        let (position, side) = (self.position(), self.side_to_move());
        let (kind, from) = match mv.from() {
            MoveOrigin::Square(square) => {
                (position.kind_at(side, square).expect("a legal move"), Some(square))
            }
            MoveOrigin::Hand(kind) => (kind, None),
        };
        MoveInfo {
            piece: dobutsu_piece(kind),
            from: from.map(dobutsu_point),
            to: dobutsu_point(mv.to()),
            captures: position.kind_at(!side, mv.to()).is_some(),
            promotes: mv.is_promotion(),
        }
    }

    fn target(mv: DobutsuMove) -> Point {
        dobutsu_point(mv.to())
    }
}

fn dobutsu_piece(kind: Kind) -> Piece {
    Piece { letter: kind.letter(), promoted: kind == Kind::Hen }
}

fn dobutsu_point(square: usize) -> Point {
    Point { file: (square % Dobutsu::FILES) as u8, rank: (square / Dobutsu::FILES) as u8 }
}

impl Notate for Janggi {
    const STYLES: &'static [Style] = &[Style::Korean, Style::Numbers, Style::San, Style::Uci];

    fn pieces_of(&self, side: Side) -> Vec<(Piece, Point)> {
        palace_pieces(self.pieces(), side)
    }

    fn move_info(&self, mv: PalaceMove) -> MoveInfo {
        palace_step(mv, |square| self.piece_on(square))
    }

    fn target(mv: PalaceMove) -> Point {
        palace_point(mv.to())
    }
}

impl<B: xiangqi::XiangqiBoard> Notate for XiangqiGame<B> {
    const STYLES: &'static [Style] = &[Style::Chinese, Style::Wxf, Style::San, Style::Uci];

    fn pieces_of(&self, side: Side) -> Vec<(Piece, Point)> {
        palace_pieces(self.pieces(), side)
    }

    fn move_info(&self, mv: PalaceMove) -> MoveInfo {
        palace_step(mv, |square| self.piece_on(square))
    }

    fn target(mv: PalaceMove) -> Point {
        palace_point(mv.to())
    }
}

fn palace_pieces(
    pieces: impl Iterator<Item = (Side, PalaceKind, PalaceSquare)>,
    side: Side,
) -> Vec<(Piece, Point)> {
    let own = pieces.filter(|piece| piece.0 == side);
    own.map(|(_, kind, at)| (palace_piece(kind), palace_point(at))).collect()
}

fn palace_step(mv: PalaceMove, on: impl Fn(PalaceSquare) -> Option<(Side, PalaceKind)>) -> MoveInfo {
    let kind = on(mv.from()).expect("a legal move").1;
    MoveInfo {
        piece: palace_piece(kind),
        from: Some(palace_point(mv.from())),
        to: palace_point(mv.to()),
        captures: !mv.is_pass() && on(mv.to()).is_some(),
        promotes: false,
    }
}

fn palace_piece(kind: PalaceKind) -> Piece {
    Piece { letter: kind.letter(), promoted: false }
}

fn palace_point(square: PalaceSquare) -> Point {
    Point { file: square.file(), rank: square.rank() }
}
