//! Texts brought to one form before they are compared.

use super::Style;

/// `text` without spaces and without what a style may leave out, full-width letters narrow, numerals as digits, and
/// of characters that are written in several ways one.
pub(super) fn normalize(text: &str, style: Style) -> String {
    let marks = ['▲', '△', '☗', '☖'];
    let letters = text.chars().filter(|letter| !letter.is_whitespace() && !marks.contains(letter));
    let text: String = letters.map(narrow).map(|letter| one_form(letter, style)).collect();
    match style {
        Style::Csa => text.trim_start_matches(['+', '-']).to_owned(),
        Style::San | Style::Numbers => text.trim_end_matches(['+', '#', '!', '?']).to_owned(),
        // What stands for check, and for its answer, is said behind the move.
        Style::Korean => {
            let text = text.trim_end_matches("왕군").trim_end_matches("멍군");
            let text = text.replace('x', "");
            if matches!(&*text, "한수쉼" | "쉼" | "한수쉬기") { "한수쉼".to_owned() } else { text }
        }
        Style::Kif => {
            let text = text.replace("不成", "").replace('杏', "成香").replace('圭', "成桂");
            text.replace('全', "成銀")
        }
        Style::Western => western(&text),
        Style::Uci | Style::Usi | Style::Wxf | Style::Chinese => text,
    }
}

/// Full-width forms stand as far from ASCII as this.
const FULL_WIDTH: u32 = '！' as u32 - '!' as u32;
const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

fn narrow(letter: char) -> char {
    if ('！'..='～').contains(&letter) {
        return char::from_u32(letter as u32 - FULL_WIDTH).unwrap_or(letter);
    }
    match NUMERALS.iter().position(|&numeral| numeral == letter) {
        Some(place) => char::from(b'1' + place as u8),
        None => letter,
    }
}

fn one_form(letter: char, style: Style) -> char {
    match (style, letter) {
        (Style::Kif, '王') => '玉',
        (Style::Kif, '竜') => '龍',
        (Style::Wxf, '=' | '＝') => '.',
        (_, '−' | '—') => '-',
        (Style::Chinese, '車' | '俥' | '伡' | '硨') => '车',
        (Style::Chinese, '馬' | '傌') => '马',
        (Style::Chinese, '砲' | '包') => '炮',
        (Style::Chinese, '帥' | '帅' | '將') => '将',
        (Style::Chinese, '仕') => '士',
        (Style::Chinese, '相') => '象',
        (Style::Chinese, '兵') => '卒',
        (Style::Chinese, '進') => '进',
        (Style::Chinese, '後') => '后',
        (Style::Korean, '장' | '궁' | '楚' | '漢' | '將' | '王') => '왕',
        (Style::Korean, '士') => '사',
        (Style::Korean, '象' | '相') => '상',
        (Style::Korean, '馬') => '마',
        (Style::Korean, '車') => '차',
        (Style::Korean, '包') => '포',
        (Style::Korean, '병' | '卒' | '兵') => '졸',
        _ => letter,
    }
}

/// Ranks as digits, so that those who count them so are read too.
fn western(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        let rank = RANKS.find(letter).filter(|_| out.ends_with(|last: char| last.is_ascii_digit()));
        out.push(rank.map_or(letter, |rank| char::from(b'1' + rank as u8)));
    }
    out
}

/// The ranks of shogi's boards, from the top.
const RANKS: &str = "abcdefghi";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_letters_of_ranks_are_ranks() {
        assert_eq!(normalize("P-7f, Bx2b+, 1i 1j 1` 1@ aa", Style::Western), "P-76,Bx22+,191j1`1@aa");
    }
}
