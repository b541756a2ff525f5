//! Numbers that say whether behaviour has changed: checksums of all that games do from fixed seeds.
//!
//! They are the same on every machine, under every system and C library, and without the feature `program`
//! (`tests/fingerprint/run`): two builds with the same numbers play the same games.

use rand::RngExt;

use crate::{
    base::rng::{self, Purpose, Rng},
    games::{
        encode::{Encode, Inputs},
        rules::{Game, GameId, Move, Outcome, RuleSet, Setup},
    },
    net::{Isa, Model, NativeNet, NetConfig, NetEvaluator, Precision, SparseConfig},
    search::{AlphaBeta, GumbelConfig, Noise, PuctConfig, Search, SearchConfig, SearchLimits, run},
    with_game,
};

/// The seed of everything.
const SEED: u64 = 1;
/// Random games of each rule set.
const RANDOM_GAMES: u64 = 12;
/// Plies after which a game is cut off: random ones, and those that are searched.
const MOST_PLIES: u32 = 400;
const MOST_SEARCHED: u32 = 120;
/// The net: as small as one can be.
const HIDDEN: usize = 32;
/// Simulations of a move.
const SIMULATIONS: u32 = 24;
/// Positions between two that alpha-beta looks at, too, how many positions it looks at there, and the MiB of its table.
const EVERY: u32 = 10;
const NODES: u64 = 300;
const TABLE: usize = 1;

/// The checksum of what the rules of `game` say, in all its rule sets: legal moves, checks, positions and results of
/// random games. The order in which moves are made does not matter.
///
/// # Panics
/// For a game of another crate.
pub fn rules(game: GameId) -> u32 {
    with_game!(game, G => rules_of::<G>())
}

/// The checksum of what searches of `game` find with a small net, in one game each: Gumbel's with its noise, and PUCT
/// with its own, which is followed by alpha-beta here and there. The net computes with [`Isa::Portable`].
///
/// # Panics
/// For a game of another crate.
pub fn search(game: GameId) -> u32 {
    with_game!(game, G => search_of::<G>())
}

fn rules_of<G: Game>() -> u32 {
    let mut sum = Checksum::default();
    for (at, &rules) in (0..).zip(G::ID.rule_sets()) {
        for number in 0..RANDOM_GAMES {
            let mut rng = rng::stream(SEED, Purpose::Bench, &[at, number]);
            let mut game = G::start(rules, Setup::Drawn, &mut rng);
            let mut moves = Vec::new();
            while goes_on(&game, MOST_PLIES, &mut sum) {
                moves.clear();
                game.legal_moves(&mut moves);
                moves.sort_unstable_by_key(|mv| mv.bits());
                moves.iter().for_each(|mv| sum.add(&mv.bits().to_le_bytes()));
                sum.add(game.fen().as_bytes());
                sum.add(&[u8::from(game.is_check())]);
                game.play(moves[rng.random_range(0..moves.len())]);
            }
        }
    }
    sum.0.finalize()
}

/// Whether the game goes on; its result is added otherwise.
fn goes_on<G: Game>(game: &G, most_plies: u32, sum: &mut Checksum) -> bool {
    let Some(Outcome { verdict, reason, points }) = game.outcome_or_declaration() else {
        return game.ply() < most_plies;
    };
    sum.add(format!("{verdict:?} {reason} {points:?}").as_bytes());
    false
}

fn search_of<G: Encode>() -> u32 {
    let mut sum = Checksum::default();
    let net = NetConfig::Sparse(SparseConfig { hidden: HIDDEN, inputs: Inputs::Attacks });
    let model = Model::drawn(&net, G::SHAPE, SEED);
    let searches = [
        (
            SearchConfig::Gumbel(GumbelConfig { target_temperature: 1.25, ..GumbelConfig::default() }),
            Precision::Fp32,
        ),
        (
            SearchConfig::Puct(PuctConfig { temperature: 1.5, mate_visits: 8, ..PuctConfig::default() }),
            Precision::Int16,
        ),
    ];
    for (number, (config, precision)) in (0..).zip(searches) {
        let net = NativeNet::with_isa(&model, precision, Isa::Portable).expect("a sparse net has both");
        let mut rng = rng::stream(SEED, Purpose::Bench, &[u64::MAX, number]);
        let mut players: Players<G> =
            Players { evaluator: NetEvaluator::new(net.evaluator(G::SHAPE)), search: Search::new(config) };
        players.play(G::ID.rule_sets()[0], &mut rng, &mut sum);
    }
    sum.0.finalize()
}

struct Players<G: Game> {
    evaluator: NetEvaluator,
    search: Search<G>,
}

impl<G: Encode> Players<G> {
    /// Plays a game, and adds what the searches find.
    fn play(&mut self, rules: RuleSet, rng: &mut Rng, sum: &mut Checksum) {
        let mut game = G::start(rules, Setup::Drawn, rng);
        let mut alphabeta = AlphaBeta::new(TABLE);
        while goes_on(&game, MOST_SEARCHED, sum) {
            self.search.start(&game, SIMULATIONS, Noise::Explore, rng);
            run(&mut self.search, &mut self.evaluator);
            for root in self.search.root_moves() {
                sum.add(&root.mv.bits().to_le_bytes());
                sum.add(&root.visits.to_le_bytes());
                [root.prior, root.policy, root.q.unwrap_or(2.0)].iter().for_each(|&x| sum.add_number(x));
            }
            if game.ply().is_multiple_of(EVERY) {
                let limits = SearchLimits { nodes: NODES, ..SearchLimits::UNLIMITED };
                let evaluators = std::slice::from_mut(&mut self.evaluator);
                let found = alphabeta.search(&game, &limits, evaluators, &mut || true);
                let lines = found.lines.iter().flat_map(|line| &line.moves);
                lines.for_each(|mv| sum.add(&mv.bits().to_le_bytes()));
                sum.add_number(found.lines[0].q);
                sum.add(&found.nodes.to_le_bytes());
            }
            game.play(self.search.best_move());
        }
    }
}

#[derive(Default)]
struct Checksum(crc32fast::Hasher);

impl Checksum {
    fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn add_number(&mut self, number: f32) {
        self.add(&number.to_bits().to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_games_have_the_same_number_and_other_games_another() {
        assert_eq!(rules(GameId::Dobutsu), rules(GameId::Dobutsu));
        assert_eq!(search(GameId::Dobutsu), search(GameId::Dobutsu));
        let numbers = |of: fn(GameId) -> u32| -> std::collections::HashSet<u32> {
            GameId::ALL.into_iter().map(of).collect()
        };
        assert_eq!(numbers(rules).len(), GameId::ALL.len());
        assert_eq!(numbers(search).len(), GameId::ALL.len());
    }
}
