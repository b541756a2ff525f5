//! Processes, told apart by when they began: their numbers are used again.

/// When the process `number` began, in the system's own words, which stay the same as long as it runs. `None` where
/// there is no such process, or the system does not tell.
#[cfg(target_os = "linux")]
pub fn began(number: u32) -> Option<String> {
    // The 22nd field (proc(5)). The second is a name in brackets, which may hold anything.
    let status = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    let (_, fields) = status.rsplit_once(") ")?;
    fields.split(' ').nth(19).map(str::to_owned)
}

/// As on Linux; POSIX has no call for it.
#[cfg(all(unix, not(target_os = "linux")))]
pub fn began(number: u32) -> Option<String> {
    let mut ps = std::process::Command::new("ps");
    ps.args(["-o", "lstart=", "-p", &number.to_string()]).env("LC_ALL", "C").env("TZ", "UTC");
    let output = ps.stderr(std::process::Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let words: Vec<&str> = text.split_whitespace().collect();
    (output.status.success() && !words.is_empty()).then(|| words.join("-"))
}

/// Other systems do not say.
#[cfg(not(unix))]
pub fn began(_: u32) -> Option<String> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::{process::Command, thread, time::Duration};

    use super::*;

    #[test]
    fn processes_are_told_apart_by_their_beginning() {
        let me = std::process::id();
        let mine = began(me).unwrap();
        // Longer than what clocks tell apart.
        thread::sleep(Duration::from_millis(1100));
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let its = began(child.id()).unwrap();
        assert!(mine != its && began(me) == Some(mine) && began(child.id()) == Some(its));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(began(child.id()), None);
        assert_eq!(began(u32::MAX), None);
    }
}
