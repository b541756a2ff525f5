//! A game read from a file, whatever its form.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::{
    CliError,
    position::{self, SetupArg},
};
use crate::{
    arena::{MatchGame, SavedGame},
    base::store::{decode, read_at_most},
    games::{
        notation::Notate,
        records::{self, Format, Given, Reading},
        rules::{GameId, Outcome, RuleSet},
    },
};

/// Bytes of a record at most: tens of thousands of games.
const MOST_BYTES: u64 = 1 << 26;
/// What says in a match's folder which game was played.
const SETTINGS: &str = "match.json";

/// Which game is meant, and what the file may not say of it.
#[derive(Debug, clap::Args)]
pub struct RecordArgs {
    /// The file with the game: PGN, KIF, KI2, CSA, .gib or a line of USI; a game saved by `sanki play` or the page; the
    /// games.jsonl of a match; or a plain list of moves
    #[arg(value_name = "RECORD")]
    path: PathBuf,
    /// The game, if the record does not say it
    #[arg(long)]
    game: Option<GameId>,
    /// The rule set, if the record does not say it [default: the game's first]
    #[arg(long)]
    rules: Option<String>,
    /// The number of the game, if the file holds several
    #[arg(long, value_name = "N")]
    game_number: Option<u32>,
    /// The position where a plain list of moves begins, as a FEN or an SFEN
    #[arg(long)]
    fen: Option<String>,
    #[command(flatten)]
    setup: SetupArg,
}

/// A game as a file has it; its moves are not looked at yet.
#[derive(Debug)]
pub struct GivenGame {
    /// The game played.
    pub game: GameId,
    /// Its rules.
    pub rules: RuleSet,
    /// Who plays the first side and the second.
    pub players: [String; 2],
    /// Where it began, as a FEN; `None` where the arguments say it.
    start: Option<String>,
    /// The moves since.
    moves: Vec<String>,
    /// How it ended, if the file says so.
    pub outcome: Option<Outcome>,
}

/// What a match's folder says, as far as it is needed here.
#[derive(Deserialize)]
struct MatchSettings {
    game: GameId,
    rules: RuleSet,
}

impl RecordArgs {
    /// The file's name.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Reads the record.
    ///
    /// # Errors
    /// Names the file, and what is missing or wrong.
    pub fn read(&self) -> Result<GivenGame> {
        let path = &self.path;
        let cannot_read = || format!("cannot read {}", path.display());
        let bytes = read_at_most(path, MOST_BYTES).with_context(cannot_read)?;
        let text = decode(&bytes).with_context(cannot_read)?;
        let record = if text.trim_start().starts_with('{') {
            self.read_json(&text)?
        } else if let Some(format) = Format::of(&self.name(), &bytes) {
            let rules = self.rules.as_deref().zip(self.game);
            let rules = rules.map(|(name, game)| position::rule_set(game, Some(name))).transpose()?;
            // What a format has of its own.
            let text = format.decode(&bytes).with_context(cannot_read)?;
            let reading =
                format.read_each(&text, Given { game: self.game, rules }).with_context(|| self.name())?;
            Self::of_record(self.pick_of(reading)?)
        } else {
            self.read_moves(&text)?
        };
        if let Some(wanted) = self.game.filter(|wanted| *wanted != record.game) {
            let message = format!("{} is a game of {}, not of {wanted}", path.display(), record.game);
            return Err(CliError::usage(message).into());
        }
        Ok(record)
    }

    fn read_json(&self, text: &str) -> Result<GivenGame> {
        if let Ok(saved) = serde_json::from_str::<SavedGame>(text) {
            let outcome = saved.outcome().with_context(|| self.name())?;
            return Ok(GivenGame {
                game: saved.game,
                rules: saved.rules,
                players: [saved.first, saved.second],
                start: Some(saved.start),
                moves: words(&saved.moves),
                outcome,
            });
        }
        let mut games = Vec::new();
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
            let game: MatchGame = serde_json::from_str(line)
                .with_context(|| format!("{}: line {number} is no game", self.path.display()))?;
            games.push(game);
        }
        let played = self.pick(games, |game| game.number)?;
        let (game, rules) = self.game_and_rules()?;
        Ok(GivenGame {
            game,
            rules,
            players: [played.first, played.second],
            start: Some(played.start),
            moves: words(&played.moves),
            outcome: Some(Outcome { verdict: played.result, reason: played.reason, points: played.points }),
        })
    }

    fn of_record(record: records::Record) -> GivenGame {
        let records::Record { game, rules, players, start, moves, outcome, .. } = record;
        GivenGame { game, rules, players, start: Some(start), moves, outcome }
    }

    /// The same of what a reader found. What it did not understand is told.
    fn pick_of(&self, reading: Reading) -> Result<records::Record> {
        for note in &reading.notes {
            super::tell(format!("warning: {}: {note}", self.path.display()));
        }
        let wanted = |failure: &&records::Failure| match self.game_number {
            Some(number) => failure.game == number,
            None => reading.games() == 1,
        };
        if let Some(failure) = reading.failures.iter().find(wanted) {
            return Err(CliError::failed(format!("{}: {failure}", self.path.display())).into());
        }
        if self.game_number.is_none() && reading.games() > 1 {
            return Err(self.several(reading.games()).into());
        }
        Ok(self.pick(reading.records, |game| game.number)?)
    }

    fn several(&self, games: usize) -> CliError {
        CliError::usage(format!("{} holds {games} games", self.path.display()))
            .help("--game-number N chooses one by its \"number\"")
    }

    /// The one game that there is, or the one that the user names by its number.
    fn pick<T>(&self, mut games: Vec<T>, number_of: impl Fn(&T) -> u32) -> Result<T, CliError> {
        let name = self.path.display();
        match self.game_number {
            None if games.len() == 1 => Ok(games.swap_remove(0)),
            None => Err(self.several(games.len())),
            Some(number) => games
                .into_iter()
                .find(|game| number_of(game) == number)
                .ok_or_else(|| CliError::failed(format!("{name} has no game number {number}"))),
        }
    }

    /// Those of the match in whose folder the file lies, or those that the user names.
    fn game_and_rules(&self) -> Result<(GameId, RuleSet)> {
        let settings = self.path.parent().unwrap_or(Path::new("")).join(SETTINGS);
        let found = read_at_most(&settings, MOST_BYTES).ok();
        let found = found.and_then(|bytes| serde_json::from_slice::<MatchSettings>(&bytes).ok());
        match (found, self.game) {
            (Some(MatchSettings { game, rules }), _) => Ok((game, rules)),
            (None, Some(game)) => Ok((game, position::rule_set(game, self.rules.as_deref())?)),
            (None, None) => Err(self.nameless().into()),
        }
    }

    fn nameless(&self) -> CliError {
        CliError::usage(format!("{} does not say which game it is", self.path.display())).help("add --game")
    }

    fn read_moves(&self, text: &str) -> Result<GivenGame> {
        let game = self.game.ok_or_else(|| self.nameless())?;
        let moves = listed_moves(text);
        let players = ["first", "second"].map(str::to_owned);
        let rules = position::rule_set(game, self.rules.as_deref())?;
        Ok(GivenGame { game, rules, players, start: None, moves, outcome: None })
    }
}

/// The moves of a plain list, which may have their numbers (`1.`) between them.
pub(super) fn listed_moves(text: &str) -> Vec<String> {
    let is_number = |word: &&str| {
        let number = word.trim_end_matches(['.', '．', '…', '、']);
        number.len() < word.len() && number.chars().all(|letter| letter.is_ascii_digit())
    };
    text.split_whitespace().filter(|word| !is_number(word)).map(str::to_owned).collect()
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

impl GivenGame {
    /// The start and the moves, which are all legal, and how the game ended: by the rules, or as the file says.
    ///
    /// # Errors
    /// Says which move is none.
    pub fn replay<G: Notate>(&self, args: &RecordArgs) -> Result<(G, Vec<G::Move>, Option<Outcome>)> {
        let start: G = match &self.start {
            Some(fen) => G::from_fen(self.rules, fen)
                .map_err(|error| CliError::failed(format!("{}: {error}", args.name())))?,
            None => position::read(self.rules, args.fen.as_deref(), args.setup)?,
        };
        position::tell_unusual(&start);
        let line = position::follow(&start, &self.moves).map_err(|bad| bad.about(args.name()))?;
        let (game, moves) = (line.game, line.moves);
        let outcome = game.outcome_or_declaration().or(self.outcome);
        Ok((start, moves, outcome))
    }
}
