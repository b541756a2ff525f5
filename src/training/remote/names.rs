//! What things are called on the server.

/// The bucket of the runs' entries, for all runs of a server.
pub const RUNS: &str = "sanki-runs";
/// The bucket of the workers' signs of life, for all runs: what is not renewed vanishes.
pub const ALIVE: &str = "sanki-alive";
/// The bucket of the learners' signs of life, where no worker may write.
pub const LEARNERS: &str = "sanki-learners";
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

/// `text` as a name: other letters become hyphens. Empty for an empty text.
pub fn to_name(text: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '-' };
    text.chars().take(LONGEST).map(plain).collect()
}

/// The names of a run's streams and subjects. A worker is called `USER.NAME` there: a server that lets users publish
/// under their own subjects only vouches for the first part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSubjects {
    run: String,
}

impl RunSubjects {
    /// Those of the run that is called `run`, which is a name.
    pub fn of(run: &str) -> Self {
        RunSubjects { run: run.to_owned() }
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

    /// The key-value subject of the run's entry.
    pub fn entry_subject(&self) -> String {
        format!("$KV.{RUNS}.{}", self.run)
    }

    /// Where the work of a generation is given out; all of it with `*`.
    pub fn work_subject(&self, generation: &str) -> String {
        format!("sanki.{}.work.{generation}", self.run)
    }

    /// Where a worker hands in its games; all of them with `*.*`.
    pub fn games_subject(&self, worker: &str) -> String {
        format!("sanki.{}.games.{worker}", self.run)
    }

    /// The key of a worker's sign of life.
    pub fn sign(&self, worker: &str) -> String {
        format!("{}.{worker}", self.run)
    }

    /// The subject of a worker's signs; of all of them with `*.*`.
    pub fn sign_subject(&self, worker: &str) -> String {
        format!("$KV.{ALIVE}.{}", self.sign(worker))
    }
}

/// The worker to which `subject` belongs: the last two parts, both of which are names.
pub fn worker_of(subject: &str) -> Option<&str> {
    let (rest, name) = subject.rsplit_once('.')?;
    let (rest, user) = rest.rsplit_once('.')?;
    (is_name(user) && is_name(name)).then(|| &subject[rest.len() + 1..])
}

/// The user as whom a worker entered the server.
pub fn user_of(worker: &str) -> &str {
    worker.split('.').next().unwrap_or_default()
}

/// Whether a list of those who are shut out names this worker, or its user.
pub fn is_listed(out: &[String], worker: &str) -> bool {
    out.iter().any(|name| name == worker || name == user_of(worker))
}

/// A name for this process that no other has: its machine's, and letters drawn at random.
pub fn draw_name() -> String {
    let machine = machine_name().unwrap_or_else(|| "machine".to_owned());
    let machine: String = to_name(&machine).chars().take(40).collect();
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
        let subject = RunSubjects::of("run").games_subject("anna.box-1");
        assert_eq!(worker_of(&subject), Some("anna.box-1"));
        for bad in ["sanki.run.games.anna.\u{1b}", "sanki.run.games..box", "box", ""] {
            assert_eq!(worker_of(bad), None, "{bad}");
        }
        assert_ne!(draw_name(), draw_name());
        assert_eq!((to_name("a b.c"), to_name("é_>*")), ("a-b-c".into(), "-_--".into()));
    }

    #[test]
    fn a_user_is_listed_with_all_workers() {
        let out = ["bob.one".to_owned(), "eve".to_owned()];
        for (worker, is_out) in
            [("bob.one", true), ("bob.two", false), ("eve.any", true), ("evelyn.any", false)]
        {
            assert_eq!(is_listed(&out, worker), is_out, "{worker}");
        }
    }
}
