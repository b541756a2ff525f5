//! Models that somebody has made up, with the right checksums.

use std::fs;

use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use sanki::{
    base::{rng::Rng, store::Container},
    games::{
        encode::Encode,
        rules::{RuleSet, dobutsu::Dobutsu},
    },
    net::{Model, ModelFile},
};
use serde_json::{Value, json};

use super::{
    damage::Damage,
    runs::{output, quiet, refused, scratch, survived},
    size,
    tally::{Fate, Tally},
    tiny_run::sanki,
};

#[derive(Clone)]
struct Crafted {
    what: String,
    bytes: Vec<u8>,
}

impl std::fmt::Debug for Crafted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}

/// What no field should hold.
fn values() -> Vec<Value> {
    let mut values = vec![
        json!(null),
        json!(true),
        json!(""),
        json!("sparse-65536"),
        json!("\u{1b}[31m"),
        json!([]),
        json!({}),
    ];
    values.extend([0u64, 1, 1 << 20, 1 << 32, 1 << 63, u64::MAX].map(|number| json!(number)));
    values.extend([json!(-1), json!(1e308), json!(0.5), json!([0, 0]), json!("x".repeat(100_000))]);
    values
}

/// The paths of all fields of a description.
fn paths(value: &Value, path: &str) -> Vec<String> {
    let Value::Object(fields) = value else { return Vec::new() };
    let mut all = Vec::new();
    for (key, inner) in fields {
        let path = format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"));
        all.extend(paths(inner, &path));
        all.push(path);
    }
    all
}

/// `value` with every field replaced by everything, or missing.
fn spoilt(value: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for path in paths(value, "") {
        for other in values() {
            let mut spoilt = value.clone();
            let text = other.to_string();
            *spoilt.pointer_mut(&path).expect("a path") = other;
            all.push((format!("{path} = {:.40}", text), spoilt));
        }
        let (parent, key) = path.rsplit_once('/').expect("a path");
        let mut spoilt = value.clone();
        spoilt.pointer_mut(parent).and_then(Value::as_object_mut).expect("a table").remove(key);
        all.push((format!("no {path}"), spoilt));
    }
    all
}

fn container(description: &Value, weights: &[u8]) -> Vec<u8> {
    let description = description.to_string().into_bytes();
    Container::new("checkpoint").with("model", description).with("weights", weights.to_vec()).to_bytes()
}

/// Weights in safetensors: a length, a header in JSON, and numbers.
fn with_header(header: &Value, numbers: &[u8]) -> Vec<u8> {
    let header = header.to_string().into_bytes();
    [&(header.len() as u64).to_le_bytes()[..], &header, numbers].concat()
}

fn all(net: &str) -> Vec<Crafted> {
    let model = Model::init(&net.parse().unwrap(), Dobutsu::SHAPE, 1);
    let file = ModelFile::untrained::<Dobutsu>(RuleSet::Standard, model);
    let (description, weights) = (serde_json::to_value(&file.meta).unwrap(), file.model.to_bytes());
    let mut all: Vec<Crafted> = spoilt(&description)
        .into_iter()
        .map(|(what, spoilt)| Crafted { what, bytes: container(&spoilt, &weights) })
        .collect();

    let length = u64::from_le_bytes(weights[..8].try_into().unwrap()) as usize;
    let header: Value = serde_json::from_slice(&weights[8..8 + length]).unwrap();
    let numbers = &weights[8 + length..];
    all.extend(spoilt(&header).into_iter().map(|(what, header)| Crafted {
        what: format!("weights: {what}"),
        bytes: container(&description, &with_header(&header, numbers)),
    }));

    let mut rng = Rng::seed_from_u64(1);
    for number in 0..200 {
        let damage = Damage::draw(number, weights.len(), &mut rng);
        let bytes = container(&description, &damage.apply(&weights));
        all.push(Crafted { what: format!("weights: {damage}"), bytes });
    }
    for special in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -f32::MAX, f32::MIN_POSITIVE] {
        for share in [0.001, 1.0] {
            let mut spoilt = weights.clone();
            for number in spoilt[8 + length..].chunks_exact_mut(4) {
                if rng.random_bool(share) {
                    number.copy_from_slice(&special.to_le_bytes());
                }
            }
            let what = format!("weights: {special} in {share} of them");
            all.push(Crafted { what, bytes: container(&description, &spoilt) });
        }
    }
    all
}

#[test]
fn crafted_models_are_played_or_refused() {
    let mut models: Vec<Crafted> = ["sparse-32", "1x16"].into_iter().flat_map(all).collect();
    let count = size(80, 600);
    let mut rng = Rng::seed_from_u64(2);
    models = models.sample(&mut rng, count).cloned().collect();
    let cases: Vec<(usize, Crafted)> = models.into_iter().enumerate().collect();
    Tally::of("crafted models", &cases, |(number, model)| {
        let path = scratch(&format!("crafted-{number}.sanki"));
        fs::write(&path, &model.bytes).unwrap();
        let name = path.to_str().unwrap();
        let play =
            ["match", name, "random", "--games", "2", "--sims", "4", "--max-plies", "20", "--json", "--out"];
        let games = path.with_extension("games");
        let mut command = sanki(&play);
        command.arg(&games).args(["--threads", "1"]);
        let fate = match output(command) {
            Ok(output) if output.status.success() => survived(quiet(&output)),
            Ok(output) => refused(&output, &[name]),
            Err(hangs) => Fate::Lost(hangs),
        };
        fs::remove_file(&path).unwrap();
        // There is no such folder where the model was refused.
        let _ = fs::remove_dir_all(&games);
        fate
    })
    .check(count);
}
