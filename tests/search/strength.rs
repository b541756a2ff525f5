//! Play below full strength: what is certain is played, and what was not searched is not.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::{
    games::rules::{Game, RuleSet, Side, shogi::Minishogi},
    search::{
        AlphaBeta, Evaluation, Evaluator, Query, SearchLimits, SearchObserver, SearchResult, Strength, Wdl,
        search_limited,
    },
};

type Mv = <Minishogi as Game>::Move;

/// A gold dropped before the king mates. There are more moves than those whose answers are looked at.
const CROWDED: &str = "4k/5/4G/5/K4[GB] w - - 0 1";
/// Nothing is to be won soon.
const QUIET: &str = "4k/5/5/5/K4[Gg] w - - 0 1";

fn game(fen: &str) -> Minishogi {
    Minishogi::from_fen(RuleSet::Standard, fen).expect("a position")
}

fn legal(game: &Minishogi) -> Vec<Mv> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves
}

fn play(
    fen: &str,
    limits: &SearchLimits<'_, Mv>,
    evaluator: impl Evaluator<Minishogi> + Send,
    observer: &mut impl SearchObserver<Mv>,
    seed: u64,
) -> SearchResult<Mv> {
    let (mut search, mut rng) = (AlphaBeta::new(1), Xoshiro256PlusPlus::seed_from_u64(seed));
    // It looks at the answers to each of its moves.
    let strength = Strength::new(5.0).expect("in range");
    search_limited(&mut search, strength, &game(fen), limits, &mut [evaluator], observer, &mut rng)
}

/// Likes a move that ends the game less than any other.
struct Blind;

impl Evaluator<Minishogi> for Blind {
    fn evaluate(&mut self, queries: &[&Query<Minishogi>], out: &mut [Evaluation]) {
        for (query, out) in queries.iter().zip(out) {
            let ends = |&mv: &Mv| {
                let mut after = query.game.clone();
                after.play(mv);
                after.outcome().is_some()
            };
            out.wdl = Wdl::DRAW;
            out.logits = query.moves.iter().map(|mv| if ends(mv) { -20.0 } else { 0.0 }).collect();
        }
    }
}

#[test]
fn a_mate_in_one_is_played_whatever_the_net_thinks_of_it() {
    for seed in 0..20 {
        let found = play(CROWDED, &SearchLimits::UNLIMITED, Blind, &mut || true, seed);
        let mut after = game(CROWDED);
        after.play(found.mv());
        assert!(after.outcome().is_some(), "seed {seed}: {}", found.mv());
        assert_eq!((found.lines[0].q, found.lines[0].end), (1.0, Some(1)), "seed {seed}");
    }
    // Not where another move is asked for.
    let only = &legal(&game(CROWDED))[..1];
    let limits = SearchLimits { only, ..SearchLimits::UNLIMITED };
    assert_eq!(play(CROWDED, &limits, Blind, &mut || true, 1).mv(), only[0]);
}

/// Judges every position to be bad for the first side, and some to be worse than others.
struct Lost;

impl Evaluator<Minishogi> for Lost {
    fn evaluate(&mut self, queries: &[&Query<Minishogi>], out: &mut [Evaluation]) {
        for (query, out) in queries.iter().zip(out) {
            let loss = 0.6 + 0.3 * (query.game.key() % 100) as f32 / 100.0;
            let first = Wdl { win: 0.0, draw: 1.0 - loss, loss };
            out.wdl = if query.game.side_to_move() == Side::First { first } else { first.flip() };
            out.logits = vec![0.0; query.moves.len()];
        }
    }
}

#[test]
fn a_move_that_was_not_searched_is_not_played() {
    // A search that found nothing at all has a move with the score of the root, and depth 0.
    let assert_searched = |found: &SearchResult<Mv>, limit: u64| {
        assert!(found.depth == 0 || found.lines[0].q < 0.0, "{limit}: {found:?}");
    };
    for nodes in 1..400 {
        let limits = SearchLimits { nodes, ..SearchLimits::UNLIMITED };
        assert_searched(&play(QUIET, &limits, Lost, &mut || true, nodes), nodes);
    }
    for most in 1..40 {
        let mut looks = 0;
        let mut observer = || {
            looks += 1;
            looks < most
        };
        assert_searched(&play(QUIET, &SearchLimits::UNLIMITED, Lost, &mut observer, most), most);
    }
}

#[test]
fn of_several_lines_none_is_without_a_score() {
    for nodes in 1..400 {
        let limits = SearchLimits { nodes, lines: 3, ..SearchLimits::UNLIMITED };
        let found = AlphaBeta::new(1).search(&game(QUIET), &limits, &mut [Lost], &mut || true);
        let all_have_scores = found.lines.iter().all(|line| line.q < 0.0);
        assert!(all_have_scores || found.lines.len() == 1, "{nodes}: {found:?}");
    }
}
