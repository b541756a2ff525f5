//! The encodings in which formats are written by custom.

use std::fmt;

use encoding_rs::{EUC_KR, SHIFT_JIS};

/// How a file with a text is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, without a mark.
    Utf8,
    /// Shift JIS with the characters of Windows (CP932).
    ShiftJis,
    /// Unified Hangul (CP949).
    Cp949,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::ShiftJis => "Shift JIS",
            Encoding::Cp949 => "CP949",
        })
    }
}

/// What stands for a character that an encoding does not have, as Japanese and Korean printers have it.
const GETA: char = '〓';

impl Encoding {
    /// `text` so encoded, with `〓` in place of each character that the encoding does not have, and those characters,
    /// each once.
    pub fn encode(self, text: &str) -> (Vec<u8>, Vec<char>) {
        let encoding = match self {
            Encoding::Utf8 => return (text.as_bytes().to_vec(), Vec::new()),
            Encoding::ShiftJis => SHIFT_JIS,
            Encoding::Cp949 => EUC_KR,
        };
        let text: String = text.chars().map(twin).collect();
        let (bytes, _, has_strange) = encoding.encode(&text);
        if !has_strange {
            return (bytes.into_owned(), Vec::new());
        }
        let mut missing = Vec::new();
        let fits = |letter: char| !encoding.encode(letter.encode_utf8(&mut [0; 4])).2;
        let replaced: String = text
            .chars()
            .map(|letter| {
                if fits(letter) {
                    return letter;
                }
                if !missing.contains(&letter) {
                    missing.push(letter);
                }
                GETA
            })
            .collect();
        (encoding.encode(&replaced).0.into_owned(), missing)
    }
}

/// Unicode has some signs twice, and Windows knows them by the other one.
fn twin(letter: char) -> char {
    match letter {
        '\u{301c}' => '\u{ff5e}',
        '\u{2014}' => '\u{2015}',
        '\u{2016}' => '\u{2225}',
        letter => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_encoding_lacks_is_replaced_and_told() {
        let (bytes, missing) = Encoding::ShiftJis.encode("髙☗𠮷〜☗");
        assert_eq!(SHIFT_JIS.decode(&bytes).0, "髙〓〓～〓");
        assert_eq!(missing, ['☗', '𠮷']);
        let (bytes, missing) = Encoding::Cp949.encode("똠方각하☗");
        assert_eq!((EUC_KR.decode(&bytes).0.as_ref(), missing), ("똠方각하〓", vec!['☗']));
        assert_eq!(Encoding::Utf8.encode("☗"), ("☗".as_bytes().to_vec(), vec![]));
    }
}
