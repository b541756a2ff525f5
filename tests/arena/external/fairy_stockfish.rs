//! A real engine, where it is installed.

use super::*;

/// Where Fairy-Stockfish is, if it is installed.
fn fairy_stockfish() -> Option<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    let mut programs = folders.map(|folder| folder.join("fairy-stockfish"));
    Some(programs.find(|program| program.exists())?.display().to_string())
}

/// Two games against random moves, which the engine must not lose by anything but the rules, and not both.
fn plays_soundly<G: Game>(engine: &EngineSpec, rules: RuleSet, budget: PlayerBudget) {
    let openings = [Opening {
        id: "start".to_owned(),
        game: G::start(rules, Setup::Standard, &mut stream(1, Purpose::Openings, &[])),
    }];
    let player = || player::<G>(engine, rules, budget);
    let played = play(player, &openings, 2, &AtomicBool::new(false), &mut |game| {
        assert_eq!(game.note, None, "{engine} {rules}: {game:?}");
    });
    let tally = played.tally();
    assert_eq!(tally.games(), 2, "{engine} {rules}");
    assert!(tally.wins >= 1, "{engine} {rules}: {tally:?}");
}

#[test]
fn fairy_stockfish_plays_every_game_in_every_dialect() {
    let Some(program) = fairy_stockfish() else {
        return skipped("no fairy-stockfish on the PATH or in /usr/games");
    };
    let nodes = PlayerBudget::Simulations(300);
    let clock = GameClock { base: Duration::from_secs(5), increment: Duration::from_millis(20) };
    let time = PlayerBudget::MoveTime(Duration::from_millis(20));
    let defaults = GameId::ALL.map(|game| ("uci", game, game.rule_sets()[0], nodes));
    let others = [
        ("uci", GameId::Janggi, RuleSet::Traditional, nodes),
        ("uci", GameId::Janggi, RuleSet::Kakao, nodes),
        ("uci", GameId::Janggi, RuleSet::Casual, nodes),
        ("uci", GameId::Shogi, RuleSet::Jsa24, nodes),
        ("uci", GameId::Dobutsu, RuleSet::Threefold, PlayerBudget::Clock(clock)),
        ("usi", GameId::Shogi, RuleSet::Csa27, nodes),
        ("usi", GameId::Shogi, RuleSet::Csa27, time),
        ("usi", GameId::Minishogi, RuleSet::Standard, PlayerBudget::Clock(clock)),
        ("usi", GameId::Dobutsu, RuleSet::Standard, nodes),
        ("ucci", GameId::Xiangqi, RuleSet::Axf, nodes),
        ("ucci", GameId::Xiangqi, RuleSet::Axf, time),
        ("ucci", GameId::Xiangqi, RuleSet::Axf, PlayerBudget::Clock(clock)),
    ];
    for (dialect, game, rules, budget) in defaults.into_iter().chain(others) {
        let engine = spec(&format!("{dialect}:{program}"));
        let name = check_engine(&engine, game, rules).expect("an engine that plays");
        assert!(name.contains("Fairy-Stockfish"), "{name}");
        with_game!(game, G => plays_soundly::<G>(&engine, rules, budget));
    }
}
