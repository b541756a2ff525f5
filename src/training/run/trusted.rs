//! The check of a device before anything depends on it.

use rand::RngExt;

use crate::{
    base::rng::{self, Purpose},
    games::{
        encode::{Encode, Inputs},
        rules::Setup,
    },
    net::{
        Backend, EncodedQuery, Model, NetConfig, Precision,
        trust::{self, CheckFailed, Distance, POSITIONS},
    },
    search::Query,
};

/// Random plies that lead to the positions, at most.
const MOST_PLIES: u32 = 40;

/// How far `backend` is from the processor where it judges a net of the kind of `model` in `precision`, over positions of
/// random games of `G`. `None` for a backend on the processor.
///
/// # Errors
/// When it is too far, or does not have the precision.
///
/// # Panics
/// When [`Backend::check`] is an error.
pub fn judging<G: Encode>(
    model: &Model,
    backend: Backend,
    precision: Precision,
) -> Result<Option<Distance>, CheckFailed> {
    if matches!(backend, Backend::Native | Backend::Flex) {
        return Ok(None);
    }
    let positions = positions::<G>(model.net().inputs());
    trust::check(&trust::with_opinions(model), G::SHAPE, &positions, backend, precision).map(Some)
}

/// The same where it learns.
///
/// # Errors
/// When it is too far.
///
/// # Panics
/// When [`Backend::check`] is an error.
pub fn learning<G: Encode>(model: &Model, backend: Backend) -> Result<Option<Distance>, CheckFailed> {
    match (backend, model.net()) {
        #[cfg(feature = "wgpu")]
        (Backend::Wgpu, NetConfig::Sparse(_)) => {
            let positions = positions::<G>(model.net().inputs());
            Ok(Some(trust::check_learning(&trust::with_opinions(model), G::SHAPE, &positions)?))
        }
        // A tower learns with what it is judged with.
        (_, NetConfig::Conv(_) | NetConfig::Sparse(_)) => judging::<G>(model, backend, Precision::Fp32),
    }
}

fn positions<G: Encode>(inputs: Inputs) -> Vec<EncodedQuery> {
    (0..POSITIONS as u64).map(|i| position::<G>(inputs, &mut rng::stream(0, Purpose::Bench, &[i]))).collect()
}

/// A position of a random game that is not over.
fn position<G: Encode>(inputs: Inputs, rng: &mut rng::Rng) -> EncodedQuery {
    let mut game = G::start(G::ID.rule_sets()[0], Setup::Drawn, rng);
    let mut moves = Vec::new();
    for _ in 0..rng.random_range(0..MOST_PLIES) {
        let mut next = game.clone();
        game.legal_moves(&mut moves);
        next.play(moves[rng.random_range(0..moves.len())]);
        moves.clear();
        if next.outcome_or_declaration().is_some() {
            break;
        }
        game = next;
    }
    game.legal_moves(&mut moves);
    let mut encoded = EncodedQuery::default();
    encoded.set(&Query { game, moves, policy_only: false }, inputs);
    encoded
}
