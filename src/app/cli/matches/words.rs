//! Results in words.

use std::{cmp::Reverse, collections::BTreeMap};

use crate::games::rules::Reason;

/// How games ended, in words, the most frequent first.
pub fn reasons(reasons: &BTreeMap<Reason, u32>) -> String {
    let mut reasons: Vec<_> = reasons.iter().collect();
    reasons.sort_by_key(|(_, games)| Reverse(**games));
    let words = |reason: &Reason| reason.to_string().replace('_', " ");
    reasons.iter().map(|(reason, games)| format!("{} {games}", words(reason))).collect::<Vec<_>>().join(", ")
}
