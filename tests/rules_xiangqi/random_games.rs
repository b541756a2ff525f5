//! Random games, each position of which must have the moves that the plain rules give it.

use proptest::prelude::*;
use sanki::rules::{
    Game, Move, Reason, RuleSet, Side,
    xiangqi::{Board, Minixiangqi, Nine, Seven, Xiangqi, XiangqiGame},
};

use crate::{
    MINI_START, START,
    data::{PositionRow, rows},
    legal_moves,
    property::{count_position, games, rule_sets},
    read,
    reference::Reference,
};

/// The content of a game as [`Reference::content`] has it.
fn content<B: Board>(game: &XiangqiGame<B>) -> Vec<(char, String)> {
    let pieces = game.pieces().map(|(side, kind, square)| {
        let letter = if side == Side::First { kind.letter() } else { kind.letter().to_ascii_lowercase() };
        (letter, square.to_string())
    });
    pieces.collect()
}

/// The position with left and right swapped.
fn mirrored(fen: &str) -> String {
    let (board, rest) = fen.split_once(' ').unwrap();
    let ranks: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    format!("{} {rest}", ranks.join("/"))
}

/// The move with left and right swapped, on a board of `files`.
fn mirrored_move(text: &str, files: usize) -> String {
    let swap = |letter: char| match letter {
        'a'..='i' => char::from(b'a' + files as u8 - 1 - (letter as u8 - b'a')),
        digit => digit,
    };
    text.chars().map(swap).collect()
}

fn mirrors_agree<B: Board>(game: &XiangqiGame<B>, texts: &[String]) {
    let mirror: XiangqiGame<B> = read(&mirrored(&game.fen()));
    let mut swapped: Vec<String> =
        texts.iter().map(|text| mirrored_move(text, XiangqiGame::<B>::FILES)).collect();
    swapped.sort();
    assert_eq!(legal_moves(&mirror), swapped, "{}", game.fen());
}

/// Compares a game with the plain rules at every position on the way that `choices` take.
fn follow<B: Board>(rules: RuleSet, fen: &str, choices: &[u16]) {
    let read = |fen: &str| XiangqiGame::<B>::from_fen(rules, fen).unwrap_or_else(|error| panic!("{error}"));
    let mut game = read(fen);
    let mut plain = Reference::read(fen);
    let mut moves = Vec::new();
    for &choice in choices {
        count_position();
        let bare = plain.content().iter().all(|(letter, _)| "KABkab".contains(*letter));
        let ended_bare = game.outcome().is_some_and(|outcome| outcome.reason == Reason::BareAttackers);
        assert_eq!(ended_bare, bare && rules == RuleSet::Wang1994, "{}", game.fen());
        // A FEN does not tell of the checks that put the limit off: it is over there, whether the game is or not.
        if ended_bare || game.move_limit().is_some_and(|limit| game.clock() >= limit) {
            break;
        }
        let legal = plain.legal();
        let texts: Vec<String> = legal.iter().map(|(text, _)| text.clone()).collect();
        let fresh = read(&game.fen());
        assert_eq!(legal_moves(&fresh), texts, "{}", game.fen());
        assert_eq!(fresh.outcome().is_none(), !texts.is_empty(), "{}", game.fen());
        assert_eq!((fresh.key(), fresh.fen()), (game.key(), game.fen()));
        assert_eq!(game.perft(1), texts.len() as u64, "{}", game.fen());
        assert_eq!(game.is_check(), plain.is_check(), "{}", game.fen());
        assert_eq!(content(&game), plain.content());
        mirrors_agree(&game, &texts);

        moves.clear();
        game.legal_moves(&mut moves);
        assert_eq!(moves.is_empty(), game.outcome().is_some(), "{}", game.fen());
        if moves.is_empty() {
            break;
        }
        let mut bits: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
        bits.sort();
        bits.dedup();
        assert_eq!(bits.len(), moves.len(), "{}", game.fen());
        assert_eq!(legal_moves(&game), texts, "{}", game.fen());
        let mv = moves[usize::from(choice) % moves.len()];
        let next = legal.into_iter().find(|(text, _)| *text == mv.to_string());
        plain = next.expect("the lists are equal").1;
        game.play(mv);
    }
}

fn choices() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 1..150)
}

proptest! {
    #![proptest_config(games(64))]

    #[test]
    fn random_games_of_xiangqi_follow_the_plain_rules(
        rules in rule_sets::<Xiangqi>(),
        choices in choices(),
    ) {
        follow::<Nine>(rules, START, &choices);
    }

    #[test]
    fn random_games_of_minixiangqi_follow_the_plain_rules(
        rules in rule_sets::<Minixiangqi>(),
        choices in choices(),
    ) {
        follow::<Seven>(rules, MINI_START, &choices);
    }
}

/// A few random moves from positions rich in checks, screens and facing kings.
#[test]
fn play_from_sharp_positions_follows_the_plain_rules() {
    for (row, first) in rows::<PositionRow>("xiangqi_positions.jsonl.zst").iter().zip(0u16..) {
        let rules = Xiangqi::ID.rule_sets()[usize::from(first) % 2];
        follow::<Nine>(rules, &row.fen, &[first, first.wrapping_mul(7919), 3, 5, 1]);
    }
    for (row, first) in rows::<PositionRow>("minixiangqi_positions.jsonl.zst").iter().zip(0u16..) {
        follow::<Seven>(RuleSet::Standard, &row.fen, &[first, first.wrapping_mul(7919), 3, 5, 1]);
    }
}

/// `clone_from` makes the same game as `clone`, whatever was there before.
#[test]
fn clones_go_on_alike() {
    fn play_some<B: Board>(game: &mut XiangqiGame<B>, plies: usize) {
        for i in 0..plies {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            if moves.is_empty() {
                return;
            }
            game.play(moves[(i * 31) % moves.len()]);
        }
    }
    let mut game: Xiangqi = read(START);
    let mut copy = game.clone();
    play_some(&mut copy, 40);
    play_some(&mut game, 15);
    copy.clone_from(&game);
    play_some(&mut copy, 20);
    play_some(&mut game, 20);
    assert_eq!(format!("{copy:?}"), format!("{game:?}"));
    let mini: Minixiangqi = read(MINI_START);
    assert_eq!(format!("{:?}", mini.clone()), format!("{mini:?}"));
}
