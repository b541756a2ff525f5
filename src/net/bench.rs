//! How fast a network evaluates, and how fast it could.

use std::time::Instant;

use serde::Serialize;

use super::{Backend, EncodedQuery, Isa, Model, NoPrecision, Precision, native};
use crate::{games::encode::Shape, search::Evaluation};

/// What [`net_speed`] measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NetSpeed {
    /// Evaluations a second of all threads.
    pub evals_per_s: f64,
    /// As [`super::NetConfig::flop`] counts, the mean over the positions.
    pub mflop_per_eval: f64,
    /// Their product, in 10^9 a second. Taps beyond the edge are counted but not computed, so that this may
    /// exceed the peak on a small board.
    pub gflops: f64,
    /// What as many threads reach that only multiply and add, in this precision and with these instructions,
    /// measured in the same run.
    pub peak: f64,
    /// The instruction set of the peak and of [`Backend::Native`].
    pub isa: Isa,
    /// What computed.
    pub backend: Backend,
    /// In these numbers.
    pub precision: Precision,
    /// Threads, each with an evaluator of its own.
    pub threads: usize,
    /// Positions a call.
    pub batch: usize,
}

/// Measures `model` for about `seconds` on `positions`, which are evaluated in turn, `batch` a call.
///
/// # Errors
/// When the backend does not have the precision.
///
/// # Panics
/// When there are no positions, or they do not fit `shape`, or as [`NativeNet::new`](super::NativeNet::new).
pub fn net_speed(
    model: &Model,
    shape: Shape,
    positions: &[EncodedQuery],
    load: &Load,
) -> Result<NetSpeed, NoPrecision> {
    let precision = load.backend.precision_of(model, load.precision);
    let net = load.backend.load_in(model, precision)?;
    let batch = load.batch.clamp(1, positions.len());
    let evals_per_s = rate(load.threads, load.seconds, || {
        let mut evaluator = net.evaluator(shape);
        let mut out = vec![Evaluation::default(); batch];
        let mut batches = positions.chunks_exact(batch).cycle();
        move || {
            evaluator.evaluate_encoded(batches.next().expect("endless"), &mut out);
            batch
        }
    });
    let isa = Isa::from_env().expect("the choice was checked at the start");
    let multiply_add = || || native::multiply_add(isa, precision);
    let peak = rate(load.threads, (load.seconds / 4.0).min(1.0), multiply_add) / 1e9;
    let flop = |encoded: &EncodedQuery| {
        model.net().flop(&shape, encoded.features.active.len(), encoded.moves.len()) as f64
    };
    let mflop_per_eval = positions.iter().map(flop).sum::<f64>() / positions.len() as f64 / 1e6;
    Ok(NetSpeed {
        evals_per_s,
        mflop_per_eval,
        gflops: evals_per_s * mflop_per_eval / 1e3,
        peak,
        isa,
        backend: load.backend,
        precision,
        threads: load.threads,
        batch,
    })
}

/// What to do, how much of it, and for how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// What computes.
    pub backend: Backend,
    /// In these numbers.
    pub precision: Precision,
    /// Threads; at least one.
    pub threads: usize,
    /// Positions a call.
    pub batch: usize,
    /// Seconds.
    pub seconds: f64,
}

/// Units a second of `threads` threads together, each of which does its own work for `seconds`. One call of the
/// work returns how many units it did; the first is not counted.
fn rate<W: FnMut() -> usize>(threads: usize, seconds: f64, worker: impl Fn() -> W + Sync) -> f64 {
    let run = || {
        let mut work = worker();
        work();
        let start = Instant::now();
        let mut units = 0;
        loop {
            units += work();
            let elapsed = start.elapsed().as_secs_f64();
            if elapsed >= seconds {
                return units as f64 / elapsed;
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no worker panics")).sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::testing;

    #[test]
    fn measures_every_backend() {
        let shape = testing::shape(4, 3);
        let mut rng = testing::rng(1);
        let position = |_| EncodedQuery {
            features: testing::features(&shape, &mut rng),
            moves: testing::moves(&shape, &mut rng),
            policy_only: false,
        };
        let positions: Vec<EncodedQuery> = (0..4).map(position).collect();
        let model = testing::model("1x16", &shape, 1);
        for backend in [Backend::Native, Backend::Flex] {
            for precision in Precision::ALL {
                let load = Load { backend, precision, threads: 2, batch: 2, seconds: 0.02 };
                let Ok(speed) = net_speed(&model, shape, &positions, &load) else {
                    assert!(backend == Backend::Flex || !model.net().has(precision), "{backend} {precision}");
                    assert_ne!(precision, Precision::Fp32);
                    continue;
                };
                assert!(speed.evals_per_s > 0.0 && speed.peak > 0.0, "{speed:?}");
                let found = (speed.backend, speed.precision, speed.threads, speed.batch);
                assert_eq!(found, (backend, precision, 2, 2));
            }
        }
    }
}
