//! `sanki man` and `sanki completions`.

use std::fs;

use super::{sanki, stdout};

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    let arguments = ["man", "-o", pages.to_str().unwrap()];
    assert!(stdout(&sanki(&arguments, "")).contains("pages in"));
    let help = stdout(&sanki(&["--help"], ""));
    let commands =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<&str> = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty() && *name != "help").collect();
    assert!(names.contains(&"train") && names.contains(&"serve"), "{names:?}");
    for name in names {
        let page = fs::read_to_string(pages.join(format!("sanki-{name}.1"))).expect(name);
        assert!(page.contains("Examples:") || page.contains("Usage") || page.contains("SYNOPSIS"), "{name}");
    }
    let again = sanki(&arguments, "");
    assert_eq!(again.status.code(), Some(1), "nothing is overwritten");
    assert!(stdout(&sanki(&[&arguments[..], &["--force"]].concat(), "")).contains("pages in"));
}

#[test]
fn shells_complete_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = stdout(&sanki(&["completions", shell], ""));
        assert!(text.contains("find-n50") && text.contains("analyse"), "{shell}");
    }
    assert_eq!(sanki(&["completions", "none"], "").status.code(), Some(2));
}
