//! Positions, moves and books.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::{
    games::{
        book::Book,
        notation::{self, Notate},
        rules::{Ending, Game, GameId, Move, Outcome, RuleSet, Setup},
    },
    with_game,
};

use super::{game_of, text_of};

fn legal_moves<G: Game>(game: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves
}

/// Reads `text` as a book. True if it is one; then it is written and read back, and plays legal moves alone.
pub fn book(text: &str) -> bool {
    if text.starts_with("#YANEURAOU") {
        return yaneuraou(text);
    }
    let Ok(book) = Book::read(text) else { return false };
    assert_eq!(Book::read(&book.to_text()).expect("what was written"), book);
    with_game!(book.game(), G => {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let game = G::start(G::ID.rule_sets()[0], Setup::Standard, &mut rng);
        let legal = legal_moves(&game);
        let drawn = book.draw(&game, &legal, &mut rng);
        assert!(drawn.is_none_or(|mv| legal.contains(&mv)));
    });
    true
}

/// A book of YaneuraOu.
fn yaneuraou(text: &str) -> bool {
    let Ok(book) = Book::read_for(GameId::Shogi, text) else { return false };
    assert_eq!(Book::read_for(GameId::Shogi, &book.to_yaneuraou()).expect("what was written"), book);
    true
}

/// A position: its first byte says of which game.
pub fn any_position(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    with_game!(game_of(first), G => position::<G>(text_of(rest)));
}

/// Reads `text` as a position of `G` under each of its rule sets. True if it is one.
pub fn position<G: Game>(text: &str) -> bool {
    let rule_sets = G::ID.rule_sets().iter();
    let games: Vec<G> = rule_sets.filter_map(|&rules| G::from_fen(rules, text).ok()).collect();
    // But for janggi, where a side in check may end the game by a pass, if its rules know facing kings.
    let is_any = games.is_empty() || games.len() == G::ID.rule_sets().len();
    assert!(is_any || G::ID == GameId::Janggi, "positions know no rule sets");
    for game in &games {
        let fen = game.fen();
        let again = G::from_fen(game.rules(), &fen).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((again.fen(), again.key(), again.is_check()), (fen, game.key(), game.is_check()));
        assert_eq!(again.state_key(), game.state_key());
        let moves = legal_moves(game);
        assert_eq!(moves, legal_moves(&again));
        assert_eq!(game.outcome().is_some(), moves.is_empty());
        // A count in the FEN may have ended the game; perft knows no such limits.
        assert!(moves.is_empty() || game.perft(1) == moves.len() as u64);
        assert!(!game.board().is_empty());
    }
    if !games.is_empty() {
        each_move(&games[text.len() % games.len()]);
    }
    !games.is_empty()
}

/// Plays each move of a position by itself: perft and the moves that end the game say the same.
fn each_move<G: Game>(game: &G) {
    let moves = legal_moves(game);
    let (mut leaves, mut ends) = (0, Vec::new());
    for (place, &mv) in moves.iter().enumerate() {
        assert_eq!(G::Move::from_bits(mv.bits()), mv);
        assert_eq!(game.parse_move(&mv.to_string()), Ok(mv));
        let mut next = game.clone();
        next.play(mv);
        let read = G::from_fen(game.rules(), &next.fen()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.key(), next.key());
        leaves += next.perft(1);
        ends.extend(next.outcome_or_declaration().map(|Outcome { verdict, .. }| Ending { place, verdict }));
    }
    assert!(moves.is_empty() || game.perft(2) == leaves, "perft(2) is {}, by moves {leaves}", game.perft(2));
    let mut endings = Vec::new();
    game.endings(&moves, &mut endings);
    assert_eq!(endings, ends);
    let mut skipped = game.clone();
    if !moves.is_empty() && skipped.make_null_move() {
        assert!(!game.is_check() && skipped.side_to_move() != game.side_to_move());
    }
}

/// Words of a game: the first byte says of which.
pub fn any_moves(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let (id, text) = (game_of(first), text_of(rest));
    let rules = id.rule_sets()[text.len() % id.rule_sets().len()];
    with_game!(id, G => moves::<G>(rules, text));
}

/// Plays the words of `text` from the start of `G`: a number picks one of the legal moves, any other word is
/// read as a move in any notation. A move that was picked is read back from each. Returns how many moves were played.
pub fn moves<G: Notate>(rules: RuleSet, text: &str) -> u32 {
    // The standard set-up draws nothing from the generator.
    let mut game = G::start(rules, Setup::Standard, &mut Xoshiro256PlusPlus::seed_from_u64(0));
    let mut last = None;
    for word in text.split_whitespace() {
        let legal = legal_moves(&game);
        let number = word.parse::<usize>().ok().filter(|_| !legal.is_empty());
        let mv = match number.map(|number| legal[number % legal.len()]) {
            Some(mv) => {
                assert_eq!(game.parse_move(&mv.to_string()), Ok(mv));
                read_back(&game, last, mv);
                mv
            }
            None => {
                let plain = game.parse_move(word);
                assert!(plain.is_ok() || legal.iter().all(|mv| mv.to_string() != word), "{word} is legal");
                let read = notation::read(&game, last, word);
                assert!(plain.is_err() || plain == read, "{plain:?} and {read:?}");
                let Ok(mv) = read else { continue };
                assert!(legal.contains(&mv));
                mv
            }
        };
        game.play(mv);
        last = Some(mv);
    }
    game.ply()
}

/// Writes `mv` in every notation of its game, and reads it.
fn read_back<G: Notate>(game: &G, last: Option<G::Move>, mv: G::Move) {
    for &style in G::STYLES {
        let text = notation::write(game, last, mv, style);
        let read = notation::read_in(game, last, &text, &[style]);
        assert_eq!(read, Ok(mv), "'{text}' in {style} at {}", game.fen());
        assert_eq!(notation::read(game, last, &text), Ok(mv), "'{text}' in any style at {}", game.fen());
    }
}
