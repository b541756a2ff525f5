//! Ctrl-C: once ends cleanly, twice at once. So do a termination signal and a terminal that closes, unless we
//! were started with these signals ignored. On Windows these are Ctrl-Break, a console that closes, a log-off and a
//! shutdown, and a request to stop in a folder in which we work.

use std::{
    io,
    sync::{
        Once,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::arena::kill_all_engines;

static STOP: AtomicBool = AtomicBool::new(false);
static HUSHED: AtomicBool = AtomicBool::new(false);
static HANDLER: Once = Once::new();

/// From now on the first Ctrl-C is not answered: the caller ends at once.
pub fn hush() {
    HUSHED.store(true, Ordering::Relaxed);
}

/// Set by the first Ctrl-C (or termination signal); the second ends the process with code 130.
pub fn flag() -> &'static AtomicBool {
    HANDLER.call_once(|| {
        if let Err(error) = on_interrupt(heard) {
            tracing::warn!("Ctrl-C will end the program at once: {error}");
        }
    });
    &STOP
}

fn heard() {
    if STOP.swap(true, Ordering::Relaxed) {
        kill_all_engines();
        std::process::exit(130);
    }
    if !HUSHED.load(Ordering::Relaxed) {
        super::tell("stopping; press Ctrl-C again to end at once");
    }
}

/// Calls `hear`, on a thread of its own, for every signal that wants us to end and is not ignored: `nohup` ignores
/// that of a closed terminal, a shell without job control that of Ctrl-C for what it starts in the background.
#[cfg(unix)]
fn on_interrupt(hear: fn()) -> io::Result<()> {
    use std::{io::Read, os::unix::net::UnixStream, thread};

    use signal_hook::low_level::pipe;

    // A byte a signal: two at once are two.
    let (mut heard, signals) = UnixStream::pair()?;
    for signal in ending_signals() {
        pipe::register(signal, signals.try_clone()?)?;
    }
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let mut byte = [0];
        while heard.read_exact(&mut byte).is_ok() {
            hear();
        }
    })?;
    Ok(())
}

/// The signals that ask us to end and that we were not started to ignore.
#[cfg(target_os = "linux")]
fn ending_signals() -> Vec<std::ffi::c_int> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = ignored(&status);
    [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0).collect()
}

/// Elsewhere only unsafe code can ask which signals are ignored. What a closed terminal does stays as it is:
/// it is ignored, or it ends the program at once, which costs no more than a kill.
#[cfg(all(unix, not(target_os = "linux")))]
fn ending_signals() -> Vec<std::ffi::c_int> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    vec![SIGINT, SIGTERM]
}

/// The signals that a process ignores, the first in the lowest bit, from its `/proc/PID/status` (proc(5)).
#[cfg(target_os = "linux")]
fn ignored(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// How often a request to stop is looked for.
#[cfg(windows)]
const LOOK: std::time::Duration = std::time::Duration::from_millis(200);

/// Calls `hear`, on threads of its own, for everything that wants us to end. After a console that closes, a log-off and a
/// shutdown Windows ends us as soon as its call returns, or five seconds later: tokio lets that call wait for our end.
#[cfg(windows)]
fn on_interrupt(hear: fn()) -> io::Result<()> {
    use std::{future::poll_fn, task::Poll, thread};

    use tokio::{
        runtime::Builder,
        signal::windows::{ctrl_break, ctrl_c, ctrl_close, ctrl_logoff, ctrl_shutdown},
    };

    use crate::base::store::is_stop_requested;

    let (mut c, mut pause, mut close) = (ctrl_c()?, ctrl_break()?, ctrl_close()?);
    let (mut logoff, mut shutdown) = (ctrl_logoff()?, ctrl_shutdown()?);
    let runtime = Builder::new_current_thread().build()?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        loop {
            runtime.block_on(poll_fn(|context| {
                let console = [c.poll_recv(context), pause.poll_recv(context), close.poll_recv(context)];
                let session = [logoff.poll_recv(context), shutdown.poll_recv(context)];
                let is_heard = console.iter().chain(&session).any(Poll::is_ready);
                if is_heard { Poll::Ready(()) } else { Poll::Pending }
            }));
            hear();
        }
    })?;
    thread::Builder::new().name("stop requests".to_owned()).spawn(move || {
        loop {
            thread::sleep(LOOK);
            if is_stop_requested() {
                hear();
            }
        }
    })?;
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::ignored;

    #[test]
    fn ignored_signals_are_read_from_the_systems_words() {
        assert_eq!(ignored("Name:\tsanki\nSigBlk:\t0\nSigIgn:\t0000000000001001\n"), 0x1001);
        assert_eq!([ignored(""), ignored("SigIgn:\tnone")], [0, 0]);
    }
}
