//! Openings for matches: positions, judged even, that both players get from both sides.

mod extend;
mod file;
mod generate;
mod handicap;
mod judge;
mod tree;
mod worth;

use std::collections::BTreeMap;

use rand::seq::SliceRandom;

pub use extend::extend;
pub use file::read_openings;
pub use generate::{GeneratorConfig, generate};
pub use handicap::handicap_openings;

use crate::{
    base::rng::{Purpose, stream},
    games::rules::{Game, RuleSet, Setup},
};

/// A position to start a game from.
#[derive(Clone, Debug)]
pub struct Opening<G> {
    /// Its name in reports and records; in the embedded set of a game with set-ups, the one it comes from stands before
    /// the number.
    pub id: String,
    /// The game, which starts at the opening: there is no history before it, so that any program can start
    /// from the same FEN.
    pub game: G,
}

/// The first `count` openings of the embedded set of the game, in the order that `seed` gives it; fewer where the
/// set has fewer. Positions that `rules` do not allow or end are left out.
///
/// In a game with set-ups those of the set-up that `setup` names. Where it is drawn, every set-up has its equal share in
/// any openings that follow each other, as many as there are set-ups.
pub fn embedded<G: Game>(rules: RuleSet, setup: Setup, count: usize, seed: u64) -> Vec<Opening<G>> {
    let wanted = match setup {
        Setup::Drawn => None,
        Setup::Standard => G::ID.facts().setups.first().copied(),
        Setup::Named(name) => Some(name),
    };
    let mut groups: BTreeMap<Option<&str>, Vec<Opening<G>>> = BTreeMap::new();
    // What the game's first rule set allows, another may not.
    for opening in
        file::positions(G::ID.facts().openings).filter_map(|(_, line)| file::parse_own(rules, line).ok()?)
    {
        let setup = setup_of(&opening);
        if wanted.is_none() || setup.is_none() || setup == wanted {
            groups.entry(setup).or_default().push(opening);
        }
    }
    let mut rng = stream(seed, Purpose::Openings, &[]);
    let mut groups: Vec<_> = groups.into_values().collect();
    groups.iter_mut().for_each(|group| group.shuffle(&mut rng));
    groups.shuffle(&mut rng);
    let mut openings = Vec::new();
    let mut groups: Vec<_> = groups.into_iter().map(Vec::into_iter).collect();
    while openings.len() < count && groups.iter().any(|group| group.len() > 0) {
        openings.extend(groups.iter_mut().filter_map(Iterator::next));
    }
    openings.truncate(count);
    openings
}

/// The set-up that an opening of the embedded set comes from, where the game has several.
fn setup_of<G: Game>(opening: &Opening<G>) -> Option<&'static str> {
    let name = opening.id.split_whitespace().next()?;
    G::ID.facts().setups.iter().copied().find(|&setup| setup == name)
}
