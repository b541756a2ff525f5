//! A game of another crate: so many stones in a row, as tic-tac-toe. `docs/new-game.md` goes through this file.
#![allow(dead_code, reason = "every test program uses a part")]

use std::fmt;

use rand::Rng;
use sanki::games::{
    encode::{Encode, Feature, Features, Inputs},
    rules::{
        Colour, Facts, Family, Game, GameId, Handicaps, Move, Outcome, ParseError, PlayFacts, Reason,
        RuleSet, Setup, Side,
    },
};

/// What the library has to know of it beside its rules.
pub static ROWS: Facts = Facts {
    name: "rows",
    title: "Rows",
    family: Family::Palace,
    rule_sets: &[RuleSet::Standard],
    variants: &[],
    colours: [Colour::Blue, Colour::Yellow],
    has_river: false,
    setups: &[],
    handicaps: Handicaps::NONE,
    has_passes: false,
    has_declarations: false,
    play: PlayFacts { temperature: 2.0, mate_visits: 0, levels: PlayFacts::EVEN_LEVELS },
    #[cfg(feature = "program")]
    config: include_str!("rows.toml"),
    #[cfg(feature = "program")]
    gpu_config: None,
    #[cfg(feature = "program")]
    openings: "3/3/3 w - - 0 1 id \"rows 1\";\n3/1x1/3 b - - 0 1 id \"rows 2\";\n",
};

/// `K` in a row on a board of `W` by `H`. The first player's stones are `x` in a FEN, the second player's `o`.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows<const W: usize, const H: usize, const K: usize> {
    stones: [u32; 2],
    turn: Side,
    ply: u32,
}

/// Tic-tac-toe.
pub type Three = Rows<3, 3, 3>;
/// Wide enough for 16 moves to be considered.
pub type Four = Rows<5, 5, 4>;

/// A square of a board `W` wide, row by row from the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square<const W: usize = 3>(pub u8);

impl<const W: usize> fmt::Display for Square<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, rank) = (self.0 % W as u8, self.0 / W as u8);
        write!(f, "{}{}", char::from(b'a' + file), rank + 1)
    }
}

impl<const W: usize> Move for Square<W> {
    fn bits(self) -> u16 {
        self.0.into()
    }

    fn from_bits(bits: u16) -> Self {
        Square(bits as u8)
    }
}

impl<const W: usize, const H: usize, const K: usize> Rows<W, H, K> {
    pub fn empty() -> Self {
        Rows { stones: [0; 2], turn: Side::First, ply: 0 }
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

    fn count(&self) -> u32 {
        self.stones.iter().map(|stones| stones.count_ones()).sum()
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

    /// The letter of a square in a FEN.
    fn letter(&self, square: usize) -> Option<char> {
        let has = |side: Side| self.stones(side) >> square & 1 == 1;
        [(Side::First, 'x'), (Side::Second, 'o')]
            .into_iter()
            .find(|&(side, _)| has(side))
            .map(|(_, letter)| letter)
    }

    /// Reads the ranks of a FEN, from the top.
    fn read_board(&mut self, board: &str) -> Option<()> {
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() != H {
            return None;
        }
        for (rank, text) in (0..H).rev().zip(ranks) {
            let mut file = 0;
            for letter in text.chars() {
                let side = match letter {
                    'x' => Side::First,
                    'o' => Side::Second,
                    _ => {
                        file += letter.to_digit(10)? as usize;
                        continue;
                    }
                };
                if file >= W {
                    return None;
                }
                self.stones[side.index()] |= 1 << (rank * W + file);
                file += 1;
            }
            if file != W {
                return None;
            }
        }
        Some(())
    }
}

impl<const W: usize, const H: usize, const K: usize> Game for Rows<W, H, K> {
    type Move = Square<W>;

    const ID: GameId = GameId::Guest(&ROWS);
    const FILES: usize = W;
    const RANKS: usize = H;

    fn start<R: Rng + ?Sized>(_: RuleSet, _: Setup, _: &mut R) -> Self {
        Self::empty()
    }

    fn from_fen(_: RuleSet, text: &str) -> Result<Self, ParseError> {
        let mut game = Self::empty();
        let mut words = text.split(' ');
        game.read_board(words.next().unwrap_or_default())
            .ok_or_else(|| ParseError::new("FEN", text, format!("the board is not {W} by {H}")))?;
        game.turn = match words.next() {
            Some("w") => Side::First,
            Some("b") => Side::Second,
            _ => return Err(ParseError::new("FEN", text, "the side to move is neither w nor b")),
        };
        Ok(game)
    }

    fn fen(&self) -> String {
        let rank = |rank: usize| -> String {
            let mut text = String::new();
            let mut empty = 0;
            for letter in (rank * W..(rank + 1) * W).map(|square| self.letter(square)) {
                match letter {
                    None => empty += 1,
                    Some(letter) => {
                        if empty > 0 {
                            text += &empty.to_string();
                        }
                        text.push(letter);
                        empty = 0;
                    }
                }
            }
            if empty > 0 { text + &empty.to_string() } else { text }
        };
        let ranks: Vec<String> = (0..H).rev().map(rank).collect();
        let turn = if self.turn == Side::First { "w" } else { "b" };
        format!("{} {turn} - - 0 1", ranks.join("/"))
    }

    fn rules(&self) -> RuleSet {
        RuleSet::Standard
    }

    fn side_to_move(&self) -> Side {
        self.turn
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn is_check(&self) -> bool {
        false
    }

    fn legal_moves(&self, moves: &mut Vec<Square<W>>) {
        if self.outcome().is_none() {
            let taken = self.stones[0] | self.stones[1];
            moves.extend((0..(W * H) as u8).filter(|square| taken >> square & 1 == 0).map(Square));
        }
    }

    fn play(&mut self, mv: Square<W>) {
        self.stones[self.turn.index()] |= 1 << mv.0;
        self.turn = !self.turn;
        self.ply += 1;
    }

    fn outcome(&self) -> Option<Outcome> {
        let last = !self.turn;
        if Self::has_row(self.stones(last)) {
            return Some(Outcome::win(last, Reason::Checkmate));
        }
        (self.count() as usize == W * H).then(|| Outcome::draw(Reason::MoveLimit))
    }

    fn key(&self) -> u64 {
        u64::from(self.stones[0]) << 32 | u64::from(self.stones[1])
    }

    fn repetitions(&self) -> u32 {
        0
    }

    fn is_forcing(&self, _: Square<W>) -> bool {
        false
    }

    fn make_null_move(&mut self) -> bool {
        false
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        super::children(self).iter().map(|(_, child)| child.perft(depth - 1)).sum()
    }

    fn board(&self) -> String {
        self.fen()
    }
}

impl<const W: usize, const H: usize, const K: usize> Encode for Rows<W, H, K> {
    const ENCODING_VERSION: u32 = 1;
    /// The mover's stones, and the opponent's.
    const PLANES: usize = 2;
    /// The share of the board that is full.
    const SCALARS: usize = 1;
    const MOVE_PLANES: usize = 1;
    const MIRROR: bool = true;

    fn features(&self, _: Inputs, out: &mut Features) {
        out.active.clear();
        for (plane, side) in [(0, self.turn), (1, !self.turn)] {
            let squares = (0..Self::SQUARES).filter(|square| self.stones(side) >> square & 1 == 1);
            out.active.extend(squares.map(|square| Feature { plane, square: square as u8, status: 0 }));
        }
        out.scalars.clear();
        out.scalars.push(self.count() as f32 / Self::SQUARES as f32);
    }

    fn indexer(&self) -> impl Fn(Square<W>) -> usize {
        |mv| mv.0.into()
    }

    fn mirror_move_plane(plane: usize) -> usize {
        plane
    }
}
