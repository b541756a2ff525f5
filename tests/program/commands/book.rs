//! `sanki book`.

use std::fs;

use super::{assert_fails, sanki, stdout};

#[test]
fn a_book_is_made_again_from_the_same_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let make = |name: &str, more: &[&str]| {
        let path = folder.path().join(name).display().to_string();
        let base = ["book", "--game", "dobutsu", "--positions", "20", "--nodes", "300", "--plies", "5", "-o"];
        let said = stdout(&sanki(&[&base[..], &[path.as_str()], more].concat(), ""));
        (fs::read_to_string(path).unwrap(), said)
    };
    let (book, said) = make("a.book", &["--threads", "2"]);
    assert!(book.starts_with("sanki book 1 dobutsu\n"), "{book}");
    assert_eq!(book.lines().count(), 21);
    assert!(said.contains("20 positions\nbest line: "), "{said}");
    assert_eq!(make("b.book", &["--threads", "1"]).0, book);
    assert_ne!(make("c.book", &["--margin", "0.5"]).0, book);
    let (from, _) = make("d.book", &["--fen", "gle/1c1/1C1/ELG[] w - - 0 1"]);
    assert_eq!(from, book, "that is the start");
}

#[test]
fn a_book_is_written_as_yaneuraou_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db").display().to_string();
    let base = ["book", "--game", "minishogi", "--positions", "5", "--nodes", "100", "-o", &path];
    stdout(&sanki(&base, ""));
    let book = fs::read_to_string(path).unwrap();
    assert!(book.starts_with("#YANEURAOU-DB2016 1.00\nsfen "), "{book}");
    assert!(book.contains("sfen rbsgk/4p/5/P4/KGSBR b - 1\n"), "{book}");
    assert_eq!(book.matches("sfen ").count(), 5);
}

#[test]
fn what_makes_no_book_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.book").display().to_string();
    assert_fails(&sanki(&["book", "-o", &path], ""), 2, "which game");
    for margin in ["0", "1.5", "x"] {
        assert_fails(
            &sanki(&["book", "--game", "dobutsu", "--margin", margin, "-o", &path], ""),
            2,
            "margin",
        );
    }
    fs::write(&path, "mine").unwrap();
    assert_fails(&sanki(&["book", "--game", "dobutsu", "-o", &path], ""), 1, "--force");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    for (name, words) in [("a.db", "for shogi"), ("a.pgn", "name it .book"), ("a", "name it .book")] {
        let path = folder.path().join(name);
        let made = sanki(&["book", "--game", "dobutsu", "-o", path.to_str().unwrap()], "");
        assert_fails(&made, 2, words);
        assert!(!path.exists(), "{name}");
    }
}
