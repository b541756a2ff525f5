//! Dobutsu shogi solved by retrograde analysis: every position that a game can reach, with its value.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;
use sanki::games::rules::{
    Game, RuleSet, Setup, Verdict,
    dobutsu::{Dobutsu, Kind, Position},
};

use super::{
    numbering::{NUMBERS, number_of, position_of},
    retreat::for_each_before,
    table::{Counts, DRAWN, NEVER, Table},
};

/// Positions that a thread does at a time.
const CHUNK: usize = 4096;

/// What is known while it is being solved, by the numbers of positions.
struct Solver {
    /// [`NEVER`], [`DRAWN`] (not yet known to be anything else), or the plies to the end, as in [`Table`].
    plies: Vec<AtomicU8>,
}

/// A position of which nothing is known.
#[derive(Clone, Copy)]
struct Open {
    number: u32,
    /// One that it leads to and that was not won for the opponent when it was last looked at.
    escape: Option<u32>,
}

/// Solves the game. `tell` is called with the progress.
pub fn solve(mut tell: impl FnMut(String)) -> (Table, Counts) {
    let mut plies = Vec::new();
    plies.resize_with(NUMBERS as usize, || AtomicU8::new(NEVER));
    let solver = Solver { plies };
    let (open, lost) = solver.reach_all(&mut tell);
    let (takes_lion, over) = (solver.count(|plies| plies == 1), lost.len() as u64);
    solver.solve_all(open, lost, &mut tell);
    let is_end = |plies: u8| plies != DRAWN;
    let counts = Counts {
        reached: solver.count(|_| true),
        takes_lion,
        over,
        won: solver.count(|plies| is_end(plies) && plies % 2 == 1),
        lost: solver.count(|plies| is_end(plies) && plies % 2 == 0),
        drawn: solver.count(|plies| !is_end(plies)),
        longest: solver
            .plies
            .par_iter()
            .map(|plies| plies.load(Relaxed))
            .filter(|&plies| plies < DRAWN)
            .max()
            .unwrap_or(0),
        start: solver.plies(number_of(&start())),
    };
    (Table::new(solver.plies.into_iter().map(AtomicU8::into_inner).collect()), counts)
}

/// The start of a game.
pub fn start() -> Position {
    let mut rng = <sanki::base::rng::Rng as rand::SeedableRng>::seed_from_u64(0);
    *Dobutsu::start(RuleSet::Standard, Setup::Standard, &mut rng).position()
}

/// Whether the side to move can take the lion.
pub fn takes_lion(position: &Position) -> bool {
    let lion = position.pieces(!position.side(), Kind::Lion);
    lion != 0 && position.is_attacked(lion.trailing_zeros() as usize, position.side())
}

/// What a position shows by itself: the plies to the end, or [`DRAWN`].
fn shown(position: &Position) -> u8 {
    match position.end() {
        Some(outcome) => {
            let them = Verdict::Win(!position.side());
            assert_eq!(outcome.verdict, them, "a game does not go on where the lion can be taken");
            0
        }
        None if takes_lion(position) => 1,
        None => DRAWN,
    }
}

impl Solver {
    fn plies(&self, number: u32) -> u8 {
        self.plies[number as usize].load(Relaxed)
    }

    /// Changes what is known of a position from `from` to `to`; whether it was `from`.
    fn change(&self, number: u32, from: u8, to: u8) -> bool {
        self.plies[number as usize].compare_exchange(from, to, Relaxed, Relaxed).is_ok()
    }

    /// The reached positions of which this is true.
    fn count(&self, is_meant: impl Fn(u8) -> bool + Sync) -> u64 {
        let plies = self.plies.par_iter().map(|plies| plies.load(Relaxed));
        plies.filter(|&plies| plies != NEVER && is_meant(plies)).count() as u64
    }

    /// Marks all positions that games reach; a game goes no further where the lion can be taken. Returns those of which
    /// nothing is known yet, and those that are lost.
    fn reach_all(&self, tell: &mut impl FnMut(String)) -> (Vec<Open>, Vec<u32>) {
        let first = number_of(&start());
        self.change(first, NEVER, DRAWN);
        let (mut open, mut lost, mut frontier, mut ply) = (Vec::new(), Vec::new(), vec![first], 0);
        while !frontier.is_empty() {
            open.extend(frontier.iter().map(|&number| Open { number, escape: None }));
            let found: Vec<(Vec<u32>, Vec<u32>)> =
                frontier.par_chunks(CHUNK).map(|numbers| self.reach_from(numbers)).collect();
            frontier.clear();
            for (new, over) in found {
                frontier.extend(new);
                lost.extend(over);
            }
            ply += 1;
            tell(format!("ply {ply}: {} more positions of which nothing is known yet", frontier.len()));
        }
        (open, lost)
    }

    /// The positions one ply on that were not reached before: those of which nothing is known, and the lost ones.
    fn reach_from(&self, numbers: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let (mut open, mut lost) = (Vec::new(), Vec::new());
        for &number in numbers {
            let position = position_of(number);
            assert_eq!(number_of(&position), number, "a number has one position");
            position.for_each_move(|mv| {
                let after = position.after(mv);
                let (number, plies) = (number_of(&after), shown(&after));
                if self.change(number, NEVER, plies) {
                    match plies {
                        DRAWN => open.push(number),
                        0 => lost.push(number),
                        _ => {}
                    }
                }
            });
        }
        (open, lost)
    }

    /// Finds what is won or lost of `open`, where `lost` are lost already: wins in 1 ply, losses in 2, wins in 3 and so on.
    fn solve_all(&self, mut open: Vec<Open>, mut lost: Vec<u32>, tell: &mut impl FnMut(String)) {
        let mut plies = 1;
        loop {
            let won: u64 = lost.par_chunks(CHUNK).map(|numbers| self.win_before(numbers, plies)).sum();
            let found: Vec<(Vec<Open>, Vec<u32>)> =
                open.par_chunks(CHUNK).map(|open| self.lose_among(open, plies + 1)).collect();
            (open, lost) = (Vec::new(), Vec::new());
            for (still, now) in found {
                open.extend(still);
                lost.extend(now);
            }
            tell(format!("{won} won in {plies}, {} lost in {}, {} left", lost.len(), plies + 1, open.len()));
            if won == 0 && lost.is_empty() {
                return;
            }
            plies += 2;
        }
    }

    /// Marks as won in `plies` the positions that lead to the lost ones; says how many.
    fn win_before(&self, lost: &[u32], plies: u8) -> u64 {
        let mut won = 0;
        for &number in lost {
            for_each_before(&position_of(number), |before| {
                won += u64::from(self.change(number_of(before), DRAWN, plies));
            });
        }
        won
    }

    /// Marks as lost in `plies` those of `open` that lead to won positions alone. Returns those of which still nothing is
    /// known, and the lost ones.
    fn lose_among(&self, open: &[Open], plies: u8) -> (Vec<Open>, Vec<u32>) {
        let (mut still, mut lost) = (Vec::new(), Vec::new());
        // Only wins are of an odd number of plies.
        let is_won = |number: u32| self.plies(number) != DRAWN && self.plies(number) % 2 == 1;
        for &Open { number, escape } in open {
            if self.plies(number) != DRAWN {
                continue;
            }
            if escape.is_some_and(|escape| !is_won(escape)) {
                still.push(Open { number, escape });
                continue;
            }
            let (position, mut escape) = (position_of(number), None);
            position.for_each_move(|mv| {
                if escape.is_none() {
                    escape = Some(number_of(&position.after(mv))).filter(|&after| !is_won(after));
                }
            });
            if escape.is_some() {
                still.push(Open { number, escape });
            } else {
                self.plies[number as usize].store(plies, Relaxed);
                lost.push(number);
            }
        }
        (still, lost)
    }
}
