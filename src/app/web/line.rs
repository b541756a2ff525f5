//! A game so far, as the page tells it, and its positions, as the page shows them.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use crate::{
    base::rng::{self, Purpose},
    games::{
        notation::{Notate, is_pass, style_in, write},
        rules::{
            Declaration, Game, MOST_PLIES, Outcome, ParseError, Reason, RuleSet, Setup, Side, Verdict,
            janggi::Formations,
        },
    },
};

/// A game so far.
#[derive(Deserialize)]
pub(super) struct Line {
    #[serde(flatten)]
    pub(super) start: Start,
    /// The moves since.
    moves: Vec<String>,
    /// The reader's language, as HTML names it: how moves are written.
    #[serde(default)]
    pub(super) language: String,
}

/// Where a game begins.
#[derive(Deserialize)]
pub(super) struct Start {
    rules: RuleSet,
    /// Janggi's set-up, as `nbbn/bnbn`.
    setup: Option<String>,
    /// The handicap, as `rook`.
    handicap: Option<String>,
    /// Another position than the start.
    fen: Option<String>,
}

/// A position, as the page shows it.
#[derive(Serialize)]
pub(super) struct Position {
    fen: String,
    /// 0 or 1.
    turn: usize,
    check: bool,
    moves: Vec<String>,
    /// The move that led here.
    #[serde(flatten)]
    last: Option<PlayedMove>,
    /// The end by rule. A declaration is none: the side to move decides about it.
    outcome: Option<End>,
    /// What declaring would give now: `win` or `draw`.
    declaration: Option<&'static str>,
    /// How passing would end the game; `None` where it would not, or passing is illegal.
    passing: Option<End>,
    /// What the pieces of both sides count, where that may decide.
    points: Option<[f32; 2]>,
}

/// A move that was played.
#[derive(Serialize)]
struct PlayedMove {
    /// As the rules write it, however it was told.
    #[serde(rename = "move")]
    text: String,
    /// As readers write it.
    written: String,
}

/// A result.
#[derive(Serialize)]
struct End {
    /// 0 or 1; `None` where the game is drawn.
    winner: Option<usize>,
    reason: Reason,
    /// Both sides', where points decided.
    points: Option<[f32; 2]>,
}

impl Line {
    /// The position and the moves that led to it.
    pub(super) fn read<G: Game>(&self) -> Result<(G, Vec<G::Move>)> {
        self.replay(&self.moves)
    }

    /// The position after the first `moves`, and these.
    fn replay<G: Game>(&self, moves: &[String]) -> Result<(G, Vec<G::Move>)> {
        ensure!(self.moves.len() <= MOST_PLIES, "a game of {} plies", self.moves.len());
        let mut game = self.start.read::<G>()?;
        let mut played = Vec::with_capacity(moves.len());
        for text in moves {
            let mv = game.parse_move(text)?;
            game.play(mv);
            played.push(mv);
        }
        Ok((game, played))
    }

    /// The position after all moves.
    pub(super) fn last_position<G: Notate>(&self) -> Result<Position> {
        let (last, before) = match self.moves.split_last() {
            Some((last, before)) => (Some(last), before),
            None => (None, &[][..]),
        };
        let (mut game, played) = self.replay::<G>(before)?;
        let last = match last {
            Some(text) => Some(self.play(&mut game, played.last().copied(), text)?.1),
            None => None,
        };
        Ok(describe(&game, last))
    }

    /// All positions from the start on.
    pub(super) fn positions<G: Notate>(&self) -> Result<Vec<Position>> {
        let (mut game, _) = self.replay::<G>(&[])?;
        let mut positions = vec![describe(&game, None)];
        let mut last = None;
        for text in &self.moves {
            let (mv, played) = self.play(&mut game, last, text)?;
            positions.push(describe(&game, Some(played)));
            last = Some(mv);
        }
        Ok(positions)
    }

    /// Plays the move `text` after `last`; it, and its texts.
    fn play<G: Notate>(
        &self,
        game: &mut G,
        last: Option<G::Move>,
        text: &str,
    ) -> Result<(G::Move, PlayedMove)> {
        let mv = game.parse_move(text)?;
        let written = write(game, last, mv, style_in::<G>(&self.language));
        game.play(mv);
        Ok((mv, PlayedMove { text: mv.to_string(), written }))
    }
}

impl Start {
    pub(super) fn read<G: Game>(&self) -> Result<G> {
        ensure!(G::ID.rule_sets().contains(&self.rules), "{} has no rules {}", G::ID, self.rules);
        if let Some(fen) = &self.fen {
            return Ok(G::from_fen(self.rules, fen)?);
        }
        let setup = match &self.setup {
            Some(setup) => {
                setup.parse::<Formations>().map_err(|error: ParseError| anyhow::anyhow!(error))?.into()
            }
            None => Setup::Standard,
        };
        // Neither draws random numbers.
        let start = G::start(self.rules, setup, &mut rng::stream(0, Purpose::Openings, &[]));
        match &self.handicap {
            Some(name) => Ok(start.with_handicap(G::ID.handicap(name)?)),
            None => Ok(start),
        }
    }
}

fn describe<G: Game>(game: &G, last: Option<PlayedMove>) -> Position {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    let passed = moves.iter().find(|mv| is_pass(&mv.to_string())).map(|&pass| game.after(pass));
    Position {
        fen: game.fen(),
        turn: game.side_to_move().index(),
        check: game.is_check(),
        moves: moves.iter().map(ToString::to_string).collect(),
        last,
        outcome: game.outcome().map(End::of),
        declaration: game.declaration().map(|declaration| match declaration {
            Declaration::Win => "win",
            Declaration::Draw => "draw",
        }),
        passing: passed.and_then(|next| next.outcome()).map(End::of),
        points: game.adjudicate().points,
    }
}

impl End {
    fn of(Outcome { verdict, reason, points }: Outcome) -> Self {
        let winner = match verdict {
            Verdict::Win(side) => Some(Side::index(side)),
            Verdict::Draw => None,
        };
        End { winner, reason, points }
    }
}
