//! Damaged files of a run, and damaged models.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
    sync::LazyLock,
};

use rand::SeedableRng;
use sanki::{base::rng::Rng, training::run::RunConfig};

use super::{
    damage::Damage,
    runs::{end, killed, output, quiet, refused, scratch, survived, tidy, train},
    size,
    tally::{Fate, Tally},
    tiny_run::{contents, copy, essence, finish, resume, sanki},
};

#[derive(Debug)]
struct Case {
    number: usize,
    file: &'static str,
    damage: Damage,
}

/// Damage to a file of `folder` that makes a difference.
fn cases(folder: &Path, file: &'static str, count: usize) -> Vec<Case> {
    let bytes = fs::read(folder.join(file)).unwrap();
    let mut rng = Rng::seed_from_u64(crc32fast::hash(file.as_bytes()).into());
    let drawn = (0..).map(|number| (number, Damage::draw(number, bytes.len(), &mut rng)));
    drawn
        .filter(|(_, damage)| damage.apply(&bytes) != bytes)
        .take(count)
        .map(|(number, damage)| Case { number, file, damage })
        .collect()
}

/// A copy of the run that was killed in its third generation, with the damage of `case`, and the damaged file.
fn damaged(case: &Case) -> (PathBuf, Vec<u8>) {
    let name = case.file.replace('/', "-");
    let folder = scratch(&format!("damaged-{name}-{}", case.number));
    copy(killed(), &folder);
    let path = folder.join(case.file);
    let bytes = case.damage.apply(&fs::read(&path).unwrap());
    fs::write(&path, &bytes).unwrap();
    (folder, bytes)
}

/// Goes on with the damaged run of each of so many cases, which `end` judges by what the program did.
fn try_run(
    what: &'static str,
    file: &'static str,
    count: usize,
    judge: impl Fn(&Case, &Path, &[u8], &Output) -> Fate + Sync,
) -> Tally {
    let cases = cases(killed(), file, count);
    Tally::of(what, &cases, |case| {
        let (folder, bytes) = damaged(case);
        let fate = match output(resume(&folder)) {
            Ok(output) => judge(case, &folder, &bytes, &output),
            Err(hangs) => Fate::Lost(hangs),
        };
        tidy(&folder, fate)
    })
    .check(count)
}

/// Whether the run ended as it should, with each generation in its list of figures at most once.
fn ended(folder: &Path, output: &Output) -> Result<(), String> {
    quiet(output)?;
    match essence(folder) == *end() {
        true => Ok(()),
        false => Err("it ends differently".into()),
    }
}

/// As [`ended`], where what was damaged is kept.
fn mended(case: &Case, folder: &Path, bytes: &[u8], output: &Output) -> Fate {
    let name = format!("{}.damaged", case.file);
    let kept = fs::read(folder.join(&name)).is_ok_and(|kept| kept == bytes);
    let is_cut = |whole: &[u8]| whole.starts_with(bytes);
    let whole = || fs::read(killed().join(case.file)).unwrap();
    survived(ended(folder, output).and_then(|()| match kept || is_cut(&whole()) {
        true => Ok(()),
        false => Err(format!("{name} is not kept: {}", super::tiny_run::said(output))),
    }))
}

/// Every file has this many cases of damage.
fn count() -> usize {
    size(12, 220)
}

#[test]
fn damaged_checkpoints_are_refused() {
    let tally = try_run(
        "damaged: newest checkpoint",
        "checkpoints/gen-000002.sanki",
        count(),
        |case, folder, bytes, output| match fs::read(folder.join(case.file)).unwrap() == bytes {
            true => refused(output, &[case.file]),
            false => Fate::Lost("it was changed".into()),
        },
    );
    tally.all_refused();
}

#[test]
fn the_untrained_net_is_missed_at_the_end_alone() {
    let tally = try_run(
        "damaged: first checkpoint",
        "checkpoints/gen-000000.sanki",
        count(),
        |case, folder, _, output| {
            // All is learnt, and what cannot be measured is said.
            match essence(folder) == *end() {
                true => refused(output, &[case.file]),
                false => Fate::Lost("it ends differently".into()),
            }
        },
    );
    tally.all_refused();
}

#[test]
fn damaged_journals_are_played_again() {
    try_run("damaged: journal", "records/gen-000003.journal", count(), |_, folder, _, output| {
        survived(ended(folder, output))
    })
    .all_survive();
}

#[test]
fn damaged_records_are_played_again() {
    try_run("damaged: records", "records/gen-000001.records", count(), mended).all_survive();
}

/// The net that played them is not kept.
#[test]
fn lost_records_are_refused() {
    try_run(
        "damaged: records that cannot be played again",
        "records/gen-000002.records",
        count(),
        |case, _, _, output| refused(output, &[case.file]),
    )
    .all_refused();
}

#[test]
fn damaged_figures_are_put_aside() {
    try_run("damaged: metrics.jsonl", "metrics.jsonl", count(), |_, folder, _, output| {
        survived(ended(folder, output).and_then(|()| figures(folder)))
    })
    .all_survive();
}

/// Each line reads, no generation has two, and those that were played since have theirs.
fn figures(folder: &Path) -> Result<(), String> {
    let text = fs::read_to_string(folder.join("metrics.jsonl")).map_err(|error| error.to_string())?;
    let mut generations = Vec::new();
    for line in text.lines() {
        let line: serde_json::Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        generations.push(line["generation"].as_u64().unwrap());
    }
    let is_sound = generations.is_sorted_by(|a, b| a < b) && generations.ends_with(&[3, 4]);
    if is_sound { Ok(()) } else { Err(format!("figures of generations {generations:?}")) }
}

#[test]
fn a_damaged_name_of_the_newest_checkpoint_is_made_again() {
    try_run("damaged: latest", "latest", count(), |_, folder, _, output| survived(ended(folder, output)))
        .all_survive();
}

/// Settings that read and are others were set by somebody: they are in force, or cannot be any more.
#[test]
fn damaged_settings_are_taken_from_the_checkpoint() {
    try_run("damaged: config.toml", "config.toml", count(), |_, folder, bytes, output| {
        let parse = |bytes: &[u8]| RunConfig::parse(std::str::from_utf8(bytes).ok()?, &[]).ok();
        let whole = parse(&fs::read(killed().join("config.toml")).unwrap());
        match parse(bytes) {
            None => survived(ended(folder, output)),
            Some(_) if parse(bytes) == whole => survived(ended(folder, output)),
            Some(_) if output.status.success() => survived(quiet(output)),
            Some(_) => refused(output, &["differs from the one that this run was started with"]),
        }
    });
}

#[test]
fn what_only_people_read_does_not_matter() {
    let lists = ["train.log".to_owned(), events()];
    for file in lists {
        let file: &'static str = file.leak();
        try_run("damaged: the log, the curves", file, count(), |_, folder, _, output| {
            survived(ended(folder, output))
        })
        .all_survive();
    }
}

/// The file of TensorBoard.
fn events() -> String {
    let names = contents(killed()).into_keys().map(|path| path.strip_prefix(killed()).unwrap().to_owned());
    let mut names = names.map(|path| path.into_os_string().into_string().unwrap());
    names.find(|name| name.starts_with("events.out")).expect("curves")
}

/// A small model as `sanki export` makes it.
fn model() -> &'static Path {
    static MODEL: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = scratch("model");
        finish(train(&folder.join("run"), &["budget.generations=1"]));
        let path = folder.join("model.sanki");
        let run = folder.join("run").into_os_string().into_string().unwrap();
        let mut export = sanki(&["export", &run, "--format", "sanki", "-o"]);
        export.arg(&path);
        finish(export);
        path
    });
    &MODEL
}

#[test]
fn damaged_models_are_refused() {
    let folder = model().parent().unwrap();
    let cases = cases(folder, "model.sanki", count());
    let tally = Tally::of("damaged: exported model", &cases, |case| {
        let path = scratch(&format!("damaged-model-{}.sanki", case.number));
        fs::write(&path, case.damage.apply(&fs::read(model()).unwrap())).unwrap();
        let name = path.to_str().unwrap();
        let fate = match output(sanki(&["match", name, "random", "--games", "2", "--json"])) {
            Ok(output) => refused(&output, &[name]),
            Err(hangs) => Fate::Lost(hangs),
        };
        fs::remove_file(&path).unwrap();
        fate
    });
    tally.check(count()).all_refused();
}
