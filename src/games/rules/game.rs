//! The rules interface.

use std::{
    fmt::{Debug, Display},
    hash::Hash,
};

use rand::Rng;

use super::{Ending, Family, GameId, Handicap, Handicaps, Outcome, ParseError, Reason, RuleSet, Side};

/// Plies of a game from outside at most: more than any rule set allows between two captures.
pub const MOST_PLIES: usize = 4096;

/// A starting position, where a game offers several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Setup {
    /// The game's standard one.
    #[default]
    Standard,
    /// Drawn from the random numbers given.
    Drawn,
    /// One of [`Facts::setups`](super::Facts::setups). A game without set-ups starts from the standard one.
    Named(&'static str),
}

/// What the side to move would get if it declared now (shogi's nyugyoku).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declaration {
    /// The declaration wins.
    Win,
    /// The declaration draws.
    Draw,
}

/// A move, small and without context.
///
/// `Display` writes it as in UCI with Fairy-Stockfish's coordinates (`h3e3`, `c7c8+`, `P@e5`).
pub trait Move: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static {
    /// The move as stored in records; distinct for distinct moves of one position. Never changes.
    fn bits(self) -> u16;
    /// The move that [`Move::bits`] gave these; of others, a move that is legal nowhere.
    fn from_bits(bits: u16) -> Self;
}

/// A game in progress: a position and the history that its rules need.
///
/// `clone_from` reuses the buffers of the clone: searches rely on it once a simulation.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// The moves of this game.
    type Move: Move;

    /// The game's name.
    const ID: GameId;
    /// Files of the board.
    const FILES: usize;
    /// Ranks of the board.
    const RANKS: usize;
    /// Squares of the board.
    const SQUARES: usize = Self::FILES * Self::RANKS;

    /// The starting position under `rules`, which must be one of the game's rule sets.
    ///
    /// # Panics
    /// May panic on a rule set or a set-up of another game.
    fn start<R: Rng + ?Sized>(rules: RuleSet, setup: Setup, rng: &mut R) -> Self;

    /// Reads a position in Fairy-Stockfish's FEN or in SFEN; which one is told by its form.
    /// The game then starts there, without history.
    ///
    /// # Errors
    /// Shows the offending part: wrong sizes, unknown pieces, more than a set has altogether, a king missing, a piece of
    /// the palace outside it, a side not to move in check; in xiangqi an elephant or a pawn where it cannot get, in dobutsu
    /// all that no game can have. What is merely unusual is read ([`Game::unusual`]).
    fn from_fen(rules: RuleSet, text: &str) -> Result<Self, ParseError>;

    /// The position in Fairy-Stockfish's FEN, such that [`Game::from_fen`] reads it back.
    fn fen(&self) -> String;

    /// What no game from the start can lead to, in words, where this position has it: more of a kind than a set has, two
    /// pawns of a side on a file, a piece that can never move. Composed problems have that, and are played all the same.
    fn unusual(&self) -> Option<String> {
        None
    }

    /// The rule set in force.
    fn rules(&self) -> RuleSet;

    /// The handicap game that begins as this one does, which is one of the game's starts.
    ///
    /// # Panics
    /// If it is none, or the handicap is one of another game.
    fn with_handicap(&self, handicap: &Handicap) -> Self {
        let Handicaps { giver, mover, .. } = Self::ID.facts().handicaps;
        let fen = handicap.taken_from(&self.fen(), giver, mover);
        Self::from_fen(self.rules(), &fen).expect("a start without some pieces is a position")
    }

    /// Whose turn it is.
    fn side_to_move(&self) -> Side;

    /// Half-moves played since the start of this game (or since its FEN).
    fn ply(&self) -> u32;

    /// Whether the side to move is in check. Always false where the game knows no check (dobutsu).
    fn is_check(&self) -> bool;

    /// Appends every legal move, in an order that depends on the position alone; none once the game is over.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays `mv`, which must be legal.
    ///
    /// # Panics
    /// May panic, or leave a senseless position, on an illegal move.
    fn play(&mut self, mv: Self::Move);

    /// The game after `mv`, which must be legal.
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }

    /// The result by rule, or `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// What a declaration by the side to move would give now; `None` where it would be false, the game is
    /// over or the rules know none.
    fn declaration(&self) -> Option<Declaration> {
        None
    }

    /// The result of a game stopped from outside, at a ply cap.
    fn adjudicate(&self) -> Outcome {
        Outcome::draw(Reason::Adjudicated)
    }

    /// Identifies the position (pieces, hands, side to move), not the history.
    fn key(&self) -> u64;

    /// Identifies the position and what else decides how the game goes on, repetitions apart: for the tables of searches.
    fn state_key(&self) -> u64 {
        self.key()
    }

    /// How often the current position has stood before in this game.
    fn repetitions(&self) -> u32;

    /// Whether the legal move `mv` takes a piece or promotes one.
    fn is_forcing(&self, mv: Self::Move) -> bool;

    /// Gives the turn to the other side without a move, as searches do (null move). It is no pass, not even where the rules
    /// have passes. Returns whether it did: nothing changes where the side to move is in check, in janggi where the kings
    /// face, and always in dobutsu. Repetitions are counted from there on, as if the positions before had never stood.
    fn make_null_move(&mut self) -> bool;

    /// Leaf nodes at `depth` plies, counted in bulk at the last ply. Repetition and move limits are not
    /// applied; ends that the position itself shows are.
    fn perft(&self, depth: u32) -> u64;

    /// Appends the moves of the first ply that [`Game::perft`] counts: the legal moves of the position, whatever came
    /// before it. A game that repetitions or a limit of moves can end has to give its own.
    fn perft_moves(&self, moves: &mut Vec<Self::Move>) {
        self.legal_moves(moves);
    }

    /// The board as a player would draw it: ranks from the top, hands, side to move; several lines.
    fn board(&self) -> String;

    /// The outcome by rule, or by a winning declaration, which players always take.
    fn outcome_or_declaration(&self) -> Option<Outcome> {
        self.outcome().or_else(|| {
            (self.declaration() == Some(Declaration::Win))
                .then(|| Outcome::win(self.side_to_move(), Reason::Declaration))
        })
    }

    /// Appends the moves that end the game: those of `moves`, all legal moves of this position in the order of
    /// [`Game::legal_moves`], after which [`Game::outcome_or_declaration`] is not `None`, each with the verdict.
    /// In the order of `moves`.
    ///
    /// Searches ask this once a simulation. A game that answers without playing every move has to give the same
    /// answer.
    fn endings(&self, moves: &[Self::Move], endings: &mut Vec<Ending>) {
        for (place, &mv) in moves.iter().enumerate() {
            let mut after = self.clone();
            after.play(mv);
            let outcome = after.outcome_or_declaration();
            endings.extend(outcome.map(|Outcome { verdict, .. }| Ending { place, verdict }));
        }
    }

    /// The legal move written as `text`.
    ///
    /// # Errors
    /// When no legal move is written so.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseError> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let mut shown = String::new();
        for &mv in &moves {
            use std::fmt::Write;
            shown.clear();
            write!(shown, "{mv}").expect("writing to a string");
            if shown == text {
                return Ok(mv);
            }
        }
        let why = if moves.is_empty() { "the game is over" } else { "it is not legal here" };
        Err(ParseError::new("move", text, why))
    }
}

/// Runs `$body` with the type alias `$G` bound to the game that `$id` names.
///
/// The only place where a game's name becomes a type; everything below is monomorphised.
///
/// # Panics
/// With a [`GameId::Guest`]: only the crate that it comes from knows its type.
#[macro_export]
macro_rules! with_game {
    ($id:expr, $G:ident => $body:expr) => {
        match $id {
            $crate::games::rules::GameId::Shogi => {
                type $G = $crate::games::rules::shogi::Shogi;
                $body
            }
            $crate::games::rules::GameId::Minishogi => {
                type $G = $crate::games::rules::shogi::Minishogi;
                $body
            }
            $crate::games::rules::GameId::Dobutsu => {
                type $G = $crate::games::rules::dobutsu::Dobutsu;
                $body
            }
            $crate::games::rules::GameId::Janggi => {
                type $G = $crate::games::rules::janggi::Janggi;
                $body
            }
            $crate::games::rules::GameId::Xiangqi => {
                type $G = $crate::games::rules::xiangqi::Xiangqi;
                $body
            }
            $crate::games::rules::GameId::Minixiangqi => {
                type $G = $crate::games::rules::xiangqi::Minixiangqi;
                $body
            }
            $crate::games::rules::GameId::Guest(facts) => panic!("{} is a game of another crate", facts.name),
        }
    };
}

impl Family {
    /// The game of this family whose board has that number of ranks.
    pub fn game_of_ranks(self, ranks: usize) -> Option<GameId> {
        let is_one = |game: &GameId| game.facts().family == self && with_game!(*game, G => G::RANKS == ranks);
        GameId::ALL.into_iter().find(is_one)
    }
}
