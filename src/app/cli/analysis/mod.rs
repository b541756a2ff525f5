//! `sanki analysis`: positions judged for other programs, JSON in and out.
//!
//! [`service`] has the threads that judge, and reads the lines of each [`client`], who may come over a [`port`].
//! [`request`] reads a line, [`asked`] answers for a position, [`answer`] says how that is written, and [`outbox`]
//! keeps it until it is read.

mod answer;
mod asked;
mod client;
mod nets;
mod outbox;
mod port;
mod request;
mod service;

use std::{
    io::{self, BufReader},
    num::NonZero,
    path::PathBuf,
    sync::Arc,
    thread,
};

use anyhow::{Context, Result};

use self::{client::Client, nets::Nets, service::Service};
use super::stdout;

/// Judge positions for other programs: JSON lines in and out
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A line of input is a request, a JSON object with these fields:

  id        a text that stands in the answers (needed)
  game      janggi, xiangqi, shogi, minixiangqi, minishogi or dobutsu (needed without --model)
  rules     the rule set [default: that of --model, else the game's first]
  start     where the game began, a FEN or an SFEN [default: the start]
  handicap  the handicap that it began with, by name, in place of start [default: none]
  moves     the moves since, a text with spaces between or a list of texts
  turns     which positions are judged: a list; 0 is the start, 1 the one after the first move [default: the last]
  sims      simulations of the tree search for each position [default: 800]
  movetime  milliseconds for each, in place of sims
  nodes     nodes of alpha-beta for each, in place of sims
  allow     the only moves to look at, written like moves; one that is not legal in a position is ignored there
  avoid     moves not to look at
  lines     how many best lines to report [default: 1]
  priority  a whole number; positions with a higher one come first [default: 0]

Each position is answered by one line, as soon as it is judged: id, turn, side to move, best move, score and lines. A \
score is the expected result of the first player: 1 for a win, 0 for a loss. If the game is over there, the answer has \
its outcome in place of a best move. A request that cannot be answered gets an error, a field that is unknown a warning.

{\"cancel\":\"a\"} drops what is left of request a. The answer is {\"id\":\"a\",\"cancelled\":true}, and no other answer to \
that request follows; \"cancelled\" is false if nothing was left.

When the input ends, the program answers all requests, and ends. docs/analysis.md has an example in Python.

Examples:
  sanki analysis < requests.jsonl
  sanki analysis --port 7878 --threads 4
  echo '{\"id\":\"a\",\"game\":\"xiangqi\",\"moves\":\"h3e3 h8e8\"}' | sanki analysis")]
pub struct AnalysisArgs {
    /// A checkpoint, a run's folder or an exported model [default: the net of each game in `checkpoints`]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Threads, each of which judges a position of its own [default: one per core]
    #[arg(long, value_parser = super::threads)]
    threads: Option<NonZero<usize>>,
    /// Listen on this port of this machine, in place of stdin and stdout; 0 chooses a free one
    #[arg(long)]
    port: Option<u16>,
}

/// Runs the command.
pub fn run(args: &AnalysisArgs) -> Result<()> {
    let nets = Nets::new(args.model.as_deref())?;
    let service = Service::start(nets, args.threads.unwrap_or_else(super::cores))?;
    match args.port {
        Some(port) => port::serve(&service, port),
        None => on_pipes(&service),
    }
}

/// Reads each line of `input` as a request for positions, and says how many could be answered.
pub fn count_analysis_requests(input: &[u8]) -> usize {
    service::count_requests(input)
}

/// Answers whoever writes to stdin and reads stdout.
fn on_pipes(service: &Arc<Service>) -> Result<()> {
    let client = Arc::new(Client::new(None));
    let reader = {
        let (service, client) = (service.clone(), client.clone());
        let read = move || service.converse(&client, BufReader::new(io::stdin()));
        thread::Builder::new().name("reader".to_owned()).spawn(read).context("cannot start a thread")?
    };
    // If nobody reads, the process ends whatever is still asked.
    client.write_to(stdout(), &service.queue)?;
    reader.join().expect("the reader does not panic").context("cannot read stdin")
}
