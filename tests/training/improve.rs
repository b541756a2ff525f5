//! `sanki improve`: a net gets better, and whatever stops it, the best net and the log stay whole.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread::sleep,
    time::{Duration, Instant},
};

use sanki::{
    games::{
        encode::Encode,
        rules::{GameId, RuleSet, dobutsu::Dobutsu},
    },
    net::ModelFile,
    training::{
        improve::{CycleReport, Kept},
        run::RunConfig,
    },
};

use crate::tiny_run::{finish, refuse, said, sanki, train};

/// A run that has learnt next to nothing.
fn beginner(folder: &Path) -> PathBuf {
    let run = folder.join("run");
    finish(train(&run, &["budget.generations=1", "learner.batch=128"]));
    run
}

/// Cycles of `minutes`, with small matches.
fn improve(folder: &Path, minutes: &str, hours: &str, more: &[&str]) -> Command {
    improve_by(folder, minutes, hours, ["40", "100"], more)
}

/// The same with matches of so many games and nodes a move.
fn improve_by(
    folder: &Path,
    minutes: &str,
    hours: &str,
    [games, nodes]: [&str; 2],
    more: &[&str],
) -> Command {
    let mut command =
        sanki(&["improve", "--hours", hours, "--cycle", minutes, "--games", games, "--nodes", nodes]);
    command.args(["--threads", "2", "--out"]).arg(folder).args(more);
    command
}

fn cycles(folder: &Path) -> Vec<CycleReport> {
    let text = fs::read_to_string(folder.join("cycles.jsonl")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// The hours of `cycles` and so many seconds more.
fn hours_after(cycles: &[CycleReport], seconds: f64) -> String {
    let spent: f64 = cycles.iter().map(|cycle| cycle.seconds).sum();
    ((spent + seconds) / 3600.0).to_string()
}

/// The best net is that of the last cycle that kept one.
fn check_best(folder: &Path) {
    let last = cycles(folder).into_iter().rfind(|cycle| cycle.kept != Kept::Best);
    let name = last.map_or("start.sanki".to_owned(), |cycle| format!("best-{:03}.sanki", cycle.cycle));
    let [best, kept] = ["best.sanki", &name].map(|name| ModelFile::read(&folder.join(name)).unwrap());
    assert!(best == kept, "best.sanki is not {name}");
}

#[test]
fn a_beginner_gets_better_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (beginner(folder.path()), folder.path().join("better"));
    let net = run.to_str().unwrap();
    // At the full rate: a quarter is for nets that know something.
    let mut output = finish(improve(&out, "0.1", "0.004", &[net, "--set", "learner.schedule.peak=0.008"]));
    let mut done = cycles(&out);
    assert!(!done.is_empty(), "{}", said(&output));
    // A busy machine learns less in that time.
    for _ in 0..5 {
        if done.iter().any(|cycle| cycle.kept != Kept::Best) {
            break;
        }
        output = finish(improve(&out, "0.1", &hours_after(&done, 8.0), &[]));
        done = cycles(&out);
    }
    assert!(done.iter().any(|cycle| cycle.kept != Kept::Best), "nothing was gained: {done:?}");
    let mut elo = 0.0;
    for (cycle, number) in done.iter().zip(1..) {
        assert_eq!(cycle.cycle, number);
        assert_eq!(cycle.elo > elo, cycle.kept != Kept::Best, "{cycle:?}");
        elo = cycle.elo;
        assert!(!out.join(format!("cycle-{number:03}/run-1")).exists(), "what it learnt from is removed");
        assert!(!out.join(format!("cycle-{number:03}/run-2")).exists());
    }
    assert!(said(&output).contains(&format!("Elo {elo:+.0} since the start")), "{}", said(&output));
    check_best(&out);
    let entries = fs::read_dir(out.join("cycle-001")).unwrap();
    let matches = entries.filter(|entry| entry.as_ref().unwrap().path().is_dir()).count();
    assert_eq!(matches, 2, "the trained net and the mean");
    assert!(fs::read_to_string(out.join("improve.html")).unwrap().contains("<svg"));

    // With more hours it goes on, without being told the net again.
    finish(improve(&out, "0.1", &hours_after(&done, 8.0), &[]));
    let more = cycles(&out);
    assert!(more.len() > done.len() && more[..done.len()] == done[..], "{more:?}");
    check_best(&out);
}

#[test]
fn a_kill_costs_nothing_that_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (beginner(folder.path()), folder.path().join("better"));
    let net = run.to_str().unwrap();
    let mut before: Vec<CycleReport> = Vec::new();
    for pause in [300, 1500, 2500] {
        let mut child = improve(&out, "0.02", "10", &[net]).spawn().unwrap();
        let begin = Instant::now();
        while cycles_so_far(&out) <= before.len() {
            assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
            assert!(begin.elapsed() < Duration::from_secs(120), "no cycle ends");
            sleep(Duration::from_millis(20));
        }
        sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
        // The last line may be cut; what was there before stays.
        let torn = fs::read_to_string(out.join("cycles.jsonl")).unwrap();
        let whole = torn.rsplit_once('\n').map_or("", |(whole, _)| whole);
        let now: Vec<CycleReport> = whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(now[..before.len()], before[..]);
        ModelFile::read(&out.join("best.sanki")).expect("the best net is whole");
        before = now;
    }
    // As if the last kill had come between the log and the removal of what the cycle learnt from.
    let left = out.join(format!("cycle-{:03}/run-1", before.len()));
    fs::create_dir_all(&left).unwrap();
    let spent: f64 = before.iter().map(|cycle| cycle.seconds).sum();
    finish(improve(&out, "0.02", &format!("{}", (spent + 3.0) / 3600.0), &[]));
    assert!(!left.exists());
    assert_eq!(cycles(&out)[..before.len()], before[..]);
    check_best(&out);
}

/// The run that made the published net went on from another one, at a quarter of the rate: a cycle does not take a quarter
/// of that.
#[test]
fn a_cycle_takes_its_part_of_the_usual_rate() {
    let folder = tempfile::tempdir().unwrap();
    let net = Path::new(env!("CARGO_MANIFEST_DIR")).join("checkpoints/minishogi.sanki");
    let peak_of = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        // Less than half a cycle: it only begins the folder.
        finish(improve(&out, "1", "0.0001", &[&[net.to_str().unwrap()], more].concat()));
        config_of(&out).learner.schedule.peak
    };
    let own = RunConfig::parse(GameId::Minishogi.facts().config, &[]).unwrap().learner.schedule.peak;
    assert_eq!(peak_of("as-it-is", &[]), own);
    assert_eq!(peak_of("set", &["--set", "learner.schedule.peak=0.0001"]), 0.0001);
}

/// An exported net has no settings beside it; those of its game are for the first rule set.
#[test]
fn a_net_of_any_rule_set_is_improved_by_its_own_rules() {
    let folder = tempfile::tempdir().unwrap();
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("checkpoints/dobutsu.sanki");
    let mut model = ModelFile::read(&published).unwrap();
    assert_ne!(model.meta.rules, RuleSet::Threefold);
    model.meta.rules = RuleSet::Threefold;
    let path = folder.path().join("threefold.sanki");
    fs::write(&path, model.to_container().to_bytes()).unwrap();
    let path = path.to_str().unwrap();
    let out = folder.path().join("better");
    // Less than half a cycle: it only begins the folder.
    finish(improve(&out, "1", "0.0001", &[path]));
    assert_eq!(config_of(&out).rules, RuleSet::Threefold);

    let config = |name: &str| format!("{}/configs/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let out = folder.path().join("given");
    let given = config("dobutsu");
    finish(improve(&out, "1", "0.0001", &[path, "--config", &given, "--set", "rules=threefold"]));
    assert_eq!(config_of(&out).rules, RuleSet::Threefold);
    let says = |config: &str, code: i32, help: &str| {
        let arguments = [path, "--config", config];
        let output = improve(&folder.path().join("none"), "1", "0.0001", &arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        assert!(said(&output).contains(help), "{}", said(&output));
    };
    says(&given, 1, "--set rules=threefold takes the net's");
    says(&config("minishogi"), 2, "name settings for dobutsu");
}

#[test]
fn a_folder_without_an_improvement_is_named() {
    let output = sanki(&["improve", "--hours", "1", "--out", "no/such/improvement"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("no/such/improvement holds no improvement"), "{}", said(&output));
}

/// Both begin with the best net; their seeds differ, so that each finds something of its own and their mean gains.
#[test]
fn two_runs_share_a_cycle() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (beginner(folder.path()), folder.path().join("better"));
    let mut child = improve(&out, "0.04", "10", &[run.to_str().unwrap()]).spawn().unwrap();
    let begin = Instant::now();
    let runs = [1, 2].map(|run| out.join(format!("cycle-001/run-{run}")));
    // A run writes its first net, then its settings.
    let read = |run: &PathBuf| -> Option<(ModelFile, RunConfig)> {
        let net = ModelFile::read(&run.join("checkpoints/gen-000000.sanki")).ok()?;
        let config = fs::read_to_string(run.join("config.toml")).ok()?;
        Some((net, RunConfig::parse(&config, &[]).unwrap()))
    };
    let [first, second] = loop {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        assert!(begin.elapsed() < Duration::from_secs(120), "no second run begins");
        sleep(Duration::from_millis(5));
        if let (Some(first), Some(second)) = (read(&runs[0]), read(&runs[1])) {
            break [first, second];
        }
    };
    child.kill().unwrap();
    child.wait().unwrap();
    let best = ModelFile::read(&out.join("best.sanki")).unwrap();
    let (nets, configs) = ([first.0, second.0], [first.1, second.1]);
    assert!(nets.iter().all(|net| net.model == best.model), "both begin with the best net");
    assert_ne!(configs[0].seed, configs[1].seed);
    assert!(configs.iter().all(|config| config.budget.minutes == Some(0.04)), "they train at the same time");

    // Both go on.
    finish(improve(&out, "0.04", "0.0004", &[]));
    assert_eq!(cycles(&out).len(), 1);
    check_best(&out);
}

/// Nets of older encodings can be used, and so they can be improved. What a cycle trains plays as its net does.
#[test]
fn an_older_net_with_settings_of_its_own_is_improved() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (beginner(folder.path()), folder.path().join("better"));
    let mut old = ModelFile::read(&run).unwrap();
    old.meta.encoding_version = Dobutsu::OLDEST_USABLE;
    old.meta.play.temperature = Some(2.0);
    let net = folder.path().join("old.sanki");
    fs::write(&net, old.to_container().to_bytes()).unwrap();
    fs::copy(run.join("config.toml"), net.with_extension("toml")).unwrap();
    finish(improve(&out, "0.02", "0.0004", &[net.to_str().unwrap()]));
    assert_eq!(cycles(&out).len(), 1);
    assert_eq!(config_of(&out).play, old.meta.play);
    check_best(&out);
}

/// A checkpoint has its run's settings in it, and what is set once is kept.
#[test]
fn settings_are_those_of_the_net_and_of_the_calls_before() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (beginner(folder.path()), folder.path().join("better"));
    let checkpoint = run.join("checkpoints/gen-000001.sanki");
    // Less than half a cycle, here and below: it only looks.
    let output = finish(improve(&out, "1", "0.0001", &[checkpoint.to_str().unwrap()]));
    assert!(said(&output).contains("no cycle was begun"), "{}", said(&output));
    assert!(
        said(&output).contains("--hours 0.0002 --cycle 1 --games 40 --nodes 100 --threads 2 --out"),
        "{}",
        said(&output)
    );
    assert_eq!(config_of(&out).selfplay.max_plies, 60, "tiny_run's");

    finish(improve(&out, "1", "0.0001", &["--set", "selfplay.max_plies=61"]));
    finish(improve(&out, "1", "0.0001", &[]));
    assert_eq!(config_of(&out).selfplay.max_plies, 61);

    let error = refuse(improve(&out, "1", "0.0001", &["--set", "seed=9"]));
    assert!(error.contains("seed differs"), "{error}");
    assert_ne!(config_of(&out).seed, 9);

    let missing = folder.path().join("missing.toml");
    let error = refuse(improve(&out, "1", "0.0001", &["--config", missing.to_str().unwrap()]));
    assert!(error.contains("missing.toml"), "{error}");
    let given = folder.path().join("given.toml");
    let other_seed = fs::read_to_string(run.join("config.toml")).unwrap().replacen("seed = 1", "seed = 8", 1);
    assert!(other_seed.contains("seed = 8"));
    fs::write(&given, other_seed).unwrap();
    finish(improve(&out, "1", "0.0001", &["--config", given.to_str().unwrap()]));
    assert_eq!(config_of(&out).selfplay.max_plies, 60);
}

fn config_of(folder: &Path) -> RunConfig {
    RunConfig::parse(&fs::read_to_string(folder.join("config.toml")).unwrap(), &[]).unwrap()
}

/// Six games decide no test, so that some cycle finds a net that is promising and no more.
#[test]
fn a_promising_net_is_trained_further() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (beginner(folder.path()), folder.path().join("better"));
    let net = run.to_str().unwrap();
    let mut child = improve_by(&out, "0.02", "10", ["6", "100"], &[net]).spawn().unwrap();
    let begin = Instant::now();
    let promising = loop {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        assert!(begin.elapsed() < Duration::from_secs(300), "no cycle is promising");
        sleep(Duration::from_millis(5));
        let Some(cycle) = cycles_until_now(&out).into_iter().rfind(|cycle| cycle.promising.is_some()) else {
            continue;
        };
        // What the next cycle begins with.
        let next = out.join(format!("cycle-{:03}/run-1/checkpoints/gen-000000.sanki", cycle.cycle + 1));
        let Ok(learner) = ModelFile::read(&next) else { continue };
        break (cycle, learner);
    };
    child.kill().unwrap();
    child.wait().unwrap();
    let (cycle, learner) = promising;
    assert_eq!(cycle.kept, Kept::Best);
    let kept = ModelFile::read(&out.join(format!("cycle-{:03}/promising.sanki", cycle.cycle))).unwrap();
    assert!(learner.model == kept.model, "cycle {} trains another net", cycle.cycle + 1);
    check_best(&out);
}

/// The cycles of a log that is being written.
fn cycles_until_now(folder: &Path) -> Vec<CycleReport> {
    let text = fs::read_to_string(folder.join("cycles.jsonl")).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn cycles_so_far(folder: &Path) -> usize {
    fs::read_to_string(folder.join("cycles.jsonl")).map_or(0, |text| text.matches('\n').count())
}

/// The games of the matches of the first cycle's trained nets, by the names of their folders.
fn first_matches(folder: &Path) -> BTreeMap<String, String> {
    let names = fs::read_dir(folder.join("cycle-001")).into_iter().flatten().flatten();
    let names = names.map(|entry| entry.file_name().into_string().unwrap());
    names
        .filter(|name| name.starts_with("trained"))
        .map(|name| {
            let path = folder.join("cycle-001").join(&name).join("games.jsonl");
            (name, fs::read_to_string(path).unwrap_or_default())
        })
        .collect()
}

/// With more hours the cycle trains on, so that its match is of another net.
#[cfg(unix)]
#[test]
fn a_cycle_that_was_stopped_in_its_match_goes_on_with_more_hours() {
    use nix::{
        sys::signal::{Signal, kill},
        unistd::Pid,
    };
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (beginner(folder.path()), folder.path().join("better"));
    // Enough for a cycle of 1.5 seconds, shorter than the 2.4 that it would have. Its match takes longer.
    let net = run.to_str().unwrap();
    let mut child = improve_by(&out, "0.04", "0.0004", ["40", "3000"], &[net]).spawn().unwrap();
    let begin = Instant::now();
    while !first_matches(&out).values().any(|games| games.lines().count() > 2) {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        assert!(begin.elapsed() < Duration::from_secs(120), "no match begins");
        sleep(Duration::from_millis(5));
    }
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    assert!(cycles(&out).is_empty());
    let stopped = first_matches(&out);
    assert_eq!(stopped.len(), 1);
    // As if it had taken long before it was stopped: this counts.
    let taken = out.join("cycle-001/match-seconds");
    assert!(fs::read_to_string(&taken).unwrap().parse::<f64>().unwrap() > 0.0);
    fs::write(&taken, "100").unwrap();

    // So much more that a machine that stalls leaves some of it.
    finish(improve_by(&out, "0.1", "0.0017", ["40", "3000"], &[]));
    assert_eq!(cycles(&out).len(), 1);
    assert!(cycles(&out)[0].seconds > 100.0, "{:?}", cycles(&out));
    let matches = first_matches(&out);
    assert_eq!(matches.len(), 2, "{:?}", matches.keys());
    assert!(stopped.iter().all(|(name, games)| matches[name] == *games), "the match that was stopped stays");
    check_best(&out);
}

/// Cycles that the log has lost are made again, and nothing that they left is written over.
#[test]
fn what_damaged_cycles_left_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (beginner(folder.path()), folder.path().join("better"));
    let output = finish(improve(&out, "0.02", "0.0004", &[run.to_str().unwrap()]));
    assert!(!cycles(&out).is_empty(), "{}", said(&output));
    // As if both cycles had found a net, and the second was stopped.
    for cycle in 1..=2 {
        fs::copy(out.join("start.sanki"), out.join(format!("best-{cycle:03}.sanki"))).unwrap();
    }
    fs::create_dir_all(out.join("cycle-002/run-1")).unwrap();
    let (log, net) = (out.join("cycles.jsonl"), fs::read(out.join("best-001.sanki")).unwrap());
    let damaged = fs::read_to_string(&log).unwrap().replacen("\"cycle\"", "\"cicle\"", 1);
    fs::write(&log, &damaged).unwrap();
    // Less than half a cycle: it only looks.
    let output = finish(improve(&out, "0.02", "0.0001", &[]));
    for name in ["best-001.sanki", "best-002.sanki", "cycle-001", "cycle-002"] {
        assert!(
            said(&output).contains(&format!("{name} is of a cycle that is made again")),
            "{}",
            said(&output)
        );
        assert!(!out.join(name).exists(), "{name}");
    }
    assert_eq!(fs::read_to_string(out.join("cycles.jsonl.damaged")).unwrap(), damaged);
    assert!(out.join("cycle-002.replaced/run-1").exists());
    assert_eq!(fs::read(out.join("best-001.sanki.replaced")).unwrap(), net);
    check_best(&out);
}

/// A newer version may find that its next cycle has another net.
#[test]
fn a_cycle_that_was_begun_with_another_net_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (beginner(folder.path()), folder.path().join("better"));
    finish(improve(&out, "1", "0.0001", &[run.to_str().unwrap()]));
    let begun = out.join("cycle-001/run-1");
    fs::create_dir_all(&begun).unwrap();
    let wider = RunConfig::parse(&config_of(&out).to_toml(), &["net.hidden=64".to_owned()]).unwrap();
    fs::write(begun.join("config.toml"), wider.to_toml()).unwrap();
    let output = finish(improve(&out, "0.02", "0.0004", &[]));
    assert!(said(&output).contains("cycle-001 is of a cycle that is made again"), "{}", said(&output));
    assert!(out.join("cycle-001.replaced/run-1").exists());
    assert_eq!(cycles(&out).len(), 1);
}

/// The other run stops then; what the user reads is the error, not that.
#[test]
fn an_error_in_one_run_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (beginner(folder.path()), folder.path().join("better"));
    finish(improve(&out, "1", "0.0001", &[run.to_str().unwrap()]));
    let [first, second] = [1, 2].map(|run| out.join(format!("cycle-001/run-{run}")));
    fs::create_dir_all(first).unwrap();
    fs::create_dir_all(&second).unwrap();
    fs::write(second.join("letter.txt"), "hello").unwrap();
    let begin = Instant::now();
    let error = refuse(improve(&out, "1", "10", &[]));
    assert!(error.contains("run-2"), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(40), "the first run went on");
    assert_eq!(fs::read_to_string(second.join("letter.txt")).unwrap(), "hello");
    // Once that is gone, the cycle goes on.
    fs::remove_dir_all(&second).unwrap();
    finish(improve(&out, "0.01", "0.0002", &[]));
    assert_eq!(cycles(&out).len(), 1);
}

#[test]
fn what_cannot_be_improved_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (run, out) = (beginner(folder.path()), folder.path().join("better"));
    let net = run.to_str().unwrap();
    let output = improve(&out, "0.02", "0.001", &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("no net is named"), "{}", said(&output));
    assert!(!out.exists());

    let foreign = folder.path().join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("letter.txt"), "hello").unwrap();
    let error = refuse(improve(&foreign, "0.02", "0.001", &[net]));
    assert!(error.contains("no folder of an improvement"), "{error}");
    assert_eq!(fs::read_dir(&foreign).unwrap().count(), 1);

    let error = refuse(improve(&run, "0.02", "0.001", &[net]));
    assert!(error.contains("no folder of an improvement"), "{error}");

    for given in [Some(net), None] {
        let arguments = given.into_iter().chain(["--set", "rules=threefold"]).collect::<Vec<_>>();
        let error = refuse(improve(&out, "0.02", "0.001", &arguments));
        assert!(error.contains("rules standard, the settings are for threefold"), "{error}");
        finish(improve(&out, "0.02", "0.0001", &[net]));
    }
    let other = folder.path().join("other");
    finish(train(&other, &["budget.generations=1", "seed=9"]));
    let error = refuse(improve(&out, "0.02", "0.001", &[other.to_str().unwrap()]));
    assert!(error.contains("began with another net"), "{error}");
}
