//! Notations and the files that they are kept in.

mod convert;
mod foreign;
mod notation;
mod parsers;
mod readers;
#[path = "../support/verdicts.rs"]
mod verdicts;
