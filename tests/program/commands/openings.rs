//! `sanki openings`.

use std::fs;

use super::{assert_fails, sanki, stdout};

const ARGS: [&str; 7] = ["openings", "--game", "dobutsu", "--count", "5", "--seed", "2"];

#[test]
fn a_set_is_printed_or_written() {
    let printed = stdout(&sanki(&ARGS, ""));
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[0].starts_with("# sanki openings --game dobutsu --rules standard --count 5 --seed 2: "));
    assert_eq!(lines.len(), 6);
    assert!(lines[5].ends_with(" id \"dobutsu 5\";"), "{printed}");

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cli_openings.epd");
    let args = [&ARGS[..], &["-o", file.to_str().unwrap()]].concat();
    assert_eq!(stdout(&sanki(&args, "")), "");
    assert_eq!(fs::read_to_string(&file).unwrap(), printed);
}

#[test]
fn what_cannot_be_made_is_refused() {
    assert_fails(&sanki(&["openings", "--game", "dobutsu", "--rules", "axf"], ""), 2, "'axf'");
    assert_fails(&sanki(&["openings", "--game", "dobutsu", "--count", "0"], ""), 2, "0");
    let no_folder = [&ARGS[..], &["-o", "no/such/folder/x.epd"]].concat();
    assert_fails(&sanki(&no_folder, ""), 1, "there is no folder no/such/folder");
}
