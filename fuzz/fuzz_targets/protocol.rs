#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| sanki_fuzz::protocol(text));
