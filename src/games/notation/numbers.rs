//! The numbers that records write before moves.

/// Digits of a number that stands alone, at most: no move is as short as they.
const LONGEST: usize = 3;

/// A word of a record without the number of its move: what stands right behind one (`1.C2.5`), nothing where the word is a
/// number or dots alone (`12`, `12.`, `...`), and else the word itself.
pub fn without_number(word: &str) -> &str {
    let is_digit = |letter: char| letter.is_ascii_digit() || ('０'..='９').contains(&letter);
    let dots = ['.', '．', '…', '、'];
    let rest = word.trim_start_matches(is_digit);
    if rest.is_empty() {
        return if word.chars().count() <= LONGEST { rest } else { word };
    }
    if rest.trim_start_matches(dots).is_empty() {
        return "";
    }
    // `77.8` is a move of xiangqi by files.
    let is_by_files = rest.chars().count() == 2 && rest.ends_with(is_digit);
    if rest.len() < word.len() && rest.starts_with(dots) && !is_by_files {
        rest.trim_start_matches(dots)
    } else {
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_and_moves_stay() {
        for (word, mv) in [
            ("1.", ""),
            ("...", ""),
            ("…", ""),
            ("12", ""),
            ("３…", ""),
            ("1.炮二平五", "炮二平五"),
            ("1.c2=5", "c2=5"),
            ("1.h2e2", "h2e2"),
            ("1.P-7f", "P-7f"),
            ("２、马二进三", "马二进三"),
            ("3...h10g8", "h10g8"),
            ("1.15+1", "15+1"),
            ("77.8", "77.8"),
            ("15+1", "15+1"),
            ("7978", "7978"),
            ("79졸78", "79졸78"),
            ("7g7f", "7g7f"),
            ("", ""),
        ] {
            assert_eq!(without_number(word), mv, "{word}");
        }
    }
}
