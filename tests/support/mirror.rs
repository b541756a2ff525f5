//! Games with left and right swapped.

use sanki::games::rules::Game;

/// The game at the same position with left and right swapped, under the same rules.
pub fn mirrored<G: Game>(game: &G) -> G {
    let fen = game.fen();
    // The hands or the side to move follow the board.
    let (board, rest) = fen.split_at(fen.find(['[', ' ']).expect("a FEN has a side to move"));
    let flipped: Vec<String> = board.split('/').map(flip_rank).collect();
    G::from_fen(game.rules(), &format!("{}{rest}", flipped.join("/"))).expect("a mirrored position")
}

fn flip_rank(rank: &str) -> String {
    let mut cells = Vec::new();
    let mut promoted = "";
    for letter in rank.chars() {
        if letter == '+' {
            promoted = "+";
        } else {
            cells.push(format!("{promoted}{letter}"));
            promoted = "";
        }
    }
    cells.reverse();
    cells.concat()
}

/// `text`, a move, with its files swapped.
pub fn mirror_text<G: Game>(text: &str) -> String {
    let last = b'a' + G::FILES as u8 - 1;
    let flip = |letter: char| match letter {
        'a'..='i' => char::from(b'a' + last - letter as u8),
        _ => letter,
    };
    text.chars().map(flip).collect()
}
