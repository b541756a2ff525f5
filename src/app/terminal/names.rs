//! What the pieces are called.

use crate::{
    app::report::piece_characters,
    games::rules::{Family, GameId},
};

/// A kind of piece.
pub(super) struct PieceName {
    /// Its letter in a FEN, uppercase, with a `+` where promoted.
    pub(super) letter: &'static str,
    /// In English.
    pub(super) english: &'static str,
    /// As the players of the game say, romanised.
    native: &'static str,
}

const fn name(letter: &'static str, english: &'static str, native: &'static str) -> PieceName {
    PieceName { letter, english, native }
}

const JANGGI: [PieceName; 7] = [
    name("K", "king", "wang"),
    name("R", "chariot", "cha"),
    name("C", "cannon", "po"),
    name("N", "horse", "ma"),
    name("B", "elephant", "sang"),
    name("A", "guard", "sa"),
    name("P", "soldier", "jol, byung"),
];
const XIANGQI: [PieceName; 7] = [
    name("K", "general", "shuai, jiang"),
    name("R", "chariot", "ju"),
    name("C", "cannon", "pao"),
    name("N", "horse", "ma"),
    name("B", "elephant", "xiang"),
    name("A", "adviser", "shi"),
    name("P", "soldier", "bing, zu"),
];
const SHOGI: [PieceName; 14] = [
    name("K", "king", "gyoku"),
    name("R", "rook", "hisha"),
    name("+R", "dragon", "ryu"),
    name("B", "bishop", "kaku"),
    name("+B", "horse", "uma"),
    name("G", "gold", "kin"),
    name("S", "silver", "gin"),
    name("+S", "promoted silver", "narigin"),
    name("N", "knight", "kei"),
    name("+N", "promoted knight", "narikei"),
    name("L", "lance", "kyo"),
    name("+L", "promoted lance", "narikyo"),
    name("P", "pawn", "fu"),
    name("+P", "promoted pawn", "tokin"),
];
const DOBUTSU: [PieceName; 5] = [
    name("L", "lion", "raion"),
    name("G", "giraffe", "kirin"),
    name("E", "elephant", "zou"),
    name("C", "chick", "hiyoko"),
    name("+C", "hen", "niwatori"),
];

/// The pieces of `game`, those that promote before what they promote to. A small board has some of the large one's.
pub(super) fn names(game: GameId) -> impl Iterator<Item = &'static PieceName> {
    let names: &[PieceName] = match game {
        GameId::Janggi => &JANGGI,
        GameId::Xiangqi | GameId::Minixiangqi => &XIANGQI,
        GameId::Shogi | GameId::Minishogi => &SHOGI,
        GameId::Dobutsu => &DOBUTSU,
        GameId::Guest(_) => &[],
    };
    let characters = piece_characters(game);
    names.iter().filter(move |name| characters.contains_key(name.letter))
}

/// The English name of the piece with this letter, uppercase.
pub(super) fn english(game: GameId, letter: &str) -> &'static str {
    names(game).find(|name| name.letter == letter).map_or("piece", |name| name.english)
}

/// A line for each piece: letter, the characters of both sides, name. A promoted one stands on the line of what it was.
pub(super) fn legend(game: GameId) -> Vec<String> {
    let characters = piece_characters(game);
    let mut lines: Vec<String> = Vec::new();
    for name in names(game) {
        let first = characters[name.letter];
        let second = characters[&name.letter.to_lowercase()];
        let both = if first == second { format!("{first}  ") } else { format!("{first}{second}") };
        match name.letter.strip_prefix('+') {
            Some(_) => {
                let text = if name.english.starts_with("promoted") { name.native } else { name.english };
                let line = lines.last_mut().expect("a promoted piece was another before");
                *line = format!("{:<11} {} {first} {text}", line.trim_end(), name.letter);
            }
            None if game.facts().family == Family::Shogi => {
                lines.push(format!("{} {first} {}", name.letter, name.english));
            }
            None => lines.push(format!("{} {both} {} ({})", name.letter, name.english, name.native)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_has_a_name_and_the_legend_is_narrow() {
        for game in GameId::ALL {
            let characters = piece_characters(game);
            let upper = characters.keys().filter(|key| **key == key.to_uppercase());
            for letter in upper {
                assert!(names(game).any(|name| name.letter == letter), "{game}: {letter}");
            }
            for line in legend(game) {
                let width: usize = line.chars().map(|letter| if letter.is_ascii() { 1 } else { 2 }).sum();
                assert!(width <= 33, "{line}");
            }
        }
        assert_eq!(english(GameId::Shogi, "+P"), "promoted pawn");
        let pieces = |game| names(game).filter(|name| !name.letter.starts_with('+')).count();
        assert_eq!((pieces(GameId::Shogi), pieces(GameId::Minishogi)), (8, 6));
        assert_eq!((pieces(GameId::Xiangqi), pieces(GameId::Minixiangqi)), (7, 5));
    }
}
