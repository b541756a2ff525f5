//! Towers play in the program that is built by default, and are refused by name in the one without burn.

use std::{fs, process::Command};

use sanki::{
    games::{
        encode::Encode,
        rules::{RuleSet, dobutsu::Dobutsu},
    },
    net::{Model, ModelFile},
};

use super::{Engine, program};

#[test]
fn a_tower_plays_or_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let net = "1x16".parse().unwrap();
    let file = ModelFile::untrained::<Dobutsu>(RuleSet::Standard, Model::init(&net, Dobutsu::SHAPE, 1));
    let [container, safetensors] = ["tower.sanki", "tower.safetensors"].map(|name| folder.path().join(name));
    file.to_container().write(&container).unwrap();
    fs::write(&safetensors, file.to_safetensors()).unwrap();
    for path in [container, safetensors] {
        if super::has_burn() {
            let mut engine = Engine::of(Command::new(program()).arg("--model").arg(&path));
            engine.say("uci");
            engine.until("uciok");
            engine.say("isready");
            let ready = engine.until("readyok");
            assert!(ready.iter().any(|line| line.contains("(1x16)")), "{ready:?}");
            engine.answer("go nodes 20");
            engine.quit();
        } else {
            let output = Command::new(program()).arg("--model").arg(&path).output().expect("it runs");
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{error}");
            let name = path.file_name().unwrap().to_str().unwrap();
            for word in [name, "1x16", "is a tower", "built without burn"] {
                assert!(error.contains(word), "no '{word}' in {error}");
            }
        }
    }
}
