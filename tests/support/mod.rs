//! Small games and evaluators with known answers.
#![allow(dead_code, reason = "every test binary uses a part")]

use std::fmt;

use rand::Rng;
use sanki::{
    rules::{Game, GameId, Move, Outcome, ParseError, Reason, RuleSet, Setup, Side, Verdict},
    search::{Evaluation, Evaluator, Query, Wdl},
};

/// `K` in a row on a board of `W` by `H`.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows<const W: usize, const H: usize, const K: usize> {
    stones: [u32; 2],
    ply: u32,
}

/// Tic-tac-toe.
pub type Three = Rows<3, 3, 3>;
/// Wide enough for 16 moves to be considered.
pub type Four = Rows<5, 5, 4>;

/// A square of the board, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub u8);

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Move for Square {
    fn bits(self) -> u16 {
        self.0.into()
    }

    fn from_bits(bits: u16) -> Self {
        Square(bits as u8)
    }
}

impl<const W: usize, const H: usize, const K: usize> Rows<W, H, K> {
    pub fn empty() -> Self {
        Rows { stones: [0; 2], ply: 0 }
    }

    pub fn after(moves: &[u8]) -> Self {
        let mut game = Self::empty();
        for &square in moves {
            assert!(game.outcome().is_none());
            game.play(Square(square));
        }
        game
    }

    /// The stones of one side, a bit each.
    pub fn stones(&self, side: Side) -> u32 {
        self.stones[side.index()]
    }

    fn has_row(stones: u32) -> bool {
        let (w, h) = (W as isize, H as isize);
        let on = |x: isize, y: isize| x >= 0 && x < w && y >= 0 && y < h && stones >> (y * w + x) & 1 == 1;
        (0..h).any(|y| {
            (0..w).any(|x| {
                [(1, 0), (0, 1), (1, 1), (1, -1)]
                    .iter()
                    .any(|(dx, dy)| (0..K as isize).all(|i| on(x + i * dx, y + i * dy)))
            })
        })
    }
}

impl<const W: usize, const H: usize, const K: usize> Game for Rows<W, H, K> {
    type Move = Square;

    // Borrowed: the searches never look at it.
    const ID: GameId = GameId::Dobutsu;
    const FILES: usize = W;
    const RANKS: usize = H;

    fn start<R: Rng + ?Sized>(_: RuleSet, _: Setup, _: &mut R) -> Self {
        Self::empty()
    }

    fn from_fen(_: RuleSet, text: &str) -> Result<Self, ParseError> {
        Err(ParseError::new("FEN", text, "this game has none"))
    }

    fn fen(&self) -> String {
        format!("{:?}", self.stones)
    }

    fn rules(&self) -> RuleSet {
        RuleSet::Standard
    }

    fn side_to_move(&self) -> Side {
        if self.ply.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn is_check(&self) -> bool {
        false
    }

    fn legal_moves(&self, moves: &mut Vec<Square>) {
        if self.outcome().is_none() {
            let taken = self.stones[0] | self.stones[1];
            moves.extend((0..(W * H) as u8).filter(|square| taken >> square & 1 == 0).map(Square));
        }
    }

    fn play(&mut self, mv: Square) {
        self.stones[self.side_to_move().index()] |= 1 << mv.0;
        self.ply += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        let last = !self.side_to_move();
        if Self::has_row(self.stones[last.index()]) {
            return Some(Outcome::win(last, Reason::Checkmate));
        }
        (self.ply as usize == W * H).then(|| Outcome::draw(Reason::MoveLimit))
    }

    fn key(&self) -> u64 {
        u64::from(self.stones[0]) << 32 | u64::from(self.stones[1])
    }

    fn repetitions(&self) -> u32 {
        0
    }

    fn is_forcing(&self, _: Square) -> bool {
        false
    }

    fn skip_turn(&mut self) -> bool {
        false
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        children(self).iter().map(|(_, child)| child.perft(depth - 1)).sum()
    }

    fn board(&self) -> String {
        self.fen()
    }
}

/// The legal moves with the games they lead to.
pub fn children<G: Game>(game: &G) -> Vec<(G::Move, G)> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let play = |mv| {
        let mut child = game.clone();
        child.play(mv);
        (mv, child)
    };
    moves.into_iter().map(play).collect()
}

/// The true value for the side to move, and the plies to it when both sides hurry to win and delay a loss.
pub fn solve<G: Game>(game: &G) -> (i8, u32) {
    if let Some(outcome) = game.outcome() {
        let value = match outcome.verdict {
            Verdict::Draw => 0,
            Verdict::Win(side) if side == game.side_to_move() => 1,
            Verdict::Win(_) => -1,
        };
        return (value, 0);
    }
    let better = |value: i8, plies: u32| (value, if value > 0 { -(plies as i64) } else { plies as i64 });
    let (value, plies) = children(game)
        .iter()
        .map(|(_, child)| {
            let (value, plies) = solve(child);
            (-value, plies + 1)
        })
        .max_by_key(|&(value, plies)| better(value, plies))
        .expect("a game that is not over has moves");
    (value, plies)
}

/// Knows nothing: a draw, every move alike.
pub struct Even;

impl<G: Game> Evaluator<G> for Even {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        for (query, out) in queries.iter().zip(out) {
            out.wdl = Wdl::DRAW;
            out.logits.clear();
            out.logits.resize(query.moves.len(), 0.0);
        }
    }
}

/// Opinions drawn from a hash of the position: senseless, but always the same.
#[derive(Clone, Copy)]
pub struct Hash;

pub fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Hash {
    pub fn wdl<G: Game>(game: &G) -> Wdl {
        let hash = mix(game.key());
        let part = |shift: u32| (1 + (hash >> shift & 0xff)) as f32;
        let (win, draw, loss) = (part(0), part(8), part(16));
        Wdl { win, draw, loss } * (1.0 / (win + draw + loss))
    }
}

impl<G: Game> Evaluator<G> for Hash {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        for (query, out) in queries.iter().zip(out) {
            out.wdl = Hash::wdl(&query.game);
            let logit =
                |mv: &G::Move| (mix(query.game.key() ^ mix(mv.bits().into())) & 0xff) as f32 / 64.0 - 2.0;
            out.logits.clear();
            out.logits.extend(query.moves.iter().map(logit));
        }
    }
}
