//! Workers, the server and the learner are killed at random moments, connections break, a worker sleeps past its lease:
//! the run ends with the same net.

use std::{
    path::Path,
    thread::sleep,
    time::{Duration, Instant},
};

use nix::sys::signal::Signal;
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use sanki::base::rng::Rng;

use super::{
    LONGEST, Process, alone, faults, learn,
    server::NatsServer,
    tiny_run::{essence, finish, generations},
    train, worker,
};

/// A worker that is stopped for longer than this has lost its items.
const LEASE: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Worker,
    Server,
    Learner,
    /// The server answers nobody for a while.
    Silence,
    /// The server loses all that it had.
    Amnesia,
    /// A worker sleeps past its lease, and wakes up.
    Sleep,
}

/// The processes of a run, each of which can be started again.
struct Run<'a> {
    server: NatsServer,
    workers: Vec<Process>,
    learner: Process,
    folder: &'a Path,
    settings: &'a [&'a str],
    /// A worker that sleeps, and until when.
    asleep: Option<(usize, Instant)>,
}

impl Run<'_> {
    fn start_learner(&mut self) {
        let command = learn(&self.server, "dobutsu", &self.folder.join("many"), self.settings);
        self.learner = Process::start(command, &self.folder.join("learner"));
    }

    fn make(&mut self, fault: Fault, rng: &mut Rng) {
        match fault {
            Fault::Worker => {
                let number = rng.random_range(0..self.workers.len());
                self.workers[number].kill();
                self.workers[number] = Process::start(worker(&self.server), &self.folder.join("worker"));
            }
            Fault::Server | Fault::Amnesia => {
                self.server.kill();
                if fault == Fault::Amnesia {
                    self.server.forget();
                }
                sleep(Duration::from_millis(rng.random_range(0..500)));
                self.server.start_again();
            }
            Fault::Learner => {
                self.learner.kill();
                self.start_learner();
            }
            Fault::Silence => {
                self.server.signal(Signal::SIGSTOP);
                sleep(Duration::from_millis(1000 * u64::from(rng.random_range(1..=faults(3, 30)))));
                self.server.signal(Signal::SIGCONT);
            }
            Fault::Sleep if self.asleep.is_none() => {
                self.workers[0].signal(Signal::SIGSTOP);
                self.asleep = Some((0, Instant::now() + LEASE + Duration::from_secs(2)));
            }
            Fault::Sleep => {}
        }
    }

    /// Starts again, as a service does, who found no server when it began.
    fn keep(&mut self) {
        let is_in_vain =
            |line: &str| line.contains(": cannot connect to") || line.contains("does not answer for");
        let began_in_vain = |process: &mut Process| {
            let failed = process.ended().is_some_and(|status| !status.success());
            failed && process.said().lines().last().is_some_and(is_in_vain)
        };
        if began_in_vain(&mut self.learner) {
            self.start_learner();
        }
        for worker_process in &mut self.workers {
            if worker_process.ended().is_some() {
                *worker_process = Process::start(worker(&self.server), &self.folder.join("worker"));
            }
        }
    }

    /// Generations that were learnt.
    fn generations(&self) -> usize {
        generations(&self.folder.join("many"))
    }

    fn wake(&mut self) {
        if let Some((number, until)) = self.asleep
            && Instant::now() > until
        {
            self.workers[number].signal(Signal::SIGCONT);
            self.asleep = None;
        }
    }
}

#[test]
fn whatever_dies_or_sleeps_the_net_is_the_same() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let generations = faults(30, 150) as usize;
    let budget = format!("budget.generations={generations}");
    let settings = [&budget[..], "selfplay.positions_per_generation=600", "selfplay.simulations=16"];
    finish(train("dobutsu", &folder.path().join("one"), &settings));

    let workers = (0..4).map(|_| Process::start(worker(&server), &folder.path().join("worker"))).collect();
    let learner = learn(&server, "dobutsu", &folder.path().join("many"), &settings);
    let learner = Process::start(learner, &folder.path().join("learner"));
    let mut run = Run { server, workers, learner, folder: folder.path(), settings: &settings, asleep: None };

    let mut rng = Rng::seed_from_u64(18);
    let mut planned: Vec<Fault> = [
        (Fault::Worker, faults(8, 50)),
        (Fault::Server, faults(2, 10)),
        (Fault::Learner, faults(2, 10)),
        (Fault::Silence, faults(1, 5)),
        (Fault::Amnesia, 1),
        (Fault::Sleep, faults(1, 5)),
    ]
    .into_iter()
    .flat_map(|(fault, count)| (0..count).map(move |_| fault))
    .collect();
    planned.shuffle(&mut rng);
    let (begin, all) = (Instant::now(), planned.len());
    let mut made = Vec::new();
    let status = loop {
        sleep(Duration::from_millis(rng.random_range(10..100)));
        run.wake();
        run.keep();
        if let Some(status) = run.learner.ended() {
            break status;
        }
        assert!(begin.elapsed() < 6 * LONGEST, "the run does not end: {}", run.learner.said());
        // Spread evenly over the generations; some are left after the last fault.
        let is_due = run.generations() * (all + 8) >= (made.len() + 1) * generations;
        if let Some(fault) = planned.pop_if(|_| is_due) {
            run.make(fault, &mut rng);
            made.push(fault);
        }
    };
    assert!(status.success(), "{}", run.learner.said());
    println!("{} of {all} faults in {:.0} s: {made:?}", made.len(), begin.elapsed().as_secs_f64());
    assert!(planned.is_empty(), "the run was too short: {planned:?} were not made");
    let (one, many) = (essence(&folder.path().join("one")), essence(&folder.path().join("many")));
    assert!(one.0 == many.0, "another state");
    assert!(one == many, "another net");
}
