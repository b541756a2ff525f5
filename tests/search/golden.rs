//! Whole search trees on a fake net, compared with those in `tests/data/golden`. A change of the search that changes a tree
//! fails with the difference. Where that is meant, `UPDATE_EXPECT=1 cargo test --release --test search golden` writes
//! the files anew.

use std::{fmt::Write, path::Path};

use expect_test::{ExpectFile, expect_file};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::{
    games::rules::{Game, Move, RuleSet, Setup, dobutsu::Dobutsu, xiangqi::Xiangqi},
    search::{
        AlphaBeta, Certain, GumbelConfig, Noise, PuctConfig, Search, SearchConfig, SearchLimits,
        SearchObserver, SearchResult, Variation, run,
    },
};

use crate::support::Hash;

type Rng = Xoshiro256PlusPlus;

/// Plies of a tree that are compared.
const PLIES: usize = 3;
/// Lines of alpha-beta.
const LINES: usize = 3;

fn start<G: Game>(rules: RuleSet) -> G {
    G::start(rules, Setup::Standard, &mut Rng::seed_from_u64(0))
}

/// The moves of `line`, their visits and values for who plays them, and what is certain, with all moves behind them.
fn write_tree<G: Game>(search: &Search<G>, line: &mut Vec<G::Move>, text: &mut String) {
    for Variation { moves, visits, wdl, certain } in search.moves_after(line) {
        let name = format!("{}{}", "  ".repeat(line.len()), moves[0]);
        let certain = match certain {
            None => String::new(),
            Some(Certain::Draw) => " draw".to_owned(),
            Some(Certain::Win(plies)) => format!(" win in {plies}"),
            Some(Certain::Loss(plies)) => format!(" loss in {plies}"),
        };
        writeln!(text, "{name:<12}{visits:>4} {:>+8.4}{certain}", wdl.q()).unwrap();
        line.push(moves[0]);
        if line.len() < PLIES {
            write_tree(search, line, text);
        }
        line.pop();
    }
}

fn tree<G: Game>(config: SearchConfig, game: &G, simulations: u32, noise: Noise) -> String {
    let mut search = Search::new(config);
    search.start(game, simulations, noise, &mut Rng::seed_from_u64(1));
    run(&mut search, &mut Hash);
    let (best, value) = (search.best_move(), search.root_wdl().q());
    let mut text = format!("{}\n{simulations} simulations: {best} {value:+.4}\n\n", game.fen());
    write_tree(&search, &mut Vec::new(), &mut text);
    text
}

/// Writes down what each depth found.
struct Depths(String);

impl<M: Move> SearchObserver<M> for Depths {
    fn keep_going(&mut self) -> bool {
        true
    }

    fn depth_done(&mut self, found: &SearchResult<M>) {
        let SearchResult { lines, depth, deepest, nodes, .. } = found;
        writeln!(self.0, "\ndepth {depth}, at most {deepest}: {nodes} nodes").unwrap();
        for line in lines {
            let moves: Vec<String> = line.moves.iter().map(M::to_string).collect();
            let end = line.end.map_or(String::new(), |plies| format!(" ends in {plies}"));
            writeln!(self.0, "{:+.4}{end} {}", line.q, moves.join(" ")).unwrap();
        }
    }
}

fn depths<G: Game>(game: &G, depth: u32) -> String {
    let limits = SearchLimits { depth, lines: LINES, ..SearchLimits::UNLIMITED };
    let mut found = Depths(format!("{}\n", game.fen()));
    AlphaBeta::new(1).search(game, &limits, &mut [Hash], &mut found);
    found.0
}

/// Compares what all three searches do in `game` with its files; alpha-beta searches to `depth`.
fn compare<G: Game>(game: &G, depth: u32) {
    let golden = |search: &str| -> ExpectFile {
        let name = format!("{}_{search}.txt", G::ID);
        expect_file![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden").join(name)]
    };
    let (puct, gumbel) =
        (SearchConfig::Puct(PuctConfig::default()), SearchConfig::Gumbel(GumbelConfig::default()));
    golden("puct").assert_eq(&tree(puct, game, 64, Noise::None));
    golden("gumbel").assert_eq(&tree(gumbel, game, 48, Noise::Explore));
    golden("alphabeta").assert_eq(&depths(game, depth));
}

#[test]
fn dobutsu() {
    compare(&start::<Dobutsu>(RuleSet::Standard), 5);
}

#[test]
fn xiangqi() {
    compare(&start::<Xiangqi>(RuleSet::Axf), 3);
}
