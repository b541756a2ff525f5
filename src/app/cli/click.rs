//! A double click on the program in Windows: whoever does that sees a console which closes when the program ends.

use std::{
    env, io,
    process::{self, ExitCode},
};

use winsafe::{HPROCESSLIST, co::TH32CS};

/// The program of the desktop and its windows with files, which starts what is double-clicked.
const EXPLORER: &str = "explorer.exe";

/// Whether we were started without arguments by the desktop: by a double click, from its menu or from its box for
/// commands. A shell in a console is a different program.
pub(super) fn is_double_click() -> bool {
    let arguments = env::args_os().count();
    arguments <= 1 && starter().is_some_and(|name| name.eq_ignore_ascii_case(EXPLORER))
}

/// The name of the program that has started us, if it still runs and the system tells.
fn starter() -> Option<String> {
    let mut list = HPROCESSLIST::CreateToolhelp32Snapshot(TH32CS::SNAPPROCESS, None).ok()?;
    let entries = list.iter_processes().map_while(Result::ok);
    // A process, its parent and its name.
    let processes: Vec<(u32, u32, String)> =
        entries.map(|entry| (entry.th32ProcessID, entry.th32ParentProcessID, entry.szExeFile())).collect();
    let find = |number: u32| processes.iter().find(|(process, ..)| *process == number);
    let (_, parent, _) = find(process::id())?;
    find(*parent).map(|(.., name)| name.clone())
}

/// Runs `sanki serve --open`. An error stays to be read until Enter is pressed.
pub(super) fn open_page() -> ExitCode {
    let code = super::run_command(["sanki", "serve", "--open"].map(Into::into).into_iter());
    if code != ExitCode::SUCCESS {
        super::tell("press Enter to close this window");
        let _ = io::stdin().read_line(&mut String::new());
    }
    code
}
