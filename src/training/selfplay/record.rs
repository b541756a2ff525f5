//! A self-play game as it is kept: moves and what the searches thought, never planes, so that every kind
//! of net trains on every record.

use serde::{Deserialize, Serialize};

use crate::{
    games::{
        records::Record,
        rules::{Game, GameId, Move, Outcome, Reason, RuleSet, Side, Verdict},
    },
    search::Wdl,
    with_game,
};

/// One finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The game played.
    pub game: GameId,
    /// The rule set in force.
    pub rules: RuleSet,
    /// The generation that it belongs to.
    pub generation: u32,
    /// Its number within the generation.
    pub index: u32,
    /// The starting position as a FEN.
    pub start: String,
    /// Every move with its search, in order.
    pub plies: Vec<Ply>,
    /// The candidates of all full searches, one ply's after the other's; [`Ply::candidates`] says how many each has.
    pub candidates: Vec<Candidate>,
    /// Who won.
    pub verdict: Verdict,
    /// The rule that decided it.
    pub reason: Reason,
    /// `[first, second]`, where points decided.
    pub points: Option<[f32; 2]>,
    /// Whether resigning was open to the players.
    pub resigning: Resigning,
}

/// Whether a game's players could resign. The order of the variants is part of the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Resigning {
    /// The game was played to its end although a side could have resigned: such games measure the error of resigning.
    PlayedOut,
    /// A hopeless side resigned.
    Open,
}

/// How a move was found. The order of the variants is part of the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SearchDepth {
    /// Drawn among the legal moves, without a search, to vary the openings.
    Random,
    /// A search of few simulations: its move counts, its policy teaches nothing.
    Quick,
    /// A search of all simulations.
    Full,
}

/// One move and its search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ply {
    /// [`crate::games::rules::Move::bits`] of the move played.
    pub mv: u16,
    /// How it was found.
    pub search: SearchDepth,
    /// The root's value after the search, for the side that moved: `[win, loss]` in units of 1/65535.
    pub wdl: [u16; 2],
    /// How many of the game's candidates are this ply's.
    pub candidates: u16,
}

/// A root move that the search gave weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// [`crate::games::rules::Move::bits`].
    pub mv: u16,
    /// Visits of the search.
    pub visits: u16,
    /// The move's share of the policy target, in units of 1/65535.
    pub share: u16,
}

const UNIT: f32 = 65535.0;

/// The probability of `units` units of 1/65535.
pub(crate) fn probability(units: u16) -> f32 {
    f32::from(units) / UNIT
}

/// A probability in units of 1/65535.
pub(super) fn quantise(probability: f32) -> u16 {
    (probability.clamp(0.0, 1.0) * UNIT).round() as u16
}

impl Ply {
    /// The root's value after the search, for the side that moved.
    pub fn root_wdl(&self) -> Wdl {
        let [win, loss] = self.wdl.map(probability);
        Wdl { win, draw: (1.0 - win - loss).max(0.0), loss }
    }
}

impl Candidate {
    /// The move's share of the policy target, in `0.0..=1.0`.
    pub fn share(&self) -> f32 {
        probability(self.share)
    }
}

impl GameRecord {
    /// Each ply with its candidates.
    pub fn plies(&self) -> impl Iterator<Item = (&Ply, &[Candidate])> {
        let mut rest = self.candidates.as_slice();
        self.plies.iter().map(move |ply| {
            let (own, after) = rest.split_at(usize::from(ply.candidates));
            rest = after;
            (ply, own)
        })
    }

    /// Who moves first: the second field of the starting FEN.
    pub fn first_mover(&self) -> Side {
        match self.start.split_whitespace().nth(1) {
            Some("b") => Side::Second,
            _ => Side::First,
        }
    }

    /// How many plies were searched: what a budget of positions counts.
    pub fn positions(&self) -> usize {
        self.plies.iter().filter(|ply| ply.search != SearchDepth::Random).count()
    }

    /// As records keep it.
    pub fn to_record(&self) -> Record {
        let text = |bits: u16| with_game!(self.game, G => <G as Game>::Move::from_bits(bits).to_string());
        let player = format!("generation {}", self.generation);
        Record {
            game: self.game,
            rules: self.rules,
            number: self.index.saturating_add(1),
            opening: None,
            tags: Vec::new(),
            players: [player.clone(), player],
            start: self.start.clone(),
            moves: self.plies.iter().map(|ply| text(ply.mv)).collect(),
            outcome: Some(self.outcome()),
        }
    }

    /// How the game ended.
    pub fn outcome(&self) -> Outcome {
        Outcome { verdict: self.verdict, reason: self.reason, points: self.points }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records name games, rules and reasons by their place in these lists: new ones go to the end.
    #[test]
    fn the_bytes_of_names_never_change() {
        let byte = |bytes: postcard::Result<Vec<u8>>| bytes.unwrap()[0];
        let games = [GameId::Shogi, GameId::Minishogi, GameId::Dobutsu];
        assert_eq!(games.map(|game| byte(postcard::to_stdvec(&game))), [0, 1, 2]);
        let games = [GameId::Janggi, GameId::Xiangqi, GameId::Minixiangqi];
        assert_eq!(games.map(|game| byte(postcard::to_stdvec(&game))), [3, 4, 5]);
        let next = [GameId::ALL.len() as u8];
        assert!(postcard::from_bytes::<GameId>(&next).is_err(), "a game is missing in GameId::ALL");
        let rules =
            [RuleSet::Standard, RuleSet::Threefold, RuleSet::Csa27, RuleSet::Jsa24, RuleSet::Stouten1990];
        assert_eq!(rules.map(|rules| byte(postcard::to_stdvec(&rules))), [0, 1, 2, 3, 4]);
        let rules = [
            RuleSet::Points,
            RuleSet::Traditional,
            RuleSet::Kakao,
            RuleSet::Casual,
            RuleSet::Martin1995,
            RuleSet::Axf,
            RuleSet::Wang1994,
        ];
        assert_eq!(rules.map(|rules| byte(postcard::to_stdvec(&rules))), [5, 6, 7, 8, 9, 10, 11]);
        for (place, reason) in Reason::ALL.iter().enumerate() {
            assert_eq!(usize::from(byte(postcard::to_stdvec(reason))), place, "{reason}");
        }
        let named =
            [(Reason::Checkmate, 0), (Reason::Repetition, 4), (Reason::Adjudicated, 15), (Reason::Crash, 19)];
        named.iter().for_each(|(reason, place)| assert_eq!(Reason::ALL[*place], *reason));
        assert_eq!(postcard::to_stdvec(&Verdict::Win(Side::Second)).unwrap(), [0, 1]);
        assert_eq!(postcard::to_stdvec(&Verdict::Draw).unwrap(), [1]);
        assert_eq!(byte(postcard::to_stdvec(&SearchDepth::Full)), 2);
        assert_eq!(byte(postcard::to_stdvec(&Resigning::Open)), 1);
    }
}
