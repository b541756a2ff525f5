//! Quiescence: captures and promotions only, until the opinion on a position can be trusted.

use super::{
    line::{self, Line, Which},
    node::{Best, Window, Worker},
    order::{Candidate, bring_best},
    score::{self, CERTAIN, Score},
};
use crate::{
    games::rules::{Game, Move},
    search::Evaluator,
};

/// Plies of captures in which a check is answered by any move, and not only by captures.
const CHECKED_PLIES: usize = 2;

/// Moves ranked lower than this are left out: nats below the best move listed (policy, history and killers). The first
/// move is always tried; none is left out while only a certain loss is known. Answers to a check may be left out too.
/// Gain over no limit, 4,000 nodes a move: 28 Elo [10, 46] in 500 games of minishogi, 40 [3, 79] in 200 of xiangqi.
const UNLIKELY: f32 = -4.0;

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// The score of the position at `ply`, which no rule decides, when only captures are played on; `since` counts
    /// their plies. Means nothing once stopped.
    pub fn settle(&mut self, ply: usize, since: usize, window: Window) -> Score {
        if self.count_node(ply) {
            return 0;
        }
        let key = line::key(self.line.game(ply));
        let known = self.table.get(key);
        if let Some(entry) = known.filter(|_| window.is_null()) {
            let score = score::from_table(entry.score.into(), ply);
            if entry.settles(score, window.alpha, window.beta) {
                return score;
            }
        }
        let asked = window;
        let mut window = window;
        let mut best = Best::NONE;
        let cornered = since < CHECKED_PLIES && self.line.game(ply).is_check();
        let opinion = (!cornered).then(|| self.opinion(ply, known));
        self.line.at(ply).opinion = opinion;
        if let Some(opinion) = opinion {
            best.score = opinion;
            if opinion >= window.beta || ply >= Line::<G>::LONGEST {
                if known.is_none() {
                    self.remember(key, ply, 0, asked, &best);
                }
                return opinion;
            }
            if opinion > window.alpha {
                (window.alpha, best.raised) = (opinion, true);
            }
        }
        self.line.list_moves(ply, if cornered { Which::All } else { Which::Forcing });
        self.play_on(ply, since, &mut window, &mut best, known.map(|entry| entry.mv));
        if !self.stopped {
            self.remember(key, ply, 0, asked, &best);
        }
        best.score
    }

    /// Tries the moves that were listed.
    fn play_on(
        &mut self,
        ply: usize,
        since: usize,
        window: &mut Window,
        best: &mut Best<G::Move>,
        known: Option<u16>,
    ) {
        if self.line.at(ply).candidates.len() > 1 {
            self.rank(ply);
        }
        let mut candidates = self.line.take_candidates(ply);
        for candidate in &mut candidates {
            if Some(candidate.mv.bits()) == known {
                candidate.rank = f32::INFINITY;
            }
        }
        for place in 0..candidates.len() {
            bring_best(&mut candidates, place);
            let Candidate { mv, rank, .. } = candidates[place];
            if place > 0 && rank < UNLIKELY && best.score > -CERTAIN {
                break;
            }
            self.line.play(ply, mv);
            let score = -match self.line.by_rule(ply + 1) {
                Some(score) => score,
                None => self.settle(ply + 1, since + 1, window.flip()),
            };
            if self.stopped || best.see(score, mv, window) {
                break;
            }
        }
        self.line.give_back(ply, candidates);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::rules::{RuleSet, shogi::Minishogi},
        search::{
            Evaluation, Query, Wdl,
            alphabeta::{order::History, score::LOOP, table::Table},
        },
    };

    /// Finds every position even.
    struct Even;

    impl Evaluator<Minishogi> for Even {
        fn evaluate(&mut self, queries: &[&Query<Minishogi>], out: &mut [Evaluation]) {
            for (query, out) in queries.iter().zip(out) {
                *out = Evaluation { wdl: Wdl::DRAW, logits: vec![0.0; query.moves.len()] };
            }
        }
    }

    /// A rook gives check at every move, and the king goes to and fro: who gives perpetual check loses. In check the king's
    /// move back closes the loop, and is the best there is as long as these moves lie behind.
    #[test]
    fn the_table_keeps_no_score_of_a_loop() {
        let start = Minishogi::from_fen(RuleSet::Standard, "4k/R4/5/5/4K[-] w 0 1").expect("a position");
        let mut line = Line::new(&start);
        for (ply, text) in ["a4a5", "e5e4", "a5a4"].into_iter().enumerate() {
            line.play(ply, line.game(ply).parse_move(text).expect(text));
        }
        let key = line::key(line.game(3));
        let (table, mut history, mut evaluator, mut listener) =
            (Table::new(1 << 16), History::new(), Even, || true);
        let mut worker =
            Worker::new(&mut line, &table, &mut history, &mut evaluator, &mut listener, u64::MAX);
        assert_eq!(worker.settle(3, 0, Window::OPEN), LOOP);
        assert_eq!(table.get(key), None, "what the captures have found");

        // The root has the same door.
        for score in [LOOP, -LOOP, LOOP + 100] {
            worker.remember(key, 0, 5, Window::OPEN, &Best { score, mv: None, raised: true });
            assert_eq!(table.get(key), None, "{score}");
        }
        worker.remember(key, 0, 5, Window::OPEN, &Best { score: LOOP - 1, mv: None, raised: true });
        assert!(table.get(key).is_some());
    }
}
