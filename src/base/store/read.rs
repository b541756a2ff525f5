//! Files from outside, which may have no end.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use anyhow::{Context, Result};

use super::retry_open;

/// The size of the checkpoints of the largest nets.
const MOST_BYTES: u64 = 1 << 32;

/// The bytes of the regular file at `path`, 4 GiB at most.
///
/// # Errors
/// Names the path.
pub fn read_whole(path: &Path) -> Result<Vec<u8>> {
    let read = || -> io::Result<Vec<u8>> {
        // A device or a pipe may never end.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::other("it is no regular file"));
        }
        read_at_most(path, MOST_BYTES)
    };
    read().with_context(|| format!("cannot read {}", path.display()))
}

/// The bytes of the file at `path`, if there are no more than `most`.
///
/// # Errors
/// Also where there are more, as in a device that never ends.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = retry_open(|| File::open(path))?;
    let too_long = || io::Error::new(io::ErrorKind::InvalidData, format!("it has more than {most} bytes"));
    let length = file.metadata()?.len();
    if length > most {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length as usize)?;
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_long()) } else { Ok(bytes) }
}

/// The same, as text.
///
/// # Errors
/// Also where it is no UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let no_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is no UTF-8");
    String::from_utf8(read_at_most(path, most)?).map_err(no_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_an_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        std::fs::write(&path, "text").unwrap();
        assert_eq!(read_text(&path, 4).unwrap(), "text");
        assert!(read_at_most(&path, 3).unwrap_err().to_string().contains("more than 3 bytes"));
        std::fs::write(&path, b"\xff").unwrap();
        assert!(read_text(&path, 4).unwrap_err().to_string().contains("no UTF-8"));
        assert_eq!(read_at_most(&folder.path().join("no"), 4).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn so_has_a_device() {
        assert!(read_at_most(Path::new("/dev/zero"), 1 << 20).is_err());
    }
}
