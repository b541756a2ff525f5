//! Damaged files of matches and ladders, and damaged openings.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::LazyLock,
};

use rand::SeedableRng;
use sanki::base::rng::Rng;

use super::{
    damage::Damage,
    runs::{output, quiet, refused, scratch, survived, tidy, train},
    size,
    tally::{Fate, Tally},
    tiny_run::{copy, finish, sanki},
};

/// What is damaged: a folder of games, and how it came to be.
struct Folder {
    root: PathBuf,
    /// Plays the games in a folder, those that it lacks.
    play: fn(&Path) -> Command,
    /// What is printed of them.
    result: Vec<u8>,
}

impl Folder {
    fn new(name: &str, play: fn(&Path) -> Command) -> Self {
        let root = scratch(name);
        let result = finish(play(&root)).stdout;
        Folder { root, play, result }
    }

    /// Damages `file` in so many ways, and plays again what that costs.
    fn try_file(
        &self,
        what: &'static str,
        file: &str,
        count: usize,
        judge: impl Fn(&Output, &Path) -> Fate + Sync,
    ) -> Tally {
        let whole = fs::read(self.root.join(file)).unwrap();
        let mut rng = Rng::seed_from_u64(count as u64);
        let drawn = (0..).map(|number| (number, Damage::draw(number, whole.len(), &mut rng)));
        let cases: Vec<(usize, Damage)> =
            drawn.filter(|(_, damage)| damage.apply(&whole) != whole).take(count).collect();
        let name = self.root.file_name().unwrap().to_str().unwrap();
        Tally::of(what, &cases, |(number, damage)| {
            let folder = scratch(&format!("{name}-{file}-{number}"));
            copy(&self.root, &folder);
            fs::write(folder.join(file), damage.apply(&whole)).unwrap();
            let fate = match output((self.play)(&folder)) {
                Ok(output) => judge(&output, &folder),
                Err(hangs) => Fate::Lost(hangs),
            };
            tidy(&folder, fate)
        })
        .check(count)
    }

    fn same_result(&self, output: &Output) -> Fate {
        survived(quiet(output).and_then(|()| match output.stdout == self.result {
            true => Ok(()),
            false => Err(format!("another result: {}", String::from_utf8_lossy(&output.stdout))),
        }))
    }
}

fn count() -> usize {
    size(12, 220)
}

fn of_match() -> &'static Folder {
    static MATCH: LazyLock<Folder> = LazyLock::new(|| Folder::new("match", play_match));
    &MATCH
}

fn play_match(folder: &Path) -> Command {
    let mut command =
        sanki(&["match", "uniform@sims=2", "random", "--game", "dobutsu", "--games", "8", "--json"]);
    command.args(["--threads", "1", "--out"]).arg(folder);
    command
}

#[test]
fn damaged_games_are_played_again() {
    let folder = of_match();
    folder
        .try_file("damaged: games of a match", "games.jsonl", count(), |output, _| folder.same_result(output))
        .all_survive();
}

/// Whitespace and the like may be damaged without harm.
#[test]
fn damaged_settings_of_a_match_are_refused() {
    let folder = of_match();
    folder.try_file("damaged: settings of a match", "match.json", count(), |output, _| {
        match output.status.success() {
            true => folder.same_result(output),
            false => refused(output, &["match.json"]),
        }
    });
}

fn ladder_run() -> &'static Path {
    static RUN: LazyLock<PathBuf> = LazyLock::new(|| {
        let run = scratch("ladder-run");
        finish(train(&run, &["budget.generations=1"]));
        run
    });
    &RUN
}

#[test]
fn damaged_games_of_a_ladder_are_played_again() {
    let folder = Folder::new("ladder", |folder| {
        let run = ladder_run().to_str().unwrap();
        let mut command =
            sanki(&["ladder", run, "--games", "8", "--sims", "1", "--checkpoints", "2", "--json"]);
        command.args(["--threads", "1", "--out"]).arg(folder);
        command
    });
    folder
        .try_file("damaged: games of a ladder", "games.jsonl", count(), |output, _| survived(quiet(output)))
        .all_survive();
}

/// Where another position comes out, it is played from.
#[test]
fn damaged_openings_are_played_or_refused() {
    fn play(folder: &Path) -> Command {
        let openings = folder.join("openings.epd");
        if !openings.exists() {
            fs::create_dir_all(folder).unwrap();
            let mut make = sanki(&["openings", "--game", "dobutsu", "--count", "8", "-o"]);
            make.arg(&openings);
            finish(make);
        }
        let mut command =
            sanki(&["match", "random", "uniform@sims=1", "--game", "dobutsu", "--games", "4", "--json"]);
        command.args(["--threads", "1", "--openings"]).arg(openings).arg("--out").arg(folder.join("games"));
        command
    }
    let folder = Folder::new("openings", play);
    fs::remove_dir_all(folder.root.join("games")).unwrap();
    folder.try_file("damaged: openings", "openings.epd", count(), |output, _| {
        match output.status.success() {
            true => survived(quiet(output)),
            false => refused(output, &["openings.epd"]),
        }
    });
}
