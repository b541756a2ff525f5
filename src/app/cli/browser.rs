//! Opening a page in the browser of the desktop.

use std::{
    io::{self, Write},
    path::Path,
    process::{Command, Stdio},
    thread,
};

use anyhow::{Context, Result};
use tempfile::{Builder, TempPath};

/// Opens `address` in the browser, if there is one. Command lines can be read by every user of the machine, and an
/// address may hold a secret: so the browser gets a file in `folder` that leads on to it, and that only its owner can
/// read. It is there until what is returned is dropped.
///
/// # Errors
/// When the file cannot be written, or no browser be started.
pub fn open(address: &str, folder: &Path) -> Result<TempPath> {
    let file = || -> io::Result<TempPath> {
        std::fs::create_dir_all(folder)?;
        // Only this user may read such a file: mode 0600.
        let mut file = Builder::new().prefix(".open-").suffix(".html").tempfile_in(folder)?;
        file.write_all(page(address).as_bytes())?;
        Ok(file.into_temp_path())
    };
    let file = file().with_context(|| format!("cannot write in {}", folder.display()))?;
    let path = std::path::absolute(&file)?;
    let mut opener = opener(&path);
    opener.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C in our terminal is not meant for it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut opener, 0);
    let mut child = opener.spawn().with_context(|| opener.get_program().display().to_string())?;
    // Unix keeps what has ended until somebody has waited for it.
    let wait = move || child.wait();
    thread::Builder::new().name("browser".to_owned()).spawn(wait).context("cannot start a thread")?;
    Ok(file)
}

/// The program that opens `path` as the desktop does. No shell reads it: a path may have any letters.
#[cfg(not(windows))]
fn opener(path: &Path) -> Command {
    let mut opener = Command::new(if cfg!(target_os = "macos") { "open" } else { "xdg-open" });
    opener.arg(path);
    opener
}

/// Between quotes, which no path there can hold: outside of them, a comma ends what `explorer.exe` opens. It is the one of
/// the system, not one beside this program.
#[cfg(windows)]
fn opener(path: &Path) -> Command {
    use std::{env, ffi::OsString, os::windows::process::CommandExt, path::PathBuf};

    let system = env::var_os("SystemRoot").map(PathBuf::from).unwrap_or_default();
    let mut quoted = OsString::from("\"");
    quoted.push(path);
    quoted.push("\"");
    let mut opener = Command::new(system.join("explorer.exe"));
    opener.raw_arg(quoted);
    opener
}

/// A page that leads on at once.
fn page(address: &str) -> String {
    let address = address.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    format!(
        "<!DOCTYPE html><meta charset=\"utf-8\"><title>Sanki</title><meta http-equiv=\"refresh\" \
         content=\"0;url={address}\"><a href=\"{address}\">Sanki</a>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_shell_reads_the_path() {
        let path = Path::new("R&D ^ 100%, %PATH%/page.html");
        let opener = opener(path);
        let program = Path::new(opener.get_program()).file_stem().unwrap();
        assert!(["explorer", "open", "xdg-open"].iter().any(|known| program == *known), "{program:?}");
        let arguments: Vec<String> =
            opener.get_args().map(|argument| argument.to_string_lossy().into_owned()).collect();
        let path = path.display();
        assert_eq!(arguments, [if cfg!(windows) { format!("\"{path}\"") } else { path.to_string() }]);
    }

    #[test]
    fn the_page_leads_to_the_address_and_nowhere_else() {
        let page = page("http://127.0.0.1:7777/?code=1&a=\"><script>");
        assert!(page.contains("url=http://127.0.0.1:7777/?code=1&amp;a=&quot;>&lt;script>\""), "{page}");
        assert!(!page.contains("<script"));
    }
}
