//! Games, rule sets and positions as arguments.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::CliError;
use crate::{
    games::{
        notation::{BadMove, Convention, MoveLine, Notate, read_all},
        rules::{Game, GameId, Handicap, Outcome, ParseError, Reason, RuleSet, Setup, janggi::Formations},
    },
    net::ModelMeta,
};

/// The rule set of `game` called `name`, or its default.
pub fn rule_set(game: GameId, name: Option<&str>) -> Result<RuleSet, CliError> {
    game.rule_set(name).map_err(|error| CliError::usage(format!("{error} of {game}")))
}

/// Refuses a model of another game than `game`.
pub fn check_game(game: GameId, model: &ModelMeta) -> Result<(), CliError> {
    if model.game == game {
        return Ok(());
    }
    Err(CliError::usage(format!("the model plays {}, not {game}", model.game)))
}

/// The rule set of `game` called `name`; without a name that of `model`, or the default. The model must be of `game`.
pub fn rule_set_for(
    game: GameId,
    name: Option<&str>,
    model: Option<&ModelMeta>,
) -> Result<RuleSet, CliError> {
    model.map_or(Ok(()), |model| check_game(game, model))?;
    match (name, model) {
        (None, Some(model)) => Ok(model.rules),
        _ => rule_set(game, name),
    }
}

/// The start.
pub fn start<G: Game>(rules: RuleSet) -> G {
    // The standard set-up draws nothing from the generator.
    G::start(rules, Setup::Standard, &mut Xoshiro256PlusPlus::seed_from_u64(0))
}

/// Which of its starts a game begins with.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct SetupArg {
    /// Janggi's set-up for Cho and Han: their four pieces from file b to h, as in nbbn/bnbn, or the Korean
    /// names, as in gwima/wonangma
    #[arg(long, value_name = "CHO/HAN", value_parser = formations)]
    setup: Option<Formations>,
    /// The pieces that the stronger side does not have: shogi's handicaps from lance to ten-piece (香落ち to 十枚落ち),
    /// xiangqi's horse, two-horses, chariot and nine-pieces, janggi's elephant, horse, cannon, chariot, chariot-horse
    /// and two-chariots
    #[arg(long, value_name = "NAME")]
    handicap: Option<String>,
}

fn formations(text: &str) -> Result<Formations, String> {
    text.parse().map_err(|error: ParseError| error.to_string())
}

impl SetupArg {
    /// That with the handicap called so.
    pub fn with_handicap(name: Option<String>) -> Self {
        SetupArg { handicap: name, ..Self::default() }
    }

    /// The set-up named, or `default`.
    pub fn or<G: Game>(&self, default: Setup) -> Result<Setup, CliError> {
        match self.setup {
            None => Ok(default),
            Some(formations) if !G::ID.facts().setups.is_empty() => Ok(formations.into()),
            Some(_) => Err(CliError::usage(format!("{} has only one set-up: leave --setup out", G::ID))),
        }
    }

    /// The handicap named, if one is.
    pub fn handicap<G: Game>(&self) -> Result<Option<&'static Handicap>, CliError> {
        let Some(name) = &self.handicap else { return Ok(None) };
        if G::ID.facts().handicaps.list.is_empty() {
            let message = format!("{} has no handicaps with names", G::ID);
            return Err(CliError::usage(message));
        }
        G::ID.handicap(name).map(Some).map_err(|error| CliError::usage(format!("{error} of {}", G::ID)))
    }

    /// Whether neither is named.
    pub fn is_empty(&self) -> bool {
        self.setup.is_none() && self.handicap.is_none()
    }
}

/// The position that a game begins at: any, or a start by its names.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct StartArgs {
    /// The position to begin at, as a FEN or an SFEN [default: the start]
    #[arg(long)]
    pub fen: Option<String>,
    #[command(flatten)]
    pub setup: SetupArg,
}

impl StartArgs {
    /// The position named, or the start. Errors are those of [`read`].
    pub fn read<G: Game>(&self, rules: RuleSet) -> Result<G, CliError> {
        read(rules, self.fen.as_deref(), &self.setup)
    }

    /// Whether nothing is named.
    pub fn is_empty(&self) -> bool {
        self.fen.is_none() && self.setup.is_empty()
    }
}

/// The position at `fen`, or the start with the set-up and the handicap named.
pub fn read<G: Game>(rules: RuleSet, fen: Option<&str>, setup: &SetupArg) -> Result<G, CliError> {
    let handicap = setup.handicap::<G>().map_err(|error| match G::ID.facts().handicaps.list.is_empty() {
        true => error.help("a FEN can name any position to begin at"),
        false => error,
    })?;
    let named = setup.or::<G>(Setup::Standard)?;
    let Some(fen) = fen else {
        // A named set-up draws nothing from the generator.
        let start = G::start(rules, named, &mut Xoshiro256PlusPlus::seed_from_u64(0));
        return Ok(match handicap {
            Some(handicap) => start.with_handicap(handicap),
            None => start,
        });
    };
    if !setup.is_empty() {
        return Err(CliError::usage("--fen says where to start: leave --setup and --handicap out"));
    }
    G::from_fen(rules, fen).map_err(|error| {
        let example = start::<G>(rules).fen();
        CliError::failed(error).help(format!("give a FEN or SFEN of {}; the start is '{example}'", G::ID))
    })
}

/// Tells people what is unusual about a position, if something is.
pub fn tell_unusual(game: &impl Game) {
    if let Some(why) = game.unusual() {
        super::tell(format!("an unusual position: {why}"));
    }
}

/// Moves as JSON has them.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "moves must be a text or a list of texts")]
pub(super) enum Moves {
    /// With spaces between them.
    Text(String),
    /// One by one.
    List(Vec<String>),
}

impl Moves {
    /// Each by itself.
    pub fn texts(&self) -> Vec<&str> {
        match self {
            Moves::Text(text) => text.split_whitespace().collect(),
            Moves::List(texts) => texts.iter().map(String::as_str).collect(),
        }
    }
}

/// An outcome as JSON has it.
#[derive(Debug, Serialize)]
pub(super) struct End {
    pub result: &'static str,
    pub reason: Reason,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<[f32; 2]>,
}

impl From<Outcome> for End {
    fn from(outcome: Outcome) -> Self {
        End { result: outcome.verdict.as_str(), reason: outcome.reason, points: outcome.points }
    }
}

/// Plays `moves`, in any notation of the game, until the game is over, and returns after how many of them it was: `None`
/// if it goes on. Moves behind the end are not read.
pub fn play<G: Notate>(game: &mut G, moves: &[&str]) -> Result<Option<u32>, CliError> {
    match read_all(game, moves, &[], &Convention::all::<G>()) {
        Ok(line) => *game = line.game,
        Err(bad) => {
            let before = before(game, moves, &bad);
            if before.outcome().is_none() {
                return Err(refusal(&before, bad));
            }
            *game = before;
        }
    }
    Ok(game.outcome().map(|_| game.ply()))
}

/// The moves from `start` on, in any notation of the game, none of them behind the end of the game.
///
/// # Errors
/// Names the first that is no move, and those that are legal there.
pub fn follow<G: Notate>(start: &G, moves: &[impl AsRef<str>]) -> Result<MoveLine<G>, CliError> {
    read_all(start, moves, &[], &Convention::all::<G>())
        .map_err(|bad| refusal(&before(start, moves, &bad), bad))
}

/// The position before the move that is none: up to there all is well.
fn before<G: Notate>(start: &G, moves: &[impl AsRef<str>], bad: &BadMove) -> G {
    let line = read_all(start, &moves[..bad.number - 1], &[], &Convention::all::<G>());
    line.map_or_else(|_| start.clone(), |line| line.game)
}

/// What is said of a text that is no move of `game`.
fn refusal<G: Game>(game: &G, bad: BadMove) -> CliError {
    let help = match game.outcome() {
        Some(outcome) => format!("the game ended before this move, by {}", outcome.reason),
        None => format!("legal here: {}", legal_moves(game).join(" ")),
    };
    CliError::failed(bad).help(help)
}

/// A line without the byte order mark that may stand before the first.
pub fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line)
}

/// The legal moves as texts, sorted.
pub fn legal_moves<G: Game>(game: &G) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
    texts.sort_unstable();
    texts
}
