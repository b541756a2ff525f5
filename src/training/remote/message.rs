//! Items of work and finished games, as they travel.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::{base::store::decompress, training::selfplay::PlayedGame};

/// The header that says for which order a game was played.
pub const ORDER: &str = "Sanki-Order";
/// The header that says by which program, on which machine.
pub const PLAYED_BY: &str = "Sanki-Played-By";

/// Bytes of a message at most, which is what servers allow unless they are told otherwise.
pub const MOST_BYTES: usize = 1 << 20;
/// Bytes of a ply at most: a move has fewer than 600 alternatives (shogi: 593), with up to nine bytes each.
const PLY_BYTES: u64 = 600 * 9;
/// Bytes of what comes before the plies of a game at most.
const HEAD_BYTES: u64 = 1 << 12;
/// Games of an item at most, and bytes of its message.
pub const MOST_NUMBERS: usize = 256;
const MOST_ITEM: usize = 1 << 12;
/// zstd's own default.
const ZSTD_LEVEL: i32 = 3;

/// Numbers of games to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The order that they belong to.
    pub order: String,
    /// The numbers.
    pub numbers: Vec<u32>,
}

impl Item {
    /// The bytes of the message.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("numbers serialise")
    }

    /// Reads what [`Item::to_bytes`] made.
    ///
    /// # Errors
    /// When it is damaged or too large.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        ensure!(bytes.len() <= MOST_ITEM, "an item of work has {} bytes", bytes.len());
        let item: Item = postcard::from_bytes(bytes).context("an item of work is damaged")?;
        ensure!(item.numbers.len() <= MOST_NUMBERS, "an item has {} games", item.numbers.len());
        Ok(item)
    }
}

/// The bytes of a finished game's message.
///
/// # Errors
/// When they are too many to be sent.
pub fn pack(game: &PlayedGame) -> Result<Vec<u8>> {
    let bytes = postcard::to_stdvec(game).context("a game does not serialise")?;
    let packed = zstd::encode_all(&bytes[..], ZSTD_LEVEL).context("zstd failed")?;
    ensure!(packed.len() <= MOST_BYTES, "game {} has {} bytes", game.record.index, packed.len());
    Ok(packed)
}

/// The most bytes, unpacked, of a game with up to `max_plies` plies.
pub fn most_unpacked(max_plies: u32) -> u64 {
    HEAD_BYTES + u64::from(max_plies) * PLY_BYTES
}

/// Reads what [`pack`] made of a game with up to `max_plies` plies.
///
/// # Errors
/// When it is damaged, too large, or unpacks to more than such a game has.
pub fn unpack_game(bytes: &[u8], max_plies: u32) -> Result<PlayedGame> {
    ensure!(bytes.len() <= MOST_BYTES, "a message of {} bytes", bytes.len());
    let body = decompress(bytes, most_unpacked(max_plies))?;
    let (game, rest) = postcard::take_from_bytes(&body).context("it is no game")?;
    ensure!(rest.is_empty(), "{} bytes follow the game", rest.len());
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_read_as_it_was_written_and_has_an_end() {
        let item = Item { order: "1-2".into(), numbers: vec![3, 70_000] };
        assert_eq!(Item::read(&item.to_bytes()).unwrap(), item);
        let large = Item { order: String::new(), numbers: vec![0; MOST_NUMBERS + 1] };
        assert!(Item::read(&large.to_bytes()).unwrap_err().to_string().contains("257 games"));
        assert!(Item::read(&[0xff; 20]).is_err());
        let long = Item { order: "x".repeat(MOST_ITEM), numbers: Vec::new() };
        assert!(Item::read(&long.to_bytes()).unwrap_err().to_string().contains("bytes"));
    }

    #[test]
    fn a_bomb_is_not_unpacked() {
        let bomb = zstd::encode_all(&vec![0; 1 << 30][..], 1).unwrap();
        assert!(bomb.len() < MOST_BYTES);
        assert!(format!("{:#}", unpack_game(&bomb, 512).unwrap_err()).contains("unpacks to more"));
        assert!(unpack_game(&vec![0; MOST_BYTES + 1], 512).unwrap_err().to_string().contains("message of"));
        assert!(unpack_game(b"nothing", 512).is_err());
    }
}
