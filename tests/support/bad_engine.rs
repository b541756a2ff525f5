//! A UCI engine for dobutsu that plays random moves and misbehaves: in each game in the way that the move number in
//! its FEN says, see `bad_modes.rs`.
//!
//! Arguments: a word by which the tests know its processes; then `linger`, for the process that others leave behind,
//! `deaf`, for an engine that never answers, `chatter`, for one that announces options for ever, `apart`, for one that
//! starts a process in a session of its own, or `colours`, for one whose words would change a terminal.

#[path = "bad_modes.rs"]
mod bad_modes;

use std::{
    io::{self, BufRead, Write},
    process::{Command, exit},
    sync::Arc,
    thread,
    time::Duration,
};

use bad_modes::{Mode, number_of};
use rand::{RngExt, SeedableRng};
use sanki::{
    base::rng::Rng,
    games::rules::{Game, RuleSet, dobutsu::Dobutsu},
};

/// Nobody waits so long: what still runs then was left behind.
const FOREVER: Duration = Duration::from_secs(300);

fn main() {
    // A backtrace can take longer than an engine is waited for.
    std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(2).map(String::as_str) {
        Some("linger") => thread::sleep(FOREVER),
        Some("deaf") => ignore_everything(),
        Some("chatter") => chatter(),
        Some("apart") => {
            leave_child_apart();
            obey();
        }
        Some("colours") => {
            println!("id name \u{1b}[31mRed\u{7}\noption name Threads type spin default 1\nuciok");
            eprintln!("\u{1b}]0;my title\u{7}");
        }
        _ => obey(),
    }
}

fn ignore_everything() {
    // Termination signals too.
    ignore_signals();
    thread::sleep(FOREVER);
}

#[cfg(unix)]
fn ignore_signals() {
    use signal_hook::{consts, flag};
    for signal in [consts::SIGINT, consts::SIGTERM, consts::SIGHUP] {
        flag::register(signal, Arc::default()).expect("a signal handler");
    }
}

/// Elsewhere there are none that an engine is ended by.
#[cfg(not(unix))]
fn ignore_signals() {}

/// Starts a process that stays, with the same output.
#[expect(clippy::zombie_processes, reason = "leaving it is what this is for")]
fn leave_child() {
    let marker = std::env::args().nth(1).unwrap_or_default();
    let program = std::env::current_exe().expect("a path");
    Command::new(program).args([&marker, "linger"]).spawn().expect("a child");
}

/// Starts a process in a session of its own, which no signal to our group reaches.
#[expect(clippy::zombie_processes, reason = "leaving it is what this is for")]
fn leave_child_apart() {
    let marker = std::env::args().nth(1).unwrap_or_default();
    let program = std::env::current_exe().expect("a path");
    Command::new("setsid").arg("--fork").arg(program).args([&marker, "linger"]).spawn().expect("a child");
}

fn chatter() {
    let mut out = io::stdout().lock();
    for number in 0u64.. {
        // Until nobody reads any more.
        if writeln!(out, "option name Option {number} type string default {}", "x".repeat(1000)).is_err() {
            return;
        }
    }
}

fn obey() {
    let mut position = (Vec::new(), Dobutsu::from_fen(RuleSet::Standard, START).expect("the start"));
    let mut number = 0;
    let mut rng = Rng::seed_from_u64(std::process::id().into());
    for line in io::stdin().lock().lines() {
        let line = line.expect("a line");
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied() {
            Some("uci") => {
                println!("id name Bad Engine\noption name Threads type spin default 1 min 1 max 8");
                println!("option name UCI_Variant type combo default chess var chess var dobutsu\nuciok");
            }
            Some("isready") => println!("readyok"),
            Some("quit") => return,
            Some("position") => {
                let fen = line.trim_start_matches("position fen ").split(" moves").next().unwrap_or(START);
                number = number_of(fen);
                let mut game = Dobutsu::from_fen(RuleSet::Standard, fen).expect("a position");
                let moves = words.iter().skip_while(|&&word| word != "moves").skip(1);
                let moves: Vec<String> = moves.map(|&mv| mv.to_owned()).collect();
                moves.iter().for_each(|mv| game.play(game.parse_move(mv).expect("a legal move")));
                position = (moves, game);
            }
            Some("go") => {
                let (moves, game) = &position;
                let (mode, turn) = Mode::of_game(number);
                let mut legal = Vec::new();
                game.legal_moves(&mut legal);
                let best = legal[rng.random_range(0..legal.len())].to_string();
                if moves.len() / 2 == turn { misbehave(mode, &best) } else { println!("bestmove {best}") }
            }
            _ => {}
        }
    }
}

const START: &str = "gle/1c1/1C1/ELG[-] w 0 1";

fn misbehave(mode: Mode, best: &str) {
    match mode {
        Mode::Honest => println!("bestmove {best}"),
        Mode::Exit => {
            eprintln!("out of cheese");
            exit(3)
        }
        Mode::Abort => std::process::abort(),
        Mode::KillItself => kill_itself(),
        Mode::Panic => panic!("a bug"),
        Mode::ExitLeavingChild => {
            leave_child();
            exit(4)
        }
        Mode::CloseOutput => {
            close_output();
            ignore_everything();
        }
        Mode::Silent => ignore_everything(),
        Mode::SilentWithChild => {
            leave_child();
            ignore_everything();
        }
        Mode::StopReading => {
            println!("bestmove {best}");
            ignore_everything();
        }
        // With pauses: many of these play at a time, and the others need the processor too.
        Mode::EndlessInfo => loop {
            println!("info depth 1 score cp 0 pv {best}");
            thread::sleep(Duration::from_millis(1));
        },
        Mode::EndlessLine => {
            let block = [b'x'; 1 << 16];
            loop {
                io::stdout().write_all(&block).expect("an open output");
                thread::sleep(Duration::from_millis(1));
            }
        }
        Mode::StaleAnswer => println!("bestmove {best}\nbestmove a1a1"),
        Mode::Garbage => {
            let mut out = io::stdout().lock();
            out.write_all(&[0xff; 300_000]).expect("an open output");
            writeln!(out, "\n\u{1f600}\nbestmovebestmove\n\ninfo bestmove a1a1\n  bestmove {best}")
                .expect("an open output");
        }
        Mode::ClaimWin => println!("bestmove win"),
        Mode::NoMove => println!("bestmove (none)"),
        Mode::EmptyAnswer => println!("bestmove"),
        Mode::IllegalMove => println!("bestmove a1a1"),
        Mode::Nonsense => println!("bestmove {}", "é".repeat(1000)),
        Mode::Resign => println!("bestmove resign"),
    }
}

#[cfg(unix)]
fn kill_itself() {
    nix::sys::signal::raise(nix::sys::signal::Signal::SIGKILL).expect("a signal");
}

#[cfg(not(unix))]
fn kill_itself() {
    std::process::abort();
}

#[cfg(unix)]
fn close_output() {
    nix::unistd::close(1).expect("an open output");
}

#[cfg(not(unix))]
fn close_output() {
    exit(0);
}
