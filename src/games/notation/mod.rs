//! Moves as the players of each game write them, and read from what players type.
//!
//! A notation needs the position, never the history; the one exception is the move before, which shogi's records name
//! by 同, "the same square". A text is first compared with the legal moves, each written in every style; where none is
//! written so, it is the one legal move that fits what it says.

mod algebra;
mod algebraic;
mod candidates;
mod claim;
mod convention;
mod coordinates;
mod games;
mod janggi;
mod japanese;
mod line;
mod move_info;
mod normalize;
mod numbers;
mod shogi;
mod shogi_files;
mod spelling;
mod style;
mod words;
mod xiangqi;

pub use convention::Convention;
pub use coordinates::{is_pass, map_squares, sfen, usi};
pub use games::Notate;
pub use janggi::piece_to_hangul;
pub use japanese::{JapaneseMove, SIDE_MARKS, relation};
pub use line::{BadMove, MoveLine, read_all};
pub use move_info::{MoveInfo, Piece};
pub use numbers::without_number;
pub use shogi::{piece_of_csa, piece_of_kanji, piece_to_csa, piece_to_kanji};
pub use style::Style;

use self::{candidates::Candidates, normalize::normalize};
use crate::games::rules::{Outcome, ParseError, Reason};

/// The legal move `mv` of `game` in `style`; `last` is the move before, where there was one.
///
/// # Panics
/// When `style` is none of [`Notate::STYLES`].
pub fn write<G: Notate>(game: &G, last: Option<G::Move>, mv: G::Move, style: Style) -> String {
    assert!(G::STYLES.contains(&style), "{style} is no style of {}", G::ID);
    let mut text = Candidates::of(game, last).written(mv, style);
    if style == Style::San {
        text.push_str(check_mark(game, mv));
    }
    text
}

/// The legal moves `line` of `game`, one after the other, in `style`; `last` is the move before them, where there was one.
///
/// # Panics
/// When `style` is none of [`Notate::STYLES`].
pub fn write_line<G: Notate>(
    game: &G,
    mut last: Option<G::Move>,
    line: &[G::Move],
    style: Style,
) -> Vec<String> {
    let mut game = game.clone();
    let mut written = Vec::with_capacity(line.len());
    for &mv in line {
        written.push(write(&game, last, mv, style));
        game.play(mv);
        last = Some(mv);
    }
    written
}

/// How players who speak a language, as HTML names it, write the moves of a game; in Latin letters where they have no way
/// of their own.
pub fn style_in<G: Notate>(language: &str) -> Style {
    const LATIN: &[Style] = &[Style::Western, Style::Wxf, Style::Numbers, Style::San];
    let own: &[Style] = match language {
        "ko" => &[Style::Korean],
        "zh" => &[Style::Chinese],
        "ja" => &[Style::Kif],
        _ => &[],
    };
    own.iter().chain(LATIN).copied().find(|style| G::STYLES.contains(style)).unwrap_or(Style::Uci)
}

/// What stands behind a move that gives check.
fn check_mark<G: Notate>(game: &G, mv: G::Move) -> &'static str {
    let mut next = game.clone();
    next.play(mv);
    match next.outcome() {
        Some(Outcome { reason: Reason::Checkmate, .. }) => "#",
        _ if next.is_check() => "+",
        _ => "",
    }
}

/// The legal move of `game` that `text` means in any style of the game; `last` is the move before, where there was
/// one. Capitals count only where the text would else mean several moves.
///
/// # Errors
/// When no legal move fits the text, or several do: these are named.
pub fn read<G: Notate>(game: &G, last: Option<G::Move>, text: &str) -> Result<G::Move, ParseError> {
    match game.parse_move(text.trim()) {
        Ok(mv) => Ok(mv),
        Err(_) => read_in(game, last, text, G::STYLES),
    }
}

/// [`read`], in one of `styles` alone.
///
/// # Errors
/// As there.
pub fn read_in<G: Notate>(
    game: &G,
    last: Option<G::Move>,
    text: &str,
    styles: &[Style],
) -> Result<G::Move, ParseError> {
    let found = read_as(game, last, text, styles, Convention::Usual);
    found.map(|found| found.mv).map_err(|unread| unread.error)
}

/// Whether one of `texts` has the form of a move in a notation that we read, be it legal in `game` or not; `last` is the
/// move before, where there was one.
pub fn has_move_like<'a, G: Notate>(
    game: &G,
    last: Option<G::Move>,
    mut texts: impl Iterator<Item = &'a str>,
) -> bool {
    let (candidates, conventions) = (Candidates::of(game, last), Convention::all::<G>());
    let has_csa = G::STYLES.contains(&Style::Csa);
    texts.any(|text| {
        text.len() <= LONGEST
            && (has_csa && has_csa_form(&normalize(text, Style::Csa))
                || conventions.iter().any(|convention| convention.has_form(&candidates, text)))
    })
}

/// Whether `text` is four digits and a piece, as `7776FU`.
fn has_csa_form(text: &str) -> bool {
    text.split_at_checked(4).is_some_and(|(squares, piece)| {
        squares.bytes().all(|letter| letter.is_ascii_digit()) && piece_of_csa(piece).is_some()
    })
}

/// A move that a text means.
struct Found<M> {
    mv: M,
    /// Whether the text is one that we write for it; else the move is the only one that fits it.
    is_spelt: bool,
}

/// Why a text means no move.
struct Unread {
    error: ParseError,
    /// Whether several moves fit it.
    is_ambiguous: bool,
}

/// The same as `convention` has it.
fn read_as<G: Notate>(
    game: &G,
    last: Option<G::Move>,
    text: &str,
    styles: &[Style],
    convention: Convention,
) -> Result<Found<G::Move>, Unread> {
    let bad = |why: &str| Unread { error: ParseError::new("move", text, why), is_ambiguous: false };
    if text.len() > LONGEST {
        let begin: String = text.chars().take(LONGEST).collect();
        return Err(Unread { error: ParseError::new("move", begin, "it is too long"), is_ambiguous: false });
    }
    let candidates = Candidates::of(game, last);
    if candidates.is_over() {
        return Err(bad(&match game.outcome() {
            Some(outcome) => format!("the game is over, by {}", outcome.reason),
            None => "the game is over".to_owned(),
        }));
    }
    let mut found = Vec::new();
    if convention == Convention::Usual {
        found = candidates.meant(styles, text, normalize);
        if found.is_empty() {
            found = candidates.meant(styles, text, |text, style| normalize(text, style).to_lowercase());
        }
    }
    let is_spelt = !found.is_empty();
    if !is_spelt {
        found = convention.fitting(&candidates, text, styles);
    }
    match found[..] {
        [mv] => Ok(Found { mv, is_spelt }),
        [] => Err(bad("it is not legal here")),
        _ => {
            let moves: Vec<String> = found.iter().map(G::Move::to_string).collect();
            let bad = bad(&format!("several legal moves fit it: {}", moves.join(" ")));
            Err(Unread { is_ambiguous: true, ..bad })
        }
    }
}

/// Bytes of a move's text at most.
const LONGEST: usize = 100;
