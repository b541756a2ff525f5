//! Configs: those that come with the program, and bad ones.

use sanki::net::PlayTable;

use super::*;

/// The configs that come with the program.
const CONFIGS: [&str; 7] = [
    include_str!("../../../configs/quickstart.toml"),
    include_str!("../../../configs/dobutsu.toml"),
    include_str!("../../../configs/minishogi.toml"),
    include_str!("../../../configs/minixiangqi.toml"),
    include_str!("../../../configs/shogi.toml"),
    include_str!("../../../configs/xiangqi.toml"),
    include_str!("../../../configs/janggi.toml"),
];

#[test]
fn bad_configs_name_the_key() {
    let read = |overrides: &[&str]| {
        let overrides: Vec<String> = overrides.iter().map(|text| (*text).to_owned()).collect();
        format!(
            "{:#}",
            RunConfig::parse(include_str!("../../../configs/dobutsu.toml"), &overrides).unwrap_err()
        )
    };
    for (item, expected) in [
        ("selfplay.search.max_considered=-1", "(in `selfplay.search.max_considered`)"),
        ("selfplay.search.target_temperature=''", "(in `selfplay.search.target_temperature`)"),
        ("selfplay.search.kind=1", "(in `kind = 1`)"),
        ("net.inputs=''", "(in `net.inputs`)"),
        ("net.hidden='x'", "(in `net.hidden`)"),
        ("selfplay.precision=bf16", "selfplay.precision = \"bf16\": a sparse-128-attacks net has none"),
        ("play.precision=bf16", "play.precision = \"bf16\": a sparse-128-attacks net has none"),
        ("play.precision=fp16", "play.precision = \"fp16\": a sparse-128-attacks net has none"),
        ("selfplay.simulation=8", "simulation"),
        ("selfplay.simulations=0", "selfplay.simulations"),
        ("selfplay.simulations=many", "simulations"),
        ("selfplay.full_share=1.5", "selfplay.full_share"),
        ("selfplay.handicap={share=0.5}", "dobutsu has no handicaps"),
        ("selfplay.handicap={share=2}", "selfplay.handicap.share"),
        ("selfplay.handicap={share=0,names=['rook']}", "'rook'"),
        ("game=chess", "chess"),
        ("rules=jsa24", "jsa24"),
        ("net.hidden=20", "multiple"),
        ("net.hidden=1000000", "at most 65536"),
        ("net.hidden=9223372036854775776", "at most 65536"),
        ("net={kind='conv',blocks=1000000000,channels=16}", "at most 1024"),
        ("net={kind='conv',blocks=1000,channels=4096}", "more than 134217728 parameters"),
        ("evaluation.games=4294967295", "evaluation.games = 4294967295: must be at most 1000000"),
        ("evaluation.simulations=4294967295", "must be at most 65536"),
        ("learner.batch=9223372036854775807", "learner.batch"),
        ("learner.shard=9223372036854775807", "learner.shard"),
        ("learner.schedule.peak=inf", "learner.schedule.peak"),
        ("learner.loss.value=nan", "learner.loss.value"),
        ("replay.window_max=9223372036854775807", "replay.window_max"),
        ("learner.batch=0", "learner.batch"),
        ("learner.schedule.peak=-1", "learner.schedule.peak"),
        ("replay.reuse=0", "replay.reuse"),
        ("budget.positions=0", "budget.positions"),
        ("evaluation.games=0", "evaluation.games"),
        ("checkpoints.every=0", "checkpoints.every"),
        ("checkpoints.keep=0", "checkpoints.keep"),
        ("nonsense", "nonsense"),
        ("minutes=3", "there is no key minutes; there is budget.minutes"),
        ("hidden=64", "there is no key hidden; there is net.hidden"),
        ("simulations=8", "selfplay.simulations"),
        ("net.seed=1", "unknown field `seed`"),
        ("seed.more=1", "seed"),
    ] {
        let error = read(&[item]);
        assert!(error.contains(expected), "{item}: {error}");
        assert_eq!(error.lines().count(), 1, "one line: {error}");
    }
}

#[test]
fn the_configs_that_come_with_the_program_are_valid() {
    for text in CONFIGS {
        let config = RunConfig::parse(text, &[]).unwrap();
        assert_eq!(RunConfig::parse(&config.to_toml(), &[]).unwrap(), config, "what is saved is read back");
    }
}

#[test]
fn a_tower_and_another_search_are_asked_for_as_the_docs_say() {
    let page = include_str!("../../../docs/training.md");
    let tower = [
        "net={kind=\"conv\",blocks=4,channels=32}",
        "selfplay.precision=auto",
        "learner.batch=256",
        "learner.shard=64",
    ];
    let puct = "selfplay.search={kind=\"puct\"}";
    assert!(page.contains(&format!("--set '{puct}'")) && page.contains(&format!("--set '{}'", tower[0])));
    let (_, table) = page.split_once("```toml\n[selfplay.search]\nkind = \"puct\"\n").unwrap();
    let (table, _) = table.split_once("```").unwrap();
    let defaults: toml::Table = toml::from_str(table).unwrap();
    for text in CONFIGS {
        let read = |set: &[&str]| {
            let set: Vec<String> = set.iter().map(|&item| item.to_owned()).collect();
            RunConfig::parse(text, &set).unwrap()
        };
        assert_eq!(read(&tower).net.to_string(), "4x32");
        // Each key that the page shows, as it is without.
        let usual = read(&[puct]);
        let shown: Vec<String> =
            defaults.iter().map(|(key, value)| format!("selfplay.search.{key}={value}")).collect();
        let shown: Vec<&str> = [puct].into_iter().chain(shown.iter().map(String::as_str)).collect();
        assert_eq!(read(&shown), usual);
        assert!(defaults.len() == 11 && defaults.contains_key("noise_concentration"), "{defaults:?}");
    }
}

/// Lines that are commented out show the defaults.
#[test]
fn settings_of_play_that_are_commented_out_change_nothing() {
    for text in CONFIGS {
        let config = RunConfig::parse(text, &[]).unwrap();
        let (_, rest) = text.split_once("\n# [play]\n").unwrap();
        let (table, _) = rest.split_once("\n\n").unwrap();
        let lines = table.lines().filter_map(|line| line.strip_prefix("# "));
        let settings = lines.filter(|line| toml::from_str::<toml::Table>(line).is_ok());
        let shown: PlayTable = toml::from_str(&settings.collect::<Vec<_>>().join("\n")).unwrap();
        assert!(shown.search.is_some() && shown.memory.is_some(), "{}: {shown:?}", config.game);
        let [shown, usual] =
            [shown, PlayTable::default()].map(|table| table.complete(config.game, &config.net));
        assert_eq!(shown, usual, "{}", config.game);
    }
}

/// A machine where burn computes, on the processor.
const FLEX: Machine = Machine { workers: 1, backend: Backend::Flex };

#[test]
fn a_precision_that_the_backend_lacks_is_refused_before_a_folder_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    for table in ["selfplay", "play"] {
        let config = config(&[&format!("{table}.precision=bf16")]);
        let opened = Trainer::<Dobutsu>::open(config, &run, FLEX, None).map(|_| ());
        let error = format!("{:#}", opened.unwrap_err());
        assert_eq!(error, format!("{table}.precision: backend flex has no bf16"));
        assert!(!run.exists());
    }
}

/// The configs ask for int16, which is for the native backend alone.
#[test]
fn a_sparse_net_plays_learns_and_is_evaluated_in_burn_too() {
    let config = config(&[
        "budget.generations=1",
        "net={kind='sparse',hidden=32,inputs='attacks'}",
        "selfplay.precision=int16",
        "selfplay.positions_per_generation=60",
        "selfplay.simulations=4",
        "selfplay.max_plies=20",
        "replay.window_start=50",
        "evaluation.every=1",
        "evaluation.games=2",
        "evaluation.simulations=2",
    ]);
    let folder = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let mut watch = Watch { stop: &stop, left: usize::MAX, reports: Vec::new() };
    let mut trainer = Trainer::<Dobutsu>::open(config, folder.path(), FLEX, None).unwrap();
    assert_eq!(trainer.run(&stop, &mut watch).unwrap(), RunEnd::Done);
    assert_eq!(trainer.state().elo.len(), 1, "it was evaluated");
}
