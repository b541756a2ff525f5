//! The text of files from outside, in whichever encoding their programs write.

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};

/// Why bytes are no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is no text: it holds zero bytes")]
pub struct NoText;

/// The languages whose encodings a text may be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextLanguage {
    /// Any of those below.
    Any,
    /// CP932 or EUC.
    Japanese,
    /// CP949.
    Korean,
    /// GB 18030 or Big5.
    Chinese,
}

/// [`decode_from`] any language.
///
/// # Errors
/// When it is no text.
pub fn decode(bytes: &[u8]) -> Result<String, NoText> {
    decode_from(TextLanguage::Any, bytes)
}

/// The text of `bytes`, without a byte order mark: UTF-8, UTF-16 of either order, or one of the encodings in which
/// records of games are kept: CP932 (and EUC) for Japanese, GB 18030 and Big5 for Chinese, CP949 for Korean. Which of
/// these, of those of `language`, is found by what is valid in them, by the characters that are common in each, and by the
/// words of games: a name alone is too short to tell a language. Other bytes are read as Windows-1252. A character that is
/// cut or spoilt becomes U+FFFD.
///
/// # Errors
/// When it is no text.
pub fn decode_from(language: TextLanguage, bytes: &[u8]) -> Result<String, NoText> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return Ok(encoding.decode_without_bom_handling(&bytes[mark..]).0.into_owned());
    }
    if bytes.contains(&0) {
        let encoding = utf_16_order(bytes).ok_or(NoText)?;
        return Ok(encoding.decode_without_bom_handling(bytes).0.into_owned());
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(_) => Ok(likeliest(language, sample(bytes)).decode_without_bom_handling(bytes).0.into_owned()),
    }
}

/// The order of UTF-16 without a mark: in texts of games half of the letters are ASCII, with a zero byte each.
fn utf_16_order(bytes: &[u8]) -> Option<&'static Encoding> {
    let [mut even, mut odd] = [0, 0];
    for pair in bytes.chunks_exact(2) {
        even += usize::from(pair[0] == 0 && pair[1] != 0);
        odd += usize::from(pair[1] == 0 && pair[0] != 0);
    }
    let most = bytes.len() / 8;
    match (even > most.max(8 * odd), odd > most.max(8 * even)) {
        (true, _) => Some(UTF_16BE),
        (_, true) => Some(UTF_16LE),
        _ => None,
    }
}

/// Bytes that are looked at.
const SAMPLE: usize = 1 << 16;

/// The lines at the start of `bytes`; what stands behind the ASCII where that is long.
fn sample(bytes: &[u8]) -> &[u8] {
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let begin = if first < SAMPLE / 2 { 0 } else { first };
    let bytes = &bytes[begin..];
    let Some(head) = bytes.get(..SAMPLE) else { return bytes };
    let end = head.iter().rposition(|&byte| byte == b'\n').filter(|end| begin + end > first);
    &head[..end.unwrap_or(SAMPLE)]
}

/// An encoding, the characters that are frequent in records written in it, and the ASCII words of such records.
struct Candidate {
    language: TextLanguage,
    encoding: &'static Encoding,
    frequent: &'static str,
    words: &'static [&'static str],
}

const JAPANESE: &str =
    "手合割先後上下数指消費時間開始日棋戦投了中断詰歩香桂銀金角飛玉王同打成馬竜龍持駒番平落";
const CHINESE: &str = "炮砲马馬车車兵卒将帅將帥士仕相象进進平退前后後中红紅黑胜勝负負和";
const KOREAN: &str = "초한차림대국결과졸병마상포차사장궁왕승수회전";
const CHINESE_WORDS: &[&str] = &["DhtmlXQ", "Chinese Chess"];

/// Where two are alike, the first is it.
const CANDIDATES: [Candidate; 6] = [
    Candidate { language: TextLanguage::Any, encoding: UTF_8, frequent: "", words: &[] },
    Candidate { language: TextLanguage::Japanese, encoding: SHIFT_JIS, frequent: JAPANESE, words: &[] },
    Candidate { language: TextLanguage::Korean, encoding: EUC_KR, frequent: KOREAN, words: &[] },
    Candidate { language: TextLanguage::Chinese, encoding: GB18030, frequent: CHINESE, words: CHINESE_WORDS },
    Candidate { language: TextLanguage::Chinese, encoding: BIG5, frequent: CHINESE, words: CHINESE_WORDS },
    Candidate { language: TextLanguage::Japanese, encoding: EUC_JP, frequent: JAPANESE, words: &[] },
];

fn likeliest(language: TextLanguage, bytes: &[u8]) -> &'static Encoding {
    // Where the language is known, something must speak against its encodings.
    let least = if language == TextLanguage::Any { 0 } else { -1 };
    let mut best = (least, WINDOWS_1252);
    let may_be = |candidate: &&Candidate| {
        language == TextLanguage::Any
            || candidate.language == TextLanguage::Any
            || candidate.language == language
    };
    for candidate in CANDIDATES.iter().filter(may_be) {
        let weight = candidate.weight(language, bytes);
        if weight > best.0 {
            best = (weight, candidate.encoding);
        }
    }
    best.1
}

impl Candidate {
    /// How much speaks for this encoding; below 0 where more speaks against it.
    fn weight(&self, language: TextLanguage, bytes: &[u8]) -> i64 {
        let (text, _) = self.encoding.decode_without_bom_handling(bytes);
        let letters: i64 =
            text.chars().filter(|letter| !letter.is_ascii()).map(|letter| self.vote(language, letter)).sum();
        let words = self.words.iter().filter(|word| text.contains(**word)).count();
        letters + words as i64
    }

    fn vote(&self, language: TextLanguage, letter: char) -> i64 {
        match letter {
            // What cannot be decoded.
            '\u{fffd}' => -4,
            // Japanese names may have them,
            '\u{ff61}'..='\u{ff9f}' if language == TextLanguage::Japanese => 0,
            // but half-width kana are what other encodings look like in CP932; and records have no private letters.
            '\u{ff61}'..='\u{ff9f}' | '\u{e000}'..='\u{f8ff}' => -2,
            _ if self.frequent.contains(letter) => 3,
            _ if self.is_usual(letter) => 1,
            _ => -1,
        }
    }

    /// Whether the letter is of the first and most usual part of its character set.
    fn is_usual(&self, letter: char) -> bool {
        let mut buffer = [0; 4];
        let (bytes, ..) = self.encoding.encode(letter.encode_utf8(&mut buffer));
        let is_hangul = ('\u{ac00}'..='\u{d7a3}').contains(&letter);
        let is_double = |lead: std::ops::RangeInclusive<u8>| matches!(bytes[..], [first, second] if lead.contains(&first) && second >= 0xa1);
        if self.encoding == EUC_KR {
            is_hangul && is_double(0xb0..=0xc8)
        } else if self.encoding == GB18030 {
            is_double(0xa1..=0xf7)
        } else if self.encoding == BIG5 {
            matches!(bytes[..], [0xa1..=0xc6, _])
        } else if self.encoding == EUC_JP {
            is_double(0xa1..=0xf4)
        } else {
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIF: &str =
        "手合割：平手\n先手：羽田\n後手：生方\n   1 ７六歩(77)\n   2 ３四歩(33)\nまで2手で中断\n";
    const PGN: &str = "[Game \"Chinese Chess\"]\n[Red \"胡某\"]\n\n1. 炮二平五 马８进７\n";
    const TRADITIONAL: &str = "[Game \"Chinese Chess\"]\n[Red \"陳某\"]\n\n1. 炮二平五 馬８進７\n";
    const GIB: &str =
        "[대회명 \"시범\"]\n[초차림 \"마상마상\"]\n[대국결과 \"초 승\"]\n\n1. 79졸78 2. 41졸42\n";

    #[test]
    fn every_encoding_is_found() {
        let cases = [
            (KIF, SHIFT_JIS),
            (KIF, EUC_JP),
            (PGN, GB18030),
            (TRADITIONAL, GB18030),
            (TRADITIONAL, BIG5),
            (GIB, EUC_KR),
        ];
        for (text, encoding) in cases {
            let (bytes, _, is_bad) = encoding.encode(text);
            assert!(!is_bad, "{} {text}", encoding.name());
            assert_eq!(decode(&bytes).as_deref(), Ok(text), "{}", encoding.name());
            // A name that was cut in the middle of a letter.
            let spoilt = [&bytes, &bytes[..3], b"[X \"\xb0\"]\n"].concat();
            assert!(decode(&spoilt).unwrap().starts_with(text), "{}", encoding.name());
        }
    }

    #[test]
    fn names_alone_are_enough() {
        for (text, encoding) in [
            ("[DhtmlXQ_title]某人对某人[/DhtmlXQ_title]", GB18030),
            ("[White \"이세영\"]", EUC_KR),
            ("[White \"渡辺\"]", SHIFT_JIS),
            ("[White \"さくら\"]", SHIFT_JIS),
            ("[White \"Müller\"]\n[Black \"Peña\"]", WINDOWS_1252),
        ] {
            assert_eq!(decode(&encoding.encode(text).0).as_deref(), Ok(text), "{}", encoding.name());
        }
    }

    #[test]
    fn short_names_are_read_where_the_language_is_known() {
        for (language, text, encoding) in [
            (TextLanguage::Japanese, "N+佐藤\nN-鈴木\n", EUC_JP),
            (TextLanguage::Japanese, "N+羽生善治\nN-藤井聡太\n", EUC_JP),
            (TextLanguage::Japanese, "N+大山\nN-升田\n", EUC_JP),
            (TextLanguage::Japanese, "N+やねうら王\nN-水匠\n", EUC_JP),
            (TextLanguage::Japanese, "N+佐藤\nN-鈴木\n", SHIFT_JIS),
            (TextLanguage::Japanese, "N+羽生善治\nN-藤井聡太\n", SHIFT_JIS),
            (TextLanguage::Japanese, "N+やねうら王\nN-水匠\n", SHIFT_JIS),
            (TextLanguage::Japanese, "N+ｼﾞﾝ\nN-AI\n", SHIFT_JIS),
            (TextLanguage::Japanese, "N+Müller\n", WINDOWS_1252),
            (TextLanguage::Korean, "[초대국자 \"가\"]", EUC_KR),
            (TextLanguage::Chinese, "RED 吕钦;;;", GB18030),
            (TextLanguage::Chinese, "RED 呂欽;;;", BIG5),
        ] {
            let bytes = encoding.encode(text).0;
            assert_eq!(decode_from(language, &bytes).as_deref(), Ok(text), "{}", encoding.name());
        }
    }

    #[test]
    fn letters_behind_much_ascii_are_read() {
        for lines in [5_000, 10_000, 12_000] {
            let text = format!("{}N+佐藤\n", "+7776FU\n".repeat(lines));
            let bytes = SHIFT_JIS.encode(&text).0;
            assert_eq!(decode_from(TextLanguage::Japanese, &bytes), Ok(text), "{lines}");
        }
    }

    #[test]
    fn unicode_is_read_with_a_mark_and_without() {
        for text in [KIF, PGN, GIB, "position startpos moves 7g7f\n"] {
            let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            for (mark, bytes) in [
                ("\u{feff}".as_bytes(), text.as_bytes()),
                (&[], text.as_bytes()),
                (&[0xff, 0xfe], &little),
                (&[], &little),
                (&[0xfe, 0xff], &big),
                (&[], &big),
            ] {
                assert_eq!(decode(&[mark, bytes].concat()).as_deref(), Ok(text));
            }
        }
    }

    #[test]
    fn what_is_no_text_is_refused() {
        assert_eq!(decode(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"), Err(NoText));
        assert_eq!(decode(&[0; 100]), Err(NoText));
        assert_eq!(decode(b"").as_deref(), Ok(""));
        // Any bytes are read or refused.
        for first in 0..=u8::MAX {
            for second in 1..=u8::MAX {
                let _ = decode(&[first, second, b'x', second, first]);
            }
        }
    }

    #[test]
    fn long_files_are_judged_by_their_first_lines() {
        let long = GIB.repeat(2000);
        let (bytes, ..) = EUC_KR.encode(&long);
        assert!(bytes.len() > 2 * SAMPLE);
        assert_eq!(decode(&bytes).as_deref(), Ok(&*long));
    }
}
