//! Handicaps: where their games begin, and what the pieces given count for.

use rand::SeedableRng;
use sanki::{
    base::rng::Rng,
    games::rules::{
        Declaration, Game, GameId, RuleSet, Setup, Side,
        janggi::{Formations, Janggi},
        shogi::Shogi,
    },
    with_game,
};

fn start<G: Game>(setup: Setup) -> G {
    G::start(G::ID.rule_sets()[0], setup, &mut Rng::seed_from_u64(1))
}

/// Where the game with the handicap called `name` begins.
fn begun<G: Game>(name: &str) -> String {
    start::<G>(Setup::Standard)
        .with_handicap(G::ID.handicap(name).unwrap_or_else(|error| panic!("{error}")))
        .fen()
}

/// The black pieces of shogi at the start, and all that follows in a FEN.
const BLACK: &str = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] b - - 0 1";

#[test]
fn shogi_has_the_handicaps_of_kif() {
    let white = [
        ("lance", "香落ち", "lnsgkgsn1/1r5b1"),
        ("right-lance", "右香落ち", "1nsgkgsnl/1r5b1"),
        ("bishop", "角落ち", "lnsgkgsnl/1r7"),
        ("rook", "飛車落ち", "lnsgkgsnl/7b1"),
        ("rook-lance", "飛香落ち", "lnsgkgsn1/7b1"),
        ("two-piece", "二枚落ち", "lnsgkgsnl/9"),
        ("three-piece", "三枚落ち", "lnsgkgsn1/9"),
        ("four-piece", "四枚落ち", "1nsgkgsn1/9"),
        ("five-piece", "五枚落ち", "2sgkgsn1/9"),
        ("left-five-piece", "左五枚落ち", "1nsgkgs2/9"),
        ("six-piece", "六枚落ち", "2sgkgs2/9"),
        ("seven-piece", "右七枚落ち", "3gkgs2/9"),
        ("left-seven-piece", "左七枚落ち", "2sgkg3/9"),
        ("eight-piece", "八枚落ち", "3gkg3/9"),
        ("ten-piece", "十枚落ち", "4k4/9"),
    ];
    assert_eq!(GameId::Shogi.facts().handicaps.list.len(), white.len());
    for (name, native, ranks) in white {
        assert_eq!(begun::<Shogi>(name), format!("{ranks}/{BLACK}"), "{name}");
        assert_eq!(begun::<Shogi>(native), begun::<Shogi>(name));
    }
}

#[test]
fn the_games_of_the_palace_have_their_own() {
    use sanki::games::rules::xiangqi::Xiangqi;
    let red = |ranks: &str| format!("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/{ranks} w - - 0 1");
    for (name, ranks) in [
        ("horse", "P1P1P1P1P/1C5C1/9/R1BAKABNR"),
        ("two-horses", "P1P1P1P1P/1C5C1/9/R1BAKAB1R"),
        ("让单车", "P1P1P1P1P/1C5C1/9/1NBAKABNR"),
        ("nine-pieces", "9/1C5C1/9/RN2K2NR"),
    ] {
        assert_eq!(begun::<Xiangqi>(name), red(ranks), "{name}");
    }
    let han = |ranks: &str| format!("{ranks}/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1");
    for (name, ranks) in [
        ("elephant", "rnba1a1nr/4k4/1c5c1"),
        ("horse", "rnba1ab1r/4k4/1c5c1"),
        ("cannon", "rnba1abnr/4k4/1c7"),
        ("chariot", "rnba1abn1/4k4/1c5c1"),
        ("차마 떼기", "rnba1ab2/4k4/1c5c1"),
        ("two-chariots", "1nba1abn1/4k4/1c5c1"),
    ] {
        assert_eq!(begun::<Janggi>(name), han(ranks), "{name}");
    }
    // With any set-up of the players.
    let formations: Formations = "nbbn/bnnb".parse().unwrap();
    let horse = start::<Janggi>(formations.into()).with_handicap(GameId::Janggi.handicap("horse").unwrap());
    assert!(horse.fen().starts_with("rbna1a1br/"), "{}", horse.fen());
}

/// Every handicap of every game is a game with moves, in every rule set, and takes from the giver alone.
#[test]
fn every_handicap_can_be_played() {
    for game in GameId::ALL {
        let handicaps = &game.facts().handicaps;
        for handicap in handicaps.list {
            for &rules in game.rule_sets() {
                with_game!(game, G => {
                    let even = G::start(rules, Setup::Standard, &mut Rng::seed_from_u64(1));
                    let begun = even.with_handicap(handicap);
                    assert_eq!((begun.rules(), begun.side_to_move()), (rules, handicaps.mover));
                    assert!(begun.outcome_or_declaration().is_none() && begun.unusual().is_none());
                    let mut moves = Vec::new();
                    begun.legal_moves(&mut moves);
                    assert!(moves.len() > 2, "{game} {}", handicap.name);
                    let count = |game: &G, side: Side| {
                        let fen = game.fen();
                        let board = fen.split(' ').next().unwrap();
                        let is_own = |letter: &char| match side {
                            Side::First => letter.is_ascii_uppercase(),
                            Side::Second => letter.is_ascii_lowercase(),
                        };
                        board.chars().filter(is_own).count()
                    };
                    let given = handicap.left.len() + handicap.right.len();
                    let giver = handicaps.giver;
                    assert_eq!(count(&begun, giver) + given, count(&even, giver), "{game} {}", handicap.name);
                    assert_eq!(count(&begun, !giver), count(&even, !giver));
                });
            }
        }
    }
    let error = GameId::Shogi.handicap("queen").unwrap_err().to_string();
    assert!(error.contains("'queen'") && error.contains("two-piece"), "{error}");
}

/// Eight pieces were given, 16 points; the giver's king, two golds and nine promoted pawns have entered.
const ENTERED: &str = "+L+NSGKGS+N+L/1B5R1/9/9/9/PPPPPPPPP/+p+p+p+p+p+p+p+p+p/3gkg3/9[] b - - 0 1";

fn declaration(rules: RuleSet, fen: &str) -> Option<Declaration> {
    Shogi::from_fen(rules, fen).unwrap().declaration()
}

#[test]
fn s10_the_giver_counts_what_it_gave() {
    // 11 and 16 points.
    assert_eq!(declaration(RuleSet::Csa27, ENTERED), Some(Declaration::Win));
    assert_eq!(declaration(RuleSet::Jsa24, ENTERED), Some(Declaration::Draw));
    // A gold that has not entered: one point less.
    let outside = ENTERED.replace("/9/PPPP", "/4g4/PPPP").replace("3gkg3", "3gk4");
    assert_eq!(declaration(RuleSet::Csa27, &outside), None);
    // The other side's points are its own: 27, where it needs 28.
    assert_eq!(declaration(RuleSet::Csa27, &ENTERED.replace(" b ", " w ")), None);
    // Where something was taken, nobody knows what was given.
    let taken = ENTERED.replace("/PPPPPPPPP/", "/1PPPPPPPP/").replace("[]", "[p]");
    assert_eq!(declaration(RuleSet::Csa27, &taken), None);
}

#[test]
fn s10_what_was_given_counts_to_the_end_of_the_game() {
    let mut game = Shogi::from_fen(RuleSet::Csa27, ENTERED).unwrap();
    let before = game.state_key();
    for text in ["a3a4", "a9a8"] {
        let mv = game.parse_move(text).unwrap();
        game.play(mv);
    }
    assert_eq!(game.declaration(), Some(Declaration::Win), "a pawn in hand for one that has left");
    // A table of positions keeps both apart.
    let again = Shogi::from_fen(RuleSet::Csa27, &game.fen()).unwrap();
    assert_eq!((again.declaration(), again.key()), (None, game.key()));
    assert_ne!(again.state_key(), game.state_key());
    assert_ne!(before, game.state_key());
}
