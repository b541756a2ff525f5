//! Results in words.

use std::collections::BTreeMap;

use crate::rules::Reason;

/// How games ended, in words.
pub fn reasons(reasons: &BTreeMap<Reason, u32>) -> String {
    let reasons: Vec<String> = reasons.iter().map(|(reason, games)| format!("{reason} {games}")).collect();
    reasons.join(", ")
}
