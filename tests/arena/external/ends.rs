//! Engines, and all that they start, end with their match, however that ends.

use super::*;

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

/// Whether the process runs that the engine leaves in a session of its own. The program that starts it has the same words
/// among its arguments.
fn is_apart(marker: &str) -> bool {
    let found = processes_where(|process| {
        let arguments = std::fs::read(process.join("cmdline")).unwrap_or_default();
        let arguments = String::from_utf8_lossy(&arguments);
        arguments.contains(marker) && arguments.ends_with("\0linger\0") && !arguments.starts_with("setsid\0")
    });
    found.is_some_and(|found| !found.is_empty())
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
            return skipped("no /proc in which to see the engine start");
        }
        let mut program = match_command(&format!("{} {mode}", bad_engine(&marker)), folder.path());
        // The match has the marker among its own arguments.
        wait_until("engine", || match mode {
            "apart" => is_apart(&marker),
            _ => processes(&marker).is_some_and(|found| found.len() >= 2),
        });
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
    wait_until("process apart", || is_apart(&marker));
    drop(player);
    assert_nobody_is_left(&marker);
}

#[test]
fn ctrl_c_twice_kills_engines_that_do_not_answer() {
    let (marker, folder) = (marker("twice"), tempfile::tempdir().expect("a folder"));
    if processes(&marker).is_none() {
        return skipped("no /proc in which to see the engine start");
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
