//! A model at a table: it says what a position is and searches it. Requests and answers are JSON.

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::line::Line;
use crate::{
    base::{
        rng::{self, Purpose},
        store::Container,
    },
    games::{
        encode::Encode,
        notation::{Notate, Style, style_in, write_line},
        rules::Game,
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

/// Moves of a line that are written as readers write them.
const MOST_WRITTEN: usize = 6;
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
    /// The beginning of the same as readers write it.
    written: Vec<String>,
    /// Its share of all visits.
    share: f32,
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
    /// Where the search began, if one did.
    asked: Option<Asked<G>>,
    evaluator: NetEvaluator,
    /// The search below full strength, once it was asked for.
    limited: Option<AlphaBeta<G>>,
    model: ModelFile,
}

/// A position that is thought about, the move that led there, and how moves are written.
struct Asked<G: Game> {
    game: G,
    last: Option<G::Move>,
    style: Style,
}

impl<G: Notate> Asked<G> {
    fn of(line: &Line, game: G, moves: &[G::Move]) -> Self {
        Asked { game, last: moves.last().copied(), style: style_in::<G>(&line.language) }
    }

    /// The beginning of the legal moves `line` from there.
    fn write(&self, line: &[G::Move]) -> Vec<String> {
        write_line(&self.game, self.last, &line[..line.len().min(MOST_WRITTEN)], self.style)
    }
}

impl<G: Encode + Notate> Answer for Seat<G> {
    fn answer(&mut self, request: Request) -> Result<Vec<u8>> {
        let answer = match request {
            Request::Position { line } => serde_json::to_vec(&line.last_position::<G>()?),
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

impl<G: Encode + Notate> Seat<G> {
    fn new(model: &ModelFile) -> Result<Self> {
        model.check::<G>()?;
        // The page lets it think for a time.
        let play = model.play_for_any_time(&PlayTable::default());
        let net = NativeNet::new(&model.model, play.precision)?;
        Ok(Seat {
            search: GameSearch::new(Search::with_memory(play.search, play.memory.min(MEMORY)), play.tree),
            asked: None,
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
        let (game, played) = line.read::<G>()?;
        ensure!(game.outcome_or_declaration().is_none(), "the game is over");
        let search = self.limited.get_or_insert_with(|| AlphaBeta::new(LIMITED_MEMORY));
        let mut rng = rng::stream(seed, Purpose::Evaluation, &[]);
        let evaluators = std::slice::from_mut(&mut self.evaluator);
        let limits = SearchLimits::UNLIMITED;
        let found = search_limited(search, strength, &game, &limits, evaluators, &mut || true, &mut rng);
        let PvLine { moves, q, .. } = &found.lines[0];
        let wdl = [(1.0 + q) / 2.0, 0.0, (1.0 - q) / 2.0];
        let written = Asked::of(line, game, &played).write(moves);
        let line = moves.iter().map(ToString::to_string).collect();
        Ok(Thought {
            over: true,
            simulations: found.nodes.try_into().unwrap_or(u32::MAX),
            best: found.mv().to_string(),
            wdl,
            candidates: vec![Candidate { line, written, share: 1.0 }],
        })
    }

    fn begin(&mut self, line: &Line, simulations: u32) -> Result<()> {
        let (game, moves) = line.read::<G>()?;
        if game.outcome_or_declaration().is_some() {
            bail!("the game is over");
        }
        let start = line.start.read::<G>()?;
        self.search.start(&start, &moves, &game, simulations);
        self.search.search_mut().hurry_if_forced();
        run_while(self.search.search_mut(), &mut self.evaluator, || false);
        self.asked = Some(Asked::of(line, game, &moves));
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
            written: self.asked.as_ref().map_or_else(Vec::new, |asked| asked.write(&variation.moves)),
            share: variation.visits as f32 / visits.max(1) as f32,
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
