//! What a line of input asks for.

use std::{collections::HashSet, num::NonZero, time::Duration};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{
    app::cli::{
        CliError,
        position::{self, Moves, SetupArg},
    },
    arena::analysis::Effort,
    games::{
        notation::Notate,
        rules::{Game, GameId},
    },
    net::ModelMeta,
};

/// The field that holds the id of a request to be dropped.
const CANCEL: &str = "cancel";
/// Bytes of an id at most: it stands in every answer.
const LONGEST_ID: usize = 256;
/// Unknown fields that are named in a warning at most, and letters of each.
const MOST_NAMED: usize = 10;
const LONGEST_NAME: usize = 40;

/// What a line asks for.
pub(super) enum Order {
    /// That the request is dropped.
    Cancel,
    /// That positions are judged.
    Judge(Box<PositionRequest>),
}

/// Positions of a game that are to be judged.
pub(super) struct PositionRequest {
    /// The game; `None` means that of the net.
    pub game: Option<GameId>,
    /// The rule set, by name.
    pub rules: Option<String>,
    /// Where the game began, as a FEN or an SFEN.
    pub start: Option<String>,
    /// The handicap that it began with, where no start is given.
    setup: SetupArg,
    /// The moves since.
    pub moves: Option<Moves>,
    turns: Option<Vec<usize>>,
    /// How long each position is looked at.
    pub effort: Effort,
    /// The only moves that are looked at, if any are given.
    pub allow: Option<Moves>,
    /// Moves that are not looked at.
    pub avoid: Option<Moves>,
    /// How many lines are wanted.
    pub lines: usize,
    /// Positions of a higher one come first.
    pub priority: i64,
}

/// A line of input that was read.
pub(super) struct ReadLine {
    /// The id of the request.
    pub id: String,
    /// What it asks for.
    pub order: Order,
    /// What is odd about it, in words, if something is.
    pub warning: Option<String>,
}

/// A line of input that asks for nothing.
pub(super) struct BadLine {
    /// The id that it names, if it does.
    pub id: Value,
    /// What is wrong with it.
    pub error: CliError,
}

/// Reads a line.
pub(super) fn read(line: &[u8]) -> Result<ReadLine, BadLine> {
    let bad = |id: Value, error: String| BadLine { id, error: CliError::failed(error) };
    let value = serde_json::from_slice(line)
        .map_err(|error| bad(Value::Null, format!("unreadable request: {error}")))?;
    let Value::Object(map) = value else {
        return Err(bad(Value::Null, "a request is a JSON object".to_owned()));
    };
    let key = if map.contains_key(CANCEL) { CANCEL } else { "id" };
    // An id that is none is shown all the same, for whoever wrote it to find it.
    let shown = map.get(key).filter(|id| id.is_number() || is_id(id)).cloned().unwrap_or_default();
    Fields(map).read(key).map_err(|error| BadLine { id: shown, error })
}

/// Whether a value can be an id.
fn is_id(id: &Value) -> bool {
    id.as_str().is_some_and(|id| id.len() <= LONGEST_ID)
}

/// The fields of a request that were not read yet.
struct Fields(Map<String, Value>);

impl Fields {
    /// Reads all of them; the id stands under `key`.
    fn read(mut self, key: &str) -> Result<ReadLine, CliError> {
        let id = self.id(key)?;
        let order = match key {
            CANCEL => Order::Cancel,
            _ => Order::Judge(Box::new(self.positions()?)),
        };
        Ok(ReadLine { id, order, warning: self.unknown() })
    }

    /// The field called `key`, if it is there and not null.
    fn take<T: DeserializeOwned>(&mut self, key: &str) -> Result<Option<T>, CliError> {
        match self.0.remove(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => serde_json::from_value(value)
                .map(Some)
                .map_err(|error| CliError::failed(format!("{key}: {error}"))),
        }
    }

    fn id(&mut self, key: &str) -> Result<String, CliError> {
        let missing = || {
            CliError::failed(format!("{key} is missing"))
                .help("every request needs a text by which it is called")
        };
        let id: String = self.take(key)?.ok_or_else(missing)?;
        if id.len() > LONGEST_ID {
            return Err(CliError::failed(format!("{key}: it has more than {LONGEST_ID} bytes")));
        }
        Ok(id)
    }

    fn positions(&mut self) -> Result<PositionRequest, CliError> {
        let game: Option<String> = self.take("game")?;
        let game = game.map(|game| game.parse()).transpose().map_err(CliError::failed)?;
        let lines: Option<NonZero<usize>> = self.take("lines")?;
        Ok(PositionRequest {
            game,
            rules: self.take("rules")?,
            start: self.take("start")?,
            setup: SetupArg::with_handicap(self.take("handicap")?),
            moves: self.take("moves")?,
            turns: self.take("turns")?,
            effort: self.effort()?,
            allow: self.take("allow")?,
            avoid: self.take("avoid")?,
            lines: lines.map_or(1, NonZero::get),
            priority: self.take("priority")?.unwrap_or(0),
        })
    }

    fn effort(&mut self) -> Result<Effort, CliError> {
        let simulations: Option<NonZero<u32>> = self.take("sims")?;
        let time: Option<NonZero<u32>> = self.take("movetime")?;
        let nodes: Option<NonZero<u64>> = self.take("nodes")?;
        match (simulations, time, nodes) {
            (None, None, None) => Ok(Effort::default()),
            (Some(simulations), None, None) => Ok(Effort::Simulations(simulations.get())),
            (None, Some(time), None) => Ok(Effort::Time(Duration::from_millis(time.get().into()))),
            (None, None, Some(nodes)) => Ok(Effort::Nodes(nodes.get())),
            _ => Err(CliError::failed("sims, movetime and nodes: only one of them can be given")),
        }
    }

    /// A warning that names the fields that nobody has read.
    fn unknown(&self) -> Option<String> {
        let short = |name: &String| format!("'{}'", name.chars().take(LONGEST_NAME).collect::<String>());
        let names: Vec<String> = self.0.keys().take(MOST_NAMED).map(short).collect();
        let plural = if self.0.len() == 1 { "" } else { "s" };
        let more = match self.0.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!names.is_empty()).then(|| format!("unknown field{plural} {}{more}", names.join(", ")))
    }
}

/// The game that a request is about.
pub(super) struct RequestedGame<G: Game> {
    /// Where it began.
    pub start: G,
    /// The moves since.
    pub moves: Vec<G::Move>,
    /// After how many of them the positions stand that are asked for.
    pub turns: Vec<usize>,
}

impl PositionRequest {
    /// Reads the game, of which `named` is the net, if the user names one.
    ///
    /// # Errors
    /// Says what of rules, start, moves and turns there is not.
    pub fn read_game<G: Notate>(&self, named: Option<&ModelMeta>) -> Result<RequestedGame<G>, CliError> {
        let rules = position::rule_set_for(G::ID, self.rules.as_deref(), named)?;
        if self.start.is_some() && !self.setup.is_empty() {
            return Err(CliError::failed("start and handicap both say where the game began"));
        }
        let start: G = position::read(rules, self.start.as_deref(), &self.setup)?;
        let moves = self.moves.as_ref().map(Moves::texts).unwrap_or_default();
        let moves = position::follow(&start, &moves)?.moves;
        let turns = self.turns(moves.len())?;
        Ok(RequestedGame { start, moves, turns })
    }

    /// After how many of the `moves` the positions stand that are asked for: the last where none is named.
    ///
    /// # Errors
    /// Names one that is not there, or is named twice.
    fn turns(&self, moves: usize) -> Result<Vec<usize>, CliError> {
        let Some(turns) = &self.turns else { return Ok(vec![moves]) };
        if turns.is_empty() {
            return Err(CliError::failed("turns: it is empty").help("leave it out for the last position"));
        }
        let mut seen = HashSet::with_capacity(turns.len());
        for &turn in turns {
            if turn > moves {
                let help = format!("0 is the start, {moves} the position after the last move");
                return Err(CliError::failed(format!("turns: {turn} is not in 0..={moves}")).help(help));
            }
            if !seen.insert(turn) {
                return Err(CliError::failed(format!("turns: {turn} stands there twice")));
            }
        }
        Ok(turns.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(line: &str) -> PositionRequest {
        match read(line.as_bytes()) {
            Ok(ReadLine { order: Order::Judge(request), warning: None, .. }) => *request,
            _ => panic!("{line}"),
        }
    }

    #[test]
    fn requests_are_read() {
        let request = judge(r#"{"id":"a","game":"xiangqi","moves":"h3e3 h8e8","turns":[2,0],"sims":100}"#);
        assert_eq!((request.game, request.effort), (Some(GameId::Xiangqi), Effort::Simulations(100)));
        assert_eq!(request.turns(2).unwrap(), [2, 0]);
        assert!(request.turns(1).unwrap_err().to_string().contains("2 is not in 0..=1"));
        let request =
            judge(r#"{"id":"a","movetime":50,"allow":["h3e3"],"priority":-3,"lines":4,"rules":null}"#);
        assert_eq!((request.effort, request.priority), (Effort::Time(Duration::from_millis(50)), -3));
        assert_eq!((request.turns(7).unwrap(), request.lines), (vec![7], 4));
        assert_eq!(judge(r#"{"id":"a","nodes":9}"#).effort, Effort::Nodes(9));
        assert_eq!(judge(r#"{"id":"a"}"#).effort, Effort::default());
        assert!(judge(r#"{"id":"a","turns":[1,1]}"#).turns(1).unwrap_err().to_string().contains("1 stands"));
        let Ok(ReadLine { id, order: Order::Cancel, .. }) = read(br#"{"cancel":"b"}"#) else { panic!() };
        assert_eq!(id, "b");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, id, error) in [
            ("no json", Value::Null, "unreadable request"),
            ("[1]", Value::Null, "a request is a JSON object"),
            ("{}", Value::Null, "id is missing"),
            (r#"{"id":5}"#, 5.into(), "id: invalid type: integer `5`"),
            (r#"{"cancel":[]}"#, Value::Null, "cancel: invalid type"),
            (r#"{"id":"a","game":"go"}"#, "a".into(), "'go'"),
            (r#"{"id":"a","sims":0}"#, "a".into(), "sims: invalid value: integer `0`"),
            (r#"{"id":"a","sims":1,"nodes":1}"#, "a".into(), "only one of them"),
            (r#"{"id":"a","moves":7}"#, "a".into(), "moves must be a text or a list of texts"),
            (r#"{"id":"a","turns":[-1]}"#, "a".into(), "turns: invalid value: integer `-1`"),
            (r#"{"id":"a","lines":0}"#, "a".into(), "lines: "),
            (r#"{"id":"a","priority":"high"}"#, "a".into(), "priority: invalid type: string \"high\""),
        ] {
            let Err(bad) = read(line.as_bytes()) else { panic!("{line}") };
            assert!(bad.error.to_string().contains(error), "{line}: {}", bad.error);
            assert_eq!(bad.id, id, "{line}");
        }
        let long = format!(r#"{{"id":"{}"}}"#, "x".repeat(LONGEST_ID + 1));
        assert!(read(long.as_bytes()).is_err_and(|bad| bad.id.is_null()));
        let Ok(read) = read(br#"{"id":"a","visits":5,"sim":7}"#) else { panic!() };
        assert_eq!(read.warning.as_deref(), Some("unknown fields 'sim', 'visits'"));
    }
}
