//! Waiting until the disk has what was written, as far as its file system can say so.

#[cfg(feature = "program")]
use std::path::Path;
use std::{fs::File, io};

/// Waits until the disk has all of `file`: it survives a power cut from then on. On Apple's systems the usual call also
/// empties the memory of the drive itself. Network drives cannot do that: theirs is emptied as other systems do it.
///
/// # Errors
/// Those of the system.
pub fn sync_file(file: &File) -> io::Result<()> {
    let synced = file.sync_all();
    #[cfg(all(target_vendor = "apple", feature = "program"))]
    if synced.as_ref().is_err_and(is_unsupported) {
        return nix::unistd::fsync(file).map_err(io::Error::from);
    }
    synced
}

/// Makes a rename in `folder` survive a power cut, where the file system can: shared folders of virtual machines and some
/// network drives sync no folder, and a folder that one may write in but not list cannot be opened for it. There a
/// rename is as safe as the system makes it. Only Unix can and needs to.
///
/// # Errors
/// Those of the disk.
#[cfg(all(feature = "program", unix))]
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    let synced = match File::open(folder) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        opened => sync_file(&opened?),
    };
    match synced {
        Err(error) if is_unsupported(&error) => Ok(()),
        synced => synced,
    }
}

#[cfg(all(feature = "program", not(unix)))]
pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Whether the file system has no such call, or not for this kind of file.
#[cfg(all(feature = "program", unix))]
fn is_unsupported(error: &io::Error) -> bool {
    use nix::errno::Errno;

    let known = [Errno::EINVAL, Errno::EBADF, Errno::ENOTSUP, Errno::EOPNOTSUPP, Errno::ENOTTY];
    error.raw_os_error().is_some_and(|number| known.contains(&Errno::from_raw(number)))
}

#[cfg(test)]
mod tests {
    #[cfg(all(feature = "program", target_os = "linux"))]
    #[test]
    fn what_cannot_be_synced_is_no_error_of_a_folder() {
        use super::*;

        // The folders of this file system cannot.
        let folder = Path::new("/proc");
        assert!(sync_file(&File::open(folder).unwrap()).is_err());
        sync_folder(folder).unwrap();
        let missing = sync_folder(Path::new("no/such/folder")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }
}
