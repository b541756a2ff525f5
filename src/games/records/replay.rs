//! A game played again from the moves of a record.

use anyhow::{Context, Error, Result};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Given, Record, reading::shown};
use crate::games::{
    notation::{BadMove, Convention, Notate, Style, read, read_all, read_in, write},
    rules::{GameId, Outcome, Reason, RuleSet, Setup, Side, Verdict},
};

/// The rule set given, or the default of `game`.
///
/// # Errors
/// When the one given is none of the game's.
pub(super) fn rules_of(game: GameId, given: Given) -> Result<RuleSet> {
    let name = given.rules.map(RuleSet::as_str);
    game.rule_set(name).with_context(|| format!("a record of {game}"))
}

/// The rule set given; without one all of `game`, the usual one first.
///
/// # Errors
/// When the one given is none of the game's.
pub(super) fn rule_sets_of(game: GameId, given: Given) -> Result<Vec<RuleSet>> {
    match given.rules {
        Some(_) => Ok(vec![rules_of(game, given)?]),
        None => Ok(game.rule_sets().to_vec()),
    }
}

/// The rule set of `game` that a tag names.
///
/// # Errors
/// A note for a person, when the game has none of that name.
pub(super) fn rule_set_named(game: GameId, name: &str) -> Result<RuleSet, String> {
    game.rule_set(Some(name)).map_err(|_| format!("the rule set '{}' is not known", shown(name)))
}

/// What `play` makes of a game by the first of `rule_sets` that allows its moves, and a remark where that is not the first
/// of all.
///
/// # Errors
/// That by the first rule set.
pub(super) fn first_fitting<T, E>(
    rule_sets: &[RuleSet],
    mut play: impl FnMut(RuleSet) -> Result<T, E>,
) -> Result<(T, Option<String>), E> {
    let mut first_error = None;
    for (&rules, place) in rule_sets.iter().zip(0..) {
        match play(rules) {
            Ok(played) => {
                let note = || {
                    format!(
                        "its moves are legal by the rule set '{rules}' and not by the usual one: it is taken"
                    )
                };
                return Ok((played, (place > 0).then(note)));
            }
            Err(error) => {
                first_error.get_or_insert(error);
            }
        }
    }
    Err(first_error.expect("one rule set at least"))
}

/// The standard start.
pub(super) fn start<G: Notate>(rules: RuleSet) -> G {
    // It draws nothing from the generator.
    G::start(rules, Setup::Standard, &mut Xoshiro256PlusPlus::seed_from_u64(0))
}

/// A game in progress, with its moves.
pub(super) struct Replay<G: Notate> {
    pub(super) game: G,
    begun: String,
    last: Option<G::Move>,
    moves: Vec<String>,
}

impl<G: Notate> Replay<G> {
    /// At `fen`, or the standard start.
    pub(super) fn new(rules: RuleSet, fen: Option<&str>) -> Result<Self> {
        let game = match fen {
            Some(fen) => G::from_fen(rules, fen)?,
            None => start(rules),
        };
        Ok(Replay { begun: game.fen(), game, last: None, moves: Vec::new() })
    }

    /// The same, with `moves` played.
    pub(super) fn of(rules: RuleSet, fen: Option<&str>, moves: &[String]) -> Result<Self> {
        let mut replay = Self::new(rules, fen)?;
        moves.iter().try_for_each(|text| replay.play(text, &[Style::Uci]))?;
        Ok(replay)
    }

    /// Plays the move written as `text`, in `style` or in any other.
    pub(super) fn play(&mut self, text: &str, style: &[Style]) -> Result<()> {
        let mv = read_in(&self.game, self.last, text, style).or_else(|_| read(&self.game, self.last, text));
        self.play_found(mv.map_err(Error::from))
    }

    /// Plays a legal move, or says why there is none.
    pub(super) fn play_found(&mut self, found: Result<G::Move>) -> Result<()> {
        let number = self.moves.len() + 1;
        let mv = found.with_context(|| match self.game.outcome() {
            Some(outcome) => format!("move {number}: the game is over before it, by {}", outcome.reason),
            None => format!("move {number}"),
        })?;
        self.moves.push(mv.to_string());
        self.game.play(mv);
        self.last = Some(mv);
        Ok(())
    }

    /// Plays the moves written as `texts`, in `style` or in any other, all by the first of `conventions` that fits.
    /// Where one is no move, none is played.
    pub(super) fn play_all(
        &mut self,
        texts: &[impl AsRef<str>],
        style: &[Style],
        conventions: &[Convention],
    ) -> Result<(), BadMove> {
        let line = read_all(&self.game, texts, style, conventions)?;
        self.moves.extend(line.moves.iter().map(ToString::to_string));
        self.last = line.moves.last().copied().or(self.last);
        self.game = line.game;
        Ok(())
    }

    /// The move before.
    pub(super) fn last(&self) -> Option<G::Move> {
        self.last
    }

    /// Moves played.
    pub(super) fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Whose turn it is.
    pub(super) fn side(&self) -> Side {
        self.game.side_to_move()
    }

    /// The record of it, ended as `stated`.
    pub(super) fn into_record(self, players: [String; 2], stated: Stated) -> Record {
        Record {
            game: G::ID,
            rules: self.game.rules(),
            number: 1,
            opening: None,
            tags: Vec::new(),
            players,
            outcome: stated.outcome(self.game.outcome()),
            start: self.begun,
            moves: self.moves,
        }
    }
}

/// What a record says of its end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Stated {
    pub(super) verdict: Option<Verdict>,
    pub(super) reason: Option<Reason>,
    pub(super) points: Option<[f32; 2]>,
}

impl Stated {
    pub(super) fn new(verdict: Verdict, reason: Reason) -> Self {
        Stated { verdict: Some(verdict), reason: Some(reason), points: None }
    }

    /// The outcome; what it does not say is that of the last position, or else what is usual: a side that has lost
    /// has resigned.
    fn outcome(self, by_rule: Option<Outcome>) -> Option<Outcome> {
        let Some(verdict) = self.verdict else { return by_rule };
        let by_rule = by_rule.filter(|outcome| outcome.verdict == verdict);
        let usual = if verdict == Verdict::Draw { Reason::Adjudicated } else { Reason::Resignation };
        // Perpetual check is what other programs call a foul.
        let is_foul = self.reason == Some(Reason::IllegalMove);
        let known = by_rule.map(|outcome| outcome.reason);
        let reason = match known {
            Some(Reason::PerpetualCheck) if is_foul => Reason::PerpetualCheck,
            _ => self.reason.or(known).unwrap_or(usual),
        };
        let same = by_rule.filter(|outcome| outcome.reason == reason);
        let points = self.points.or(same.and_then(|outcome| outcome.points));
        Some(Outcome { verdict, reason, points })
    }
}

/// The moves of `record` in `style`, and the game after them.
pub(super) fn texts<G: Notate>(record: &Record, style: Style) -> Result<(Vec<String>, G)> {
    let mut replay = Replay::<G>::new(record.rules, Some(&record.start))?;
    let mut texts = Vec::new();
    for text in &record.moves {
        let (before, last) = (replay.game.clone(), replay.last);
        replay.play(text, &[Style::Uci])?;
        texts.push(write(&before, last, replay.last.expect("a move was played"), style));
    }
    Ok((texts, replay.game))
}
