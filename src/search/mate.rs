//! A short search for a mate: by checks alone, to which every answer is mated in turn. And the moves that win at once.

use crate::games::rules::{Ending, Game, Verdict};

/// Moves that one search for a mate lists, at most, so that it is over within milliseconds: with pieces in hand on the
/// large board, five plies of checks took half a second (2026-11-22), in which the tree search can neither be stopped
/// nor go on.
const MOST_MOVES: usize = 20_000;

/// The moves that win before the opponent answers.
pub(super) fn wins_at_once<G: Game>(game: &G) -> Vec<G::Move> {
    let (mut moves, mut endings) = (Vec::new(), Vec::new());
    game.legal_moves(&mut moves);
    game.endings(&moves, &mut endings);
    let win = Verdict::Win(game.side_to_move());
    endings.iter().filter(|ending| ending.verdict == win).map(|ending| moves[ending.place]).collect()
}

/// Looks for mates. Its buffers serve one search after another.
#[derive(Clone, Debug)]
pub(super) struct MateSearch<G: Game> {
    levels: Vec<Level<G>>,
}

/// One position of a line.
#[derive(Clone, Debug)]
struct Level<G: Game> {
    game: G,
    moves: Vec<G::Move>,
    endings: Vec<Ending>,
}

impl<G: Game> MateSearch<G> {
    pub fn new() -> Self {
        MateSearch { levels: Vec::new() }
    }

    /// The first move of a forced win of the side to move within `plies`, an odd number, by checks and a last move that
    /// ends the game; `None` if there is none, or if it takes too long to find.
    pub fn find(&mut self, game: &G, plies: u32) -> Option<G::Move> {
        let levels = plies as usize;
        self.levels.resize_with(levels.max(self.levels.len()), || Level {
            game: game.clone(),
            moves: Vec::new(),
            endings: Vec::new(),
        });
        self.levels[0].game.clone_from(game);
        let mut left = MOST_MOVES;
        attack(&mut self.levels[..levels], &mut left)
    }
}

/// The move by which the side to move at the first level wins at once or by a check. At most `left` more moves
/// are listed; when none are left the answer is `None`.
fn attack<G: Game>(levels: &mut [Level<G>], left: &mut usize) -> Option<G::Move> {
    let (level, deeper) = levels.split_first_mut().expect("an odd number of plies");
    let Level { game, moves, endings } = level;
    moves.clear();
    game.legal_moves(moves);
    *left = left.saturating_sub(moves.len());
    endings.clear();
    game.endings(moves, endings);
    let win = Verdict::Win(game.side_to_move());
    if let Some(ending) = endings.iter().find(|ending| ending.verdict == win) {
        return Some(moves[ending.place]);
    }
    if deeper.is_empty() {
        return None;
    }
    moves.iter().copied().find(|&mv| {
        if *left == 0 {
            return false;
        }
        deeper[0].game.clone_from(game);
        deeper[0].game.play(mv);
        deeper[0].game.is_check() && is_mated(deeper, left)
    })
}

/// Whether every answer of the side to move at the first level, which is in check, leads to a mate.
fn is_mated<G: Game>(levels: &mut [Level<G>], left: &mut usize) -> bool {
    let (level, deeper) = levels.split_first_mut().expect("an even number of plies");
    let Level { game, moves, .. } = level;
    moves.clear();
    game.legal_moves(moves);
    // Without a move the game is over; how, the search finds out.
    !moves.is_empty()
        && moves.iter().all(|&mv| {
            deeper[0].game.clone_from(game);
            deeper[0].game.play(mv);
            deeper[0].game.outcome_or_declaration().is_none() && attack(deeper, left).is_some()
        })
}

/// Plies of a mate that is looked for again, at most.
const LONGEST: u32 = 7;

/// Appends to `moves`, which led to `game`, those of a mate in `plies` by checks: the attacker's shortest, the
/// defender's longest way. An even number begins with the defender. Nothing is appended where the mate is not found
/// again. Returns whether the game is then over.
pub(super) fn finish<G: Game>(mut game: G, plies: u32, moves: &mut Vec<G::Move>) -> bool {
    let mut mates = MateSearch::new();
    let plies = if plies > LONGEST { 0 } else { plies };
    for left in (1..=plies).rev() {
        if game.outcome_or_declaration().is_some() {
            return true;
        }
        let mv = if left % 2 == 1 { mates.shortest(&game, left) } else { mates.longest_defence(&game, left) };
        let Some((mv, _)) = mv else { return false };
        game.play(mv);
        moves.push(mv);
    }
    game.outcome_or_declaration().is_some()
}

impl<G: Game> MateSearch<G> {
    /// The first move of the shortest mate within `plies`, and its length.
    pub fn shortest(&mut self, game: &G, plies: u32) -> Option<(G::Move, u32)> {
        (1..=plies).step_by(2).find_map(|length| self.find(game, length).map(|mv| (mv, length)))
    }

    /// The move after which the mate, within `plies` with that move, takes longest, and its length.
    fn longest_defence(&mut self, game: &G, plies: u32) -> Option<(G::Move, u32)> {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let lengths: Option<Vec<(G::Move, u32)>> = moves
            .into_iter()
            .map(|mv| self.shortest(&game.after(mv), plies - 1).map(|(_, length)| (mv, length + 1)))
            .collect();
        lengths?.into_iter().max_by_key(|&(_, length)| length)
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::{
        base::rng::Rng,
        games::rules::{RuleSet, Setup, shogi::Minishogi, xiangqi::Minixiangqi},
    };

    fn children<G: Game>(game: &G) -> Vec<(G::Move, G)> {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        moves.into_iter().map(|mv| (mv, game.after(mv))).collect()
    }

    /// Whether `side` wins within `plies` by checks, by trying everything.
    fn wins<G: Game>(game: &G, plies: u32) -> bool {
        let (side, children) = (game.side_to_move(), children(game));
        let is_won =
            |after: &G| after.outcome_or_declaration().is_some_and(|it| it.verdict == Verdict::Win(side));
        children.iter().any(|(_, after)| is_won(after))
            || plies > 1 && children.iter().any(|(_, after)| after.is_check() && loses(after, plies - 1))
    }

    fn loses<G: Game>(game: &G, plies: u32) -> bool {
        let children = children(game);
        let goes_on = |after: &G| after.outcome_or_declaration().is_none();
        !children.is_empty() && children.iter().all(|(_, after)| goes_on(after) && wins(after, plies - 1))
    }

    fn compare<G: Game>(games: u64) {
        let mut mates = MateSearch::new();
        let mut found = 0;
        for seed in 0..games {
            let mut rng = Rng::seed_from_u64(seed);
            let mut game = G::start(G::ID.rule_sets()[0], Setup::Drawn, &mut rng);
            while game.outcome_or_declaration().is_none() && game.ply() < 100 {
                let mate = mates.find(&game, 3);
                assert_eq!(mate.is_some(), wins(&game, 3), "{}", game.fen());
                if let Some(mv) = mate.filter(|_| !wins(&game, 1)) {
                    found += 1;
                    let after = children(&game).into_iter().find(|(other, _)| *other == mv);
                    assert!(loses(&after.expect("a legal move").1, 2), "{}", game.fen());
                }
                let mut children = children(&game);
                game = children.swap_remove(rng.random_range(0..children.len())).1;
            }
        }
        assert!(found > 20, "{found}");
    }

    /// The defender's way is the longest: where the shortest mate has five plies, the line has five.
    #[test]
    fn a_mate_in_five_plies_is_told_to_its_end() {
        let (mut mates, mut found) = (MateSearch::new(), 0);
        for seed in 0..30 {
            let mut rng = Rng::seed_from_u64(seed);
            let mut game = Minishogi::start(RuleSet::Standard, Setup::Standard, &mut rng);
            while game.outcome_or_declaration().is_none() && game.ply() < 100 {
                if mates.shortest(&game, 5).is_some_and(|(_, length)| length == 5) {
                    let mut line = Vec::new();
                    assert!(finish(game.clone(), 5, &mut line) && line.len() == 5, "{}", game.fen());
                    found += 1;
                }
                let mut children = children(&game);
                game = children.swap_remove(rng.random_range(0..children.len())).1;
            }
        }
        assert!(found > 10, "{found}");
    }

    #[test]
    fn mates_in_three_plies_are_found_and_are_some() {
        compare::<Minishogi>(30);
        compare::<Minixiangqi>(30);
    }
}
