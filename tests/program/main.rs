//! The command line, what it withstands, and the order of the modules.

mod analysis;
mod commands;
mod hostile;
mod layers;
mod limits;
mod outputs;
#[path = "../support/short_run.rs"]
mod short_run;
mod show;
#[path = "../support/skipped.rs"]
mod skipped;
mod strangers;
#[path = "../support/tiny_run.rs"]
mod tiny_run;
#[path = "../support/verdicts.rs"]
mod verdicts;
