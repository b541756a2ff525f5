//! WXF and DhtmlXQ.

use sanki::games::records::Format;

use super::{FIRST, one, reading};

#[test]
fn comments_of_wxf_are_skipped_and_errors_name_the_line() {
    let text =
        "FORMAT WXF\nRESULT 1-0\nSTART{\n1.C2.5 {a good\nmove C9.9} h8+7 ; 2. H9+9\n2. H2+3,r9=8\n}END\n";
    let record = one(Format::Wxf, text);
    assert_eq!(record.moves.join(" "), "h3e3 h10g8 h1g3 i10h10");
    assert_eq!(record.outcome.map(|outcome| outcome.verdict), Some(FIRST));
    let failed = reading(Format::Wxf, &text.replace("r9=8", "r9=9"));
    let error = failed.failures[0].to_string();
    assert!(error.starts_with("game 1: line 6: move 4"), "{error}");
    let failed = reading(Format::Wxf, &text.replace("RESULT 1-0", "FEN 9/9"));
    let error = failed.failures[0].to_string();
    assert!(error.starts_with("game 1: line 2: the line FEN"), "{error}");
}

#[test]
fn a_block_of_wxf_without_an_end_costs_its_own_game_alone() {
    let next = "FORMAT WXF\nRESULT 0-1\nSTART{ 1. C2.5 ... h8+7 }END\n";
    for (block, games) in [("{ C2.5 h8+7 ; good }END", 2), ("{ C2.5 {good }END", 1), ("{ C2.5 (", 1)] {
        let reading = reading(Format::Wxf, &format!("FORMAT WXF\nSTART{block}\n{next}"));
        assert_eq!(
            (reading.records.len(), reading.failures.len()),
            (games, 2 - games),
            "{block} {reading:?}"
        );
        let last = reading.records.last().expect("the next one");
        assert_eq!(last.moves.join(" "), "h3e3 h10g8", "{block}");
    }
}

#[test]
fn results_in_words_that_are_not_known_are_told() {
    for (format, text, word, line) in [
        (Format::Wxf, "FORMAT WXF\nRESULT red lost\nSTART{ C2.5 }END\n", "red lost", 2),
        (
            Format::Dhtmlxq,
            "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n\n[DhtmlXQ_result]某方胜[/DhtmlXQ_result]\n",
            "某方胜",
            3,
        ),
    ] {
        let told = reading(format, text);
        assert_eq!(told.records[0].outcome, None, "{told:?}");
        let [note] = &told.notes[..] else { panic!("{told:?}") };
        assert_eq!((note.line, note.text.as_str()), (line, &*format!("the result '{word}' is not known")));
        for (known, expected) in [("红先胜", Some(FIRST)), ("*", None)] {
            let known = reading(format, &text.replace(word, known));
            assert!(known.notes.is_empty(), "{known:?}");
            assert_eq!(known.records[0].outcome.map(|outcome| outcome.verdict), expected);
        }
    }
}
