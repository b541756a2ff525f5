//! Self-play: the same games whatever the threads, the cache and the interruptions; records that survive.

use crate::hash_evaluator;

use std::{
    collections::HashSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use hash_evaluator::HashNet;
use sanki::{
    games::rules::{
        Game, GameId, Handicap, Move, Reason, RuleSet, Setup, Side, Verdict, dobutsu::Dobutsu, shogi::Shogi,
    },
    net::Precision,
    search::{Evaluation, Evaluator, GumbelConfig, Query, SearchConfig, Wdl},
    training::selfplay::{
        Cores, EvaluationCache, GameQueue, GameRecord, HandicapConfig, Journal, Plan, RecordMeta,
        ResignConfig, Resigning, SearchDepth, SearchStats, SelfPlayConfig, Workers, evaluator, opening, play,
        play_numbers, read_sealed, seal, sealed_path,
    },
};

fn config() -> SelfPlayConfig {
    SelfPlayConfig {
        positions_per_generation: 400,
        lag: 0,
        games_per_worker: 5,
        simulations: 16,
        quick_simulations: 4,
        full_share: 0.5,
        opening_plies: 4,
        max_plies: 60,
        cache_positions: 1000,
        precision: Precision::Fp32,
        handicap: HandicapConfig::default(),
        resign: ResignConfig { max_error: 0.1, played_out: 0.2, min_measured: 10 },
        search: SearchConfig::Gumbel(GumbelConfig::default()),
    }
}

fn plan(config: &SelfPlayConfig) -> Plan<'_> {
    Plan {
        config,
        rules: RuleSet::Standard,
        seed: 7,
        generation: 3,
        games: 24,
        done: HashSet::new(),
        resign_below: Some(0.7),
    }
}

fn games_of(plan: &Plan, workers: usize) -> Vec<GameRecord> {
    games_within(plan, &Workers::all(workers))
}

fn games_within(plan: &Plan, workers: &Workers) -> Vec<GameRecord> {
    let mut games = Vec::new();
    let stop = AtomicBool::new(false);
    let keep = |game| {
        games.push(game);
        Ok(())
    };
    play::<Dobutsu, _>(plan, workers, || evaluator(None, Box::new(HashNet)), &stop, keep).unwrap();
    games.sort_by_key(|game| game.index);
    games
}

#[test]
fn the_same_games_at_any_thread_count_and_with_a_cache() {
    let config = config();
    let plan = plan(&config);
    let alone = games_of(&plan, 1);
    assert_eq!(alone.iter().map(|game| game.index).collect::<Vec<_>>(), (0..24).collect::<Vec<_>>());
    assert_eq!(alone, games_of(&plan, 3));

    let cache = EvaluationCache::new(1000);
    let mut cached = Vec::new();
    let stop = AtomicBool::new(false);
    let keep = |game| {
        cached.push(game);
        Ok(())
    };
    play::<Dobutsu, _>(&plan, &Workers::all(2), || evaluator(cache.as_ref(), Box::new(HashNet)), &stop, keep)
        .unwrap();
    cached.sort_by_key(|game: &GameRecord| game.index);
    assert_eq!(alone, cached);
    let rate = cache.unwrap().hit_rate();
    assert!(rate > 0.0 && rate < 1.0, "{rate}");
    assert!(EvaluationCache::new(0).is_none());
}

/// GameQueue from the last to the first, and every third time none yet.
struct Trickle {
    left: Mutex<Vec<u32>>,
    asked: AtomicU32,
}

impl GameQueue for Trickle {
    fn next(&self) -> Option<u32> {
        let is_there = !self.asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(3);
        is_there.then(|| self.left.lock().unwrap().pop()).flatten()
    }

    fn wait(&self) -> bool {
        !self.left.lock().unwrap().is_empty()
    }
}

#[test]
fn the_same_games_whoever_has_to_wait() {
    let config = config();
    let plan = plan(&config);
    let all = games_of(&plan, 1);
    let wait = Duration::from_millis(50);
    for (count, elsewhere) in [(1, 1), (3, 3), (4, 3)] {
        let cores = Arc::new(Cores::new(count));
        cores.use_elsewhere(elsewhere);
        let begin = Instant::now();
        let games = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(wait);
                cores.use_elsewhere(0);
                thread::sleep(wait / 5);
                // Games that are under way wait, too.
                cores.use_elsewhere(count);
                thread::sleep(wait);
                cores.use_elsewhere(0);
            });
            games_within(&plan, &Workers::on(&cores))
        });
        assert!(elsewhere < count || begin.elapsed() >= wait);
        assert_eq!(games, all, "{count} workers");
    }
    // Three of four wait until all is over.
    let cores = Arc::new(Cores::new(4));
    cores.use_elsewhere(3);
    assert_eq!(games_within(&plan, &Workers::on(&cores)), all);
}

#[test]
fn two_generations_at_a_time_are_the_same_games() {
    let config = config();
    let (first, second) = (plan(&config), Plan { generation: 2, ..plan(&config) });
    let alone = (games_of(&first, 1), games_of(&second, 1));
    for count in [1, 2, 5] {
        let workers = Workers::on(&Arc::new(Cores::new(count)));
        let together = thread::scope(|scope| {
            let next = scope.spawn(|| games_within(&second, &workers.next()));
            (games_within(&first, &workers), next.join().unwrap())
        });
        assert_eq!(together, alone, "{count} workers");
    }
}

#[test]
fn the_same_games_in_whatever_order_their_numbers_come() {
    let config = config();
    let plan = plan(&config);
    let all = games_of(&plan, 2);
    let numbers = Trickle { left: Mutex::new((0..24).collect()), asked: AtomicU32::new(0) };
    let (mut games, mut sum) = (Vec::new(), SearchStats::default());
    let searcher = || evaluator(None, Box::new(HashNet));
    let unfinished = play_numbers::<Dobutsu, _>(
        &plan,
        &numbers,
        &Workers::all(2),
        searcher,
        || false,
        |game| {
            sum += game.stats;
            games.push(game.record);
            Ok(())
        },
    );
    assert_eq!(unfinished.unwrap().stats, SearchStats::default());
    games.sort_by_key(|game| game.index);
    assert_eq!(games, all);
    let searched: usize = all.iter().map(GameRecord::positions).sum();
    assert!(sum.searches as usize >= searched && sum.simulations > sum.searches);
    for game in &all {
        let (position, begun) = opening::<Dobutsu>(&plan, game.index);
        assert_eq!((&begun.start, begun.resigning), (&game.start, game.resigning));
        assert_eq!(begun.plies[..], game.plies[..position.ply() as usize]);
    }
}

#[test]
fn so_many_games_begin_with_a_handicap() {
    let start = Shogi::start(RuleSet::Csa27, Setup::Standard, &mut rand::rng());
    let fen = |handicap: &Handicap| start.with_handicap(handicap).fen();
    let starts = |share: f32, names: &[&str]| -> Vec<String> {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        let config = SelfPlayConfig { handicap: HandicapConfig { share, names }, ..config() };
        let plan = Plan { rules: RuleSet::Csa27, ..plan(&config) };
        (0..200).map(|index| opening::<Shogi>(&plan, index).1.start).collect()
    };
    assert!(starts(0.0, &["rook"]).iter().all(|begun| *begun == start.fen()));
    let rook = fen(GameId::Shogi.handicap("rook").unwrap());
    assert!(starts(1.0, &["rook"]).iter().all(|begun| *begun == rook));
    let some = starts(0.25, &["rook"]).iter().filter(|begun| **begun == rook).count();
    assert!((25..=75).contains(&some), "{some} of 200");
    let all = starts(1.0, &[]);
    for handicap in GameId::Shogi.facts().handicaps.list {
        assert!(all.contains(&fen(handicap)), "{}", handicap.name);
    }
}

#[test]
fn games_that_exist_are_not_played_again() {
    let config = config();
    let all = games_of(&plan(&config), 2);
    let rest = games_of(&Plan { done: (0..20).collect(), ..plan(&config) }, 2);
    assert_eq!(rest, all[20..]);
}

#[test]
fn records_replay_to_the_result_they_claim() {
    let config = config();
    let mut kinds = HashSet::new();
    for record in games_of(&plan(&config), 2) {
        let mut game = Dobutsu::from_fen(record.rules, &record.start).unwrap();
        for (ply, candidates) in record.plies() {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            let find = |bits: u16| *moves.iter().find(|mv| mv.bits() == bits).expect("a legal move");
            if ply.search != SearchDepth::Full {
                assert!(candidates.is_empty(), "only a full search teaches a policy");
            } else {
                let share: f32 = candidates.iter().map(|candidate| candidate.share()).sum();
                assert!((share - 1.0).abs() < 0.01, "shares sum to {share}");
                candidates.iter().for_each(|candidate| {
                    find(candidate.mv);
                });
            }
            kinds.insert(format!("{:?}", ply.search));
            game.play(find(ply.mv));
        }
        kinds.insert(format!("{:?}", record.resigning));
        match game.outcome() {
            Some(outcome) => assert_eq!(outcome, record.outcome()),
            None => kinds.extend([record.reason.to_string()]),
        }
    }
    let expected = ["Random", "Quick", "Full", "Open", "PlayedOut", "resignation"];
    expected.iter().for_each(|kind| assert!(kinds.contains(*kind), "{kind} is missing in {kinds:?}"));
}

/// Thinks that the first player wins, whatever stands on the board.
struct FirstWins;

impl<G: Game> Evaluator<G> for FirstWins {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        for (query, out) in queries.iter().zip(out) {
            let win = if query.game.side_to_move() == Side::First { 0.95 } else { 0.05 };
            out.wdl = Wdl { win, draw: 0.0, loss: 1.0 - win };
            out.logits = vec![0.0; query.moves.len()];
        }
    }
}

#[test]
fn the_side_that_expects_to_lose_resigns() {
    let config = config();
    let plan = Plan { resign_below: Some(0.2), ..plan(&config) };
    let (mut resigned, mut played_out) = ([0, 0], 0);
    let count = |game: GameRecord| {
        match game.verdict {
            Verdict::Win(side) if game.reason == Reason::Resignation => resigned[(!side).index()] += 1,
            _ => {}
        }
        played_out += usize::from(game.resigning == Resigning::PlayedOut);
        Ok(())
    };
    play::<Dobutsu, _>(&plan, &Workers::all(1), || FirstWins, &AtomicBool::new(false), count).unwrap();
    let [first, second] = resigned;
    assert!(second > 3 && second > 5 * first, "{first} of the first player, {second} of the second");
    assert!((1..=12).contains(&played_out), "{played_out} of 24 games, a fifth is wanted");
}

#[test]
fn a_journal_survives_being_cut_anywhere() {
    let config = config();
    let games = games_of(&plan(&config), 2);
    let meta = RecordMeta::new(GameId::Dobutsu, RuleSet::Standard, 3, 7, 0);
    let folder = tempfile::tempdir().unwrap();
    let (mut journal, found) = Journal::open(folder.path(), &meta).unwrap();
    assert!(found.is_empty());
    games[..3].iter().for_each(|game| journal.append(game).unwrap());
    drop(journal);
    let path = folder.path().join("gen-000003.journal");
    let whole = std::fs::read(&path).unwrap();
    for length in (0..whole.len()).rev().step_by(7) {
        std::fs::write(&path, &whole[..length]).unwrap();
        let (mut journal, found) = Journal::open(folder.path(), &meta).unwrap();
        assert!(found.len() < 3 && found == games[..found.len()]);
        journal.append(&games[5]).unwrap();
        drop(journal);
        let (_, again) = Journal::open(folder.path(), &meta).unwrap();
        assert_eq!(again.last(), Some(&games[5]), "what follows a cut is kept");
    }

    std::fs::write(&path, [&whole[..], &[0; 100]].concat()).unwrap();
    assert_eq!(
        Journal::open(folder.path(), &meta).unwrap().1,
        games[..3],
        "zeros at the end are a power cut's"
    );
    for byte in [0, 30, whole.len() / 2] {
        let mut damaged = whole.clone();
        damaged[byte] ^= 1;
        std::fs::write(&path, &damaged).unwrap();
        let (_, kept) = Journal::open(folder.path(), &meta).unwrap();
        assert!(kept.len() < 3 && kept == games[..kept.len()], "the games before the damage");
        let aside = folder.path().join("gen-000003.journal.damaged");
        assert_eq!(std::fs::read(&aside).unwrap(), damaged, "what was there is kept");
        std::fs::remove_file(aside).unwrap();
        assert_eq!(Journal::open(folder.path(), &meta).unwrap().1, kept, "it is mended");
    }
    std::fs::write(&path, &whole).unwrap();
    let other = RecordMeta::new(GameId::Dobutsu, RuleSet::Standard, 3, 8, 0);
    assert!(format!("{:#}", Journal::open(folder.path(), &other).unwrap_err()).contains("seed 7"));
    let other = RecordMeta { settings: 9, ..meta };
    assert!(format!("{:#}", Journal::open(folder.path(), &other).unwrap_err()).contains("other settings"));
}

/// A torn frame is the last one: a length that reaches beyond the end, or is 0, with games behind it is damage.
#[test]
fn a_damaged_length_in_a_journal_is_no_torn_end() {
    let config = config();
    let games = games_of(&plan(&config), 2);
    let meta = RecordMeta::new(GameId::Dobutsu, RuleSet::Standard, 3, 7, 0);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gen-000003.journal");
    let (mut journal, _) = Journal::open(folder.path(), &meta).unwrap();
    let length = || std::fs::metadata(&path).unwrap().len() as usize;
    // Where the header begins, each game, and the end.
    let mut begins = vec![0, length()];
    for game in &games[..4] {
        journal.append(game).unwrap();
        begins.push(length());
    }
    let whole = std::fs::read(&path).unwrap();
    let word = |at: usize| u32::from_le_bytes(whole[at..at + 4].try_into().unwrap());
    let with_length = |at: usize, length: u32| {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&length.to_le_bytes());
        bytes
    };
    for (frame, &at) in begins[..5].iter().enumerate() {
        let to_the_end = (whole.len() - at - 8) as u32;
        // The last frame's is the right one.
        let lengths = [word(at) | 1 << 24, u32::MAX, 0, to_the_end].into_iter();
        for length in lengths.filter(|&length| length != word(at)) {
            let damaged = with_length(at, length);
            std::fs::write(&path, &damaged).unwrap();
            let (_, kept) = Journal::open(folder.path(), &meta).unwrap();
            assert_eq!(kept, games[..frame.saturating_sub(1)], "frame {frame}, length {length}");
            let aside = folder.path().join("gen-000003.journal.damaged");
            assert_eq!(std::fs::read(&aside).unwrap(), damaged, "frame {frame}, length {length}");
            std::fs::remove_file(aside).unwrap();
        }
    }
    // What a power cut leaves is put aside nowhere: the length without its bytes, or zeros in their place.
    let last = begins[4];
    for torn in
        [whole[..whole.len() - 1].to_vec(), [&whole[..last + 8], &vec![0; whole.len() - last - 8]].concat()]
    {
        std::fs::write(&path, torn).unwrap();
        assert_eq!(Journal::open(folder.path(), &meta).unwrap().1, games[..3]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn sealed_records_come_back_and_damage_is_refused() {
    let config = config();
    let games = games_of(&plan(&config), 2);
    let meta = RecordMeta::new(GameId::Dobutsu, RuleSet::Standard, 3, 7, 0);
    let folder = tempfile::tempdir().unwrap();
    let path = sealed_path(folder.path(), 3);
    let mut shuffled: Vec<_> = games.iter().rev().cloned().collect();
    seal(&path, &meta, &mut shuffled).unwrap();
    assert_eq!(read_sealed(&path, &meta).unwrap(), games);

    let shogi = RecordMeta::new(GameId::Shogi, RuleSet::Csa27, 3, 7, 0);
    let error = format!("{:#}", read_sealed(&path, &shogi).unwrap_err());
    assert!(error.contains("holds dobutsu") && error.contains("wanted shogi"), "{error}");

    let whole = std::fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 4;
    for bytes in [&whole[..whole.len() - 1], &damaged, &[]] {
        std::fs::write(&path, bytes).unwrap();
        let error = format!("{:#}", read_sealed(&path, &meta).unwrap_err());
        assert!(error.contains("gen-000003.records"), "{error}");
    }
}
