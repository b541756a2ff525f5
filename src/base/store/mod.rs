//! Files that survive: atomic writes, containers that notice damage, and one owner for a directory.
//!
//! Knows bytes and paths, not what is in them. Every file here is written under a temporary name, synced
//! and renamed, so that a reader sees the old file or the new one and never half of either.

#[cfg(feature = "program")]
mod atomic;
mod container;
mod decompress;
#[cfg(feature = "program")]
mod encoding;
mod held;
#[cfg(feature = "program")]
mod json_log;
#[cfg(feature = "program")]
mod lock;
#[cfg(feature = "program")]
mod process;
mod quarantine;
mod read;
#[cfg(feature = "program")]
mod shuffle;
#[cfg(all(feature = "program", any(windows, test)))]
mod stop_request;
mod sync;
#[cfg(feature = "program")]
mod system_names;
mod text;

#[cfg(feature = "program")]
pub use atomic::{
    Existing, UNFINISHED, check_regular, check_writable, folder_of, write_atomic, write_new, write_with,
};
pub use container::Container;
pub use decompress::decompress;
#[cfg(feature = "program")]
pub use encoding::{NoText, TextLanguage, decode, decode_from};
pub use held::{retry_change, retry_open};
#[cfg(feature = "program")]
pub use json_log::{JsonLog, LogDamage, OpenedLog};
#[cfg(feature = "program")]
pub use lock::{DirLock, Holder, LOCK};
pub use quarantine::{keep_damaged, keep_replaced, remove_if_there};
pub use read::{read_at_most, read_text, read_whole};
#[cfg(feature = "program")]
pub use shuffle::Shuffle;
#[cfg(all(feature = "program", windows))]
pub use stop_request::{is_stop_requested, request_stop};
pub use sync::sync_file;
#[cfg(feature = "program")]
pub use system_names::{is_free, is_of_system};
pub use text::{LineRead, printable, read_line, without_mark};
