//! The search on games small enough to know the truth.

use crate::support;

mod choices;
mod policies;
mod proofs;
mod tree;
mod variations;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::{
    games::rules::{
        Game, RuleSet, Setup, Side,
        dobutsu::{Dobutsu, DobutsuMove},
    },
    search::{
        Certain, Evaluation, Evaluator, GumbelConfig, Noise, PuctConfig, Query, RootMove, Search,
        SearchConfig, Wdl, run, run_together, run_while,
    },
};
use support::{
    Even, Hash, children, mix,
    rows::{Four, Square, Three},
    solve,
};

type Rng = Xoshiro256PlusPlus;

fn gumbel() -> SearchConfig {
    SearchConfig::Gumbel(GumbelConfig::default())
}

fn puct() -> SearchConfig {
    SearchConfig::Puct(PuctConfig::default())
}

fn search<G: Game>(
    config: SearchConfig,
    game: &G,
    simulations: u32,
    evaluator: &mut impl Evaluator<G>,
) -> Search<G> {
    let mut search = Search::new(config);
    search.start(game, simulations, Noise::None, &mut Rng::seed_from_u64(0));
    run(&mut search, evaluator);
    search
}

fn root_move<G: Game>(search: &Search<G>, mv: G::Move) -> RootMove<G::Move> {
    search.root_moves().find(|root_move| root_move.mv == mv).expect("a legal move")
}

fn minishogi_start() -> sanki::games::rules::shogi::Minishogi {
    Game::start(RuleSet::Standard, Setup::Standard, &mut Rng::seed_from_u64(0))
}

/// The positions of random games, none of them over, each once.
fn positions<G: Game>(start: &G, games: usize) -> Vec<G> {
    let mut rng = Rng::seed_from_u64(7);
    let mut positions = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for _ in 0..games {
        let mut game = start.clone();
        while game.outcome().is_none() {
            if seen.insert(game.key()) {
                positions.push(game.clone());
            }
            let children = children(&game);
            game = children[rng.random_range(0..children.len())].1.clone();
        }
    }
    positions
}
