#![no_main]

use libfuzzer_sys::fuzz_target;
use sanki::rules::xiangqi::Xiangqi;

fuzz_target!(|text: &str| {
    sanki_fuzz::position::<Xiangqi>(text);
});
