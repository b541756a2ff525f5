//! The grammars of notations with words of their own: xiangqi's by files, and Korean.

use super::{
    algebra::Board,
    claim::{Claim, Place},
    xiangqi::{Among, Way},
};
use crate::games::rules::Side;

/// What a text of xiangqi by files may say, brought to one form: of the federation, `C2.5`, `15+1`, `H+.4`, or of
/// Chinese records, `炮2平5`, `前马退3`.
pub(super) fn by_files(text: &str, side: Side, board: Board) -> Vec<Claim> {
    let letters: Vec<char> = text.chars().collect();
    let [head @ .., way, number] = &letters[..] else { return Vec::new() };
    let (Some(way), Some(number)) = (way_of(*way), digit(*number)) else { return Vec::new() };
    let file = |letter: char| file(letter, side, board);
    let claim = Claim { way: Some((way, number)), dropped: Some(false), ..Claim::default() };
    let on = |kinds, file, among| Claim {
        kinds: Some(kinds),
        from: Place { file, rank: None },
        rank_among: among,
        ..claim.clone()
    };
    let number = |letter: char| digit(letter).map(Among::Number);
    let mut claims = Vec::new();
    match *head {
        [first, second] => {
            if let Some(kinds) = kinds(first) {
                claims.extend(file(second).map(|file| on(kinds, Some(file), None)));
                claims.extend(among(second).map(|among| on(kinds, None, Some(among))));
            }
            if let Some(kinds) = kinds(second) {
                let among = among(first).or(number(first));
                claims.extend(among.map(|among| on(kinds, None, Some(among))));
            }
            // Pawns need no name.
            claims
                .extend(file(first).zip(among(second)).map(|(file, among)| on("P", Some(file), Some(among))));
            claims
                .extend(among(first).zip(file(second)).map(|(among, file)| on("P", Some(file), Some(among))));
            claims.extend(
                number(first).zip(file(second)).map(|(among, file)| on("P", Some(file), Some(among))),
            );
            // `33` is the third pawn on file 3; where there is none, the middle one of that file.
            if first == second {
                let middle = file(first).map(|file| on("P", Some(file), Some(Among::Middle)));
                claims.extend(middle.map(|claim| Claim { doubt: 1, ..claim }));
            }
        }
        [first, second, third] => {
            for (among_letter, file_letter) in [(second, third), (third, second)] {
                let among = among(among_letter).or(number(among_letter).filter(|_| among_letter == second));
                if let (Some(kinds), Some(file), Some(among)) = (kinds(first), file(file_letter), among) {
                    claims.push(on(kinds, Some(file), Some(among)));
                }
            }
        }
        _ => {}
    }
    claims
}

fn way_of(letter: char) -> Option<Way> {
    Some(match letter {
        '+' | '进' => Way::Forward,
        '.' | '平' => Way::Sideways,
        '-' | '退' => Way::Back,
        _ => return None,
    })
}

fn among(letter: char) -> Option<Among> {
    Some(match letter {
        '+' | '前' => Among::Front,
        '中' => Among::Middle,
        '-' | '后' => Among::Rear,
        'a'..='e' => Among::Number(letter as u8 - b'a' + 1),
        _ => return None,
    })
}

/// The letters of the kinds that a letter or a character stands for.
fn kinds(letter: char) -> Option<&'static str> {
    Some(match letter.to_ascii_uppercase() {
        'K' | '将' | '왕' => "K",
        'G' => "AK",
        'A' | '士' | '사' => "A",
        'E' | 'B' | 'M' | '象' | '상' => "B",
        'H' | 'N' | '马' | '마' => "N",
        'R' | '车' | '차' => "R",
        'C' | '炮' | '포' => "C",
        'P' | 'S' | '卒' | '졸' => "P",
        _ => return None,
    })
}

/// The file from 0 at the left that the side counts so from its right.
fn file(letter: char, side: Side, board: Board) -> Option<u8> {
    let number = digit(letter).filter(|number| (1..=board.files).contains(number))?;
    Some(match side {
        Side::First => board.files - number,
        Side::Second => number - 1,
    })
}

/// What a Korean text may say, brought to one form: `79졸78`, with the name anywhere, or without the origin.
pub(super) fn korean(text: &str, board: Board) -> Vec<Claim> {
    let names: Vec<&'static str> = text.chars().filter_map(kinds).collect();
    let digits: Vec<u8> = text.chars().filter_map(digit).collect();
    let is_link = |letter: char| matches!(letter, '-' | '(' | ')');
    let is_other = |letter: char| kinds(letter).is_none() && digit(letter).is_none() && !is_link(letter);
    if text.chars().any(is_other) || text.is_ascii() {
        return Vec::new();
    }
    let point = |rank: u8, file: u8| -> Option<Place> {
        let rank = board.ranks.checked_sub(if rank == 0 { 10 } else { rank })?;
        let file = file.checked_sub(1)?;
        (file < board.files && rank < board.ranks).then_some(Place { file: Some(file), rank: Some(rank) })
    };
    let claim = match (&names[..], &digits[..]) {
        (&[kinds], &[rank, file]) => {
            point(rank, file).map(|to| Claim { kinds: Some(kinds), to, ..Claim::default() })
        }
        (&[kinds], &[rank, file, to_rank, to_file]) => point(rank, file)
            .zip(point(to_rank, to_file))
            .map(|(from, to)| Claim { kinds: Some(kinds), from, to, ..Claim::default() }),
        _ => None,
    };
    claim.into_iter().collect()
}

fn digit(letter: char) -> Option<u8> {
    letter.to_digit(10).map(|digit| digit as u8)
}
