//! Xiangqi and minixiangqi: one implementation, generic over the board.
//!
//! [`XiangqiGame`] is the position and its history, and answers for the rules that need one; the position
//! alone, its moves and its text are in the modules below.

mod boards;
mod chase;
mod display;
mod endings;
pub(super) mod facts;
mod fen;
mod history;
mod movegen;
mod piece;
mod position;
mod ruleset;
mod size;
mod tables;
mod threats;

use rand::Rng;

pub use super::palace::{PalaceKind, PalaceMove, PalaceSquare, Set};
pub use boards::{NineByTen, SevenBySeven, XiangqiBoard};
pub use piece::NAMES;
pub use tables::XiangqiTables;

use self::{position::Position, ruleset::Rules};
use super::{
    Ending, Game, GameId, Outcome, ParseError, RuleSet, Setup, Side,
    mover::{BySide, First, Second},
    palace::{
        fen::Setting,
        history::{PalaceHistory, PastPly},
        notation,
    },
    perft::perft,
};

/// Xiangqi, 9x10.
pub type Xiangqi = XiangqiGame<NineByTen>;

/// Minixiangqi, 7x7.
pub type Minixiangqi = XiangqiGame<SevenBySeven>;

/// A game of xiangqi or minixiangqi on the board `B`.
#[derive(Debug)]
pub struct XiangqiGame<B: XiangqiBoard> {
    position: Position<B>,
    history: PalaceHistory,
    /// Plies played since the start of this game.
    ply: u32,
    /// Plies that the FEN counts before the start of this game.
    plies_before: u32,
    /// Plies since the last capture, as in a FEN.
    clock: u32,
    /// The verdict of the rules that need the history.
    ended: Option<Outcome>,
}

impl<B: XiangqiBoard> Clone for XiangqiGame<B> {
    fn clone(&self) -> Self {
        XiangqiGame { history: self.history.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        let XiangqiGame { position, history, ply, plies_before, clock, ended } = source;
        self.history.clone_from(history);
        self.position = *position;
        (self.ply, self.plies_before, self.clock, self.ended) = (*ply, *plies_before, *clock, *ended);
    }
}

impl<B: XiangqiBoard> XiangqiGame<B> {
    /// The pieces on the board, in the order of their squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Side, PalaceKind, PalaceSquare)> {
        self.position.pieces.iter()
    }

    /// Tells every piece, and in which of two sets its square lies.
    pub fn for_each_marked(
        &self,
        marks: [Set; 2],
        tell: impl FnMut(Side, PalaceKind, PalaceSquare, [bool; 2]),
    ) {
        self.position.pieces.for_each_marked(marks, tell);
    }

    /// By side, the squares that its pieces attack or defend, whether or not a move there would be legal; the empty
    /// ones that a cannon goes to are among them.
    pub fn attacks(&self) -> [Set; 2] {
        [self.position.attacks::<First>(), self.position.attacks::<Second>()]
    }

    /// The piece on `square`, which must be on the board.
    pub fn piece_on(&self, square: PalaceSquare) -> Option<(Side, PalaceKind)> {
        self.position.pieces.on(square)
    }

    /// The squares of all pieces of `kind`, of both sides.
    pub fn all(&self, kind: PalaceKind) -> Set {
        self.position.pieces.all(kind)
    }

    /// Every square with a piece.
    pub fn occupied(&self) -> Set {
        self.position.pieces.occupied()
    }

    /// By side, the square of its king.
    pub fn kings(&self) -> [PalaceSquare; 2] {
        self.position.pieces.kings
    }

    /// Plies since the last capture, those that the FEN tells included.
    pub fn clock(&self) -> u32 {
        self.clock
    }

    /// Plies without a capture that end the game, not counting those that checks add; `None` where no rule does.
    pub fn move_limit(&self) -> Option<u32> {
        self.position.rules.move_limit
    }
}

impl<B: XiangqiBoard> Game for XiangqiGame<B> {
    type Move = PalaceMove;

    const ID: GameId = B::ID;
    const FILES: usize = B::FILES as usize;
    const RANKS: usize = B::RANKS as usize;

    fn start<R: Rng + ?Sized>(rules: RuleSet, _: Setup, _: &mut R) -> Self {
        Self::from_fen(rules, B::START).expect("the start is a position")
    }

    fn from_fen(rules: RuleSet, text: &str) -> Result<Self, ParseError> {
        assert!(B::ID.rule_sets().contains(&rules), "{rules} is no rule set of {}", B::ID);
        let Setting { position, clock, plies } = fen::parse::<B>(Rules::of(rules), text)?;
        let mut history = PalaceHistory::default();
        history.push(PastPly { key: position.pieces.key, mv: None, check: position.threats.check }, 0);
        let ended = history::verdict(&history, &position, clock);
        Ok(XiangqiGame { position, history, ply: 0, plies_before: plies, clock, ended })
    }

    fn fen(&self) -> String {
        fen::write(&self.position, self.clock, self.plies_before + self.ply)
    }

    fn unusual(&self) -> Option<String> {
        fen::unusual::<B>(&self.position.pieces)
    }

    fn rules(&self) -> RuleSet {
        self.position.rules.name
    }

    fn side_to_move(&self) -> Side {
        self.position.pieces.side
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn is_check(&self) -> bool {
        self.position.threats.check
    }

    fn legal_moves(&self, moves: &mut Vec<PalaceMove>) {
        if self.ended.is_none() {
            self.perft_moves(moves);
        }
    }

    fn play(&mut self, mv: PalaceMove) {
        let captures = self.position.pieces.is_capture(mv);
        self.position.play(mv);
        self.ply += 1;
        self.clock = if captures { 0 } else { self.clock + 1 };
        let ply = PastPly { key: self.key(), mv: Some(mv), check: self.is_check() };
        self.history.push(ply, self.clock);
        self.ended = history::verdict(&self.history, &self.position, self.clock);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.end().or(self.ended)
    }

    fn endings(&self, moves: &[PalaceMove], endings: &mut Vec<Ending>) {
        match self.side_to_move() {
            Side::First => endings::list::<B, First>(self, moves, endings),
            Side::Second => endings::list::<B, Second>(self, moves, endings),
        }
    }

    fn key(&self) -> u64 {
        self.position.pieces.key
    }

    fn repetitions(&self) -> u32 {
        self.history.earlier()
    }

    fn is_forcing(&self, mv: PalaceMove) -> bool {
        self.position.pieces.is_capture(mv)
    }

    fn make_null_move(&mut self) -> bool {
        if self.is_check() {
            return false;
        }
        let mut pieces = self.position.pieces;
        pieces.pass();
        self.position = Position::new(pieces, self.position.rules);
        self.ply += 1;
        self.clock += 1;
        self.history.skip_to(PastPly { key: self.key(), mv: None, check: false });
        self.ended = None;
        true
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.position, depth)
    }

    fn perft_moves(&self, moves: &mut Vec<PalaceMove>) {
        self.position.list_moves(moves);
    }

    fn parse_move(&self, text: &str) -> Result<PalaceMove, ParseError> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        notation::parse(&moves, &self.position.pieces, &NAMES, text)
    }

    fn board(&self) -> String {
        display::draw(&self.position)
    }
}
