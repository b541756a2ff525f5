//! What a text says of a move, and which legal moves that fits.

use super::{
    Notate, Point, Step,
    scene::Scene,
    xiangqi::{self, Among, Way},
};

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
    pub(super) fn of(point: Point) -> Self {
        Place { file: Some(point.file), rank: Some(point.rank) }
    }

    fn holds(self, point: Point) -> bool {
        self.file.is_none_or(|file| file == point.file) && self.rank.is_none_or(|rank| rank == point.rank)
    }
}

impl<G: Notate> Scene<G> {
    /// The legal moves that fit those of `claims` which are least in doubt.
    pub(super) fn fitting(&self, claims: &[Claim]) -> Vec<G::Move> {
        let mut doubts: Vec<u8> = claims.iter().map(|claim| claim.doubt).collect();
        doubts.sort_unstable();
        doubts.dedup();
        let fitting = |doubt: u8| {
            let fits = |step: &Step| {
                claims.iter().filter(|claim| claim.doubt == doubt).any(|claim| claim.fits(self, step))
            };
            let moves = self.steps.iter().filter(|(_, step)| fits(step)).map(|(mv, _)| *mv);
            moves.collect::<Vec<_>>()
        };
        doubts.into_iter().map(fitting).find(|moves| !moves.is_empty()).unwrap_or_default()
    }
}

impl Claim {
    fn fits<G: Notate>(&self, scene: &Scene<G>, step: &Step) -> bool {
        let agrees = |said: Option<bool>, is: bool| said.is_none_or(|said| said == is);
        self.kinds.is_none_or(|kinds| kinds.contains(step.piece.letter))
            && agrees(self.promoted, step.piece.promoted)
            && agrees(self.dropped, step.from.is_none())
            && agrees(self.promotes, step.promotes)
            && self.to.holds(step.to)
            && (self.from == Place::default() || step.from.is_some_and(|from| self.from.holds(from)))
            && self.way.is_none_or(|way| step.from.is_some() && xiangqi::way(scene, step) == way)
            && self.rank_among.is_none_or(|among| xiangqi::is_among(scene, step, among))
    }
}
