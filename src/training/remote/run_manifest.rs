//! What a run says of itself on the server, and what those who take part say of themselves.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::{message::MOST_BYTES, names::is_listed};
use crate::{
    base::store::printable,
    games::{encode::Encode, rules::GameId},
    net::{Backend, Isa, MOST_THREADS, Precision, file::program},
    training::{run::RunConfig, selfplay::RecordMeta},
    with_game,
};

/// The version of the messages; programs with another one take no part.
pub const PROTOCOL: u32 = 2;

/// A run, as the key-value entry that workers watch has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunManifest {
    /// [`PROTOCOL`] of the learner.
    pub protocol: u32,
    /// The learner's program, with its version and commit.
    pub program: String,
    /// The learner's machine, as far as results depend on it.
    pub machine: String,
    /// Whether programs and machines of other kinds may take part.
    pub others: bool,
    /// Drawn by the learner at its start: with another one in the entry another learner has taken over.
    pub session: String,
    /// The game.
    pub game: GameId,
    /// [`Encode::ENCODING_VERSION`] of the learner.
    pub encoding: u32,
    /// What computes the net's answers.
    pub backend: Backend,
    /// The run's settings, as TOML.
    pub config: String,
    /// Workers that may not take part any more, and users none of whose workers may.
    pub shut_out: Vec<String>,
    /// The threads of all workers, as far as the learner knows them.
    pub threads: u32,
    /// What is to be played now; nothing while the learner learns without a lag.
    pub order: Option<GenerationOrder>,
}

/// The games of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerationOrder {
    /// Of this very generation, net and settings: games for another order are worth nothing.
    pub id: String,
    /// Whose records they are.
    pub meta: RecordMeta,
    /// The number of games, those that are there included.
    pub games: u32,
    /// Games of an item of work at most.
    pub item: u32,
    /// The threshold of resignation, if sides may resign.
    pub resign_below: Option<f32>,
    /// The net's name in the run's bucket.
    pub net: String,
    /// Its size in bytes.
    pub net_bytes: u64,
    /// The CRC-32 of its bytes.
    pub net_crc: u32,
}

impl GenerationOrder {
    /// The name of the order of a generation with this net and threshold, whose games count if they were `played_by`
    /// this program on this machine; empty where others count too. So a learner that comes back with another program,
    /// machine or backend gives another order: workers begin anew, and no earlier game counts against who played it.
    pub fn id_of(meta: &RecordMeta, resign_below: Option<f32>, net_crc: u32, played_by: &str) -> String {
        let resign = resign_below.map_or(0, f32::to_bits);
        let played_by = crc32fast::hash(played_by.as_bytes());
        format!("{}-{:08x}-{net_crc:08x}-{resign:08x}-{played_by:08x}", meta.generation, meta.settings)
    }

    /// Whether it is an order of a run with these settings.
    ///
    /// # Errors
    /// Says that it is not, or that its records are of another version.
    pub fn check(&self, config: &RunConfig) -> Result<()> {
        let meta = &self.meta;
        let is_right = meta.seed == config.seed && meta.rules == config.rules && meta.game == config.game;
        ensure!(is_right && meta.settings == config.fingerprint(), "the order {} is not of the run", self.id);
        let own = RecordMeta::new(meta.game, meta.rules, meta.generation, meta.seed, meta.settings);
        ensure!(own == *meta, "its records have version {}, ours {}", meta.version, own.version);
        Ok(())
    }
}

impl RunManifest {
    /// Reads an entry.
    ///
    /// # Errors
    /// Names the program that wrote it, if that speaks otherwise than this one.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        #[derive(Deserialize)]
        struct Version {
            protocol: u32,
            program: String,
        }
        ensure!(bytes.len() <= MOST_BYTES, "its entry has {} bytes", bytes.len());
        let version: Version = serde_json::from_slice(bytes).context("its entry is damaged")?;
        let Version { protocol, program: other } = version;
        ensure!(
            protocol == PROTOCOL,
            "its learner is {other} with version {protocol} of the messages, this is {} with {PROTOCOL}",
            program()
        );
        serde_json::from_slice(bytes).context("its entry is damaged")
    }

    /// Whether the worker called `name` may take part with this program, on this machine.
    ///
    /// # Errors
    /// Says what differs.
    pub fn admits(&self, name: &str) -> Result<RunConfig> {
        ensure!(!is_listed(&self.shut_out, name), "it has shut us out: games of ours were bad");
        let own = program();
        ensure!(self.others || self.program == own, "its learner is {}, this is {own}", self.program);
        let encoding = with_game!(self.game, G => G::ENCODING_VERSION);
        ensure!(
            self.encoding == encoding,
            "its learner encodes {} by version {}, this program by version {encoding}",
            self.game,
            self.encoding
        );
        // Without its device nothing could be loaded.
        self.backend.check()?;
        let machine = machine(self.backend);
        ensure!(
            self.others || self.machine == machine,
            "its learner computes on {}, this machine on {machine}: the games would differ in the last bits",
            self.machine
        );
        let config = RunConfig::parse(&self.config, &[])?;
        ensure!(
            config.selfplay.precision != Precision::Auto,
            "its settings leave the precision to each machine"
        );
        ensure!(config.game == self.game, "its settings are of {}, not of {}", config.game, self.game);
        Ok(config)
    }
}

/// This machine with `backend`, as far as the bits of its results depend on it.
pub fn machine(backend: Backend) -> String {
    let kernels = match backend {
        Backend::Native => Isa::from_env().unwrap_or(Isa::detect()).to_string(),
        // burn chooses by the processor.
        _ => Isa::detect().to_string(),
    };
    describe(backend, &kernels, Backend::gpu_name())
}

/// A machine of this system with these kernels and this graphics card, if there is one.
fn describe(backend: Backend, kernels: &str, gpu: Option<&str>) -> String {
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let gpu = match backend {
        Backend::Wgpu => gpu.map(|name| format!(" {}", printable(name))),
        _ => None,
    };
    format!("{os}-{arch} {backend} {kernels}{}{}", extra(kernels), gpu.unwrap_or_default())
}

/// What distinguishes processors with the same instruction set.
#[cfg(target_arch = "x86_64")]
fn extra(kernels: &str) -> &'static str {
    let has_bf16 = kernels == Isa::Avx512.as_str() && is_x86_feature_detected!("avx512bf16");
    if has_bf16 { "+bf16" } else { "" }
}

#[cfg(not(target_arch = "x86_64"))]
fn extra(_: &str) -> &'static str {
    ""
}

/// Bytes of a sign of life at most.
pub const MOST_SIGN: usize = 1 << 10;
/// Letters of each text in a sign at most, and games per second and seconds that a sign may claim.
const LONGEST: usize = 200;
const MOST_RATE: f64 = 1e6;
const MOST_SECONDS: f64 = 86_400.0;

/// What a worker says of itself every few seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// Its program, with version and commit.
    pub program: String,
    /// Its machine.
    pub machine: String,
    /// Its threads.
    pub threads: u32,
    /// Games that it has handed in.
    pub games: u64,
    /// Games a second, lately.
    pub games_per_s: f64,
    /// Seconds from when it has heard of a net until it has loaded it.
    pub net_seconds: Option<f64>,
}

impl Heartbeat {
    /// Reads a sign.
    ///
    /// # Errors
    /// When it is damaged, or claims what no worker can be or do.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        ensure!(bytes.len() <= MOST_SIGN, "a sign of {} bytes", bytes.len());
        let sign: Heartbeat = serde_json::from_slice(bytes).context("a sign is damaged")?;
        ensure!((1..=MOST_THREADS).contains(&sign.threads), "a sign of {} threads", sign.threads);
        let is_short = |text: &str| text.len() <= LONGEST;
        ensure!(is_short(&sign.program) && is_short(&sign.machine), "a sign with a long name");
        ensure!(
            (0.0..=MOST_RATE).contains(&sign.games_per_s),
            "a sign of {} games per second",
            sign.games_per_s
        );
        let seconds = sign.net_seconds.unwrap_or_default();
        ensure!((0.0..=MOST_SECONDS).contains(&seconds), "a sign of {seconds} seconds for a net");
        Ok(sign)
    }
}

/// What a learner says of itself every few seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LearnerHeartbeat {
    /// The learner's, as in its entry.
    pub session: String,
    /// The generation that is made.
    pub generation: u32,
    /// Games that it has.
    pub games: u32,
    /// Games that it wants.
    pub wanted: u32,
    /// How far the run is, in `0.0..=1.0`.
    pub progress: f64,
    /// Games refused so far.
    pub refused: u64,
}

impl LearnerHeartbeat {
    /// Reads a sign; `None` if it is damaged, or of another learner than the one that wrote `entry`. Of an entry of
    /// another version the session is read too, where it has one.
    pub fn read_for(entry: &[u8], sign: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Written {
            session: String,
        }
        let sign: LearnerHeartbeat = serde_json::from_slice(sign).ok()?;
        let written = serde_json::from_slice::<Written>(entry).ok();
        written.is_none_or(|written| written.session == sign.session).then_some(sign)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::games::rules::{Game, RuleSet};

    /// Of a run of dobutsu that takes this program on this machine.
    pub fn entry() -> RunManifest {
        let config = RunConfig::parse(include_str!("../../../configs/dobutsu.toml"), &[]).unwrap();
        RunManifest {
            protocol: PROTOCOL,
            program: program(),
            machine: machine(Backend::Native),
            others: false,
            session: "s".into(),
            game: GameId::Dobutsu,
            encoding: crate::games::rules::dobutsu::Dobutsu::ENCODING_VERSION,
            backend: Backend::Native,
            config: config.to_toml(),
            shut_out: vec!["bad.one".into(), "eve".into()],
            threads: 0,
            order: None,
        }
    }

    /// Of the third generation of a run.
    pub fn order() -> GenerationOrder {
        let meta = RecordMeta::new(GameId::Dobutsu, RuleSet::Standard, 3, 7, 9);
        GenerationOrder {
            id: GenerationOrder::id_of(&meta, Some(0.1), 5, ""),
            meta,
            games: 4,
            item: 1,
            resign_below: Some(0.1),
            net: "net-1".into(),
            net_bytes: 100,
            net_crc: 5,
        }
    }

    fn refusal(change: impl Fn(&mut RunManifest)) -> String {
        let mut entry = entry();
        change(&mut entry);
        entry.admits("good.one").unwrap_err().to_string()
    }

    #[test]
    fn whoever_would_play_other_games_is_refused_by_name() {
        assert_eq!(entry().admits("good.one").unwrap().game, crate::games::rules::dobutsu::Dobutsu::ID);
        for out in ["bad.one", "eve.one"] {
            assert!(entry().admits(out).unwrap_err().to_string().contains("shut us out"));
        }
        assert!(refusal(|entry| entry.program = "sanki 9.9".into()).contains("its learner is sanki 9.9"));
        assert!(refusal(|entry| entry.machine = "an abacus".into()).contains("computes on an abacus"));
        assert!(refusal(|entry| entry.encoding += 1).contains("encodes dobutsu by version"));
        let auto = |entry: &mut RunManifest| entry.config = entry.config.replace("\"int16\"", "\"auto\"");
        assert!(refusal(auto).contains("leave the precision to each machine"));
        assert!(refusal(|entry| entry.config.clear()).contains("missing field"));
        let mut others = entry();
        (others.others, others.machine, others.program) = (true, "an abacus".into(), "sanki 9.9".into());
        assert!(others.admits("good.one").is_ok());
    }

    #[test]
    fn whoever_lacks_what_computes_the_nets_answers_is_refused() {
        for backend in Backend::ALL.into_iter().filter(|backend| !backend.is_built()) {
            for others in [false, true] {
                let error = refusal(|entry| {
                    (entry.backend, entry.machine, entry.others) = (backend, machine(backend), others);
                });
                assert!(error.contains(&format!("--features {backend}")), "{error}");
            }
        }
    }

    #[test]
    fn a_graphics_card_is_a_part_of_the_machine() {
        let of = |backend, card| describe(backend, "avx2", Some(card));
        assert_ne!(of(Backend::Wgpu, "one card"), of(Backend::Wgpu, "another card"));
        assert_eq!(of(Backend::Native, "one card"), of(Backend::Native, "another card"));
    }

    #[test]
    fn an_entry_of_another_version_names_its_program() {
        let bytes = br#"{"protocol": 7, "program": "sanki 9.9", "else": 1}"#;
        let error = RunManifest::read(bytes).unwrap_err().to_string();
        assert!(error.contains("sanki 9.9 with version 7"), "{error}");
        let entry = RunManifest { order: Some(order()), ..entry() };
        assert_eq!(RunManifest::read(&serde_json::to_vec(&entry).unwrap()).unwrap(), entry);
    }

    #[test]
    fn an_order_is_for_one_net_and_those_whose_games_count() {
        let id = |resign, played_by: &str| GenerationOrder::id_of(&order().meta, resign, 5, played_by);
        assert_ne!(id(None, ""), id(Some(0.1), ""));
        assert_ne!(id(None, "sanki 1 on linux native"), id(None, "sanki 1 on linux flex"));
    }

    #[test]
    fn a_sign_is_of_the_learner_that_wrote_the_entry() {
        let sign = LearnerHeartbeat { session: "s".into(), wanted: 7, ..LearnerHeartbeat::default() };
        let bytes = serde_json::to_vec(&sign).unwrap();
        let read = |entry: &[u8]| LearnerHeartbeat::read_for(entry, &bytes);
        assert_eq!(read(&serde_json::to_vec(&entry()).unwrap()).as_ref(), Some(&sign));
        let other = RunManifest { session: "t".into(), ..entry() };
        assert_eq!(read(&serde_json::to_vec(&other).unwrap()), None);
        // Of another version, which a learner of this one has found on the server.
        assert_eq!(read(br#"{"protocol": 1, "program": "sanki 0.0", "session": "t"}"#), None);
        assert_eq!(read(br#"{"protocol": 1, "program": "sanki 0.0"}"#), Some(sign));
        assert_eq!(LearnerHeartbeat::read_for(b"{}", b"nonsense"), None);
    }

    #[test]
    fn a_sign_claims_no_more_than_a_machine_can_be() {
        let good =
            Heartbeat { threads: 1024, games_per_s: 2.5, net_seconds: Some(0.1), ..Heartbeat::default() };
        let read = |sign: &Heartbeat| Heartbeat::read(&serde_json::to_vec(sign).unwrap());
        assert_eq!(read(&good).unwrap(), good);
        for (bad, why) in [
            (Heartbeat { threads: u32::MAX, ..good.clone() }, "4294967295 threads"),
            (Heartbeat { threads: 0, ..good.clone() }, "0 threads"),
            (Heartbeat { games_per_s: 1e300, ..good.clone() }, "games per second"),
            (Heartbeat { net_seconds: Some(-1.0), ..good.clone() }, "seconds"),
            (Heartbeat { program: "x".repeat(300), ..good.clone() }, "long name"),
            (Heartbeat { machine: "x".repeat(2000), ..good.clone() }, "bytes"),
        ] {
            let error = read(&bad).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn an_entry_has_an_end() {
        let error = RunManifest::read(&vec![b' '; (1 << 20) + 1]).unwrap_err().to_string();
        assert!(error.contains("1048577 bytes"), "{error}");
    }
}
