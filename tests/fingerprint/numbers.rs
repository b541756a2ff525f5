//! Fingerprints without the feature `program`: printed, and for WebAssembly as functions that `numbers.mjs` calls.

use sanki::{net::fingerprint, games::rules::GameId};

fn main() {
    for game in GameId::ALL {
        println!("{game} {:08x} {:08x}", fingerprint::rules(game), fingerprint::search(game));
    }
}

/// The number of the rules of a game, by its place in `GameId::ALL`.
// SAFETY: nothing else has this name.
#[cfg(target_family = "wasm")]
#[unsafe(no_mangle)]
pub extern "C" fn fingerprint_rules(game: usize) -> u32 {
    fingerprint::rules(GameId::ALL[game])
}

/// The same of its searches.
// SAFETY: nothing else has this name.
#[cfg(target_family = "wasm")]
#[unsafe(no_mangle)]
pub extern "C" fn fingerprint_search(game: usize) -> u32 {
    fingerprint::search(GameId::ALL[game])
}
