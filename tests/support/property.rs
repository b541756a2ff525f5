//! How many random games a property is tried on.

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
