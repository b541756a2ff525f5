//! `sanki convert`.

use std::{fs, path::Path, process::Command};

use super::GIB;

fn sanki(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let out =
        Command::new(env!("CARGO_BIN_EXE_sanki")).current_dir(folder).args(args).output().expect("it runs");
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (out.status.code().unwrap_or(-1), text(&out.stdout), text(&out.stderr))
}

#[test]
fn one_bad_game_of_many_costs_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let game = |mv: &str| format!("[Variant \"Xiangqi\"]\n[Result \"1-0\"]\n\n1. {mv} 1-0\n\n");
    write("many.pgn", &[game("Che3"), game("Che4"), game("Hg3")].concat());
    write(
        "tags.pgn",
        &[game("Che3"), "[Variant xiangqi]\n\n1. Che3 *\n\n".to_owned(), game("Hg3 {no end")].concat(),
    );
    write("bad.pgn", &game("Che4"));
    write("two.usi", "position startpos moves 7g7f\nposition startpos moves 7g7e\n");
    let convert = |args: &[&str]| sanki(folder.path(), &[&["convert"], args].concat());

    write("one.pgn", &game("Che3"));
    let (code, out, err) = convert(&["one.pgn", "-o", "one.jsonl"]);
    assert_eq!((code, out.as_str()), (0, "one.jsonl: 1 game in 1 file\n"), "{err}");

    let (code, out, err) = convert(&["many.pgn", "-o", "a.jsonl"]);
    assert_eq!((code, out.as_str()), (1, "a.jsonl: 2 games in 1 file\n"), "{err}");
    assert!(err.contains("error: many.pgn: game 2: line 9: move 1: bad move 'Che4'"), "{err}");
    assert_eq!(fs::read_to_string(folder.path().join("a.jsonl")).unwrap().lines().count(), 2);

    let (code, out, err) =
        convert(&["tags.pgn", "bad.pgn", "absent.pgn", "many.pgn", "-o", "b.jsonl", "--json"]);
    assert_eq!((code, out.as_str()), (1, "{\"games\":3,\"files\":1,\"left_out\":5}\n"), "{err}");
    for named in [
        "tags.pgn: game 2: line 6",
        "tags.pgn: game 3: line 13",
        "bad.pgn: game 1: line 4",
        "cannot read absent.pgn",
        "many.pgn: game 2",
    ] {
        assert!(err.contains(named), "{named}: {err}");
    }
    // Nothing is written where nothing was read.
    let (code, out, err) = convert(&["bad.pgn", "-o", "c.jsonl"]);
    assert_eq!((code, out.as_str(), folder.path().join("c.jsonl").exists()), (1, "", false));
    assert!(err.starts_with("error: bad.pgn: game 1: line 4: move 1"), "{err}");
    let (code, _, err) = convert(&["two.usi", "-o", "d{}.kif"]);
    assert!(code == 1 && err.contains("two.usi: game 2: line 2: move 1"), "{err}");
    assert!(folder.path().join("d0001.kif").exists());
    // What cannot be written is named too.
    let (code, _, err) = convert(&["two.usi", "many.pgn", "-o", "e.usi"]);
    assert!(code == 1 && err.contains("many.pgn: game 1: xiangqi cannot be written"), "{err}");
}

#[test]
fn one_failure_alone_names_its_file_and_game() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("open.csa", "PI\n+\n+7776FU\n%CHUDAN\n");
    let convert = |args: &[&str]| sanki(folder.path(), &[&["convert"], args].concat());
    for (output, why) in [
        ("a.log.jsonl", "error: open.csa: game 1: it has no result\n"),
        ("a.pgn", "error: open.csa: game 1: shogi cannot be written in this format\n"),
    ] {
        let (code, _, err) = convert(&["open.csa", "-o", output]);
        assert!(code == 1 && err.starts_with(why) && err.contains("help: "), "{err}");
    }
}

#[test]
fn files_are_told_by_their_content_where_their_names_say_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let convert = |args: &[&str]| sanki(folder.path(), &[&["convert"], args].concat());
    let usi = "position startpos moves 7g7f 3c3d\n";
    for (name, text) in [
        ("a.sfen", usi),
        ("a.record", "PI\n+\n+7776FU\n-3334FU\n"),
        ("a.bod", "手合割：平手\n先手：Ａ\n後手：Ｂ\n   1 ７六歩(77)\n   2 ３四歩(33)\n"),
    ] {
        write(name, text);
        let (code, _, err) = convert(&[name, "-o", "a.usi", "--force"]);
        assert_eq!((code, err.as_str()), (0, ""), "{name}");
        assert_eq!(fs::read_to_string(folder.path().join("a.usi")).unwrap(), usi, "{name}");
    }
    let (code, _, err) = convert(&["a.sfen", "-o", "b.bod"]);
    assert!(code == 2 && err.contains("can only be read"), "{err}");
    let (code, _, err) = convert(&["a.sfen", "-o", "b.sfen"]);
    assert!(code == 2 && err.contains("names a format"), "{err}");
}

#[test]
fn numbers_and_commas_of_a_plain_list_are_no_moves() {
    let folder = tempfile::tempdir().unwrap();
    let convert = |game: &str, text: &str, output: &str| {
        fs::write(folder.path().join("list.txt"), text).unwrap();
        let args = ["convert", "list.txt", "--game", game, "-o", output, "--force"];
        let (code, _, err) = sanki(folder.path(), &args);
        assert_eq!(code, 0, "{text}: {err}");
        fs::read_to_string(folder.path().join(output)).unwrap()
    };
    for text in [
        "1.炮二平五 马8进7 2.马二进三",
        "1.C2=5 h8+7 2.H2+3",
        "1.h2e2 h9g7 2.h0g2",
        "炮二平五,马8进7，马二进三",
        "1 炮二平五 马8进7 2 马二进三",
    ] {
        let pgn = convert("xiangqi", text, "a.pgn");
        assert!(pgn.contains("1. Che3 Hg8 2. Hg3 *"), "{text}\n{pgn}");
    }
    assert_eq!(convert("shogi", "1.P-7f P-3d", "a.usi"), "position startpos moves 7g7f 3c3d\n");
}

#[test]
fn a_rule_set_needs_no_game_where_the_file_names_its_game() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.pgn"), "[Variant \"Xiangqi\"]\n\n1. Che3 *\n").unwrap();
    let convert = |rules: &str| {
        let args = ["convert", "a.pgn", "--rules", rules, "-o", "b.pgn", "--force"];
        sanki(folder.path(), &args)
    };
    let (code, _, err) = convert("wang1994");
    assert_eq!(code, 0, "{err}");
    let written = fs::read_to_string(folder.path().join("b.pgn")).unwrap();
    assert!(written.contains("[RuleSet \"wang1994\"]"), "{written}");
    assert_eq!(convert("csa27").0, 1, "a rule set of another game");
    assert_eq!(convert("nonsense").0, 2);
    let (code, _, err) = sanki(folder.path(), &["analyse", "a.pgn", "--rules", "wang1994", "--sims", "1"]);
    assert_eq!(code, 0, "{err}");
}

#[test]
fn characters_that_an_encoding_lacks_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let text = "\u{feff}#KIF version=2.0 encoding=UTF-8\n手合割：平手　　\n先手：Ａ☗髙橋𠮷\n後手：Ｂ\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 投了\n";
    fs::write(folder.path().join("wide.kifu"), text).unwrap();
    let (code, _, err) = sanki(folder.path(), &["convert", "wide.kifu", "-o", "a.kif"]);
    assert!(code == 0 && err.contains("☗ 𠮷") && err.contains("Shift JIS"), "{err}");
    let bytes = fs::read(folder.path().join("a.kif")).unwrap();
    let (text, _, is_bad) = encoding_rs::SHIFT_JIS.decode(&bytes);
    assert!(!is_bad && text.contains("先手：Ａ〓髙橋〓\n"), "{text}");
    let (code, _, err) = sanki(folder.path(), &["convert", "wide.kifu", "-o", "b.kifu"]);
    assert!(code == 0 && err.is_empty(), "{err}");
    // Korean programs keep .gib in CP949, some with stray bytes.
    let gib = [&encoding_rs::EUC_KR.encode(&GIB.replace("88포85", "18상46")).0, &b"\xff\n"[..]].concat();
    fs::write(folder.path().join("a.gib"), gib).unwrap();
    let (code, _, err) = sanki(folder.path(), &["convert", "a.gib", "-o", "b.gib"]);
    assert!(code == 0 && err.is_empty(), "{err}");
    let bytes = fs::read(folder.path().join("b.gib")).unwrap();
    let (text, _, is_bad) = encoding_rs::EUC_KR.decode(&bytes);
    assert!(!is_bad && text.contains("[초대국자 \"가\"]") && text.contains("4. 18상46"), "{text}");
}
