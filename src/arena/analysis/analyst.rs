//! Who is asked about positions.

use std::{
    fmt,
    marker::PhantomData,
    time::{Duration, Instant},
};

use anyhow::Result;

use super::Assessment;
use crate::{
    arena::alphabeta::table_for,
    base::rng::{Purpose, stream},
    games::{encode::Encode, rules::Game},
    net::{AnyEvaluator, LoadedNet, ModelFile, PlayConfig, PlaySearch, PlayTable},
    search::{AlphaBeta, Noise, PvLine, Search, SearchLimits, Variation, run_together},
};

/// How long a position is looked at, and by which search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A number of simulations of the tree search: the result then depends on nothing else.
    Simulations(u32),
    /// So much wall time for the tree search.
    Time(Duration),
    /// A number of nodes of alpha-beta: the result then depends on nothing else.
    Nodes(u64),
}

impl Default for Effort {
    /// What a position is looked at where nobody says anything else.
    fn default() -> Self {
        Effort::Simulations(800)
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effort::Simulations(simulations) => write!(f, "{simulations} simulations a position"),
            Effort::Time(time) => write!(f, "{} ms a position", time.as_millis()),
            Effort::Nodes(nodes) => write!(f, "{nodes} nodes a position"),
        }
    }
}

/// What is asked about a position.
#[derive(Clone, Copy, Debug)]
pub struct LookLimits<'a, M> {
    /// How long it is looked at.
    pub effort: Effort,
    /// The only moves that are looked at, all of them legal; all legal moves if empty.
    pub only: &'a [M],
    /// How many lines are wanted, each with another first move: at least one.
    pub lines: usize,
}

impl<M> LookLimits<'_, M> {
    /// The best line among all moves.
    pub fn best(effort: Effort) -> Self {
        LookLimits { effort, only: &[], lines: 1 }
    }
}

/// What a search says of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Look<M> {
    /// The lines asked for, fewer where fewer moves were looked at. Never empty. The first is the best; the others follow,
    /// those of a tree by their visits, those of alpha-beta by their scores. Where a limit has interrupted an iteration of
    /// alpha-beta, some are from the iteration before, and their scores may be higher than the first one's.
    pub lines: Vec<LookLine<M>>,
    /// Simulations of the tree search, or nodes of alpha-beta.
    pub spent: u64,
    /// Plies of the longest line looked at.
    pub deepest: usize,
}

impl<M> Look<M> {
    /// The best line.
    pub fn best(&self) -> &LookLine<M> {
        &self.lines[0]
    }
}

/// A move, what is expected behind it, and what that is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct LookLine<M> {
    /// What the position is worth by this move.
    pub assessment: Assessment,
    /// The move, and behind it what both sides are expected to play. Never empty.
    pub moves: Vec<M>,
    /// Simulations that began with the move; `None` of alpha-beta, which has none.
    pub visits: Option<u32>,
}

/// A net that judges positions, or the rules alone, loaded once for all threads.
pub struct AnalysisNet<G> {
    net: Option<LoadedNet>,
    play: PlayConfig,
    game: PhantomData<fn() -> G>,
}

impl<G: Encode> AnalysisNet<G> {
    /// That of `model`, with its settings of play; without a model the rules alone. The tree search is PUCT with any
    /// search of the model: such a tree has a value and a line at any time.
    ///
    /// # Errors
    /// When the model plays another game, or this machine cannot load it.
    pub fn load(model: Option<&ModelFile>) -> Result<Self> {
        let table = PlayTable { search: Some(PlaySearch::Puct), ..PlayTable::default() };
        let play = match model {
            Some(model) => {
                model.check::<G>()?;
                model.play(&table)
            }
            None => table.complete_without_net(G::ID),
        };
        let load = |model: &ModelFile| LoadedNet::native_on(play.threads, &model.model, play.precision);
        Ok(AnalysisNet { net: model.map(load).transpose()?, play, game: PhantomData })
    }

    /// Threads that the net's settings of play give to one position.
    pub fn threads(&self) -> usize {
        self.play.threads
    }
}

/// A search with a net, or by the rules alone, that is asked about one position after another. What it says of one does
/// not depend on those before.
pub struct Analyst<G: Game> {
    search: Search<G>,
    /// The search by alpha-beta, once one was asked for, and the MiB of its table.
    alphabeta: Option<(usize, AlphaBeta<G>)>,
    /// One for each thread.
    evaluators: Vec<AnyEvaluator>,
    play: PlayConfig,
}

impl<G: Encode> Analyst<G> {
    /// One that asks `net`, with so many threads for a position. With one thread the same question has the same answer.
    pub fn new(net: &AnalysisNet<G>, threads: usize) -> Self {
        Analyst {
            search: Search::with_memory(net.play.search.clone(), net.play.memory),
            alphabeta: None,
            evaluators: (0..threads.max(1)).map(|_| AnyEvaluator::of::<G>(net.net.as_ref())).collect(),
            play: net.play.clone(),
        }
    }

    /// Looks at `game`, which must not be over, as `limits` say, or until `is_stopped`.
    ///
    /// Where there is only one move, the position behind it is looked at: nothing else tells what it is worth.
    pub fn look(
        &mut self,
        game: &G,
        limits: &LookLimits<'_, G::Move>,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Look<G::Move> {
        let until = match limits.effort {
            Effort::Time(time) => Some(Instant::now() + time),
            Effort::Simulations(_) | Effort::Nodes(_) => None,
        };
        let goes_on = || until.is_none_or(|until| Instant::now() < until) && !is_stopped();
        match limits.effort {
            Effort::Simulations(simulations) => self.look_by_tree(game, limits, simulations, &goes_on),
            Effort::Time(_) => self.look_by_tree(game, limits, u32::MAX, &goes_on),
            Effort::Nodes(nodes) => self.look_by_alphabeta(game, limits, nodes, &goes_on),
        }
    }

    fn look_by_tree(
        &mut self,
        game: &G,
        limits: &LookLimits<'_, G::Move>,
        simulations: u32,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Look<G::Move> {
        // The moves that are forced are played at once.
        let (mut game, mut forced) = (game.clone(), Vec::new());
        let mut only = limits.only.to_vec();
        while let Some(mv) = single_move(&game, &only) {
            only.clear();
            forced.push(mv);
            game.play(mv);
            if let Some(outcome) = game.outcome_or_declaration() {
                let assessment = Assessment::ended(&outcome).later(forced.len() as u32);
                let deepest = forced.len();
                let line = LookLine { assessment, moves: forced, visits: Some(0) };
                return Look { lines: vec![line], spent: 0, deepest };
            }
        }
        let lines = if forced.is_empty() { limits.lines } else { 1 };
        // Without noise the search draws no random numbers.
        let mut rng = stream(0, Purpose::Evaluation, &[]);
        self.search.restrict(&only);
        self.search.start(&game, simulations, Noise::None, &mut rng);
        run_together(&mut self.search, &mut self.evaluators, self.play.batch, goes_on);
        let spent = self.search.simulations();
        let line = |Variation { moves, visits, wdl, certain }: Variation<G::Move>| LookLine {
            assessment: Assessment::of(wdl, certain, game.side_to_move()).later(forced.len() as u32),
            moves: forced.iter().copied().chain(moves).collect(),
            // All of them begin with a move that is forced.
            visits: Some(if forced.is_empty() { visits } else { spent }),
        };
        Look {
            lines: self.search.variations(lines.max(1)).into_iter().map(line).collect(),
            spent: spent.into(),
            deepest: forced.len() + self.search.deepest(),
        }
    }

    fn look_by_alphabeta(
        &mut self,
        game: &G,
        limits: &LookLimits<'_, G::Move>,
        nodes: u64,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Look<G::Move> {
        let table = table_for(nodes, self.play.memory);
        let search = match &mut self.alphabeta {
            Some((mebibytes, search)) if *mebibytes == table => {
                search.forget();
                search
            }
            other => &mut other.insert((table, AlphaBeta::new(table))).1,
        };
        let orders =
            SearchLimits { only: limits.only, lines: limits.lines.max(1), nodes, ..SearchLimits::UNLIMITED };
        let found = search.search(game, &orders, &mut self.evaluators, &mut || goes_on());
        let line = |PvLine { moves, q, end, .. }: PvLine<G::Move>| LookLine {
            assessment: Assessment::of_q(q, end, game.side_to_move()),
            moves,
            visits: None,
        };
        Look {
            lines: found.lines.into_iter().map(line).collect(),
            spent: found.nodes,
            deepest: found.deepest,
        }
    }
}

/// The only move of `game` among `only`, where there is no other.
fn single_move<G: Game>(game: &G, only: &[G::Move]) -> Option<G::Move> {
    if !only.is_empty() {
        return if let [mv] = *only { Some(mv) } else { None };
    }
    let mut legal = Vec::new();
    game.legal_moves(&mut legal);
    if let [mv] = legal[..] { Some(mv) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::rules::{GameId, dobutsu::Dobutsu};

    fn position(fen: &str) -> Dobutsu {
        Dobutsu::from_fen(GameId::Dobutsu.rule_sets()[0], fen).unwrap()
    }

    fn analyst() -> Analyst<Dobutsu> {
        Analyst::new(&AnalysisNet::load(None).unwrap(), 1)
    }

    #[test]
    fn a_single_move_is_worth_what_lies_behind_it() {
        // The first side's lion stands where the giraffe takes it, unless it moves.
        let game = position("1l1/3/1g1/1LG[] w - - 0 1");
        let blunder = [game.parse_move("c1c2").unwrap()];
        let limits = LookLimits { only: &blunder, ..LookLimits::best(Effort::Simulations(50)) };
        let look = analyst().look(&game, &limits, &|| false);
        let text: Vec<String> = look.best().moves.iter().map(ToString::to_string).collect();
        assert_eq!((text, look.best().assessment.score), (vec!["c1c2".to_owned(), "b2b1".to_owned()], 0.0));
        assert_eq!(look.best().assessment.certain.map(|(_, plies)| plies), Some(2));
    }

    #[test]
    fn both_searches_keep_to_the_moves_that_are_allowed() {
        let game = position("gle/1c1/1C1/ELG[] w - - 0 1");
        let mut legal = Vec::new();
        game.legal_moves(&mut legal);
        let (mut analyst, only) = (analyst(), &legal[..2]);
        for effort in [Effort::Simulations(100), Effort::Nodes(500)] {
            let limits = LookLimits { effort, only, lines: 9 };
            let look = analyst.look(&game, &limits, &|| false);
            assert_eq!(look.lines.len(), 2, "{effort}");
            assert!(look.lines.iter().all(|line| only.contains(&line.moves[0])), "{look:?}");
            assert!(look.spent > 0);
            assert_eq!(analyst.look(&game, &limits, &|| false), look, "{effort}: asked again");
        }
    }
}
