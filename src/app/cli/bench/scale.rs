//! A whole run on one thread, two, four and so on: what threads are worth.

use std::{
    io::{self, Write},
    num::NonZero,
    path::PathBuf,
};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::{
    app::{
        cli::{CliError, cores, interrupt, output::Force, stdout, tell, train::config_of},
        report::scale_svg,
    },
    games::encode::Encode,
    net::Backend,
    training::run::{Machine, Measured, RunConfig, ScaleRow, amdahl, scale_row, serial_share},
    with_game,
};

/// Positions of each row unless told otherwise: some generations of most configs, in half a minute on a thread.
const POSITIONS: u64 = 100_000;
/// How many times the most threads measured more are expected to be worth something.
const BEYOND: [usize; 2] = [2, 4];

/// What is asked.
#[derive(Debug, clap::Args)]
pub struct BenchScaleArgs {
    /// The run's settings, of which evaluations and the budget are left out [default: the built-in ones]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Change one setting, e.g. selfplay.positions_per_generation=20000; the value none removes it
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = crate::app::cli::setting)]
    set: Vec<String>,
    /// Numbers of threads; 1 is always among them [default: 1,2,4 and so on, up to one per core]
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = crate::app::cli::threads)]
    threads: Vec<NonZero<usize>>,
    /// How many positions of self-play each row measures [default: 100000]
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    positions: Option<NonZero<u64>>,
    /// Measure this many seconds a row instead; then rows play different numbers of games
    #[arg(long, value_name = "S", value_parser = super::seconds)]
    seconds: Option<f64>,
    /// What computes the net: native or flex; also wgpu or cuda if they were built in
    #[arg(long, default_value_t)]
    backend: Backend,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Also draw the result as an SVG picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

/// Runs the command.
pub fn run(args: &BenchScaleArgs) -> Result<()> {
    if let Some(path) = &args.svg {
        args.force.check(path)?;
    }
    let config = config_of(args.config.as_deref(), &args.set)?;
    let threads = numbers(&args.threads, cores());
    let mut out = stdout();
    // The picture is wanted even where nobody reads the table.
    let mut printed = Ok(());
    if !args.json {
        let RunConfig { game, rules, net, .. } = &config;
        tell(format!("{game} ({rules}), a {net} net; a run on {} threads each", in_words(&threads)));
        printed = writeln!(out, "{}", Scale::COLUMNS);
    }
    let mut scale = Scale { rows: Vec::new() };
    for threads in threads {
        if printed.is_err() && args.svg.is_none() {
            break;
        }
        let row = with_game!(config.game, G => measure::<G>(args, &config, threads)?);
        scale.rows.push(row);
        if !args.json && printed.is_ok() {
            printed = writeln!(out, "{}", scale.line(scale.rows.len() - 1));
        }
    }
    if let Some(path) = &args.svg {
        args.force.write(path, scale_svg(&scale.speedups(), &scale.expected())?.as_bytes())?;
    }
    printed?;
    if args.json {
        writeln!(out, "{}", scale.json(&config))?;
    } else {
        scale.end(&mut out)?;
    }
    Ok(())
}

/// The numbers of threads to measure, ascending.
fn numbers(asked: &[NonZero<usize>], cores: NonZero<usize>) -> Vec<usize> {
    let most = cores.get();
    let doubled = std::iter::successors(Some(1), |threads| Some(2 * threads)).take_while(|&n| n < most);
    let mut numbers = match asked {
        [] => doubled.chain([most]).collect(),
        asked => [vec![1], asked.iter().map(|threads| threads.get()).collect()].concat(),
    };
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn in_words(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

/// A run on `threads` threads, in a folder of its own that is then removed.
fn measure<G: Encode>(args: &BenchScaleArgs, config: &RunConfig, threads: usize) -> Result<ScaleRow> {
    let folder = tempfile::tempdir().context("cannot make a folder for the run")?;
    let measured = match (args.seconds, args.positions) {
        (Some(seconds), _) => Measured::Seconds(seconds),
        (None, positions) => Measured::Positions(positions.map_or(POSITIONS, NonZero::get)),
    };
    let machine = Machine { workers: threads, backend: args.backend };
    let row = scale_row::<G>(config, machine, folder.path(), measured, interrupt::flag())?;
    row.ok_or_else(|| CliError::interrupted("the measurement was stopped").into())
}

/// Rows by the number of threads; one thread is the first.
struct Scale {
    rows: Vec<ScaleRow>,
}

impl Scale {
    const COLUMNS: &str = "threads  positions/s  times one  learner's share   idle  seconds";

    /// How many times the work of one thread row `index` did.
    fn speedup(&self, index: usize) -> f64 {
        self.rows[index].positions_per_s() / self.rows[0].positions_per_s()
    }

    fn speedups(&self) -> Vec<(usize, f64)> {
        (0..self.rows.len()).map(|index| (self.rows[index].threads, self.speedup(index))).collect()
    }

    fn serial_share(&self) -> Option<f64> {
        serial_share(&self.speedups())
    }

    /// What the fitted serial share promises of more threads than were measured; nothing where there is none.
    fn expected(&self) -> Vec<(usize, f64)> {
        let Some((share, most)) = self.serial_share().zip(self.rows.last().map(|row| row.threads)) else {
            return Vec::new();
        };
        BEYOND.iter().map(|times| (times * most, amdahl(share, times * most))).collect()
    }

    /// A row for a person, below [`Scale::COLUMNS`].
    fn line(&self, index: usize) -> String {
        let row @ ScaleRow { threads, learner_share, idle_share, seconds, .. } = &self.rows[index];
        format!(
            "{threads:>7}  {:>11.0}  {:>9.2}  {:>14.1}%  {:>4.1}%  {seconds:>7.1}",
            row.positions_per_s(),
            self.speedup(index),
            100.0 * learner_share,
            100.0 * idle_share,
        )
    }

    /// What follows from the rows.
    fn end(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(share) = self.serial_share() else { return Ok(()) };
        writeln!(out, "serial share (Amdahl's law): {:.1}%", 100.0 * share)?;
        for (threads, speedup) in self.expected() {
            writeln!(out, "expected on {threads} threads: {speedup:.1} times one")?;
        }
        Ok(())
    }

    fn json(&self, config: &RunConfig) -> Value {
        let figures = |of: &dyn Fn(usize) -> Value| (0..self.rows.len()).map(of).collect::<Vec<_>>();
        let of_rows = |of: fn(&ScaleRow) -> f64| figures(&|index| of(&self.rows[index]).into());
        let expected = self.expected().into_iter();
        let expected: Vec<Value> =
            expected.map(|(threads, speedup)| json!({ "threads": threads, "times_one": speedup })).collect();
        json!({
            "game": config.game,
            "net": config.net.to_string(),
            "threads": figures(&|index| self.rows[index].threads.into()),
            "positions_per_s": of_rows(ScaleRow::positions_per_s),
            "times_one": figures(&|index| self.speedup(index).into()),
            "learner_share": of_rows(|row| row.learner_share),
            "idle_share": of_rows(|row| row.idle_share),
            "generations": figures(&|index| self.rows[index].generations.into()),
            "positions": figures(&|index| self.rows[index].positions.into()),
            "seconds": of_rows(|row| row.seconds),
            "cpu_seconds": of_rows(|row| row.cpu_seconds),
            "selfplay_seconds": of_rows(|row| row.selfplay_seconds),
            "load_seconds": of_rows(|row| row.load_seconds),
            "learn_seconds": of_rows(|row| row.learn_seconds),
            "parts": figures(&|index| json!(self.rows[index].parts)),
            "serial_share": self.serial_share(),
            "expected": expected,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_doubled_up_to_those_of_the_machine() {
        let some = |n: usize| NonZero::new(n).unwrap();
        assert_eq!(numbers(&[], some(1)), [1]);
        assert_eq!(numbers(&[], some(6)), [1, 2, 4, 6]);
        assert_eq!(numbers(&[], some(16)), [1, 2, 4, 8, 16]);
        assert_eq!(numbers(&[some(4), some(2), some(4)], some(16)), [1, 2, 4]);
    }
}
