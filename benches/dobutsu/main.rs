//! The truth about dobutsu shogi, and how far a net is from it.
//!
//! ```text
//! cargo bench -p sanki-benches --bench dobutsu -- solve
//! cargo bench -p sanki-benches --bench dobutsu -- judge checkpoints/dobutsu.sanki
//! cargo bench -p sanki-benches --bench dobutsu -- judge runs/first/checkpoints/gen-*.sanki --milliseconds 0 --svg truth.svg
//! ```
//!
//! `solve` finds the value of every position that games reach, compares the counts with the published ones, and keeps the
//! table. It takes 4 GB of memory, `judge` 2. `judge` asks nets for a move in positions that the side to move wins or draws,
//! but not with every move, and counts the moves that give this away. Nets are best compared by the positions from random
//! games, which are the same for all; those from its own games say how a net plays.

mod judge;
mod numbering;
mod picture;
mod players;
mod retreat;
mod sample;
mod solver;
mod table;

use std::{
    env,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context, Result, ensure};
use clap::{Args, Parser, Subcommand};
use sanki::base::store::{Existing, write_with};

use self::{
    judge::{Judgement, Source},
    players::{Net, Way},
    table::{PUBLISHED, Table},
};

/// The repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

#[derive(Parser)]
struct Words {
    #[command(subcommand)]
    what: Option<What>,
    /// Where the table is.
    #[arg(long, global = true, default_value = "target/dobutsu.zst")]
    table: PathBuf,
    /// What cargo adds.
    #[arg(long, global = true, hide = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum What {
    /// Solve the game and keep the table.
    Solve,
    /// Count the moves of nets that give a win or a draw away.
    Judge(JudgeWords),
}

#[derive(Args)]
struct JudgeWords {
    /// Models, checkpoints or runs; paths begin at the repository's root.
    #[arg(required = true)]
    nets: Vec<PathBuf>,
    /// Positions of each kind: from the net's own games, and from random ones.
    #[arg(long, default_value_t = 5000)]
    positions: usize,
    /// Milliseconds a move; 0 leaves this way of choosing out.
    #[arg(long, default_value_t = 100)]
    milliseconds: u64,
    /// Simulations a move; 0 leaves this way of choosing out.
    #[arg(long, default_value_t = 1000)]
    simulations: u32,
    /// It decides which positions are taken.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw the shares that are given away against the positions that the runs had played.
    #[arg(long)]
    svg: Option<PathBuf>,
}

fn main() -> Result<()> {
    let words = Words::parse();
    // Cargo starts this in the package's folder.
    env::set_current_dir(ROOT)?;
    match words.what {
        Some(What::Solve) => solve(&words.table),
        Some(What::Judge(judge)) => judge_nets(&judge, &words.table),
        None => {
            println!("dobutsu: skipped, as neither `solve` nor `judge` is asked for");
            Ok(())
        }
    }
}

fn solve(path: &Path) -> Result<()> {
    let watch = Instant::now();
    // The file is begun first: in eight minutes it would be too late to hear that it cannot be.
    write_with(path, Existing::Replaced, |file| {
        let tell = |line| eprintln!("{:>5.0} s  {line}", watch.elapsed().as_secs_f64());
        let (table, counts) = solver::solve(tell);
        println!("{counts:#?}");
        ensure!(counts == PUBLISHED, "the published counts are {PUBLISHED:#?}");
        table.write(file)
    })?;
    println!("as published; {:.0} s, the table is {}", watch.elapsed().as_secs_f64(), path.display());
    Ok(())
}

fn judge_nets(words: &JudgeWords, table: &Path) -> Result<()> {
    let table = Table::read(table).context("`solve` makes the table")?;
    let mut ways = vec![Way::Policy];
    ways.extend((words.simulations > 0).then_some(Way::Simulations(words.simulations)));
    ways.extend((words.milliseconds > 0).then_some(Way::Milliseconds(words.milliseconds)));
    println!("| net | positions played | positions from | chosen by | given away | of | wins | draws |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut judgements = Vec::new();
    for path in &words.nets {
        let net = Net::read(path)?;
        for source in [Source::OwnGames, Source::RandomGames] {
            let positions = source.sample(words.positions, &table, &net, words.seed)?;
            for &way in &ways {
                let judgement = Judgement::of(&net, way, source, &positions, &table)?;
                println!("{}", judgement.row(path));
                judgements.push(judgement);
            }
        }
    }
    match &words.svg {
        Some(svg) => picture::draw(&judgements, svg),
        None => Ok(()),
    }
}
