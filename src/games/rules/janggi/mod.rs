//! Janggi, with each of its rule sets and its sixteen set-ups.
//!
//! [`Janggi`] is the position and its history, and answers for the rules that need one; the position alone, its
//! moves and its text are in the modules below. Cho is the first player, Han the second.

mod attacks;
mod display;
mod endings;
pub(super) mod facts;
mod fen;
mod formation;
mod history;
mod movegen;
mod piece;
mod position;
mod ruleset;
mod tables;
mod threats;
mod verdict;

use rand::Rng;

pub use super::palace::PalaceKind;
pub use formation::{Formation, Formations};
pub use piece::NAMES;

use self::{
    position::Position,
    ruleset::{Count, Facing, Rules},
};
use super::{
    Ending, Game, GameId, Outcome, ParseError, Reason, RuleSet, Setup, Side,
    mover::{BySide, First, Second},
    palace::{
        PalaceMove, PalaceSquare, Set,
        fen::Setting,
        history::{PalaceHistory, PastPly},
        notation,
    },
    perft::perft,
};

/// Spreads what [`Game::state_key`] adds to the key over all bits: an odd number without a pattern.
const STATE: u64 = 0xd6e8_feb8_6659_fd93;

/// A game of janggi.
#[derive(Debug)]
pub struct Janggi {
    position: Position,
    history: PalaceHistory,
    rules: RuleSet,
    /// Plies played since the start of this game.
    ply: u32,
    /// Plies that the FEN counts before the start of this game.
    plies_before: u32,
    /// Plies since the last capture.
    clock: u32,
    /// Who has made the kings face each other, where that is a check.
    bared: [bool; 2],
    /// The verdict of the rules that need the history.
    ended: Option<Outcome>,
}

impl Clone for Janggi {
    fn clone(&self) -> Self {
        Janggi { history: self.history.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        let Janggi { position, history, rules, ply, plies_before, clock, bared, ended } = source;
        self.history.clone_from(history);
        self.position = *position;
        (self.rules, self.ply, self.plies_before) = (*rules, *ply, *plies_before);
        (self.clock, self.bared, self.ended) = (*clock, *bared, *ended);
    }
}

impl Janggi {
    /// The pieces on the board, in the order of their points.
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

    /// By side, the points that its pieces attack or defend, whether or not a move there would be legal.
    pub fn attacks(&self) -> [Set; 2] {
        [self.position.attacks::<First>(), self.position.attacks::<Second>()]
    }

    /// The piece on `square`.
    pub fn piece_on(&self, square: PalaceSquare) -> Option<(Side, PalaceKind)> {
        self.position.pieces.on(square)
    }

    /// The squares of all pieces of `kind`, of both sides.
    pub fn all(&self, kind: PalaceKind) -> Set {
        self.position.pieces.all(kind)
    }

    /// By side, the square of its king.
    pub fn kings(&self) -> [PalaceSquare; 2] {
        self.position.pieces.kings
    }

    /// Plies since the last capture, those that the FEN counts included.
    pub fn clock(&self) -> u32 {
        self.clock
    }

    /// The [`Janggi::clock`] at which the game ends: 100 or 200.
    pub fn move_limit(&self) -> u32 {
        self.position.rules.move_limit
    }

    /// What the pieces of each side count, Cho's first: 72 at the start, and 1.5 more for Han.
    pub fn points(&self) -> [f32; 2] {
        verdict::points(&self.position)
    }

    /// Whether the points decide a game that has no winner on the board.
    pub fn counts_points(&self) -> bool {
        self.position.rules.count == Count::Points
    }

    /// Whether the kings stand on a file with nothing between them.
    pub fn kings_face(&self) -> bool {
        self.position.kings_face()
    }

    /// Whether the last ply was a pass.
    pub fn passed(&self) -> bool {
        self.position.passed
    }

    /// Who has made the kings face each other, and can at best draw (`martin1995`; neither side in other rule sets). A FEN does
    /// not tell, except of the side that is not to move where the kings face now.
    pub fn bared(&self) -> [bool; 2] {
        self.bared
    }

    /// Whether the side to move is in check and has no legal move.
    fn is_mated(&self) -> bool {
        self.is_check() && !self.position.has_move()
    }
}

impl Game for Janggi {
    type Move = PalaceMove;

    const ID: GameId = GameId::Janggi;
    const FILES: usize = 9;
    const RANKS: usize = 10;

    fn start<R: Rng + ?Sized>(rules: RuleSet, setup: Setup, rng: &mut R) -> Self {
        let formations = match setup {
            Setup::Standard => Formations::default(),
            Setup::Drawn => Formations::draw(rng),
            Setup::Named(name) => name.parse().expect("a set-up of janggi"),
        };
        Self::from_fen(rules, &formations.fen()).expect("a set-up is a position")
    }

    fn from_fen(rules: RuleSet, text: &str) -> Result<Self, ParseError> {
        let Setting { position, clock, plies } = fen::parse(Rules::of(rules), text)?;
        let mut bared = [false; 2];
        bared[(!position.pieces.side).index()] =
            position.rules.facing == Facing::Check && position.kings_face();
        let mut history = PalaceHistory::default();
        history.push(PastPly { key: position.pieces.key, mv: None, check: position.is_check() }, 0);
        let ended = verdict::of_history(&position, &history, clock, bared);
        Ok(Janggi { position, history, rules, ply: 0, plies_before: plies, clock, bared, ended })
    }

    fn fen(&self) -> String {
        fen::write(&self.position, self.clock, self.plies_before + self.ply)
    }

    fn unusual(&self) -> Option<String> {
        fen::unusual(&self.position.pieces)
    }

    fn rules(&self) -> RuleSet {
        self.rules
    }

    fn side_to_move(&self) -> Side {
        self.position.pieces.side
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn is_check(&self) -> bool {
        self.history.past().last().is_some_and(|ply| ply.check)
    }

    fn legal_moves(&self, moves: &mut Vec<PalaceMove>) {
        if self.ended.is_none() {
            self.perft_moves(moves);
        }
    }

    fn play(&mut self, mv: PalaceMove) {
        let mover = self.position.pieces.side;
        let captures = self.position.pieces.is_capture(mv);
        self.position.play(mv);
        self.ply += 1;
        self.clock = if captures { 0 } else { self.clock + 1 };
        if self.position.rules.facing == Facing::Check {
            self.bared[mover.index()] |= self.position.kings_face();
        }
        let ply = PastPly { key: self.key(), mv: Some(mv), check: self.position.is_check() };
        self.history.push(ply, self.clock);
        self.ended = verdict::of_history(&self.position, &self.history, self.clock, self.bared);
    }

    fn outcome(&self) -> Option<Outcome> {
        // A side in check may have ended the game by a pass while the kings faced.
        let mated = self.position.pass_ended.is_none() && self.is_mated();
        if mated { Some(verdict::mate(&self.position, self.bared)) } else { self.ended }
    }

    fn endings(&self, moves: &[PalaceMove], endings: &mut Vec<Ending>) {
        match self.side_to_move() {
            Side::First => endings::list::<First>(self, moves, endings),
            Side::Second => endings::list::<Second>(self, moves, endings),
        }
    }

    fn adjudicate(&self) -> Outcome {
        verdict::count(&self.position, Reason::Adjudicated)
    }

    fn key(&self) -> u64 {
        self.position.pieces.key
    }

    fn state_key(&self) -> u64 {
        let [first, second] = self.bared.map(u64::from);
        let state = u64::from(self.position.passed) | first << 1 | second << 2;
        self.key() ^ state.wrapping_mul(STATE)
    }

    fn repetitions(&self) -> u32 {
        self.history.earlier()
    }

    fn is_forcing(&self, mv: PalaceMove) -> bool {
        self.position.pieces.is_capture(mv)
    }

    /// Where the kings face, passing means more than giving the turn.
    fn make_null_move(&mut self) -> bool {
        if self.is_check() || self.position.kings_face() {
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

    fn board(&self) -> String {
        display::draw(&self.position)
    }

    fn parse_move(&self, text: &str) -> Result<PalaceMove, ParseError> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        notation::parse(&moves, &self.position.pieces, &NAMES, text)
    }
}
