//! Games of generations, played by threads of their own: kept in the journal as they come, and then being sealed.

use std::{
    panic::resume_unwind,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use rayon::ThreadPool;

use super::{
    checkpoint::RunDir,
    machine::Machine,
    next_games::NextGames,
    records::{Records, sound_games},
    settings::RunSettings,
    source::{GameSink, GameSource, GenerationStats, Job},
    watch::Watch,
};
use crate::{
    base::store::remove_if_there,
    games::encode::Encode,
    net::ModelFile,
    training::selfplay::{GameRecord, Journal, Plan, SealTask, Workers, journal_path, sealed_path},
};

/// How soon a stop from outside is passed on.
const PASSED_ON: Duration = Duration::from_millis(10);

/// A generation's games and how they were made.
pub(super) struct Played {
    pub games: Vec<GameRecord>,
    /// Writes their file; `None` where that was there before.
    pub sealing: Option<SealTask>,
    /// `None` where a run that was stopped had played all of them before.
    pub effort: Option<Effort>,
}

/// What a generation's games cost.
pub(super) struct Effort {
    pub made: GenerationStats,
    /// Positions played, without those found in the journal.
    pub positions: usize,
    /// Since the generation before was played, or since this one began, whichever is later.
    pub seconds: f64,
}

/// What plays the games of a run.
pub(super) struct Player<G> {
    settings: Arc<RunSettings>,
    dir: RunDir,
    machine: Machine,
    /// Threads that write down what was played.
    pool: Arc<ThreadPool>,
    pub games: Arc<dyn GameSource<G>>,
    /// When a generation was last played to its end, later by what evaluations took since.
    ended: Arc<Mutex<Option<Instant>>>,
}

/// The games that are wanted.
pub(super) struct Wanted {
    pub generation: u32,
    pub planned: NextGames,
    pub net: Arc<ModelFile>,
    /// The threads of this machine that play.
    pub workers: Workers,
    /// How far the run is, in `0.0..=1.0`.
    pub progress: f64,
}

/// A generation that is being played. When this is dropped, it is stopped: what was played is in the journal.
pub(super) struct Playing {
    pub net: Arc<ModelFile>,
    pub workers: Workers,
    halt: Arc<AtomicBool>,
    said: Arc<Mutex<String>>,
    /// That something was said.
    saying: Receiver<()>,
    thread: Option<JoinHandle<Result<Option<Played>>>>,
}

impl<G: Encode> Player<G> {
    /// Plays what `games` makes in the run in `dir`.
    pub fn new(
        settings: Arc<RunSettings>,
        dir: RunDir,
        machine: Machine,
        pool: Arc<ThreadPool>,
        games: Arc<dyn GameSource<G>>,
    ) -> Self {
        Player { settings, dir, machine, pool, games, ended: Arc::default() }
    }

    /// For so long, until now, nothing was played.
    pub fn paused(&self, time: Duration) {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        *ended = ended.map(|ended| ended + time);
    }

    /// Begins to play what is wanted.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn begin(&self, wanted: Wanted) -> Result<Playing> {
        let (net, workers) = (Arc::clone(&wanted.net), wanted.workers.clone());
        let (halt, said) = (Arc::<AtomicBool>::default(), Arc::<Mutex<String>>::default());
        let (says, saying) = channel();
        let teller = Teller { said: Arc::clone(&said), says };
        let (player, stop) = (self.clone(), Arc::clone(&halt));
        let body = move || player.play(&wanted, &stop, teller);
        let thread = thread::Builder::new().name("self-play".to_owned()).spawn(body);
        Ok(Playing {
            net,
            workers,
            halt,
            said,
            saying,
            thread: Some(thread.context("cannot start a thread")?),
        })
    }

    /// Those that are on disk, and the others by the source, which are being sealed then; `None` when that is stopped first:
    /// what was played is in the journal.
    fn play(&self, wanted: &Wanted, stop: &AtomicBool, teller: Teller) -> Result<Option<Played>> {
        let records = Records { settings: &self.settings, dir: &self.dir, machine: self.machine };
        let Wanted { generation, ref planned, ref net, .. } = *wanted;
        let meta = records.meta::<G>(generation);
        let folder = records.dir.records();
        if let Some(games) = records.unlearnt::<G>(generation)? {
            // A run that ended before it saved: the games are whole.
            remove_if_there(&journal_path(&folder, generation))?;
            return Ok(Some(Played { games, sealing: None, effort: None }));
        }
        let (mut journal, mut games) = Journal::open(&folder, &meta)?;
        let sound = sound_games::<G>(&games);
        if sound.len() < games.len() {
            journal = journal.keep_only(&meta, &sound)?;
            games = sound;
        }
        let before: usize = games.iter().map(GameRecord::positions).sum();
        let config = records.settings.of(generation);
        let plan = Plan {
            config: &config.selfplay,
            rules: config.rules,
            seed: config.seed,
            generation,
            games: planned.games,
            done: games.iter().map(|game| game.index).collect(),
            resign_below: planned.resign_below,
        };
        let begin = Instant::now();
        let Wanted { progress, ref workers, .. } = *wanted;
        let job = Job { plan: &plan, config, net, meta: &meta, progress, workers };
        let mut keeper = JournalSink { journal, games, generation, wanted: plan.games, teller };
        let made = self.games.play(&job, stop, &mut keeper)?;
        let JournalSink { journal, mut games, teller, .. } = keeper;
        if games.len() < plan.games as usize {
            return Ok(None);
        }
        let seconds = self.seconds_since(begin);
        let path = sealed_path(&folder, generation);
        let sealing = self.pool.install(|| SealTask::begin(journal, path, &meta, &mut games))?;
        teller.say(String::new());
        let positions = games.iter().map(GameRecord::positions).sum::<usize>() - before;
        let effort = Some(Effort { made, positions, seconds });
        Ok(Some(Played { games, sealing: Some(sealing), effort }))
    }

    /// Seconds since `begin` in which no earlier generation was played. One has ended now.
    fn seconds_since(&self, begin: Instant) -> f64 {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let before = ended.replace(now);
        now.duration_since(before.map_or(begin, |before| before.max(begin))).as_secs_f64()
    }
}

impl<G> Clone for Player<G> {
    fn clone(&self) -> Self {
        Player {
            settings: Arc::clone(&self.settings),
            dir: self.dir.clone(),
            machine: self.machine,
            pool: Arc::clone(&self.pool),
            games: Arc::clone(&self.games),
            ended: Arc::clone(&self.ended),
        }
    }
}

impl Playing {
    /// Waits until all is played; `None` when `stop` was set first.
    ///
    /// # Errors
    /// When there are records of another run, files cannot be read or written, or the source fails.
    pub fn wait(mut self, stop: &AtomicBool, watch: &Watch) -> Result<Option<Played>> {
        loop {
            self.halt.fetch_or(stop.load(Ordering::Relaxed), Ordering::Relaxed);
            match self.saying.recv_timeout(PASSED_ON) {
                Ok(()) => watch.said(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.join()
    }

    /// Whether all is played, or it failed.
    pub fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Stops it.
    ///
    /// # Errors
    /// When it had failed.
    pub fn stop(mut self) -> Result<()> {
        self.halt.store(true, Ordering::Relaxed);
        self.join().map(drop)
    }

    fn join(&mut self) -> Result<Option<Played>> {
        let thread = self.thread.take().expect("nobody else waits for it");
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// What it says.
    pub fn said(&self) -> Arc<Mutex<String>> {
        Arc::clone(&self.said)
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        self.halt.store(true, Ordering::Relaxed);
        if let Some(Ok(Err(error))) = self.thread.take().map(JoinHandle::join) {
            tracing::warn!("{error:#}");
        }
    }
}

/// Says what a generation that is played does.
struct Teller {
    said: Arc<Mutex<String>>,
    says: Sender<()>,
}

impl Teller {
    fn say(&self, doing: String) {
        *self.said.lock().unwrap_or_else(PoisonError::into_inner) = doing;
        // Nobody may listen any more.
        let _ = self.says.send(());
    }
}

/// Keeps games in the journal, and counts them for the observer.
struct JournalSink {
    journal: Journal,
    games: Vec<GameRecord>,
    generation: u32,
    wanted: u32,
    teller: Teller,
}

impl GameSink for JournalSink {
    fn keep(&mut self, game: GameRecord) -> Result<()> {
        self.journal.append(&game)?;
        self.games.push(game);
        self.say("");
        Ok(())
    }

    fn sync(&mut self) -> Result<()> {
        self.journal.sync()
    }

    fn say(&mut self, doing: &str) {
        let JournalSink { generation, wanted, games, teller, .. } = self;
        teller.say(format!("generation {generation}: game {} of {wanted}{doing}", games.len()));
    }
}
