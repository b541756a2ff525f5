//! Matches, ladders, openings, players, reports and statistics.

#[path = "../support/bad_modes.rs"]
mod bad_modes;
mod external;
mod failures;
#[path = "../support/inlined.rs"]
mod inlined;
mod ladder;
mod matches;
mod openings;
mod report;
#[path = "../support/skipped.rs"]
mod skipped;
mod statistics;
#[path = "../support/mod.rs"]
mod support;
