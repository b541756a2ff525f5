//! A model at a table: it says what a position is and searches it. Requests and answers are JSON.

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::{
    base::{
        rng::{self, Purpose},
        store::Container,
    },
    games::encode::Encode,
    games::rules::{
        Declaration, Game, Outcome, ParseError, Reason, RuleSet, Setup, Side, Verdict, janggi::Formations,
    },
    net::{ModelFile, NativeNet, NetEvaluator, PlayTable, file},
    search::{
        AlphaBeta, GameSearch, PvLine, Search, SearchLimits, Variation, Wdl, run_while, search_limited,
    },
    with_game,
};

/// MiB that the tree takes at most: phones have little.
const MEMORY: u32 = 64;
/// MiB of the search below full strength, which has few nodes.
const LIMITED_MEMORY: usize = 4;
/// Plies that a game may have at most: more than any rule set allows between two captures.
const MOST_PLIES: usize = 4096;

/// Root moves that an answer tells of at most.
const MOST_CANDIDATES: usize = 5;

/// A model that was opened, and what it thinks about.
pub struct PlaySession {
    seat: Box<dyn Answer>,
    about: Vec<u8>,
}

/// What is asked.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Request {
    /// What the position is.
    Position { line: Line },
    /// What the positions are from the start to there, in their order.
    Positions { line: Line },
    /// Begins a search with a budget of simulations; the root alone is judged.
    Search { line: Line, simulations: u32 },
    /// Goes on with it for a number of steps.
    Think { steps: u32 },
    /// Plays below full strength, at this level; the random numbers depend on the seed.
    Play { line: Line, level: u32, seed: u64 },
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
#[derive(Deserialize)]
struct Start {
    rules: RuleSet,
    /// Janggi's set-up, as `nbbn/bnbn`.
    setup: Option<String>,
    /// The handicap, as `rook`.
    handicap: Option<String>,
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
    /// The end by rule. A declaration is none: the side to move decides about it.
    outcome: Option<End>,
    /// What declaring would give now: `win` or `draw`.
    declaration: Option<&'static str>,
    /// How passing would end the game; `None` where it would not, or passing is illegal.
    passing: Option<End>,
    /// What the pieces of both sides count, where that may decide.
    points: Option<[f32; 2]>,
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
    /// The moves that the search likes most, the best first.
    candidates: Vec<Candidate>,
}

/// A move that a search has looked at.
#[derive(Serialize)]
struct Candidate {
    /// The move, and behind it what is expected.
    line: Vec<String>,
    visits: u32,
    /// Its share of all visits.
    share: f32,
    /// Win, draw and loss for the side that plays it.
    wdl: [f32; 3],
}

impl PlaySession {
    /// Opens a model's file.
    ///
    /// # Errors
    /// Says what is wrong with it: damaged, a tower, of another version.
    pub fn open(bytes: &[u8]) -> Result<Self> {
        let container = Container::from_bytes(bytes)?.of_kind(file::KIND)?;
        let model = ModelFile::from_container(&container)?;
        let about = serde_json::to_vec(&model.meta).context("its description does not serialise")?;
        let seat = with_game!(model.meta.game, G => Box::new(Seat::<G>::new(&model)?) as Box<dyn Answer>);
        Ok(PlaySession { seat, about })
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
    search: GameSearch<G>,
    evaluator: NetEvaluator,
    /// The search below full strength, once it was asked for.
    limited: Option<AlphaBeta<G>>,
    model: ModelFile,
}

impl<G: Encode> Answer for Seat<G> {
    fn answer(&mut self, request: Request) -> Result<Vec<u8>> {
        let answer = match request {
            Request::Position { line } => serde_json::to_vec(&describe(&line.read::<G>()?.0)),
            Request::Positions { line } => serde_json::to_vec(&line.positions::<G>()?),
            Request::Search { line, simulations } => {
                self.begin(&line, simulations)?;
                serde_json::to_vec(&self.thought())
            }
            Request::Think { steps } => {
                ensure!(self.search.is_started(), "no search was begun");
                self.think(steps);
                serde_json::to_vec(&self.thought())
            }
            Request::Play { line, level, seed } => serde_json::to_vec(&self.play(&line, level, seed)?),
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
            search: GameSearch::new(Search::with_memory(play.search, play.memory.min(MEMORY)), play.tree),
            evaluator: NetEvaluator::new(net.evaluator(G::SHAPE)),
            limited: None,
            model: model.clone(),
        })
    }

    /// What a player of `level` does.
    fn play(&mut self, line: &Line, level: u32, seed: u64) -> Result<Thought> {
        let table = PlayTable { level: Some(level), ..PlayTable::default() };
        table.check().map_err(anyhow::Error::msg)?;
        let strength = self.model.play(&table).strength.context("full strength is searched for")?;
        let (game, _) = line.read::<G>()?;
        ensure!(game.outcome_or_declaration().is_none(), "the game is over");
        let search = self.limited.get_or_insert_with(|| AlphaBeta::new(LIMITED_MEMORY));
        let mut rng = rng::stream(seed, Purpose::Evaluation, &[]);
        let evaluators = std::slice::from_mut(&mut self.evaluator);
        let limits = SearchLimits::UNLIMITED;
        let found = search_limited(search, strength, &game, &limits, evaluators, &mut || true, &mut rng);
        let PvLine { moves, q, .. } = &found.lines[0];
        let wdl = [(1.0 + q) / 2.0, 0.0, (1.0 - q) / 2.0];
        let line = moves.iter().map(ToString::to_string).collect();
        Ok(Thought {
            over: true,
            simulations: found.nodes.try_into().unwrap_or(u32::MAX),
            best: found.mv().to_string(),
            wdl,
            candidates: vec![Candidate { line, visits: 1, share: 1.0, wdl }],
        })
    }

    fn begin(&mut self, line: &Line, simulations: u32) -> Result<()> {
        let (game, moves) = line.read::<G>()?;
        if game.outcome_or_declaration().is_some() {
            bail!("the game is over");
        }
        let start = line.start.read::<G>()?;
        self.search.start(&start, &moves, &game, simulations);
        run_while(self.search.search_mut(), &mut self.evaluator, || false);
        Ok(())
    }

    fn think(&mut self, steps: u32) {
        let mut done = 0;
        run_while(self.search.search_mut(), &mut self.evaluator, || {
            done += 1;
            done < steps
        });
    }

    fn candidates(&self) -> Vec<Candidate> {
        let visits: u32 = self.search.search().root_moves().map(|root| root.visits).sum();
        let candidate = |variation: Variation<G::Move>| Candidate {
            line: variation.moves.iter().map(ToString::to_string).collect(),
            visits: variation.visits,
            share: variation.visits as f32 / visits.max(1) as f32,
            wdl: [variation.wdl.win, variation.wdl.draw, variation.wdl.loss],
        };
        self.search.search().variations(MOST_CANDIDATES).into_iter().map(candidate).collect()
    }

    fn thought(&self) -> Thought {
        let Wdl { win, draw, loss } = self.search.search().root_wdl();
        Thought {
            over: self.search.search().is_over(),
            simulations: self.search.search().simulations(),
            best: self.search.search().best_move().to_string(),
            wdl: [win, draw, loss],
            candidates: self.candidates(),
        }
    }
}

impl Line {
    /// The position and the moves that led to it.
    fn read<G: Game>(&self) -> Result<(G, Vec<G::Move>)> {
        self.walk::<G>(&mut |_| ())
    }

    /// All positions from the start on.
    fn positions<G: Game>(&self) -> Result<Vec<Position>> {
        let mut positions = Vec::with_capacity(self.moves.len() + 1);
        self.walk::<G>(&mut |game| positions.push(describe(game)))?;
        Ok(positions)
    }

    fn walk<G: Game>(&self, on_position: &mut dyn FnMut(&G)) -> Result<(G, Vec<G::Move>)> {
        ensure!(self.moves.len() <= MOST_PLIES, "a game of {} plies", self.moves.len());
        let mut game = self.start.read::<G>()?;
        let mut moves = Vec::with_capacity(self.moves.len());
        on_position(&game);
        for text in &self.moves {
            let mv = game.parse_move(text)?;
            game.play(mv);
            moves.push(mv);
            on_position(&game);
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
                setup.parse::<Formations>().map_err(|error: ParseError| anyhow::anyhow!(error))?.into()
            }
            None => Setup::Standard,
        };
        // Neither draws random numbers.
        let start = G::start(self.rules, setup, &mut rng::stream(0, Purpose::Openings, &[]));
        match &self.handicap {
            Some(name) => Ok(start.with_handicap(G::ID.handicap(name)?)),
            None => Ok(start),
        }
    }
}

fn describe<G: Game>(game: &G) -> Position {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let passed = moves.iter().find(|mv| is_pass(&mv.to_string())).map(|&pass| {
        let mut next = game.clone();
        next.play(pass);
        next
    });
    Position {
        fen: game.fen(),
        turn: game.side_to_move().index(),
        check: game.is_check(),
        moves: moves.iter().map(ToString::to_string).collect(),
        outcome: game.outcome().map(End::of),
        declaration: game.declaration().map(|declaration| match declaration {
            Declaration::Win => "win",
            Declaration::Draw => "draw",
        }),
        passing: passed.and_then(|next| next.outcome()).map(End::of),
        points: game.adjudicate().points,
    }
}

/// Whether a move leaves everything where it is.
fn is_pass(text: &str) -> bool {
    let (from, to) = text.split_at(text.len() / 2);
    from == to
}

impl End {
    fn of(Outcome { verdict, reason, points }: Outcome) -> Self {
        let winner = match verdict {
            Verdict::Win(side) => Some(Side::index(side)),
            Verdict::Draw => None,
        };
        End { winner, reason, points }
    }
}
