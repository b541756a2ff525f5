#![no_main]

use libfuzzer_sys::fuzz_target;
use sanki::rules::shogi::Minishogi;

fuzz_target!(|text: &str| {
    sanki_fuzz::position::<Minishogi>(text);
});
