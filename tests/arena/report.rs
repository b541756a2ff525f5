//! Pages: what they must show, that they are whole, and that their games are those that were played.

use crate::inlined::readable;

use std::{collections::BTreeMap, sync::atomic::AtomicBool};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sanki::{
    app::report::{
        Axis, LadderPage, LadderRung, MatchPage, Progress, Unit, curve_svg, ladder_page, match_page,
    },
    arena::{
        Competitor, Conditions, Match, MatchConfig, MatchGame, MatchResult, Player, RandomPlayer,
        UniformPlayer, embedded,
    },
    games::rules::{Game, GameId, Reason, RuleSet, Setup, Side, Verdict, dobutsu::Dobutsu},
    with_game,
};
use serde_json::Value;

/// A name that would break out of HTML, of an attribute, of JSON and of a script.
const EVIL: &str = r#"</script><script>alert("1")</script><!-- '&amp; \"#;

fn config(games: u32) -> MatchConfig {
    MatchConfig { games, sprt: None, conditions: Conditions { max_plies: 60, seed: 7, threads: 1 } }
}

/// A match of dobutsu between `players`, of which the first one searches.
fn dobutsu_match(config: MatchConfig, players: [&str; 2]) -> (MatchResult, Vec<MatchGame>) {
    let openings = embedded::<Dobutsu>(RuleSet::Standard, Setup::Drawn, 6, 1);
    let field: [Competitor<'_, Dobutsu>; 2] = [
        Competitor::new(players[0], || Box::new(UniformPlayer::new(16)) as Box<dyn Player<Dobutsu>>),
        Competitor::new(players[1], || Box::new(RandomPlayer::new())),
    ];
    let mut played = Match::new(config, players[0], Vec::new()).unwrap();
    played.play(&field, &openings, &AtomicBool::new(false), &mut |_, _| Ok(())).unwrap();
    (played.result(), played.games().cloned().collect())
}

fn dobutsu_page(players: [&str; 2], result: &MatchResult, games: &[MatchGame]) -> anyhow::Result<String> {
    let (game, rules) = (GameId::Dobutsu, RuleSet::Standard);
    match_page(&MatchPage { title: "A match", game, rules, players, result, games })
}

/// A random game and the FEN of every position in it.
fn random_game<G: Game>(rules: RuleSet, number: u32) -> (MatchGame, Vec<String>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(number.into());
    let mut game = G::start(rules, Setup::Drawn, &mut rng);
    let mut fens = vec![game.fen()];
    let mut moves = Vec::new();
    let mut legal = Vec::new();
    while game.outcome().is_none() && fens.len() <= 150 {
        legal.clear();
        game.legal_moves(&mut legal);
        let mv = legal[rng.random_range(0..legal.len())];
        moves.push(mv.to_string());
        game.play(mv);
        fens.push(game.fen());
    }
    let outcome = game.outcome().unwrap_or_else(|| game.adjudicate());
    let record = MatchGame {
        number,
        opening: (number / 2).to_string(),
        first: if number.is_multiple_of(2) { "a" } else { "b" }.to_owned(),
        second: if number.is_multiple_of(2) { "b" } else { "a" }.to_owned(),
        start: fens[0].clone(),
        moves: moves.join(" "),
        result: outcome.verdict,
        reason: outcome.reason,
        points: outcome.points,
        seconds: [0.5, 1.5],
        note: None,
    };
    (record, fens)
}

/// What the page's script reads.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once(r#"<script id="data" type="application/json">"#).expect("the data");
    let (json, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(json).expect("JSON")
}

/// The board and the sorted hands of a FEN.
fn board_and_hands(fen: &str) -> (String, Vec<char>) {
    let field = fen.split(' ').next().unwrap();
    let (board, hands) = field.split_once('[').unwrap_or((field, ""));
    let mut hands: Vec<char> = hands.chars().filter(char::is_ascii_alphabetic).collect();
    hands.sort_unstable();
    (board.to_owned(), hands)
}

/// What the viewer has on its board.
#[derive(Default)]
struct Shown {
    squares: BTreeMap<(usize, char), String>,
    hands: BTreeMap<char, usize>,
}

impl Shown {
    fn change(&mut self, text: &str) {
        let mut rest = text.chars().peekable();
        while let Some(letter) = rest.next() {
            let number = |rest: &mut std::iter::Peekable<std::str::Chars<'_>>| {
                let mut number = 0;
                while let Some(digit) = rest.peek().and_then(|digit| digit.to_digit(10)) {
                    number = 10 * number + digit as usize;
                    rest.next();
                }
                number
            };
            if letter == '*' {
                let kind = rest.next().expect("a kind");
                self.hands.insert(kind, number(&mut rest));
                continue;
            }
            let square = (number(&mut rest), letter);
            match rest.next().expect("a piece or a dot") {
                '.' => drop(self.squares.remove(&square)),
                '+' => drop(self.squares.insert(square, format!("+{}", rest.next().expect("a piece")))),
                piece => drop(self.squares.insert(square, piece.to_string())),
            }
        }
    }

    fn board_and_hands(&self, files: usize, ranks: usize) -> (String, Vec<char>) {
        let row = |rank: usize| {
            let mut row = String::new();
            let mut empty = 0;
            for file in ('a'..).take(files) {
                match self.squares.get(&(rank, file)) {
                    None => empty += 1,
                    Some(piece) => {
                        row += &if empty > 0 { empty.to_string() } else { String::new() };
                        row += piece;
                        empty = 0;
                    }
                }
            }
            row + &if empty > 0 { empty.to_string() } else { String::new() }
        };
        let rows: Vec<String> = (1..=ranks).rev().map(row).collect();
        let hands = self.hands.iter().flat_map(|(&kind, &count)| std::iter::repeat_n(kind, count));
        (rows.join("/"), hands.collect())
    }
}

/// Panics unless every tag is closed in its order; returns how often each element stands there.
fn elements(page: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = page.strip_prefix("<!DOCTYPE html>").unwrap_or(page);
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let mut quoted = false;
        let end = rest.find(|letter| {
            quoted ^= letter == '"';
            letter == '>' && !quoted
        });
        let (tag, after) = rest.split_at(end.expect("the end of a tag"));
        rest = &after[1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed by </{name}>");
            continue;
        }
        let name = tag.split([' ', '/', '\n']).next().unwrap().to_owned();
        assert!(!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()), "<{tag}>");
        assert!(!tag.contains('<'), "<{tag}>");
        *counts.entry(name.clone()).or_default() += 1;
        let is_void = ["meta", "link", "input"].contains(&&*name) || tag.ends_with('/');
        if ["script", "style"].contains(&&*name) {
            rest = &rest[rest.find(&format!("</{name}>")).expect("its end")..];
        }
        if !is_void {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
    counts
}

/// Panics where a page needs anything but itself.
fn assert_self_contained(page: &str) {
    let page = readable(page);
    for (at, _) in page.match_indices("://") {
        let before = &page[..at];
        let is_namespace = page[at..].starts_with("://www.w3.org/2000/svg\"") && before.ends_with("http");
        assert!(is_namespace, "{}", &page[at - 20..at + 20]);
    }
    for wanted in [" src=", "url(", "@import", "fetch("] {
        assert!(!page.contains(wanted), "{wanted}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn a_match_page_shows_the_match() {
    let players = ["searcher", "guesser"];
    let (result, games) = dobutsu_match(config(12), players);
    let page = dobutsu_page(players, &result, &games).unwrap();
    let counts = elements(&page);
    assert_self_contained(&page);
    assert_eq!(counts["script"], 3);
    let wins = result.tally.wins;
    assert!(page.contains(&format!("+{wins} =")), "the score");
    assert!(page.contains(&format!("95%: {}", result.tally.elo().interval_in_words())), "the interval");
    for reason in result.reasons.keys() {
        assert!(page.contains(&format!(r#"<th scope="row">{}</th>"#, reason.as_str().replace('_', " "))));
    }
    let data = data(&page);
    for (place, game) in games.iter().enumerate() {
        let number = game.number + 1;
        assert!(page.contains(&format!(r##"<a href="#game-{place}">{number}</a>"##)), "in the list");
        let by_opening = format!(r##"<a class="result" href="#game-{place}">{number}: "##);
        assert!(page.contains(&by_opening), "by opening");
        assert_eq!(data["games"][place]["number"], number, "in the viewer");
    }
    // Five of pairs, two sides, the reasons, six openings, twelve games; and the heads of five tables.
    assert_eq!(counts["tr"], 5 + 2 + result.reasons.len() + 6 + 12 + 5);
    assert!(!page.contains("SPRT"));
}

#[test]
fn an_end_of_the_interval_that_no_game_bounds_is_open() {
    let won = |number: u32| {
        let game = random_game::<Dobutsu>(RuleSet::Standard, number).0;
        let winner = if game.first == "a" { Side::First } else { Side::Second };
        MatchGame { result: Verdict::Win(winner), ..game }
    };
    let games: Vec<MatchGame> = (0..40).map(won).collect();
    let result = Match::new(config(40), "a", games.clone()).unwrap().result();
    let page = dobutsu_page(["a", "b"], &result, &games).unwrap();
    assert!(page.contains("95%: +421 and up"), "{:?}", result.tally.elo());
}

#[test]
fn a_match_page_shows_the_sequential_test() {
    let players = ["searcher", "guesser"];
    let sprt = Some("0,10".parse().unwrap());
    let (result, games) = dobutsu_match(MatchConfig { sprt, ..config(12) }, players);
    let page = dobutsu_page(players, &result, &games).unwrap();
    assert!(page.contains(&result.sprt.unwrap().to_string()));
}

#[test]
fn the_positions_are_those_of_the_rules() {
    fn check<G: Game>() {
        for &rules in G::ID.rule_sets() {
            let (games, fens): (Vec<_>, Vec<_>) =
                (0..6).map(|number| random_game::<G>(rules, number)).unzip();
            let result = Match::new(config(6), "a", games.clone()).unwrap().result();
            let page = MatchPage {
                title: "t",
                game: G::ID,
                rules,
                players: ["a", "b"],
                result: &result,
                games: &games,
            };
            let page = match_page(&page).unwrap();
            elements(&page);
            let data = data(&page);
            let shown = data["games"].as_array().unwrap();
            assert_eq!(shown.len(), games.len());
            for ((shown, fens), game) in shown.iter().zip(&fens).zip(&games) {
                assert_eq!(shown["moves"], game.moves);
                assert_eq!(shown["turn"], usize::from(fens[0].contains(" b ")));
                let changes: Vec<&str> = shown["changes"].as_str().unwrap().split(' ').collect();
                assert_eq!(changes.len(), fens.len());
                let mut board = Shown::default();
                for (changes, fen) in changes.iter().zip(fens) {
                    board.change(changes);
                    assert_eq!(board.board_and_hands(G::FILES, G::RANKS), board_and_hands(fen), "{}", G::ID);
                }
                let pieces = data["board"]["pieces"].as_object().unwrap();
                assert!(board.squares.values().all(|piece| pieces.contains_key(piece)), "{}", G::ID);
                let hand = data["board"]["hand"].as_str().unwrap();
                assert!(board.hands.keys().all(|kind| hand.contains(kind.to_ascii_uppercase())), "{}", G::ID);
            }
        }
    }
    for game in GameId::ALL {
        with_game!(game, G => check::<G>());
    }
}

#[test]
fn a_game_against_the_rules_is_named() {
    let players = ["searcher", "guesser"];
    let (result, games) = dobutsu_match(config(2), players);
    let wrong = |change: fn(&mut MatchGame)| {
        let mut games = games.clone();
        change(&mut games[1]);
        format!("{:#}", dobutsu_page(players, &result, &games).unwrap_err())
    };
    let error = wrong(|game| game.moves.insert_str(0, "a1c4 "));
    assert!(error.contains("game 2: ply 1") && error.contains("a1c4"), "{error}");
    let error = wrong(|game| game.start = "nonsense".to_owned());
    assert!(error.contains("game 2: the start"), "{error}");
    let error = wrong(|game| game.second = "somebody".to_owned());
    assert!(error.contains("game 2") && error.contains("'somebody'"), "{error}");
}

#[test]
fn no_text_breaks_out_of_the_page() {
    let evil: MatchGame = MatchGame {
        opening: EVIL.to_owned(),
        first: EVIL.to_owned(),
        note: Some(EVIL.to_owned()),
        reason: Reason::Crash,
        result: Verdict::Win(Side::Second),
        ..random_game::<Dobutsu>(RuleSet::Standard, 0).0
    };
    let games = [evil];
    let result = Match::new(config(2), EVIL, games.to_vec()).unwrap().result();
    let players = [EVIL, "b"];
    let (game, rules) = (GameId::Dobutsu, RuleSet::Standard);
    let page =
        match_page(&MatchPage { title: EVIL, game, rules, players, result: &result, games: &games }).unwrap();
    let rungs = [rung(EVIL, 10.0, Some(3)), rung("b", -10.0, None), rung(&EVIL[9..], 0.0, None)];
    let ladder = ladder_page(&LadderPage { title: EVIL, game, rules, rungs: &rungs, games: &games }).unwrap();
    for page in [page, ladder] {
        assert_eq!(elements(&page)["script"], 3, "the page's own");
        assert!(!page.contains("alert(\"1\")") && !page.contains("<!--"));
        let read = &data(&page)["games"][0];
        assert_eq!([&read["first"], &read["note"]], [EVIL, EVIL]);
    }
}

fn rung(name: &str, elo: f64, generation: Option<u32>) -> LadderRung {
    let progress = |generation| Progress {
        generation,
        positions: 30_000 * u64::from(generation),
        seconds: 200.0 * f64::from(generation),
    };
    LadderRung {
        name: name.to_owned(),
        elo,
        low: elo - 30.0,
        high: elo + 40.0,
        games: 6,
        score: 0.25,
        checkpoint: generation.map(progress),
    }
}

#[test]
fn a_ladder_page_shows_the_ladder() {
    let (game, rules) = (GameId::Dobutsu, RuleSet::Standard);
    let games: Vec<MatchGame> = (0..6)
        .map(|number| MatchGame {
            result: if number < 3 { Verdict::Win(Side::First) } else { Verdict::Draw },
            ..random_game::<Dobutsu>(rules, number).0
        })
        .collect();
    let rungs = [rung("b", -120.0, Some(10)), rung("c", 50.5, None), rung("a", 70.0, Some(20))];
    let page = LadderPage { title: "A ladder", game, rules, rungs: &rungs, games: &games };
    let text = ladder_page(&page).unwrap();
    let counts = elements(&text);
    assert_self_contained(&text);
    assert_eq!((counts["figure"], counts["svg"]), (3, 3 + 3), "curves, and an interval for each player");
    let place = |name: &str| text.find(&format!(r#"<th scope="row">{name}</th>"#)).expect("in the list");
    assert!(place("a") < place("c") && place("c") < place("b"));
    assert!(text.contains("+40 to +110") && text.contains("25.0%"));
    // a won games 0 and 2, b game 1, the others were drawn: 3 1/2 of 6 and 2 1/2 of 6.
    assert!(text.contains(">3½/6<") && text.contains(">2½/6<"));
    assert_eq!(data(&text)["games"].as_array().unwrap().len(), 6);

    let without = LadderPage { rungs: &rungs[1..2], games: &[], ..page };
    let text = ladder_page(&without).unwrap();
    assert!(!elements(&text).contains_key("figure"), "no checkpoints, no curve");
    let stranger = LadderPage { rungs: &rungs[..2], ..page };
    let error = ladder_page(&stranger).unwrap_err().to_string();
    assert!(error.contains("game 1") && error.contains("'a'"), "{error}");
}

#[test]
fn curves_have_checkpoints_and_the_others() {
    let mut rungs = vec![rung("late", 90.0, Some(40)), rung("early", 0.0, Some(10)), rung("<x>", 30.0, None)];
    for (axis, unit) in
        [(Axis::Generation, "generation"), (Axis::Positions, "thousand positions"), (Axis::Seconds, "hours")]
    {
        let svg = curve_svg(&rungs, axis, Unit::english).unwrap();
        let counts = elements(&svg);
        assert_eq!(counts["circle"], 2);
        assert!(svg.contains(unit) && svg.contains("&lt;x&gt;") && svg.contains("currentColor"), "{svg}");
    }
    rungs[2].high = f64::INFINITY;
    assert!(curve_svg(&rungs, Axis::Generation, Unit::english).unwrap_err().to_string().contains("<x>"));
    assert!(curve_svg(&[rung("c", 0.0, None)], Axis::Generation, Unit::english).is_err());
    let untrained = curve_svg(&[rung("c", 0.0, Some(0))], Axis::Positions, Unit::english).unwrap();
    assert_eq!(elements(&untrained)["circle"], 1);
}
