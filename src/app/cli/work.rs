//! `sanki work`: plays for runs on other machines.

use std::io::Write;

use anyhow::Result;
use clap::value_parser;

use super::{CliError, interrupt, nats::NatsArgs, stdout};
use crate::{
    base::store::printable,
    training::remote::{RunLimits, RunStatus, WorkOptions, draw_name, is_name, status, work},
};

/// Play games for runs on other machines, over a NATS server
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A run that was started with sanki train --nats hands out its games on the server. A worker needs only the \
address of the server: it gets the game, the settings and the net from the run. With Ctrl-C it gives back \
the games that it has not played. A kill loses nothing.

Examples:
  sanki work --nats tls://anna:PASSWORD@nats.example.org
  sanki work --nats tls://nats.example.org --nats-creds worker.creds --threads 8
  sanki work --nats tls://example.org --run janggi-1f3a9c02 --max-memory 8192
  sanki work --nats tls://anna:PASSWORD@nats.example.org --status")]
pub struct WorkArgs {
    #[command(flatten)]
    nats: NatsArgs,
    /// Threads that play [default: one per core]
    #[arg(long, value_name = "N", value_parser = super::threads)]
    threads: Option<std::num::NonZero<usize>>,
    /// Play for this run and no other, named as --status shows it; may be given several times [default: any run]
    #[arg(long = "run", value_name = "NAME", value_parser = run_name)]
    runs: Vec<String>,
    /// Play for no run that takes more memory than this, by estimate: net, games and cached evaluations
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = value_parser!(u32).range(1..))]
    max_memory: u32,
    /// Play for no run whose net takes more memory than this
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = value_parser!(u32).range(1..))]
    max_net: u32,
    /// Show the runs on the server, their workers, and what is waiting
    #[arg(long, conflicts_with = "threads")]
    status: bool,
    /// Print the status as one JSON object
    #[arg(long, requires = "status")]
    json: bool,
}

/// Runs the command.
pub fn run(args: WorkArgs) -> Result<()> {
    let Some(server) = args.nats.server()? else {
        return Err(CliError::usage("no server is named").help("sanki work --nats nats://HOST").into());
    };
    if args.status {
        let mut runs = status(&server)?;
        runs.retain(|run| args.runs.is_empty() || args.runs.contains(&run.run));
        let text = match args.json {
            true => serde_json::json!({ "runs": runs }).to_string(),
            false => runs.iter().map(describe).collect::<Vec<_>>().join("\n"),
        };
        return Ok(writeln!(stdout(), "{}", if text.is_empty() { "no run is there" } else { &text })?);
    }
    let threads = args.threads.unwrap_or_else(super::cores).get();
    super::share_out_on(threads)?;
    let limits = RunLimits { net: mebibytes(args.max_net), memory: mebibytes(args.max_memory) };
    let options = WorkOptions { name: draw_name(), threads, runs: args.runs, limits };
    let worked = work(&server, &options, interrupt::flag(), &|line| super::tell(line))?;
    Err(CliError::interrupted(format!("stopped; {} games were handed in", worked.games)).into())
}

fn mebibytes(number: u32) -> u64 {
    u64::from(number) << 20
}

/// Reads the name of a run.
fn run_name(text: &str) -> Result<String, String> {
    let name = is_name(text).then(|| text.to_owned());
    name.ok_or_else(|| "a run's name has letters, digits, hyphens and underscores only".to_owned())
}

/// A run for a person, a line for each worker below it.
fn describe(run: &RunStatus) -> String {
    let learner = match (&run.learner, &run.problem) {
        (_, Some(problem)) => problem.clone(),
        (None, None) => "its learner is not connected".to_owned(),
        (Some(learner), None) => format!(
            "generation {}, {} of {} games, {:.0}% of the run, {} refused",
            learner.generation,
            learner.games,
            learner.wanted,
            100.0 * learner.progress,
            learner.refused
        ),
    };
    let mut lines = vec![
        format!("{} ({}): {learner}", run.run, run.game.as_deref().unwrap_or("?")),
        format!(
            "  work items: {} waiting, {} with workers; {} games wait for the learner",
            run.items_waiting, run.items_held, run.games_waiting
        ),
    ];
    for worker in &run.workers {
        let sign = &worker.sign;
        let out = if worker.is_shut_out { ", shut out" } else { "" };
        lines.push(format!(
            "  {}: {} threads, {} games, {:.1} per second{out}",
            worker.name, sign.threads, sign.games, sign.games_per_s
        ));
    }
    lines.iter().map(|line| printable(line).into_owned()).collect::<Vec<_>>().join("\n")
}
