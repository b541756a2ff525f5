//! The engine of one game: its position, its net and its search.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    books::read_book,
    game_line::GameLine,
    info_reporter::InfoReporter,
    nets::{NetChoice, choose_net},
    output::EngineOutput,
    request::{SearchControl, SearchMode, SearchRequest, SearchTask},
    searcher::Searcher,
    tree_driver::TreeDriver,
};
use crate::{
    base::{
        rng::{Purpose, Rng, stream},
        store::printable,
    },
    games::{
        book::Book,
        encode::Encode,
        rules::{Declaration, RuleSet, Setup, Side, divide},
    },
    net::{AnyEvaluator, LoadedNet, ModelFile, PlayConfig, PlaySearch, PlayTable},
    protocol::{BestMove, Dialect, MateAnswer, Notation, PositionText},
    search::{AlphaBeta, Evaluation, Evaluator, Query, SearchLimits, Strength, search_limited},
};

/// A [`GameEngine`] of any game.
pub trait AnyGameEngine: Send {
    /// Takes a position, of which the standard start has this `setup`, its moves in the first of `notations` that fits, and
    /// says which did.
    ///
    /// # Errors
    /// Says what is wrong; the position before it stays.
    fn set_position(
        &mut self,
        text: &PositionText,
        setup: Setup,
        notations: &[Notation],
    ) -> Result<Notation, String>;
    /// Plays from now on with the net at `weights`, else with the one found in `folders`, else by the rules alone, and
    /// searches as `play` says. Returns what the user should know, a line each.
    fn load_net(&mut self, weights: Option<&Path>, play: &PlayTable, folders: &[PathBuf]) -> Vec<String>;
    /// Plays from now on from the book at `path`, or from none. Returns what the user should know, a line each.
    fn open_book(&mut self, path: Option<&Path>) -> Vec<String>;
    /// Forgets what the last search has found.
    fn forget(&mut self);
    /// What is unusual about the position that the game began at, if something is ([`crate::games::rules::Game::unusual`]).
    fn unusual(&self) -> Option<String>;
    /// Whose turn it is, and how many plies were played.
    fn turn(&self) -> (Side, u32);
    /// The board and its FEN, a line each.
    fn show(&self) -> Vec<String>;
    /// Does what `request` asks for, and writes the answer to `output`.
    fn search(&mut self, request: &SearchRequest, control: &SearchControl, output: &EngineOutput);
}

/// The engine of `G`.
pub struct GameEngine<G: Encode> {
    line: GameLine<G>,
    /// One for each thread.
    evaluators: Vec<AnyEvaluator>,
    play: PlayConfig,
    /// The kind of search that was asked for last: there is memory for one.
    searcher: Searcher<G>,
    /// The weights and the settings that play, as they were asked for.
    loaded: Option<(Option<PathBuf>, PlayTable)>,
    /// The net that was read last, and the weights that were asked for then.
    model: Option<(Option<PathBuf>, Option<ModelFile>)>,
    /// The book that was asked for, and what could be read of it.
    book: Option<(PathBuf, Option<Book>)>,
}

impl<G: Encode> GameEngine<G> {
    /// At the start of a game under `rules`, and without a net.
    pub fn new(rules: RuleSet) -> Self {
        let start = GameLine::read(rules, &PositionText::STANDARD, Setup::Standard, &[Notation::Own]);
        let play = PlayTable::default().complete_without_net(G::ID);
        GameEngine {
            line: start.expect("every game has a start").0,
            evaluators: vec![AnyEvaluator::Even],
            searcher: Searcher::tree(&play),
            play,
            loaded: None,
            model: None,
            book: None,
        }
    }

    /// Plays with `model`, by the rules alone without one.
    ///
    /// # Errors
    /// Says why it cannot; then it plays by the rules alone.
    fn play_with(&mut self, model: Option<&ModelFile>, table: &PlayTable) -> Result<(), String> {
        self.play = complete::<G>(model, table);
        let net = model.map(|model| {
            model.check::<G>().map_err(|error| format!("{error:#}"))?;
            let net = LoadedNet::native_on(self.play.threads, &model.model, self.play.precision);
            net.map_err(|error| format!("{error:#}"))
        });
        let (net, result) = match net.transpose() {
            Ok(net) => (net, Ok(())),
            Err(why) => (None, Err(why)),
        };
        self.evaluators = (0..self.play.threads).map(|_| AnyEvaluator::of::<G>(net.as_ref())).collect();
        // What the search has found, and how much memory it may take, is of the net before.
        let make = match self.play.kind {
            PlaySearch::Auto | PlaySearch::AlphaBeta => Searcher::alphabeta,
            PlaySearch::Puct | PlaySearch::Gumbel => Searcher::tree,
        };
        self.searcher.replace(make, &self.play);
        self.warm_up();
        result
    }

    /// Searches a little: tables that are made at their first use are made now, and not while a clock runs.
    fn warm_up(&mut self) {
        let GameEngine { line, evaluators, play, searcher, .. } = self;
        match searcher {
            _ if line.start.outcome().is_some() => {}
            Searcher::Tree(search) => TreeDriver { search, evaluators, play }.warm_up(&line.start),
            Searcher::AlphaBeta(search) => {
                search.search(
                    &line.start,
                    &SearchLimits { depth: 3, ..SearchLimits::UNLIMITED },
                    evaluators,
                    &mut || true,
                );
                search.forget();
            }
        }
    }

    /// Finds the best move and answers with it. The search is the same whatever limits it; where it is left to us, it is
    /// alpha-beta, unless the visits of all moves are to be reported, which only a tree has.
    fn find_move(&mut self, request: &SearchRequest, control: &SearchControl, output: &EngineOutput) {
        let is_alphabeta = match self.play.kind {
            PlaySearch::AlphaBeta => true,
            _ if self.play.strength.is_some() => true,
            PlaySearch::Auto => !request.move_stats,
            PlaySearch::Puct | PlaySearch::Gumbel => false,
        };
        match &self.searcher {
            Searcher::Tree(_) if is_alphabeta => self.searcher.replace(Searcher::alphabeta, &self.play),
            Searcher::AlphaBeta(_) if !is_alphabeta => self.searcher.replace(Searcher::tree, &self.play),
            _ => {}
        }
        let GameEngine { line, evaluators, play, searcher, book, .. } = self;
        let mut reporter = InfoReporter::new(line, request, control, output);
        let moves = reporter.allowed_moves();
        let dialect = output.dialect;
        if moves.is_empty() {
            control.wait(request.mode);
            reporter.report_end();
            return output.say(&BestMove::Nothing.write(dialect));
        }
        let wins = line.game.declaration() == Some(Declaration::Win);
        if wins && dialect == Dialect::Usi && request.mode != SearchMode::Infinite {
            control.wait(request.mode);
            return output.say(&BestMove::Win.write(dialect));
        }
        let book = book.as_ref().and_then(|(_, book)| book.as_ref());
        let booked = book.filter(|_| request.mode != SearchMode::Infinite);
        if let Some(mv) = booked.and_then(|book| book.draw(&line.game, &moves, &mut chance())) {
            control.wait(request.mode);
            if dialect == Dialect::Uci {
                output.say("info string a move of the book");
            }
            return output.say(&BestMove::Move(reporter.write(mv), None).write(dialect));
        }
        let best = match searcher {
            Searcher::Tree(search) => {
                TreeDriver { search, evaluators, play }.find_move(&mut reporter, &moves)
            }
            Searcher::AlphaBeta(search) => match play.strength {
                Some(strength) => limited_line(search, strength, &moves, evaluators, &mut reporter),
                None => best_line(search, &moves, evaluators, &mut reporter),
            },
        };
        let expected = best.get(1).map(|&mv| reporter.write(mv));
        output.say(&BestMove::Move(reporter.write(best[0]), expected).write(dialect));
    }

    /// Looks for a mate, which is the tree's work, and answers.
    fn find_mate(
        &mut self,
        limit: Option<Duration>,
        request: &SearchRequest,
        control: &SearchControl,
        output: &EngineOutput,
    ) {
        if let Searcher::AlphaBeta(_) = self.searcher {
            self.searcher.replace(Searcher::tree, &self.play);
        }
        let GameEngine { line, evaluators, play, searcher, .. } = self;
        let reporter = InfoReporter::new(line, request, control, output);
        let moves = reporter.allowed_moves();
        match searcher {
            Searcher::Tree(search) if !moves.is_empty() => {
                TreeDriver { search, evaluators, play }.find_mate(&reporter, &moves, limit);
            }
            _ => output.say(&MateAnswer::NoMate.write()),
        }
    }

    fn perft(&self, depth: u32, control: &SearchControl, output: &EngineOutput) {
        let Some(counts) = divide(&self.line.game, depth, &|| control.is_stopped()) else { return };
        for (mv, count) in &counts {
            output.say(&format!("{}: {count}", output.notation.write_move::<G>(*mv)));
        }
        let total: u64 = counts.iter().map(|(_, count)| count).sum();
        output.say(&format!("\nNodes searched: {total}\n"));
    }
}

/// The settings of play of `model`, or without one, as far as `table` says nothing else. A search goes on for as long as
/// it takes.
fn complete<G: Encode>(model: Option<&ModelFile>, table: &PlayTable) -> PlayConfig {
    match model {
        Some(model) => model.play_for_any_time(table),
        None => table.clone().for_any_time().complete_without_net(G::ID),
    }
}

/// Random numbers that differ from one call to the next.
fn chance() -> Rng {
    // The standard library draws the keys of its hash maps at random.
    stream(RandomState::new().build_hasher().finish(), Purpose::Evaluation, &[])
}

/// The line that a player of this strength takes, once it may be answered. `reporter` reports no other.
fn limited_line<G: Encode>(
    search: &mut AlphaBeta<G>,
    strength: Strength,
    moves: &[G::Move],
    evaluators: &mut [AnyEvaluator],
    reporter: &mut InfoReporter<'_, G>,
) -> Vec<G::Move> {
    let request = reporter.request;
    let limits = SearchLimits {
        only: moves,
        nodes: request.nodes.unwrap_or(u64::MAX),
        depth: request.depth.unwrap_or(u32::MAX),
        ..SearchLimits::UNLIMITED
    };
    let game = &reporter.line.game;
    let found = search_limited(search, strength, game, &limits, evaluators, reporter, &mut chance());
    reporter.finish(&found);
    found.lines.into_iter().next().expect("a line").moves
}

/// The best line among `moves` by alpha-beta, once it may be answered. `reporter` reports every depth.
fn best_line<G: Encode>(
    search: &mut AlphaBeta<G>,
    moves: &[G::Move],
    evaluators: &mut [AnyEvaluator],
    reporter: &mut InfoReporter<'_, G>,
) -> Vec<G::Move> {
    let (request, game) = (reporter.request, &reporter.line.game);
    let orders = SearchLimits {
        only: moves,
        lines: request.multipv,
        nodes: request.nodes.unwrap_or(u64::MAX),
        depth: if request.hurries(moves.len()) { 1 } else { request.depth.unwrap_or(u32::MAX) },
    };
    if request.show_wdl {
        let mut out = [Evaluation::default()];
        let query = Query { game: game.clone(), moves: Vec::new(), policy_only: false };
        evaluators[0].evaluate(&[&query], &mut out);
        reporter.draw = out[0].wdl.draw;
    }
    let found = search.search(game, &orders, evaluators, reporter);
    reporter.finish(&found);
    found.lines.into_iter().next().expect("a line").moves
}

impl<G: Encode> AnyGameEngine for GameEngine<G> {
    fn set_position(
        &mut self,
        text: &PositionText,
        setup: Setup,
        notations: &[Notation],
    ) -> Result<Notation, String> {
        let (line, notation) = GameLine::read(self.line.game.rules(), text, setup, notations)?;
        self.line = line;
        Ok(notation)
    }

    fn load_net(&mut self, weights: Option<&Path>, play: &PlayTable, folders: &[PathBuf]) -> Vec<String> {
        let mut notes = Vec::new();
        let wanted = (weights.map(Path::to_owned), play.clone());
        if self.loaded.as_ref() == Some(&wanted) {
            return notes;
        }
        let model = match self.model.take() {
            Some((named, model)) if named.as_deref() == weights => model,
            _ => {
                let rules = self.line.game.rules();
                let NetChoice { model, notes: told, .. } = choose_net(G::ID, rules, weights, folders);
                notes = told;
                model
            }
        };
        if let Err(why) = self.play_with(model.as_ref(), play) {
            notes.push(format!("{why}: it plays by the rules alone"));
        }
        self.model = Some((wanted.0.clone(), model));
        self.loaded = Some(wanted);
        notes
    }

    fn open_book(&mut self, path: Option<&Path>) -> Vec<String> {
        if self.book.as_ref().map(|(path, _)| &**path) == path {
            return Vec::new();
        }
        let mut notes = Vec::new();
        self.book = path.map(|path| {
            let book = read_book(path, G::ID).map_err(|why| {
                notes.push(format!("it plays without the book {}: {why}", path.display()));
            });
            (path.to_owned(), book.ok())
        });
        notes
    }

    fn forget(&mut self) {
        match &mut self.searcher {
            Searcher::Tree(search) => search.forget(),
            Searcher::AlphaBeta(search) => search.forget(),
        }
    }

    fn unusual(&self) -> Option<String> {
        self.line.start.unusual()
    }

    fn turn(&self) -> (Side, u32) {
        (self.line.game.side_to_move(), self.line.game.ply())
    }

    fn show(&self) -> Vec<String> {
        let game = &self.line.game;
        let mut lines: Vec<String> = game.board().lines().map(str::to_owned).collect();
        lines.push(format!("Fen: {}", game.fen()));
        if game.fen().contains('[') {
            lines.push(format!("Sfen: {}", Notation::Shogi.write_fen(game)));
        }
        lines.push(format!("Key: {:016X}", game.key()));
        lines.push(format!("Checkers: {}", if game.is_check() { "yes" } else { "" }));
        lines
    }

    fn search(&mut self, request: &SearchRequest, control: &SearchControl, output: &EngineOutput) {
        let refuse = |why: &str, answer: &str| {
            output.say(&format!("info string {}", printable(why)));
            control.wait(request.mode);
            output.say(answer);
        };
        match &request.task {
            SearchTask::BestMove => self.find_move(request, control, output),
            SearchTask::Mate(limit) => self.find_mate(*limit, request, control, output),
            SearchTask::Perft(depth) => self.perft(*depth, control, output),
            SearchTask::RefuseMove(why) => refuse(why, &BestMove::Nothing.write(output.dialect)),
            SearchTask::RefuseMate(why) => refuse(why, &MateAnswer::NotImplemented.write()),
        }
    }
}
