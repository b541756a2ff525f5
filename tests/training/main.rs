//! Self-play, learning, and runs that are stopped, killed and resumed.

#[path = "../support/hash_evaluator.rs"]
mod hash_evaluator;
mod improve;
mod kill;
mod recovery;
mod replay;
mod selfplay;
#[path = "../support/short_run.rs"]
mod short_run;
mod signals;
#[path = "../support/skipped.rs"]
mod skipped;
mod soak;
mod state;
mod tensorboard;
#[path = "../support/tiny_run.rs"]
mod tiny_run;
mod train;
