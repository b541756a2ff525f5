//! Models, exports, and the nets in other programs.

mod described;
mod export;
#[path = "../support/inlined.rs"]
mod inlined;
mod models;
mod onnxruntime;
#[path = "../support/short_run.rs"]
mod short_run;
#[path = "../support/skipped.rs"]
mod skipped;
mod web;
