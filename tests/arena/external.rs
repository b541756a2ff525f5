//! External engines: what they do wrong costs them the game and nothing else.
// How a process ended is told in Unix's words.
#![cfg(unix)]

use crate::bad_modes;

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
    margin: Duration::from_secs(2),
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
        return eprintln!("skipped: no /proc in which to look for processes left behind");
    };
    let deadline = Instant::now() + Duration::from_secs(10);
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
            (Reason::Timeout, "no 'bestmove' within 2.0s")
        }
        Mode::StopReading => (Reason::Timeout, "no 'readyok' within 2.0s"),
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
    // Most of the time is spent waiting for those that hang.
    let player = || player(&engine, RuleSet::Standard, MOVE_TIME);
    let played = play(player, &openings, 10, &AtomicBool::new(false), on_game);
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

/// What `sanki match` says of an engine whose games begin at these boards with these numbers: the exit code, stdout and
/// stderr.
fn match_output(starts: &[(&str, usize)], folder: &Path, more: &[&str]) -> (Option<i32>, String, String) {
    let marker = marker("output");
    let openings = folder.join("openings.txt");
    let lines: Vec<String> =
        starts.iter().map(|(board, number)| format!("{board}[-] w - - 0 {number}")).collect();
    std::fs::write(&openings, lines.join("\n")).expect("a folder that can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sanki"));
    command.args(["match", "random", &bad_engine(&marker), "--game", "dobutsu", "--movetime", "1"]);
    command.args(["--threads", "1", "--games", "8"]).args(more).arg("--openings").arg(openings);
    command.arg("--out").arg(folder.join("match"));
    let output = command.output().expect("our program");
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (output.status.code(), stdout, stderr)
}

#[test]
fn a_match_with_an_engine_that_crashes_at_once_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let exit = Mode::ALL.iter().position(|&mode| mode == Mode::Exit).expect("a mode");
    let (code, stdout, stderr) = match_output(&[("gle/1c1/1C1/ELG", exit)], folder.path(), &[]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""), "{stderr}");
    assert!(stderr.contains("failed in its first moves in 4 games in a row"), "{stderr}");
    assert!(stderr.contains("its last words: out of cheese") && stderr.contains("help: "), "{stderr}");
    let games = std::fs::read_to_string(folder.path().join("match/games.jsonl")).unwrap_or_default();
    assert_eq!(games, "", "none of them counts when the match goes on");
}

#[test]
fn games_that_were_not_decided_on_the_board_are_counted_apart() {
    let exit = Mode::ALL.iter().position(|&mode| mode == Mode::Exit).expect("a mode");
    let starts = [
        ("gle/1c1/1C1/ELG", exit),
        ("gle/c2/1C1/ELG", HONEST),
        ("gle/2c/1C1/ELG", exit),
        ("gle/c2/2C/ELG", HONEST),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let (code, stdout, stderr) = match_output(&starts, folder.path(), &[]);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.contains(", of which +4 -0 were not decided on the board"), "{stdout}");
    let lines: Vec<&str> = stdout.lines().collect();
    let elo = lines.iter().position(|line| line.starts_with("Elo ")).expect("the Elo");
    assert!(lines[elo + 1].starts_with("warning: 4 of 8 games "), "{stdout}");
    let page = std::fs::read_to_string(folder.path().join("match/report.html")).expect("the report");
    assert!(
        page.contains("4 of 8 games were decided by a crash") && page.contains("Not decided on the board")
    );
    let folder = tempfile::tempdir().expect("a folder");
    let (_, stdout, stderr) = match_output(&starts, folder.path(), &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(json["forfeits"], serde_json::json!({"wins": 4, "losses": 0}));
    assert!(json["reasons"]["crash"] == 4 && stderr.contains("warning: 4 of 8 games "), "{json} {stderr}");
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
fn engines_that_cannot_play_are_refused_with_the_reason() {
    let marker = marker("refused");
    let bad = bad_engine(&marker);
    let check =
        |text: &str, game, rules| check_engine(&spec(text), game, rules).map_err(|error| error.to_string());
    let dobutsu = |text: &str, rules| check(text, GameId::Dobutsu, rules);
    assert_eq!(dobutsu(&format!("{bad}?threads=2"), RuleSet::Standard).as_deref(), Ok("Bad Engine"));
    let named = format!("{bad}?UCI_Variant=dobutsu");
    assert_eq!(dobutsu(&named, RuleSet::Threefold).as_deref(), Ok("Bad Engine"), "the user knows better");
    for (text, game, rules, part) in [
        (format!("{bad}?Thread=2"), GameId::Dobutsu, RuleSet::Standard, "no option 'Thread', but Threads"),
        (bad.clone(), GameId::Dobutsu, RuleSet::Threefold, "no variant for dobutsu under threefold"),
        (bad.clone(), GameId::Janggi, RuleSet::Points, "no variant for janggi under points"),
        ("usi:true".into(), GameId::Xiangqi, RuleSet::Axf, "xiangqi cannot be written in usi"),
        ("uci:no-such-engine".into(), GameId::Dobutsu, RuleSet::Standard, "'no-such-engine' does not start"),
        ("uci:true".into(), GameId::Dobutsu, RuleSet::Standard, "it ended before 'uciok': exit status: 0"),
    ] {
        let error = check(&text, game, rules).unwrap_err();
        assert!(error.contains(part), "{text}: {error}");
    }
    assert_nobody_is_left(&marker);
}

#[test]
fn an_engine_that_never_answers_loses_before_its_first_move() {
    let marker = marker("deaf");
    let limits = EngineTimeouts { handshake: Duration::from_millis(300), ..LIMITS };
    let engine = spec(&format!("{} deaf", bad_engine(&marker)));
    let mut player = ExternalPlayer::<Dobutsu>::new(engine, RuleSet::Standard, MOVE_TIME, limits);
    for _ in 0..2 {
        let forfeit = player.begin().unwrap_err();
        assert_eq!(forfeit, Forfeit { reason: Reason::Timeout, why: "no 'uciok' within 300.0ms".into() });
        assert_nobody_is_left(&marker);
    }
}

#[test]
fn a_hang_costs_no_more_than_the_clock_and_the_margin() {
    let marker = marker("clock");
    let clock = GameClock { base: Duration::from_millis(1500), increment: Duration::ZERO };
    let mut player = player(&spec(&bad_engine(&marker)), RuleSet::Standard, PlayerBudget::Clock(clock));
    assert_eq!(player.clock(), Some(clock));
    let silent = Mode::ALL.iter().position(|&mode| mode == Mode::Silent).expect("a mode");
    let forfeit = first_turn(&mut *player, silent).unwrap_err();
    assert_eq!((forfeit.reason, forfeit.why.as_str()), (Reason::Timeout, "no 'bestmove' within 3.5s"));
    assert_nobody_is_left(&marker);
}

#[test]
fn a_panic_leaves_no_process() {
    let marker = marker("panic");
    let engine = spec(&bad_engine(&marker));
    let panicked = thread::spawn(move || {
        let mut player = player(&engine, RuleSet::Standard, MOVE_TIME);
        first_turn(&mut *player, HONEST).expect("a move");
        panic!("as is intended");
    });
    assert!(panicked.join().is_err());
    assert_nobody_is_left(&marker);
}

#[test]
fn a_stopped_match_leaves_no_process() {
    let marker = marker("stopped");
    let engine = spec(&bad_engine(&marker));
    let openings: Vec<_> = (1..1000).map(|_| numbered(HONEST)).collect();
    let stop = AtomicBool::new(false);
    let mut games = 0;
    let on_game = &mut |_: &MatchGame| {
        games += 1;
        stop.store(games >= 5, Ordering::Relaxed);
    };
    let player = || player(&engine, RuleSet::Standard, MOVE_TIME);
    let played = play(player, &openings, 3, &stop, on_game);
    assert!((5..=8).contains(&played.result().games), "{:?}", played.result());
    assert_nobody_is_left(&marker);
}

#[test]
fn who_is_stopped_waits_for_no_engine_that_hangs() {
    let marker = marker("hanging");
    let engine = spec(&bad_engine(&marker));
    let silent = Mode::ALL.iter().position(|&mode| mode == Mode::Silent).expect("a mode");
    let openings: Vec<_> = (0..10).map(|_| numbered(silent)).collect();
    let (stop, begin) = (AtomicBool::new(false), Instant::now());
    let player = || player(&engine, RuleSet::Standard, PlayerBudget::Simulations(1));
    let played = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(500));
            stop.store(true, Ordering::Relaxed);
        });
        play(player, &openings, 2, &stop, &mut |game| panic!("it is not judged: {game:?}"))
    });
    assert_eq!(played.result().games, 0);
    assert!(begin.elapsed() < LIMITS.nodes, "it was waited for");
    assert_nobody_is_left(&marker);
}

/// `sanki match` with an engine, in a folder of its own.
fn match_command(engine: &str, folder: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sanki"));
    let openings = folder.join("openings.txt");
    std::fs::write(&openings, numbered(HONEST).game.fen()).expect("a folder that can be written");
    command.args(["match", engine, "random", "--game", "dobutsu", "--movetime", "1", "--games", "20000"]);
    command.args(["--threads", "2", "--out"]).arg(folder.join("match")).arg("--openings").arg(openings);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("our program")
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < deadline, "no {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn interrupt(program: &Child) {
    kill(Pid::from_raw(program.id() as i32), Signal::SIGINT).expect("it runs");
}

#[test]
fn ctrl_c_ends_a_match_and_its_engines() {
    let (marker, folder) = (marker("interrupt"), tempfile::tempdir().expect("a folder"));
    let mut program = match_command(&bad_engine(&marker), folder.path());
    let games = folder.path().join("match/games.jsonl");
    wait_until("game", || std::fs::metadata(&games).is_ok_and(|file| file.len() > 0));
    interrupt(&program);
    assert_eq!(program.wait().expect("an end").code(), Some(130));
    assert_nobody_is_left(&marker);
}

#[test]
fn engines_end_with_us_when_we_are_killed() {
    for mode in ["deaf", "apart"] {
        let (marker, folder) = (marker(&format!("killed-{mode}")), tempfile::tempdir().expect("a folder"));
        if processes(&marker).is_none() {
            return eprintln!("skipped: no /proc in which to see the engine start");
        }
        let mut program = match_command(&format!("{} {mode}", bad_engine(&marker)), folder.path());
        // The match has the marker among its own arguments; apart from the engine there is what it has started.
        let wanted = if mode == "apart" { 3 } else { 2 };
        wait_until("engine", || processes(&marker).is_some_and(|found| found.len() >= wanted));
        program.kill().expect("it runs");
        program.wait().expect("an end");
        assert_nobody_is_left(&marker);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_an_engine_starts_in_another_session_ends_with_it() {
    let marker = marker("apart");
    let engine = spec(&format!("{} apart", bad_engine(&marker)));
    let mut player = player(&engine, RuleSet::Standard, MOVE_TIME);
    assert!(matches!(first_turn(&mut *player, HONEST), Ok(PlayerAction::Play(_))));
    // The engine and the process that it has started.
    wait_until("process apart", || processes(&marker).is_some_and(|found| found.len() >= 2));
    drop(player);
    assert_nobody_is_left(&marker);
}

#[test]
fn who_announces_options_for_ever_is_refused() {
    let marker = marker("chatter");
    let engine = spec(&format!("{} chatter", bad_engine(&marker)));
    let begin = Instant::now();
    let error = check_engine(&engine, GameId::Dobutsu, RuleSet::Standard).unwrap_err().to_string();
    assert!(error.contains("more than 1000 options"), "{error}");
    assert!(begin.elapsed() < LIMITS.handshake, "it was not listened to for longer than that takes");
    assert_nobody_is_left(&marker);
}

#[test]
fn what_engines_say_is_printed_without_control_characters() {
    let marker = marker("colours");
    let engine = spec(&format!("{} colours", bad_engine(&marker)));
    let error = check_engine(&engine, GameId::Dobutsu, RuleSet::Standard).unwrap_err().to_string();
    assert!(error.contains("]0;my title") && !error.contains(char::is_control), "{error:?}");
    assert_nobody_is_left(&marker);
}

#[test]
fn ctrl_c_twice_kills_engines_that_do_not_answer() {
    let (marker, folder) = (marker("twice"), tempfile::tempdir().expect("a folder"));
    if processes(&marker).is_none() {
        return eprintln!("skipped: no /proc in which to see the engine start");
    }
    let mut program = match_command(&format!("{} deaf", bad_engine(&marker)), folder.path());
    // The match has the marker among its own arguments.
    wait_until("engine", || processes(&marker).is_some_and(|found| found.len() >= 2));
    interrupt(&program);
    thread::sleep(Duration::from_millis(200));
    interrupt(&program);
    assert_eq!(program.wait().expect("an end").code(), Some(130));
    assert_nobody_is_left(&marker);
}

/// Where Fairy-Stockfish is, if it is installed.
fn fairy_stockfish() -> Option<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    let mut programs = folders.map(|folder| folder.join("fairy-stockfish"));
    Some(programs.find(|program| program.exists())?.display().to_string())
}

/// Two games against random moves, which the engine must not lose by anything but the rules, and not both.
fn plays_soundly<G: Game>(engine: &EngineSpec, rules: RuleSet, budget: PlayerBudget) {
    let openings = [Opening {
        id: "start".to_owned(),
        game: G::start(rules, Setup::Standard, &mut stream(1, Purpose::Openings, &[])),
    }];
    let player = || player::<G>(engine, rules, budget);
    let played = play(player, &openings, 2, &AtomicBool::new(false), &mut |game| {
        assert_eq!(game.note, None, "{engine} {rules}: {game:?}");
    });
    let tally = played.tally();
    assert_eq!(tally.games(), 2, "{engine} {rules}");
    assert!(tally.wins >= 1, "{engine} {rules}: {tally:?}");
}

#[test]
fn fairy_stockfish_plays_every_game_in_every_dialect() {
    let Some(program) = fairy_stockfish() else {
        return eprintln!("skipped: no fairy-stockfish on the PATH or in /usr/games");
    };
    let nodes = PlayerBudget::Simulations(300);
    let clock = GameClock { base: Duration::from_secs(5), increment: Duration::from_millis(20) };
    let time = PlayerBudget::MoveTime(Duration::from_millis(20));
    let defaults = GameId::ALL.map(|game| ("uci", game, game.rule_sets()[0], nodes));
    let others = [
        ("uci", GameId::Janggi, RuleSet::Traditional, nodes),
        ("uci", GameId::Janggi, RuleSet::Kakao, nodes),
        ("uci", GameId::Janggi, RuleSet::Casual, nodes),
        ("uci", GameId::Shogi, RuleSet::Jsa24, nodes),
        ("uci", GameId::Dobutsu, RuleSet::Threefold, PlayerBudget::Clock(clock)),
        ("usi", GameId::Shogi, RuleSet::Csa27, nodes),
        ("usi", GameId::Shogi, RuleSet::Csa27, time),
        ("usi", GameId::Minishogi, RuleSet::Standard, PlayerBudget::Clock(clock)),
        ("usi", GameId::Dobutsu, RuleSet::Standard, nodes),
        ("ucci", GameId::Xiangqi, RuleSet::Axf, nodes),
        ("ucci", GameId::Xiangqi, RuleSet::Axf, time),
        ("ucci", GameId::Xiangqi, RuleSet::Axf, PlayerBudget::Clock(clock)),
    ];
    for (dialect, game, rules, budget) in defaults.into_iter().chain(others) {
        let engine = spec(&format!("{dialect}:{program}"));
        let name = check_engine(&engine, game, rules).expect("an engine that plays");
        assert!(name.contains("Fairy-Stockfish"), "{name}");
        with_game!(game, G => plays_soundly::<G>(&engine, rules, budget));
    }
}
