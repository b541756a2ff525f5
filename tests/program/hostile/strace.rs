//! System calls that are killed or fail, by strace's fault injection.

use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::Path,
    process::{Command, Stdio},
};

use crate::skipped::skipped;

/// The calls that a run makes of files.
const CALLS: &str = "openat,read,write,close,fsync,ftruncate,lseek,mkdir,renameat,rename,unlink,statx,newfstatat,\
                     getdents64,flock,copy_file_range,linkat";

/// A call of a process: which, and how many of its kind a thread had made with it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    pub name: String,
    pub number: usize,
}

/// Whether strace is there and may trace; says so if not.
pub fn is_there() -> bool {
    let works =
        Command::new("strace").args(["-qq", "-o", "/dev/null", "true"]).stderr(Stdio::null()).status();
    let works = works.is_ok_and(|status| status.success());
    if !works {
        skipped("there is no strace that may trace programs (.ci/run installs one)");
    }
    works
}

fn strace(options: &[String], program: &Command) -> Command {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq"]).args(options).arg(program.get_program()).args(program.get_args());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The calls that `program` makes of what lies in `folder`. A fault meets every thread at its call of that number. Where
/// some thread loads a library by that call the program would not even start: those are left out.
pub fn calls(program: &Command, folder: &Path) -> Vec<Call> {
    let list = folder.with_extension("calls");
    let options = ["-y", "-o", list.to_str().unwrap(), "-e", &format!("trace={CALLS}")].map(str::to_owned);
    let output = strace(&options, program).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&fs::read(&list).unwrap()).into_owned();
    fs::remove_file(&list).unwrap();
    let folder = folder.to_str().unwrap();
    // Each thread has a count of its own.
    let mut counts: HashMap<(&str, &str), usize> = HashMap::new();
    let (mut calls, mut loads) = (BTreeSet::new(), BTreeSet::new());
    for line in text.lines() {
        let Some((thread, rest)) = line.split_once(' ') else { continue };
        let Some((name, arguments)) = rest.trim_start().split_once('(') else { continue };
        if !name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
            continue; // A call that goes on, or a thread that ends.
        }
        let number = counts.entry((thread, name)).or_default();
        *number += 1;
        // To close a folder cannot fail, says the system's manual.
        let is_folder = || {
            let path = arguments.split(['<', '>']).nth(1).unwrap_or_default();
            name == "close" && Path::new(path).is_dir()
        };
        let call = || Call { name: name.to_owned(), number: *number };
        if arguments.contains(".so") {
            loads.insert(call());
        } else if arguments.contains(folder) && !is_folder() {
            calls.insert(call());
        }
    }
    calls.difference(&loads).cloned().collect()
}

/// `program`, whose calls fail as `faults` say, each as in `fsync:error=EIO:when=2`.
pub fn failing(program: &Command, faults: &[&str]) -> Command {
    let mut options = ["-o", "/dev/null"].map(str::to_owned).to_vec();
    options.extend(faults.iter().flat_map(|fault| ["-e".to_owned(), format!("inject={fault}")]));
    strace(&options, program)
}

/// `program`, in which `call` meets `fault`, as in `signal=KILL` or `error=EIO`. The file `list` is given the calls of that
/// name.
pub fn inject(program: &Command, call: &Call, fault: &str, list: &Path) -> Command {
    let Call { name, number } = call;
    let list = list.to_str().unwrap();
    let inject = format!("inject={name}:{fault}:when={number}");
    strace(&["-o", list, "-e", &format!("trace={name}"), "-e", &inject].map(str::to_owned), program)
}

/// Whether the fault met what was to be written to stderr, by the calls in `list`.
pub fn is_mute(list: &Path) -> bool {
    let text = String::from_utf8_lossy(&fs::read(list).unwrap()).into_owned();
    text.lines().any(|line| line.contains("write(2,") && line.contains("(INJECTED)"))
}
