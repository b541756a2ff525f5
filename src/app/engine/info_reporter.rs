//! Follows a search: says when it ends, and reports what it finds.

use std::time::Instant;

use super::{
    game_line::GameLine,
    output::EngineOutput,
    request::{SearchControl, SearchMode, SearchRequest},
};
use crate::{
    games::rules::Game,
    protocol::{Dialect, Info, InfoScore},
    search::{SearchObserver, SearchResult, TimeManager, Wdl},
};

/// The observer of one search of either kind. For alpha-beta it is all that there is between the search and a line.
pub struct InfoReporter<'a, G: Game> {
    /// The game so far.
    pub line: &'a GameLine<G>,
    /// What is asked for.
    pub request: &'a SearchRequest,
    /// Says whether to stop, and whether the pondered move was played.
    pub control: &'a SearchControl,
    /// Where lines go.
    pub output: &'a EngineOutput,
    /// The share of draws that the net expects at the root, for searches that do not know it.
    pub draw: f32,
    /// When the answer may be given: a `ponderhit` changes it.
    pub mode: SearchMode,
    /// When the time of the move began to run.
    pub began: Instant,
    /// When the move has had its time.
    pub time: TimeManager<G::Move>,
    /// What alpha-beta found at the last depth.
    last: Option<SearchResult<G::Move>>,
}

impl<'a, G: Game> InfoReporter<'a, G> {
    /// For a search that begins now.
    pub fn new(
        line: &'a GameLine<G>,
        request: &'a SearchRequest,
        control: &'a SearchControl,
        output: &'a EngineOutput,
    ) -> Self {
        let &SearchRequest { mode, began, time, .. } = request;
        let time = TimeManager::new(time);
        InfoReporter { line, request, control, output, draw: 0.0, mode, began, time, last: None }
    }

    /// The moves that may be played: those asked for that are legal, without those that are banned.
    pub fn allowed_moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.line.game.legal_moves(&mut moves);
        let is_in = |texts: &[String], mv: &G::Move| texts.contains(&self.write(*mv));
        moves.retain(|mv| !is_in(&self.request.banned, mv));
        if moves.iter().any(|mv| is_in(&self.request.searchmoves, mv)) {
            moves.retain(|mv| is_in(&self.request.searchmoves, mv));
        }
        moves
    }

    /// A move as the other side writes it.
    pub fn write(&self, mv: G::Move) -> String {
        self.output.notation.write_move::<G>(mv)
    }

    /// Takes a `ponderhit` into account, if one has come: from then on time runs.
    pub fn take_ponder_hit(&mut self) -> bool {
        if self.mode != SearchMode::Ponder || !self.control.is_hit() {
            return false;
        }
        let Some((hit, limit)) = self.control.hit() else { return false };
        (self.mode, self.began, self.time) = (SearchMode::Normal, hit, TimeManager::new(limit));
        self.last.iter().for_each(|found| self.time.note(found));
        true
    }

    /// An `info` with the time since the `go` and nothing else.
    pub fn info(&self) -> Info {
        Info { elapsed: self.request.began.elapsed(), ..Info::default() }
    }

    /// Reports what a game that is over is worth to whoever has the turn, where the protocol has an `info` without moves.
    pub fn report_end(&self) {
        let game = &self.line.game;
        let Some(outcome) = game.outcome().filter(|_| self.output.dialect == Dialect::Uci) else { return };
        let score = InfoScore::of_verdict(outcome.verdict, game.side_to_move());
        self.output.say(&Info { score, ..self.info() }.write(Dialect::Uci));
    }

    /// Reports one of the lines that are wanted, the `place`-th from 1 on, with the figures of `info`.
    pub fn report_line(&self, info: Info, place: usize, moves: &[G::Move], score: InfoScore, wdl: Wdl) {
        let dialect = self.output.dialect;
        let info = Info {
            score,
            multipv: (dialect == Dialect::Uci || self.request.multipv > 1).then_some(place),
            wdl: self.request.show_wdl.then_some(wdl),
            pv: moves.iter().map(|&mv| self.write(mv)).collect(),
            ..info
        };
        self.output.say(&info.write(dialect));
    }

    /// Reports what alpha-beta has found.
    fn report(&self, found: &SearchResult<G::Move>) {
        let &SearchResult { deepest, nodes, fullness, .. } = found;
        for (line, place) in found.lines.iter().zip(1..) {
            let info =
                Info { depth: line.depth, seldepth: deepest, nodes, hashfull: fullness, ..self.info() };
            let score = InfoScore::of_end(line.end, line.q);
            self.report_line(info, place, &line.moves, score, spread(line.q, self.draw));
        }
    }

    /// Reports what alpha-beta has found at last, unless it did so already, and waits until the answer may be given.
    pub fn finish(&mut self, found: &SearchResult<G::Move>) {
        if self.last.as_ref() != Some(found) {
            self.report(found);
        }
        self.control.wait(self.mode);
    }
}

impl<G: Game> SearchObserver<G::Move> for InfoReporter<'_, G> {
    fn keep_going(&mut self) -> bool {
        if self.control.is_stopped() {
            return false;
        }
        self.take_ponder_hit();
        self.mode != SearchMode::Normal || self.time.goes_on(self.began.elapsed())
    }

    fn depth_done(&mut self, found: &SearchResult<G::Move>) {
        self.time.note(found);
        self.report(found);
        self.last = Some(found.clone());
    }
}

/// An expected score in `-1.0..=1.0` as probabilities, with this share of draws as far as the score leaves room for it.
fn spread(q: f32, draw: f32) -> Wdl {
    let draw = draw.min(1.0 - q.abs());
    Wdl { win: (1.0 - draw + q) / 2.0, draw, loss: (1.0 - draw - q) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_have_the_score_and_sum_to_one() {
        for (q, draw) in [(0.0, 0.3), (0.5, 0.9), (-1.0, 0.2), (1.0, 0.0), (-0.3, 0.7)] {
            let wdl = spread(q, draw);
            assert!((wdl.q() - q).abs() < 1e-6 && (wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-6);
            assert!([wdl.win, wdl.draw, wdl.loss].iter().all(|&part| part >= 0.0), "{wdl:?}");
        }
        assert_eq!(spread(0.0, 0.3).draw, 0.3);
    }
}
