//! The page of `sanki serve` as whoever asks it finds it: with good requests, with 100,000 bad ones, and with many who
//! watch at once. `run` beside this file looks at it in a browser.

mod abuse;
mod connections;
mod foreign;
#[cfg(target_os = "linux")]
mod opening;
#[cfg(target_os = "linux")]
mod other_user;
mod pages;
mod served;
#[cfg(target_os = "linux")]
#[path = "../support/skipped.rs"]
mod skipped;
mod watchers;
