//! The moves that a game says end it are those that do, in games that are steered to end in every way.

use crate::verdicts;

use std::collections::{BTreeMap, HashSet};

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::games::rules::{
    Ending, Game, Reason, RuleSet, Setup, Verdict,
    dobutsu::Dobutsu,
    janggi::Janggi,
    shogi::{Minishogi, Shogi},
    xiangqi::{Minixiangqi, Xiangqi},
};
use serde::Deserialize;
use verdicts::{CycleRow, rows};

/// Games of each rule set and style that start from the start, and from each position of a file's first ones; as many
/// times more as the environment variable `PROPTEST_CASES` says.
const GAMES: u64 = 6;
/// Plies after which a game from a file's position is left.
const PLIES: u32 = 60;
/// Plies after which a game from the start, or from a position of few pieces, is left.
const LONG: u32 = 250;

/// How moves are chosen.
#[derive(Clone, Copy, Debug)]
enum Style {
    /// Any move.
    Random,
    /// One that leaves few replies: towards mates and stalemates.
    Narrow,
    /// One to a position that stood before, most of the time.
    Shuffle,
    /// One that gives check, most of the time, and that repeats a position.
    Check,
}

const STYLES: [Style; 4] = [Style::Random, Style::Narrow, Style::Shuffle, Style::Check];

/// What an ending is to the side that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Wins,
    Draws,
    Loses,
}

use Fate::*;

/// What was seen.
#[derive(Default)]
struct Tally {
    positions: u64,
    endings: BTreeMap<(Reason, Fate), u64>,
}

impl Tally {
    /// Compares what the game says of `moves`, all legal ones, with what they lead to.
    fn compare<G: Game>(&mut self, game: &G, moves: &[G::Move], scratch: &mut G) {
        let mut expected = Vec::new();
        for (place, &mv) in moves.iter().enumerate() {
            scratch.clone_from(game);
            scratch.play(mv);
            if let Some(outcome) = scratch.outcome_or_declaration() {
                let fate = match outcome.verdict {
                    Verdict::Draw => Draws,
                    Verdict::Win(side) if side == game.side_to_move() => Wins,
                    Verdict::Win(_) => Loses,
                };
                *self.endings.entry((outcome.reason, fate)).or_default() += 1;
                expected.push(Ending { place, verdict: outcome.verdict });
            }
        }
        let mut endings = Vec::new();
        game.endings(moves, &mut endings);
        let shown = |endings: &[Ending]| -> Vec<String> {
            endings.iter().map(|ending| format!("{} {:?}", moves[ending.place], ending.verdict)).collect()
        };
        assert_eq!(shown(&endings), shown(&expected), "{} {}", game.rules(), game.fen());
        self.positions += 1;
    }

    /// Follows a game of that style, comparing at every position.
    fn follow<G: Game>(&mut self, mut game: G, style: Style, plies: u32, rng: &mut impl Rng) {
        let mut scratch = game.clone();
        let mut seen = HashSet::new();
        let mut moves = Vec::new();
        for _ in 0..plies {
            moves.clear();
            game.legal_moves(&mut moves);
            if moves.is_empty() || game.outcome_or_declaration().is_some() {
                return;
            }
            self.compare(&game, &moves, &mut scratch);
            seen.insert(game.key());
            game.play(choose(&game, &moves, style, &seen, &mut scratch, rng));
        }
    }

    /// Plays the cycle as far as the rule set goes, comparing at every position.
    fn follow_cycle<G: Game>(&mut self, rules: RuleSet, cycle: &CycleRow) {
        let Ok(mut game) = G::from_fen(rules, &cycle.fen) else { return };
        let mut scratch = game.clone();
        let mut moves = Vec::new();
        for text in cycle.moves.split_whitespace().cycle().take(60) {
            moves.clear();
            game.legal_moves(&mut moves);
            self.compare(&game, &moves, &mut scratch);
            let Ok(mv) = game.parse_move(text) else { return };
            game.play(mv);
        }
    }

    /// Says what was seen, and that the endings `expected` were.
    fn check<G: Game>(&self, expected: &[(Reason, Fate)]) {
        println!("{}: {} positions, {:?}", G::ID, self.positions, self.endings);
        for ending in expected {
            assert!(self.endings.contains_key(ending), "{} never saw {ending:?}: {:?}", G::ID, self.endings);
        }
    }
}

/// A move of that style; `seen` are the positions so far.
fn choose<G: Game>(
    game: &G,
    moves: &[G::Move],
    style: Style,
    seen: &HashSet<u64>,
    scratch: &mut G,
    rng: &mut impl Rng,
) -> G::Move {
    let any = moves[rng.random_range(0..moves.len())];
    if rng.random_range(0..4) == 0 {
        return any;
    }
    let mut score = |mv: G::Move| {
        scratch.clone_from(game);
        scratch.play(mv);
        let over = scratch.outcome_or_declaration().is_some();
        let score = match style {
            Style::Random => 0,
            Style::Narrow => -(scratch.perft(1) as i64),
            Style::Shuffle => i64::from(seen.contains(&scratch.key())),
            Style::Check => 2 * i64::from(scratch.is_check()) + i64::from(seen.contains(&scratch.key())),
        };
        // A game that is over teaches nothing more.
        score - if over { 1000 } else { 0 }
    };
    let best = moves.iter().map(|&mv| score(mv)).max().unwrap_or(0);
    let good: Vec<G::Move> = moves.iter().copied().filter(|&mv| score(mv) == best).collect();
    good.get(rng.random_range(0..good.len().max(1))).copied().unwrap_or(any)
}

#[derive(Deserialize)]
struct Row {
    fen: String,
}

/// How many times the usual number of games.
fn times() -> u64 {
    std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// The FEN with the plies without progress set to `clock`.
fn with_clock(fen: &str, clock: &str) -> String {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let place = fields.len() - 2;
    fields[place] = clock;
    fields.join(" ")
}

/// Compares over games of every rule set and style: from the start, from the `positions` of a file, once more near
/// `limit` plies without a capture, from positions of `few` pieces, and along `cycles`.
fn tally<G: Game>(positions: &[&str], limits: &[&str], few: &[&str], cycles: &[&str]) -> Tally {
    let mut tally = Tally::default();
    let mut texts: Vec<(String, u32)> = Vec::new();
    let count = (GAMES * times()) as usize;
    for file in positions {
        let fens = rows::<Row>(file).into_iter().map(|row| row.fen);
        texts.extend(fens.cycle_up_to(count).map(|fen| (fen, PLIES)));
    }
    let near: Vec<String> =
        texts.iter().flat_map(|(fen, _)| limits.iter().map(|clock| with_clock(fen, clock))).collect();
    texts.extend(near.into_iter().map(|fen| (fen, 30)));
    for _ in 0..times() {
        texts.extend(few.iter().map(|fen| (fen.to_string(), LONG)));
    }
    for &rules in G::ID.rule_sets() {
        for style in STYLES {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(style as u64);
            for _ in 0..count {
                tally.follow(G::start(rules, Setup::Drawn, &mut rng), style, LONG, &mut rng);
            }
            for (fen, plies) in &texts {
                // Rule sets differ in what may stand in check.
                if let Ok(game) = G::from_fen(rules, fen) {
                    tally.follow(game, style, *plies, &mut rng);
                }
            }
        }
        for file in cycles {
            rows::<CycleRow>(file).iter().for_each(|cycle| tally.follow_cycle::<G>(rules, cycle));
        }
    }
    tally
}

/// Positions of composed problems: more of a kind than a set has, two pawns on a file, pieces that can never move.
#[test]
fn endings_of_composed_positions_are_those() {
    fn follow<G: Game>(file: &str) {
        let (mut tally, mut rng) = (Tally::default(), Xoshiro256PlusPlus::seed_from_u64(16));
        for row in rows::<Row>(file) {
            for style in [Style::Random, Style::Narrow] {
                let game = G::from_fen(G::ID.rule_sets()[0], &row.fen).expect(&row.fen);
                tally.follow(game, style, 20, &mut rng);
            }
        }
        assert!(tally.positions > 2000, "{file}: {}", tally.positions);
    }
    follow::<Shogi>("shogi_composed.jsonl.zst");
    follow::<Minishogi>("minishogi_composed.jsonl.zst");
    follow::<Xiangqi>("xiangqi_composed.jsonl.zst");
    follow::<Minixiangqi>("minixiangqi_composed.jsonl.zst");
    follow::<Janggi>("janggi_composed.jsonl.zst");
}

/// A side whose other pieces are pawns on its last rank has no move where its king has none.
#[test]
fn pawns_on_the_last_rank_are_no_way_out() {
    let game = Shogi::from_fen(RuleSet::Csa27, "k8/9/1K7/9/9/9/9/9/2p1p1p1p[G] w - - 0 1").expect("a FEN");
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    Tally::default().compare(&game, &moves, &mut game.clone());
    let mut endings = Vec::new();
    game.endings(&moves, &mut endings);
    let wins: Vec<String> = endings.iter().map(|ending| moves[ending.place].to_string()).collect();
    assert!(wins.contains(&"G@c8".to_owned()), "{wins:?}");
}

/// The first so many of a list, from its start again where it ends.
trait CycleUpTo: Iterator + Sized {
    fn cycle_up_to(self, count: usize) -> impl Iterator<Item = Self::Item>
    where
        Self::Item: Clone,
    {
        self.collect::<Vec<_>>().into_iter().cycle().take(count)
    }
}

impl<I: Iterator> CycleUpTo for I {}

#[test]
fn endings_of_dobutsu() {
    let few = ["1l1/3/3/1L1[CCEGceg] w - - 0 1", "1l1/1C1/3/L2[EG] w - - 0 1", "3/1lc/g1e/L1E[GC] b - - 0 1"];
    tally::<Dobutsu>(&["dobutsu_positions.jsonl.zst"], &[], &few, &[]).check::<Dobutsu>(&[
        (Reason::LionCaptured, Wins),
        (Reason::LionHome, Wins),
        (Reason::LionHome, Loses),
        (Reason::Repetition, Draws),
    ]);
}

#[test]
fn endings_of_shogi() {
    let few = [
        "4k4/9/4P4/9/9/9/9/9/4K4[G] w - - 0 1",
        "k8/9/1R7/9/9/9/9/9/8K[-] w - - 0 1",
        "8K/9/4R4/9/9/9/9/R8/k8[BB] w - - 0 1",
        "k8/P8/1S7/9/9/9/9/9/8K[NL] w - - 0 1",
        "K1G6/9/9/9/9/9/9/9/k1g6[-] w - - 0 1",
    ];
    let positions = ["shogi_positions.jsonl.zst", "shogi_nyugyoku.jsonl.zst", "shogi_uchifuzume.jsonl.zst"];
    tally::<Shogi>(&positions, &[], &few, &["shogi_cycles.jsonl.zst"]).check::<Shogi>(&[
        (Reason::Checkmate, Wins),
        (Reason::Stalemate, Wins),
        (Reason::Repetition, Draws),
        (Reason::PerpetualCheck, Wins),
        (Reason::PerpetualCheck, Loses),
        (Reason::Declaration, Loses),
        (Reason::Impasse, Draws),
    ]);
}

#[test]
fn endings_of_minishogi() {
    let few = ["k4/5/1R3/5/4K[-] w - - 0 1", "4k/5/G1p2/5/K4[B] w - - 0 1", "k1p2/P4/1S3/5/4K[-] w - - 0 1"];
    let tally =
        tally::<Minishogi>(&["minishogi_positions.jsonl.zst"], &[], &few, &["minishogi_cycles.jsonl.zst"]);
    tally.check::<Minishogi>(&[
        (Reason::Checkmate, Wins),
        (Reason::Stalemate, Wins),
        (Reason::Repetition, Wins),
        (Reason::Repetition, Loses),
        (Reason::PerpetualCheck, Wins),
        (Reason::PerpetualCheck, Loses),
    ]);
}

#[test]
fn endings_of_xiangqi() {
    let few = [
        "3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1",
        "4k4/9/9/4C4/9/9/9/4A4/4C4/3AK4 w - - 0 1",
        "3k5/4a4/3a5/9/2P6/9/9/4B4/9/4K4 w - - 0 1",
        "4k4/9/4b4/9/6b2/9/9/9/3P5/4KN3 w - - 0 1",
        "2n1k1b2/9/9/9/9/9/9/9/2R6/4K1R2 w - - 0 1",
        "3ak4/9/9/1n7/9/1R7/9/9/9/3K5 w - - 0 1",
        "4k4/4a4/9/8p/8N/9/9/9/9/3K5 w - - 0 1",
        "9/3k5/9/9/9/9/9/9/1c7/C3K4 w - - 0 1",
    ];
    let tally =
        tally::<Xiangqi>(&["xiangqi_positions.jsonl.zst"], &["96"], &few, &["xiangqi_cycles.jsonl.zst"]);
    tally.check::<Xiangqi>(&[
        (Reason::Checkmate, Wins),
        (Reason::Stalemate, Wins),
        (Reason::Stalemate, Draws),
        (Reason::Repetition, Draws),
        (Reason::PerpetualCheck, Wins),
        (Reason::PerpetualCheck, Loses),
        (Reason::PerpetualChase, Wins),
        (Reason::PerpetualChase, Loses),
        (Reason::MoveLimit, Draws),
        (Reason::BareAttackers, Draws),
    ]);
}

#[test]
fn endings_of_minixiangqi() {
    let few = [
        "2k4/7/1c5/7/R6/7/4K2 w - - 0 1",
        "2k4/R6/7/7/7/7/3K3 w - - 0 1",
        "3k3/7/2P4/7/6p/7/4K1N w - - 0 1",
        "2k4/7/n6/N6/7/7/3K3 w - - 0 1",
    ];
    let tally = tally::<Minixiangqi>(
        &["minixiangqi_positions.jsonl.zst"],
        &["96"],
        &few,
        &["minixiangqi_cycles.jsonl.zst"],
    );
    tally.check::<Minixiangqi>(&[
        (Reason::Checkmate, Wins),
        (Reason::Stalemate, Wins),
        (Reason::Repetition, Draws),
        (Reason::PerpetualCheck, Wins),
        (Reason::PerpetualCheck, Loses),
        (Reason::MoveLimit, Draws),
    ]);
}

#[test]
fn endings_of_janggi() {
    let few = [
        "4k4/9/9/9/9/9/9/9/4K4/R8 w - - 0 1",
        "3k5/4a4/9/9/9/4c4/9/3A5/4C4/4K4 w - - 0 1",
        "4k4/4n4/9/2B6/4P4/9/9/9/4K4/9 w - - 0 1",
        "5k3/9/3P5/9/4N4/9/9/9/3K5/6C2 w - - 0 1",
    ];
    let cycles = ["janggi_cycles.jsonl.zst", "janggimodern_cycles.jsonl.zst"];
    let tally = tally::<Janggi>(&["janggi_positions.jsonl.zst"], &["96", "196"], &few, &cycles);
    tally.check::<Janggi>(&[
        (Reason::Checkmate, Wins),
        (Reason::Repetition, Wins),
        (Reason::Repetition, Draws),
        (Reason::Repetition, Loses),
        (Reason::PerpetualCheck, Wins),
        (Reason::PerpetualCheck, Loses),
        (Reason::ToAndFro, Loses),
        (Reason::Bikjang, Wins),
        (Reason::Bikjang, Draws),
        (Reason::Bikjang, Loses),
        (Reason::DoublePass, Wins),
        (Reason::DoublePass, Draws),
        (Reason::MoveLimit, Wins),
        (Reason::MoveLimit, Draws),
        (Reason::BaredKings, Draws),
    ]);
}
