//! Moves as people type them, and what is said of those that are none.

use super::{
    board::{letter_of, points},
    names::english,
};
use crate::{
    app::report::{Placement, side_names},
    games::{
        notation::{self, Convention, Notate},
        rules::{Family, Game, Side},
    },
};

/// Letters of what was typed that are said again, at most.
const LONGEST: usize = 40;
/// What stands for a pass in the game's words and in those of programs.
const PASSES: [&str; 3] = ["pass", "0000", "@@@@"];
/// Moves that are named in an answer, at most.
const MOST_MOVES: usize = 16;

/// The legal moves of `game`.
pub(super) fn legal<G: Game>(game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves
}

/// The texts of `moves`, sorted.
pub(super) fn texts<M: ToString>(moves: impl IntoIterator<Item = M>) -> Vec<String> {
    let mut texts: Vec<String> = moves.into_iter().map(|mv| mv.to_string()).collect();
    texts.sort_unstable();
    texts
}

/// The legal move that `text` means: in any notation of the game's players, in any case, with `-`, `x` or spaces between
/// the squares, or with the name of a piece. `last` is the move before.
///
/// # Errors
/// Says why it is none, and what can be done.
pub(super) fn read<G: Notate>(game: &G, last: Option<G::Move>, text: &str) -> Result<G::Move, String> {
    let lower = text.to_lowercase();
    let squeezed: String =
        lower.chars().filter(|letter| !matches!(letter, ' ' | '-' | 'x' | ':' | '–')).collect();
    let moves = legal(game);
    if is_square::<G>(&squeezed) {
        return Err(explain(game, last, &moves, &squeezed, text));
    }
    let passes = |mv: G::Move| game.move_info(mv).from == Some(G::target(mv));
    let is_pass = PASSES.contains(&&*squeezed);
    let is_meant = |mv: G::Move| mv.to_string().to_lowercase() == squeezed || is_pass && passes(mv);
    if let Some(mv) = moves.iter().find(|&&mv| is_meant(mv)) {
        return Ok(*mv);
    }
    let typed = notation::read(game, last, text).or_else(|_| notation::read(game, last, &lower));
    typed.or_else(|_| from_zero(game, &squeezed).ok_or_else(|| explain(game, last, &moves, &squeezed, text)))
}

/// The legal move whose squares count ranks from 0, as most Chinese programs write them. Only a move that has a rank 0 can
/// tell: without one the same text may be a move with ranks from 1, and what was mistyped is not to be played as another.
fn from_zero<G: Notate>(game: &G, squeezed: &str) -> Option<G::Move> {
    let has_rank_zero =
        squeezed.as_bytes().windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1] == b'0');
    let read = || notation::read_all(game, &[squeezed], &[], &[Convention::RanksFromZero]).ok();
    has_rank_zero.then(read)??.moves.first().copied()
}

/// Whether a text names a square of the board alone.
fn is_square<G: Game>(text: &str) -> bool {
    matches!(points(text)[..], [point] if is_on_board::<G>(point) && square_name(point) == text)
}

/// Why `squeezed` is no move, `text` as it was typed after the move `last`.
fn explain<G: Notate>(
    game: &G,
    last: Option<G::Move>,
    moves: &[G::Move],
    squeezed: &str,
    text: &str,
) -> String {
    if PASSES.contains(&squeezed) {
        return match (G::ID.facts().has_passes, game.is_check()) {
            (true, true) => "you cannot pass while you are in check".to_owned(),
            (true, false) => "these rules let nobody pass who has another move".to_owned(),
            (false, _) => format!("nobody passes in {}", G::ID),
        };
    }
    if let Some((kind, square)) =
        squeezed.split_once(['@', '*']).filter(|(kind, _)| kind.chars().count() == 1)
    {
        return explain_drop(game, moves, kind, square);
    }
    let squares = points(squeezed);
    let is_move_like = squeezed.trim_end_matches(['+', '=']).chars().all(|it| it.is_ascii_alphanumeric())
        && squeezed.starts_with(|letter: char| letter.is_ascii_lowercase());
    match squares[..] {
        [from] if is_move_like && (is_on_board::<G>(from) || square_name(from) == squeezed) => {
            of_square(game, moves, from)
        }
        [from, to] if is_move_like => {
            let name = square_name(to);
            match (is_on_board::<G>(from), is_on_board::<G>(to)) {
                (true, true) => format!("that is not legal: {}", of_square(game, moves, from)),
                (true, false) => format!("there is no square {name} on this board"),
                (false, _) => format!("there is no square {} on this board", square_name(from)),
            }
        }
        _ => {
            let typed: String = text.chars().take(LONGEST).collect();
            if notation::has_move_like(game, last, [text].into_iter()) {
                return format!("'{typed}' is not legal here; `moves` lists the legal moves");
            }
            let example = moves.first().map_or("h3e3".to_owned(), ToString::to_string);
            format!(
                "'{typed}' is no move and no command: a move is written like {example}; `moves` lists them, `help` the commands"
            )
        }
    }
}

fn square_name((file, rank): (usize, usize)) -> String {
    format!("{}{}", letter_of(file), rank + 1)
}

fn is_on_board<G: Game>((file, rank): (usize, usize)) -> bool {
    file < G::FILES && rank < G::RANKS
}

/// What the piece on a square can do.
pub(super) fn of_square<G: Game>(game: &G, moves: &[G::Move], point: (usize, usize)) -> String {
    let name = square_name(point);
    if !is_on_board::<G>(point) {
        return format!("there is no square {name} on this board");
    }
    let place = (G::RANKS - 1 - point.1) * G::FILES + point.0;
    let Some(piece) = Placement::of(game).squares[place] else {
        return format!("there is no piece on {name}");
    };
    let letter = format!("{}{}", if piece.promoted { "+" } else { "" }, piece.letter.to_ascii_uppercase());
    let kind = english(G::ID, &letter);
    let owner = if piece.letter.is_ascii_uppercase() { Side::First } else { Side::Second };
    if owner != game.side_to_move() {
        return format!("the {kind} on {name} is {}'s", side_names(G::ID)[owner.index()]);
    }
    let own = moves.iter().filter(|mv| {
        let text = mv.to_string();
        !text.contains('@') && points(&text).first() == Some(&point)
    });
    let own = texts(own);
    let check = if game.is_check() { ", being in check" } else { "" };
    match own.is_empty() {
        true => format!("the {kind} on {name} has no legal move{check}"),
        false => format!("the {kind} on {name} can play {}{check}", some_of(&own)),
    }
}

fn explain_drop<G: Game>(game: &G, moves: &[G::Move], kind: &str, square: &str) -> String {
    let letter = kind.to_uppercase();
    if G::ID.facts().family != Family::Shogi {
        return format!("nothing is dropped in {}", G::ID);
    }
    let own = match game.side_to_move() {
        Side::First => letter.clone(),
        Side::Second => letter.to_lowercase(),
    };
    let held = Placement::of(game).hands.iter().any(|(held, count)| held.to_string() == own && *count > 0);
    if !held {
        return format!("you have no {} in hand", english(G::ID, &letter));
    }
    let drops = texts(moves.iter().filter(|mv| mv.to_string().starts_with(&format!("{letter}@"))));
    let kind = english(G::ID, &letter);
    match drops.is_empty() {
        true => format!("the {kind} cannot be dropped anywhere now"),
        false => format!("the {kind} cannot be dropped on '{square}'; it can: {}", some_of(&drops)),
    }
}

fn some_of(texts: &[String]) -> String {
    match texts.len().saturating_sub(MOST_MOVES) {
        0 => texts.join(" "),
        more => format!("{} and {more} more", texts[..MOST_MOVES].join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::{
        base::rng::Rng,
        games::rules::{Setup, janggi::Janggi, shogi::Shogi, xiangqi::Xiangqi},
    };

    fn start<G: Game>() -> G {
        G::start(G::ID.rule_sets()[0], Setup::Standard, &mut Rng::seed_from_u64(0))
    }

    fn is<G: Notate>(text: &str) -> String {
        read(&start::<G>(), None, text).map_or_else(|error| error, |mv| mv.to_string())
    }

    #[test]
    fn moves_are_read_in_every_form() {
        for text in ["h3e3", "H3E3", "h3-e3", "h3 e3", "H3xE3", "cannon h3e3", "c2.5", "炮二平五"] {
            assert_eq!(is::<Xiangqi>(text), "h3e3", "{text}");
        }
        for text in ["c3c4", "C3C4", "7g7f", "P-7f", "p-7f", "７六歩(77)"] {
            assert_eq!(is::<Shogi>(text), "c3c4", "{text}");
        }
        for text in ["pass", "PASS", "e2e2", "0000", "@@@@"] {
            assert_eq!(is::<Janggi>(text), "e2e2", "{text}");
        }
        for text in ["P79-78", "p79-78", "79졸78"] {
            assert_eq!(is::<Janggi>(text), "i4h4", "{text}");
        }
    }

    #[test]
    fn ranks_from_zero_are_read_where_a_move_has_one() {
        assert_eq!(is::<Xiangqi>("b0c2"), "b1c3");
        assert_eq!(is::<Xiangqi>("B0-C2"), "b1c3");
        assert_eq!(is::<Janggi>("a0a1"), "a1a2");
        assert!(is::<Xiangqi>("h2e2").starts_with("that is not legal"), "it may be a mistyped move");
        assert_eq!(is::<Xiangqi>("b0c3"), "there is no piece on c3", "none with ranks from 0 either");
    }

    #[test]
    fn what_is_no_move_is_explained() {
        for (text, said) in [
            ("b1b4", "that is not legal: the horse on b1 can play b1a3 b1c3"),
            ("b1", "the horse on b1 can play b1a3 b1c3"),
            ("a5a6", "that is not legal: there is no piece on a5"),
            ("a10a9", "that is not legal: the chariot on a10 is Black's"),
            ("b1b11", "there is no square b11 on this board"),
            ("P@e5", "nothing is dropped in xiangqi"),
            ("pass", "nobody passes in xiangqi"),
            ("0000", "nobody passes in xiangqi"),
            ("e1", "the general on e1 can play e1e2"),
        ] {
            assert_eq!(is::<Xiangqi>(text), said, "{text}");
        }
        // In the players' own notations.
        for said in
            [is::<Janggi>("P79-68"), is::<Janggi>("79졸68"), is::<Xiangqi>("炮八平一"), is::<Shogi>("５五歩")]
        {
            assert!(said.contains("is not legal here"), "{said}");
        }
        assert!(is::<Shogi>("P-5e").contains("is not legal here"));
        assert!(is::<Xiangqi>("hint 3").contains("is no move and no command"));
        let nonsense = is::<Xiangqi>(&"what? ".repeat(100));
        assert!(
            nonsense.contains("is no move and no command") && nonsense.chars().count() < 200,
            "{nonsense}"
        );
        assert_eq!(is::<Shogi>("P@e5"), "you have no pawn in hand");
        let game = Shogi::from_fen(Shogi::ID.rule_sets()[0], "4k4/9/9/9/9/9/P8/9/4K4[P] w - - 0 1").unwrap();
        assert!(read(&game, None, "p@a5").unwrap_err().contains("cannot be dropped on 'a5'"));
        assert_eq!(read(&game, None, "P*5e").unwrap().to_string(), "P@e5");
    }
}
