#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    sanki_fuzz::container(bytes);
    sanki_fuzz::sealed_container(bytes);
});
