//! A number that says whether learning has changed.

use rand::RngExt;

use super::trusted;
use crate::training::learner::{Learner, LearnerConfig, Schedule};
use crate::{
    base::rng::{self, Purpose, Rng},
    games::{
        encode::{Encode, Inputs},
        rules::GameId,
    },
    net::{Backend, EncodedQuery, Model, NetConfig, SparseConfig},
    search::Wdl,
    training::replay::{MoveWeight, Sample},
    with_game,
};

const SEED: u64 = 1;
const HIDDEN: usize = 32;
const STEPS: usize = 3;
const BATCH: usize = 64;

/// The checksum of a few steps in which a small sparse net learns positions of random games of `game`: losses and weights.
/// It depends on whether the processor fuses multiplications and additions (`net::Isa`), and on nothing else of the
/// machine.
///
/// # Panics
/// For a game of another crate.
pub fn learning_fingerprint(game: GameId) -> u32 {
    with_game!(game, G => of::<G>())
}

fn of<G: Encode>() -> u32 {
    let net = NetConfig::Sparse(SparseConfig { hidden: HIDDEN, inputs: Inputs::Attacks });
    let model = Model::drawn(&net, G::SHAPE, SEED);
    let schedule = Schedule { warmup_steps: 1, ..Schedule::default() };
    let config = LearnerConfig { batch: BATCH, schedule, ..LearnerConfig::default() };
    let mut learner = Learner::new(config, &model, G::SHAPE, Backend::Native, 1);
    let mut rng = rng::stream(SEED, Purpose::Replay, &[]);
    let mut sum = crc32fast::Hasher::new();
    for step in 0..STEPS {
        let batch: Vec<Sample> = (0..BATCH).map(|_| sample::<G>(&mut rng)).collect();
        let report = learner
            .step(&learner.batch_of(&batch), step as f32 / STEPS as f32)
            .expect("small weights stay finite");
        sum.update(&report.losses.policy.to_bits().to_le_bytes());
        sum.update(&report.losses.value.to_bits().to_le_bytes());
        sum.update(&report.gradient_norm.to_bits().to_le_bytes());
    }
    for model in [learner.model(), learner.averaged()] {
        model.weights().iter().for_each(|weight| sum.update(&weight.to_bits().to_le_bytes()));
    }
    sum.finalize()
}

/// A position of a random game, with targets at random.
fn sample<G: Encode>(rng: &mut Rng) -> Sample {
    let EncodedQuery { features, moves, .. } = trusted::position::<G>(Inputs::Attacks, rng);
    let target = |index: &u16| MoveWeight { index: *index, weight: rng.random_range(1..100) as f32 };
    let policy: Vec<MoveWeight> = moves.iter().map(target).collect();
    let wdl = [Wdl::WIN, Wdl::DRAW, Wdl::LOSS][rng.random_range(0..3)];
    Sample { features, reply: policy.clone(), policy, wdl, moves_left: Some(rng.random_range(1..60) as f32) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_its_number_and_keeps_it() {
        let numbers = || GameId::ALL.map(learning_fingerprint);
        let (first, second) = (numbers(), numbers());
        assert_eq!(first, second);
        assert_eq!(first.into_iter().collect::<std::collections::HashSet<u32>>().len(), GameId::ALL.len());
    }
}
