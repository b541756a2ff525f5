//! A game on the engine's desk: its position, its net and its search.

use std::time::{Duration, Instant};

use super::{
    answer::{Best, Info, Score},
    perft,
    position::{Line, PositionText},
    task::{Control, Task, Time, Voice, Waits, Work},
};
use crate::{
    arena::{Dialect, Notation, Standing, Timer, standing},
    encode::Encode,
    net::{Backend, Judge, ModelFile, PlayConfig, PlayTable, SearchKind, TreeUse},
    rng::{Purpose, stream},
    rules::{Declaration, Game, RuleSet, Side},
    search::{Noise, Search, run_together},
};

/// What a session does with a game, whichever it is.
pub trait Thinker: Send {
    /// Takes a position, its moves in the first of `notations` that fits, and says which did.
    ///
    /// # Errors
    /// Says what is wrong; the position before it stays.
    fn read(&mut self, text: &PositionText, notations: &[Notation]) -> Result<Notation, String>;
    /// Plays with `model` from now on, by the rules alone without one, and searches as `play` says.
    ///
    /// # Errors
    /// Says why it cannot; then it plays by the rules alone.
    fn load(&mut self, model: Option<&ModelFile>, play: &PlayTable) -> Result<(), String>;
    /// Forgets what the last search has found.
    fn forget(&mut self);
    /// Whose turn it is, and how many plies were played.
    fn turn(&self) -> (Side, u32);
    /// The board and its FEN, a line each.
    fn show(&self) -> Vec<String>;
    /// Does what it is told to, and says the answer.
    fn think(&mut self, task: &Task, control: &Control, voice: &Voice);
}

/// A position by the way to it: where it began, and the moves.
type Way<M> = (String, Vec<M>);

/// The desk of `G`.
pub struct Desk<G: Encode> {
    line: Line<G>,
    search: Search<G>,
    judges: Vec<Judge>,
    play: PlayConfig,
    /// The root of the last search, if what it found is kept.
    seen: Option<Way<G::Move>>,
}

/// Between two looks at a search.
const LOOK: Duration = Duration::from_millis(50);
/// A search says something at least so often.
const WORD: Duration = Duration::from_secs(1);

impl<G: Encode> Desk<G> {
    /// With the start of a game under `rules`, and without a net.
    pub fn new(rules: RuleSet) -> Self {
        let start = Line::read(rules, &PositionText::STANDARD, &[Notation::Own]);
        let play = PlayTable::default().complete_without_net(G::ID);
        let (line, _) = start.expect("every game has a start");
        Desk { line, search: Search::new(play.search.clone()), judges: vec![Judge::Even], play, seen: None }
    }

    /// The moves that may be played: those asked for that are legal, without those that are banned.
    fn allowed(&self, task: &Task, notation: Notation) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.line.game.legal_moves(&mut moves);
        let named = |texts: &[String], mv: &G::Move| texts.contains(&notation.write_move::<G>(*mv));
        moves.retain(|mv| !named(&task.banned, mv));
        if moves.iter().any(|mv| named(&task.only, mv)) {
            moves.retain(|mv| named(&task.only, mv));
        }
        moves
    }

    /// Begins a search among `moves`, with what the last one found if that is kept.
    fn begin(&mut self, moves: &[G::Move], simulations: u32) {
        let mut legal = Vec::new();
        self.line.game.legal_moves(&mut legal);
        self.search.restrict(if moves.len() == legal.len() { &[] } else { moves });
        let way = (self.line.start.fen(), self.line.moves.clone());
        let seen = self.seen.replace(way).filter(|_| self.play.tree == TreeUse::Kept);
        let (start, moves) = self.seen.as_ref().expect("just set");
        let since = seen
            .filter(|seen| seen.0 == *start)
            .and_then(|seen| moves.strip_prefix(seen.1.as_slice()).map(<[G::Move]>::to_vec));
        match since {
            Some(since) => self.search.start_after(&since, &self.line.game, simulations),
            None => {
                // Without noise the search draws no random numbers.
                let mut rng = stream(0, Purpose::Evaluation, &[]);
                self.search.start(&self.line.game, simulations, Noise::None, &mut rng);
            }
        }
    }

    /// Searches until then, or until the search or the task is over.
    fn search_until(&mut self, until: Option<Instant>, pondering: Waits, control: &Control) {
        let goes_on = || {
            let is_ended = control.is_stopped() || pondering == Waits::ForHit && control.is_hit();
            !is_ended && until.is_none_or(|until| Instant::now() < until)
        };
        run_together(&mut self.search, &mut self.judges, self.play.batch, &goes_on);
    }

    /// Searches a little: tables that are made at their first use are made now, and not while a clock runs.
    fn warm_up(&mut self) {
        let start = self.line.start.clone();
        if start.outcome().is_none() {
            let mut rng = stream(0, Purpose::Evaluation, &[]);
            self.search.start(&start, 64, Noise::None, &mut rng);
            run_together(&mut self.search, &mut self.judges, self.play.batch, &|| true);
        }
    }

    fn find_move(&mut self, task: &Task, control: &Control, voice: &Voice) {
        let moves = self.allowed(task, voice.notation);
        if moves.is_empty() {
            control.wait(task.waits);
            if voice.dialect == Dialect::Uci {
                voice.say(&self.nothing(task).line(voice.dialect));
            }
            voice.say(&Best::Nothing.line(voice.dialect));
            return;
        }
        let wins = self.line.game.declaration() == Some(Declaration::Win);
        if wins && voice.dialect == Dialect::Usi && task.waits != Waits::ForStop {
            control.wait(task.waits);
            voice.say(&Best::Win.line(voice.dialect));
            return;
        }
        self.begin(&moves, task.simulations);
        self.follow(task, control, voice);
        let variations = self.report(task, voice);
        if task.move_stats {
            self.tell_moves(voice);
        }
        let text = |mv: &G::Move| voice.notation.write_move::<G>(*mv);
        let line = &variations[0];
        voice.say(&Best::Move(text(&line[0]), line.get(1).map(text)).line(voice.dialect));
    }

    /// Searches, and says how it goes, until the answer is to be given.
    fn follow(&mut self, task: &Task, control: &Control, voice: &Voice) {
        let mut watch = Watch::new(task);
        // When something was said last, and what: the depth and the move.
        let mut said: Option<(Instant, u32, G::Move)> = None;
        loop {
            self.search_until(Some(watch.next_look()), watch.waits, control);
            if control.is_stopped() {
                return;
            }
            if watch.waits == Waits::ForHit
                && let Some((hit, time)) = control.time_after_hit()
            {
                watch = Watch::after_hit(hit, time, self.search.simulations());
            }
            if self.search.is_over() {
                if watch.waits != Waits::No {
                    self.report(task, voice);
                }
                return control.wait(watch.waits);
            }
            if watch.is_over(&self.search) {
                return;
            }
            let (depth, best) = (depth(self.search.simulations()), self.search.best_move());
            let is_news = |&(at, old, mv): &(Instant, u32, G::Move)| {
                (old, mv) != (depth, best) || Instant::now() > at + WORD
            };
            if said.as_ref().is_none_or(is_news) {
                said = Some((Instant::now(), depth, best));
                self.report(task, voice);
            }
        }
    }

    /// Says what is known, and returns the lines of it.
    fn report(&self, task: &Task, voice: &Voice) -> Vec<Vec<G::Move>> {
        let variations = self.search.variations(task.lines);
        for (variation, place) in variations.iter().zip(1..) {
            let info = Info {
                score: Score::of(variation),
                place: (voice.dialect == Dialect::Uci || task.lines > 1).then_some(place),
                wdl: task.show_wdl.then_some(variation.wdl),
                line: variation.moves.iter().map(|&mv| voice.notation.write_move::<G>(mv)).collect(),
                ..self.nothing(task)
            };
            voice.say(&info.line(voice.dialect));
        }
        variations.into_iter().map(|variation| variation.moves).collect()
    }

    /// The figures of the search, and no line; a loss where there is no move.
    fn nothing(&self, task: &Task) -> Info {
        let is_over = self.line.game.outcome().is_some();
        let simulations = if is_over { 0 } else { self.search.simulations() };
        Info {
            depth: depth(simulations),
            deepest: if is_over { 0 } else { self.search.deepest() },
            place: None,
            score: Score::Loss(0),
            wdl: None,
            nodes: simulations,
            elapsed: task.began.elapsed(),
            full: (1000 * (self.search.bytes() >> 10) / ((self.play.memory as usize) << 10)).min(1000) as u32,
            line: Vec::new(),
        }
    }

    fn tell_moves(&self, voice: &Voice) {
        let mut moves: Vec<_> = self.search.root_moves().collect();
        moves.sort_by_key(|mv| mv.visits);
        for mv in moves {
            let text = voice.notation.write_move::<G>(mv.mv);
            let q = mv.q.map_or("-".to_owned(), |q| format!("{q:.4}"));
            let (visits, prior) = (mv.visits, 100.0 * mv.prior);
            voice.say(&format!("info string {text} N: {visits} P: {prior:.2}% Q: {q}"));
        }
    }

    /// Looks for a mate, as USI asks for one.
    fn find_mate(&mut self, limit: Option<Duration>, task: &Task, control: &Control, voice: &Voice) {
        let moves = self.allowed(task, voice.notation);
        if moves.is_empty() {
            return voice.say("checkmate nomate");
        }
        self.begin(&moves, u32::MAX);
        self.search_until(limit.map(|limit| task.began + limit), Waits::No, control);
        let root = self.search.variations(1);
        voice.say(&match (self.search.winning_line(), root[0].certain) {
            (Some(line), _) => {
                let texts: Vec<String> = line.iter().map(|&mv| voice.notation.write_move::<G>(mv)).collect();
                format!("checkmate {}", texts.join(" "))
            }
            (None, Some(_)) => "checkmate nomate".to_owned(),
            (None, None) => "checkmate timeout".to_owned(),
        });
    }

    fn count(&self, depth: u32, control: &Control, voice: &Voice) {
        let Some(counts) = perft::divide(&self.line.game, depth, control) else { return };
        for (mv, count) in &counts {
            voice.say(&format!("{}: {count}", voice.notation.write_move::<G>(*mv)));
        }
        let total: u64 = counts.iter().map(|(_, count)| count).sum();
        voice.say(&format!("\nNodes searched: {total}\n"));
    }
}

impl<G: Encode> Thinker for Desk<G> {
    fn read(&mut self, text: &PositionText, notations: &[Notation]) -> Result<Notation, String> {
        let (line, notation) = Line::read(self.line.game.rules(), text, notations)?;
        self.line = line;
        Ok(notation)
    }

    fn load(&mut self, model: Option<&ModelFile>, table: &PlayTable) -> Result<(), String> {
        // The tree is what tells lines and is kept between moves; only PUCT goes on for as long as it takes.
        let table = PlayTable { search: Some(SearchKind::Puct), ..table.clone() };
        self.play = match model {
            Some(model) => model.play(&table),
            None => table.complete_without_net(G::ID),
        };
        let net = model.map(|model| {
            model.check::<G>().map_err(|error| format!("{error:#}"))?;
            Backend::Native.load_in(&model.model, self.play.precision).map_err(|error| error.to_string())
        });
        let (net, result) = match net.transpose() {
            Ok(net) => (net, Ok(())),
            Err(why) => (None, Err(why)),
        };
        self.judges = (0..self.play.threads).map(|_| Judge::of::<G>(net.as_ref())).collect();
        self.search = Search::with_memory(self.play.search.clone(), self.play.memory);
        self.seen = None;
        self.warm_up();
        result
    }

    fn forget(&mut self) {
        self.seen = None;
    }

    fn turn(&self) -> (Side, u32) {
        (self.line.game.side_to_move(), self.line.game.ply())
    }

    fn show(&self) -> Vec<String> {
        let game = &self.line.game;
        let mut lines: Vec<String> = game.board().lines().map(str::to_owned).collect();
        lines.push(format!("Fen: {}", game.fen()));
        if game.fen().contains('[') {
            let sfen = Notation::Shogi.write_position(game);
            lines.push(format!("Sfen: {}", sfen.trim_start_matches("sfen ")));
        }
        lines.push(format!("Key: {:016X}", game.key()));
        lines.push(format!("Checkers: {}", if game.is_check() { "yes" } else { "" }));
        lines
    }

    fn think(&mut self, task: &Task, control: &Control, voice: &Voice) {
        match task.work {
            Work::Move => self.find_move(task, control, voice),
            Work::Mate(limit) => self.find_mate(limit, task, control, voice),
            Work::Perft(depth) => self.count(depth, control, voice),
        }
    }
}

/// The simulations of a search as a depth: what an even tree of two moves would need them for.
fn depth(simulations: u32) -> u32 {
    simulations.saturating_add(1).ilog2()
}

/// When a search is looked at, and when it is over.
struct Watch<M> {
    began: Instant,
    /// Simulations that were done before.
    before: u32,
    time: Time,
    timer: Option<Timer<M>>,
    waits: Waits,
}

impl<M: Copy + PartialEq> Watch<M> {
    fn new(task: &Task) -> Self {
        Self::over(task.began, task.time, 0, task.waits)
    }

    fn after_hit(hit: Instant, time: Time, simulations: u32) -> Self {
        Self::over(hit, time, simulations, Waits::No)
    }

    fn over(began: Instant, time: Time, before: u32, waits: Waits) -> Self {
        let timer = match time {
            Time::Clock(allotment) => Some(Timer::new(allotment)),
            Time::Free | Time::Fixed(_) => None,
        };
        Watch { began, before, time, timer, waits }
    }

    fn next_look(&self) -> Instant {
        let look = Instant::now() + LOOK;
        match (self.waits, self.time, &self.timer) {
            (Waits::No, Time::Fixed(time), _) => look.min(self.began + time),
            (Waits::No, _, Some(timer)) => look.min(self.began + timer.next_look(self.began.elapsed())),
            _ => look,
        }
    }

    fn is_over<G: Game<Move = M>>(&mut self, search: &Search<G>) -> bool {
        let elapsed = self.began.elapsed();
        match (self.waits, self.time, &mut self.timer) {
            (Waits::No, Time::Fixed(time), _) => elapsed >= time,
            (Waits::No, _, Some(timer)) => {
                let standing = standing(search);
                let simulations = standing.simulations - self.before;
                !timer.goes_on(elapsed, &Standing { simulations, ..standing })
            }
            _ => false,
        }
    }
}
