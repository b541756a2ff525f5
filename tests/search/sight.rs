//! What a search must not overlook, with nets that know something and nets that know nothing: a win in one move, and an
//! answer that would allow one.
//!
//! `SANKI_SIGHT=1000 cargo test --release --test search sight:: -- --nocapture` looks at a thousand positions of each
//! kind and game, and says what it saw.

use std::{collections::HashSet, env, path::Path};

use crate::support::children;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::{
    games::{
        encode::Encode,
        rules::{
            Game, RuleSet, Setup, Verdict,
            dobutsu::Dobutsu,
            janggi::Janggi,
            shogi::{Minishogi, Shogi},
            xiangqi::{Minixiangqi, Xiangqi},
        },
    },
    net::{Backend, Model, ModelFile, NetEvaluator, PlayTable},
    search::{Noise, Search, Wdl, run},
};

type Rng = Xoshiro256PlusPlus;

/// Positions of each kind and game where the environment does not say how many.
const POSITIONS: usize = 40;
/// Random plies after which a game is left.
const PLIES: u32 = 120;

fn wanted() -> usize {
    env::var("SANKI_SIGHT").ok().and_then(|text| text.parse().ok()).unwrap_or(POSITIONS)
}

/// Whether the game was over, and won by the side that has just moved.
fn is_won<G: Game>(after: &G) -> bool {
    after.outcome_or_declaration().is_some_and(|it| it.verdict == Verdict::Win(!after.side_to_move()))
}

/// Whether the side to move can win by one move, or has won already.
fn can_win<G: Game>(game: &G) -> bool {
    match game.outcome_or_declaration() {
        Some(outcome) => outcome.verdict == Verdict::Win(game.side_to_move()),
        None => children(game).iter().any(|(_, after)| is_won(after)),
    }
}

/// Positions with a win in one move, and positions without one in which some moves allow the other side such a win and some
/// do not.
struct Positions<G> {
    wins: Vec<G>,
    dangers: Vec<G>,
}

impl<G: Game> Positions<G> {
    /// Those of random games, each once.
    fn find(wanted: usize) -> Self {
        let mut rng = Rng::seed_from_u64(1);
        let mut found = Positions { wins: Vec::new(), dangers: Vec::new() };
        let mut seen = HashSet::new();
        while found.wins.len() < wanted || found.dangers.len() < wanted {
            let mut game = G::start(G::ID.rule_sets()[0], Setup::Drawn, &mut rng);
            while game.ply() < PLIES && game.outcome_or_declaration().is_none() {
                if seen.insert(game.key()) {
                    found.add(&game, wanted);
                }
                let mut children = children(&game);
                game = children.swap_remove(rng.random_range(0..children.len())).1;
            }
        }
        found
    }

    fn add(&mut self, game: &G, wanted: usize) {
        let children = children(game);
        if children.iter().any(|(_, after)| is_won(after)) {
            if self.wins.len() < wanted {
                self.wins.push(game.clone());
            }
        } else if self.dangers.len() < wanted {
            let allowing = children.iter().filter(|(_, after)| can_win(after)).count();
            if allowing > 0 && allowing < children.len() {
                self.dangers.push(game.clone());
            }
        }
    }
}

/// A net of the game, an untrained one or the published one if there is one.
fn nets<G: Encode>() -> Vec<ModelFile> {
    let rules = G::ID.rule_sets()[0];
    let net = "sparse-32".parse().expect("a net");
    let mut nets = vec![ModelFile::untrained::<G>(rules, Model::init(&net, G::SHAPE, 1))];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("checkpoints/{}.sanki", G::ID));
    if path.exists() {
        nets.push(ModelFile::read(&path).expect("a published model"));
    }
    nets
}

/// Searches with one net, as it is played.
struct Searcher<G: Encode> {
    search: Search<G>,
    evaluator: NetEvaluator,
}

impl<G: Encode> Searcher<G> {
    fn new(net: &ModelFile) -> Self {
        let play = net.play(&PlayTable::default());
        let loaded = Backend::default().load_in(&net.model, play.precision).expect("it has the precision");
        let evaluator = NetEvaluator::new(loaded.evaluator(G::SHAPE));
        Searcher { search: Search::with_memory(play.search, 64), evaluator }
    }

    fn best(&mut self, game: &G, simulations: u32) -> (G::Move, G) {
        self.search.start(game, simulations, Noise::None, &mut Rng::seed_from_u64(0));
        run(&mut self.search, &mut self.evaluator);
        let mv = self.search.best_move();
        let mut after = game.clone();
        after.play(mv);
        (mv, after)
    }
}

fn check<G: Encode>() {
    let Positions { wins, dangers } = Positions::<G>::find(wanted());
    for net in nets::<G>() {
        let mut searcher = Searcher::<G>::new(&net);
        for simulations in [1, 100, 1000] {
            for game in &wins {
                let (mv, after) = searcher.best(game, simulations);
                assert!(is_won(&after), "{} has a win and plays {mv}: {}", G::ID, game.fen());
            }
        }
        for game in &dangers {
            let (mv, after) = searcher.best(game, 1000);
            assert!(!can_win(&after), "{} allows a win by {mv}: {}", G::ID, game.fen());
        }
        let (generation, net) = (net.meta.generation, &net.meta.net);
        let (wins, dangers) = (wins.len(), dangers.len());
        println!(
            "{}, {net} of generation {generation}: {wins} wins, {dangers} dangers, none overlooked",
            G::ID
        );
    }
}

#[test]
fn shogi() {
    check::<Shogi>();
}

#[test]
fn minishogi() {
    check::<Minishogi>();
}

#[test]
fn xiangqi() {
    check::<Xiangqi>();
}

#[test]
fn minixiangqi() {
    check::<Minixiangqi>();
}

#[test]
fn janggi() {
    check::<Janggi>();
}

#[test]
fn dobutsu() {
    check::<Dobutsu>();
}

/// The second side is to move and lost, as the net sees it, but a third occurrence draws.
#[test]
fn a_draw_by_repetition_is_found() {
    let text = "rcnkncr/p1ppp1p/7/7/7/P1PPP1P/1CNKNCR b - - 0 1";
    let mut game = Minixiangqi::from_fen(RuleSet::Standard, text).expect("a position");
    for text in "b7b6 b1b2 b6b7 b2b1 b7b6 b1b2 b6b7".split(' ') {
        game.play(game.parse_move(text).expect("a legal move"));
    }
    let net = nets::<Minixiangqi>().pop().expect("a net");
    let mut searcher = Searcher::<Minixiangqi>::new(&net);
    for simulations in [1, 10, 100, 1000] {
        let (_, after) = searcher.best(&game, simulations);
        let q = searcher.search.root_wdl().q();
        let is_drawn = after.outcome().is_some_and(|outcome| outcome.verdict == Verdict::Draw);
        assert!(is_drawn || q > 0.0, "{simulations}: {q}");
        assert!(q >= Wdl::DRAW.q());
        let mv = searcher.search.root_moves().find(|mv| mv.mv.to_string() == "b2b1").expect("a legal move");
        assert_eq!(mv.q, Some(0.0));
    }
}
