//! A model at a table: it says what a position is and searches it. Requests and answers are JSON.

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::{
    encode::Encode,
    net::{ModelFile, NativeNet, NetEvaluator, PlayTable, TreeUse, file},
    rng::{self, Purpose},
    rules::{Game, Outcome, ParseError, Reason, RuleSet, Setup, Side, Verdict, janggi::Formations},
    search::{Noise, Search, Wdl, run_while},
    store::Container,
    with_game,
};

/// MiB that the tree takes at most: phones have little.
const MEMORY: u32 = 64;
/// Plies that a game may have at most: more than any rule set allows between two captures.
const MOST_PLIES: usize = 4096;

/// A model that was opened, and what it thinks about.
pub struct Table {
    seat: Box<dyn Answer>,
    about: Vec<u8>,
}

/// What is asked.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Request {
    /// What the position is.
    Position { line: Line },
    /// Begins a search with a budget of simulations; the root alone is judged.
    Search { line: Line, simulations: u32 },
    /// Goes on with it for so many steps.
    Think { steps: u32 },
}

/// A game so far.
#[derive(Deserialize)]
struct Line {
    #[serde(flatten)]
    start: Start,
    /// The moves since.
    moves: Vec<String>,
}

/// Where a game begins.
#[derive(Clone, PartialEq, Eq, Deserialize)]
struct Start {
    rules: RuleSet,
    /// Janggi's set-up, as `nbbn/bnbn`.
    setup: Option<String>,
    /// Another position than the start.
    fen: Option<String>,
}

/// A position, as the page shows it.
#[derive(Serialize)]
struct Position {
    fen: String,
    /// 0 or 1.
    turn: usize,
    check: bool,
    moves: Vec<String>,
    outcome: Option<End>,
}

/// A result.
#[derive(Serialize)]
struct End {
    /// 0 or 1; `None` where the game is drawn.
    winner: Option<usize>,
    reason: Reason,
    /// Both sides', where points decided.
    points: Option<[f32; 2]>,
}

/// What a search has found so far.
#[derive(Serialize)]
struct Thought {
    over: bool,
    simulations: u32,
    best: String,
    /// Win, draw and loss for the side to move.
    wdl: [f32; 3],
    /// The net's probability of each move, when the search begins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    priors: Vec<(String, f32)>,
}

impl Table {
    /// Opens a model's file.
    ///
    /// # Errors
    /// Says what is wrong with it: damaged, a tower, of another version.
    pub fn open(bytes: &[u8]) -> Result<Self> {
        let container = Container::from_bytes(bytes)?.of_kind(file::KIND)?;
        let model = ModelFile::from_container(&container)?;
        let about = serde_json::to_vec(&model.meta).context("its description does not serialise")?;
        let seat = with_game!(model.meta.game, G => Box::new(Seat::<G>::new(&model)?) as Box<dyn Answer>);
        Ok(Table { seat, about })
    }

    /// What was opened: a [`ModelMeta`](crate::net::ModelMeta).
    pub fn about(&self) -> Vec<u8> {
        self.about.clone()
    }

    /// Answers a request.
    ///
    /// # Errors
    /// When it is none, or names a move that is not legal.
    pub fn ask(&mut self, request: &[u8]) -> Result<Vec<u8>> {
        let request = serde_json::from_slice(request).context("bad request")?;
        self.seat.answer(request)
    }
}

/// A seat at a table, whatever is played.
trait Answer {
    fn answer(&mut self, request: Request) -> Result<Vec<u8>>;
}

/// The seat of one game.
struct Seat<G: Encode> {
    search: Search<G>,
    evaluator: NetEvaluator,
    tree: TreeUse,
    /// The game whose last position the search has looked at.
    seen: Option<(Start, Vec<G::Move>)>,
}

impl<G: Encode> Answer for Seat<G> {
    fn answer(&mut self, request: Request) -> Result<Vec<u8>> {
        let answer = match request {
            Request::Position { line } => serde_json::to_vec(&describe(&line.read::<G>()?.0)),
            Request::Search { line, simulations } => {
                self.begin(&line, simulations)?;
                let priors = self.search.root_moves().map(|root| (root.mv.to_string(), root.prior)).collect();
                serde_json::to_vec(&Thought { priors, ..self.thought() })
            }
            Request::Think { steps } => {
                ensure!(self.seen.is_some(), "no search was begun");
                self.think(steps);
                serde_json::to_vec(&self.thought())
            }
        };
        answer.context("the answer does not serialise")
    }
}

impl<G: Encode> Seat<G> {
    fn new(model: &ModelFile) -> Result<Self> {
        model.check::<G>()?;
        let play = model.play(&PlayTable::default());
        let net = NativeNet::new(&model.model, play.precision)?;
        Ok(Seat {
            search: Search::with_memory(play.search, play.memory.min(MEMORY)),
            evaluator: NetEvaluator::new(net.evaluator(G::SHAPE)),
            tree: play.tree,
            seen: None,
        })
    }

    fn begin(&mut self, line: &Line, simulations: u32) -> Result<()> {
        let (game, moves) = line.read::<G>()?;
        if game.outcome_or_declaration().is_some() {
            bail!("the game is over");
        }
        let seen = self.seen.take().filter(|(start, _)| self.tree == TreeUse::Kept && *start == line.start);
        match seen.as_ref().and_then(|(_, seen)| moves.strip_prefix(&seen[..])) {
            Some(since) => self.search.start_after(since, &game, simulations),
            None => {
                // Without noise the search draws no random numbers.
                let mut rng = rng::stream(0, Purpose::Evaluation, &[]);
                self.search.start(&game, simulations, Noise::None, &mut rng);
            }
        }
        self.seen = Some((line.start.clone(), moves));
        run_while(&mut self.search, &mut self.evaluator, || false);
        Ok(())
    }

    fn think(&mut self, steps: u32) {
        let mut done = 0;
        run_while(&mut self.search, &mut self.evaluator, || {
            done += 1;
            done < steps
        });
    }

    fn thought(&self) -> Thought {
        let Wdl { win, draw, loss } = self.search.root_wdl();
        Thought {
            over: self.search.is_over(),
            simulations: self.search.simulations(),
            best: self.search.best_move().to_string(),
            wdl: [win, draw, loss],
            priors: Vec::new(),
        }
    }
}

impl Line {
    /// The position and the moves that led to it.
    fn read<G: Game>(&self) -> Result<(G, Vec<G::Move>)> {
        ensure!(self.moves.len() <= MOST_PLIES, "a game of {} plies", self.moves.len());
        let mut game = self.start.read::<G>()?;
        let mut moves = Vec::with_capacity(self.moves.len());
        for text in &self.moves {
            let mv = game.parse_move(text)?;
            game.play(mv);
            moves.push(mv);
        }
        Ok((game, moves))
    }
}

impl Start {
    fn read<G: Game>(&self) -> Result<G> {
        ensure!(G::ID.rule_sets().contains(&self.rules), "{} has no rules {}", G::ID, self.rules);
        if let Some(fen) = &self.fen {
            return Ok(G::from_fen(self.rules, fen)?);
        }
        let setup = match &self.setup {
            Some(setup) => {
                Setup::Named(setup.parse::<Formations>().map_err(|error: ParseError| anyhow::anyhow!(error))?)
            }
            None => Setup::Standard,
        };
        // Neither draws random numbers.
        Ok(G::start(self.rules, setup, &mut rng::stream(0, Purpose::Openings, &[])))
    }
}

fn describe<G: Game>(game: &G) -> Position {
    let outcome = game.outcome_or_declaration();
    let mut moves = Vec::new();
    if outcome.is_none() {
        game.legal_moves(&mut moves);
    }
    Position {
        fen: game.fen(),
        turn: game.side_to_move().index(),
        check: game.is_check(),
        moves: moves.iter().map(ToString::to_string).collect(),
        outcome: outcome.map(|Outcome { verdict, reason, points }| {
            let winner = match verdict {
                Verdict::Win(side) => Some(Side::index(side)),
                Verdict::Draw => None,
            };
            End { winner, reason, points }
        }),
    }
}
