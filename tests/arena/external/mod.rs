//! External engines: what they do wrong costs them the game and nothing else.
// How a process ended is told in Unix's words.
#![cfg(unix)]

mod ends;
mod fairy_stockfish;
mod refusals;
mod reports;

use crate::{bad_modes, skipped::skipped};

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use bad_modes::{Mode, number_of};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use sanki::{
    arena::{
        Broken, Competitor, Conditions, EngineSpec, EngineTimeouts, ExternalPlayer, Forfeit, Forfeits,
        GameClock, Match, MatchConfig, MatchGame, Opening, Player, PlayerAction, PlayerBudget, RandomPlayer,
        Turn, check_engine,
    },
    base::rng::{Purpose, stream},
    games::rules::{Game, GameId, Reason, RuleSet, Setup, Side, Verdict, dobutsu::Dobutsu},
    with_game,
};

/// Short for hangs, long enough for a busy machine.
const LIMITS: EngineTimeouts = EngineTimeouts {
    handshake: Duration::from_secs(10),
    nodes: Duration::from_secs(20),
    margin: Duration::from_secs(5),
};

const MOVE_TIME: PlayerBudget = PlayerBudget::MoveTime(Duration::from_millis(1));

/// A number whose mode is to be honest.
const HONEST: usize = 3 * Mode::ALL.len();

/// The engine that misbehaves, its processes marked by `marker`.
fn bad_engine(marker: &str) -> String {
    let program = std::env::current_exe().expect("a path");
    let target = program.parent().and_then(Path::parent).expect("a folder");
    let engine: PathBuf = target.join("examples/bad_engine");
    assert!(engine.exists(), "cargo build --example bad_engine makes {}", engine.display());
    format!("uci:{} {marker}", engine.display())
}

fn spec(text: &str) -> EngineSpec {
    text.parse().expect("an engine")
}

fn player<G: Game>(spec: &EngineSpec, rules: RuleSet, budget: PlayerBudget) -> Box<dyn Player<G>> {
    Box::new(ExternalPlayer::<G>::new(spec.clone(), rules, budget, LIMITS))
}

/// A word that no other process has among its arguments.
fn marker(test: &str) -> String {
    format!("sanki-{test}-{}", std::process::id())
}

/// The processes with `marker` among their arguments; `None` where the system does not show them.
fn processes(marker: &str) -> Option<BTreeSet<String>> {
    processes_where(|process| {
        let arguments = std::fs::read(process.join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&arguments).contains(marker)
    })
}

/// Our children that have ended and were not waited for. They have no arguments any more, so another test's may be
/// among them.
fn zombies() -> Option<BTreeSet<String>> {
    let ours = std::process::id().to_string();
    processes_where(|process| {
        let status = std::fs::read(process.join("stat")).unwrap_or_default();
        // PID (NAME) STATE PARENT …
        let status = String::from_utf8_lossy(&status);
        let fields = status.rsplit(')').next().unwrap_or_default().split_whitespace().take(2);
        fields.eq(["Z", &ours])
    })
}

fn processes_where(is_meant: impl Fn(&Path) -> bool) -> Option<BTreeSet<String>> {
    let entries = std::fs::read_dir("/proc").ok()?.flatten().filter(|entry| is_meant(&entry.path()));
    Some(entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
}

/// Waits for the processes to be gone: what an engine had started is reaped by others, a moment after its death.
fn assert_nobody_is_left(marker: &str) {
    let found = || Some(&processes(marker)? | &zombies()?);
    let Some(mut left) = found() else {
        return skipped("no /proc in which to look for processes left behind");
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    while !left.is_empty() {
        assert!(Instant::now() < deadline, "left behind: {left:?}");
        thread::sleep(Duration::from_millis(20));
        // Other tests have children too, but not the same ones all the time.
        left = &left & &found().expect("as before");
    }
}

/// The start of dobutsu with a number.
fn numbered(number: usize) -> Opening<Dobutsu> {
    let fen = format!("gle/1c1/1C1/ELG[-] w - - 0 {number}");
    let game = Dobutsu::from_fen(RuleSet::Standard, &fen).expect("the start");
    Opening { id: number.to_string(), game }
}

/// Two games of "engine" against "random" from each opening.
fn play<G: Game>(
    engine: impl Fn() -> Box<dyn Player<G>> + Sync,
    openings: &[Opening<G>],
    threads: usize,
    stop: &AtomicBool,
    on_game: &mut dyn FnMut(&MatchGame),
) -> Match {
    let conditions = Conditions { max_plies: 400, seed: 1, threads };
    let config = MatchConfig { games: 2 * openings.len() as u32, sprt: None, conditions };
    let random = || -> Box<dyn Player<G>> { Box::new(RandomPlayer::new()) };
    let field = [Competitor::new("engine", engine), Competitor::new("random", random)];
    let mut played = Match::new(config, "engine", Vec::new()).expect("no games yet");
    let mut hear = |_: &Match, game: &MatchGame| {
        on_game(game);
        Ok(())
    };
    played.play(&field, openings, stop, &mut hear).expect("nothing that fails");
    played
}

/// What a mode costs, and a part of what is said about it; `None` where it costs nothing.
fn price(mode: Mode) -> Option<(Reason, &'static str)> {
    Some(match mode {
        Mode::Honest | Mode::StaleAnswer | Mode::Garbage => return None,
        Mode::Exit => (Reason::Crash, "exit status: 3; its last words: out of cheese"),
        Mode::Abort => (Reason::Crash, "signal: 6"),
        Mode::KillItself => (Reason::Crash, "signal: 9"),
        Mode::Panic => (Reason::Crash, "exit status: 101"),
        Mode::ExitLeavingChild => (Reason::Crash, "exit status: 4"),
        Mode::CloseOutput => (Reason::Crash, "closed its output"),
        Mode::Silent | Mode::SilentWithChild | Mode::EndlessInfo | Mode::EndlessLine => {
            (Reason::Timeout, "no 'bestmove' within 5.0s")
        }
        Mode::StopReading => (Reason::Timeout, "no 'readyok' within 5.0s"),
        Mode::ClaimWin => (Reason::IllegalMove, "'win' is not legal"),
        Mode::NoMove => (Reason::IllegalMove, "'(none)' is not legal"),
        Mode::EmptyAnswer => (Reason::IllegalMove, "'' is not legal"),
        Mode::IllegalMove => (Reason::IllegalMove, "'a1a1' is not legal"),
        Mode::Nonsense => (Reason::IllegalMove, "éé' is not legal"),
        Mode::Resign => (Reason::Resignation, ""),
    })
}

/// Checks the game of a bad engine against what its number says; the mode if it decided the game.
fn judge(game: &MatchGame) -> Option<Mode> {
    let (mode, turn) = Mode::of_game(number_of(&game.start));
    let side = if game.first == "engine" { Side::First } else { Side::Second };
    // It stops reading behind its answer, which is seen at the next turn.
    let turn = turn + usize::from(mode == Mode::StopReading);
    let ply = 2 * turn + side.index();
    let plies = game.plies() as usize;
    let natural = [Reason::LionCaptured, Reason::LionHome, Reason::Repetition, Reason::Stalemate];
    if natural.contains(&game.reason) {
        assert!(price(mode).is_none() || plies <= ply, "nothing happened: {mode:?} {game:?}");
        assert_eq!(game.note, None, "{mode:?} {game:?}");
        return None;
    }
    let (reason, part) = price(mode).unwrap_or_else(|| panic!("it did nothing wrong: {mode:?} {game:?}"));
    assert_eq!((game.reason, game.result, plies), (reason, Verdict::Win(!side), ply), "{mode:?} {game:?}");
    assert!(game.note.as_deref().unwrap_or_default().contains(part), "{mode:?} {game:?}");
    Some(mode)
}

#[test]
fn a_thousand_games_against_an_engine_that_does_everything_wrong() {
    let marker = marker("thousand");
    let engine = spec(&bad_engine(&marker));
    // Between the games that fail there are some that show that the engine can play: else the match would end.
    let numbers = (1..=250).flat_map(|number| [number, HONEST]);
    let openings: Vec<_> = numbers.map(numbered).collect();
    let mut heard = Vec::new();
    let mut decided: BTreeMap<Mode, u32> = BTreeMap::new();
    let on_game = &mut |game: &MatchGame| {
        heard.push(game.number);
        if let Some(mode) = judge(game) {
            *decided.entry(mode).or_default() += 1;
        }
    };
    // Most of the time is spent waiting for those that hang: many at a time.
    let player = || player(&engine, RuleSet::Standard, MOVE_TIME);
    let played = play(player, &openings, 24, &AtomicBool::new(false), on_game);
    heard.sort_unstable();
    assert_eq!(heard, Vec::from_iter(0..1000), "each game is told once");
    let result = played.result();
    assert_eq!((result.games, result.openings), (1000, 250));
    let forfeits = decided.iter().filter(|(mode, _)| **mode != Mode::Resign).map(|(_, games)| games).sum();
    assert_eq!(result.forfeits, Forfeits { wins: 0, losses: forfeits });
    assert_eq!(result.reasons.values().sum::<u32>(), 1000);
    assert_eq!(result.tally.pentanomial.iter().sum::<u32>(), 500);
    for mode in Mode::ALL.into_iter().filter(|&mode| price(mode).is_some()) {
        assert!(decided.get(&mode).is_some_and(|&games| games >= 10), "{mode:?}: {decided:?}");
    }
    assert_nobody_is_left(&marker);
}

/// An engine that always fails at once in the way of `number`.
#[test]
fn who_cannot_play_ends_the_match_with_its_last_words() {
    for (mode, part) in [
        (Mode::Exit, "its last words: out of cheese"),
        (Mode::Silent, "no 'bestmove' within"),
        (Mode::IllegalMove, "'a1a1' is not legal"),
    ] {
        let marker = marker("broken");
        let engine = spec(&bad_engine(&marker));
        let number = Mode::ALL.iter().position(|&it| it == mode).expect("a mode");
        let openings: Vec<_> = (0..20).map(|_| numbered(number)).collect();
        let conditions = Conditions { max_plies: 400, seed: 1, threads: 2 };
        let config = MatchConfig { games: 40, sprt: None, conditions };
        let factory = || player::<Dobutsu>(&engine, RuleSet::Standard, MOVE_TIME);
        let random = || -> Box<dyn Player<Dobutsu>> { Box::new(RandomPlayer::new()) };
        let field = [Competitor::new("random", random), Competitor::new("engine", factory)];
        let mut played = Match::new(config, "random", Vec::new()).expect("no games yet");
        let on_game = &mut |_: &Match, game: &MatchGame| panic!("none of them counts: {game:?}");
        let error = played.play(&field, &openings, &AtomicBool::new(false), on_game).unwrap_err();
        let broken = error.downcast::<Broken>().expect("that error");
        assert!(broken.player == "engine" && broken.games >= 4, "{mode:?}: {broken}");
        assert!(broken.why.contains(part), "{mode:?}: {broken}");
        assert_eq!(played.result().games, 0);
        assert_nobody_is_left(&marker);
    }
}

/// What the player does with the first turn of a game from the opening with this number.
fn first_turn(player: &mut dyn Player<Dobutsu>, number: usize) -> Result<PlayerAction<String>, Forfeit> {
    let opening = numbered(number);
    player.begin()?;
    let choice = player.choose(&Turn::at(&opening.game), &mut stream(1, Purpose::Match, &[]))?;
    Ok(match choice {
        PlayerAction::Play(mv) => PlayerAction::Play(mv.to_string()),
        PlayerAction::Resign => PlayerAction::Resign,
    })
}

#[test]
fn every_failure_is_named_and_the_engine_started_again() {
    let marker = marker("failures");
    let mut player = player(&spec(&bad_engine(&marker)), RuleSet::Standard, MOVE_TIME);
    for (number, mode) in Mode::ALL.into_iter().enumerate().skip(1) {
        match (first_turn(&mut *player, number), price(mode)) {
            (Ok(PlayerAction::Resign), Some((Reason::Resignation, _)))
            | (Ok(PlayerAction::Play(_)), None) => {}
            // Seen at the next turn; a new game has an engine that reads.
            (Ok(PlayerAction::Play(_)), _) if mode == Mode::StopReading => {}
            (Err(Forfeit { reason, why }), Some((expected, part))) => {
                assert_eq!(reason, expected, "{mode:?}: {why}");
                assert!(why.contains(part), "{mode:?}: {why}");
                assert_nobody_is_left(&marker);
            }
            other => panic!("{mode:?}: {other:?}"),
        }
        assert!(matches!(first_turn(&mut *player, HONEST), Ok(PlayerAction::Play(_))), "after {mode:?}");
    }
    drop(player);
    assert_nobody_is_left(&marker);
}

#[test]
fn a_hang_costs_no_more_than_the_clock_and_the_margin() {
    let marker = marker("clock");
    let clock = GameClock { base: Duration::from_millis(1500), increment: Duration::ZERO };
    let mut player = player(&spec(&bad_engine(&marker)), RuleSet::Standard, PlayerBudget::Clock(clock));
    assert_eq!(player.clock(), Some(clock));
    let silent = Mode::ALL.iter().position(|&mode| mode == Mode::Silent).expect("a mode");
    let forfeit = first_turn(&mut *player, silent).unwrap_err();
    assert_eq!((forfeit.reason, forfeit.why.as_str()), (Reason::Timeout, "no 'bestmove' within 6.5s"));
    assert_nobody_is_left(&marker);
}
