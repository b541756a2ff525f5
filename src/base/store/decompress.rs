//! Decompression that does not fill the memory.

use std::io::Read;

use anyhow::{Context, Result, ensure};

/// Decompresses zstd frames into `most` bytes or fewer.
///
/// # Errors
/// When they are damaged, or unpack to more: a file of a few kilobytes can claim to hold gigabytes.
pub fn decompress(bytes: &[u8], most: u64) -> Result<Vec<u8>> {
    let mut unpacked = Vec::new();
    let mut reader = decoder(bytes)?.take(most.saturating_add(1));
    reader.read_to_end(&mut unpacked).context("it does not decompress")?;
    ensure!(unpacked.len() as u64 <= most, "it unpacks to more than {most} bytes");
    Ok(unpacked)
}

#[cfg(not(target_family = "wasm"))]
fn decoder(bytes: &[u8]) -> Result<impl Read> {
    zstd::Decoder::with_buffer(bytes).context("zstd failed")
}

/// One frame, which is what this program writes.
#[cfg(target_family = "wasm")]
fn decoder(bytes: &[u8]) -> Result<impl Read> {
    let decoder = ruzstd::decoding::StreamingDecoder::new(bytes);
    decoder.map_err(|error| anyhow::anyhow!("{error}")).context("it does not decompress")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_unpacked_than_allowed() {
        let text = vec![7; 100_000];
        let packed = zstd::encode_all(&text[..], 19).unwrap();
        assert!(packed.len() < 100);
        assert_eq!(decompress(&packed, 100_000).unwrap(), text);
        assert!(decompress(&packed, 99_999).unwrap_err().to_string().contains("more than 99999 bytes"));
        assert!(decompress(&packed[..packed.len() - 3], 100_000).is_err());
        assert!(decompress(b"no zstd", 10).is_err());
    }
}
