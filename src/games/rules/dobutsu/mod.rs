//! Dobutsu shogi ("animal chess") on 3x4 squares.
//!
//! There is no check: a lion may be left en prise, and taking it wins. A lion on the last rank that cannot
//! be taken at once wins too; one that could be taken but was not wins as soon as it is safe, by a move of
//! either side, and should a move make both lions safe at home, the game is drawn (as in Fairy-Stockfish). A side
//! without a move loses. The chick must promote on the last rank and may be dropped anywhere. A position
//! that occurs for the fourth time (rule set `standard`) or the third (`threefold`) draws.
//!
//! What a position itself shows is in [`Position`]; [`Dobutsu`] adds the history.

mod endings;
pub(super) mod facts;
mod kind;
mod moves;
mod notation;
mod position;
mod tables;

use rand::Rng;

pub use kind::Kind;
pub use moves::{DobutsuMove, MoveOrigin};
pub use position::{Position, squares};
pub use tables::{ALL, Bitboard, LAST_RANK, SQUARES, reach};

use self::notation::FenRecord;
use super::{Ending, Game, GameId, Outcome, ParseError, Reason, RuleSet, Setup, Side, history::History};

/// A game of dobutsu shogi.
#[derive(Debug)]
pub struct Dobutsu {
    record: FenRecord,
    rules: RuleSet,
    /// Keys of the positions.
    history: History<u64>,
}

/// No ply rules out that an earlier position comes back: what was captured is dropped again.
const REVERSIBLE: u32 = u32::MAX;

/// The start, as a FEN.
const START: &str = "gle/1c1/1C1/ELG[-] w 0 1";

impl Dobutsu {
    fn at(rules: RuleSet, record: FenRecord) -> Self {
        assert!(GameId::Dobutsu.rule_sets().contains(&rules), "{rules} is no rule set of dobutsu");
        let mut history = History::default();
        history.push(record.position.key(), REVERSIBLE);
        Dobutsu { record, rules, history }
    }

    /// Pieces, hands and side to move.
    pub fn position(&self) -> &Position {
        &self.record.position
    }

    /// How often this position has occurred, now included.
    pub fn occurrences(&self) -> u32 {
        self.history.earlier() + 1
    }

    fn drawing_occurrence(&self) -> u32 {
        if self.rules == RuleSet::Threefold { 3 } else { 4 }
    }
}

impl Clone for Dobutsu {
    fn clone(&self) -> Self {
        Dobutsu { history: self.history.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        let Dobutsu { record, rules, history } = source;
        (self.record, self.rules) = (*record, *rules);
        self.history.clone_from(history);
    }
}

impl Game for Dobutsu {
    type Move = DobutsuMove;

    const ID: GameId = GameId::Dobutsu;
    const FILES: usize = tables::FILES;
    const RANKS: usize = tables::RANKS;

    fn start<R: Rng + ?Sized>(rules: RuleSet, _setup: Setup, _rng: &mut R) -> Self {
        Dobutsu::at(rules, notation::parse(START).expect("the start is a position"))
    }

    fn from_fen(rules: RuleSet, text: &str) -> Result<Self, ParseError> {
        Ok(Dobutsu::at(rules, notation::parse(text)?))
    }

    fn fen(&self) -> String {
        notation::fen(&self.record)
    }

    fn rules(&self) -> RuleSet {
        self.rules
    }

    fn side_to_move(&self) -> Side {
        self.record.position.side()
    }

    fn ply(&self) -> u32 {
        self.history.past().len() as u32 - 1
    }

    fn is_check(&self) -> bool {
        false
    }

    fn legal_moves(&self, moves: &mut Vec<DobutsuMove>) {
        if self.outcome().is_none() {
            self.perft_moves(moves);
        }
    }

    fn play(&mut self, mv: DobutsuMove) {
        let before = self.record.position;
        let position = before.after(mv);
        let quiet = match mv.from() {
            MoveOrigin::Square(_) => !mv.is_promotion() && before.kind_at(!before.side(), mv.to()).is_none(),
            MoveOrigin::Hand(_) => false,
        };
        self.history.push(position.key(), REVERSIBLE);
        self.record = FenRecord {
            position,
            quiet_plies: if quiet { self.record.quiet_plies.saturating_add(1) } else { 0 },
            move_number: self.record.move_number.saturating_add((position.side() == Side::First).into()),
        };
    }

    fn outcome(&self) -> Option<Outcome> {
        self.record.position.end().or_else(|| {
            (self.occurrences() >= self.drawing_occurrence()).then_some(Outcome::draw(Reason::Repetition))
        })
    }

    fn endings(&self, moves: &[DobutsuMove], endings: &mut Vec<Ending>) {
        endings::list(self, moves, endings);
    }

    fn key(&self) -> u64 {
        self.record.position.key()
    }

    fn repetitions(&self) -> u32 {
        self.occurrences() - 1
    }

    fn is_forcing(&self, mv: DobutsuMove) -> bool {
        let position = &self.record.position;
        mv.is_promotion() || position.kind_at(!position.side(), mv.to()).is_some()
    }

    /// There is no check, so that it is never known to be safe.
    fn make_null_move(&mut self) -> bool {
        false
    }

    fn perft(&self, depth: u32) -> u64 {
        self.record.position.perft(depth)
    }

    fn perft_moves(&self, moves: &mut Vec<DobutsuMove>) {
        if self.record.position.end().is_none() {
            self.record.position.for_each_move(|mv| moves.push(mv));
        }
    }

    fn board(&self) -> String {
        notation::draw(&self.record.position)
    }
}
