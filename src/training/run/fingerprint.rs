//! A number that says whether learning has changed.

use rand::RngExt;

use crate::{
    base::rng::{self, Purpose, Rng},
    games::{
        encode::{Encode, Inputs},
        rules::{GameId, Move, Reason, Setup, Side, Verdict},
    },
    net::{Backend, Model, NetConfig, SparseConfig},
    training::{
        learner::{Learner, LearnerConfig, Schedule},
        replay::{Encoder, Sample},
        selfplay::{Candidate, GameRecord, Ply, Resigning, SearchDepth},
    },
    with_game,
};

const SEED: u64 = 1;
const HIDDEN: usize = 32;
const STEPS: usize = 3;
const BATCH: usize = 64;
const PLIES: usize = 40;
const VALUE_MIX: f32 = 0.25;

/// The checksum of a few steps in which a small sparse net learns what replay makes of random games of `game`: losses and
/// weights. It depends on whether the processor fuses multiplications and additions (`net::Isa`), and on nothing else of
/// the machine.
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
        let batch: Vec<Sample> =
            std::iter::repeat_with(|| samples::<G>(&mut rng)).flatten().take(BATCH).collect();
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

/// The samples that replay makes of a random game.
fn samples<G: Encode>(rng: &mut Rng) -> Vec<Sample> {
    let game = Encoder::<G>::new(Inputs::Attacks).encode(random_game::<G>(rng));
    let sample = |number| {
        let mut sample = Sample::default();
        game.sample_into::<G>(number, VALUE_MIX, rng, &mut sample);
        sample
    };
    (0..game.positions()).map(sample).collect()
}

/// A game of random moves, searches and result, of [`PLIES`] at most.
fn random_game<G: Encode>(rng: &mut Rng) -> GameRecord {
    let rules = G::ID.rule_sets()[0];
    let mut game = G::start(rules, Setup::Drawn, rng);
    let start = game.fen();
    let (mut plies, mut candidates, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    while plies.len() < PLIES && game.outcome_or_declaration().is_none() {
        moves.clear();
        game.legal_moves(&mut moves);
        let most = u16::MAX / moves.len() as u16;
        candidates.extend(moves.iter().map(|mv| {
            let share = rng.random_range(0..=most);
            Candidate { mv: mv.bits(), visits: share, share }
        }));
        let wdl = [rng.random_range(0..=u16::MAX / 2), rng.random_range(0..=u16::MAX / 2)];
        let mv = moves[rng.random_range(0..moves.len())];
        plies.push(Ply { mv: mv.bits(), search: SearchDepth::Full, wdl, candidates: moves.len() as u16 });
        game.play(mv);
    }
    GameRecord {
        game: G::ID,
        rules,
        generation: 1,
        index: 0,
        start,
        plies,
        candidates,
        verdict: [Verdict::Win(Side::First), Verdict::Draw, Verdict::Win(Side::Second)]
            [rng.random_range(0..3)],
        reason: Reason::MoveLimit,
        points: None,
        resigning: Resigning::Open,
    }
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
