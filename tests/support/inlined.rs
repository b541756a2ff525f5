//! The scripts of pages that are one file.

use data_encoding::BASE64;

/// What stands before the text of each script.
const URL: &str = "data:text/javascript;charset=utf-8;base64,";

/// The page with its scripts as they were written, so that a text which they have is found.
pub fn readable(page: &str) -> String {
    let mut parts = page.split(URL);
    let mut readable = parts.next().expect("the beginning").to_owned();
    for part in parts {
        let (script, rest) = part.split_once('"').expect("the end of a URL");
        let script = BASE64.decode(script.as_bytes()).expect("base64");
        readable += &String::from_utf8(script).expect("text");
        readable += rest;
    }
    assert!(readable.len() < page.len(), "no script in the page");
    readable
}
