//! The board, who sits at it, and the course of a game.

use std::{
    fmt,
    io::Write,
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};

use super::{board::BoardView, command::Warned, input::TerminalInput};
use crate::{
    arena::{
        Player, PlayerAction, SavedGame, Turn,
        analysis::{Analyst, Effort},
    },
    base::rng::{self, Purpose, Rng},
    games::{
        encode::Encode,
        notation::{Notate, is_pass},
        rules::{Outcome, Reason, RuleSet, Setup, Side},
    },
};

/// A game that can be played here: nets know it, and so do players.
pub trait Playable: Encode + Notate {}

impl<G: Encode + Notate> Playable for G {}

/// Who plays a side.
pub enum PlayerSeat<G: Playable> {
    /// The person at the keyboard.
    Person,
    /// A player of matches.
    Program {
        /// Its name.
        name: String,
        /// What chooses its moves.
        player: Box<dyn Player<G>>,
    },
}

/// How a game begins.
pub enum Begin<G> {
    /// In this position.
    From(Box<G>),
    /// In janggi: as the players choose.
    Setups,
    /// Where a saved one stands.
    Saved(Box<SavedGame>),
}

/// Whether positions are commented on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commentary {
    /// No.
    Off,
    /// A line with score, depth and best moves at every turn.
    On,
}

/// How it came that the table was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The game is over, or a person left it.
    Done,
    /// Something outside asked for it.
    Interrupted,
}

/// What a person's line came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turned {
    /// The board is to be shown anew.
    Shown,
    /// The person left, or was made to.
    Left,
}

/// What a table is made of.
pub struct GameLoopConfig<G: Playable> {
    /// The rule set.
    pub rules: RuleSet,
    /// How the first game begins.
    pub begin: Begin<G>,
    /// Who plays the first side, and who the second.
    pub seats: [PlayerSeat<G>; 2],
    /// Who gives hints and comments.
    pub analyst: Analyst<G>,
    /// How long it thinks about them.
    pub effort: Effort,
    /// How the board is seen.
    pub view: BoardView,
    /// Whether positions are commented on.
    pub commentary: Commentary,
    /// Of the programs' ties, and of the set-ups that they choose.
    pub seed: u64,
}

/// The two ends of a terminal.
pub struct Ends<'a> {
    /// What people type.
    pub input: TerminalInput,
    /// What they see.
    pub out: Box<dyn Write>,
    /// Whether the game is to be left at once.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

/// Plies after which a game between programs is adjudicated: far beyond what games last.
const MOST_PLIES: usize = 1000;
/// How far a clock may be overdrawn, as in matches.
const CLOCK_MARGIN: Duration = Duration::from_millis(100);

/// A game under way, and those who play it.
pub struct GameLoop<'a, G: Playable> {
    begin: Begin<G>,
    pub(super) seats: [PlayerSeat<G>; 2],
    pub(super) analyst: Analyst<G>,
    pub(super) effort: Effort,
    pub(super) view: BoardView,
    pub(super) commentary: Commentary,
    pub(super) rng: Rng,
    pub(super) ends: Ends<'a>,
    /// Every position so far; the last is the present one.
    pub(super) games: Vec<G>,
    /// The moves between them.
    pub(super) moves: Vec<G::Move>,
    clocks: [Option<Duration>; 2],
    /// An end that the rules do not see, as a resignation, and what is to be said of it.
    pub(super) ended: Option<(Outcome, Option<String>)>,
    /// The file that this game was saved to or loaded from.
    pub(super) file: Option<PathBuf>,
    /// What a person was warned of, and may type once more.
    pub(super) warned: Option<Warned<G::Move>>,
}

impl<'a, G: Playable> GameLoop<'a, G> {
    /// A table at which nothing was played yet.
    pub fn new(config: GameLoopConfig<G>, ends: Ends<'a>) -> Self {
        let GameLoopConfig { rules, begin, seats, analyst, effort, view, commentary, seed } = config;
        let rng = rng::stream(seed, Purpose::Match, &[0]);
        let (games, moves, clocks) = (vec![standard(rules)], Vec::new(), [None; 2]);
        GameLoop {
            begin,
            seats,
            analyst,
            effort,
            view,
            commentary,
            rng,
            ends,
            games,
            moves,
            clocks,
            ended: None,
            file: None,
            warned: None,
        }
    }

    /// Plays until the game is over and no other is wanted, and says its moves.
    ///
    /// # Errors
    /// When nothing can be said any more, or a saved game is none.
    pub fn run(mut self) -> Result<Left> {
        let left = if self.new_game()? { self.play()? } else { self.stopped() };
        let moves: Vec<String> = self.moves.iter().map(ToString::to_string).collect();
        if !moves.is_empty() {
            self.say(format_args!("moves: {}", moves.join(" ")))?;
        }
        self.ends.out.flush()?;
        Ok(left)
    }

    fn play(&mut self) -> Result<Left> {
        self.show()?;
        loop {
            if (self.ends.is_stopped)() {
                self.say("")?;
                return Ok(Left::Interrupted);
            }
            if let Some((outcome, note)) = self.outcome() {
                self.say_end(&outcome, note.as_deref())?;
                if !self.has_people() {
                    return Ok(Left::Done);
                }
            } else if self.is_programs_turn() {
                self.program_moves()?;
                continue;
            }
            match self.person_acts()? {
                Turned::Shown => self.show()?,
                Turned::Left => return Ok(self.stopped()),
            }
        }
    }

    fn stopped(&self) -> Left {
        if (self.ends.is_stopped)() { Left::Interrupted } else { Left::Done }
    }

    /// Begins a game; whether it began: a person may have left instead.
    pub(super) fn new_game(&mut self) -> Result<bool> {
        let start = match &self.begin {
            Begin::From(start) => G::clone(start),
            Begin::Saved(saved) => {
                let saved = saved.clone();
                self.begin = if !G::ID.facts().setups.is_empty() {
                    Begin::Setups
                } else {
                    Begin::From(Box::new(standard(saved.rules)))
                };
                self.take(&saved)?;
                return Ok(true);
            }
            Begin::Setups => match self.choose_setups()? {
                Some(formations) => G::start(self.game().rules(), formations.into(), &mut self.rng),
                None => return Ok(false),
            },
        };
        self.file = None;
        self.set_up(start, &[]);
        Ok(true)
    }

    /// Goes on with a saved game.
    ///
    /// # Errors
    /// When it is none of this game, or a player cannot play by its rules; then nothing changes.
    pub(super) fn take(&mut self, saved: &SavedGame) -> Result<()> {
        let (start, moves) = saved.replay::<G>()?;
        let outcome = saved.outcome()?;
        for seat in &self.seats {
            if let PlayerSeat::Program { name, player } = seat
                && let Some(rules) = player.rules()
            {
                let its = saved.rules;
                ensure!(
                    its == rules,
                    "its rules are {its}, but {name} was started for {rules}: leave, and begin with --load"
                );
            }
        }
        self.set_up(start, &moves);
        if self.game().outcome().is_none() {
            self.ended = outcome.map(|outcome| (outcome, None));
        }
        Ok(())
    }

    fn set_up(&mut self, start: G, moves: &[G::Move]) {
        self.games = vec![start];
        self.moves.clear();
        (self.ended, self.warned) = (None, None);
        moves.iter().for_each(|&mv| self.push(mv));
        for side in [Side::First, Side::Second] {
            let PlayerSeat::Program { player, .. } = &mut self.seats[side.index()] else { continue };
            self.clocks[side.index()] = player.clock().map(|clock| clock.base);
            if let Err(forfeit) = player.begin() {
                self.ended = Some((Outcome::win(!side, forfeit.reason), Some(forfeit.why)));
            }
        }
    }

    /// The present position.
    pub(super) fn game(&self) -> &G {
        self.games.last().expect("a table has a position")
    }

    /// How the game ended, if it has, and what is to be said of it.
    pub(super) fn outcome(&self) -> Option<(Outcome, Option<String>)> {
        let too_long = || {
            let is_capped = self.moves.len() >= MOST_PLIES && !self.has_people();
            is_capped.then(|| (self.game().adjudicate(), None))
        };
        let by_rule = self.game().outcome().map(|outcome| (outcome, None));
        // A saved game may have ended otherwise where a side could have declared.
        let declared = || self.game().outcome_or_declaration().map(|outcome| (outcome, None));
        by_rule.or_else(|| self.ended.clone()).or_else(declared).or_else(too_long)
    }

    pub(super) fn push(&mut self, mv: G::Move) {
        self.games.push(self.game().after(mv));
        self.moves.push(mv);
    }

    /// Whether a person plays `side`.
    pub(super) fn is_person(&self, side: Side) -> bool {
        matches!(self.seats[side.index()], PlayerSeat::Person)
    }

    pub(super) fn has_people(&self) -> bool {
        self.is_person(Side::First) || self.is_person(Side::Second)
    }

    fn is_programs_turn(&self) -> bool {
        !self.is_person(self.game().side_to_move())
    }

    /// The name of a side, in its colour.
    pub(super) fn side(&self, side: Side) -> String {
        self.view.side::<G>(side)
    }

    /// The name of the player of `side`.
    pub(super) fn player(&self, side: Side) -> &str {
        match &self.seats[side.index()] {
            PlayerSeat::Person => "human",
            PlayerSeat::Program { name, .. } => name,
        }
    }

    /// Says a line.
    pub(super) fn say(&mut self, line: impl fmt::Display) -> Result<()> {
        Ok(writeln!(self.ends.out, "{line}")?)
    }

    fn program_moves(&mut self) -> Result<()> {
        let side = self.game().side_to_move();
        let start = self.games.first().expect("a table has a position");
        let game = self.games.last().expect("a table has a position");
        let turn =
            Turn { start, moves: &self.moves, game, clocks: self.clocks, is_stopped: self.ends.is_stopped };
        let PlayerSeat::Program { player, .. } = &mut self.seats[side.index()] else { return Ok(()) };
        let begin = Instant::now();
        let choice = player.choose(&turn, &mut self.rng);
        let time = begin.elapsed();
        let increment = player.clock().map_or(Duration::ZERO, |clock| clock.increment);
        // A player that was told to stop may give up: that does not count.
        if (self.ends.is_stopped)() {
            return Ok(());
        }
        let clock = &mut self.clocks[side.index()];
        let is_late = clock.is_some_and(|left| time > left + CLOCK_MARGIN);
        *clock = clock.map(|left| left.saturating_sub(time) + increment);
        let name = self.side(side);
        match choice {
            Err(forfeit) => self.ended = Some((Outcome::win(!side, forfeit.reason), Some(forfeit.why))),
            Ok(_) if is_late => self.ended = Some((Outcome::win(!side, Reason::Timeout), None)),
            Ok(PlayerAction::Resign) => self.ended = Some((Outcome::win(!side, Reason::Resignation), None)),
            Ok(PlayerAction::Play(mv)) => {
                let number = self.moves.len() + 1;
                let pass = if is_pass(&mv.to_string()) { ", a pass" } else { "" };
                let text = self.text_of(mv);
                let player = self.player(side).to_owned();
                self.push(mv);
                self.say(format_args!("\n{number}. {name} ({player}) plays {text}{pass}"))?;
                self.show()?;
                if !pass.is_empty() && self.outcome().is_none() && self.is_person(!side) {
                    self.tell_of_passing()?;
                }
            }
        }
        Ok(())
    }

    /// How `mv` would end the game.
    pub(super) fn ends_by(&self, mv: G::Move) -> Option<Outcome> {
        self.game().after(mv).outcome()
    }

    /// The game as a file keeps it.
    pub(super) fn saved(&self) -> SavedGame {
        let outcome = self.outcome().map(|(outcome, _)| outcome);
        let moves: Vec<String> = self.moves.iter().map(ToString::to_string).collect();
        SavedGame {
            game: G::ID,
            rules: self.game().rules(),
            first: self.player(Side::First).to_owned(),
            second: self.player(Side::Second).to_owned(),
            start: self.games[0].fen(),
            moves: moves.join(" "),
            result: outcome.map(|outcome| outcome.verdict.as_str().to_owned()),
            reason: outcome.map(|outcome| outcome.reason),
            points: outcome.and_then(|outcome| outcome.points),
            seating: None,
        }
    }

    /// Goes on with the game in a file.
    pub(super) fn load(&mut self, path: PathBuf) -> Result<()> {
        let saved = SavedGame::read(&path)?;
        self.take(&saved).with_context(|| format!("cannot go on with {}", path.display()))?;
        self.file = Some(path);
        Ok(())
    }
}

fn standard<G: Playable>(rules: RuleSet) -> G {
    // The standard set-up draws nothing from the generator.
    G::start(rules, Setup::Standard, &mut rng::stream(0, Purpose::Match, &[]))
}
