//! Games, rule sets and positions as arguments.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::CliError;
use crate::{
    games::{
        notation::{Convention, Notate, read_all},
        rules::{Game, GameId, ParseError, RuleSet, Setup, janggi::Formations},
    },
    net::ModelMeta,
};

/// The rule set of `game` called `name`, or its default.
pub fn rule_set(game: GameId, name: Option<&str>) -> Result<RuleSet, CliError> {
    game.rule_set(name).map_err(|error| CliError::usage(format!("{error} of {game}")))
}

/// The rule set of `game` called `name`; without a name that of `model`, if it plays `game`, or the default.
pub fn rule_set_for(
    game: GameId,
    name: Option<&str>,
    model: Option<&ModelMeta>,
) -> Result<RuleSet, CliError> {
    match (name, model) {
        (None, Some(model)) if model.game == game => Ok(model.rules),
        _ => rule_set(game, name),
    }
}

/// The start.
pub fn start<G: Game>(rules: RuleSet) -> G {
    // The standard set-up draws nothing from the generator.
    G::start(rules, Setup::Standard, &mut Xoshiro256PlusPlus::seed_from_u64(0))
}

/// Which of janggi's set-ups a game begins with.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct SetupArg {
    /// Janggi's set-up for Cho and Han: their four pieces from file b to h, as in nbbn/bnbn, or the Korean
    /// names, as in gwima/wonangma
    #[arg(long, value_name = "CHO/HAN", value_parser = formations)]
    setup: Option<Formations>,
}

fn formations(text: &str) -> Result<Formations, String> {
    text.parse().map_err(|error: ParseError| error.to_string())
}

impl SetupArg {
    /// The set-up named, or `default`.
    pub fn or<G: Game>(self, default: Setup) -> Result<Setup, CliError> {
        match self.setup {
            None => Ok(default),
            Some(formations) if !G::ID.facts().setups.is_empty() => Ok(formations.into()),
            Some(_) => Err(CliError::usage(format!("{} has only one set-up: leave --setup out", G::ID))),
        }
    }
}

/// The position at `fen`, or the start with the set-up named.
pub fn read<G: Game>(rules: RuleSet, fen: Option<&str>, setup: SetupArg) -> Result<G, CliError> {
    let setup = setup.or::<G>(Setup::Standard)?;
    let Some(fen) = fen else {
        // A named set-up draws nothing from the generator.
        return Ok(G::start(rules, setup, &mut Xoshiro256PlusPlus::seed_from_u64(0)));
    };
    if setup != Setup::Standard {
        return Err(CliError::usage("--fen and --setup both say where to start"));
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

/// Plays `moves`, in any notation of the game, until the game is over, and returns after how many of them it was: `None`
/// if it goes on. Moves behind the end are not read.
pub fn play<G: Notate>(game: &mut G, moves: &[&str]) -> Result<Option<u32>, CliError> {
    let line = match read_all(game, moves, &[], &Convention::all::<G>()) {
        Ok(line) => line,
        Err(bad) => {
            // Up to there all is well.
            let before = read_all(game, &moves[..bad.number - 1], &[], &Convention::all::<G>());
            let before = before.map_or_else(|_| game.clone(), |line| line.game);
            if before.outcome().is_none() {
                let legal = legal_moves(&before).join(" ");
                return Err(CliError::failed(bad).help(format!("legal here: {legal}")));
            }
            *game = before;
            return Ok(Some(game.ply()));
        }
    };
    *game = line.game;
    Ok(game.outcome().map(|_| game.ply()))
}

/// The legal moves as texts, sorted.
pub fn legal_moves<G: Game>(game: &G) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
    texts.sort_unstable();
    texts
}
