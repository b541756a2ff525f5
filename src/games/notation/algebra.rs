//! The grammar that most notations share: a piece, where it comes from, a link, where it goes, and whether it promotes.
//! They differ in how a square is written.

use super::claim::{Claim, Place};
use crate::games::rules::Family;

/// How the squares of a text are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Squares {
    /// A letter for the file from the first player's left, and the rank from the first player's side, counted from
    /// this: `e10`.
    Letters { first_rank: u8 },
    /// A number for the file from the first player's right, a letter for the rank from the top: `7f`.
    Hodges,
    /// The same with numbers for both: `76`.
    Numbers,
    /// A digit for the rank from the top, the tenth being 0, and one for the file from the left: `02`.
    Janggi,
}

/// The board and its pieces, as far as the grammar needs them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub(super) files: u8,
    pub(super) ranks: u8,
    pub(super) family: Family,
}

/// What stands between the squares.
const LINKS: [char; 6] = ['-', 'x', ':', '~', '–', '×'];
/// What stands before the square of a drop.
const DROPS: [char; 4] = ['@', '*', '\'', '’'];
/// Letters of a text that are looked at.
const LONGEST: usize = 16;

/// What `text`, without spaces, may say with squares written so.
pub(super) fn claims(text: &str, squares: Squares, board: Board) -> Vec<Claim> {
    // Marks of check and of praise; a plus may also promote.
    let text = text.trim_end_matches(['#', '!', '?']);
    let text = if board.family == Family::Palace { text.trim_end_matches('+') } else { text };
    let letters: Vec<char> = text.chars().collect();
    if letters.len() > LONGEST {
        return Vec::new();
    }
    let mut claims = read(&letters, squares, board);
    // In capitals throughout, or without any.
    let small: Vec<char> = letters.iter().map(char::to_ascii_lowercase).collect();
    let doubtful = match claims.is_empty() {
        true => [read(&small, squares, board), read(&capital(&small), squares, board)].concat(),
        false => Vec::new(),
    };
    claims.extend(doubtful.into_iter().map(|claim| {
        // A text of two squares is more likely than one of a piece.
        let doubt = claim.doubt + if claim.kinds.is_none() { 2 } else { 3 };
        Claim { doubt, ..claim }
    }));
    claims
}

/// The first letter as a capital, behind a plus too.
fn capital(letters: &[char]) -> Vec<char> {
    let mut letters = letters.to_vec();
    if let Some(first) = letters.iter_mut().find(|letter| **letter != '+') {
        *first = first.to_ascii_uppercase();
    }
    letters
}

/// The piece that a capital stands for: the letters of its kinds, and whether it is promoted.
fn piece(letter: char, family: Family) -> Option<(&'static str, Option<bool>)> {
    Some(match (family, letter) {
        (Family::Palace, 'K') => ("K", None),
        (Family::Palace, 'A') => ("A", None),
        // The guard, or the general.
        (Family::Palace, 'G') => ("AK", None),
        (Family::Palace, 'E' | 'B' | 'M') => ("B", None),
        (Family::Palace, 'H' | 'N') => ("N", None),
        (Family::Palace, 'R' | 'T') => ("R", None),
        (Family::Palace, 'C') => ("C", None),
        (Family::Palace, 'P' | 'S') => ("P", None),
        (Family::Palace, _) => return None,
        // The horse, in dobutsu the hen; the dragon and the tokin.
        (Family::Shogi, 'H') => ("BC", Some(true)),
        (Family::Shogi, 'D') => ("R", Some(true)),
        (Family::Shogi, 'T') => ("P", Some(true)),
        (Family::Shogi, letter) => (one_letter(letter)?, Some(false)),
    })
}

fn one_letter(letter: char) -> Option<&'static str> {
    const LETTERS: &str = "KRBGSNLPCE";
    LETTERS.find(letter).map(|at| &LETTERS[at..at + 1])
}

fn read(letters: &[char], squares: Squares, board: Board) -> Vec<Claim> {
    let (is_promoted, rest) = match letters {
        ['+', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let named = rest.first().and_then(|letter| piece(*letter, board.family)).map(|(kinds, promoted)| Claim {
        kinds: Some(kinds),
        promoted: if is_promoted { Some(true) } else { promoted },
        ..Claim::default()
    });
    let mut claims = Vec::new();
    // Programs that write letters for the files call what moves like a gold G, promoted or not.
    let is_gold_like = board.family == Family::Shogi && rest.first() == Some(&'G');
    if is_gold_like && matches!(squares, Squares::Letters { .. } | Squares::Janggi) {
        let claim = Claim { kinds: Some("PLNS"), promoted: Some(true), ..Claim::default() };
        claims.extend(with_squares(&claim, &rest[1..], squares, board));
    }
    if let Some(named) = named {
        claims.extend(with_squares(&named, &rest[1..], squares, board));
    }
    if !is_promoted {
        claims.extend(with_squares(&Claim::default(), rest, squares, board));
    }
    claims
}

/// `claim` with what stands behind the piece.
fn with_squares(claim: &Claim, letters: &[char], squares: Squares, board: Board) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (letters, promotes, doubt) in without_promotion(letters, squares, board, claim.kinds.is_some()) {
        let claim = Claim { promotes, doubt, ..claim.clone() };
        claims.extend(between(&claim, letters, squares, board));
    }
    claims
}

/// The squares alone, whether the text says that the move promotes, and how doubtful that is.
fn without_promotion(
    letters: &[char],
    squares: Squares,
    board: Board,
    is_named: bool,
) -> Vec<(&[char], Option<bool>, u8)> {
    if board.family == Family::Palace {
        return vec![(letters, None, 0)];
    }
    match letters {
        [rest @ .., '=', letter] | [rest @ .., '=', letter, '+'] | [rest @ .., '=', '+', letter]
            if letter.is_ascii_alphabetic() =>
        {
            vec![(rest, Some(true), 0)]
        }
        // Behind a piece's letter and a square that no player of shogi writes so it may be a check.
        [rest @ .., '+'] if is_named && matches!(squares, Squares::Letters { .. } | Squares::Janggi) => {
            vec![(rest, Some(false), 0), (rest, Some(true), 1)]
        }
        [rest @ .., '+'] => vec![(rest, Some(true), 0)],
        [rest @ .., '='] => vec![(rest, Some(false), 0)],
        rest => vec![(rest, Some(false), 0)],
    }
}

/// `claim` with the origin, if there is one, and the target.
fn between(claim: &Claim, letters: &[char], squares: Squares, board: Board) -> Vec<Claim> {
    let mut claims = Vec::new();
    for split in 0..letters.len() {
        let (before, target) = letters.split_at(split);
        let Some(to) = square(target, squares, board) else { continue };
        let claim = Claim { to, ..claim.clone() };
        match before {
            // What is in hand is not promoted.
            [mark] if DROPS.contains(mark) => {
                if claim.kinds.is_none() || claim.promoted == Some(true) {
                    continue;
                }
                claims.push(Claim { dropped: Some(true), promoted: None, ..claim });
            }
            [origin @ .., link] if LINKS.contains(link) => {
                claims.extend(from(&claim, origin, squares, board))
            }
            origin => claims.extend(from(&claim, origin, squares, board)),
        }
    }
    claims
}

fn from(claim: &Claim, origin: &[char], squares: Squares, board: Board) -> Option<Claim> {
    let (file, rank) = (|letters| file(letters, squares, board), |letters| rank(letters, squares, board));
    let from = if origin.is_empty() {
        Place::default()
    } else if let Some(place) = square(origin, squares, board) {
        place
    } else if let Some(file) = file(origin) {
        Place { file: Some(file), rank: None }
    } else {
        Place { file: None, rank: Some(rank(origin)?) }
    };
    // Only pawns may go without a letter.
    let is_whole = from.file.is_some() && from.rank.is_some();
    let (kinds, doubt) = if claim.kinds.is_none() && !is_whole { (Some("P"), 1) } else { (claim.kinds, 0) };
    Some(Claim { from, kinds, dropped: Some(false), doubt: claim.doubt + doubt, ..claim.clone() })
}

fn square(letters: &[char], squares: Squares, board: Board) -> Option<Place> {
    let (first, second) = letters.split_at_checked(1)?;
    let (file, rank) = match squares {
        Squares::Janggi => (file(second, squares, board)?, rank(first, squares, board)?),
        _ => (file(first, squares, board)?, rank(second, squares, board)?),
    };
    Some(Place { file: Some(file), rank: Some(rank) })
}

/// The file from 0 at the left.
fn file(letters: &[char], squares: Squares, board: Board) -> Option<u8> {
    let [letter] = letters else { return None };
    let file = match squares {
        Squares::Letters { .. } => order(*letter)?,
        Squares::Janggi => digit(*letter)?.checked_sub(1)?,
        Squares::Hodges | Squares::Numbers => board.files.checked_sub(digit(*letter)?)?,
    };
    (file < board.files).then_some(file)
}

/// The rank from 0 at the first player's side.
fn rank(letters: &[char], squares: Squares, board: Board) -> Option<u8> {
    let rank = match (squares, letters) {
        (Squares::Letters { first_rank }, [one]) => digit(*one)?.checked_sub(first_rank)?,
        (Squares::Letters { first_rank }, ['1', '0']) => 10 - first_rank,
        (Squares::Hodges, [letter]) => board.ranks.checked_sub(1 + order(*letter)?)?,
        (Squares::Numbers, ['1', '0']) => board.ranks.checked_sub(10)?,
        (Squares::Numbers, [one]) => board.ranks.checked_sub(digit(*one)?)?,
        (Squares::Janggi, ['0']) => board.ranks.checked_sub(10)?,
        (Squares::Janggi, [one]) => board.ranks.checked_sub(digit(*one)?)?,
        _ => return None,
    };
    (rank < board.ranks).then_some(rank)
}

/// The place of a small letter in the alphabet, from 0.
fn order(letter: char) -> Option<u8> {
    letter.is_ascii_lowercase().then(|| letter as u8 - b'a')
}

fn digit(letter: char) -> Option<u8> {
    letter.to_digit(10).map(|digit| digit as u8)
}
