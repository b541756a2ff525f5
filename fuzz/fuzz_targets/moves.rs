#![no_main]

use libfuzzer_sys::fuzz_target;
use sanki::{rules::GameId, with_game};

fuzz_target!(|input: (u8, &str)| {
    let (game, text) = input;
    let id = GameId::ALL[usize::from(game) % GameId::ALL.len()];
    for &rules in id.rule_sets() {
        with_game!(id, G => sanki_fuzz::moves::<G>(rules, text));
    }
});
