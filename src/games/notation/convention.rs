//! Ways in which whole records are written, beyond what single moves can tell.

use super::{
    Notate, Style,
    algebra::{self, Board, Squares},
    candidates::Candidates,
    claim::Claim,
    japanese::JapaneseMove,
    normalize::normalize,
    words,
};
use crate::games::rules::Family;

/// How the moves of a record are written. In most positions `h2e2` can be one move only, but whether it counts ranks
/// from 0 the whole record tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// In any way that the players of the game know, with ranks counted from 1.
    Usual,
    /// The same with ranks counted from 0, as in UCCI and most Chinese programs.
    RanksFromZero,
    /// In a notation of another game, as programs for many games offer it: janggi's numbers,
    Numbers,
    /// the western letters and numbers of shogi,
    Hodges,
    /// the western numbers of shogi,
    HodgesNumbers,
    /// or the files of xiangqi.
    Files,
}

impl Convention {
    /// Those in which moves of `G` may be written, the usual first.
    pub fn all<G: Notate>() -> Vec<Convention> {
        use Convention::{Files, Hodges, HodgesNumbers, Numbers, RanksFromZero, Usual};
        match G::ID.facts().family {
            Family::Palace => vec![Usual, RanksFromZero, Numbers, Hodges, HodgesNumbers, Files],
            Family::Shogi => vec![Usual, Numbers, Files],
        }
    }

    /// Whether it is a notation of another game.
    pub(super) fn is_foreign(self) -> bool {
        !matches!(self, Convention::Usual | Convention::RanksFromZero)
    }

    /// The legal moves that `text` may mean in it, in one of `styles` where it is the usual one.
    pub(super) fn fitting<G: Notate>(
        self,
        candidates: &Candidates<G>,
        text: &str,
        styles: &[Style],
    ) -> Vec<G::Move> {
        match (self, G::ID.facts().family) {
            (Convention::Files, Family::Shogi) => candidates.by_files(&normalize(text, Style::Wxf)),
            _ => match self.japanese(text, styles) {
                Some(words) => words.fitting(candidates),
                None => candidates.fitting(&self.claims(candidates, text, styles)),
            },
        }
    }

    /// What `text` says in Japanese, where that is one of `styles`.
    fn japanese(self, text: &str, styles: &[Style]) -> Option<JapaneseMove> {
        if self != Convention::Usual || !styles.contains(&Style::Kif) {
            return None;
        }
        let letters: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        let (words, rest) = JapaneseMove::read(&letters)?;
        rest.is_empty().then_some(words)
    }

    /// Whether `text` says what a move of `G` could, be it legal or not.
    pub(super) fn has_form<G: Notate>(self, candidates: &Candidates<G>, text: &str) -> bool {
        let words = self.japanese(text, G::STYLES);
        words.is_some_and(|words| words.target::<G>(candidates.last).is_some())
            || !self.claims(candidates, text, G::STYLES).is_empty()
            || !self.fitting(candidates, text, G::STYLES).is_empty()
    }

    /// What `text` may say in it, in one of `styles` where it is the usual one; Japanese is not among them.
    fn claims<G: Notate>(self, candidates: &Candidates<G>, text: &str, styles: &[Style]) -> Vec<Claim> {
        let board = Board { files: G::FILES as u8, ranks: G::RANKS as u8, family: G::ID.facts().family };
        let algebra = |squares| algebra::claims(&normalize(text, Style::Uci), squares, board);
        let files = |style| words::by_files(&normalize(text, style), candidates.side, board);
        match self {
            Convention::Numbers => algebra(Squares::Janggi),
            Convention::Hodges => algebra(Squares::Hodges),
            Convention::HodgesNumbers => algebra(Squares::Numbers),
            Convention::Files => files(Style::Wxf),
            Convention::Usual | Convention::RanksFromZero => {
                let first_rank = if self == Convention::Usual { 1 } else { 0 };
                let of_style = |style: &Style| match style {
                    Style::Uci | Style::San => algebra(Squares::Letters { first_rank }),
                    Style::Usi => algebra(Squares::Hodges),
                    Style::Western => [algebra(Squares::Hodges), algebra(Squares::Numbers)].concat(),
                    Style::Numbers => algebra(Squares::Janggi),
                    Style::Wxf | Style::Chinese => files(*style),
                    Style::Korean => words::korean(&normalize(text, *style), board),
                    Style::Kif | Style::Csa => Vec::new(),
                };
                styles.iter().flat_map(of_style).collect()
            }
        }
    }
}
