//! `sanki play`: a game in the terminal.

use std::{
    fmt,
    io::{self, BufRead, Write},
    num::NonZero,
    path::PathBuf,
};

use anyhow::{Context, Result};
use clap::ValueEnum;

use super::position::{self, SetupArg};
use crate::{
    encode::Encode,
    net::{Backend, ModelFile, NetEvaluator, PlayConfig, PlayTable},
    rng::{self, Purpose},
    rules::{Declaration, GameId, Outcome, Reason, RuleSet, Side, Verdict},
    search::{Noise, Search, Wdl, run_together},
    store::{Line, printable, read_line},
    with_game,
};

/// Play a game against a model in the terminal
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Moves are written as in `sanki show`: b2b3, c7c8+, P@e5. `help` during the game lists what else there is.

Examples:
  sanki play --model runs/first
  sanki play --model runs/first --side second --sims 800")]
pub struct Args {
    /// The game; the model's by default
    #[arg(long)]
    game: Option<GameId>,
    /// A checkpoint or a run's folder, which stands for its newest one
    #[arg(long)]
    model: PathBuf,
    /// The rule set; the model's by default
    #[arg(long)]
    rules: Option<String>,
    /// The position to start from, as a FEN or an SFEN
    #[arg(long)]
    fen: Option<String>,
    #[command(flatten)]
    setup: SetupArg,
    /// The side that you play
    #[arg(long, value_enum, default_value = "first")]
    side: Seat,
    /// Simulations that the model thinks for a move
    #[arg(long, default_value = "400")]
    sims: NonZero<u32>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Seat {
    First,
    Second,
}

impl From<Seat> for Side {
    fn from(seat: Seat) -> Side {
        match seat {
            Seat::First => Side::First,
            Seat::Second => Side::Second,
        }
    }
}

/// Letters that a person types at most: what is beyond is dropped.
const LONGEST_LINE: usize = 200;

const HELP: &str = "
  b2b3     a move, written as `moves` writes them; c7c8+ promotes, P@e5 drops
  moves    the legal moves
  hint     what the model would play for you
  undo     takes back your last move and the answer
  resign   ends the game
  declare  ends it by a declaration, in shogi (a false one loses)
  quit     leaves the game
";

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    let model = ModelFile::read(&args.model)?;
    let game = args.game.unwrap_or(model.meta.game);
    let rules = position::rule_set_for(game, args.rules.as_deref(), Some(&model.meta))?;
    with_game!(game, G => play::<G>(&args, rules, &model))
}

/// A game between a person and a model.
struct Session<G: Encode> {
    /// Every position so far; the last is the present one.
    games: Vec<G>,
    /// The moves between them.
    moves: Vec<G::Move>,
    person: Side,
    search: Search<G>,
    /// One for each thread.
    evaluators: Vec<NetEvaluator>,
    play: PlayConfig,
    simulations: u32,
}

/// What a person typed.
enum Command<M> {
    Move(M),
    Help,
    Moves,
    Hint,
    Undo,
    Resign,
    Declare,
    Quit,
}

/// How a person's turn ended.
enum Turn {
    /// The position changed.
    Over,
    /// The game is over.
    Ended(Outcome),
    /// The person left.
    Left,
}

fn play<G: Encode>(args: &Args, rules: RuleSet, model: &ModelFile) -> Result<()> {
    model.check::<G>()?;
    let start: G = position::read(rules, args.fen.as_deref(), args.setup)?;
    let play = model.play(&PlayTable::default());
    let net = Backend::default().load_in(&model.model, play.precision)?;
    let mut session = Session {
        games: vec![start],
        moves: Vec::new(),
        person: args.side.into(),
        search: Search::with_memory(play.search.clone(), play.memory),
        evaluators: (0..play.threads).map(|_| NetEvaluator::new(net.evaluator(G::SHAPE))).collect(),
        play,
        simulations: args.sims.get(),
    };
    let seat = match session.person {
        Side::First => "first: your pieces are uppercase and move up",
        Side::Second => "second: your pieces are lowercase and move down",
    };
    say(format_args!("You play {seat}. Type a move, or help."))?;
    let outcome = session.run(&mut io::stdin().lock())?;
    match &outcome {
        Some(outcome) => say(describe(outcome, session.person))?,
        None => say("you left the game")?,
    }
    let moves: Vec<String> = session.moves.iter().map(ToString::to_string).collect();
    say(format_args!("moves: {}", moves.join(" ")))
}

/// Tells the person something: a line on stdout.
fn say(line: impl fmt::Display) -> Result<()> {
    Ok(writeln!(io::stdout(), "{line}")?)
}

impl<G: Encode> Session<G> {
    fn game(&self) -> &G {
        self.games.last().expect("a session begins with a position")
    }

    /// Plays to the end; `None` if the person left before.
    fn run(&mut self, input: &mut impl BufRead) -> Result<Option<Outcome>> {
        loop {
            let outcome = self.game().outcome_or_declaration();
            if outcome.is_none() && self.game().side_to_move() != self.person {
                self.model_moves()?;
                continue;
            }
            say(format_args!("\n{}\n", self.game().board().trim_end()))?;
            if outcome.is_some() {
                return Ok(outcome);
            }
            match self.person_moves(input)? {
                Turn::Over => {}
                Turn::Ended(outcome) => return Ok(Some(outcome)),
                Turn::Left => return Ok(None),
            }
        }
    }

    /// Asks until the turn is over.
    fn person_moves(&mut self, input: &mut impl BufRead) -> Result<Turn> {
        loop {
            match self.ask(input)? {
                Command::Move(mv) => {
                    self.push(mv);
                    return Ok(Turn::Over);
                }
                Command::Help => say(HELP)?,
                Command::Moves => say(position::legal_moves(self.game()).join(" "))?,
                Command::Hint => {
                    let (mv, wdl) = self.think();
                    say(format_args!("the model would play {mv} and expect to {}", chances(wdl)))?;
                }
                Command::Undo if self.moves.len() >= 2 => {
                    self.moves.truncate(self.moves.len() - 2);
                    self.games.truncate(self.games.len() - 2);
                    return Ok(Turn::Over);
                }
                Command::Undo => say("there is nothing to take back")?,
                Command::Resign => return Ok(Turn::Ended(Outcome::win(!self.person, Reason::Resignation))),
                Command::Declare if G::ID != GameId::Shogi => {
                    say(format_args!("{} knows no declaration", G::ID))?;
                }
                Command::Declare => return Ok(Turn::Ended(self.declare())),
                Command::Quit => return Ok(Turn::Left),
            }
        }
    }

    fn declare(&self) -> Outcome {
        match self.game().declaration() {
            Some(Declaration::Win) => Outcome::win(self.person, Reason::Declaration),
            Some(Declaration::Draw) => Outcome::draw(Reason::Declaration),
            // A false declaration loses.
            None => Outcome::win(!self.person, Reason::Declaration),
        }
    }

    fn ask(&self, input: &mut impl BufRead) -> Result<Command<G::Move>> {
        loop {
            let mut out = io::stdout();
            write!(out, "{}your move: ", if self.game().is_check() { "check! " } else { "" })?;
            out.flush()?;
            let mut line = Vec::new();
            if read_line(input, &mut line, LONGEST_LINE).context("cannot read your move")? == Line::End {
                say("")?;
                return Ok(Command::Quit);
            }
            let line = String::from_utf8_lossy(&line);
            match printable(&line).trim() {
                "" => continue,
                "help" | "?" => return Ok(Command::Help),
                "moves" => return Ok(Command::Moves),
                "hint" => return Ok(Command::Hint),
                "undo" => return Ok(Command::Undo),
                "resign" => return Ok(Command::Resign),
                "declare" => return Ok(Command::Declare),
                "quit" => return Ok(Command::Quit),
                text => match self.game().parse_move(text) {
                    Ok(mv) => return Ok(Command::Move(mv)),
                    Err(error) => {
                        say(format_args!("{error} (`moves` lists what is, `help` what else to type)"))?;
                    }
                },
            }
        }
    }

    fn model_moves(&mut self) -> Result<()> {
        let (mv, wdl) = self.think();
        say(format_args!("the model plays {mv} and expects to {}", chances(wdl)))?;
        self.push(mv);
        Ok(())
    }

    /// The best move found, and the chances of the side to move.
    fn think(&mut self) -> (G::Move, Wdl) {
        // Without noise the search draws no random numbers.
        let mut rng = rng::stream(0, Purpose::Evaluation, &[]);
        let game = self.games.last().expect("a session begins with a position");
        self.search.start(game, self.simulations, Noise::None, &mut rng);
        run_together(&mut self.search, &mut self.evaluators, self.play.batch, &|| true);
        (self.search.best_move(), self.search.root_wdl())
    }

    fn push(&mut self, mv: G::Move) {
        let mut next = self.game().clone();
        next.play(mv);
        self.games.push(next);
        self.moves.push(mv);
    }
}

fn chances(Wdl { win, draw, loss }: Wdl) -> String {
    let [win, draw, loss] = [win, draw, loss].map(|p| 100.0 * p);
    format!("win {win:.0}%, draw {draw:.0}%, lose {loss:.0}%")
}

fn describe(outcome: &Outcome, person: Side) -> String {
    let winner = match outcome.verdict {
        Verdict::Win(side) if side == person => "you win",
        Verdict::Win(_) => "the model wins",
        Verdict::Draw => "drawn",
    };
    format!("{}: {winner} by {}", outcome.verdict.as_str(), outcome.reason)
}
