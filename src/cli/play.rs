//! `sanki play`: a game in the terminal.

use std::{
    io::{self, BufRead, Write},
    num::NonZero,
    path::PathBuf,
};

use anyhow::{Context, Result};
use clap::ValueEnum;

use super::{CliError, position};
use crate::{
    encode::Encode,
    net::{Backend, ModelFile, NetEvaluator},
    rng::{self, Purpose},
    rules::{Declaration, GameId, Outcome, Reason, RuleSet, Side, Verdict},
    search::{Noise, PuctConfig, Search, SearchConfig, run as search_to_the_end},
    with_game,
};

/// Play a game against a model in the terminal
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Moves are written as in `sanki show`: b2b3, c7c8+, P@e5. Also: moves, hint, undo, resign, declare, quit.

Examples:
  sanki play --game minishogi --model runs/first
  sanki play --game dobutsu --model runs/first --side second --sims 800")]
pub struct Args {
    /// The game
    #[arg(long)]
    game: GameId,
    /// A checkpoint or a run's folder, which stands for its newest one
    #[arg(long)]
    model: PathBuf,
    /// The rule set; the model's by default
    #[arg(long)]
    rules: Option<String>,
    /// The position to start from, as a FEN or an SFEN
    #[arg(long)]
    fen: Option<String>,
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

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    let model = ModelFile::read(&args.model)?;
    let rules = match &args.rules {
        None if model.meta.game == args.game => model.meta.rules,
        name => position::rule_set(args.game, name.as_deref())?,
    };
    with_game!(args.game, G => play::<G>(&args, rules, &model))
}

/// A game between a person and a model.
struct Session<G: Encode> {
    /// Every position so far; the last is the present one.
    games: Vec<G>,
    person: Side,
    search: Search<G>,
    evaluator: NetEvaluator,
    simulations: u32,
}

/// What a person typed.
enum Command<M> {
    Move(M),
    Moves,
    Hint,
    Undo,
    Resign,
    Declare,
    Quit,
}

fn play<G: Encode>(args: &Args, rules: RuleSet, model: &ModelFile) -> Result<()> {
    model.check::<G>()?;
    let start: G = position::read(rules, args.fen.as_deref())?;
    let mut session = Session {
        games: vec![start],
        person: args.side.into(),
        search: Search::new(SearchConfig::Puct(PuctConfig::default())),
        evaluator: NetEvaluator::new(Backend::default().load(&model.model).evaluator(G::SHAPE)),
        simulations: args.sims.get(),
    };
    let mut input = io::stdin().lock();
    loop {
        println!("{}\n", session.game().board());
        if let Some(outcome) = session.game().outcome_or_declaration() {
            println!("{}", describe(&outcome));
            return Ok(());
        }
        if session.game().side_to_move() == session.person {
            let Some(outcome) = session.person_moves(&mut input)? else { continue };
            println!("{}", describe(&outcome));
            return Ok(());
        }
        session.model_moves();
    }
}

impl<G: Encode> Session<G> {
    fn game(&self) -> &G {
        self.games.last().expect("a session begins with a position")
    }

    /// Asks until a move was made, or returns how the person ended the game.
    fn person_moves(&mut self, input: &mut impl BufRead) -> Result<Option<Outcome>> {
        loop {
            let side = self.person;
            match self.ask(input)? {
                Command::Move(mv) => {
                    self.push(mv);
                    return Ok(None);
                }
                Command::Moves => println!("{}", position::legal_moves(self.game()).join(" ")),
                Command::Hint => {
                    let (mv, score) = self.think();
                    println!("{mv} looks best: you would score {:.0}%", 100.0 * score);
                }
                Command::Undo if self.games.len() > 2 => {
                    self.games.truncate(self.games.len() - 2);
                    return Ok(None);
                }
                Command::Undo => println!("there is nothing to take back"),
                Command::Resign => return Ok(Some(Outcome::win(!side, Reason::Resignation))),
                Command::Declare => {
                    return Ok(Some(match self.game().declaration() {
                        Some(Declaration::Win) => Outcome::win(side, Reason::Declaration),
                        Some(Declaration::Draw) => Outcome::draw(Reason::Declaration),
                        // A false declaration loses.
                        None => Outcome::win(!side, Reason::Declaration),
                    }));
                }
                Command::Quit => return Err(CliError::interrupted("the game was left").into()),
            }
        }
    }

    fn ask(&self, input: &mut impl BufRead) -> Result<Command<G::Move>> {
        loop {
            print!("your move: ");
            io::stdout().flush()?;
            let mut line = String::new();
            if input.read_line(&mut line).context("cannot read your move")? == 0 {
                return Ok(Command::Quit);
            }
            match line.trim() {
                "" => continue,
                "moves" => return Ok(Command::Moves),
                "hint" => return Ok(Command::Hint),
                "undo" => return Ok(Command::Undo),
                "resign" => return Ok(Command::Resign),
                "declare" => return Ok(Command::Declare),
                "quit" => return Ok(Command::Quit),
                text => match self.game().parse_move(text) {
                    Ok(mv) => return Ok(Command::Move(mv)),
                    Err(error) => println!("{error} (moves, hint, undo, resign, declare, quit)"),
                },
            }
        }
    }

    fn model_moves(&mut self) {
        let (mv, score) = self.think();
        println!("{mv}: the model expects to score {:.0}%\n", 100.0 * score);
        self.push(mv);
    }

    /// The best move found, and the score that the side to move expects, in `0.0..=1.0`.
    fn think(&mut self) -> (G::Move, f32) {
        // Without noise the search draws no random numbers.
        let mut rng = rng::stream(0, Purpose::Evaluation, &[]);
        let game = self.games.last().expect("a session begins with a position");
        self.search.start(game, self.simulations, Noise::None, &mut rng);
        search_to_the_end(&mut self.search, &mut self.evaluator);
        let wdl = self.search.root_wdl();
        (self.search.best_move(), wdl.win + 0.5 * wdl.draw)
    }

    fn push(&mut self, mv: G::Move) {
        let mut next = self.game().clone();
        next.play(mv);
        self.games.push(next);
    }
}

fn describe(outcome: &Outcome) -> String {
    let winner = match outcome.verdict {
        Verdict::Win(Side::First) => "the first player wins",
        Verdict::Win(Side::Second) => "the second player wins",
        Verdict::Draw => "drawn",
    };
    format!("{}: {winner} by {}", outcome.verdict.as_str(), outcome.reason)
}
