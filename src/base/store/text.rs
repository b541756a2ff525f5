//! Text from outside: made fit to be printed, and read in lines that end.

use std::{
    borrow::Cow,
    io::{self, BufRead},
};

/// `text` without what would move the cursor, change colours or turn the direction of a terminal: spaces in place of
/// tabs and line ends, and U+FFFD in place of all other control characters.
pub fn printable(text: &str) -> Cow<'_, str> {
    // Those that turn the direction are of another kind (Unicode's bidirectional algorithm, UAX 9).
    let is_plain = |letter: char| {
        !letter.is_control()
            && !matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let plain = |letter: char| match letter {
        '\t' | '\n' | '\r' => ' ',
        letter if is_plain(letter) => letter,
        _ => '\u{fffd}',
    };
    if text.chars().all(is_plain) { text.into() } else { text.chars().map(plain).collect::<String>().into() }
}

/// `text` without the byte order mark that may stand before it.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// What [`read_line`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineRead {
    /// The end of the input.
    End,
    /// A whole line.
    Whole,
    /// The beginning of a line that is longer.
    Cut,
}

/// Reads a line without its end into `line`, which is cleared first, and keeps no more of it than `most` bytes: what
/// is beyond is read and dropped.
///
/// # Errors
/// Those of the input.
pub fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>, most: usize) -> io::Result<LineRead> {
    line.clear();
    let mut found = LineRead::End;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        if buffer.is_empty() {
            return Ok(found);
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        let room = most - line.len();
        found = if part.len() > room || found == LineRead::Cut { LineRead::Cut } else { LineRead::Whole };
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = end.map_or(buffer.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_not_printed() {
        for text in ["", "an engine", "三棋 é"] {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text));
        }
        assert_eq!(
            printable("a\x1b[2J\x07b\tc\u{202e}d\u{9b}1m\r\n"),
            "a\u{fffd}[2J\u{fffd}b c\u{fffd}d\u{fffd}1m  "
        );
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        assert_eq!(without_mark("\u{feff}uci"), "uci");
        assert_eq!(without_mark("uci"), "uci");
    }

    #[test]
    fn lines_are_cut() {
        let mut text = vec![b'x'; 30_000];
        text.extend_from_slice(b"\n\nabcd\nabcde\nlast");
        let (mut input, mut line) = (io::BufReader::with_capacity(7, &text[..]), Vec::new());
        let mut lines = Vec::new();
        while let found @ (LineRead::Whole | LineRead::Cut) = read_line(&mut input, &mut line, 4).unwrap() {
            lines.push((found, String::from_utf8(line.clone()).unwrap()));
        }
        let expected = [
            (LineRead::Cut, "xxxx"),
            (LineRead::Whole, ""),
            (LineRead::Whole, "abcd"),
            (LineRead::Cut, "abcd"),
            (LineRead::Whole, "last"),
        ];
        assert_eq!(lines, expected.map(|(found, line)| (found, line.to_owned())));
    }
}
