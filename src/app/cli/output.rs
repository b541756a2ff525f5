//! Files that the user names for results.

use std::{io, path::Path};

use anyhow::Result;
use tempfile::NamedTempFile;

use super::CliError;
use crate::base::store::{self, Existing, check_regular, check_writable, folder_of, write_atomic, write_new};

/// What happens to a file that is there already.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Force {
    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
}

impl Force {
    /// Whether a result can be written to `path`: better said before the work than after it.
    ///
    /// # Errors
    /// When there is something and it is not to be overwritten, or is no regular file, or there is no such folder, or no file
    /// can be made in it.
    pub fn check(self, path: &Path) -> Result<(), CliError> {
        let folder = folder_of(path);
        if !folder.is_dir() {
            return Err(CliError::failed(format!("there is no folder {}", folder.display())));
        }
        check_regular(path).map_err(|error| cannot_write(path, &error))?;
        if path.exists() && !self.force {
            let message = format!("{} exists already", path.display());
            return Err(CliError::failed(message).help("--force overwrites it"));
        }
        check_writable(path).map_err(|error| cannot_write(path, &error))
    }

    /// Writes a result that may be larger than memory.
    ///
    /// # Errors
    /// Those of `write`; names `path`. What was there is then unchanged.
    pub fn write_with<T>(
        self,
        path: &Path,
        write: impl FnOnce(&mut NamedTempFile) -> Result<T>,
    ) -> Result<T> {
        let existing = if self.force { Existing::Replaced } else { Existing::Kept };
        store::write_with(path, existing, write)
    }

    /// Writes a result.
    ///
    /// # Errors
    /// Names `path`. What was there is then unchanged.
    pub fn write(self, path: &Path, bytes: &[u8]) -> Result<()> {
        if self.force { write_atomic(path, bytes) } else { write_new(path, bytes) }
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> CliError {
    CliError::failed(format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In /proc nobody can make a file, not even root.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_in_which_nothing_can_be_written_is_told_before_the_work() {
        let path = Path::new("/proc/result.toml");
        let (message, _) = Force { force: false }.check(path).unwrap_err().lines();
        assert!(message.starts_with("cannot write /proc/result.toml: "), "{message}");
        assert_eq!(message.matches("/proc/").count(), 1, "it names the target alone: {message}");
    }

    #[test]
    fn what_is_tried_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        Force { force: false }.check(&folder.path().join("result.toml")).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
