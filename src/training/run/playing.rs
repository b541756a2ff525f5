//! The games of one generation: played, kept in the journal as they come, and being sealed.

use std::{sync::atomic::AtomicBool, time::Instant};

use anyhow::Result;
use rayon::ThreadPool;

use super::{
    records::{Records, sound_games},
    source::{GameSink, GameSource, GenerationStats, Job},
    watch::Watch,
};
use crate::{
    base::store::remove_if_there,
    games::encode::Encode,
    net::ModelFile,
    training::selfplay::{GameRecord, Journal, Plan, SealTask, journal_path, sealed_path},
};

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
    pub seconds: f64,
}

/// The games that are wanted.
pub(super) struct Wanted<'a> {
    pub records: Records<'a>,
    /// Threads that write down what was played.
    pub pool: &'a ThreadPool,
    pub generation: u32,
    pub games: u32,
    /// The threshold below which sides resign, if that is allowed yet.
    pub resign_below: Option<f32>,
    pub net: &'a ModelFile,
    /// How far the run is, in `0.0..=1.0`.
    pub progress: f64,
}

impl Wanted<'_> {
    /// Those that are on disk, and the others by `source`, which are being sealed then; `None` when that is stopped first:
    /// what was played is in the journal.
    ///
    /// # Errors
    /// When there are records of another run, files cannot be read or written, or the source fails.
    pub fn play<G: Encode>(
        &self,
        source: &mut dyn GameSource<G>,
        stop: &AtomicBool,
        watch: &Watch,
    ) -> Result<Option<Played>> {
        let Wanted { ref records, generation, .. } = *self;
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
            games: self.games,
            done: games.iter().map(|game| game.index).collect(),
            resign_below: self.resign_below,
        };
        let begin = Instant::now();
        let job = Job { plan: &plan, config, net: self.net, meta: &meta, progress: self.progress };
        let mut keeper = JournalSink { journal, games, generation, wanted: plan.games, watch };
        let made = source.play(&job, stop, &mut keeper)?;
        let JournalSink { journal, mut games, .. } = keeper;
        if games.len() < plan.games as usize {
            return Ok(None);
        }
        let seconds = begin.elapsed().as_secs_f64();
        let path = sealed_path(&folder, generation);
        let sealing = self.pool.install(|| SealTask::begin(journal, path, &meta, &mut games))?;
        watch.playing(String::new());
        let positions = games.iter().map(GameRecord::positions).sum::<usize>() - before;
        let effort = Some(Effort { made, positions, seconds });
        Ok(Some(Played { games, sealing: Some(sealing), effort }))
    }
}

/// Keeps games in the journal, and counts them for the observer.
struct JournalSink<'a, 'b> {
    journal: Journal,
    games: Vec<GameRecord>,
    generation: u32,
    wanted: u32,
    watch: &'a Watch<'b>,
}

impl GameSink for JournalSink<'_, '_> {
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
        let JournalSink { generation, wanted, games, .. } = self;
        self.watch.playing(format!("generation {generation}: game {} of {wanted}{doing}", games.len()));
    }
}
