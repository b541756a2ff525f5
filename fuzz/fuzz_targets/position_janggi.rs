#![no_main]

use libfuzzer_sys::fuzz_target;
use sanki::rules::janggi::Janggi;

fuzz_target!(|text: &str| {
    sanki_fuzz::position::<Janggi>(text);
});
