//! A generation that is being collected: what is missing, and what came.

use std::time::Instant;

use anyhow::Result;
use async_nats::jetstream::Message;
use rayon::prelude::*;

use super::{
    dispatcher::Dispatcher,
    ledger::Ledger,
    message::most_unpacked,
    nets,
    run_manifest::{GenerationOrder, RunManifest},
    streams::LEASE,
    validate::{Judged, judge, played_by_us},
};
use crate::{
    games::encode::Encode,
    training::run::{GameSink, GenerationStats, Job, WorkerFigures},
};

/// Bytes of games that are unpacked and checked together, at most, or one game.
const UNPACKED: u64 = 128 << 20;
/// The least number of items in which a generation is given out, and the most games of an item.
const ITEMS: usize = 64;
const MOST_GAMES: usize = 16;

/// A generation that is being collected.
pub(super) struct Generation<'a, 'b> {
    pub job: &'a Job<'b>,
    pub entry: RunManifest,
    /// The entry as the server has it.
    pub announced: Option<RunManifest>,
    /// Whether the work of earlier generations is gone from the server.
    pub is_alone: bool,
    pub order: GenerationOrder,
    pub net: Vec<u8>,
    pub dispatcher: Dispatcher,
    pub figures: WorkerFigures,
    pub begin: Instant,
    made: GenerationStats,
}

impl<'a, 'b> Generation<'a, 'b> {
    /// The games of `job` that are missing. The run says of itself what `entry` says, with the order of these games.
    pub fn begin(job: &'a Job<'b>, entry: RunManifest) -> Self {
        let net = job.net.to_container().to_bytes();
        let missing: Vec<u32> =
            (0..job.plan.games).filter(|number| !job.plan.done.contains(number)).collect();
        let item = (missing.len() / ITEMS).clamp(1, MOST_GAMES);
        let played_by =
            if entry.others { String::new() } else { played_by_us(&entry.program, &entry.machine) };
        let order = nets::order(job, &net, item as u32, &played_by);
        Generation {
            job,
            entry: RunManifest { order: Some(order.clone()), ..entry },
            announced: None,
            is_alone: false,
            order,
            net,
            dispatcher: Dispatcher::new(missing.into_iter(), item, LEASE),
            figures: WorkerFigures::default(),
            begin: Instant::now(),
            made: GenerationStats::default(),
        }
    }

    /// Checks what came, and keeps what is good; when this returns it is on the disk, and may be acknowledged.
    ///
    /// # Errors
    /// Those of `sink`.
    pub fn take<G: Encode>(
        &mut self,
        messages: &[Message],
        ledger: &mut Ledger,
        sink: &mut dyn GameSink,
    ) -> Result<()> {
        let before = self.dispatcher.missing();
        let most = UNPACKED / most_unpacked(self.job.plan.config.max_plies);
        for messages in messages.chunks(most.max(1) as usize) {
            self.take_some::<G>(messages, ledger, sink)?;
        }
        if self.dispatcher.missing() < before { sink.sync() } else { Ok(()) }
    }

    /// The same for messages that are in memory at once when they are unpacked; waits for no disk.
    fn take_some<G: Encode>(
        &mut self,
        messages: &[Message],
        ledger: &mut Ledger,
        sink: &mut dyn GameSink,
    ) -> Result<()> {
        let (Generation { job, dispatcher, order, entry, .. }, known) = (&*self, &*ledger);
        let wants = |number| dispatcher.wants(number);
        let judged: Vec<Judged> = messages
            .par_iter()
            .map(|message| judge::<G>(message, job.plan, &order.id, entry, known, &wants))
            .collect();
        for judged in judged {
            match judged {
                Judged::Stale => {}
                Judged::Twice => self.figures.twice += 1,
                Judged::Good { worker, game } => {
                    let number = game.record.index;
                    if ledger.is_out(&worker) {
                        self.dispatcher.refused(number);
                    } else if self.dispatcher.wants(number) {
                        sink.keep(game.record)?;
                        self.dispatcher.arrived(number, Instant::now());
                        self.made.stats += game.stats;
                        ledger.keep(&worker);
                    } else {
                        self.figures.twice += 1;
                    }
                }
                Judged::Bad { worker, number, why } => {
                    ledger.refuse(&worker, &why);
                    self.figures.refused += 1;
                    if let Some(number) = number {
                        self.dispatcher.refused(number);
                    }
                }
            }
        }
        Ok(())
    }

    /// What is known of the games and of those who played them, whose nets took so many seconds to load.
    pub fn stats(self, ledger: &Ledger, net_seconds: f64) -> GenerationStats {
        let seconds = self.begin.elapsed().as_secs_f64();
        let rates = ledger.kept().iter().map(|(name, &games)| (name.clone(), games as f64 / seconds));
        let figures = WorkerFigures {
            again: self.dispatcher.again(),
            shut_out: ledger.shut_out().len() as u32,
            threads: self.entry.threads,
            net_seconds,
            games_per_s: rates.collect(),
            ..self.figures
        };
        GenerationStats { workers: Some(figures), ..self.made }
    }
}
