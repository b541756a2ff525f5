//! A game of another crate is introduced, trained, resumed, read back and played in a match, as the program's own are.

use crate::support;

use std::{path::Path, sync::atomic::AtomicBool};

use sanki::{
    arena::{
        Competitor, Conditions, Match, MatchConfig, Player, PlayerBudget, RandomPlayer, SearchPlayer,
        embedded,
    },
    games::rules::{Game, GameId, RuleSet, Setup},
    net::{Backend, LoadedNet, ModelFile, NetEvaluator, PlayTable, file::newest},
    training::run::{GenerationReport, Machine, Observer, RunConfig, RunEnd, Trainer},
};
use support::rows::{ROWS, Three};

struct Silent;

impl Observer for Silent {
    fn progress(&mut self, _: f64, _: &str) {}
    fn generation(&mut self, _: &GenerationReport) {}
}

/// Trains in `folder` up to so many generations.
fn train(folder: &Path, generations: u32) -> ModelFile {
    let config = RunConfig::parse(ROWS.config, &[format!("budget.generations={generations}")]).unwrap();
    assert_eq!(config.game, Three::ID);
    let machine = Machine { workers: 2, backend: Backend::default() };
    let mut trainer = Trainer::<Three>::open(config, folder, machine, None).unwrap();
    assert_eq!(trainer.run(&AtomicBool::new(false), &mut Silent).unwrap(), RunEnd::Done);
    assert_eq!(trainer.state().generation, generations);
    trainer.model()
}

/// Score of the net against random moves, from the game's openings.
fn score_against_chance(model: &ModelFile) -> f64 {
    let play = model.play(&PlayTable::default());
    let net: LoadedNet = Backend::default().load_in(&model.model, play.precision).unwrap();
    let player = || -> Box<dyn Player<Three>> {
        let evaluator = || NetEvaluator::new(net.evaluator(<Three as sanki::games::encode::Encode>::SHAPE));
        Box::new(SearchPlayer::new(play.clone(), PlayerBudget::Simulations(16), evaluator))
    };
    let field = [Competitor::new("net", player), Competitor::new("chance", || Box::new(RandomPlayer::new()))];
    let conditions = Conditions { max_plies: 20, seed: 5, threads: 2 };
    let mut played =
        Match::new(MatchConfig { games: 40, sprt: None, conditions }, "net", Vec::new()).unwrap();
    let openings = embedded::<Three>(RuleSet::Standard, Setup::Drawn, 20, 1);
    assert_eq!(openings.len(), 2);
    played.play(&field, &openings, &AtomicBool::new(false), &mut |_, _| Ok(())).unwrap();
    played.result().score
}

#[test]
fn a_guest_is_trained_resumed_and_played() {
    assert_eq!(GameId::introduce(&ROWS), Three::ID);
    let folder = tempfile::tempdir().unwrap();
    let begun = train(folder.path(), 2);
    let done = train(folder.path(), 4);
    assert!(begun.model != done.model, "the run goes on from its checkpoint and its records");
    let read = ModelFile::read(&newest(folder.path()).unwrap()).unwrap();
    read.check::<Three>().unwrap();
    assert!(read.model == done.model && read.meta.game == Three::ID);
    assert!(read.check::<sanki::games::rules::dobutsu::Dobutsu>().is_err(), "it is no game of dobutsu");
    let score = score_against_chance(&read);
    assert!(score > 0.85, "a net and a search beat chance: {score}");
}

#[test]
fn a_guest_is_known_by_its_name_once_it_is_introduced() {
    assert!("row".parse::<GameId>().is_err());
    let game = GameId::introduce(&ROWS);
    assert_eq!(GameId::introduce(&ROWS), game, "twice is once");
    assert_eq!("rows".parse(), Ok(game));
    assert_eq!(serde_json::to_string(&game).unwrap(), "\"rows\"");
    assert_eq!(serde_json::from_str::<GameId>("\"rows\"").unwrap(), game);
    let bytes = postcard::to_stdvec(&game).unwrap();
    assert_eq!(postcard::from_bytes::<GameId>(&bytes).unwrap(), game);
    assert!(!GameId::ALL.contains(&game), "the program does not offer it");
}
