//! What things are called on the server.

/// The bucket of the runs' entries, for all runs of a server.
pub const RUNS: &str = "sanki-runs";
/// The bucket of signs of life, for all runs: what is not renewed vanishes.
pub const ALIVE: &str = "sanki-alive";
/// The consumer that workers share, and the learner's.
pub const WORKERS: &str = "workers";
pub const LEARNER: &str = "learner";

/// Letters of a name at most.
const LONGEST: usize = 64;

/// Whether `name` can stand in a subject and in a line for people.
pub fn is_name(name: &str) -> bool {
    let is_plain = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-' || letter == b'_';
    (1..=LONGEST).contains(&name.len()) && name.bytes().all(is_plain)
}

/// The names of a run's streams and subjects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    run: String,
}

impl Names {
    /// Those of the run that is called `run`, which is a name.
    pub fn of(run: &str) -> Self {
        Names { run: run.to_owned() }
    }

    /// The run.
    pub fn run(&self) -> &str {
        &self.run
    }

    /// The stream of work.
    pub fn work(&self) -> String {
        format!("sanki-{}-work", self.run)
    }

    /// The stream of finished games.
    pub fn games(&self) -> String {
        format!("sanki-{}-games", self.run)
    }

    /// The bucket of nets.
    pub fn nets(&self) -> String {
        format!("sanki-{}-nets", self.run)
    }

    /// Where the work of a generation is given out; all of it with `*`.
    pub fn work_subject(&self, generation: &str) -> String {
        format!("sanki.{}.work.{generation}", self.run)
    }

    /// Where a worker hands in its games; all of them with `*`.
    pub fn games_subject(&self, worker: &str) -> String {
        format!("sanki.{}.games.{worker}", self.run)
    }

    /// The key of a sign of life; all of them with `*`.
    pub fn sign(&self, name: &str) -> String {
        format!("{}.{name}", self.run)
    }
}

/// The worker that handed in a game under `subject`.
pub fn worker_of(subject: &str) -> Option<&str> {
    subject.rsplit('.').next().filter(|name| is_name(name))
}

/// A name for this process that no other has: its machine's, and letters drawn at random.
pub fn draw_name() -> String {
    let machine = machine_name().unwrap_or_else(|| "machine".to_owned());
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let machine: String = machine.chars().take(40).map(plain).collect();
    format!("{machine}-{:08x}", rand::random::<u32>())
}

#[cfg(unix)]
fn machine_name() -> Option<String> {
    nix::unistd::gethostname().ok()?.into_string().ok().filter(|name| !name.is_empty())
}

#[cfg(not(unix))]
fn machine_name() -> Option<String> {
    std::env::var("COMPUTERNAME").ok().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        assert!(is_name(&draw_name()) && is_name("a-1_B"));
        for bad in ["", "a.b", "a b", "a*", ">", "é", &"x".repeat(65)] {
            assert!(!is_name(bad), "{bad}");
        }
        let subject = Names::of("run").games_subject("box-1");
        assert_eq!(worker_of(&subject), Some("box-1"));
        assert_eq!(worker_of("sanki.run.games.\u{1b}"), None);
        assert_ne!(draw_name(), draw_name());
    }
}
