//! Shuffling more than memory holds.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, Write},
    path::Path,
};

use rand::{RngExt, seq::SliceRandom};

use crate::base::rng::Rng;

/// Files that entries are dealt to. A whole one must fit into memory: with 10 GB it has 80 MB.
const FILES: usize = 128;

/// Entries in random order, each order equally likely. They wait in temporary files: memory is needed for one part in 128 of
/// them alone.
pub struct Shuffle {
    files: Vec<BufWriter<File>>,
    rng: Rng,
}

impl Shuffle {
    /// Nothing yet; the temporary files, which have no names, lie on the disk of `folder`.
    ///
    /// # Errors
    /// When they cannot be made.
    pub fn new(folder: &Path, rng: Rng) -> io::Result<Self> {
        let file = |_| tempfile::tempfile_in(folder).map(BufWriter::new);
        Ok(Shuffle { files: (0..FILES).map(file).collect::<io::Result<_>>()?, rng })
    }

    /// Takes an entry.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn push(&mut self, entry: &[u8]) -> io::Result<()> {
        let file = &mut self.files[self.rng.random_range(..FILES)];
        file.write_all(&(entry.len() as u32).to_le_bytes())?;
        file.write_all(entry)
    }

    /// Writes all entries to `out`, one after the other.
    ///
    /// # Errors
    /// When they cannot be read or written.
    pub fn write_to(self, out: &mut impl Write) -> io::Result<()> {
        let Shuffle { files, mut rng } = self;
        let mut bytes = Vec::new();
        for file in files {
            let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            bytes.clear();
            file.read_to_end(&mut bytes)?;
            let mut entries = Vec::new();
            let mut rest = &bytes[..];
            while let Some((length, after)) = rest.split_first_chunk::<4>() {
                let (entry, after) = after.split_at(u32::from_le_bytes(*length) as usize);
                entries.push(entry);
                rest = after;
            }
            entries.shuffle(&mut rng);
            entries.iter().try_for_each(|entry| out.write_all(entry))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn all_entries_come_out_once_in_another_order_and_the_same_for_a_seed() {
        let folder = tempfile::tempdir().unwrap();
        let shuffled = |seed| {
            let mut shuffle = Shuffle::new(folder.path(), Rng::seed_from_u64(seed)).unwrap();
            (0..10_000).for_each(|entry: u32| shuffle.push(format!("{entry}\n").as_bytes()).unwrap());
            let mut out = Vec::new();
            shuffle.write_to(&mut out).unwrap();
            String::from_utf8(out).unwrap().lines().map(|line| line.parse().unwrap()).collect::<Vec<u32>>()
        };
        let one = shuffled(1);
        assert_eq!(one, shuffled(1));
        assert_ne!(one, shuffled(2));
        // Neighbours are as far apart as numbers drawn at random: a third of the range.
        let apart: f64 =
            one.windows(2).map(|pair| f64::from(pair[0].abs_diff(pair[1]))).sum::<f64>() / 9_999.0;
        assert!((apart - 3_333.0).abs() < 150.0, "{apart}");
        let mut sorted = one;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..10_000).collect::<Vec<_>>());
    }
}
