#![no_main]

use libfuzzer_sys::fuzz_target;
use sanki::rules::xiangqi::Minixiangqi;

fuzz_target!(|text: &str| {
    sanki_fuzz::position::<Minixiangqi>(text);
});
