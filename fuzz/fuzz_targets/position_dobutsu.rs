#![no_main]

use libfuzzer_sys::fuzz_target;
use sanki::rules::dobutsu::Dobutsu;

fuzz_target!(|text: &str| {
    sanki_fuzz::position::<Dobutsu>(text);
});
