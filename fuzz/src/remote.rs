//! Messages of runs on many machines.

use std::sync::LazyLock;

use sanki::{
    games::rules::dobutsu::Dobutsu,
    training::{
        remote::{
            Heartbeat, Item, LearnerHeartbeat, RunManifest, check_game, check_stats, pack, unpack_game,
        },
        replay::check_record,
        run::RunConfig,
        selfplay::Plan,
    },
};

/// Plies of the games that are handed in.
const MOST_PLIES: u32 = 512;

/// The settings that games are checked by.
fn config() -> RunConfig {
    RunConfig::parse(include_str!("../../configs/dobutsu.toml"), &[]).expect("our own settings")
}

/// The plan that games are checked by.
fn plan(config: &RunConfig) -> Plan<'_> {
    Plan {
        config: &config.selfplay,
        rules: config.rules,
        seed: 1,
        generation: 1,
        games: 4,
        done: Default::default(),
        resign_below: Some(0.1),
    }
}

/// A message: the first byte says which.
pub fn messages(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    match first.wrapping_sub(b'0') % 6 {
        0 => {
            if let Ok(item) = Item::read(rest) {
                assert_eq!(Item::read(&item.to_bytes()).expect("what was written"), item);
            }
        }
        1 => game(rest),
        2 => game(&zstd::encode_all(rest, 1).expect("there is memory")),
        3 => entry(rest),
        4 => sign::<Heartbeat>(rest),
        _ => sign::<LearnerHeartbeat>(rest),
    }
}

/// A game that a worker hands in.
fn game(packed: &[u8]) {
    let Ok(game) = unpack_game(packed, MOST_PLIES) else { return };
    // As texts: numbers that are none are equal there.
    let again = unpack_game(&pack(&game).expect("it is no larger than it was"), MOST_PLIES);
    assert_eq!(format!("{:?}", again.expect("what was written")), format!("{game:?}"));
    static CONFIG: LazyLock<RunConfig> = LazyLock::new(config);
    let is_sound = check_game::<Dobutsu>(&game.record, &plan(&CONFIG)).is_ok();
    // What is handed in can be learnt from.
    assert!(!is_sound || check_record::<Dobutsu>(&game.record).is_ok());
    let _ = check_stats(&game.stats);
}

fn entry(bytes: &[u8]) {
    let Ok(entry) = RunManifest::read(bytes) else { return };
    let json = serde_json::to_vec(&entry).expect("plain JSON");
    assert_eq!(RunManifest::read(&json).expect("what was written"), entry);
    if entry.admits("worker").is_ok() {
        assert!(!entry.shut_out.iter().any(|name| name == "worker"));
    }
}

fn sign<S: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(bytes: &[u8]) {
    let Ok(sign) = serde_json::from_slice::<S>(bytes) else { return };
    let json = serde_json::to_vec(&sign).expect("plain JSON");
    assert_eq!(serde_json::from_slice::<S>(&json).expect("what was written"), sign);
}
