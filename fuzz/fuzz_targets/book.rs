#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sanki_fuzz::run("book", bytes));
