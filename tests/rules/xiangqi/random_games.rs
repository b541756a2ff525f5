//! Random games, each position of which must have the moves that the plain rules give it.

use proptest::prelude::*;
use sanki::games::rules::{
    Game, Reason, RuleSet, Side,
    xiangqi::{Minixiangqi, NineByTen, SevenBySeven, Xiangqi, XiangqiBoard, XiangqiGame},
};

use super::{
    MINI_START, START, legal_moves,
    mirror::{mirror_text, mirrored},
    property::{choices, clones_go_on_alike, count_position, games, play_one, rule_sets, statuses},
    read,
    reference::Reference,
    verdicts::{PositionRow, read_under, rows},
};

/// The content of a game as [`Reference::content`] has it.
fn content<B: XiangqiBoard>(game: &XiangqiGame<B>) -> Vec<(char, String)> {
    let pieces = game.pieces().map(|(side, kind, square)| {
        let letter = if side == Side::First { kind.letter() } else { kind.letter().to_ascii_lowercase() };
        (letter, square.to_string())
    });
    pieces.collect()
}

fn mirrors_agree<G: Game>(game: &G, texts: &[String]) {
    let mut swapped: Vec<String> = texts.iter().map(|text| mirror_text::<G>(text)).collect();
    swapped.sort();
    assert_eq!(legal_moves(&mirrored(game)), swapped, "{}", game.fen());
}

/// Compares a game with the plain rules at every position on the way that `choices` take.
fn follow<B: XiangqiBoard>(rules: RuleSet, fen: &str, choices: &[u16]) {
    let mut game: XiangqiGame<B> = read_under(rules, fen);
    let mut plain = Reference::read(fen);
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
        let fresh: XiangqiGame<B> = read_under(rules, &game.fen());
        assert_eq!(legal_moves(&fresh), texts, "{}", game.fen());
        assert_eq!(fresh.outcome().is_none(), !texts.is_empty(), "{}", game.fen());
        assert_eq!((fresh.key(), fresh.fen()), (game.key(), game.fen()));
        assert_eq!(game.perft(1), texts.len() as u64, "{}", game.fen());
        assert_eq!(game.is_check(), plain.is_check(), "{}", game.fen());
        assert_eq!(content(&game), plain.content());
        assert_eq!(statuses(&game), plain.statuses(), "{}", game.fen());
        mirrors_agree(&game, &texts);

        let moves = legal_moves(&game);
        assert_eq!(moves.is_empty(), game.outcome().is_some(), "{}", game.fen());
        if moves.is_empty() {
            break;
        }
        assert_eq!(moves, texts, "{}", game.fen());
        plain = play_one(&mut game, choice, legal).expect("a move is legal");
    }
}

proptest! {
    #![proptest_config(games(64))]

    #[test]
    fn random_games_of_xiangqi_follow_the_plain_rules(
        rules in rule_sets::<Xiangqi>(),
        choices in choices(150),
    ) {
        follow::<NineByTen>(rules, START, &choices);
    }

    #[test]
    fn random_games_of_minixiangqi_follow_the_plain_rules(
        rules in rule_sets::<Minixiangqi>(),
        choices in choices(150),
    ) {
        follow::<SevenBySeven>(rules, MINI_START, &choices);
    }
}

/// A few random moves from positions rich in checks, screens and facing kings.
#[test]
fn play_from_sharp_positions_follows_the_plain_rules() {
    for (row, first) in rows::<PositionRow>("xiangqi_positions.jsonl.zst").iter().zip(0u16..) {
        let rules = Xiangqi::ID.rule_sets()[usize::from(first) % 2];
        follow::<NineByTen>(rules, &row.fen, &[first, first.wrapping_mul(7919), 3, 5, 1]);
    }
    for (row, first) in rows::<PositionRow>("minixiangqi_positions.jsonl.zst").iter().zip(0u16..) {
        follow::<SevenBySeven>(RuleSet::Standard, &row.fen, &[first, first.wrapping_mul(7919), 3, 5, 1]);
    }
}

#[test]
fn clones_of_both_games_go_on_alike() {
    clones_go_on_alike(read::<Xiangqi>(START));
    clones_go_on_alike(read::<Minixiangqi>(MINI_START));
}
