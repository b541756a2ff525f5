//! One game after another in one slot, always on the way to a position that the net is to evaluate.

use rand::RngExt;

use super::{
    config::SelfPlayConfig,
    plan::Plan,
    played::PlayedGame,
    record::{Candidate, GameRecord, Ply, Resigning, SearchDepth, quantise},
    resign::expected_score,
    stats::SearchStats,
};
use crate::{
    base::rng::{self, Purpose, Rng},
    games::rules::{Game, Move, Outcome, Reason, Setup},
    search::{Evaluation, Noise, PolicyAsked, Query, RootMove, Search, Wdl},
};

/// What a slot needs next.
pub(super) enum SlotStep {
    /// A leaf waits for its evaluation.
    Leaf,
    /// The game ended; the slot is free.
    Finished(Box<PlayedGame>),
}

/// A game in progress and its search.
pub(super) struct GameSlot<'a, G: Game> {
    plan: &'a Plan<'a>,
    search: Search<G>,
    kind: SearchDepth,
    game: G,
    record: GameRecord,
    rng: Rng,
    stats: SearchStats,
    /// What the last full search found of the root's moves.
    root_moves: Vec<RootMove<G::Move>>,
}

impl<'a, G: Game> GameSlot<'a, G> {
    /// Begins game `index` of the plan; `policy_asked` is when its evaluator is best asked for policies.
    pub(super) fn new(plan: &'a Plan<'a>, index: u32, policy_asked: PolicyAsked) -> Self {
        let (game, record, rng) = Self::open(plan, index);
        let mut search = Search::new(plan.config.search.clone());
        search.ask_policies(policy_asked);
        let mut slot = GameSlot {
            plan,
            search,
            kind: SearchDepth::Full,
            game,
            record,
            rng,
            stats: SearchStats::default(),
            root_moves: Vec::new(),
        };
        slot.start_search();
        slot
    }

    /// Begins the next game in this slot, keeping its buffers.
    pub(super) fn begin(&mut self, index: u32) {
        (self.game, self.record, self.rng) = Self::open(self.plan, index);
        self.start_search();
    }

    /// The position of game `index` after its random opening.
    pub(super) fn open(plan: &Plan, index: u32) -> (G, GameRecord, Rng) {
        let mut rng =
            rng::stream(plan.seed, Purpose::SelfPlay, &[u64::from(plan.generation), u64::from(index)]);
        let resigning = match plan.resign_below {
            Some(_) if rng.random::<f32>() >= plan.config.resign.played_out => Resigning::Open,
            _ => Resigning::PlayedOut,
        };
        loop {
            let mut game = G::start(plan.rules, Setup::Drawn, &mut rng);
            if let Some(handicap) = plan.config.handicap.draw(G::ID, &mut rng) {
                game = game.with_handicap(handicap);
            }
            let start = game.fen();
            let plies = play_random_opening(&mut game, plan.config, &mut rng);
            if game.outcome_or_declaration().is_none() {
                let record = GameRecord {
                    game: G::ID,
                    rules: plan.rules,
                    generation: plan.generation,
                    index,
                    start,
                    plies,
                    candidates: Vec::new(),
                    // Placeholders until `finish`: a record leaves this module only finished.
                    verdict: crate::games::rules::Verdict::Draw,
                    reason: Reason::Adjudicated,
                    points: None,
                    resigning,
                };
                return (game, record, rng);
            }
        }
    }

    fn start_search(&mut self) {
        let config = self.plan.config;
        let (kind, simulations) = if self.rng.random::<f32>() < config.full_share {
            (SearchDepth::Full, config.simulations)
        } else {
            (SearchDepth::Quick, config.quick_simulations)
        };
        self.kind = kind;
        self.search.start(&self.game, simulations, Noise::Explore, &mut self.rng);
        self.search.hurry_if_forced();
    }

    /// Plays on until a position must be judged or the game is over.
    pub(super) fn advance(&mut self) -> SlotStep {
        while self.search.next_leaf().is_none() {
            if let Some(outcome) = self.play_move() {
                let record = self.finish(outcome);
                return SlotStep::Finished(Box::new(PlayedGame {
                    record,
                    stats: std::mem::take(&mut self.stats),
                }));
            }
            self.start_search();
        }
        self.stats.evaluations += u64::from(self.search.is_first_visit());
        SlotStep::Leaf
    }

    /// The position that waits for its evaluation.
    pub(super) fn leaf(&self) -> &Query<G> {
        self.search.leaf()
    }

    /// Hands the pending leaf its evaluation.
    pub(super) fn resolve(&mut self, evaluation: &Evaluation) {
        self.search.resolve(evaluation);
    }

    /// What the searches of the game in this slot did so far.
    pub(super) fn stats(&self) -> SearchStats {
        self.stats
    }

    /// Plays the search's move; returns how the game ended, if it did.
    fn play_move(&mut self) -> Option<Outcome> {
        let wdl = self.search.root_wdl();
        self.note_search(wdl);
        if let Some(outcome) = self.resignation(wdl) {
            return Some(outcome);
        }
        let mv = self.search.best_move();
        self.keep_ply(mv, wdl);
        self.game.play(mv);
        self.game
            .outcome_or_declaration()
            .or_else(|| (self.game.ply() >= self.plan.config.max_plies).then(|| self.game.adjudicate()))
    }

    /// Counts a search that found the root to be worth `wdl`.
    fn note_search(&mut self, wdl: Wdl) {
        self.stats.searches += 1;
        self.stats.simulations += u64::from(self.search.simulations());
        self.root_moves.clear();
        if self.kind == SearchDepth::Full {
            self.root_moves.extend(self.search.root_moves());
            self.stats.add_full(&self.root_moves, self.search.root_prior_wdl(), wdl);
        }
    }

    /// The outcome if the side to move, which expects `wdl`, gives up here.
    fn resignation(&self, wdl: Wdl) -> Option<Outcome> {
        let threshold = self.plan.resign_below?;
        let gives_up = self.record.resigning == Resigning::Open
            && self.kind == SearchDepth::Full
            && expected_score(wdl) < threshold;
        gives_up.then(|| Outcome::win(!self.game.side_to_move(), Reason::Resignation))
    }

    /// Keeps the move and, of a full search, its candidates: the policy of a quick one teaches nothing.
    fn keep_ply(&mut self, mv: G::Move, wdl: Wdl) {
        let before = self.record.candidates.len();
        self.record.candidates.extend(
            self.root_moves
                .iter()
                .map(|root_move| Candidate {
                    mv: root_move.mv.bits(),
                    visits: root_move.visits.min(u16::MAX.into()) as u16,
                    share: quantise(root_move.policy),
                })
                .filter(|candidate| candidate.visits > 0 || candidate.share > 0),
        );
        self.record.plies.push(Ply {
            mv: mv.bits(),
            search: self.kind,
            wdl: [quantise(wdl.win), quantise(wdl.loss)],
            candidates: (self.record.candidates.len() - before) as u16,
        });
    }

    fn finish(&mut self, outcome: Outcome) -> GameRecord {
        GameRecord {
            plies: std::mem::take(&mut self.record.plies),
            candidates: std::mem::take(&mut self.record.candidates),
            verdict: outcome.verdict,
            reason: outcome.reason,
            points: outcome.points,
            ..self.record.clone()
        }
    }
}

/// Plays none to `opening_plies` random legal moves and returns them.
fn play_random_opening<G: Game>(game: &mut G, config: &SelfPlayConfig, rng: &mut impl rand::Rng) -> Vec<Ply> {
    let wanted = rng.random_range(0..=config.opening_plies);
    let mut moves = Vec::new();
    let mut plies = Vec::new();
    for _ in 0..wanted {
        moves.clear();
        game.legal_moves(&mut moves);
        let Some(&mv) = moves.get(rng.random_range(0..moves.len().max(1))) else { break };
        game.play(mv);
        plies.push(Ply { mv: mv.bits(), search: SearchDepth::Random, wdl: [0; 2], candidates: 0 });
    }
    plies
}
