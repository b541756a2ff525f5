//! What engines say, without an engine: for the fuzz targets.

use super::{EngineSpec, options, player::answer, variant};
use crate::{
    arena::{Forfeit, PlayerAction},
    games::rules::Game,
    protocol::OptionDeclaration,
};

/// A position, and the answer that was given at it.
pub type OverheardAnswer<G> = (G, Result<PlayerAction<<G as Game>::Move>, Forfeit>);

/// Reads `lines` as those of the engine `spec`, each at the position that the answers before it led to, from `game` on.
/// Options are collected; returns every answer, with the position that it was given at.
#[doc(hidden)]
pub fn overheard<'a, G: Game>(
    spec: &EngineSpec,
    mut game: G,
    lines: impl Iterator<Item = &'a str>,
) -> Vec<OverheardAnswer<G>> {
    let (mut announced, mut answers) = (Vec::new(), Vec::new());
    for line in lines {
        announced.extend(OptionDeclaration::parse(line));
        let Some(said) = answer(spec, &game, line) else { continue };
        let before = game.clone();
        if let Ok(PlayerAction::Play(mv)) = said {
            game.play(mv);
        }
        answers.push((before, said));
    }
    let _ = variant::option(&announced);
    for option in spec.options() {
        let is_known = options::find(&announced, &option.name).is_some();
        assert!(is_known || options::closest(&announced, &option.name).len() == announced.len().min(3));
    }
    answers
}
