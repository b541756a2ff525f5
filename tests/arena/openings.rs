//! Openings: the embedded sets, making them, and reading files.

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::PathBuf,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};

use sanki::{
    arena::{GeneratorConfig, Opening, embedded, generate, handicap_openings, read_openings},
    games::rules::{
        Game, GameId, RuleSet, Setup, Side, Verdict,
        dobutsu::Dobutsu,
        janggi::{Formations, Janggi},
        shogi::{Minishogi, Shogi},
        xiangqi::{Minixiangqi, Xiangqi},
    },
    with_game,
};

const ALL: usize = usize::MAX;

fn standard<G: Game>(count: usize, seed: u64) -> Vec<Opening<G>> {
    embedded(G::ID.rule_sets()[0], Setup::Drawn, count, seed)
}

fn ids<G>(openings: &[Opening<G>]) -> Vec<&str> {
    openings.iter().map(|opening| opening.id.as_str()).collect()
}

/// The file of the game's embedded set.
fn file<G: Game>() -> PathBuf {
    PathBuf::from(format!("{}/src/arena/openings/data/{}.epd", env!("CARGO_MANIFEST_DIR"), G::ID))
}

fn children<G: Game>(game: &G) -> Vec<G> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let after = |&mv| {
        let mut child = game.clone();
        child.play(mv);
        child
    };
    moves.iter().map(after).collect()
}

/// Whether the side that moved to `child` has won.
fn is_won<G: Game>(child: &G) -> bool {
    child.outcome().is_some_and(|outcome| outcome.verdict == Verdict::Win(!child.side_to_move()))
}

/// The embedded set under the rule set that it was made for.
fn check_set<G: Game>() {
    let openings = standard::<G>(ALL, 1);
    assert!(openings.len() >= 500, "{}: {}", G::ID, openings.len());
    let lines = fs::read_to_string(file::<G>()).unwrap().lines().count() - 1;
    assert_eq!(openings.len(), lines, "{}: every line is an opening", G::ID);
    assert_eq!(openings.iter().map(|opening| opening.game.key()).collect::<HashSet<_>>().len(), lines);
    assert_eq!(ids(&openings).into_iter().collect::<HashSet<_>>().len(), lines);
    for Opening { id, game } in &openings {
        assert!(game.outcome_or_declaration().is_none() && game.ply() == 0, "{id}");
        let children = children(game);
        assert!(!children.iter().any(is_won), "{id}: wins at once");
        let holds = |child: &G| !self::children(child).iter().any(is_won);
        assert!(children.iter().any(holds), "{id}: is lost by the reply");
    }
}

#[test]
fn the_sets_are_large_different_and_undecided() {
    for id in GameId::ALL {
        with_game!(id, G => check_set::<G>());
    }
}

fn check_rules<G: Game>(rules: RuleSet) {
    let openings = embedded::<G>(rules, Setup::Drawn, ALL, 1);
    assert!(openings.len() >= 500, "{} {rules}: {}", G::ID, openings.len());
    for Opening { id, game } in &openings {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        assert!(game.rules() == rules && game.outcome_or_declaration().is_none(), "{rules}: {id}");
        assert!(!moves.is_empty(), "{rules}: {id}");
    }
}

#[test]
fn every_rule_set_has_openings_of_its_own() {
    for id in GameId::ALL {
        for &rules in id.rule_sets() {
            with_game!(id, G => check_rules::<G>(rules));
        }
    }
}

#[test]
fn the_seed_is_the_order_and_the_count_is_where_it_ends() {
    let all = standard::<Shogi>(ALL, 3);
    assert_eq!(ids(&standard::<Shogi>(40, 3)), ids(&all)[..40]);
    assert_ne!(ids(&standard::<Shogi>(40, 4)), ids(&all)[..40]);
    assert!(standard::<Shogi>(0, 3).is_empty());
}

fn formations(opening: &Opening<Janggi>) -> Formations {
    opening.id.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn janggi_has_every_set_up_in_equal_shares() {
    for count in [16, 32, 512] {
        let mut shares: HashMap<Formations, usize> = HashMap::new();
        let openings = standard::<Janggi>(count, 7);
        openings.iter().for_each(|opening| *shares.entry(formations(opening)).or_default() += 1);
        assert_eq!(shares.len(), 16);
        assert!(shares.values().all(|&share| share == count / 16), "{count}: {shares:?}");
    }
}

#[test]
fn janggi_has_openings_of_one_set_up() {
    let named: Formations = "bnbn/nbnb".parse().unwrap();
    for (setup, expected) in [(named.into(), named), (Setup::Standard, Formations::default())] {
        let openings = embedded::<Janggi>(RuleSet::Kakao, setup, ALL, 1);
        assert!(openings.len() >= 30, "{}", openings.len());
        assert!(openings.iter().all(|opening| formations(opening) == expected));
    }
}

/// Makes the first of the embedded set again.
fn check_made<G: Game>(count: usize) {
    let made = AtomicUsize::new(0);
    let progress = || {
        made.fetch_add(1, Ordering::Relaxed);
    };
    let config = GeneratorConfig { rules: G::ID.rule_sets()[0], count, seed: 1 };
    let openings = generate::<G>(&config, &progress, &AtomicBool::new(false)).unwrap();
    assert_eq!(made.into_inner(), count);
    let lines: Vec<String> =
        openings.iter().map(|Opening { id, game }| format!("{} id \"{id}\";", game.fen())).collect();
    let file = fs::read_to_string(file::<G>()).unwrap();
    assert_eq!(lines, file.lines().skip(1).take(count).collect::<Vec<_>>(), "{}", G::ID);
}

#[test]
fn the_small_boards_sets_are_made_again() {
    check_made::<Dobutsu>(40);
    check_made::<Minishogi>(4);
    check_made::<Minixiangqi>(4);
}

#[test]
fn the_large_boards_sets_are_made_again() {
    check_made::<Janggi>(2);
    check_made::<Xiangqi>(2);
    check_made::<Shogi>(2);
}

#[test]
fn stopped_before_the_end_nothing_is_made() {
    let config = GeneratorConfig { rules: RuleSet::Standard, count: 100_000, seed: 1 };
    assert!(generate::<Dobutsu>(&config, &|| (), &AtomicBool::new(true)).is_none());
}

/// Reads a file of this text.
fn read<G: Game + sanki::games::notation::Notate>(text: &str) -> Result<Vec<Opening<G>>, String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    let read = read_openings(G::ID.rule_sets()[0], file.path());
    read.map_err(|error| format!("{error:#}").replace(file.path().to_str().unwrap(), "FILE"))
}

#[test]
fn an_embedded_set_is_a_file() {
    let openings = read_openings::<Janggi>(RuleSet::Points, &file::<Janggi>()).unwrap();
    assert_eq!(openings.len(), 512);
    assert_eq!(openings[17].id.split(' ').nth(1), Some("18"));
}

#[test]
fn positions_are_read_in_every_form() {
    let openings = read::<Minishogi>(
        "# a comment\n\
         \n\
         rbsgk/4p/5/P4/KGSBR[-] w - - 0 1\n\
         rbsgk/4p/5/P4/KGSBR[] b 0 1 id \"the second\";\n\
         \trbsgk/5/4p/P4/KGSBR b - 1 bm e1e2; id \"named so\"; c0 \"x\";\r\n\
         sfen rbsgk/4p/P4/5/KGSBR w - 2\n\
         position fen rbsgk/4p/5/P4/KGSBR[-] w - - 0 1 moves e1e2\n\
         position startpos moves a2a3 e4e3\n",
    )
    .unwrap();
    assert_eq!(ids(&openings), ["line 3", "the second", "named so", "line 6", "line 7", "line 8"]);
    let fens: Vec<String> = openings.iter().map(|opening| opening.game.fen()).collect();
    assert_eq!(fens[0], "rbsgk/4p/5/P4/KGSBR[] w - - 0 1");
    assert_eq!(fens[2], "rbsgk/5/4p/P4/KGSBR[] w - - 0 1");
    assert_eq!(fens[3], "rbsgk/4p/P4/5/KGSBR[] b - - 0 1");
    assert_eq!(fens[4], "rbsgk/4p/5/P3R/KGSB1[] b - - 1 1");
    assert_eq!(fens[5], "rbsgk/5/P3p/5/KGSBR[] w - - 2 2");
    assert!(openings.iter().all(|opening| opening.game.ply() == 0), "games start at the opening");
}

#[test]
fn a_position_counts_once() {
    let line = "gle/1c1/1C1/ELG[-] w - - 0 1";
    let openings = read::<Dobutsu>(&format!("{line}\n{line} id \"again\";\nstartpos\n")).unwrap();
    assert_eq!(ids(&openings), ["line 1"]);
}

#[test]
fn bad_lines_are_named() {
    let start = "gle/1c1/1C1/ELG[-] w - - 0 1";
    let cases = [
        ("gle/1c1/1C1/ELX[-] w - - 0 1", "FILE, line 3: bad rank 'ELX': unknown piece 'X'"),
        ("startpos moves b2b3 a1a1", "FILE, line 3: move 2: bad move 'a1a1': it is not legal here"),
        ("startpos b2b3", "FILE, line 3: 'b2b3' is neither EPD's operations"),
        ("gle/1c1/1C1/ELG[-] w KQkq - 0 1", "FILE, line 3: 'KQkq - 0 1' is neither"),
        ("g1e/1c1/1C1/ELG[L] b - - 0 1", "FILE, line 3: the game is over there"),
    ];
    for (line, expected) in cases {
        let error = read::<Dobutsu>(&format!("{start}\n\n{line}\n")).unwrap_err();
        assert!(error.starts_with(expected), "{line}: {error}");
    }
    assert_eq!(read::<Dobutsu>("# nothing\n").unwrap_err(), "FILE: no positions");
    let missing = read_openings::<Dobutsu>(RuleSet::Standard, "no/such/file".as_ref()).unwrap_err();
    assert!(format!("{missing:#}").starts_with("cannot read no/such/file: "), "{missing:#}");
}

#[test]
fn openings_of_a_handicap_come_two_moves_after_its_start() {
    let rook = GameId::Shogi.handicap("rook").unwrap();
    let of = |seed| handicap_openings::<Shogi>(RuleSet::Csa27, Setup::Drawn, rook, seed);
    let openings = of(1);
    assert_eq!(openings.len(), 512);
    let fens: HashSet<String> = openings.iter().map(|opening| opening.game.fen()).collect();
    assert_eq!(fens.len(), 512, "no opening twice");
    for Opening { id, game } in &openings {
        assert!(id.starts_with("rook "), "{id}");
        assert_eq!((game.side_to_move(), game.ply()), (Side::Second, 0));
        assert!(game.outcome_or_declaration().is_none());
    }
    assert_eq!(ids(&openings), ids(&of(1)));
    assert_ne!(openings[0].game.fen(), of(2)[0].game.fen());
    let chariot = GameId::Janggi.handicap("chariot").unwrap();
    let openings = handicap_openings::<Janggi>(RuleSet::Points, Setup::Drawn, chariot, 1);
    let setups: HashSet<String> = openings
        .iter()
        .map(|opening| opening.game.fen().split('/').next_back().unwrap()[..9].to_owned())
        .collect();
    assert!(setups.len() > 4, "all set-ups: {setups:?}");
}
