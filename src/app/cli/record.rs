//! A game read from a file, whatever its form.

use std::{num::NonZero, path::PathBuf};

use anyhow::{Context, Result};

use super::{
    CliError,
    position::{self, SetupArg},
};
use crate::{
    arena::{GamesOf, MatchGame, SavedGame},
    base::store::{decode, read_at_most},
    games::{
        notation::{MoveLine, Notate, without_number},
        records::{Failure, Format, Given, Reading, Record},
        rules::{Game, GameId, Outcome, RuleSet},
    },
    with_game,
};

/// Bytes of a record at most: tens of thousands of games.
const MOST_BYTES: u64 = 1 << 26;

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
    /// The number of the game, if the file holds several: from 1, as the page and the report of a match number them
    #[arg(long, value_name = "N")]
    game_number: Option<NonZero<u32>>,
    /// The position where a plain list of moves begins, as a FEN or an SFEN
    #[arg(long)]
    fen: Option<String>,
    #[command(flatten)]
    setup: SetupArg,
}

impl RecordArgs {
    /// The file's name.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Reads the record. Only of a plain list are the moves looked at: [`RecordArgs::replay`] does so.
    ///
    /// # Errors
    /// Names the file, and what is missing or wrong.
    pub fn read(&self) -> Result<Record> {
        let rules = self.given_rules()?;
        let path = &self.path;
        let cannot_read = || format!("cannot read {}", path.display());
        let bytes = read_at_most(path, MOST_BYTES).with_context(cannot_read)?;
        let text = decode(&bytes).with_context(cannot_read)?;
        let record = if text.trim_start().starts_with('{') {
            self.check_start()?;
            if rules.is_some() && self.game.is_none() {
                return Err(CliError::usage("--rules without --game").help("add --game NAME").into());
            }
            self.read_json(&text)?
        } else if let Some(format) = Format::of(&self.name(), &bytes) {
            self.check_start()?;
            // What a format has of its own.
            let text = format.decode(&bytes).with_context(cannot_read)?;
            let reading =
                format.read_each(&text, Given { game: self.game, rules }).with_context(|| self.name())?;
            self.pick_of(reading)?
        } else {
            self.read_moves(&text)?
        };
        if let Some(wanted) = self.game.filter(|wanted| *wanted != record.game) {
            let message = format!("{} is a game of {}, not of {wanted}", path.display(), record.game);
            return Err(CliError::usage(message).into());
        }
        Ok(record)
    }

    /// The rule set that is named, if one is: one of the game named, or of any.
    fn given_rules(&self) -> Result<Option<RuleSet>, CliError> {
        let Some(name) = self.rules.as_deref() else { return Ok(None) };
        match self.game {
            Some(game) => position::rule_set(game, Some(name)).map(Some),
            None => rules_alone(name).map(Some),
        }
    }

    /// Whether the place where the game began is left to the record.
    fn check_start(&self) -> Result<(), CliError> {
        if self.fen.is_none() && self.setup.is_empty() {
            return Ok(());
        }
        let message = format!("{} says itself where its game began", self.path.display());
        Err(CliError::usage(message).help("leave --fen, --setup and --handicap out"))
    }

    fn read_json(&self, text: &str) -> Result<Record> {
        if let Ok(saved) = serde_json::from_str::<SavedGame>(text) {
            return saved.to_record().with_context(|| self.name());
        }
        let mut games = Vec::new();
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
            let game: MatchGame = serde_json::from_str(line)
                .with_context(|| format!("{}: line {number} is no game", self.path.display()))?;
            games.push(game);
        }
        let played = self.pick(games, MatchGame::ordinal)?;
        let (game, rules) = self.game_and_rules()?;
        Ok(played.to_record(game, rules))
    }

    /// The same of what a reader found. What it did not understand is told.
    fn pick_of(&self, reading: Reading) -> Result<Record> {
        for note in &reading.notes {
            super::tell(format!("warning: {}: {note}", self.path.display()));
        }
        let wanted = |failure: &&Failure| match self.game_number {
            Some(number) => failure.game == number.get(),
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
            .help("--game-number N chooses one of them, counted from 1")
    }

    /// The one game that there is, or the one that the user names by its number.
    fn pick<T>(&self, mut games: Vec<T>, number_of: impl Fn(&T) -> u32) -> Result<T, CliError> {
        let name = self.path.display();
        match self.game_number {
            None if games.len() == 1 => Ok(games.swap_remove(0)),
            None => Err(self.several(games.len())),
            Some(number) => games
                .into_iter()
                .find(|game| number_of(game) == number.get())
                .ok_or_else(|| CliError::failed(format!("{name} has no game number {number}"))),
        }
    }

    /// Those of the match in whose folder the file lies, or those that the user names.
    fn game_and_rules(&self) -> Result<(GameId, RuleSet)> {
        match (self.path.parent().and_then(GamesOf::of), self.game) {
            (Some(GamesOf { game, rules }), _) => Ok((game, rules)),
            (None, Some(game)) => Ok((game, position::rule_set(game, self.rules.as_deref())?)),
            (None, None) => Err(self.nameless().into()),
        }
    }

    fn nameless(&self) -> CliError {
        CliError::usage(format!("{} does not say which game it is", self.path.display())).help("add --game")
    }

    fn read_moves(&self, text: &str) -> Result<Record> {
        let game = self.game.ok_or_else(|| self.nameless())?;
        let rules = position::rule_set(game, self.rules.as_deref())?;
        let (start, moves) = with_game!(game, G => {
            let start: G = position::read(rules, self.fen.as_deref(), &self.setup)?;
            let line = self.line(&start, &listed_moves(text))?;
            (start.fen(), line.moves.iter().map(ToString::to_string).collect())
        });
        Ok(record_of_list(game, rules, start, moves))
    }

    /// The start and the moves of `record`, which was read here: they are all legal. And how the game ended: by the
    /// rules, or else as the file says. A declaration that could be made is none.
    ///
    /// # Errors
    /// Says which move is none.
    pub fn replay<G: Notate>(&self, record: &Record) -> Result<(G, Vec<G::Move>, Option<Outcome>)> {
        let start = G::from_fen(record.rules, &record.start);
        let start = start.map_err(|error| CliError::failed(format!("{}: {error}", self.name())))?;
        position::tell_unusual(&start);
        let line = self.line(&start, &record.moves)?;
        let outcome = line.game.outcome().or(record.outcome);
        Ok((start, line.moves, outcome))
    }

    /// `moves` from `start`, in any notation.
    fn line<G: Notate>(&self, start: &G, moves: &[String]) -> Result<MoveLine<G>, CliError> {
        position::follow(start, moves).map_err(|bad| bad.about(self.name()))
    }
}

/// The rule set called `name`, for files that say themselves which game they are of.
///
/// # Errors
/// When no game has it.
pub(super) fn rules_alone(name: &str) -> Result<RuleSet, CliError> {
    let mut all = GameId::ALL.into_iter().flat_map(|game| game.rule_sets().iter().copied());
    all.find(|rules| rules.as_str() == name).ok_or_else(|| {
        let message = format!("--rules without --game, and no game has a rule set '{name}'");
        CliError::usage(message).help("add --game NAME")
    })
}

/// The game of a plain list of moves, which says nothing but them.
pub(super) fn record_of_list(game: GameId, rules: RuleSet, start: String, moves: Vec<String>) -> Record {
    Record {
        game,
        rules,
        number: 1,
        opening: None,
        tags: Vec::new(),
        players: ["first", "second"].map(str::to_owned),
        start,
        moves,
        outcome: None,
    }
}

/// The moves of a plain list, with blanks or commas between them; their numbers may stand before them.
pub(super) fn listed_moves(text: &str) -> Vec<String> {
    let is_between = |letter: char| letter.is_whitespace() || [',', '，', ';', '；'].contains(&letter);
    let moves = text.split(is_between).map(without_number).filter(|word| !word.is_empty());
    moves.map(str::to_owned).collect()
}
