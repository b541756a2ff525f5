//! What a text says of a move, and which legal moves that fits.

use super::{
    MoveInfo, Notate,
    candidates::Candidates,
    xiangqi::{self, Among, Way},
};
use crate::games::rules::Point;

/// What a text says of a move; `None` where it says nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Claim {
    /// The letters of the kinds that the piece may be of.
    pub(super) kinds: Option<&'static str>,
    pub(super) promoted: Option<bool>,
    pub(super) dropped: Option<bool>,
    pub(super) from: Place,
    pub(super) to: Place,
    pub(super) promotes: Option<bool>,
    /// Which of the pieces of its kind on one file it is.
    pub(super) rank_among: Option<Among>,
    /// The way that it goes, as its side sees it, and how far or to which file.
    pub(super) way: Option<(Way, u8)>,
    /// How far from the usual the reading is: a claim counts only where none with less doubt fits a move.
    pub(super) doubt: u8,
}

/// A file and a rank, from 0 at the first player's left; `None` where it is not said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: Option<u8>,
    pub(super) rank: Option<u8>,
}

impl Place {
    fn holds(self, point: Point) -> bool {
        self.file.is_none_or(|file| file == point.file) && self.rank.is_none_or(|rank| rank == point.rank)
    }
}

impl<G: Notate> Candidates<G> {
    /// The legal moves that fit those of `claims` which are least in doubt.
    pub(super) fn fitting(&self, claims: &[Claim]) -> Vec<G::Move> {
        let mut doubts: Vec<u8> = claims.iter().map(|claim| claim.doubt).collect();
        doubts.sort_unstable();
        doubts.dedup();
        let fitting = |doubt: u8| {
            let fits = |move_info: &MoveInfo| {
                claims.iter().filter(|claim| claim.doubt == doubt).any(|claim| claim.fits(self, move_info))
            };
            let moves = self.steps.iter().filter(|(_, move_info)| fits(move_info)).map(|(mv, _)| *mv);
            moves.collect::<Vec<_>>()
        };
        doubts.into_iter().map(fitting).find(|moves| !moves.is_empty()).unwrap_or_default()
    }
}

impl Claim {
    fn fits<G: Notate>(&self, candidates: &Candidates<G>, move_info: &MoveInfo) -> bool {
        let agrees = |said: Option<bool>, is: bool| said.is_none_or(|said| said == is);
        self.kinds.is_none_or(|kinds| kinds.contains(move_info.piece.letter))
            && agrees(self.promoted, move_info.piece.promoted)
            && agrees(self.dropped, move_info.from.is_none())
            && agrees(self.promotes, move_info.promotes)
            && self.to.holds(move_info.to)
            && (self.from == Place::default() || move_info.from.is_some_and(|from| self.from.holds(from)))
            && self
                .way
                .is_none_or(|way| move_info.from.is_some() && xiangqi::way(candidates, move_info) == way)
            && self.rank_among.is_none_or(|among| xiangqi::is_among(candidates, move_info, among))
    }
}
