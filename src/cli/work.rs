//! `sanki work`: plays for runs on other machines.

use std::io::{self, Write};

use anyhow::Result;

use super::{CliError, interrupt, nats::NatsArgs};
use crate::{
    remote::{RunStatus, WorkOptions, draw_name, status, work},
    store::printable,
};

/// Play games for runs on other machines, over a NATS server
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A run that was started with sanki train --nats hands out its games on the server. A worker needs only the \
address of the server: it gets the game, the settings and the net from the run. With Ctrl-C it gives back \
the games that it has not played. A kill loses nothing.

Examples:
  sanki work --nats nats://192.168.1.2
  sanki work --nats tls://nats.example.org --nats-creds worker.creds --threads 8
  sanki work --nats nats://192.168.1.2 --status")]
pub struct Args {
    #[command(flatten)]
    nats: NatsArgs,
    /// Threads that play [default: one per core]
    #[arg(long, value_name = "N", value_parser = super::threads)]
    threads: Option<std::num::NonZero<usize>>,
    /// Show the runs on the server, their workers, and what is waiting
    #[arg(long, conflicts_with = "threads")]
    status: bool,
    /// Print the status as one JSON object
    #[arg(long, requires = "status")]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    let Some(server) = args.nats.server()? else {
        return Err(CliError::usage("no server is named").help("sanki work --nats nats://HOST").into());
    };
    if args.status {
        let runs = status(&server)?;
        let text = match args.json {
            true => serde_json::json!({ "runs": runs }).to_string(),
            false => runs.iter().map(describe).collect::<Vec<_>>().join("\n"),
        };
        return Ok(writeln!(io::stdout(), "{}", if text.is_empty() { "no run is there" } else { &text })?);
    }
    let threads = args.threads.unwrap_or_else(super::cores).get();
    let options = WorkOptions { name: draw_name(), threads, only: None };
    let worked = work(&server, &options, interrupt::flag(), &|line| super::tell(line))?;
    Err(CliError::interrupted(format!("stopped; {} games were handed in", worked.games)).into())
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
