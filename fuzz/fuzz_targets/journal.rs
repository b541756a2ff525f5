#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a temporary folder"));

fuzz_target!(|bytes: &[u8]| {
    sanki_fuzz::journal(bytes, FOLDER.path());
    sanki_fuzz::sealed_journal(bytes, FOLDER.path());
});
