//! What is said of a position and of the end.

use anyhow::Result;

use super::{
    board::PieceStyle,
    game_loop::{Commentary, GameLoop, Playable},
    moves::legal,
};
use crate::{
    app::report::side_names,
    arena::analysis::LookLimits,
    base::store::printable,
    games::{
        notation::{Style, is_pass, write as written},
        rules::{Outcome, Verdict},
    },
};

/// Moves of a line that are shown.
const LINE: usize = 7;

impl<G: Playable> GameLoop<'_, G> {
    /// Shows the position, and what there is to say of it.
    pub(super) fn show(&mut self) -> Result<()> {
        let board = self.view.draw(self.game(), self.moves.last().copied());
        self.say(format_args!("\n{board}"))?;
        if let Some([first, second]) = self.game().adjudicate().points {
            let names = side_names(G::ID);
            self.say(format_args!("points: {} {first}, {} {second}", names[0], names[1]))?;
        }
        if self.outcome().is_none() {
            if self.game().is_check() {
                let line = self.view.alarm("check!");
                self.say(line)?;
            }
            if self.moves.len() > 1 && self.game().repetitions() > 0 {
                let times = self.game().repetitions() + 1;
                self.say(format_args!("the same position as before, for the time number {times}"))?;
            }
            if self.commentary == Commentary::On {
                let line = self.commentary_line();
                self.say(line)?;
            }
        }
        Ok(())
    }

    /// Score, depth and best moves of the present position, which is not over.
    pub(super) fn commentary_line(&mut self) -> String {
        let game = self.games.last().expect("a table has a position");
        let look = self.analyst.look(game, &LookLimits::best(self.effort), self.ends.is_stopped);
        let names = side_names(G::ID);
        let best = look.best();
        let line: Vec<String> = best.moves.iter().take(LINE).map(ToString::to_string).collect();
        format!(
            "analysis: {} {:.2} ({}), {} simulations, depth {}\n          {}",
            names[0],
            best.assessment.score,
            best.assessment.words(names),
            look.spent,
            look.deepest,
            line.join(" ")
        )
    }

    /// A legal move, and behind it what the players of the game call it, in characters where those are shown.
    pub(super) fn text_of(&self, mv: G::Move) -> String {
        const LATIN: [Style; 4] = [Style::Western, Style::Wxf, Style::Numbers, Style::San];
        let style = match self.view.pieces {
            PieceStyle::Characters => G::STYLES.first().copied(),
            PieceStyle::Letters => G::STYLES.iter().copied().find(|style| LATIN.contains(style)),
        };
        let written = |style| written(self.game(), self.moves.last().copied(), mv, style);
        let own = mv.to_string();
        match style.map(written).filter(|text| *text != own) {
            Some(text) => format!("{own} ({text})"),
            None => own,
        }
    }

    /// What the analyst would play, and what it says of the position.
    pub(super) fn hint(&mut self) -> String {
        let game = self.games.last().expect("a table has a position");
        let look = self.analyst.look(game, &LookLimits::best(self.effort), self.ends.is_stopped);
        let best = look.best();
        let line: Vec<String> = best.moves.iter().skip(1).take(LINE - 1).map(ToString::to_string).collect();
        let then = if line.is_empty() { String::new() } else { format!(", and then {}", line.join(" ")) };
        format!("hint: {}{then}; {}", self.text_of(best.moves[0]), best.assessment.words(side_names(G::ID)))
    }

    /// Says what a pass would come to now, after one of the other side.
    pub(super) fn tell_of_passing(&mut self) -> Result<()> {
        match end_by_pass(self.game()) {
            Some(outcome) => {
                let line = format!("If you pass too, the game ends: {}.", in_words::<G>(&outcome));
                self.say(line)
            }
            None => Ok(()),
        }
    }

    /// The final screen.
    pub(super) fn say_end(&mut self, outcome: &Outcome, note: Option<&str>) -> Result<()> {
        let winner = match outcome.verdict {
            Verdict::Win(side) if self.is_person(side) && !self.is_person(!side) => "\nYou win. ",
            Verdict::Win(side) if self.is_person(!side) && !self.is_person(side) => "\nYou lose. ",
            _ => "\n",
        };
        let line = format!("{winner}{}: {}.", outcome.verdict.as_str(), in_words::<G>(outcome));
        self.say(line)?;
        self.say(outcome.reason.sentence())?;
        match note {
            Some(note) => self.say(printable(note)),
            None => Ok(()),
        }
    }
}

/// How a pass would end `game`, if it may be played and ends it.
pub(super) fn end_by_pass<G: Playable>(game: &G) -> Option<Outcome> {
    let pass = legal(game).into_iter().find(|mv| is_pass(&mv.to_string()))?;
    game.after(pass).outcome()
}

/// `Han wins by double pass, 73.5 points to 72`.
pub(super) fn in_words<G: Playable>(outcome: &Outcome) -> String {
    let names = side_names(G::ID);
    let reason = outcome.reason.as_str().replace('_', " ");
    match (outcome.verdict, outcome.points) {
        (Verdict::Draw, _) => format!("a draw by {reason}"),
        (Verdict::Win(side), Some(points)) => {
            let [winner, loser] = [side, !side].map(|side| points[side.index()]);
            format!("{} wins on points, {winner} to {loser}, after {reason}", names[side.index()])
        }
        (Verdict::Win(side), None) => format!("{} wins by {reason}", names[side.index()]),
    }
}
