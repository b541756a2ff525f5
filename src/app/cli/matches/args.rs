//! What `sanki match` is told.

use crate::{
    app::{
        cli::contest::{ContestArgs, games},
        cli::players::PlayerSpec,
    },
    arena::Sprt,
    games::rules::GameId,
};

/// Play two players against each other, from paired openings with colours swapped
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A player is random; uniform, which searches without a net; a checkpoint; a run's folder; or another engine, \
as uci:COMMAND, usi:COMMAND or ucci:COMMAND. Options of an engine follow a ? and are separated by & (Ranks=0 \
is for a UCI engine that counts ranks from 0, as Pikafish does).

A net's settings of play follow a ? too: precision, search (auto, puct, gumbel or alphabeta), temperature, \
uniform_share, root_widening, mate_visits, mate_plies, c_init, c_base, fpu_reduction, tree (kept or fresh), \
threads, batch, memory (MiB), level or strength. The configs explain them under [play]. A setting that is left out is that of \
the net's own config, or else the game's default.

Each player may have a budget of its own: @sims=N, @nodes=N, @movetime=MS or @tc=SECONDS+SECONDS (for the \
game, and what each move adds). The same command with the same --out continues a match that was stopped.

Examples:
  sanki match runs/first uniform --sims 32
  sanki match runs/first/checkpoints/gen-000040.sanki uniform@sims=256 --json
  sanki match runs/first runs/second --sprt 0,10 --games 20000 --out matches/a
  sanki match runs/first \"uci:fairy-stockfish?Skill Level=0&Threads=1@nodes=500\"
  sanki match \"runs/first?temperature=2&threads=2\" runs/first --movetime 100
  sanki match runs/first uci:fairy-stockfish --movetime 100 --find-n50
  sanki match runs/first usi:other-engine --handicap rook --movetime 1000
  sanki match random uniform@sims=8 --game dobutsu")]
pub struct MatchArgs {
    /// The first player; the result is from its point of view
    #[arg(value_name = "A")]
    pub(super) a: PlayerSpec,
    /// The second player
    #[arg(value_name = "B")]
    pub(super) b: PlayerSpec,
    /// The game [default: that of a model among the players]
    #[arg(long)]
    pub(super) game: Option<GameId>,
    /// The rule set [default: that of a model, else the game's first]
    #[arg(long)]
    pub(super) rules: Option<String>,
    /// Games, two from each opening; rounded up to an even number, with --find-n50 to a multiple of 20
    #[arg(long, default_value = "400", value_parser = games())]
    pub(super) games: u32,
    /// End the match as soon as a sequential test decides between these two Elo differences (error rates 5%)
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub(super) sprt: Option<Sprt>,
    /// Find the number of nodes per move at which B scores 50% against A, by bisection on the logarithm of
    /// the nodes; A keeps its own budget
    #[arg(long, conflicts_with_all = ["sprt", "html"])]
    pub(super) find_n50: bool,
    #[command(flatten)]
    pub(super) contest: ContestArgs,
}
