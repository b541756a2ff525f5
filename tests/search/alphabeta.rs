//! Alpha-beta: on games small enough to be solved, and its limits on the others.

use crate::support;

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::{
    games::rules::{
        Game, GameId, Reason, RuleSet, Setup,
        janggi::Janggi,
        shogi::{Minishogi, Shogi},
        xiangqi::{Minixiangqi, Xiangqi},
    },
    search::{AlphaBeta, Evaluation, Evaluator, Query, SearchLimits, SearchObserver, SearchResult},
    with_game,
};
use support::{
    Even, Hash, children,
    rows::{Four, Three},
    solve,
};

type Rng = Xoshiro256PlusPlus;

fn search<G: Game>(game: &G, nodes: u64, evaluator: impl Evaluator<G> + Send) -> SearchResult<G::Move> {
    AlphaBeta::new(1).search(
        game,
        &SearchLimits { nodes, ..SearchLimits::UNLIMITED },
        &mut [evaluator],
        &mut || true,
    )
}

/// Positions of random games, none of them over.
fn positions<G: Game>(start: &G, games: usize, seed: u64) -> Vec<G> {
    let mut rng = Rng::seed_from_u64(seed);
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut game = start.clone();
        while game.outcome().is_none() && game.ply() < 60 {
            positions.push(game.clone());
            let children = children(&game);
            game = children[rng.random_range(0..children.len())].1.clone();
        }
    }
    positions
}

#[test]
fn tic_tac_toe_is_solved() {
    for game in positions(&Three::empty(), 12, 1).iter().filter(|game| game.ply() >= 2) {
        let (value, plies) = solve(game);
        // A draw is never certain, so that only the nodes end its search.
        for found in [search(game, 20_000, Even), search(game, 20_000, Hash)] {
            let mut after = game.clone();
            after.play(found.mv());
            assert_eq!(-solve(&after).0, value, "{game:?}");
            // Of a loss the shortest line is enough.
            match value {
                1 => assert_eq!(found.lines[0].end, Some(plies), "{game:?}"),
                -1 => assert!(found.lines[0].end.is_some() && found.lines[0].q < -0.99, "{game:?}"),
                _ => assert_eq!(found.lines[0].end, None, "{game:?}"),
            }
        }
    }
}

#[test]
fn a_win_at_once_is_played_at_any_budget() {
    let wins_at_once = |game: &Four| children(game).iter().any(|(_, child)| solve_one(child));
    let mut seen = 0;
    for game in positions(&Four::empty(), 60, 2).iter().filter(|game| wins_at_once(game)) {
        let found = search(game, 1, Hash);
        let mut after = game.clone();
        after.play(found.mv());
        assert!(solve_one(&after), "{game:?}");
        seen += 1;
    }
    assert!(seen >= 20, "{seen}");
}

/// Whether the game is lost for the side to move here and now.
fn solve_one<G: Game>(game: &G) -> bool {
    use sanki::games::rules::Verdict;
    game.outcome().is_some_and(|outcome| outcome.verdict == Verdict::Win(!game.side_to_move()))
}

#[test]
fn nodes_and_clock_are_obeyed_and_the_same_search_finds_the_same() {
    for id in GameId::ALL {
        with_game!(id, G => {
            let start = G::start(id.rule_sets()[0], Setup::Standard, &mut Rng::seed_from_u64(3));
            let mut search = AlphaBeta::new(1);
            let mut run = |nodes: u64, looks: u32| {
                search.forget();
                let mut left = looks;
                let mut keep_going = || {
                    left = left.saturating_sub(1);
                    left > 0
                };
                search.search(&start, &SearchLimits { nodes, ..SearchLimits::UNLIMITED }, &mut [Hash], &mut keep_going)
            };
            let first = run(5_000, u32::MAX);
            // Nodes that the rules decide may pass the budget.
            assert!((5_000..5_200).contains(&first.nodes), "{id}: {}", first.nodes);
            assert!(first.depth >= 1, "{id}");
            assert_eq!(run(5_000, u32::MAX), first, "{id}");
            // Sixteen nodes from one look to the next, and few that the rules decide.
            let stopped = run(u64::MAX, 10);
            assert!(stopped.nodes < 1_000, "{id}: {}", stopped.nodes);
            let mut moves = Vec::new();
            start.legal_moves(&mut moves);
            assert!(moves.contains(&run(1, 1).mv()), "{id}");
        });
    }
}

/// Keeps what was found at each depth, and stops after so many.
struct Depths<M>(u32, Vec<SearchResult<M>>);

impl<M: Clone> SearchObserver<M> for Depths<M> {
    fn keep_going(&mut self) -> bool {
        self.1.len() < self.0 as usize
    }

    fn depth_done(&mut self, found: &SearchResult<M>) {
        self.1.push(found.clone());
    }
}

#[test]
fn lines_are_legal_and_begin_with_different_moves_of_those_asked_for() {
    for id in GameId::ALL {
        with_game!(id, G => {
            let start = G::start(id.rule_sets()[0], Setup::Standard, &mut Rng::seed_from_u64(8));
            let mut legal = Vec::new();
            start.legal_moves(&mut legal);
            let only = &legal[1..4];
            let limits = SearchLimits { only, lines: 2, depth: 4, ..SearchLimits::UNLIMITED };
            let mut heard = Depths(10, Vec::new());
            let found = AlphaBeta::new(1).search(&start, &limits, &mut [Hash], &mut heard);
            let depths: Vec<u32> = heard.1.iter().map(|found| found.depth).collect();
            assert_eq!(depths, [1, 2, 3, 4], "{id}");
            assert_eq!(heard.1.last(), Some(&found), "{id}");
            assert_eq!(found.lines.len(), 2, "{id}");
            let firsts: Vec<_> = found.lines.iter().map(|line| line.moves[0]).collect();
            assert!(firsts[0] != firsts[1] && firsts.iter().all(|mv| only.contains(mv)), "{id}");
            assert!(found.lines[0].q >= found.lines[1].q && found.deepest >= 4, "{id}: {found:?}");
            for line in &found.lines {
                let mut game = start.clone();
                for &mv in &line.moves {
                    let mut legal = Vec::new();
                    game.legal_moves(&mut legal);
                    assert!(legal.contains(&mv), "{id}: {mv} in {}", game.fen());
                    game.play(mv);
                }
            }
            // More lines than there are moves are as many as there are.
            let all = SearchLimits { only, lines: 9, depth: 2, ..SearchLimits::UNLIMITED };
            let found = AlphaBeta::new(1).search(&start, &all, &mut [Hash], &mut || true);
            assert_eq!(found.lines.len(), 3, "{id}");
        });
    }
}

#[test]
fn threads_find_what_one_finds() {
    for game in positions(&Three::empty(), 6, 1).iter().filter(|game| game.ply() >= 3) {
        let mut search = AlphaBeta::new(1);
        for threads in [2, 5] {
            // The thread whose result counts has its part of the nodes.
            let limits = SearchLimits { nodes: 20_000 * threads as u64, ..SearchLimits::UNLIMITED };
            let found = search.search(game, &limits, &mut vec![Hash; threads], &mut || true);
            let mut after = game.clone();
            after.play(found.mv());
            assert_eq!(-solve(&after).0, solve(game).0, "{game:?}");
        }
    }
}

/// The evaluator of one of two threads: the main thread's waits at first until the helper's has been asked so often.
struct Paced<'a> {
    asked: &'a AtomicU64,
    counts: u64,
    waits_for: u64,
}

impl<G: Game> Evaluator<G> for Paced<'_> {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        self.asked.fetch_add(self.counts, Relaxed);
        let begin = Instant::now();
        while self.asked.load(Relaxed) < self.waits_for && begin.elapsed() < Duration::from_secs(5) {
            thread::yield_now();
        }
        self.waits_for = 0;
        Hash.evaluate(queries, out);
    }
}

#[test]
fn a_limit_of_nodes_is_one_for_all_threads() {
    let start: Minishogi = Game::start(RuleSet::Standard, Setup::Standard, &mut Rng::seed_from_u64(3));
    let asked = AtomicU64::new(0);
    let mut evaluators =
        [(0, 2_000), (1, 0)].map(|(counts, waits_for)| Paced { asked: &asked, counts, waits_for });
    let limits = SearchLimits { nodes: 20_000, ..SearchLimits::UNLIMITED };
    let found = AlphaBeta::new(1).search(&start, &limits, &mut evaluators, &mut || true);
    // By itself the main thread has searched no more than the helper has left of them.
    assert!((20_000..25_000).contains(&found.nodes), "{}", found.nodes);
}

/// A null move gives the position that has the other side to move, and nothing else.
#[test]
fn null_moves_only_change_sides() {
    fn check<G: Game>(rules: RuleSet) {
        let mut skipped = 0;
        for game in positions(&G::start(rules, Setup::Standard, &mut Rng::seed_from_u64(4)), 4, 5) {
            let mut after = game.clone();
            let was_check = game.is_check();
            if !after.make_null_move() {
                // In janggi also where the kings face.
                assert!(was_check || G::ID == GameId::Janggi, "{}", game.fen());
                assert_eq!(after.fen(), game.fen());
                continue;
            }
            let fen = game.fen();
            let turned = match fen.split_once(" w ") {
                Some((board, rest)) => format!("{board} b {rest}"),
                None => fen.replacen(" b ", " w ", 1),
            };
            let expected = G::from_fen(rules, &turned).expect(&turned);
            assert_eq!(after.key(), expected.key(), "{fen}");
            let sorted = |game: &G| {
                let mut moves = Vec::new();
                game.legal_moves(&mut moves);
                moves.sort();
                moves
            };
            assert_eq!(sorted(&after), sorted(&expected), "{fen}");
            skipped += 1;
        }
        assert!(skipped > 50, "{skipped}");
    }
    check::<Shogi>(RuleSet::Csa27);
    check::<Minishogi>(RuleSet::Standard);
    check::<Minixiangqi>(RuleSet::Standard);
    check::<Janggi>(RuleSet::Points);
}

/// Moves that shuffle one piece of each side: the first side's between two points, the second side's between three, among
/// which it can go from each to each, so that it can lose a turn.
struct Shuffle {
    first: [&'static str; 2],
    second: [&'static str; 3],
}

impl Shuffle {
    /// The first side goes away and comes back, the second side goes from point to point of its three.
    fn lap<G: Game>(&self, game: &mut G, second: [usize; 3]) {
        let [home, away] = self.first;
        let [from, over, to] = second.map(|point| self.second[point]);
        for text in [[home, away], [from, over], [away, home], [over, to]] {
            play(game, &text.concat());
        }
    }
}

fn play<G: Game>(game: &mut G, text: &str) {
    game.play(game.parse_move(text).unwrap_or_else(|why| panic!("{why} in {}", game.fen())));
}

/// A position stands so often that the next time would end the game; then another one comes from which a null move and
/// one move lead to it. No real game can come to it so, and what stood before the null move does not count.
#[test]
fn what_stood_before_a_null_move_does_not_count() {
    fn check<G: Game>(rules: RuleSet, fen: &str, times: u32, shuffle: &Shuffle) {
        let mut game = G::from_fen(rules, fen).expect(fen);
        shuffle.lap(&mut game, [0, 2, 1]);
        (2..times).for_each(|_| shuffle.lap(&mut game, [1, 0, 1]));
        assert_eq!((game.repetitions(), game.outcome()), (times - 2, None), "{rules}");
        let often = game.key();
        shuffle.lap(&mut game, [1, 2, 0]);
        assert_eq!(game.outcome(), None, "{rules}");

        assert!(game.make_null_move());
        let (mut moves, mut endings) = (Vec::new(), Vec::new());
        game.legal_moves(&mut moves);
        game.endings(&moves, &mut endings);
        assert!(endings.is_empty(), "{rules}: {endings:?}");
        let mut after = game.clone();
        play(&mut after, &[shuffle.second[0], shuffle.second[1]].concat());
        assert_eq!(after.key(), often);
        assert_eq!((after.outcome(), after.repetitions()), (None, 0), "{rules}");

        // From there on they are counted as ever.
        assert_eq!(game.repetitions(), 0, "{rules}");
        let [home, away] = shuffle.first;
        let [here, there, _] = shuffle.second;
        for time in 1..times {
            assert_eq!((game.outcome(), game.repetitions()), (None, time - 1), "{rules}");
            for text in [[here, there], [home, away], [there, here], [away, home]] {
                play(&mut game, &text.concat());
            }
        }
        assert_eq!(game.repetitions(), times - 1, "{rules}");
        assert_eq!(game.outcome().map(|outcome| outcome.reason), Some(Reason::Repetition), "{rules}");
    }
    fn start<G: Game>(rules: RuleSet) -> String {
        G::start(rules, Setup::Standard, &mut Rng::seed_from_u64(4)).fen()
    }
    let rooks = Shuffle { first: ["a1", "a2"], second: ["a10", "a9", "a8"] };
    for (rules, times) in [(RuleSet::Axf, 3), (RuleSet::Wang1994, 5)] {
        check::<Xiangqi>(rules, &start::<Xiangqi>(rules), times, &rooks);
    }
    for (rules, times) in [(RuleSet::Points, 3), (RuleSet::Casual, 3), (RuleSet::Martin1995, 4)] {
        check::<Janggi>(rules, &start::<Janggi>(rules), times, &rooks);
    }
    let mini = Shuffle { first: ["g1", "g2"], second: ["a7", "a6", "a5"] };
    check::<Minixiangqi>(RuleSet::Standard, "r2k3/7/7/7/7/7/4K1R w - - 0 1", 3, &mini);
    let rooks = Shuffle { first: ["h2", "g2"], second: ["b8", "c8", "d8"] };
    check::<Shogi>(RuleSet::Csa27, &start::<Shogi>(RuleSet::Csa27), 4, &rooks);
    let mini = Shuffle { first: ["b1", "b2"], second: ["a5", "a4", "a3"] };
    check::<Minishogi>(RuleSet::Standard, &start::<Minishogi>(RuleSet::Standard), 4, &mini);
}

/// Janggi's rule of one piece that goes to and fro sees no further back than to the null move, and takes that for no
/// start of a game, where the piece on a1 would count as having come there.
#[test]
fn no_piece_goes_to_and_fro_over_a_null_move() {
    let start: Janggi = Game::start(RuleSet::Kakao, Setup::Standard, &mut Rng::seed_from_u64(4));
    let skip_or_play = |texts: &str| {
        let mut game = start.clone();
        for text in texts.split(' ') {
            assert_eq!(game.outcome(), None, "before {text} of {texts}");
            match text {
                "skip" => assert!(game.make_null_move()),
                text => play(&mut game, text),
            }
        }
        game.outcome().map(|outcome| outcome.reason)
    };
    let whole = "a1a2 a7b7 a2a1 i7h7 a1a2 c7d7 a2a1 e7f7 a1a2";
    assert_eq!(skip_or_play(whole), Some(Reason::ToAndFro));
    assert_eq!(skip_or_play(&whole.replace("e7f7", "skip")), None);
    assert_eq!(skip_or_play("a1a2 a7b7 a2a1 i7h7 a1a2 c7d7 a2a1"), None);
    let begun_on_a1 = "e7f7 a1a2 a7b7 a2a1 i7h7 a1a2 c7d7 a2a1";
    assert_eq!(skip_or_play(&format!("e2e1 {begun_on_a1}")), None);
    assert_eq!(skip_or_play(&format!("skip {begun_on_a1}")), None);
}

/// A forcing move takes a piece or promotes one: so it changes which letters stand on the board.
#[test]
fn forcing_moves_are_captures_and_promotions() {
    fn letters<G: Game>(game: &G) -> Vec<char> {
        let fen = game.fen();
        let board = fen.split([' ', '[']).next().unwrap_or_default();
        let mut letters: Vec<char> = board.chars().filter(|c| c.is_alphabetic() || *c == '+').collect();
        letters.sort();
        letters
    }
    fn check<G: Game>(rules: RuleSet) {
        for game in positions(&G::start(rules, Setup::Standard, &mut Rng::seed_from_u64(6)), 3, 7) {
            for (mv, after) in children(&game) {
                let is_drop = mv.to_string().contains('@');
                let changes = !is_drop && letters(&after) != letters(&game);
                assert_eq!(game.is_forcing(mv), changes, "{mv} in {}", game.fen());
            }
        }
    }
    for id in GameId::ALL {
        with_game!(id, G => check::<G>(id.rule_sets()[0]));
    }
}
