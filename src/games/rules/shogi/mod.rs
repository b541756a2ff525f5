//! Shogi and minishogi: one implementation, generic over the board.
//!
//! [`ShogiGame`] is the position and its history, and answers for the rules that need one; the position
//! alone, its moves and its text are in the modules below.

mod attacks;
mod boards;
mod display;
mod endings;
pub(super) mod facts;
mod fen;
mod history;
mod impasse;
mod mate;
mod movegen;
mod mv;
mod piece;
mod position;
mod square;
mod tables;
mod zobrist;

use rand::Rng;

pub use boards::{FiveByFive, NineByNine, ShogiBoard};
pub use impasse::Entering;
pub use mv::ShogiMove;
pub use piece::ShogiKind;
pub use square::{Bits, ShogiSquare, ShogiSquares};
pub use tables::ShogiTables;

use self::{
    fen::Setting,
    history::{History, Past, REVERSIBLE},
    position::Position,
};
use super::{
    Declaration, Ending, Game, GameId, Outcome, ParseError, Reason, RuleSet, Setup, Side,
    mover::{BySide, First, Second},
    perft::perft,
};

/// Shogi, 9x9.
pub type Shogi = ShogiGame<NineByNine>;

/// Minishogi, 5x5.
pub type Minishogi = ShogiGame<FiveByFive>;

/// A game of the shogi family on the board `B`.
#[derive(Debug)]
pub struct ShogiGame<B: ShogiBoard> {
    position: Position<B>,
    history: History,
    rules: RuleSet,
    /// Plies played since the start of this game.
    ply: u32,
    /// Plies that the FEN counts before the start of this game.
    plies_before: u32,
    /// Plies since the last capture, promotion or drop, as in a FEN.
    clock: u32,
    /// Plies since the last check, capture or promotion.
    quiet: u32,
    /// In a handicap game, the points of the pieces that the second player gives; else 0.
    given: u32,
    /// The verdict of the rules that need the history.
    ended: Option<Outcome>,
}

impl<B: ShogiBoard> Clone for ShogiGame<B> {
    fn clone(&self) -> Self {
        ShogiGame { history: self.history.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        let ShogiGame { position, history, rules, ply, plies_before, clock, quiet, given, ended } = source;
        self.history.clone_from(history);
        self.position = *position;
        (self.rules, self.ply, self.plies_before) = (*rules, *ply, *plies_before);
        (self.clock, self.quiet, self.given, self.ended) = (*clock, *quiet, *given, *ended);
    }
}

impl<B: ShogiBoard> ShogiGame<B> {
    /// The pieces on the board, in the order of their squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Side, ShogiKind, ShogiSquare)> {
        let position = &self.position;
        position.occupied().squares().filter_map(|square| {
            let (side, kind) = position.piece_on(square)?;
            Some((side, kind, square))
        })
    }

    /// Tells every piece, kind by kind.
    pub fn for_each_piece(&self, mut tell: impl FnMut(Side, ShogiKind, ShogiSquare)) {
        for side in [Side::First, Side::Second] {
            self.position.for_each_kind(side, |kind, pieces| {
                pieces.squares().for_each(|square| tell(side, kind, square));
            });
        }
    }

    /// By side, the squares that its pieces attack or defend, whether or not a move there would be legal.
    pub fn attacks(&self) -> [B::Bits; 2] {
        [self.position.all_attacks::<First>(), self.position.all_attacks::<Second>()]
    }

    /// The piece on `square`, which must be on the board.
    pub fn piece_on(&self, square: ShogiSquare) -> Option<(Side, ShogiKind)> {
        self.position.piece_on(square)
    }

    /// By side, the square of its king; `None` of a side without one, as the attacker of a problem is.
    pub fn kings(&self) -> [Option<ShogiSquare>; 2] {
        self.position.kings.map(|square| B::contains(square).then_some(square))
    }

    /// How many of `kind` a side holds, in `0..=18`; none of the promoted kinds and of the king.
    pub fn hand(&self, side: Side, kind: ShogiKind) -> u32 {
        self.position.hands[side.index()].count(kind).into()
    }

    /// Plies since the last check, capture or promotion: what the rule set `stouten1990` counts.
    pub fn quiet_plies(&self) -> u32 {
        self.quiet
    }

    /// What `side` has in its promotion zone and hand, as declarations count it.
    pub fn entering(&self, side: Side) -> Entering {
        impasse::entering(&self.position, side, self.given)
    }

    /// The verdict of the rules that need the history, after a move.
    fn verdict(&self) -> Option<Outcome> {
        let repetition = history::verdict::<B>(&self.history, self.position.side);
        repetition.or_else(|| match self.rules {
            RuleSet::Stouten1990 => impasse::impasse(&self.position, self.quiet, self.given),
            _ => None,
        })
    }
}

impl<B: ShogiBoard> Game for ShogiGame<B> {
    type Move = ShogiMove;

    const ID: GameId = B::ID;
    const FILES: usize = B::FILES as usize;
    const RANKS: usize = B::RANKS as usize;

    fn start<R: Rng + ?Sized>(rules: RuleSet, _: Setup, _: &mut R) -> Self {
        Self::from_fen(rules, B::START).expect("the start is a position")
    }

    fn from_fen(rules: RuleSet, text: &str) -> Result<Self, ParseError> {
        assert!(B::ID.rule_sets().contains(&rules), "{rules} is no rule set of {}", B::ID);
        let Setting { position, clock, plies } = fen::parse::<B>(text)?;
        let mut history = History::default();
        let check = !position.checkers.is_empty();
        history.push(Past { key: position.key, check }, REVERSIBLE);
        let given = impasse::given(&position);
        let (ply, plies_before, quiet) = (0, plies, 0);
        Ok(ShogiGame { position, history, rules, ply, plies_before, clock, quiet, given, ended: None })
    }

    fn fen(&self) -> String {
        fen::write(&self.position, self.clock, self.plies_before + self.ply)
    }

    fn unusual(&self) -> Option<String> {
        fen::unusual::<B>(&self.position)
    }

    fn rules(&self) -> RuleSet {
        self.rules
    }

    fn side_to_move(&self) -> Side {
        self.position.side
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn is_check(&self) -> bool {
        !self.position.checkers.is_empty()
    }

    fn legal_moves(&self, moves: &mut Vec<ShogiMove>) {
        if self.ended.is_none() {
            self.perft_moves(moves);
        }
    }

    fn play(&mut self, mv: ShogiMove) {
        let captures = self.position.is_capture(mv);
        self.position.play(mv);
        let check = self.is_check();
        self.ply += 1;
        self.clock = if captures || mv.promotes() || mv.dropped().is_some() { 0 } else { self.clock + 1 };
        self.quiet = if captures || check || mv.promotes() { 0 } else { self.quiet + 1 };
        self.history.push(Past { key: self.position.key, check }, REVERSIBLE);
        self.ended = self.verdict();
    }

    fn outcome(&self) -> Option<Outcome> {
        if !self.position.has_move() {
            let reason = if self.is_check() { Reason::Checkmate } else { Reason::Stalemate };
            return Some(Outcome::win(!self.position.side, reason));
        }
        self.ended
    }

    fn declaration(&self) -> Option<Declaration> {
        let declaration = impasse::declaration(&self.position, self.rules, self.given)?;
        self.outcome().is_none().then_some(declaration)
    }

    fn endings(&self, moves: &[ShogiMove], endings: &mut Vec<Ending>) {
        match self.position.side {
            Side::First => endings::list::<B, First>(self, moves, endings),
            Side::Second => endings::list::<B, Second>(self, moves, endings),
        }
    }

    fn key(&self) -> u64 {
        self.position.key
    }

    fn state_key(&self) -> u64 {
        // Odd, so that no two counts of points have the same product; without a handicap the key stays as it is.
        self.position.key ^ u64::from(self.given).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn repetitions(&self) -> u32 {
        self.history.earlier()
    }

    fn is_forcing(&self, mv: ShogiMove) -> bool {
        self.position.is_capture(mv) || mv.promotes()
    }

    fn make_null_move(&mut self) -> bool {
        if self.is_check() {
            return false;
        }
        self.position.set_side_to_move(!self.position.side);
        self.ply += 1;
        self.history.skip_to(Past { key: self.position.key, check: false });
        self.ended = None;
        true
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.position, depth)
    }

    fn perft_moves(&self, moves: &mut Vec<ShogiMove>) {
        self.position.list_moves(moves);
    }

    fn board(&self) -> String {
        display::draw(&self.position)
    }
}
