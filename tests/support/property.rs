//! How many random games a property is tried on, and how many positions that makes.

use std::sync::atomic::{AtomicU64, Ordering};

use proptest::{prelude::ProptestConfig, strategy::Strategy};
use sanki::rules::{Game, RuleSet};

/// `few` games, or as many as the environment variable `PROPTEST_CASES` says.
pub fn games(few: u32) -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        config
    } else {
        ProptestConfig { cases: few, ..config }
    }
}

/// Any rule set of `G`.
pub fn rule_sets<G: Game>() -> impl Strategy<Value = RuleSet> {
    proptest::sample::select(G::ID.rule_sets())
}

/// Counts a position that was compared, and says at every hundred thousandth how many there are by now: with
/// `--nocapture` a long run shows how far it is.
pub fn count_position() {
    static POSITIONS: AtomicU64 = AtomicU64::new(0);
    let count = POSITIONS.fetch_add(1, Ordering::Relaxed) + 1;
    if count.is_multiple_of(100_000) {
        eprintln!("{count} positions compared");
    }
}
