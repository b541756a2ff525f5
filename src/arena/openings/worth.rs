//! What pieces are worth, found by playing.
//!
//! A search without a net needs some judgement of the positions at its leaves, and ours may know nothing but the rules.
//! So games are played, at random at first, and then by players that go after what the games before have shown
//! to win; the worth of a piece is its weight in a linear regression of their results (least squares).

use std::sync::atomic::{AtomicBool, Ordering};

use rand::RngExt;
use rayon::prelude::*;

use crate::{
    base::rng::{Purpose, Rng, stream},
    games::rules::{Game, RuleSet, Setup, Verdict},
    search::Wdl,
};

/// Each round's players know the worths that all rounds before have shown.
const ROUNDS: u64 = 3;
/// Games of a round.
const GAMES: u64 = 500;
/// Longer games tell nothing.
const MAX_PLIES: u32 = 300;
/// Random plies before the players choose, so that no two games are alike.
const RANDOM_PLIES: u32 = 8;
/// Moves, drawn at random, among which a player chooses.
const CHOICE: u32 = 5;
/// One position of this many in a game is kept: neighbours are nearly the same.
const KEPT: u32 = 6;
/// Pulls the worths that were hardly seen to zero.
const RIDGE: f64 = 10.0;

/// Letters of pieces, on the board, promoted and in hand.
const KINDS: usize = 3 * 26;

/// How many more pieces of each kind the side to move has than the other.
type Balance = [i8; KINDS];

/// The worth of each kind of piece; that of the best is 1.
#[derive(Clone, Debug)]
pub(super) struct Worths([f32; KINDS]);

impl Worths {
    /// Plays games and learns from them. The same for the same seed at any thread count; worth nothing when
    /// `stop` was set before the end.
    pub fn learn<G: Game>(rules: RuleSet, seed: u64, stop: &AtomicBool) -> Worths {
        let mut worths = Worths([0.0; KINDS]);
        let mut samples = Vec::new();
        for round in 0..ROUNDS {
            let play = |game| {
                let goes_on = !stop.load(Ordering::Relaxed);
                let rng = &mut stream(seed, Purpose::Openings, &[round, game]);
                if goes_on { play::<G>(rules, &worths, rng) } else { Vec::new() }
            };
            let games: Vec<_> = (0..GAMES).into_par_iter().map(play).collect();
            samples.extend(games.into_iter().flatten());
            worths = fit(&samples);
        }
        worths
    }

    /// The worth of all pieces of the side to move, less that of the other's.
    pub fn balance<G: Game>(&self, game: &G) -> f32 {
        balance(game).iter().zip(&self.0).map(|(&count, worth)| f32::from(count) * worth).sum()
    }
}

/// Counts the pieces in the FEN, which every game has.
fn balance<G: Game>(game: &G) -> Balance {
    let fen = game.fen();
    let to_move = fen.split(' ').nth(1);
    let mut balance = [0; KINDS];
    let (mut in_hand, mut promoted) = (false, false);
    for letter in fen.bytes().take_while(|&letter| letter != b' ') {
        match letter {
            b'[' => in_hand = true,
            b'+' => promoted = true,
            b'a'..=b'z' | b'A'..=b'Z' => {
                let group = if in_hand { 2 } else { usize::from(promoted) };
                let own = letter.is_ascii_uppercase() == (to_move == Some("w"));
                let kind = 26 * group + usize::from(letter.to_ascii_lowercase() - b'a');
                balance[kind] += if own { 1 } else { -1 };
                promoted = false;
            }
            _ => {}
        }
    }
    balance
}

/// Positions of one game that was won, each with its result for the side to move: 1 or -1.
fn play<G: Game>(rules: RuleSet, worths: &Worths, rng: &mut Rng) -> Vec<(Balance, f32)> {
    let mut game = G::start(rules, Setup::Drawn, rng);
    let mut seen = Vec::new();
    let mut moves = Vec::new();
    while game.ply() < MAX_PLIES {
        if let Some(outcome) = game.outcome() {
            let result = |side| Wdl::of(outcome.verdict, side).q();
            return match outcome.verdict {
                Verdict::Draw => Vec::new(),
                Verdict::Win(_) => seen.into_iter().map(|(balance, side)| (balance, result(side))).collect(),
            };
        }
        moves.clear();
        game.legal_moves(&mut moves);
        let choice = if game.ply() < RANDOM_PLIES { 1 } else { CHOICE };
        let drawn = (0..choice).map(|_| moves[rng.random_range(0..moves.len())]);
        let next = drawn.map(|mv| game.after(mv)).min_by(|a, b| {
            let of = |child: &G| opinion(child, worths);
            of(a).total_cmp(&of(b))
        });
        game = next.expect("at least one move is drawn");
        if game.ply() > RANDOM_PLIES && rng.random_range(0..KEPT) == 0 {
            seen.push((balance(&game), game.side_to_move()));
        }
    }
    Vec::new()
}

/// What the side to move may think of `game`; a decided game counts more than any pieces.
fn opinion<G: Game>(game: &G, worths: &Worths) -> f32 {
    match game.outcome() {
        Some(outcome) => 1e3 * Wdl::of(outcome.verdict, game.side_to_move()).q(),
        None => worths.balance(game),
    }
}

/// Least squares: solves the normal equations by Gauss-Jordan elimination, which needs no pivots because the
/// ridge makes the matrix positive definite.
fn fit(samples: &[(Balance, f32)]) -> Worths {
    let mut rows = [[0.0; KINDS + 1]; KINDS];
    for (kind, row) in rows.iter_mut().enumerate() {
        row[kind] = RIDGE;
    }
    for (balance, result) in samples {
        for (row, &count) in rows.iter_mut().zip(balance).filter(|(_, count)| **count != 0) {
            let count = f64::from(count);
            for (sum, &other) in row.iter_mut().zip(balance) {
                *sum += count * f64::from(other);
            }
            row[KINDS] += count * f64::from(*result);
        }
    }
    for pivot in 0..KINDS {
        let by = rows[pivot][pivot];
        rows[pivot].iter_mut().for_each(|entry| *entry /= by);
        let row = rows[pivot];
        for (_, other) in rows.iter_mut().enumerate().filter(|(kind, _)| *kind != pivot) {
            let by = other[pivot];
            for (entry, subtracted) in other.iter_mut().zip(row) {
                *entry -= by * subtracted;
            }
        }
    }
    let weights = rows.map(|row| row[KINDS]);
    let best = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    Worths(weights.map(|weight| (weight / best) as f32))
}
