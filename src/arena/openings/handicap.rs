//! Openings of handicap games.

use rand::seq::SliceRandom;

use super::{Opening, generate::is_undecided};
use crate::{
    base::rng::{Purpose, stream},
    games::rules::{Game, Handicap, RuleSet, Setup},
};

/// How many are made at most, as many as the embedded sets have.
const MOST: usize = 512;

/// Positions after one move of each side of the game with `handicap`, in the order that `seed` gives them: deterministic
/// players play another game from each. Those are left out in which the side to move wins at once or must lose by the
/// reply. In a game with set-ups, `setup` says which; where it is drawn, all of them are used.
pub fn handicap_openings<G: Game>(
    rules: RuleSet,
    setup: Setup,
    handicap: &Handicap,
    seed: u64,
) -> Vec<Opening<G>> {
    let mut rng = stream(seed, Purpose::Openings, &[]);
    let setups: Vec<Setup> = match (setup, G::ID.facts().setups) {
        (Setup::Drawn, names) if !names.is_empty() => names.iter().copied().map(Setup::Named).collect(),
        (Setup::Drawn, _) => vec![Setup::Standard],
        (setup, _) => vec![setup],
    };
    let mut games: Vec<G> = setups
        .into_iter()
        .map(|setup| G::start(rules, setup, &mut rng).with_handicap(handicap))
        .flat_map(|start: G| children(&start))
        .flat_map(|game| children(&game))
        .collect();
    games.shuffle(&mut rng);
    let openings = games.into_iter().filter_map(|game| {
        // What was before the opening does not count in the game.
        let game = G::from_fen(rules, &game.fen()).ok()?;
        is_undecided(&game).then_some(game)
    });
    let openings = openings.take(MOST).zip(1..);
    openings.map(|(game, number)| Opening { id: format!("{} {number}", handicap.name), game }).collect()
}

/// The games after each legal move that go on.
fn children<G: Game>(game: &G) -> Vec<G> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves
        .into_iter()
        .map(|mv| game.after(mv))
        .filter(|child| child.outcome_or_declaration().is_none())
        .collect()
}
