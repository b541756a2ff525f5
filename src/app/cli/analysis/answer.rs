//! What is answered.

use serde::Serialize;
use serde_json::Value;

use crate::{
    app::cli::{CliError, position::End},
    arena::analysis::{Assessment, Effort, Look, LookLine},
    games::rules::{Game, Outcome, Side, Verdict},
};

/// The judgement of a position.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    id: &'a str,
    turn: usize,
    /// The side to move.
    side: Side,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<String>,
    /// The first side's expected score in 0..=1.
    score: f32,
    lines: Vec<AnswerLine>,
    /// How the game has ended, if it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<End>,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    /// Plies of the longest line looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<usize>,
    /// The moves of `allow` and `avoid` that are not legal here.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    ignored: &'a [&'a str],
}

/// One of the best lines.
#[derive(Serialize)]
struct AnswerLine {
    #[serde(rename = "move")]
    mv: String,
    /// Of the tree search.
    #[serde(skip_serializing_if = "Option::is_none")]
    visits: Option<u32>,
    score: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    certain: Option<CertainEnd>,
    pv: Vec<String>,
}

/// A result that is proven.
#[derive(Serialize)]
struct CertainEnd {
    result: &'static str,
    /// Plies to it from the position, if the loser holds out; of a win and a loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
}

impl<'a> Answer<'a> {
    /// What a search of `game` has found, for the turn of the request with this id.
    pub fn of<G: Game>(
        (id, turn): (&'a str, usize),
        game: &G,
        look: &Look<G::Move>,
        effort: Effort,
        ignored: &'a [&'a str],
    ) -> Self {
        let is_tree = !matches!(effort, Effort::Nodes(_));
        Answer {
            id,
            turn,
            side: game.side_to_move(),
            best: Some(look.best().moves[0].to_string()),
            score: look.best().assessment.score,
            lines: look.lines.iter().map(AnswerLine::of).collect(),
            outcome: None,
            simulations: is_tree.then_some(look.spent),
            nodes: (!is_tree).then_some(look.spent),
            depth: Some(look.deepest),
            ignored,
        }
    }

    /// That `game` is over at the turn of the request with this id.
    pub fn ended<G: Game>((id, turn): (&'a str, usize), game: &G, outcome: Outcome) -> Self {
        Answer {
            id,
            turn,
            side: game.side_to_move(),
            best: None,
            score: Assessment::ended(&outcome).score,
            lines: Vec::new(),
            outcome: Some(End::from(outcome)),
            simulations: None,
            nodes: None,
            depth: None,
            ignored: &[],
        }
    }
}

impl AnswerLine {
    fn of<M: ToString>(line: &LookLine<M>) -> Self {
        let certain = line.assessment.certain.map(|(verdict, plies)| CertainEnd {
            result: verdict.as_str(),
            plies: (verdict != Verdict::Draw).then_some(plies),
        });
        let pv: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
        AnswerLine { mv: pv[0].clone(), visits: line.visits, score: line.assessment.score, certain, pv }
    }
}

/// What is said of a request, or of a turn of it, instead of a judgement.
#[derive(Default, Serialize)]
pub(super) struct Remark {
    id: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cancelled: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
}

impl Remark {
    /// That something is odd about a request, which is answered all the same.
    pub fn warning(id: &str, warning: String) -> Self {
        Remark { id: id.into(), warning: Some(warning), ..Remark::default() }
    }

    /// That a request, or one `turn` of it, has no answer.
    pub fn error(id: Value, turn: Option<usize>, error: &CliError) -> Self {
        let (error, help) = error.lines();
        Remark { id, turn, error: Some(error), help, ..Remark::default() }
    }

    /// Whether a request was dropped before its last answer.
    pub fn cancelled(id: &str, cancelled: bool) -> Self {
        Remark { id: id.into(), cancelled: Some(cancelled), ..Remark::default() }
    }
}

/// A line of output, with its end.
pub(super) fn line(answer: &impl Serialize) -> String {
    let mut text = serde_json::to_string(answer).expect("texts and numbers");
    text.push('\n');
    text
}
