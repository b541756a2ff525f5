//! Ends what engines have started, also when we are killed ourselves, and also what left its process group.
//!
//! Every engine has a mark of its own in its environment, which all that it starts inherits. A shell waits for the end
//! of its input, which only we hold open: so it notices our end, however we end, and then kills every process group
//! that it was told of, and every process with one of our marks. Where the system does not show environments in
//! `/proc`, the groups alone are killed.
//!
//! Why a shell and marks: what is simpler lets processes live on. A signal at our death (`PR_SET_PDEATHSIG`) reaches an
//! engine, and nothing that the engine has started. A process leaves its group and its session with `setsid`. What ends
//! groups when it is dropped, as the crate process-wrap does, does nothing when we are killed. A supervisor that adopts
//! orphans (`PR_SET_CHILD_SUBREAPER`) has to be a program of ours, and any program may use this library.

use std::{
    collections::BTreeSet,
    io::Write,
    process::{Child, Command, Stdio},
    sync::{
        LazyLock, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

/// The variable with the mark.
pub(super) const MARK: &str = "SANKI_ENGINE";

/// What the shell does: `$1` is what all our marks begin with, the last line of its input lists the groups. A
/// terminal that closes does not end it. It looks for marks twice, since a process that is about to become another
/// program shows none for a moment.
const SCRIPT: &str = r#"
trap '' HUP INT TERM
groups=
while read -r line; do groups=$line; done
for group in $groups; do kill -KILL "-$group"; done
for round in 1 2; do
  for file in $(grep -l "SANKI_ENGINE=$1-" /proc/[0-9]*/environ); do
    pid=${file#/proc/}
    kill -KILL "${pid%/environ}"
  done
  [ "$round" = 2 ] || sleep 1
done
"#;

/// What all marks of this process begin with; no other process has it.
static OURS: LazyLock<String> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}", std::process::id(), since.as_nanos())
});

static SHELL: Mutex<Option<Child>> = Mutex::new(None);

/// A new mark.
pub(super) fn mark() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", *OURS, NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// Tells the shell which groups are to end with us.
pub(super) fn watch(groups: &BTreeSet<u32>) {
    let mut shell = SHELL.lock().unwrap_or_else(PoisonError::into_inner);
    if shell.is_none() {
        *shell = start().inspect_err(|error| tracing::warn!("engines may outlive a kill: {error}")).ok();
    }
    let list: Vec<String> = groups.iter().map(u32::to_string).collect();
    if let Some(input) = shell.as_mut().and_then(|shell| shell.stdin.as_mut()) {
        // Without it engines end with us as far as they notice the end of their input.
        let _ = writeln!(input, "{}", list.join(" "));
    }
}

fn start() -> std::io::Result<Child> {
    let mut shell = Command::new("sh");
    shell.args(["-c", SCRIPT, "sh", &OURS]);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    shell.spawn()
}

/// Kills every process that has this mark.
pub(super) fn kill_marked(mark: &str) {
    use nix::{
        sys::signal::{Signal, kill},
        unistd::Pid,
    };
    // Who starts others while we look is found the next time.
    for _ in 0..4 {
        let marked = marked(mark);
        if marked.is_empty() {
            return;
        }
        for pid in marked {
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
    }
}

/// The processes that have this mark and run.
fn marked(mark: &str) -> Vec<i32> {
    let entry = format!("{MARK}={mark}");
    let has = |pid: i32| {
        let variables = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        variables.split(|&byte| byte == 0).any(|variable| variable == entry.as_bytes())
    };
    let names = std::fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.filter_map(|name| name.to_str()?.parse().ok()).filter(|&pid| has(pid)).collect()
}
